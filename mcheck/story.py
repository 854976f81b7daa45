"""A verdict told to people: what went wrong in one sentence, then the shortest way to it, a line for each action.

May import: `check`, `lfc.host`.
"""

from __future__ import annotations

from lfc.actions.model import Machine
from lfc.host import report
from lfc.host.names import live_processes
from lfc.host.steps import StepPrinter
from lfc.mcheck.check import CheckResult, Finding
from lfc.mcheck.waiting import cycle_of_waiting

SENTENCES = {
    "assertion": "an assertion can fail",
    "fault": "a fault can occur",
    "deadlock": "the program can come to a stop",
    "partial-deadlock": "a process can be stuck for ever",
}


def tell(machine: Machine, result: CheckResult) -> str:
    lines: list[str] = []
    for finding in result.findings:
        lines += tell_finding(machine, finding)
        lines.append("")
    lines.append(summary(result))
    return "\n".join(lines)


def summary(result: CheckResult) -> str:
    states = f"{result.states} state{'s' * (result.states != 1)}"
    counts = f"{states}, {result.transitions} transition{'s' * (result.transitions != 1)}, depth {result.depth}"
    cost = f"{result.seconds:.2f} s, {result.bytes_per_state:.1f} bytes a state"
    head = {
        "holds": "holds: no failed assertion, fault, deadlock or partial deadlock in any state",
        "inconclusive": f"inconclusive: {result.reason}",
    }.get(result.verdict, f"verdict: {result.verdict}")
    lines = [head, f"{counts}; {cost}"]
    lines += [f"assumed: {a}" for a in result.assumptions]
    return "\n".join(lines)


def tell_finding(machine: Machine, finding: Finding) -> list[str]:
    lines = [
        f"{report.place(finding.span)}: {SENTENCES[finding.kind]}: {finding.message}",
        *report.excerpt(finding.span),
    ]
    count = len(finding.steps)
    lines.append(f"the shortest way there has {count} step{'s' if count != 1 else ''}:")
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


def waiting_lines(machine: Machine, finding: Finding) -> list[str]:
    """Who waits for whom, on which channel, for which message, at which line."""
    block = finding.blocks[-1]
    lines = ["then:"]
    lines += report.Waiting([p for p in live_processes(machine, block) if not p.position.ready]).lines()
    names = {p.slot: p.name for p in live_processes(machine, block)}
    cycle = cycle_of_waiting(machine, block, finding.waiting)
    if cycle:
        lines.append("a cycle: " + " waits for ".join(names[s] for s in [*cycle, cycle[0]]))
    return lines
