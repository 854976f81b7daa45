"""Diagnostics as SARIF 2.1.0, for code hosts and editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lfc.base.source import Span
from lfc.base.version import __version__
from lfc.diagnostics.catalogue import CATALOGUE
from lfc.diagnostics.model import Diagnostic, Diagnostics, Fix
from lfc.diagnostics.order import sorted_by_place

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def render_sarif(diagnostics: Diagnostics) -> str:
    ordered = sorted_by_place(diagnostics)
    codes = sorted({d.code for d in ordered})
    driver = {"name": "lfc", "version": __version__, "semanticVersion": __version__, "rules": [_rule(c) for c in codes]}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(d, codes.index(d.code)) for d in ordered],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(code: str) -> dict[str, Any]:
    entry = CATALOGUE[code]
    return {
        "id": code,
        "shortDescription": {"text": entry.title},
        "help": {"text": f"`lfc explain {code}` shows a wrong and a right example."},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(d: Diagnostic, rule_index: int) -> dict[str, Any]:
    said = [n.message for n in d.notes if n.span is None]
    result: dict[str, Any] = {
        "ruleId": d.code,
        "ruleIndex": rule_index,
        "level": d.severity.value,
        "message": {"text": "\n".join([d.message, *said])},
        "locations": [{"physicalLocation": _location(d.span)}],
    }
    related = [
        {"id": i, "message": {"text": n.message}, "physicalLocation": _location(n.span)}
        for i, n in enumerate(d.notes, 1)
        if n.span is not None
    ]
    if related:
        result["relatedLocations"] = related
    if d.fix is not None:
        result["fixes"] = [_fix(d.fix)]
    return result


def _fix(fix: Fix) -> dict[str, Any]:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _artifact(fix.span), "replacements": [replacement]}
    return {"description": {"text": fix.message}, "artifactChanges": [change]}


def _location(span: Span) -> dict[str, Any]:
    location: dict[str, Any] = {"artifactLocation": _artifact(span)}
    if span.source.text:  # a file that could not be read has no region
        location["region"] = _region(span)
    return location


def _region(span: Span) -> dict[str, int]:
    start_line, start_column = span.source.line_and_column(span.start)
    end_line, end_column = span.source.line_and_column(span.end)
    return {"startLine": start_line, "startColumn": start_column, "endLine": end_line, "endColumn": end_column}


def _artifact(span: Span) -> dict[str, str]:
    path = Path(span.source.path)
    if path.is_absolute():
        return {"uri": "file://" + quote(path.as_posix(), errors="surrogateescape")}
    return {"uri": quote(path.as_posix(), errors="surrogateescape")}
