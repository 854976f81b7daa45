"""The order in which diagnostics are shown, and how many there are."""

from __future__ import annotations

from lfc.diagnostics.model import Diagnostic, Diagnostics, Severity

_RANK = {Severity.ERROR: 0, Severity.WARNING: 1, Severity.NOTE: 2}


def sorted_by_place(diagnostics: Diagnostics) -> list[Diagnostic]:
    """File by file, from top to bottom; errors first where the place is the same."""
    return sorted(diagnostics.items, key=lambda d: (d.span.source.path, d.span.start, _RANK[d.severity], d.code))


def count(diagnostics: Diagnostics) -> dict[Severity, int]:
    return {s: sum(d.severity is s for d in diagnostics.items) for s in Severity}


def summary_line(diagnostics: Diagnostics) -> str:
    """2 errors, 1 warning"""
    counts = count(diagnostics)
    parts = [f"{n or 'no'} {s.value}{'s' * (n != 1)}" for s, n in counts.items() if n or s is Severity.ERROR]
    return ", ".join(parts)
