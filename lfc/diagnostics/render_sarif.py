"""Diagnostics as SARIF 2.1.0, for code hosts and editors."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

from lfc.base.source import Span
from lfc.base.version import __version__
from lfc.diagnostics.catalogue import CATALOGUE
from lfc.diagnostics.model import Diagnostic, Diagnostics, Fix
from lfc.diagnostics.order import sorted_by_place

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


Object = dict[str, Any]


@dataclass(slots=True)
class Report:
    """What one run of the tool found. A result names its rule by `ruleId`; where that stands in the list is added."""

    results: list[Object] = field(default_factory=list)
    rules: list[Object] = field(default_factory=list)
    exit_code: int | None = None
    failures: Sequence[str] = ()  # why there are no results
    properties: Mapping[str, object] = field(default_factory=dict)

    def take(self, diagnostics: Diagnostics) -> None:
        ordered = sorted_by_place(diagnostics)
        self.rules += [_rule(c) for c in sorted({d.code for d in ordered})]
        self.results += [_result(d) for d in ordered]

    def as_json(self) -> str:
        index = {rule["id"]: i for i, rule in enumerate(self.rules)}
        with_index = [{"ruleId": r["ruleId"], "ruleIndex": index[r["ruleId"]], **r} for r in self.results]
        driver = {"name": "lfc", "version": __version__, "semanticVersion": __version__, "rules": self.rules}
        run: Object = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": numbered(with_index)}
        if self.exit_code is not None:
            run["invocations"] = [self._invocation(self.exit_code)]
        if self.properties:
            run["properties"] = dict(self.properties)
        return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)

    def _invocation(self, exit_code: int) -> Object:
        told = [{"level": "error", "message": {"text": text}} for text in self.failures]
        invocation: Object = {"executionSuccessful": not told, "exitCode": exit_code}
        return invocation | ({"toolExecutionNotifications": told} if told else {})


def render_sarif(diagnostics: Diagnostics) -> str:
    report = Report()
    report.take(diagnostics)
    return report.as_json()


def numbered(results: list[Object]) -> list[Object]:
    """With fingerprints that stay when lines are added above, as long as the line itself and what is said do: how often
    the same was found before in this run tells those apart that are alike."""
    seen: dict[str, int] = {}
    found = []
    for result in results:
        key = result.pop("key", "")
        if key:
            seen[key] = seen.get(key, 0) + 1
            result["partialFingerprints"] = {FINGERPRINT: f"{key}:{seen[key]}"}
        found.append(result)
    return found


FINGERPRINT = "lfcFinding/v1"


def key_of(rule: str, span: Span, said: str) -> str:
    line = span.source.line_text(span.source.line_and_column(span.start)[0]) if span.source.text else ""
    parts = (rule, Path(span.source.path).as_posix(), " ".join(line.split()), said)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:32]


def _rule(code: str) -> Object:
    entry = CATALOGUE[code]
    return {
        "id": code,
        "shortDescription": {"text": entry.title},
        "help": {"text": f"`lfc explain {code}` shows a wrong and a right example."},
        "defaultConfiguration": {"level": entry.severity},
    }


def _result(d: Diagnostic) -> Object:
    said = [n.message for n in d.notes if n.span is None]
    result: Object = {
        "ruleId": d.code,
        "level": d.severity.value,
        "message": {"text": "\n".join([d.message, *said])},
        "locations": [{"physicalLocation": physical_location(d.span)}],
        "key": key_of(d.code, d.span, d.message),
    }
    related = [
        {"id": i, "message": {"text": n.message}, "physicalLocation": physical_location(n.span)}
        for i, n in enumerate(d.notes, 1)
        if n.span is not None
    ]
    if related:
        result["relatedLocations"] = related
    if d.fix is not None:
        result["fixes"] = [_fix(d.fix)]
    return result


def _fix(fix: Fix) -> Object:
    replacement = {"deletedRegion": _region(fix.span), "insertedContent": {"text": fix.replacement}}
    change = {"artifactLocation": _artifact(fix.span), "replacements": [replacement]}
    return {"description": {"text": fix.message}, "artifactChanges": [change]}


def physical_location(span: Span) -> Object:
    location: Object = {"artifactLocation": _artifact(span)}
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
