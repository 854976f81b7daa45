"""What is watched in a search: the properties of a program, and their atoms."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from lfc.actions.model.machine import PropertyMachine
    from lfc.mcheck.ltl.automaton import Automaton
    from lfc.mcheck.ltl.formula import Formula
    from lfc.semantics.model import typed


class TooMany(Exception):
    """More atoms or fairness than fit; says what."""


@dataclass(frozen=True, slots=True)
class WatchedTimer:
    """Of a bound of time (mcheck/ltl/atoms.py), its atoms by their numbers among all of the search; None: not asked."""

    start: int | None
    expired: int | None
    operand: int
    holds: bool
    earliest: bool
    milliseconds: int


@dataclass(slots=True)
class Watched:
    """A formula that is to hold in every run, or a property process that must accept none."""

    of: typed.Property
    automaton: Automaton | None  # of what violates it; None: the process is the automaton
    atoms: list[int]  # for each atom of the automaton its number among all atoms of the search
    watcher: int = 0  # of a property process its number in the search
    formula: Formula | None = None
    # Steps that change nothing that it asks do not matter to it, wherever they are put in or left out behind the first
    # step of a run. A step whose communication a TAKEN of it names is none of these, whatever it changes.
    stutter_insensitive: bool = False
    timers: list[WatchedTimer] = field(default_factory=list)

    @property
    def sets(self) -> int:
        return 1 if self.automaton is None else self.automaton.acceptance_sets

    @property
    def atom_names(self) -> tuple[str, ...]:
        return () if self.automaton is None else self.automaton.atoms

    @property
    def shown_atoms(self) -> list[tuple[str, int]]:
        """Name and number of those that a state has."""
        own = {n for t in self.timers for n in (t.start, t.expired)}
        return [(name, n) for name, n in zip(self.atom_names, self.atoms, strict=True) if n not in own]


@dataclass(slots=True)
class Watch:
    """All formulas of a program, and their atoms together."""

    properties: list[Watched] = field(default_factory=list)
    atoms: list[typed.Expr] = field(default_factory=list)
    watchers: list[PropertyMachine] = field(default_factory=list)
