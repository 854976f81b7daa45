"""A verdict as SARIF 2.1.0 (OASIS, 2020): what was found, each with its counterexample as a code flow, and what holds.

A process is a thread flow, and `executionOrder` the number of a step. A violation is a result of kind `fail`; one that
may not come is of kind `review`; what holds is `pass`, and what is not known is `open`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from lfc.actions.model.machine import Machine
from lfc.base.source import Source, Span
from lfc.codegen.module.line_table import file_name
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.render_sarif import Object, Report, key_of, physical_location
from lfc.mcheck.image.check_image import CheckedImage
from lfc.mcheck.report.text import nothing_found
from lfc.mcheck.report.text_findings import SENTENCES, counted, said_of_atoms
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult
from lfc.run import report
from lfc.run.names import live_processes
from lfc.run.steps import StepPrinter, StepText

FAULTS = {
    report.INDEX: ("fault-index", "An index is out of bounds."),
    report.RANGE: ("fault-range", "A value is out of the range of its type."),
    report.OVERFLOW: ("fault-overflow", "A signed operation overflows."),
    report.DIVISION: ("fault-division", "A division by zero."),
    report.CASE: ("fault-case", "No CASE label matches."),
    report.PORT: ("fault-port", "A port is used that was never set."),
    report.PROCESSES: ("fault-processes", "Too many instances of a process."),
    report.CHANNELS: ("fault-channels", "Too many channels."),
    report.CALLS: ("fault-calls", "Too many calls of a process."),
    report.ELEMENT: ("fault-element", "A number is not a valid set element."),
    report.ENDLESS: ("fault-endless", "An action does not terminate."),
    report.ENVIRONMENT: ("fault-environment", "No process answers a port access."),
    report.EFFECT: ("fault-effect", "A C function writes an undeclared location."),
}
SAFETY, PROPERTY, IMAGE = "safety", "property", "image-mismatch"
RULES = {
    "assertion": "An assertion can fail.",
    **dict(FAULTS.values()),
    "deadlock": "The program can deadlock: all processes wait.",
    "partial-deadlock": "A process can wait forever while others continue.",
    PROPERTY: "A property does not hold.",
    SAFETY: "No assertion fails, no fault occurs and no process waits forever, in any state.",
    IMAGE: "The image of a board does not behave as the program does.",
}


def as_sarif(
    machine: Machine,
    result: CheckResult,
    exit_code: int,
    diagnostics: Diagnostics | None = None,
    image: CheckedImage | None = None,
    more: Mapping[str, object] = MappingProxyType({}),
) -> str:
    """`diagnostics`: warnings of the compiler. `image`: that was to be executed."""
    document = Report(exit_code=exit_code, properties={**data_of(result), **more})
    if diagnostics is not None:
        document.take(diagnostics)
    found = [violation(machine, f) for f in result.findings]
    found += [safety(machine, result), *properties(machine, result)]
    if image is not None and result.image is not None:
        found += mismatches(image, result)
    document.results += found
    used = {r["ruleId"] for r in found}
    document.rules += [rule(name) for name in RULES if name in used]
    return document.as_json()


def data_of(result: CheckResult) -> dict[str, object]:
    return {
        "verdict": result.verdict,
        "reason": result.reason,
        "states": result.states if result.walked is None or result.walked.counted else None,
        "transitions": result.transitions,
        "depth": result.depth,
        "seconds": round(result.seconds, 6),
        "assumptions": result.assumptions,
    }


def rule(name: str) -> Object:
    return {
        "id": name,
        "shortDescription": {"text": RULES[name]},
        "defaultConfiguration": {"level": "error"},
    }


def rule_of(finding: Finding) -> str:
    return FAULTS[finding.fault_kind][0] if finding.kind == "fault" else finding.kind


# --- what is violated -------------------------------------------------------------------------------------------------


def violation(machine: Machine, finding: Finding) -> Object:
    machine = finding.machine or machine
    said = [f"{SENTENCES[finding.kind]}: {finding.message}"]
    if finding.doubt:
        said.append(f"possibly spurious: {finding.doubt}")
    if finding.machine is not None:
        said.append("counterexample in the slice; it could not be replayed in the full program")
    result = {
        "ruleId": rule_of(finding),
        "kind": "review" if finding.doubt else "fail",
        "level": "none" if finding.doubt else "error",
        "message": {"text": "\n".join(said)},
        "locations": [{"physicalLocation": physical_location(finding.span)}],
        "key": key_of(rule_of(finding), finding.span, finding.message),
    }
    waiting = waits(machine, finding)
    if waiting:
        result["relatedLocations"] = waiting
    if finding.steps:
        result["codeFlows"] = [code_flow(machine, finding)]
    return result


def waits(machine: Machine, finding: Finding) -> list[Object]:
    """Where those stand who are stuck, and for what they wait."""
    if not finding.waiting:
        return []
    stuck = [p for p in live_processes(machine, finding.blocks[-1]) if p.slot in finding.waiting]
    texts = report.Waiting(stuck).lines()
    return [
        {"id": i, "message": {"text": text.strip()}, "physicalLocation": physical_location(p.position.span)}
        for i, (p, text) in enumerate(zip(stuck, texts, strict=True), 1)
    ]


def code_flow(machine: Machine, finding: Finding) -> Object:
    """Each process is a thread, in the order in which they first do something."""
    threads: dict[str, list[Object]] = {}
    for number, step in enumerate(steps_of(machine, finding), 1):
        threads.setdefault(step.who, []).append(flow_location(finding, step, number))
    flows = [{"id": who, "message": {"text": who}, "locations": places} for who, places in threads.items()]
    return {"message": {"text": said_of_way(finding)}, "threadFlows": flows}


def steps_of(machine: Machine, finding: Finding) -> list[StepText]:
    """The last one, if it fails, stands where it does, and not where its action begins."""
    printer = StepPrinter(machine, finding.blocks[0])
    return [
        printer.step_text(items, finding.blocks[number + 1])
        if number + 1 < len(finding.blocks)
        else replace(printer.last_step_text(items, finding.message), span=finding.span)
        for number, items in enumerate(finding.steps)
    ]


def flow_location(finding: Finding, step: StepText, number: int) -> Object:
    run, text = finding.run, f"{step.who}: {step.deed}"
    atoms = [] if run is None else said_of_atoms(run, number - 1)
    if atoms:
        text += f" [{', '.join(atoms)}]"
    if run is not None and not run.lost and number == run.cycle + 1:
        text = f"the cycle starts here: {text}"
    location: Object = {"message": {"text": text}}
    if step.span is not None:
        location["physicalLocation"] = physical_location(step.span)
    place: Object = {"executionOrder": number, "location": location}
    if step.changed:
        place["state"] = {name: {"text": value} for name, value in step.changed.items() if name and value}
    if number == len(finding.steps):
        place["importance"] = "essential"
    return place


def said_of_way(finding: Finding) -> str:
    count, run = len(finding.steps), finding.run
    if run is None:
        return f"{'shortest ' * finding.shortest}counterexample, {counted(count, 'step')}"
    if run.lost:
        return f"violated after {counted(run.cycle, 'step')}, whatever follows"
    if run.cycle == count:
        return f"counterexample, {counted(count, 'step')}; then the program stays in the last state"
    return f"counterexample, {counted(run.cycle, 'step')}, then a cycle of {count - run.cycle}"


# --- what holds, and what is not known --------------------------------------------------------------------------------


def stated(name: str, kind: str, text: str, place: Object) -> Object:
    location = {"physicalLocation": place}
    return {"ruleId": name, "kind": kind, "level": "none", "message": {"text": text}, "locations": [location]}


def whole(machine: Machine) -> Object:
    """The file of the main module."""
    source = machine.program.main.source
    return physical_location(Span(source, 0, len(source.text)))


def safety(machine: Machine, result: CheckResult) -> Object:
    """Whether there is nothing else to be found."""
    if result.verdict in ("holds", "property", "image") and not (result.reason or result.ended_at_error):
        counts = f"{counted(result.states, 'state')}, {counted(result.transitions, 'transition')}"
        assumed = "".join(f"\nassumed: {a}" for a in result.assumptions)
        return stated(SAFETY, "pass", f"holds: {nothing_found(result)} ({counts}){assumed}", whole(machine))
    if result.verdict == "inconclusive" or result.reason:
        return stated(SAFETY, "open", f"inconclusive: {result.reason}", whole(machine))
    text = "the search stopped at an error, so not every state was visited"
    return stated(SAFETY, "open", text, whole(machine))


def properties(machine: Machine, result: CheckResult) -> list[Object]:
    """Those that are not violated."""
    spans = {p.name: p.span for module in machine.program.modules for p in module.properties}
    found = []
    for p in result.properties:
        name = str(p["name"])
        if p["verdict"] == "holds":
            found.append(stated(PROPERTY, "pass", f"`{name}` holds", physical_location(spans[name])))
        elif p["verdict"] == "inconclusive":
            why = f": {p['reason']}" if p.get("reason") else ""
            found.append(stated(PROPERTY, "open", f"`{name}` is inconclusive{why}", physical_location(spans[name])))
    for name in result.not_looked_for:
        text = f"`{name}` was not checked, because not all states were visited"
        found.append(stated(PROPERTY, "open", text, physical_location(spans[name])))
    return found


# --- the image -----------------------------------------------------------------------------------------------------


def mismatches(image: CheckedImage, result: CheckResult) -> list[Object]:
    from lfc.mcheck.image.report import Places, agrees_where, message_of

    assert result.image is not None
    places, machine = Places(image), image.machine
    if result.other_bytes and not result.image.mismatches:
        where = [{"physicalLocation": whole(machine)}]
        told = {"ruleId": IMAGE, "kind": "fail", "level": "error", "message": {"text": result.other_bytes}}
        return [told | {"locations": where, "key": key_of(IMAGE, Span(machine.program.main.source, 0, 0), "bytes")}]
    if not result.image.mismatches:
        kind = "open" if result.image.stopped else "pass"
        text = f"the image for {image.board.name} {agrees_where(result.image)}"
        return [stated(IMAGE, kind, result.image.stopped or text, whole(machine))]
    main = machine.program.main.source
    sources = {file_name(m.source, main): m.source for m in machine.program.modules}
    found = []
    for m in result.image.mismatches:
        line = places.line(m.pc)
        source = None if line is None else sources.get(line[0])
        span = Span(main, 0, 0) if source is None or line is None else line_span(source, line[1])
        message = f"{message_of(places, m)} ({places.code(m.pc)} at {m.pc:04X}H in {places.function(m.pc) or '?'})"
        found.append(
            {
                "ruleId": IMAGE,
                "kind": "fail",
                "level": "error",
                "message": {"text": message},
                "locations": [{"physicalLocation": whole(machine) if source is None else physical_location(span)}],
                "key": key_of(IMAGE, span, m.kind.name),
            }
        )
    return found


def line_span(source: Source, line: int) -> Span:
    start = source.line_starts()[line - 1]
    return Span(source, start, start + len(source.line_text(line)))
