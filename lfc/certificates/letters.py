"""What the atoms of formulas say of a program's step: one bit for each, from the compiled code."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.model.machine import Machine
from lfc.codegen.bodies.offers import PORT_BLOCK, PORT_FRAME, port_of
from lfc.codegen.expressions.atoms import message_numbers
from lfc.codegen.module.generated import Generated
from lfc.codegen.module.target import HOST
from lfc.codegen.module.unit import Unit
from lfc.codegen.program import generate
from lfc.run.atoms import compiled_atoms
from lfc.run.names import live_processes
from lfc.run.native import host_target
from lfc.semantics.model import typed
from lfc.trace.items import Item


class Letters:
    """Of at most as many atoms as a letter holds. `generated`: the program with these atoms."""

    def __init__(self, machine: Machine, atoms: Sequence[typed.Expr]) -> None:
        self.machine = machine
        self.generated: Generated = generate(machine, host_target(), atoms=list(atoms))
        self._messages = message_numbers(machine)
        self._unit = Unit(HOST, machine)
        self._atoms = compiled_atoms(self.generated) if atoms else None

    def letter(self, block: bytes, taken: int) -> tuple[int, int]:
        """In the state `block`, after a step with this meeting (0: none): which atoms are true, and which fault."""
        if self._atoms is None:
            return 0, 0
        return self._atoms(block, taken)

    def taken(self, block: bytes, items: Sequence[Item]) -> int:
        """The meeting of the step, as `lf_atoms` wants it. `block`: before the step."""
        for item in items:
            if item.name != "meet" or item.operands[1] is None:
                continue
            p = next(p for p in live_processes(self.machine, block) if p.slot == item.operands[1])
            assert p.position.point is not None
            clause = p.position.point.clauses[item.operands[2] or 0]
            assert isinstance(clause.event, typed.Send | typed.Receive)
            kind, where = port_of(self._unit, p.position.body, clause)
            if kind == PORT_FRAME:
                where = self.machine.port_at(block, p.frames[0].offset + where)
            elif kind == PORT_BLOCK:
                where = self.machine.port_at(block, where)
            return self._messages[id(clause.event.message)] << self._unit.port_bits | where
        return 0
