"""A property over undetermined data: exactly at first, then with ranges; what is left open has a reason."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lfc.mcheck.counterexample.doubts import doubt_about
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.ltl.automaton import Automaton, Kind, as_automaton
from lfc.mcheck.ltl.bdd import TooLarge
from lfc.mcheck.properties.monitor_automaton import NotReadOff, automaton_of_process
from lfc.mcheck.properties.product import told_by_prefix
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.property import Watch, Watched
from lfc.mcheck.result.finding import Finding, Verdict
from lfc.mcheck.symbolic.counterexamples import way_to
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Error, Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.induction.prove import proof_of
from lfc.mcheck.symbolic.properties.cycles import MOST_MARKS, CyclePiece, Cycles, marks_of
from lfc.mcheck.symbolic.properties.lassos import concrete_cycle
from lfc.mcheck.symbolic.properties.letters import AtomFaults
from lfc.mcheck.symbolic.properties.over_states import OverStates
from lfc.mcheck.symbolic.properties.product import Lost, Product
from lfc.mcheck.symbolic.properties.tell import Teller
from lfc.mcheck.symbolic.satisfy import NotFound
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.semantics.model import typed
from lfc.semantics.model.visit import reads_clock

FOR_EXACT, FOR_CYCLES = 10.0, 20.0  # seconds
FOR_STATES = 5.0  # likewise, for all properties together
NOTHING: Mapping[str, Answer] = {}
SOON = 2.0  # for an exact search where that of the states did not end


@dataclass(slots=True)
class Answer:
    """Of one property. `reason`: why it is left open."""

    verdict: Verdict
    states: int = 0
    transitions: int = 0
    reason: str = ""
    finding: Finding | None = None
    wide: int = 0


@dataclass(slots=True)
class Asked:
    """A property as its automaton has it."""

    watched: Watched
    automaton: Automaton
    atoms: list[typed.Expr]


class NotAsked(Exception):
    """Says why a property cannot be looked for among symbolic states."""


def asked(group: Watch, w: Watched) -> Asked:
    """Raises NotAsked."""
    if w.automaton is not None:
        found = Asked(w, w.automaton, [group.atoms[n] for n in w.atoms])
    else:
        try:
            process = automaton_of_process(group.watchers[w.watcher])
            automaton = as_automaton(process.graph, Kind.OTHER, False)
        except (NotReadOff, TooLarge):
            raise NotAsked(
                "is a process with variables or loops of its own, which is searched value by value"
            ) from None
        own = Watched(w.of, automaton, list(range(len(automaton.atoms))), w.watcher)
        found = Asked(own, automaton, [process.atoms[name] for name in automaton.atoms])
    if any(map(reads_clock, found.atoms)):
        raise NotAsked("reads the clock")
    return found


@dataclass(slots=True)
class Budget:
    until: float  # 0: as long as it takes
    interrupted: Callable[[], bool]
    exactly: float = FOR_EXACT  # seconds for an exact search; 0: none
    shows: Callable[[int, int, int, int], None] = lambda *_: None  # as `Limits` has it

    def left(self) -> float:
        return max(0.1, self.until - time.monotonic()) if self.until else 0.0


@dataclass(slots=True)
class PropertyCheck:
    """Of one property of a program."""

    question: Question
    of: Asked
    budget: Budget
    found: list[Finding] = field(default_factory=list)

    def answer(self) -> Answer:
        left = self.budget.left()
        if not self.budget.exactly:
            return self._tried(left, may_widen=True)
        if self.budget.exactly == SOON:  # of the states as well, it were ranges that have ended
            wide = self._tried(left / 2, may_widen=True)
            if wide.verdict is not Verdict.INCONCLUSIVE or self.budget.interrupted():
                return wide
            exact = self._tried(min(self.budget.left() or SOON, SOON), may_widen=False)
            return wide if exact.verdict is Verdict.INCONCLUSIVE else exact
        exact = self._tried(min(left or FOR_EXACT, self.budget.exactly), may_widen=False)
        if exact.verdict is not Verdict.INCONCLUSIVE or self.budget.interrupted():
            return exact
        if left and self.budget.left() <= 0.1:
            return exact
        wide = self._tried(self.budget.left(), may_widen=True)
        return exact if wide.verdict is Verdict.INCONCLUSIVE and exact.reason != NOT_ENDED else wide

    def _tried(self, seconds: float, may_widen: bool) -> Answer:
        try:
            return self._searched(seconds, may_widen)
        except TooMany as why:
            return Answer(Verdict.INCONCLUSIVE, reason=f"was given up: {why}")
        except NotDecoded as why:
            return Answer(Verdict.INCONCLUSIVE, reason=f"was given up: the code has {why}")
        except AtomFaults:
            return Answer(Verdict.INCONCLUSIVE, reason="met values for which the formula faults")

    def _searched(self, seconds: float, may_widen: bool) -> Answer:
        machine, world = self.question.machine, self.question.request.world
        request = self.question.request
        places = Reset(machine, self.of.atoms).places
        program = SymbolicProgram(machine, world, places, self.of.atoms, request.tuning.rounds)
        limits = Limits(seconds, states=request.limits.states, allow_deadlocks=True, may_widen=may_widen)
        limits.is_over = self.budget.interrupted
        limits.foresees = not may_widen and self.budget.exactly == SOON
        limits.shows = self.budget.shows
        product = Product(program, limits, self.of.automaton, self.of.atoms, self.question.fair)
        teller = Teller(product, self.of.watched, self.of.atoms)
        limits.confirms = lambda error: self._confirms(teller, error)
        product.run()
        answer = Answer(Verdict.HOLDS, len(product.states), product.transitions)
        answer.wide = sum(s.wide for s in product.states)
        if product.errors:
            answer.finding = self.found[0]
            answer.verdict = Verdict.PROPERTY
            answer.finding.doubt = doubt_about(answer.finding, product.assumed)
        elif not product.complete:
            answer.verdict, answer.reason = Verdict.INCONCLUSIVE, NOT_ENDED
        elif product.possible and proof_of(product, self.budget.left()) is None:
            answer.verdict, answer.reason = Verdict.INCONCLUSIVE, NOT_RULED_OUT
        elif not told_by_prefix(self.of.automaton):
            self._cycles(product, teller, answer)
        return answer

    def _confirms(self, teller: Teller, error: Error) -> bool:
        assert isinstance(error, Lost)
        try:
            self.found.append(teller.lost(error))
        except (CannotReplay, NotFound, TooMany):
            return False
        return True

    def _cycles(self, product: Product, teller: Teller, answer: Answer) -> None:
        """Of runs that no prefix decides."""
        if self.of.automaton.acceptance_sets + len(product.fair) > MOST_MARKS:
            answer.verdict, answer.reason = Verdict.INCONCLUSIVE, "has too many fairness assumptions"
            return
        marks = marks_of(product)

        def concrete(pieces: Iterable[CyclePiece]) -> bool:
            cycle = concrete_cycle(product, marks, pieces)
            if cycle is None:
                return False
            try:
                way = way_to(product.program, cycle.state, cycle.values)
                answer.finding = teller.cycle(way, cycle.edges, cycle.valuations)
            except (CannotReplay, NotFound, TooMany):
                return False
            return True

        until = time.monotonic() + min(self.budget.left() or FOR_CYCLES, FOR_CYCLES)
        there = Cycles(product, marks, until).decide(concrete)
        if there is None:
            answer.verdict, answer.reason = Verdict.INCONCLUSIVE, NO_CYCLE_SHOWN
        elif there and answer.finding is not None:
            answer.verdict = Verdict.PROPERTY
            answer.finding.doubt = doubt_about(answer.finding, product.assumed)


NOT_ENDED = "did not come to its end"
NO_CYCLE_SHOWN = "found cycles of sets of values, and no run along one"
NOT_RULED_OUT = "found a violation that ranges of values allow, and no counterexample"


def told_by_states(found: Exploration, groups: Sequence[Watch], budget: Budget) -> dict[str, Answer]:
    """By name: properties of which the states of a search, in which nothing is wrong, say that they hold."""
    over, told = OverStates(found), dict[str, Answer]()
    until = time.monotonic() + min(budget.left() / 4 or FOR_STATES, FOR_STATES)

    def is_over() -> bool:
        return budget.interrupted() or time.monotonic() > until

    for group, w in ((g, w) for g in groups for w in g.properties):
        if is_over():  # each property's atoms are compiled
            break
        try:
            of = asked(group, w)
        except NotAsked:
            continue
        counts = over.counts(of.automaton, of.atoms, is_over)
        if counts is not None:
            told[w.of.name] = Answer(Verdict.HOLDS, counts[0], counts[1], wide=counts[2])
    return told


def answers(
    question: Question, group: Watch, budget: Budget, goes_on: bool, known: Mapping[str, Answer] = NOTHING
) -> Sequence[tuple[Watched, Answer]]:
    """Of the properties of a group, up to the first that is violated (`goes_on`: of all). `known`: by name, answers
    that were found before."""
    found: list[tuple[Watched, Answer]] = []
    for w in group.properties:
        if w.of.name in known:
            answer = known[w.of.name]
        elif any(f.live or f.picks is not None for f in question.fair):
            what = "live fairness" if any(f.live for f in question.fair) else "fair choices"
            answer = Answer(Verdict.INCONCLUSIVE, reason=f"has {what}, which is searched value by value")
        else:
            try:
                answer = PropertyCheck(question, asked(group, w), budget).answer()
            except NotAsked as why:
                answer = Answer(Verdict.INCONCLUSIVE, reason=str(why))
        found.append((w, answer))
        if answer.verdict is Verdict.PROPERTY and not goes_on or budget.interrupted():
            break
    return found
