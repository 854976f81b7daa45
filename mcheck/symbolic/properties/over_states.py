"""A property that prefixes decide, over the states that a search has found and what leads from each to which: whoever
finds no violation there needs no search of its own. docs/theory/data.md has the argument.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from lfc.mcheck.ltl.atoms import asks_taken
from lfc.mcheck.ltl.automaton import Automaton
from lfc.mcheck.properties.product import is_lost, told_by_prefix
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.symbolic.execution import code
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.execution.execute import Interpreter, OutOfTime
from lfc.mcheck.symbolic.explore import Exploration, State
from lfc.mcheck.symbolic.properties.letters import AtomFaults, Letters
from lfc.mcheck.symbolic.properties.product import allows
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.semantics.model import typed

BETWEEN_LOOKS = 64  # states of the product, at the time


Counts = tuple[int, int, int]  # states of the product, transitions, and how many of the states are wide


class NotTold(Exception):
    """A violation may be, or the states do not say what an atom asks."""


class OverStates:
    """The states and edges of a search that has come to its end and has found nothing wrong."""

    def __init__(self, found: Exploration) -> None:
        self.found = found
        self._dead = Reset(found.program.machine).places
        self._targets: dict[State, list[State]] = {}

    def counts(self, automaton: Automaton, atoms: Sequence[typed.Expr], is_over: Callable[[], bool]) -> Counts | None:
        """Of the product, if no step of it leads to a state of the automaton that is lost; else None."""
        if not told_by_prefix(automaton) or any(map(asks_taken, atoms)) or not self._has_all_of(atoms):
            return None
        try:
            return self._counted(automaton, self._letters_of(atoms, is_over), is_over)
        except (NotTold, TooMany, NotDecoded, AtomFaults, OutOfTime):
            return None

    def _has_all_of(self, atoms: Sequence[typed.Expr]) -> bool:
        """Whether nothing that they ask is left out of the states as dead."""
        dead = Reset(self.found.program.machine, atoms).places
        return all(dead(shape.explicit) == self._dead(shape.explicit) for shape in self.found.of_shape)

    def _letters_of(self, atoms: Sequence[typed.Expr], is_over: Callable[[], bool]) -> Callable[[State], Iterable[int]]:
        """Of the blocks of a state, without a meeting."""
        before = self.found.program.interpreter
        _, module = code.decoded_program(self.found.program.machine, atoms)
        interpreter = Interpreter(module, before.policies, before.rounds)
        interpreter.may_widen, interpreter.solver, interpreter.is_over = True, self.found.solver, is_over
        letters, known = Letters(interpreter, atoms), dict[State, set[int]]()

        def letters_of(state: State) -> Iterable[int]:
            if state not in known:
                path = self.found.standing(state.shape, state.box)
                known[state] = {n for _, n in letters.of_path(path, state.shape.block(state.box), 0)}
            return known[state]

        return letters_of

    def _counted(
        self, automaton: Automaton, letters_of: Callable[[State], Iterable[int]], is_over: Callable[[], bool]
    ) -> Counts:
        """Raises NotTold where the automaton may come to a state that is lost, and what `letters_of` raises."""
        out = defaultdict(list)
        for t in automaton.transitions:
            out[t.source].append(t)
        initial = self.found.states[0], automaton.initial
        reached, waiting, transitions, looked_at = {initial}, [initial], 0, 0
        while waiting:
            looked_at += 1
            if looked_at % BETWEEN_LOOKS == 0 and is_over():
                raise NotTold
            state, at = waiting.pop()
            for to in self._next(state):
                for t in (t for letter in letters_of(to) for t in out[at] if allows(t, letter)):
                    transitions += 1
                    if is_lost(automaton, t.target):
                        raise NotTold
                    if (to, t.target) not in reached:
                        reached.add((to, t.target))
                        waiting.append((to, t.target))
        return len(reached), transitions, sum(state.wide for state, _ in reached)

    def _next(self, state: State) -> list[State]:
        """A run that has come to its end stays where it is."""
        if state not in self._targets:
            edges = {(edge.to.shape, edge.to.box): edge for edge in state.edges}  # many differ in their paths alone
            ways = dict.fromkeys(to for edge in edges.values() for to in self.found.targets(edge))
            events, _ = self.found.program.events(state.shape)
            self._targets[state] = list(ways) if events else [state]
        return self._targets[state]
