"""Where the runs of a page come from: a counterexample, a trace, or a program that is left to run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.mcheck.report.text_findings import SENTENCES, asked_for, waiting_lines
from lfc.run.running import HostRun, Mode, Status
from lfc.run.steps import StepPrinter
from lfc.trace.compare import compare_traces
from lfc.trace.items import decode
from lfc.view.replayed import done_again
from lfc.view.story import Run

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.base.source import Span
    from lfc.mcheck.result.finding import Finding
    from lfc.trace.files import Trace
    from lfc.trace.items import Item

SOME_STEPS = 200  # of a program that is only shown running


def run_of_finding(machine: Machine, finding: Finding) -> Run:
    machine = finding.machine or machine
    found = Run(
        machine,
        finding.steps,
        finding.blocks,
        f"{SENTENCES[finding.kind]}: {finding.message}",
        str(finding.kind),
        "" if finding.run else finding.message,
        finding.span,
        circle=[(w.name, w.whose, f"to {asked_for(w)}", w.channel) for w in finding.circle],
    )
    if finding.doubt:
        found.said.append(f"possibly spurious: {finding.doubt}")
    if finding.machine is not None:
        found.said.append("counterexample in the slice; it could not be replayed in the full program")
    if finding.run is not None:
        run = finding.run
        found.cycle = None if run.lost else run.cycle
        found.notes = [", ".join(run.atoms[n]) for n in range(len(finding.steps))]
        found.said += said_of_property(machine, finding.span)
        found.said += [f"{who} could run on the cycle, but never does" for who in run.unfair]
    elif finding.waiting:
        lines = waiting_lines(machine, finding)[1:]
        found.said += [line.strip() for line in lines if " waits at " in line or "cannot go" in line]
    return found


def said_of_property(machine: Machine, where: Span) -> list[str]:
    """Its formula, as written; of a property process nothing, since the page has its text."""
    for module in machine.program.modules:
        for p in module.properties:
            if p.formula is not None and p.span == where:
                span = p.formula.span
                return [f"{p.name} = {' '.join(span.source.text[span.start : span.end].split())}"]
    return []


def run_of_trace(read: Trace, machine: Machine, name: str) -> Run:
    steps = list(done_again(read, machine))
    done = [s for s in steps if s.after is not None or s.fault]
    last = steps[-1] if steps else None
    blocks = [s.before for s in done]
    if done and done[-1].after is not None:
        blocks.append(done[-1].after)
    run = Run(machine, [s.decided for s in done], blocks or [start_of(machine)], f"trace {name}")
    if last is not None and last.fault:
        run.title, run.kind, run.end = f"trace {name}: {last.fault}", "fault", last.fault
    elif last is not None and last.problem:
        run.title, run.kind = f"trace {name}: {last.problem}", "differs"
    return run


def start_of(machine: Machine) -> bytes:
    return new_run(machine, Mode.ROUND_ROBIN).block


def new_run(machine: Machine, mode: Mode) -> HostRun:
    from lfc.codegen.program import generate
    from lfc.run.native import host_target

    return HostRun(generate(machine, host_target()), 1, mode)


def run_of_scheduler(machine: Machine, most: int = SOME_STEPS) -> Run:
    """What the round robin does first; time passes at once when all wait for it."""
    host = new_run(machine, Mode.ROUND_ROBIN)
    steps: list[list[Item]] = []
    blocks = [host.block]
    while len(steps) < most:
        status = host.step()
        if status is Status.WAITING and (wake := host.next_wake()) is not None:
            host.host.now = wake
            status = host.step()
        if status is not Status.RAN:
            break
        steps.append([i for i in decode(host.items, host.wide) if not i.is_output])
        blocks.append(host.block)
    return Run(machine, steps, blocks, "a run of the round robin", said=["nothing is wrong in it"])


# --- a second track --------------------------------------------------------------------------------------------------


def beside(run: Run, first: Trace, other: Trace, name: str) -> None:
    """Puts another trace of the same program beside a run: step by step, with the first difference."""
    machine = run.machine
    parting = compare_traces(first.steps, other.steps)
    differs = None if parting is None else parting.step
    why = "" if parting is None else "the traces part here"
    said: list[str] = []
    printer: StepPrinter | None = None
    for n, step in enumerate(done_again(other, machine), 1):
        printer = printer or StepPrinter(machine, step.before)
        said.append(text_of_step(printer, step.decided, step.after, step.fault or step.problem))
        if step.problem and (differs is None or n < differs):
            differs, why = n, step.problem
    rest = [s for s in other.steps if any(i.is_event for i in s)][len(said) :]
    said += [plain(s) for s in rest]
    run.other = {"name": name, "differs": differs, "why": why, "steps": said}


def text_of_step(printer: StepPrinter, items: list[Item], after: bytes | None, what: str) -> str:
    if after is None:
        return f"{plain(items)}: {what}"
    text = printer.step_text(items, after)
    changed = ", ".join(f"{n} = {v}" for n, v in text.changed.items())
    return f"{text.who}: {text.told}{'   ' if changed else ''}{changed}"


def plain(items: list[Item]) -> str:
    from lfc.hil.host_side import items_text

    return items_text(tuple(items))
