"""Ways through a loop's body that meet no scheduling point, while others do: can one of them be taken for ever?

It can if what decides on it depends on nothing that the rounds before have counted: on inputs, on what the way itself
sets, and on what nobody changes. Where that is not seen, no such way is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.feasible import Decided, Event, Written, has_witness
from lfc.semantics.checks.flow import NEXT, NEXT_AFTER, ends_in_fault
from lfc.semantics.model import typed
from lfc.semantics.model.visit import constant_of, reads_clock, statements, subexpressions

MOST_WAYS = 64
TRUE, FALSE = [(1, 1)], [(0, 0)]

Variables = set[typed.Variable]
Conditional = typed.If | typed.Case


class TooManyWays(Exception):
    pass


@dataclass(slots=True)
class Way:
    events: list[Event] = field(default_factory=list)
    deciding: Variables = field(default_factory=set)
    depends: dict[typed.Variable, Variables] = field(default_factory=dict)  # written -> on what
    progress: Variables = field(default_factory=set)  # that changes from round to round by itself: the time
    by_time: bool = False
    decisions: list[typed.Expr] = field(default_factory=list)

    def copy(self) -> Way:
        depends = {v: set(d) for v, d in self.depends.items()}
        found = Way(list(self.events), set(self.deciding), depends, set(self.progress), self.by_time)
        found.decisions = list(self.decisions)
        return found

    def decide(self, condition: typed.Expr, ranges: Sequence[tuple[int, int]], inside: bool = True) -> None:
        self.events.append(Decided(condition, ranges, inside))
        self.decisions.append(condition)
        self.deciding |= read_in(condition)
        self.by_time |= reads_clock(condition)

    def write(self, written: Iterable[typed.Variable], reads: Variables, value: typed.Expr | None = None) -> None:
        written = set(written)
        if written:
            self.events.append(Written(written, value))
            for variable in written:
                self.depends.setdefault(variable, set()).update(reads)


def endless_way(
    facts: Facts, body: Sequence[typed.Statement], condition: typed.Expr | None, goes_on: int
) -> Way | None:
    """`condition`: of WHILE (goes on with 1) or REPEAT (with 0)."""
    if not facts.flow.sequence(body) & NEXT_AFTER:
        return None
    start = Way()
    if condition is not None:
        start.decide(condition, [(goes_on, goes_on)])
    walk = Walk(facts)
    try:
        ways = walk.follow(body, [start])
    except TooManyWays:
        return None
    return next((w for w in ways if walk.can_be_taken_for_ever(w)), None)


class Walk:
    def __init__(self, facts: Facts) -> None:
        self.facts = facts

    def follow(self, body: Sequence[typed.Statement], ways: list[Way]) -> list[Way]:
        """The ways to the end of a sequence that meet no scheduling point."""
        for statement in body:
            outcome = self.facts.flow.statement(statement)
            if not outcome & NEXT:
                return []
            ways = [after for way in ways for after in self._past(statement, outcome, way)]
            if len(ways) > MOST_WAYS:
                raise TooManyWays
        return ways

    def _past(self, s: typed.Statement, outcome: int, way: Way) -> list[Way]:
        if isinstance(s, typed.If) and self._forks(s):
            return self._past_if(s, way)
        if isinstance(s, typed.Case) and self._forks(s):
            return self._past_case(s, way)
        if isinstance(s, typed.CallProcess):
            self._call(s, outcome, way)
        elif isinstance(s, typed.If | typed.Case | typed.While | typed.Repeat | typed.For | typed.Loop):
            self._compound(s, outcome, way)
        else:
            self._simple(s, way)
        return [way]

    def _forks(self, s: Conditional) -> bool:
        branches = [body for _, body in s.branches] + ([] if s.otherwise is None else [s.otherwise])
        return any(self.facts.flow.sequence(b) != NEXT or any(ends_in_fault(x) for x in b) for b in branches)

    def _past_if(self, s: typed.If, way: Way) -> list[Way]:
        found: list[Way] = []
        so_far = way
        for condition, body in s.branches:
            if constant_of(condition) != 0:
                taken = so_far.copy()
                taken.decide(condition, TRUE)
                found += self.follow(body, [taken])
            if constant_of(condition) == 1:
                return found
            so_far = so_far.copy()
            so_far.decide(condition, FALSE)
        return found + self.follow(s.otherwise, [so_far])

    def _past_case(self, s: typed.Case, way: Way) -> list[Way]:
        found: list[Way] = []
        for ranges, body in s.branches:
            taken = way.copy()
            taken.decide(s.selector, ranges)
            found += self.follow(body, [taken])
        if s.otherwise is not None:
            taken = way.copy()
            taken.decide(s.selector, [r for ranges, _ in s.branches for r in ranges], inside=False)
            found += self.follow(s.otherwise, [taken])
        return found

    def _simple(self, s: typed.Statement, way: Way) -> None:
        reads, written = self._effects(s)
        whole = isinstance(s, typed.Assign) and isinstance(s.target, typed.VariableRef)
        way.write(written, reads, s.value if isinstance(s, typed.Assign) and whole else None)
        if isinstance(s, typed.Assign) and reads_clock(s.value):
            way.progress |= written

    def _call(self, call: typed.CallProcess, outcome: int, way: Way) -> None:
        reads, written = self._effects(call)
        way.write(written, reads)
        effects = self.facts.effects.get(call.process)
        by_time = (effects is not None and effects.reads_clock) or any(reads_clock(a.value) for a in call.arguments)
        if by_time:
            way.progress |= written
        if outcome != NEXT:  # it decides whether there is a scheduling point
            way.deciding |= reads
            way.by_time |= by_time

    def _compound(self, s: typed.Statement, outcome: int, way: Way) -> None:
        """Not looked into: all that is written in it depends on all that is read in it."""
        reads: Variables = set()
        written: Variables = set()
        counted: Variables = set()
        inside = list(statements([s]))
        for part in inside:
            read, changed = self._effects(part)
            reads |= read
            if isinstance(part, typed.For):
                counted.add(part.variable)
            else:
                written |= changed
            if isinstance(part, typed.Assign) and reads_clock(part.value):
                way.progress |= changed
            if isinstance(part, typed.CallProcess):
                effects = self.facts.effects.get(part.process)
                if effects is not None and effects.reads_clock:
                    way.progress |= changed
        reads -= counted - written  # a FOR sets its variable before it is read
        way.write(written, reads)
        way.write(counted - written, set())
        if outcome != NEXT:
            way.deciding |= reads

    def _effects(self, s: typed.Statement) -> tuple[Variables, Variables]:
        reads: Variables = set()
        written: Variables = set()
        for access in accesses(s):
            if access.kind in WRITES:
                written.add(access.variable)
            if access.kind is Kind.STEP or access.kind not in WRITES | {Kind.ARGUMENT}:
                reads.add(access.variable)
        if isinstance(s, typed.CallProcess):
            more_read, more_written = self.facts.effects_of_call(s)
            reads |= more_read
            written |= more_written
        return {v for v in reads if not v.outside}, {v for v in written if not v.outside}

    def can_be_taken_for_ever(self, way: Way) -> bool:
        if way.by_time or any(self._is_carried(v, way) for v in self._with_aliases(way.deciding)):
            return False
        return has_witness(way.events, rounds=2)

    def _is_carried(self, variable: typed.Variable, way: Way) -> bool:
        """Whether its value can depend on how many rounds there were."""
        seen: Variables = set()
        waiting = [variable]
        while waiting:
            current = waiting.pop()
            if current in way.progress:
                return True
            for source in self._with_aliases(way.depends.get(current, set())):
                if source in way.depends and self._reaches(source, source, way):
                    return True
                if source not in seen:
                    seen.add(source)
                    waiting.append(source)
        return self._reaches(variable, variable, way)

    def _reaches(self, start: typed.Variable, end: typed.Variable, way: Way) -> bool:
        seen: Variables = set()
        waiting = list(self._with_aliases(way.depends.get(start, set())))
        while waiting:
            current = waiting.pop()
            if current is end:
                return True
            if current not in seen:
                seen.add(current)
                waiting += self._with_aliases(way.depends.get(current, set()))
        return False

    def _with_aliases(self, variables: Variables) -> Variables:
        """With what VAR parameters stand for."""
        return variables.union(*(self.facts.aliases.get(v, set()) for v in variables))


def read_in(expression: typed.Expr) -> Variables:
    return {
        e.variable for e in subexpressions(expression) if isinstance(e, typed.VariableRef) if not e.variable.outside
    }
