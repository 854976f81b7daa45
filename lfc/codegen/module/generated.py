"""What code generation hands on: the text, and what its numbers stand for. Light to import: a program whose text was
kept is not generated again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.base.source import Span
    from lfc.codegen.module.unit import Unit


@dataclass(slots=True)
class FaultSite:
    """What a fault's number stands for."""

    kind: int
    span: Span
    text: str  # the construct: "index of a", "assertion"
    unsigned: bool = False  # its values are 32 bits without a sign


@dataclass(slots=True)
class PolicyLayout:
    size: int
    clock_at: int
    deadlines_at: int
    sleepers_at: int
    cursor_at: int
    arrivals_at: int
    has_deadlines: bool
    sleepers_room: int
    arrivals_room: int
    slot_size: int = 1  # bytes of a slot, and of how many there are
    taker_at: int = 0
    takers: tuple[int, ...] = ()  # slots that can take an interrupt, and then run next; none: there is no such field
    interrupts: int = 0

    @property
    def sleeper_size(self) -> int:
        """Slot, clause, when; of a wide program a 0 after the clause."""
        return 2 * (self.slot_size + 2)

    @property
    def sleepers_size(self) -> int:
        return self.slot_size + self.sleeper_size * self.sleepers_room if self.sleepers_room else 0

    @property
    def arrivals_size(self) -> int:
        return self.slot_size * (1 + self.arrivals_room) if self.arrivals_room else 0

    @property
    def turn_at(self) -> int | None:
        """Where it says which interrupt is looked at first; None: there are not several."""
        return self.taker_at + 1 if self.takers and self.interrupts > 1 else None


@dataclass(slots=True)
class PolicyNeeds:
    """What only the generated code tells."""

    clock: bool  # Clock.Now is read
    arrivals: int  # slots that can wait in a queue with others


@dataclass(slots=True)
class Generated:
    """IR text, and what its numbers stand for."""

    ir: str
    sites: list[FaultSite]
    policies: PolicyLayout
    machine: Machine
    properties_read_clock: bool
    parts: Parts | None  # None: of a text that was kept


@dataclass(slots=True)
class Parts:
    """What the program is made of, without what formulas and property processes add: numbers of each in `unit`."""

    unit: Unit
    scheduler: str
    needs: PolicyNeeds
    constants: range  # among the globals: those of `constants`
    globals: int
    functions: int
    sites: int
