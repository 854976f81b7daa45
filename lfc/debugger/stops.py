"""Why a program stands still."""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.run import report
from lfc.run.running import Status
from lfc.run.stepper import Stepper


@dataclass(slots=True)
class Stop:
    """`reason` as the Debug Adapter Protocol names it. `last`: the program cannot go on from here."""

    reason: str
    text: str = ""
    slot: int | None = None  # whose process it is about
    exception: str = ""  # deadlock, assertion, fault, property, trace, board differs, board lost
    details: list[str] = field(default_factory=list)
    breakpoints: list[int] = field(default_factory=list)  # ids
    last: bool = False


class BoardStops(Exception):
    """The board beside the host: it differs, or is lost."""

    def __init__(self, exception: str, text: str, details: list[str]) -> None:
        super().__init__(text)
        self.exception, self.text, self.details = exception, text, details


class Interrupted(Exception):
    """Somebody wants it to stand still while it waits for the board."""


def stop_of_status(stepper: Stepper, status: Status) -> Stop:
    """Of a step that could not be done."""
    if status is Status.FAULT:
        return stop_of_fault(stepper)
    if status is Status.ENDED:
        return Stop("pause", "the program has ended", last=True)
    if status in (Status.DIVERGED, Status.FINISHED):
        what = f"step {stepper.at + 1} is not possible: the trace does not match the program"
        return Stop("exception", what, exception="trace", last=True)
    return stop_of_waiting(stepper)


def stop_of_fault(stepper: Stepper) -> Stop:
    fault = stepper.fault
    assert fault is not None
    site = stepper.generated.sites[fault.site]
    lines = report.fault_lines(site, fault, stepper.machine)
    kind = "assertion" if fault.kind == report.ASSERT else "fault"
    return Stop("exception", report.fault_message(site, fault, stepper.machine), None, kind, lines, last=True)


def stop_of_waiting(stepper: Stepper) -> Stop:
    """Nobody is ready, as at the end of `lfc run`."""
    machine, block = stepper.machine, stepper.block
    waiting = report.who_waits(machine, block)
    slot = waiting.processes[0].slot if waiting.processes else None
    lines = waiting.lines()
    if report.waits_for_console(machine, block):
        return Stop("pause", "the program waits for input: `input TEXT` in the console gives it some", slot, "", lines)
    if numbers := report.waits_for_interrupt(machine, block):
        named = ", ".join(str(n) for n in numbers)
        return Stop("pause", f"only interrupt {named} could continue: choose it (`choices`, `take N`)", slot, "", lines)
    if waiting.only_servers:
        return Stop("pause", "the program has ended: only servers still wait", slot, "", lines, last=True)
    stuck = next(p.slot for p in waiting.processes if not report.may_wait(p))
    what = "deadlock: every process waits for another"
    return Stop("exception", what, stuck, "deadlock", lines, last=True)
