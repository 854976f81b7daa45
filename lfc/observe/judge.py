"""A property and a run that is not over: violated, whatever comes; met, whatever comes; or open.

The automaton of what satisfies the formula is followed in all its states at once. States from which nothing is
accepted are left out; so the run so far violates it if and only if no state is left. With the automaton of the
negation it is met likewise (three-valued LTL).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum

from lfc.base.scc import components
from lfc.mcheck.ltl.automaton import Automaton, Transition
from lfc.mcheck.ltl.scc import Strength

ACCEPTING = (Strength.STRONG, Strength.WEAK, Strength.TERMINAL)


class Outlook(Enum):
    OPEN = "open"
    VIOLATED = "violated"
    MET = "met"


@dataclass(slots=True)
class Followed:
    """An automaton in all states that a run so far leads to, and that can still accept."""

    automaton: Automaton
    live: frozenset[int] = frozenset()
    states: frozenset[int] = frozenset()
    out: list[list[Transition]] = field(default_factory=list)

    def __post_init__(self) -> None:
        a = self.automaton
        self.out = [[] for _ in range(a.states)]
        for t in a.transitions:
            self.out[t.source].append(t)
        accepting = {q for q in range(a.states) if a.strength[a.component[q]] in ACCEPTING}
        found = set(accepting)
        while more := {t.source for t in a.transitions if t.target in found} - found:
            found |= more
        self.live = frozenset(found)

    def begin(self) -> None:
        self.states = frozenset({self.automaton.initial}) & self.live

    def be_anywhere(self) -> None:
        """Nothing is known of what was before."""
        self.states = self.live

    def go(self, letter: int) -> None:
        self.states = frozenset(t.target for q in self.states for t in self.taken(q, letter))

    def taken(self, q: int, letter: int) -> Iterable[Transition]:
        return (t for t in self.out[q] if t.target in self.live and fits(t, letter))

    @property
    def is_lost(self) -> bool:
        """Whatever comes, it accepts, by the run that was followed."""
        a = self.automaton
        return any(a.strength[a.component[q]] is Strength.TERMINAL for q in self.states)

    def accepts_for_ever(self, letter: int) -> bool:
        """If this letter comes again and again."""
        nodes, reached = list(self.states), set(self.states)
        for q in nodes:
            new = {t.target for t in self.taken(q, letter)} - reached
            reached |= new
            nodes += new
        full = (1 << self.automaton.acceptance_sets) - 1
        for part in components(nodes, lambda q: [t.target for t in self.taken(q, letter)]):
            inside = [t.acceptance for q in part for t in self.taken(q, letter) if t.target in part]
            union = 0
            for marks in inside:
                union |= marks
            if inside and union == full:
                return True
        return False


def fits(t: Transition, letter: int) -> bool:
    return any(letter & positive == positive and not letter & negative for positive, negative in t.cubes)


@dataclass(slots=True)
class Judge:
    """Of one property. `places`: which bits of the program's letter its atoms are, in the order of the automata.
    `satisfying` is missing of a property process, which says only what violates it."""

    name: str
    places: Sequence[int]
    violating: Followed
    satisfying: Followed | None
    outlook: Outlook = Outlook.OPEN
    blind: bool = False  # what was before is not known, and the property cannot be judged without it

    def begin(self) -> None:
        self.outlook, self.blind = Outlook.OPEN, False
        self.violating.begin()
        if self.satisfying is not None:
            self.satisfying.begin()
        self._look()

    def be_anywhere(self) -> None:
        """Some of the run was not seen. What was decided stays so."""
        if self.outlook is not Outlook.OPEN:
            return
        self.blind = self.satisfying is None
        self.violating.be_anywhere()
        if self.satisfying is not None:
            self.satisfying.be_anywhere()

    def step(self, letter: int) -> None:
        if self.outlook is not Outlook.OPEN or self.blind:
            return
        own = self.own(letter)
        self.violating.go(own)
        if self.satisfying is not None:
            self.satisfying.go(own)
        self._look()

    def end(self, letter: int) -> None:
        """The run has ended, and stays for ever in a state with this letter."""
        if self.outlook is not Outlook.OPEN or self.blind:
            return
        if self.satisfying is not None:
            met = self.satisfying.accepts_for_ever(self.own(letter))
            violated = not met
            if self.violating.accepts_for_ever(self.own(letter)) == met:  # what was before decides
                return
        else:
            violated = self.violating.accepts_for_ever(self.own(letter))
        self.outlook = Outlook.VIOLATED if violated else Outlook.MET

    def own(self, letter: int) -> int:
        return sum((letter >> place & 1) << i for i, place in enumerate(self.places))

    def _look(self) -> None:
        if self.satisfying is None:
            if self.violating.is_lost:
                self.outlook = Outlook.VIOLATED
        elif not self.satisfying.states:
            self.outlook = Outlook.VIOLATED
        if self.outlook is Outlook.OPEN and not self.violating.states:
            self.outlook = Outlook.MET
