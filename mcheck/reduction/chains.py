"""Chains: states with one successor are passed through, not kept. Which positions keep one, and for which requests.

Properties do not mind (docs/theory/chains.md): a state whose step may change what an invariant asks is kept, and
products with automata go step by step.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lfc.mcheck.engine import abi
from lfc.mcheck.model.transitions import steps_of
from lfc.mcheck.reduction.common.reduction import Choice, Question, Reduction, Sampling, Stage
from lfc.mcheck.reduction.por.reduction import Orders, why_interwoven
from lfc.mcheck.request.world import Time
from lfc.mcheck.search.search import Attachable, Attached, Search

if TYPE_CHECKING:
    from lfc.mcheck.request.property import Watch
    from lfc.semantics.model import typed

LONGEST = 4096  # of longer chains one state in so many is kept
STOP = (2_000, 12)  # no more after so many states, if less than this percentage were passed


class Chains(Attached):
    """The reduction in one search."""

    shortest = False

    def __init__(self, search: Search, breakers: set[int], stop: tuple[int, int] = (0, 0)) -> None:
        """`breakers`: positions that break rounds; `stop`: after how many states no more are passed, if less than this
        percentage were (0: always go on)."""
        self.keeps = breakers
        self._engine, self._library = search.engine, search.library
        positions = len(search.description.actions)
        self._flags = (ctypes.c_uint8 * (positions + 1))(*(n in self.keeps for n in range(positions + 1)))
        self._options = abi.Chains(self._flags, LONGEST, 0, *stop)
        self._library.mc_pass_chains(self._engine, ctypes.byref(self._options))

    def did(self) -> int:
        """How many states were passed through, each as often as it was."""
        return int(self._library.mc_passed_states(self._engine))

    def identity(self) -> object:
        return "chains", sorted(self.keeps)

    def is_saved(self) -> None:
        """What is saved does not tell from where on states were not passed."""
        self._options.stops_after = 0

    def resumed(self) -> None:
        """Among the states that were saved may be some that only the length of a chain has kept."""
        self._options.cut = 1
        self.is_saved()


class ChainReduction(Reduction):
    name = "chains"
    counts = "passed_states"

    def __init__(self, stop: tuple[int, int] = STOP) -> None:
        """The search leaves them itself where they are few after some states."""
        self.stop = stop
        first, percentage = stop
        self._asked: list[typed.Expr] = []  # by the invariants that the search looks at

        def promises(search: Search, _: list[int]) -> bool:
            chains = search.find(Chains)
            return chains is not None and 100 * chains.did() >= percentage * search.statistics.states

        self.sampling = Sampling(Stage.LAST, first=first, promises=promises)

    def why_not(self, question: Question) -> str:
        self._asked = asked_on_the_fly(question.watched)
        return why_no_chains(question) or why_asked(self._asked) or question.why_steps_count()

    def attach(self, search: Search, used: Sequence[Attachable]) -> Chains:
        return Chains(search, breakers_of(search) | looked_at(search, self._asked), self.stop)

    def said(self, choice: Choice, states: str) -> str:
        return f"{choice.told} visits to states with one successor, not stored"


def why_no_chains(q: Question) -> str:
    if not q.request.search.breadth_first:
        return "chains need a breadth-first search"
    if q.request.world.time != Time.FREE or q.request.world.rate:
        return "timed searches need the clock data of every state"
    return why_interwoven(q.machine)


def asked_on_the_fly(watched: Watch) -> list[typed.Expr]:
    """The atoms of the invariants that are looked at in each step."""
    if not watched.properties:
        return []
    from lfc.mcheck.properties.invariants import invariant_of

    own = [w for w in watched.properties if w.automaton is not None and invariant_of(w) is not None]
    return [watched.atoms[n] for n in sorted({n for w in own for n in w.atoms})]


def why_asked(atoms: Sequence[typed.Expr]) -> str:
    """A step that is one of several has no message of its own."""
    if not atoms:
        return ""
    from lfc.semantics.model import typed
    from lfc.semantics.model.visit import subexpressions

    taken = any(isinstance(e, typed.TakenAtom) for atom in atoms for e in subexpressions(atom))
    return "an invariant asks which message is taken" if taken else ""


def looked_at(search: Search, atoms: Sequence[typed.Expr]) -> set[int]:
    """The positions whose actions may change what is asked."""
    if not atoms:
        return set()
    from lfc.mcheck.reduction.por.visibility import visible_positions

    machine = search.model.machine
    return visible_positions(machine, steps_of(machine)[0], atoms)


def breakers_of(search: Search) -> set[int]:
    """The positions that break rounds."""
    from lfc.mcheck.reduction.por.cycle_proviso import cycle_breakers

    orders, model = search.find(Orders), search.model
    if orders is not None:
        return orders.tables.breakers
    return model.cached("breakers", lambda: cycle_breakers(model.machine, steps_of(model.machine)[0]))
