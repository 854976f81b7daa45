"""How control leaves statements, and whether a scheduling point lies on the way.

An outcome is a set of bits: control goes on, leaves the innermost LOOP or returns, each without having met a
scheduling point or after one. No bit at all: control never gets past.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from lfc.semantics.model import typed
from lfc.semantics.model.visit import constant_of, rounds_of

Callers = Mapping[typed.Process, Iterable[typed.Process]]

NEXT, NEXT_AFTER, EXIT, EXIT_AFTER, RETURN, RETURN_AFTER = (1 << n for n in range(6))
GOES_ON = NEXT | NEXT_AFTER
LEAVES_LOOP = EXIT | EXIT_AFTER
RETURNS = RETURN | RETURN_AFTER
MOST_BITS = 256  # two for each of the ways above, and for each named loop that an EXIT leaves
AFTER_POINT = sum(2 << n for n in range(0, MOST_BITS, 2))
WITHOUT_POINT = AFTER_POINT >> 1


def after_point(outcome: int) -> int:
    """The same outcomes, a scheduling point lying before them."""
    return (outcome & AFTER_POINT) | (outcome & WITHOUT_POINT) << 1


class Waiting:
    """Processes to look at: each at least once, and again when something was found out about what it calls."""

    def __init__(self, processes: Iterable[typed.Process], callers: Callers) -> None:
        self.callers = callers
        # What is declared first is mostly called by what comes later.
        self.queue = dict.fromkeys(reversed(list(processes)))

    def __iter__(self) -> Iterator[typed.Process]:
        while self.queue:
            process, _ = self.queue.popitem()
            yield process

    def changed(self, process: typed.Process) -> None:
        self.queue.update(dict.fromkeys(self.callers.get(process, ())))


class Flow:
    """Outcomes of statements, given what calls of each process lead to (which grows until it is stable)."""

    def __init__(self, processes: Iterable[typed.Process], callers: Callers) -> None:
        self.calls: dict[typed.Process, int] = {}
        self._known: dict[int, int] = {}
        self._labels: dict[int, int] = {}
        self._stable = False
        waiting = Waiting(processes, callers)
        for process in waiting:
            outcome = self.sequence(process.body)
            called = (NEXT if outcome & (NEXT | RETURN) else 0) | (
                NEXT_AFTER if outcome & (NEXT_AFTER | RETURN_AFTER) else 0
            )
            if called != self.calls.get(process, 0):
                self.calls[process] = called
                waiting.changed(process)
        self._stable = True

    def sequence(self, body: Sequence[typed.Statement]) -> int:
        """A process of which nothing is known yet never comes back: so the least solution is found."""
        state, left = NEXT, 0
        for statement in body:
            outcome = self.statement(statement)
            reached = (outcome if state & NEXT else 0) | (after_point(outcome) if state & NEXT_AFTER else 0)
            left |= reached & ~GOES_ON
            state = reached & GOES_ON
            if not state:
                break
        return state | left

    def statement(self, statement: typed.Statement) -> int:
        if not self._stable:
            return self._outcome(statement)
        known = self._known.get(id(statement))
        if known is None:
            known = self._known[id(statement)] = self._outcome(statement)
        return known

    def _outcome(self, s: typed.Statement) -> int:
        outcome = self._own_outcome(s)
        label = s.label if isinstance(s, typed.While | typed.Repeat | typed.For | typed.Loop) else None
        if label is None:
            return outcome
        leaves = self._leaves(label)
        found = outcome & ~(leaves | leaves << 1)
        return found | (NEXT if outcome & leaves else 0) | (NEXT_AFTER if outcome & leaves << 1 else 0)

    def _leaves(self, label: typed.LoopLabel) -> int:
        """The bit of leaving this loop by its name; the next one is that of doing so after a point. Beyond the room for
        them it is like a RETURN: what comes behind is looked at as if this did not reach it."""
        number = self._labels.setdefault(id(label), len(self._labels))
        return 1 << 6 + 2 * number if 8 + 2 * number <= MOST_BITS else RETURN

    def _own_outcome(self, s: typed.Statement) -> int:
        match s:
            case typed.Exit():
                return EXIT if s.label is None else self._leaves(s.label)
            case typed.Return():
                return RETURN
            case typed.CallProcess():
                return self.calls.get(s.process, 0)
            case typed.If():
                return self._any([body for _, body in s.branches] + [s.otherwise])
            case typed.Case():
                return self._any([body for _, body in s.branches] + ([] if s.otherwise is None else [s.otherwise]))
            case typed.Select():
                branches = [clause.body for clause in s.clauses]
                return after_point(self._any(branches + ([] if s.otherwise is None else [s.otherwise])))
            case typed.Choice():
                return after_point(self._any(s.branches))
            case typed.While():
                return self._while(s)
            case typed.Repeat():
                return self._repeat(s)
            case typed.For():
                return self._for(s)
            case typed.Loop():
                return self._loop(s)
        return NEXT_AFTER if is_scheduling_point(s) or ends_in_fault(s) else NEXT

    def _any(self, branches: Sequence[Sequence[typed.Statement]]) -> int:
        outcome = 0
        for body in branches:
            outcome |= self.sequence(body)
        return outcome

    def _around(self, body: int) -> int:
        """The outcomes of a body that may have run several times: what follows a round with a point comes after it."""
        return body | after_point(body) if body & NEXT_AFTER else body

    def _while(self, s: typed.While) -> int:
        constant = constant_of(s.condition)
        if constant == 0:
            return NEXT
        body = self._around(self.sequence(s.body))
        return body & ~GOES_ON if constant is not None else body | NEXT

    def _repeat(self, s: typed.Repeat) -> int:
        constant = constant_of(s.until)
        body = self.sequence(s.body)
        if constant is None:
            return self._around(body)
        return self._around(body) & ~GOES_ON if constant == 0 else body

    def _for(self, s: typed.For) -> int:
        rounds = rounds_of(s)
        if rounds == 0:
            return NEXT
        body = self._around(self.sequence(s.body))
        return body if rounds is not None else body | NEXT

    def _loop(self, s: typed.Loop) -> int:
        body = self._around(self.sequence(s.body))
        outcome = body & ~(GOES_ON | LEAVES_LOOP)
        if body & EXIT:
            outcome |= NEXT
        if body & EXIT_AFTER:
            outcome |= NEXT_AFTER
        return outcome


def is_scheduling_point(s: typed.Statement) -> bool:
    """What an environment answers with SYSTEM.IOPORT!VALUE does not end its action."""
    if isinstance(s, typed.Send):
        return not isinstance(s.port, typed.IoPort)
    return isinstance(
        s,
        typed.Receive
        | typed.Select
        | typed.Choice
        | typed.Reschedule
        | typed.Sleep
        | typed.ConsoleRead
        # Not a scheduling point, but no way around either: the automaton does not go on from here.
        | typed.NoMove,
    )


def ends_in_fault(s: typed.Statement) -> bool:
    return isinstance(s, typed.Assert) and constant_of(s.condition) == 0
