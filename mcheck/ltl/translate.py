"""From a formula to the automaton that is handed on.

A formula and its negation are translated together: each tells about the other (is it a safety property, does it
stutter, has it a deterministic weak automaton).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from lfc.mcheck.ltl.automaton import Automaton, Kind, as_automaton
from lfc.mcheck.ltl.bdd import Diagrams, TooLarge
from lfc.mcheck.ltl.degeneralise import degeneralize
from lfc.mcheck.ltl.formula import Formula, Op, atoms_of, bottom_up, size_of
from lfc.mcheck.ltl.normal_form import arrange
from lfc.mcheck.ltl.scc import Strength, compact_sets, components_of, trim
from lfc.mcheck.ltl.simplify import negate, simplify
from lfc.mcheck.ltl.simulation import reduce
from lfc.mcheck.ltl.stutter import stutter_insensitive
from lfc.mcheck.ltl.tableau import build_tableau
from lfc.mcheck.ltl.tgba import Graph
from lfc.mcheck.ltl.weak_minimise import is_safety, minimal_weak
from lfc.semantics.model.visit import deep_stack

LARGEST_FORMULA = 2_000


@dataclass(slots=True)
class Translation:
    """A formula, and two automata for it and for its negation."""

    formula: Formula  # simplified
    atoms: list[str]
    accepts: Graph  # the words that satisfy it
    rejects: Graph  # those that do not
    kind: Kind
    stutter_insensitive: bool

    def automaton(self, *, negated: bool = False, buchi: bool = False) -> Automaton:
        """What satisfies the formula, or (`negated`) what violates it. `buchi`: with accepting states."""
        g = self.rejects if negated else self.accepts
        kind = self.kind.opposite if negated else self.kind
        return as_automaton(degeneralize(g) if buchi else g, kind, self.stutter_insensitive, state_based=buchi)


def automaton_of_violations(f: Formula, momentary: Collection[str] = ()) -> Automaton:
    """What the search for violations of a property takes the product with. `momentary`: see `stutter.py`."""
    return translate(f, momentary).automaton(negated=True)


def translate(f: Formula, momentary: Collection[str] = ()) -> Translation:
    """`momentary`: names of atoms that are true for one letter at most. May raise `TooLarge`."""
    if size_of(f) > LARGEST_FORMULA:
        raise TooLarge
    try:
        with deep_stack():
            return _translate(f, momentary)
    except RecursionError:
        raise TooLarge from None


def _translate(f: Formula, momentary: Collection[str]) -> Translation:
    atoms = atoms_of(f)
    simple = simplify(f)
    opposite = negate(simple)
    diagrams = Diagrams()
    accepts, rejects = (_smallest(g, atoms, diagrams) for g in (simple, opposite))
    kind = Kind.OTHER
    weak = minimal_weak(accepts, rejects)
    if weak is not None:
        safety, guarantee = map(is_safety, weak)
        kind = Kind.BOTH if safety and guarantee else Kind.OBLIGATION
        if safety != guarantee:
            kind = Kind.SAFETY if safety else Kind.GUARANTEE
        accepts = _better(accepts, weak[0], terminal=guarantee)
        rejects = _better(rejects, weak[1], terminal=safety)
    steps = any(g.op is Op.NEXT for g in bottom_up(simple))
    moments = sum(1 << i for i, name in enumerate(atoms) if name in momentary)
    insensitive = not (steps or moments) or stutter_insensitive(accepts, rejects, moments)
    return Translation(simple, atoms, compact_sets(accepts), compact_sets(rejects), kind, insensitive)


def _smallest(f: Formula, atoms: list[str], diagrams: Diagrams) -> Graph:
    found = []
    for form in dict.fromkeys((arrange(f), f)):
        try:
            found.append(reduce(trim(build_tableau(form, atoms, diagrams))))
        except TooLarge:
            if form is f and not found:
                raise
        if found and found[0].size[0] > 60:
            break  # the first form is there for large automata
    return min(found, key=lambda g: g.size)


def _better(small: Graph, deterministic: Graph, *, terminal: bool) -> Graph:
    """The deterministic one if it is not larger, or if only it tells at once that a run will be accepted."""
    if deterministic.size <= small.size:
        return deterministic
    if not terminal:
        return small
    accepting = [c for c in components_of(small).all if c.strength in (Strength.WEAK, Strength.STRONG)]
    return deterministic if accepting else small
