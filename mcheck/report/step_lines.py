"""The steps of a counterexample, a line each. Servers that only begin to wait have no line of their own: several share
one, and a single one stands behind the step before it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lfc.run.names import live_processes, values
from lfc.run.steps import StepPrinter, StepText, told_line

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.result.finding import Finding


@dataclass(slots=True)
class ToldStep:
    """`remark`: what the step means for a property. `server`: its name, if it only begins to wait in this step."""

    number: int
    text: StepText
    remark: str = ""
    server: str = ""
    behind: list[str] = field(default_factory=list)  # servers that begin to wait in the steps behind this one

    @property
    def last(self) -> int:
        return self.number + len(self.behind)

    def line(self) -> str:
        numbers = f"{self.number}-{self.last}" if self.behind else f"{self.number}"
        if self.server and self.behind:
            return f"{numbers:>6}  {', '.join([self.server, *self.behind])}: begin to wait"
        text = self.text
        if self.behind:
            text = replace(text, told=f"{text.told}; {self.behind[0]} begins to wait")
        return told_line(numbers, text) + (f"   [{self.remark}]" if self.remark else "")


def told_steps(machine: Machine, finding: Finding, remarks: Sequence[str] = ()) -> list[ToldStep]:
    """Each on its own. `remarks`: of each step of a run that violates a property."""
    if not finding.steps:
        return []
    printer = StepPrinter(machine, finding.blocks[0])
    found = []
    for n, items in enumerate(finding.steps):
        remark = remarks[n] if remarks else ""
        if n + 1 < len(finding.blocks):
            server = "" if remark or n + 1 == len(finding.steps) else begins_to_wait(machine, finding, n)
            found.append(ToldStep(n + 1, printer.step_text(items, finding.blocks[n + 1]), remark, server))
        else:
            found.append(ToldStep(n + 1, printer.last_step_text(items, finding.message), remark))
    return found


def in_full(steps: Sequence[ToldStep]) -> list[ToldStep]:
    """With each access that an action repeats."""
    return [replace(s, text=replace(s.text, told=s.text.deed)) for s in steps]


def folded(steps: Sequence[ToldStep]) -> list[ToldStep]:
    """Servers that begin to wait one after the other in one line, a single one behind the step before."""
    found: list[ToldStep] = []
    at = 0
    while at < len(steps):
        first = steps[at]
        servers = 0
        while at + servers < len(steps) and steps[at + servers].server:
            servers += 1
        if servers > 1:
            found.append(replace(first, behind=[s.server for s in steps[at + 1 : at + servers]]))
        elif servers == 1 and found and not found[-1].behind:
            found[-1] = replace(found[-1], behind=[first.server])
        else:
            found.append(first)
        at += max(servers, 1)
    return found


def begins_to_wait(machine: Machine, finding: Finding, step: int) -> str:
    """The name of a server that does nothing but that in this step; else empty."""
    items, before = finding.steps[step], finding.blocks[step]
    if len(items) != 1 or items[0].name != "run":
        return ""
    slot, after = items[0].operands[0], finding.blocks[step + 1]
    p = next((p for p in live_processes(machine, after) if p.slot == slot), None)
    if p is None or p.position.ready or p.record.body.process is None or not p.record.body.process.server:
        return ""
    known, now = values(machine, before), values(machine, after)
    return "" if any(known.get(name, text) != text for name, text in now.items()) else p.name
