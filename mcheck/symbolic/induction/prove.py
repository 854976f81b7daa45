"""From a search with ranges that rules out all but some errors to a proof that there are none, or to nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.execution.execute import OutOfTime
from lfc.mcheck.symbolic.explore import Exploration
from lfc.mcheck.symbolic.induction.chains import Chains
from lfc.mcheck.symbolic.induction.lemmas import Lemma, Refuted, Strengthening
from lfc.mcheck.symbolic.induction.oracle import GivenUp, Oracle
from lfc.mcheck.symbolic.induction.system import NotTried, System, system_of
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.solver import Solver, solver

SECONDS = 6.0


@dataclass(slots=True)
class Proof:
    """`k`: of how many steps the induction is. `lemmas`: what it takes beside the ranges."""

    k: int
    lemmas: list[Lemma]
    system: System


class Wrong(Exception):
    """What was found is no proof: an error of the checker."""


def proof_of(found: Exploration, seconds: float = 0.0) -> Proof | None:
    """That there is no error, after a complete search that has left some open. None: nobody knows. `seconds`: 0: as
    many as it takes, up to a limit of its own."""
    with_solver = solver()
    if with_solver is None or not found.complete or found.errors:
        return None
    clock = Clock(found.limits.is_over, min(seconds or SECONDS, SECONDS))
    before = found.program.interpreter.is_over
    found.program.interpreter.is_over = clock.over(1.0)
    try:
        system = system_of(found)
    except (NotTried, TooMany, NotDecoded, OutOfTime):
        return None
    finally:
        found.program.interpreter.is_over = before
    thresholds = found.program.thresholds
    for k, share in ((1, 0.3), (0, 0.7), (2, 1.0), (3, 1.0)):
        over = clock.over(share)
        try:
            proof = by_chains(system, with_solver, k, over) if k else by_lemmas(system, with_solver, thresholds, over)
        except GivenUp:
            continue
        except Refuted:
            return None
        if proof is not None:
            return proof
    return None


@dataclass(slots=True)
class Clock:
    interrupted: Callable[[], bool]
    seconds: float
    begin: float = field(default_factory=time.monotonic)

    def over(self, share: float) -> Callable[[], bool]:
        """Whether this share of the time is over."""
        until = self.begin + share * self.seconds
        return lambda: self.interrupted() or time.monotonic() > until


def by_chains(system: System, with_solver: Solver, k: int, is_over: Callable[[], bool]) -> Proof | None:
    """Raises GivenUp."""
    return Proof(k, [], system) if Chains(system, Oracle(system, with_solver, is_over)).rule_out(k) else None


def by_lemmas(
    system: System, with_solver: Solver, thresholds: Sequence[int], is_over: Callable[[], bool]
) -> Proof | None:
    """Raises GivenUp, Refuted."""
    lemmas = Strengthening(system, with_solver, thresholds, is_over).lemmas()
    if lemmas is None:
        return None
    confirm(system, lemmas, is_over)
    return Proof(1, lemmas, system)


def confirm(system: System, lemmas: list[Lemma], is_over: Callable[[], bool]) -> None:
    """The three conditions of theorem 6, asked of each step anew. Raises Wrong, GivenUp."""
    with_solver = solver()
    assert with_solver is not None
    oracle = Oracle(system, with_solver, is_over)
    at = {n: [x.cube for x in lemmas if x.location == n] for n in range(len(system.locations))}
    start = system.initial
    first = oracle.conjunction(oracle.literal((c, v)) for c, v in zip(start.cells, system.values, strict=True))
    for cube in at[start.number]:
        if oracle.is_possible(oracle.asked([first, oracle.cube(cube)]), []):
            raise Wrong("a lemma does not hold initially")
    for t in system.transitions:
        known = [
            oracle.region(t.source),
            oracle.guard(t),
            *(oracle.negation(oracle.cube(c)) for c in at[t.source.number]),
        ]
        if t.target is None and oracle.is_possible(oracle.asked(known), []):
            raise Wrong("the lemmas do not rule out an error")
        for cube in () if t.target is None else at[t.target.number]:
            behind = [oracle.behind(t, x) for x in cube]
            if oracle.is_possible(oracle.asked([*known, *behind]), []):
                raise Wrong("a lemma does not stay true")
