"""A verdict told to people: what went wrong in one sentence, then the shortest way to it, a line for each action."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine
from lfc.mcheck.report.text_details import notes, report_lines
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult, Symbolic, ValueClasses
from lfc.mcheck.statistics.incomplete_search import counts_text
from lfc.run import report
from lfc.run.names import live_processes, source_text
from lfc.run.steps import StepPrinter
from lfc.run.wait_for_graph import Wait
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.mcheck.properties.lasso import ViolatingRun

SENTENCES = {
    "assertion": "an assertion can fail",
    "fault": "a fault can occur",
    "deadlock": "deadlock",
    "partial-deadlock": "partial deadlock",
    "property": "property violated",
}
PROPERTY_VERDICTS = {"holds": "holds", "property": "violated", "inconclusive": "inconclusive"}


def tell(machine: Machine, result: CheckResult, full: bool = False) -> str:
    """`full`: with the report of what was found beside the verdict."""
    lines: list[str] = []
    for finding in result.findings:
        lines += tell_finding(machine, finding)
        lines.append("")
    lines.append(summary(result))
    if full:
        lines += report_lines(result.beside)
    return "\n".join(lines)


def summary(result: CheckResult) -> str:
    states = f"{result.states} state{'s' * (result.states != 1)}"
    if result.walked is not None and not result.walked.counted:
        states = counts_text(result.walked)
    if result.symbolic is not None:
        states = symbolic_text(result.symbolic)
    counts = f"{states}, {result.transitions} transition{'s' * (result.transitions != 1)}, depth {result.depth}"
    cost = f"{result.seconds:.2f} s"
    if result.symbolic is None:
        cost += f", {memory_text(result.memory_bytes)}"
    if result.bytes_per_state is not None:
        cost += f", {result.bytes_per_state:.1f} bytes per state"
    if result.disk is not None:
        cost += f", {result.disk.bytes / 2**20:.1f} MB on disk"
    head = {
        "holds": f"holds: {nothing_found(result)}",
        "inconclusive": f"inconclusive: {result.reason}",
        "image": "differs: the image does not behave as the program does, in which no error was found",
    }.get(result.verdict, f"verdict: {result.verdict}")
    lines = [head, f"{counts}; {cost}"]
    if result.symbolic is not None:
        lines += undetermined_lines(result.symbolic)
    if result.resumed:
        lines.append(f"the search was resumed from a checkpoint, {result.resumed}")
    if result.walked is not None:
        lines += result.walked.said
    for p in result.properties:
        lines.append(f"property {p['name']}: {PROPERTY_VERDICTS[str(p['verdict'])]}, product of {p['states']} states")
        if "reason" in p and not (result.verdict == "inconclusive" and p["reason"] == result.reason):
            lines.append(f"  {p['reason']}")
    if result.not_looked_for:
        lines.append(f"properties not checked, because not all states were visited: {', '.join(result.not_looked_for)}")
    if result.sampled:
        used = ", ".join(r.name for r in result.reductions if not r.why_not) or "none"
        lines.append(f"reductions chosen after {result.sampled} states: {used} (--reductions none: all states)")
    visited = states if result.walked is None or result.walked.counted else f"{result.walked.visits} visits"
    lines += [r.as_text(visited) for r in result.reductions]
    lines += [f"assumed: {a}" for a in result.assumptions]
    lines += notes(result.beside)
    return "\n".join(lines)


def symbolic_text(s: Symbolic) -> str:
    found = f"{s.states} symbolic state{'s' * (s.states != 1)}"
    return found if s.concrete is None else f"{found} (of {s.concrete} states)"


MOST_CLASSES = 8


def undetermined_lines(s: Symbolic) -> list[str]:
    """Which values were left undetermined, and what was told apart."""
    lines = [f"undetermined: {c.name} ({classes_text(c)})" for c in s.classes]
    if s.wide:
        lines.append(f"{s.wide} symbolic states are wider than what the program may reach: ranges in place of values")
    if s.explicit_states:
        lines.append(f"data was left undetermined after {s.explicit_states} states (--data explicit: value by value)")
    return lines


def classes_text(c: ValueClasses) -> str:
    if len(c.classes) > MOST_CLASSES:
        low, high = min(a for own in c.classes for a, _ in own), max(b for own in c.classes for _, b in own)
        return f"{low}..{high} in {len(c.classes)} classes"
    return "; ".join(" and ".join(interval_text(low, high, c.is_boolean) for low, high in own[:4]) +
                     " ..." * (len(own) > 4) for own in c.classes)  # fmt: skip


def interval_text(low: int, high: int, is_boolean: bool) -> str:
    names = ("FALSE", "TRUE")
    if is_boolean:
        return ", ".join(names[low : high + 1])
    return str(low) if low == high else f"{low}..{high}"


def memory_text(size: int) -> str:
    return f"{size / 2**20:.1f} MB" if size >= 2**20 else f"{size / 2**10:.0f} KB"


def nothing_found(result: CheckResult) -> str:
    if result.only:
        return f"{result.only}; nothing else was checked"
    if result.deadlocks_allowed:
        return "no failed assertion and no fault in any state; processes may wait forever"
    return "no failed assertion, fault, deadlock or partial deadlock in any state"


def tell_finding(machine: Machine, finding: Finding) -> list[str]:
    machine = finding.machine or machine
    lines = [
        f"{report.place(finding.span)}: {SENTENCES[finding.kind]}: {finding.message}",
        *report.excerpt(finding.span),
        *([f"possibly spurious: {finding.doubt}"] if finding.doubt else []),
    ]
    if finding.machine is not None:
        lines.append("counterexample in the slice; it could not be replayed in the full program")
    if finding.run is not None:
        return lines + run_lines(machine, finding, finding.run)
    count = len(finding.steps)
    lines.append(f"{'shortest ' * finding.shortest}counterexample, {count} step{'s' if count != 1 else ''}:")
    lines += trace_lines(machine, finding)
    if finding.waiting:
        lines += waiting_lines(machine, finding)
    return lines


def trace_lines(machine: Machine, finding: Finding) -> list[str]:
    printer = StepPrinter(machine, finding.blocks[0])
    lines = []
    for number, items in enumerate(finding.steps):
        if number + 1 < len(finding.blocks):
            lines.append(printer.step(items, finding.blocks[number + 1]))
        else:
            lines.append(printer.last_step(items, finding.message))
    return lines


def run_lines(machine: Machine, finding: Finding, run: ViolatingRun) -> list[str]:
    """The way to the cycle, and the cycle, with the atoms as they change."""
    steps = trace_lines(machine, finding)
    lines = [f"counterexample, {counted(run.cycle, 'step')} before the cycle:"] if run.cycle else []
    if run.lost:
        lines = [f"violated after {counted(run.cycle, 'step')}{', shortest counterexample' * run.shortest}:"]
    for number, line in enumerate(steps):
        if number == run.cycle:
            lines.append(f"then this cycle repeats forever, {counted(len(steps) - run.cycle, 'step')}:")
        said = said_of_atoms(run, number)
        lines.append(line + (f"   [{', '.join(said)}]" if said else ""))
    if run.cycle == len(steps) and not run.lost:
        lines.append("then the program stays in the last state")
    if run.unfair:
        verb = "does" if len(run.unfair) == 1 else "do"
        lines.append(f"unfair cycle: {', '.join(run.unfair)} could run, but never {verb} (excluded by --fairness weak)")
    for p in run.passed_over:
        when = "in each state" if p.always else "infinitely often"
        what = f"{p.process} {p.what}, with {p.partner}, is enabled {when}, but never happens"
        lines.append(f"unfair cycle: {what} (excluded by --fair '{p.asked_for}')")
    return lines


def said_of_atoms(run: ViolatingRun, number: int) -> list[str]:
    """Of one step: what changes for the property."""
    said = list(run.atoms[number])
    if run.automaton and (number == 0 or run.automaton[number + 1] != run.automaton[number]):
        said.append(run.automaton[number + 1])
    return said


def counted(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def waiting_lines(machine: Machine, finding: Finding) -> list[str]:
    """Who waits for whom, on which channel, for which message, at which line."""
    block = finding.blocks[-1]
    lines = ["then:"]
    lines += report.Waiting([p for p in live_processes(machine, block) if not p.position.ready]).lines()
    if finding.circle:
        waiting = {p.slot for p in live_processes(machine, block) if not p.position.ready}
        soon = any(w.slot not in waiting for w in finding.circle)
        lines.append("wait-for cycle, once all of them wait:" if soon else "wait-for cycle:")
        lines += [f"  {w.name} waits for {w.whose} to {asked_for(w)}" for w in finding.circle]
    return lines


def asked_for(w: Wait) -> str:
    """What the other one is to do, on which channel, and where that is waited for."""
    event = w.clause.event
    act = "receive" if isinstance(event, typed.Send) else "send"
    where = "" if w.channel is None else f" on channel {w.channel}"
    return f"{act} {w.message}{where} (`{source_text(event.span)}`, {report.place(event.span)})"
