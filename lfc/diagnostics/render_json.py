"""Diagnostics as JSON for programs. The form is described in docs/reference/command-line.md."""

from __future__ import annotations

import json
from typing import Any

from lfc.base.source import Span
from lfc.base.version import __version__
from lfc.diagnostics.model import Diagnostic, Diagnostics, Severity
from lfc.diagnostics.order import count, sorted_by_place


def render_json(diagnostics: Diagnostics) -> str:
    return json.dumps(diagnostics_as_data(diagnostics), indent=2)


def diagnostics_as_data(diagnostics: Diagnostics) -> dict[str, Any]:
    """What `--json` prints, before it is text: commands with results of their own put it beside them."""
    counts = count(diagnostics)
    return {
        "version": 1,
        "tool": {"name": "lfc", "version": __version__},
        "diagnostics": [_diagnostic(d) for d in sorted_by_place(diagnostics)],
        "summary": {"errors": counts[Severity.ERROR], "warnings": counts[Severity.WARNING]},
    }


def _diagnostic(d: Diagnostic) -> dict[str, Any]:
    return {
        "code": d.code,
        "severity": d.severity.value,
        "message": d.message,
        "span": span_as_data(d.span),
        "notes": [{"message": n.message, "span": span_as_data(n.span) if n.span else None} for n in d.notes],
        "fix": d.fix
        and {
            "message": d.fix.message,
            "span": span_as_data(d.fix.span),
            "replacement": d.fix.replacement,
        },
    }


def span_as_data(span: Span) -> dict[str, Any]:
    """Lines and columns count from 1, offsets from 0, all in characters; the end is exclusive."""
    return {"file": span.source.path, "start": _point(span, span.start), "end": _point(span, span.end)}


def _point(span: Span, offset: int) -> dict[str, int]:
    line, column = span.source.line_and_column(offset)
    return {"line": line, "column": column, "offset": offset}
