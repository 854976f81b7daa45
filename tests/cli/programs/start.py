"""What a start of `lfc` takes, and what it must not import."""

from __future__ import annotations

import resource

HEAVY = ["lark", "rich", "llvmlite", "ziglang", "importlib.metadata", "lfc.syntax", "lfc.semantics", "lfc.diagnostics"]


def processor_seconds() -> float:
    """Of all processes that this one has waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
