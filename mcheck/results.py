"""A verdict as one JSON document. May import: `check`."""

from __future__ import annotations

import json

from lfc.mcheck.check import CheckResult, Finding


def as_json(result: CheckResult) -> str:
    return json.dumps(
        {
            "version": 1,
            "verdict": result.verdict,
            "states": result.states,
            "transitions": result.transitions,
            "depth": result.depth,
            "errors": [finding_as_data(f) for f in result.findings],
            "counted": result.counted,
            "seconds": round(result.seconds, 6),
            "memory_bytes": result.memory_bytes,
            "bytes_per_state": round(result.bytes_per_state, 3),
            "executions": result.executions,
            "properties": result.properties,
            "assumptions": result.assumptions,
            "reason": result.reason,
        },
        indent=1,
    )


def finding_as_data(finding: Finding) -> dict[str, object]:
    line, column = finding.span.source.line_and_column(finding.span.start)
    run = finding.run
    return {
        "kind": finding.kind,
        "message": finding.message,
        "file": finding.span.source.path,
        "line": line,
        "column": column,
        "stuck": finding.waiting,
        "cycle": None if run is None else run.cycle,
        "trace": [[item.to_json() for item in step] for step in finding.steps],
    }
