"""Every expression that a typed statement holds by itself."""

from __future__ import annotations

from dataclasses import fields

from lfc.semantics.model import typed


def parts_of(x: object) -> list[typed.Expr]:
    """Without the statements inside."""
    if isinstance(x, typed.Expr):
        return [x]
    if isinstance(x, list | tuple):
        return [e for part in x if not is_body(part) for e in parts_of(part)]
    if isinstance(x, typed.Statement | typed.Clause | typed.Argument | typed.Target):
        return [e for f in fields(x) for e in parts_of(getattr(x, f.name)) if f.name not in ("body", "otherwise")]
    return []


def is_body(part: object) -> bool:
    """A sequence of statements, but not a pair of a condition and one."""
    return isinstance(part, list) and bool(part) and all(isinstance(s, typed.Statement) for s in part)
