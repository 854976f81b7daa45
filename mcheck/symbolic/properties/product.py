"""The product of symbolic states with the automaton of what violates a property: a shape has the automaton's state
beside it, and boxes are cut by the atoms at each step. docs/theory/data.md has the argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lfc.mcheck.ltl.automaton import Automaton, Transition
from lfc.mcheck.model.fairness import Fair
from lfc.mcheck.properties.product import is_lost
from lfc.mcheck.symbolic.events import STAY, Event
from lfc.mcheck.symbolic.execution.execute import ActionEnd, FaultEnd
from lfc.mcheck.symbolic.execution.paths import Item, Path
from lfc.mcheck.symbolic.explore import Edge, Error, Exploration, Limits, Move, State, SymbolicProgram
from lfc.mcheck.symbolic.normal_form import Box, Normal, Shape
from lfc.mcheck.symbolic.preimage import is_exact
from lfc.mcheck.symbolic.properties.letters import Letters, meeting_of
from lfc.mcheck.symbolic.values.terms import Term
from lfc.semantics.model import typed

VIOLATED = FaultEnd(-1, 0)  # what an `Error` of a product is


@dataclass(slots=True)
class Moved(Normal):
    """With what the atoms said of the step, and the acceptance sets that the automaton has passed."""

    letter: int = 0
    marks: int = 0
    taken: int = 0


@dataclass(slots=True, eq=False)
class Lost(Error):
    """A step after which each continuation violates the property."""

    letter: int = 0
    taken: int = 0
    to: int = 0  # the automaton's state


@dataclass(slots=True)
class Enabled:
    """Values of a state for which a step is possible that is one of these who are treated fairly, as bits."""

    box: Box
    fair: int


class Product(Exploration):
    def __init__(
        self,
        program: SymbolicProgram,
        limits: Limits,
        automaton: Automaton,
        atoms: Sequence[typed.Expr],
        fair: Sequence[Fair] = (),
    ) -> None:
        """The program was decoded with these atoms, which are those of the automaton."""
        super().__init__(program, limits)
        self.automaton, self.fair = automaton, fair
        self.letters = Letters(program.interpreter, atoms)
        self.enabled: dict[State, list[Enabled]] = {}
        self.unsure: set[State] = set()  # that may have steps of these for more values than `enabled` says
        self._out: list[list[Transition]] = [[] for _ in range(automaton.states)]
        for t in automaton.transitions:
            self._out[t.source].append(t)

    def first(self) -> Normal:
        found = super().first()
        return replace(found, shape=replace(found.shape, beside=self.automaton.initial))

    def _expand(self, state: State) -> None:
        self.depth = max(self.depth, state.depth)
        events, _ = self.program.events(state.shape)
        if not events:
            self._stay(state)
        for event in events:
            for end in self.program.ends(state.shape, state.box, event):
                self.assumed |= end.path.assumed
                if end.fault is None:
                    taken = meeting_of(self.program.machine, state.shape.explicit, end.items)
                    self._step(state, event, end.path, end.block, taken)

    def _stay(self, state: State) -> None:
        """A run that has come to its end stays in its last state."""
        self.ended += 1
        path = self.standing(state.shape, state.box)
        block = state.shape.block(state.box)
        for own, letter in self.letters.of_path(path, block, 0):
            for normal in self.program.normaliser.of_end(own, block):
                self._go_on(state, Event(STAY, 0), normal, letter, 0)

    def _step(self, state: State, event: Event, path: Path, block: list[int | Term], taken: int) -> None:
        for own, letter in self.letters.of_path(path, block, taken):
            for normal in self.program.normaliser.of_end(own, block):
                normal.path.memory.clear()
                if self.fair:
                    self._note_enabled(state, event, normal)
                self._go_on(state, event, normal, letter, taken)

    def _go_on(self, state: State, event: Event, normal: Normal, letter: int, taken: int) -> None:
        self.transitions += 1
        lost: Transition | None = None
        for t in self._out[state.shape.beside]:
            if not allows(t, letter):
                continue
            if is_lost(self.automaton, t.target):
                lost = t
                continue
            shape = self.program.normaliser.same(replace(normal.shape, beside=t.target))
            moved = Moved(shape, normal.box, normal.was, normal.path, letter, t.acceptance, taken)
            edge = Edge(state, event, moved)
            state.edges.append(edge)
            self._reached(shape, moved.box, edge)
        if lost is not None:
            self._found(Lost(VIOLATED, state, event, ActionEnd(normal.path), letter, taken, lost.target))

    def moves(self, shape: Shape, box: Box) -> Iterator[Move]:
        events, _ = self.program.events(shape)
        if not events:
            yield from self._told(self.standing(shape, box), shape.block(box), 0, shape.beside)
        for event in events:
            for end in self.program.ends(shape, box, event):
                if end.fault is None:
                    taken = meeting_of(self.program.machine, shape.explicit, end.items)
                    yield from self._told(end.path, end.block, taken, shape.beside)

    def _told(self, path: Path, block: list[int | Term], taken: int, beside: int) -> Iterator[Move]:
        for own, letter in self.letters.of_path(path, block, taken):
            for t in self._out[beside]:
                if allows(t, letter):
                    lost = is_lost(self.automaton, t.target)
                    yield Move(own, [] if lost else block, VIOLATED if lost else None, t.target)

    # --- fairness --------------------------------------------------------------------------------------------------

    def _note_enabled(self, state: State, event: Event, normal: Normal) -> None:
        edge = Edge(state, event, normal)
        fair = self.fair_steps(edge)
        if fair and not is_exact(edge):
            self.unsure.add(state)
        elif fair:
            self.enabled.setdefault(state, []).append(Enabled(edge.of, fair))

    def fair_steps(self, edge: Edge) -> int:
        """Of whom who is treated fairly the step is one, as bits."""
        if edge.event.what == STAY:
            return 0
        slot = None if edge.event.what == "interrupt" else edge.event.which
        partner = partner_of(edge.to.path.items)
        before, after = self.program.at(edge.before.shape), self.program.at(edge.to.shape)
        return sum(is_step_of(f, slot, partner, before, after) << i for i, f in enumerate(self.fair))


def allows(t: Transition, letter: int) -> bool:
    return any(letter & p == p and not letter & n for p, n in t.cubes)


def partner_of(items: Sequence[Item]) -> object:
    return next((i[2] for i in items if i[0] == "meet"), None)


def is_step_of(f: Fair, slot: int | None, partner: object, before: Sequence[int], after: Sequence[int]) -> bool:
    if f.resumes is not None:
        return f.slot in (slot, partner) and after[f.slot] in f.resumes
    return slot == f.slot and (f.begins is None or before[f.slot] in f.begins)
