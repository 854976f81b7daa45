"""Invariants on the fly: properties of which one step tells that they are violated are looked at in each step of the
search of the states. docs/theory/invariants.md has the argument.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.engine import abi
from lfc.mcheck.ltl.automaton import Automaton, Transition
from lfc.mcheck.ltl.bdd import ALL, NOTHING, Cube, Diagrams
from lfc.mcheck.properties.emptiness import Found, Lasso, Verdict
from lfc.mcheck.properties.product import ProductSearch, is_lost, masks, spread, told_by_prefix
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.request.property import Watched
from lfc.mcheck.request.request import Strategy
from lfc.mcheck.search.search import Resumed, Search, Stop

MOST = abi.MOST_INVARIANTS


@dataclass(frozen=True, slots=True)
class Invariant:
    """The violation of a property by one step."""

    of: Watched
    cubes: list[Cube]  # over its automaton's atoms: letters that violate it, whatever came before
    is_all: bool  # nothing else violates it


class Invariants:
    """Those that are watched in one search."""

    def __init__(self, question: Question, search: Search, watched: Sequence[Invariant]) -> None:
        self.search, self.watched = search, watched
        self.product = ProductSearch(question.machine, search, question.watched, question.fair)
        at, positive, negative = [], list[int](), list[int]()
        for i in watched:
            at.append(abi.Invariant(len(positive), len(i.cubes), sum(1 << n for n in i.of.atoms)))
            positive += [spread(p, i.of.atoms) for p, _ in i.cubes]
            negative += [spread(n, i.of.atoms) for _, n in i.cubes]
        self._given = abi.Invariants(
            self.product.atoms_for_engine(()),
            len(watched),
            question.request.claims.keep_going,
            (abi.Invariant * len(at))(*at),
            masks(positive),
            masks(negative),
        )
        search.watch(self._given)

    def lasso(self, error: abi.Error) -> tuple[Watched, Lasso]:
        """Of an error of this kind: the run to it."""
        i = self.watched[error.fault_site]
        ordinals = self.search.exploration.ordinals_to(error.state)
        last = error.fault_first & 0xFFFFFFFF
        ended = last == abi.STAYS
        roots = self.search.roots_along(ordinals if ended else [*ordinals, last])
        if ended:
            roots.append(roots[-1])
        a = i.of.automaton
        assert a is not None
        letter, _ = self.product.letter(roots[-2], last)
        own = sum(1 << n for n, place in enumerate(i.of.atoms) if letter >> place & 1)
        lost = next(t.target for t in lost_at_once(a) if any(p & own == p and not n & own for p, n in t.cubes))
        steps = [(root, a.initial, ordinal) for root, ordinal in zip(roots, [*ordinals, last], strict=False)]
        steps.append((roots[-1], lost, abi.STAYS))
        return i.of, Lasso(len(steps), steps, self.search.request.search.breadth_first)

    @property
    def names_of_all(self) -> list[str]:
        """Of properties that nothing else violates."""
        return [i.of.of.name for i in self.watched if i.is_all]

    def violated(self) -> set[str]:
        """Names of properties that steps of the search violate."""
        errors = (e for e in self.search.errors() if e.kind == abi.ErrorKind.VIOLATION)
        return {self.watched[e.fault_site].of.of.name for e in errors}

    def decided(self, stop: Stop) -> dict[str, Found]:
        """By name, of properties that hold since the search has come across nothing that violates them: what a search
        of the product would have counted."""
        s, search = self.search.statistics, self.search
        if stop is not Stop.COMPLETE or not search.request.search.breadth_first or search.resumed is not Resumed.NOT:
            return {}
        unclear, violated = search.unclear, self.violated()
        found = Found(Verdict.NONE, None, s.states, s.transitions + s.ends + s.deadlocks, 0, 0)
        return {
            i.of.of.name: found
            for n, i in enumerate(self.watched)
            if i.is_all and i.of.of.name not in violated and not unclear >> n & 1
        }


def watch_invariants(question: Question, search: Search, apart: Collection[str]) -> Invariants | None:
    """`apart`: names of properties that the search leaves out too much for."""
    if question.request.search.strategy is Strategy.MODULAR or any(f.live for f in question.fair):
        return None  # not each prefix can go on fairly
    looked_for = [w for w in question.watched.properties if w.of.name not in apart and w.automaton is not None]
    found = [i for i in map(invariant_of, looked_for) if i is not None]
    return Invariants(question, search, found[:MOST]) if found else None


def invariant_of(w: Watched) -> Invariant | None:
    a = w.automaton
    assert a is not None
    if w.timers:
        return None  # no letter tells how long it has been so
    cubes = [cube for t in lost_at_once(a) for cube in t.cubes]
    if not cubes or is_lost(a, a.initial) or not stays_or_is_lost(a):
        return None
    others = [q for q in range(a.states) if q != a.initial and not is_lost(a, q)]
    return Invariant(w, cubes, not others and told_by_prefix(a))


def lost_at_once(a: Automaton) -> list[Transition]:
    return [t for t in a.transitions if t.source == a.initial and is_lost(a, t.target)]


def stays_or_is_lost(a: Automaton) -> bool:
    """With each letter the initial state can go on to itself, or to a state that is lost."""
    diagrams, covered = Diagrams(), NOTHING
    for t in a.transitions:
        if t.source == a.initial and (t.target == a.initial or is_lost(a, t.target)):
            for cube in t.cubes:
                covered = diagrams.either(covered, diagram_of(diagrams, cube, len(a.atoms)))
    return covered == ALL


def diagram_of(diagrams: Diagrams, cube: Cube, atoms: int) -> int:
    positive, negative = cube
    found = ALL
    for n in range(atoms):
        if positive >> n & 1:
            found = diagrams.both(found, diagrams.is_true(n))
        if negative >> n & 1:
            found = diagrams.both(found, diagrams.complement(diagrams.is_true(n)))
    return found
