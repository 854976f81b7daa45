"""Counterexamples told to people: what goes wrong in one sentence, then a line for each step. A program that holds does
without this.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.mcheck.report.step_lines import ToldStep, folded, in_full, told_steps
from lfc.run import report
from lfc.run.names import live_processes, source_text
from lfc.run.wait_for_graph import refused_clauses
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine, PointClause
    from lfc.mcheck.properties.lasso import ViolatingRun
    from lfc.mcheck.result.finding import Finding
    from lfc.run.wait_for_graph import Wait

SENTENCES = {
    "assertion": "an assertion can fail",
    "fault": "a fault can occur",
    "deadlock": "deadlock",
    "partial-deadlock": "partial deadlock",
    "property": "property violated",
}


MOST_LINES = 200  # of steps; of more the first and the last are shown
FIRST_LINES, LAST_LINES = 40, 60


def tell_finding(machine: Machine, finding: Finding, all_steps: bool = False) -> list[str]:
    """`all_steps`: however many there are."""
    machine = finding.machine or machine
    lines = [
        f"{report.place(finding.span)}: {SENTENCES[finding.kind]}: {finding.message}",
        *report.excerpt(finding.span),
        *([f"possibly spurious: {finding.doubt}"] if finding.doubt else []),
    ]
    if finding.machine is not None:
        lines.append("counterexample in the slice; it could not be replayed in the full program")
    if finding.run is not None:
        return lines + run_lines(machine, finding, finding.run, all_steps)
    count = len(finding.steps)
    lines.append(f"{'shortest ' * finding.shortest}counterexample, {count} step{'s' if count != 1 else ''}:")
    lines += step_lines(told_steps(machine, finding), all_steps)
    if finding.rounds:
        lines.append(f"{finding.rounds}: one round can follow another (proved); the first and the last were replayed")
    if finding.waiting:
        lines += waiting_lines(machine, finding)
    return lines


def abbreviated(lines: list[str], all_steps: bool) -> list[str]:
    if all_steps or len(lines) <= MOST_LINES:
        return lines
    left_out = len(lines) - FIRST_LINES - LAST_LINES
    return [*lines[:FIRST_LINES], f"   ...  {left_out} lines left out: --full shows them", *lines[-LAST_LINES:]]


def step_lines(told: list[ToldStep], all_steps: bool) -> list[str]:
    """`all_steps`: neither folded nor left out."""
    return abbreviated([s.line() for s in (in_full(told) if all_steps else folded(told))], all_steps)


def run_lines(machine: Machine, finding: Finding, run: ViolatingRun, all_steps: bool = False) -> list[str]:
    """The way to the cycle, and the cycle, with the atoms as they change."""
    remarks = [", ".join(said_of_atoms(run, number)) for number in range(len(finding.steps))]
    steps = told_steps(machine, finding, remarks)
    lines = [f"counterexample, {counted(run.cycle, 'step')} before the cycle:"] if run.cycle else []
    if run.lost:
        lines = [f"violated after {counted(run.cycle, 'step')}{', shortest counterexample' * run.shortest}:"]
    lines += step_lines(steps[: run.cycle], all_steps)
    if run.cycle < len(steps):
        lines.append(f"then this cycle repeats forever, {counted(len(steps) - run.cycle, 'step')}:")
        lines += step_lines(steps[run.cycle :], all_steps)
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
    refused = refused_clauses(machine, block)
    for p in live_processes(machine, block):
        if not p.position.ready:
            lines += report.Waiting([p]).lines()
            lines += [f"    {refusal_text(clause)}" for clause in refused.get(p.slot, ())]
    if finding.circle:
        waiting = {p.slot for p in live_processes(machine, block) if not p.position.ready}
        soon = any(w.slot not in waiting for w in finding.circle)
        lines.append("wait-for cycle, once all of them wait:" if soon else "wait-for cycle:")
        lines += [f"  {w.name} waits for {w.whose} to {asked_for(w)}" for w in finding.circle]
    return lines


def refusal_text(clause: PointClause) -> str:
    assert clause.guard is not None
    guard = f"`{source_text(clause.guard.span)}`"
    return f"`{source_text(clause.event.span)}` cannot go: its guard {guard} was FALSE when it was tried"


def asked_for(w: Wait) -> str:
    """What the other one is to do, on which channel, and where that is waited for."""
    event = w.clause.event
    act = "receive" if isinstance(event, typed.Send) else "send"
    where = "" if w.channel is None else f" on channel {w.channel}"
    return f"{act} {w.message}{where} (`{source_text(event.span)}`, {report.place(event.span)})"
