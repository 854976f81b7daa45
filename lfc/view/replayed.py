"""A trace, done once more on this machine: its blocks, and where it does not fit."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.hil.frames import checksum
from lfc.hil.host_side import HostSide
from lfc.run.report import fault_message
from lfc.run.running import Status
from lfc.trace.items import decode, encode

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.trace.files import Trace
    from lfc.trace.items import Item


@dataclass(slots=True)
class ReplayedStep:
    """Of a trace, done once more."""

    number: int  # in the trace, from 1
    decided: list[Item]
    before: bytes
    after: bytes | None = None  # None: it faults, or cannot be done
    fault: str = ""
    items: list[Item] = field(default_factory=list)  # with what it wrote
    problem: str = ""  # with the trace, which ends it
    possible: bool = True  # False: the trace is not one of this program


def done_again(read: Trace, machine: Machine) -> Iterator[ReplayedStep]:
    host = HostSide(machine, "rr")
    for number, items in enumerate(read.steps, 1):
        step = ReplayedStep(number, [i for i in items if not i.is_output], host.block)
        if not step.decided:
            continue
        host.run.follow(encode(step.decided, machine.wide))
        status = host.run.step()
        if status is Status.FAULT:
            fault = host.run.fault
            step.fault = fault_message(host.generated.sites[fault.site], fault)
            yield step
            return
        if status is not Status.RAN:
            step.problem = f"step {number} is not possible: the trace does not match the program"
            step.possible = False
            yield step
            return
        step.after, step.items = host.block, list(decode(host.run.items, machine.wide))
        digests = [i.operands[0] for i in items if i.name == "digest"]
        if digests and digests[0] != checksum(host.block):
            step.problem = f"step {number}: the recorded block differs from this machine's"
        yield step
        if step.problem:
            return
