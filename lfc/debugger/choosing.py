"""What can happen at a moment, for whoever wants to choose: process, partner, branch, input, wake, interrupt."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.debugger.breakpoints import actor_of
from lfc.mcheck.explore.debugger import told_event
from lfc.run.events import Event
from lfc.run.port_reads import PortReads
from lfc.run.stepper import Stepper


@dataclass(frozen=True, slots=True)
class Possible:
    number: int  # from 1, as in `lfc explore`
    text: str
    slot: int | None  # whose it is; None: nobody's
    event: Event


def choices_of(stepper: Stepper, reads: PortReads) -> list[Possible]:
    """Numbered as `lfc explore` numbers them."""
    return [
        Possible(number, told_event(stepper.machine, stepper.block, event, stepper.generated.sites, reads), slot, event)
        for number, event in enumerate(stepper.choices(), 1)
        for slot in [actor_of(event.items)]
    ]


def own_first(choices: list[Possible], slot: int) -> list[Possible]:
    return sorted(choices, key=lambda c: c.slot != slot)
