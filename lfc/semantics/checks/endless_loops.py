"""LF0703: loops that may go round for ever without a scheduling point, so that nothing else runs any more.

A loop is reported if there is a way round without a scheduling point, and what decides to take that way again (its
condition, and the conditions of branches that leave or that lead to a scheduling point) cannot change on the way; or,
if other ways have a scheduling point, may stay as it is for ever, as an input may (ways_round.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.semantics.checks.accesses import WRITES, accesses
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.flow import GOES_ON, NEXT, NEXT_AFTER, ends_in_fault
from lfc.semantics.checks.ways_round import endless_way
from lfc.semantics.model import typed
from lfc.semantics.model.visit import constant_of, reads_input, subexpressions


def check_endless_loops(facts: Facts, diagnostics: Diagnostics) -> None:
    for body in facts.bodies.values():
        for statement in body.statements:
            if isinstance(statement, typed.Loop | typed.While | typed.Repeat):
                _check_loop(facts, statement, diagnostics)


def _check_loop(facts: Facts, loop: typed.Loop | typed.While | typed.Repeat, diagnostics: Diagnostics) -> None:
    condition: typed.Expr | None = None
    if isinstance(loop, typed.While):
        condition, stops = loop.condition, constant_of(loop.condition) == 0
    elif isinstance(loop, typed.Repeat):
        condition, stops = loop.until, constant_of(loop.until) == 1
    else:
        stops = False
    if stops or not facts.flow.sequence(loop.body) & NEXT:
        return
    round_trip = RoundTrip(facts)
    if condition is not None:
        round_trip.decide(condition)
    round_trip.follow(loop.body)
    keyword = type(loop).__name__.upper()
    if not round_trip.can_change:
        told, deciding = "may never reach a scheduling point", round_trip.deciding
        how = "does not change on the way round"
    else:
        way = endless_way(facts, loop.body, condition, int(isinstance(loop, typed.While)))
        if way is None:
            return
        told, deciding = "has a way round without a scheduling point", way.deciding
        how = "may stay so for ever"
    notes = [Note("while it goes round nothing else runs; a RESCHEDULE in its body would let others go on")]
    if deciding:
        names = ", ".join(sorted(f"`{v.name}`" for v in deciding))
        notes.insert(0, Note(f"what decides whether it goes on ({names}) {how}"))
    facts.report(diagnostics, "LF0703", loop.span, f"this {keyword} {told}", *notes, fix=rescheduling(loop))


def rescheduling(loop: typed.Loop | typed.While | typed.Repeat) -> Fix | None:
    """A RESCHEDULE at the end of the body, which every way round passes."""
    if not loop.body:
        return None
    last = loop.body[-1].span
    return Fix(Span(last.source, last.end, last.end), "; RESCHEDULE", "let others go on: `RESCHEDULE`")


class RoundTrip:
    """What decides over, and what changes on, the ways through a body that meet no scheduling point."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.deciding: set[typed.Variable] = set()
        self.written: set[typed.Variable] = set()
        self.input = False

    @property
    def can_change(self) -> bool:
        return self.input or not self._seen_through(self.deciding).isdisjoint(self._seen_through(self.written))

    def _seen_through(self, variables: set[typed.Variable]) -> set[typed.Variable]:
        """With what VAR parameters stand for."""
        return variables.union(*(self.facts.aliases.get(v, set()) for v in variables))

    def decide(self, condition: typed.Expr) -> None:
        self.deciding.update(e.variable for e in subexpressions(condition) if isinstance(e, typed.VariableRef))
        self.input |= reads_input(condition)

    def follow(self, body: Sequence[typed.Statement]) -> None:
        for statement in body:
            outcome = self.facts.flow.statement(statement)
            if outcome & NEXT or outcome & ~GOES_ON:
                self._pass(statement, outcome)
            if not outcome & NEXT:
                return

    def _pass(self, s: typed.Statement, outcome: int) -> None:
        if isinstance(s, typed.CallProcess):
            self._call(s, outcome)
            return
        if isinstance(s, typed.For):
            self.written.add(s.variable)
        if not isinstance(s, typed.If | typed.Case | typed.While | typed.Repeat | typed.For | typed.Loop):
            self.written.update(a.variable for a in accesses(s) if a.kind in WRITES)
            return
        conditions, branches = _conditions_and_branches(s)
        if any(self._turns_off(branch) for branch in branches):
            for condition in conditions:
                self.decide(condition)
        for branch in branches:
            if self.facts.flow.sequence(branch) & NEXT:
                self.follow(branch)

    def _turns_off(self, branch: Sequence[typed.Statement]) -> bool:
        """Whether this branch can do anything but go on without a scheduling point."""
        return self.facts.flow.sequence(branch) != NEXT or any(ends_in_fault(s) for s in branch)

    def _call(self, call: typed.CallProcess, outcome: int) -> None:
        reads, writes = self.facts.effects_of_call(call)
        self.written |= writes
        if outcome & NEXT_AFTER or outcome == 0:
            self.deciding |= reads
            for argument in call.arguments:
                self.decide(argument.value)
            effects = self.facts.effects.get(call.process)
            self.input |= effects is not None and effects.reads_input


def _conditions_and_branches(
    s: typed.If | typed.Case | typed.While | typed.Repeat | typed.For | typed.Loop,
) -> tuple[list[typed.Expr], list[list[typed.Statement]]]:
    match s:
        case typed.If():
            return [c for c, _ in s.branches], [body for _, body in s.branches] + [s.otherwise]
        case typed.Case():
            return [s.selector], [body for _, body in s.branches] + ([] if s.otherwise is None else [s.otherwise])
        case typed.While():
            return [s.condition], [s.body]
        case typed.Repeat():
            return [s.until], [s.body]
        case typed.For():
            return [s.low, s.high], [s.body]
        case typed.Loop():
            return [], [s.body]
