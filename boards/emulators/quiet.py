"""When a program on a board can do nothing more: all its processes have ended, or wait for each other."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.actions.model.machine import Machine, Position
from lfc.semantics.model import typed

MEMORY = "lf_memory"  # policy block and state block, in every image

# What a position tells of a process.
STUCK = "."  # it goes on only when another one does; or there is none
READS = "i"  # it waits for the console
MAY_GO = "!"  # it is ready, or waits for time or an interrupt


@dataclass(frozen=True, slots=True)
class Positions:
    """Where the positions lie in `lf_memory`, and what each number tells (`kinds`, from 0)."""

    offset: int
    slots: int
    width: int
    kinds: str

    def is_quiet(self, memory: bytes, input_ended: bool) -> bool:
        return all(
            kind == STUCK or (kind == READS and input_ended)
            for kind in (self._kind(memory, s) for s in range(self.slots))
        )

    def _kind(self, memory: bytes, slot: int) -> str:
        at = self.offset + slot * self.width
        number = int.from_bytes(memory[at : at + self.width], "little")
        return self.kinds[number] if number < len(self.kinds) else MAY_GO


def positions_of(machine: Machine, block_offset: int) -> Positions:
    layout = machine.layout
    return Positions(
        block_offset + layout.positions_offset,
        sum(r.slots for r in layout.records),
        layout.position_size,
        STUCK + "".join(_kind_of(p) for p in machine.positions),
    )


def _kind_of(position: Position) -> str:
    if position.ready or position.point is None:
        return MAY_GO
    events = [clause.event for clause in position.point.clauses]
    if any(_comes_from_outside(e) for e in events):
        return MAY_GO
    return READS if any(isinstance(e, typed.ConsoleRead) for e in events) else STUCK


def _comes_from_outside(event: object) -> bool:
    if isinstance(event, typed.Sleep | typed.AfterEvent):
        return True
    return isinstance(event, typed.Receive) and isinstance(event.port, typed.InterruptPort)
