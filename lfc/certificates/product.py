"""The steps of a program with the letters that an automaton reads, by running the compiled actions one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lfc.actions.model.machine import Machine
from lfc.certificates.letters import Letters
from lfc.certificates.tableau import Atoms, Automaton, automaton
from lfc.codegen.expressions.atoms import MOST_ATOMS
from lfc.run.events import all_events
from lfc.run.running import HostRun
from lfc.semantics.model import typed


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
        self._letters = Letters(machine, atoms.expressions)
        if self._letters.generated.properties_read_clock:  # it is no part of these states
            raise Faults
        self.run = HostRun(self._letters.generated, 1)
        self.initial = self.run.block
        self._known: dict[bytes, list[ProductStep]] = {}

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
            letter = self.letter(event.block, self._letters.taken(block, event.items))
            found.append(ProductStep(event.block, slot, letter))
        return found or [ProductStep(block, None, self.letter(block, 0))]

    def letter(self, block: bytes, taken: int) -> int:
        found, faults = self._letters.letter(block, taken)
        if faults:
            raise Faults
        return found
