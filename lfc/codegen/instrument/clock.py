"""The clock that the checker keeps with a state: 4 bytes behind the block and what property processes have there."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.codegen.module.emit import Value
from lfc.codegen.module.scope import Scope


def clock_place(machine: Machine) -> int:
    """Its offset from the block."""
    start = (machine.block_size + 3) // 4 * 4
    return max([start, *(start + (p.size + 3) // 4 * 4 for p in machine.properties)])


def clock_beside_state(s: Scope) -> Value:
    """For properties, which ask no policy."""
    s.unit.properties_read_clock = True
    return s.f.load("i32", s.f.offset(s.b, clock_place(s.unit.machine)), 4)
