"""What can happen at a moment, for whoever wants to choose: process, partner, branch, input, wake, interrupt."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.debugger.breakpoints import actor_of
from lfc.mcheck.explore.debugger import told_event
from lfc.run.events import Event
from lfc.run.port_reads import PortReads
from lfc.run.stepper import Stepper


@dataclass(frozen=True, slots=True)
class Choice:
    number: int  # from 1, as in `lfc explore`
    text: str
    slot: int | None  # whose it is; None: nobody's
    event: Event


def choices_of(stepper: Stepper, reads: PortReads) -> list[Choice]:
    """Numbered as `lfc explore` numbers them."""
    return [
        Choice(number, told_event(stepper.machine, stepper.block, event, stepper.generated.sites, reads), slot, event)
        for number, event in enumerate(stepper.choices(), 1)
        for slot in [actor_of(event.items)]
    ]


def own_first(choices: list[Choice], slot: int) -> list[Choice]:
    return sorted(choices, key=lambda c: c.slot != slot)
