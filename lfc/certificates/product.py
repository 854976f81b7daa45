"""The steps of a program with the letters that an automaton reads, by running the compiled actions one by one."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lfc.actions.model.machine import Machine
from lfc.certificates.tableau import Atoms, Automaton, automaton
from lfc.codegen.bodies.offers import PORT_BLOCK, PORT_FRAME, port_of
from lfc.codegen.expressions.atoms import MOST_ATOMS, message_numbers
from lfc.codegen.module.generated import Generated
from lfc.codegen.module.target import HOST
from lfc.codegen.module.unit import Unit
from lfc.codegen.program import generate
from lfc.run.events import all_events
from lfc.run.external import with_stand_ins
from lfc.run.load_code import LoadedCode
from lfc.run.names import live_processes
from lfc.run.native import KEPT, host_target, native_object
from lfc.run.running import HostRun
from lfc.semantics.model import typed
from lfc.trace.items import Item


class Faults(Exception):
    """A step of the program, or an atom, faults: the certificate would say nothing about it."""


class NotAllTried(Exception):
    """Of an input of many values (of 32 bits, the clock, what C writes) a step was done with one only."""


class TooManyAtoms(Exception):
    """The formula has more of them than one letter holds."""


@dataclass(frozen=True, slots=True)
class ProductStep:
    target: bytes
    slot: int | None  # who acts; None: an interrupt, or nobody in a run that has ended
    letter: int


@dataclass(frozen=True, slots=True)
class ProductEdge:
    target: tuple[bytes, int]
    marks: int


class Product:
    """Of a program and what violates one of its formulas. `fair`: slots that are treated weakly fairly; their marks
    follow those of the automaton."""

    def __init__(self, machine: Machine, formula: typed.Expr, fair: list[int]) -> None:
        atoms = Atoms()
        negation = atoms.formula(formula, positive=False)
        if len(atoms.expressions) > MOST_ATOMS:
            raise TooManyAtoms
        self.automaton: Automaton = automaton(negation)
        self.machine, self.fair = machine, fair
        self.marks = self.automaton.marks + len(fair)
        self._messages = message_numbers(machine)
        self._unit = Unit(HOST, machine)
        generated = generate(machine, host_target(), atoms=atoms.expressions)
        if generated.properties_read_clock:  # it is no part of these states
            raise Faults
        self.run = HostRun(generated, 1)
        self.initial = self.run.block
        self._atoms = self._compiled(generated) if atoms.expressions else None
        self._known: dict[bytes, list[ProductStep]] = {}

    def _compiled(self, generated: Generated) -> object:
        more = with_stand_ins(generated, [])  # C is not called: what it may write is tried
        code = native_object(generated.ir, 1, kept=(*KEPT, "lf_atoms"), more=more, wide=generated.machine.wide)
        self._code: Mapping[str, int] = LoadedCode([code], ["lf_atoms"])
        faults = ctypes.POINTER(ctypes.c_uint64)
        return ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_char_p, ctypes.c_uint32, faults)(self._code["lf_atoms"])

    def edges(self, block: bytes, q: int) -> Iterator[ProductEdge]:
        if block not in self._known:
            self._known[block] = self.steps(block)
        steps = self._known[block]
        can = {s.slot for s in steps}
        for s in steps:
            fair = sum((s.slot == slot or slot not in can) << i for i, slot in enumerate(self.fair))
            for t in self.automaton.transitions[q]:
                if s.letter & t.true == t.true and not s.letter & t.false:
                    yield ProductEdge((s.target, t.target), t.marks | fair << self.automaton.marks)

    def steps(self, block: bytes) -> list[ProductStep]:
        """A run that has ended stays in its last state."""
        found = []
        before = self.run.host.one_value
        events = list(all_events(self.run, block))
        if self.run.host.one_value != before:
            raise NotAllTried
        for event in events:
            if event.fault is not None:
                raise Faults
            first = event.items[0]
            slot = None if first.name == "interrupt" else first.operands[0]
            found.append(ProductStep(event.block, slot, self.letter(event.block, self.taken(block, event.items))))
        return found or [ProductStep(block, None, self.letter(block, 0))]

    def letter(self, block: bytes, taken: int) -> int:
        if self._atoms is None:
            return 0
        assert callable(self._atoms)
        faults = ctypes.c_uint64()
        found = int(self._atoms(block, taken, ctypes.byref(faults)))
        if faults.value:
            raise Faults
        return found

    def taken(self, block: bytes, items: list[Item]) -> int:
        """The meeting of the step, as `lf_atoms` wants it."""
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
