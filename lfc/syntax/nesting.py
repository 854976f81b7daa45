"""Cuts off what nests too deeply, so that later stages may recurse."""

from __future__ import annotations

import re
from dataclasses import fields

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.grammar import tree
from lfc.syntax.grammar.lexer import Tokens
from lfc.syntax.grammar.terminals import NUMBER

NESTING_LIMIT = 200  # nodes on a path from the module down
REPORTED_AT_MOST = 3

_BREAKS = [NUMBER[n] for n in ("SEMICOLON", "BECOMES", "THEN", "DO", "OF", "END", "ELSE", "BEGIN", "VBAR")]
_LONG_RUN = re.compile(b"[^" + b"".join(re.escape(bytes([k])) for k in _BREAKS) + b"]{81}")


def may_nest_deeply(tokens: Tokens, deepest_stack: int) -> bool:
    """Whether a look at the whole tree is worth while.

    A node lies below another because the parser's stack held it (nesting, what associates to the right) or because
    the one is the left operand of the other, which takes tokens without a semicolon or the like between them.
    """
    return deepest_stack > 100 or _LONG_RUN.search(bytes(tokens.kinds)) is not None


def limit_nesting(module: tree.Module, diagnostics: Diagnostics) -> None:
    """Put an Error... node in the place of what lies too deep."""
    level: list[tree.Node] = [module]
    for _ in range(NESTING_LIMIT):
        level = [child for node in level for child in tree.children(node)]
        if not level:
            return
    cut: list[Span] = []
    for node in level:
        _cut_below(node, cut)
    for span in sorted(cut, key=lambda s: s.start)[:REPORTED_AT_MOST]:
        message = f"this lies more than {NESTING_LIMIT} levels deep: give parts of it names of their own"
        diagnostics.report("LF0207", Span(span.source, span.start, min(span.end, span.start + 1)), message)


def _cut_below(node: tree.Node, cut: list[Span]) -> None:
    for field in fields(node):
        value = getattr(node, field.name)
        if isinstance(value, list):
            kept = [_in_place_of(item, cut) for item in value]
            setattr(node, field.name, [item for item in kept if item is not None])
        elif isinstance(value, tree.Node):
            setattr(node, field.name, _in_place_of(value, cut))


def _in_place_of(value: object, cut: list[Span]) -> object:
    """Leaves stay; the rest becomes the Error... node of its kind, or nothing."""
    if not isinstance(value, tree.Node) or not any(True for _ in tree.children(value)):
        return value
    cut.append(value.span)
    if isinstance(value, tree.Expr):
        return tree.ErrorExpr(value.span)
    if isinstance(value, tree.Statement):
        return tree.ErrorStatement(value.span)
    if isinstance(value, tree.TypeNode):
        return tree.ErrorTypeNode(value.span)
    return None
