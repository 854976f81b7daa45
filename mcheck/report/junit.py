"""Results as the XML that JUnit began and CI systems read: one test case for each thing that was looked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from xml.etree import ElementTree as XML

from lfc.diagnostics.visible import visible_lines

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.base.source import Span
    from lfc.mcheck.result.finding import Finding
    from lfc.mcheck.result.result import CheckResult

PASSED, FAILED, ERROR, SKIPPED = "passed", "failure", "error", "skipped"
AT_ANOTHER_ERROR = "the search ended at another error, before it had seen every state"
NOTHING_OF = {  # what a search looks for, and the name of the case
    "assertion": "no assertion fails",
    "fault": "no fault occurs",
    "deadlock": "no deadlock",
    "partial-deadlock": "no partial deadlock",
}


@dataclass(frozen=True, slots=True)
class Case:
    """`state`: an error is what has no verdict, so that it is not taken for success."""

    name: str
    state: str = PASSED
    message: str = ""
    details: str = ""
    file: str = ""
    line: int = 0


def as_junit(suite: str, of: str, cases: Sequence[Case], seconds: float) -> str:
    """`of`: the class that all cases are of."""
    counts = {s: str(sum(c.state == s for c in cases)) for s in (FAILED, ERROR, SKIPPED)}
    numbers = {
        "tests": str(len(cases)),
        "failures": counts[FAILED],
        "errors": counts[ERROR],
        "skipped": counts[SKIPPED],
    }
    whole = {"name": xml(suite), **numbers, "skipped": counts[SKIPPED], "time": f"{seconds:.3f}"}
    top = XML.Element("testsuites", whole)
    group = XML.SubElement(top, "testsuite", whole)
    for case in cases:
        told = {"classname": xml(of), "name": xml(case.name), "time": "0.000"}
        if case.file:
            told |= {"file": xml(case.file), "line": str(case.line)}
        element = XML.SubElement(group, "testcase", told)
        if case.state != PASSED:
            XML.SubElement(element, case.state, {"message": xml(case.message)}).text = xml(case.details) or None
    XML.indent(top, " ")
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + XML.tostring(top, encoding="unicode") + "\n"


def xml(text: str) -> str:
    """Characters that XML has not are shown."""
    return "".join(c if ord(c) < 0xFFFE or ord(c) > 0xFFFF else f"<U+{ord(c):04X}>" for c in visible_lines(text))


def cases_of(machine: Machine, result: CheckResult) -> list[Case]:
    cases = [case for kind in NOTHING_OF for case in _searched(machine, result, kind)]
    told = {str(p["name"]): p for p in result.properties}
    for module in machine.program.modules:
        for p in module.properties:
            verdict = told.get(p.name, {})
            reason = str(verdict.get("reason") or "")
            cases.append(_of_property(machine, result, p.name, p.span, str(verdict.get("verdict", "")), reason))
    if result.image is not None or result.other_bytes:
        cases.append(_of_image(result))
    return cases


def _searched(machine: Machine, result: CheckResult, kind: str) -> list[Case]:
    found = [f for f in result.findings if f.kind == kind]
    if found:
        return [
            _of_finding(machine, f, NOTHING_OF[kind] if n == 0 else f"{NOTHING_OF[kind]} ({n + 1})")
            for n, f in enumerate(found)
        ]
    if kind in ("deadlock", "partial-deadlock") and result.deadlocks_allowed:
        return [Case(NOTHING_OF[kind], SKIPPED, "processes may wait for ever (--deadlocks allow)")]
    if result.only:
        return [Case(NOTHING_OF[kind], SKIPPED, f"looked for {result.only} only (--for)")]
    if result.verdict in ("holds", "property", "image") and not (result.reason or result.ended_at_error):
        return [Case(NOTHING_OF[kind])]
    if result.findings:
        return [Case(NOTHING_OF[kind], SKIPPED, AT_ANOTHER_ERROR)]
    return [Case(NOTHING_OF[kind], ERROR, f"inconclusive: {result.reason}")]


def _of_finding(machine: Machine, finding: Finding, name: str) -> Case:
    from lfc.mcheck.report.text_findings import tell_finding

    details = "\n".join(tell_finding(machine, finding))
    state = ERROR if finding.doubt else FAILED
    return Case(name, state, finding.message, details, finding.span.source.path, finding.span.line)


def _of_property(machine: Machine, result: CheckResult, name: str, span: Span, verdict: str, reason: str) -> Case:
    """`verdict`: empty where the search did not come to it."""
    case, at = f"property {name}", (span.source.path, span.line)
    finding = next((f for f in result.findings if f.kind == "property" and f.span.start == span.start), None)
    if finding is not None:
        return _of_finding(machine, finding, case)
    if verdict == "holds":
        return Case(case, PASSED, "", "", *at)
    if verdict == "property":
        return Case(case, FAILED, f"`{name}` does not hold", "", *at)
    if verdict == "inconclusive" or name in result.not_looked_for:
        return Case(case, ERROR, f"inconclusive: {reason or result.reason}", "", *at)
    why = AT_ANOTHER_ERROR if result.findings else "not looked for (--property, --for)"
    return Case(case, SKIPPED, why, "", *at)


def _of_image(result: CheckResult) -> Case:
    from lfc.mcheck.image.report import verdict_of

    name = "the image does what the program does"
    if result.image is not None and result.image.mismatches:
        return Case(name, FAILED, f"{len(result.image.mismatches)} differences")
    if result.other_bytes:
        return Case(name, FAILED, result.other_bytes)
    if result.image is not None and verdict_of(result.image) == "inconclusive":
        return Case(name, ERROR, result.image.stopped)
    return Case(name)
