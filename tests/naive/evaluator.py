"""One step of a program, straight from its typed tree (docs/reference/machine.md, section 2). The naive second opinion:
it shares nothing with the compiler past that tree.

    state = State.initial(program)
    items = step(state, policy or recorded items)     changes `state`; a fault is in `state.fault`
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from lfc.base.source import Span
from lfc.semantics.expressions.system import PORTIN, PORTOUT
from lfc.semantics.model import typed
from lfc.semantics.model.types import Message, initial_value, scalar_range
from tests.naive.expressions import (
    CALLS,
    ENDLESS,
    ENVIRONMENT,
    NO_CASE,
    RANGE,
    Evaluation,
    Faulted,
)
from tests.naive.meeting import Meeting, guards_of, write_register
from tests.naive.monitors import Monitors
from tests.naive.policies import Divergence, FollowRecord, Item, Policy
from tests.naive.simple_statements import arguments_of, execute_simple
from tests.naive.state import (
    Activation,
    Frame,
    Position,
    State,
    Value,
    events_of,
)

ROUNDS = 1_000_000  # loop rounds and calls that one action may do


def step(state: State, how: Policy | Sequence[Sequence[object]], rounds: int = ROUNDS) -> list[Item]:
    """Changes the state; returns what was decided, what came in and what went out."""
    policy: Policy = FollowRecord(how) if isinstance(how, Sequence) else how
    stepping = Step(state, policy, rounds)
    try:
        stepping.take()
        stepping.count_alive()
    except Faulted as faulted:
        state.fault = faulted.fault
    if isinstance(policy, FollowRecord):
        policy.check_end()
        outputs = [item for item in stepping.items if item[0] in ("out", "write")]
        if policy.outputs and policy.outputs != outputs:
            raise Divergence(f"recorded output {policy.outputs}, but it is {outputs}")
    return stepping.items


def possible_events(state: State) -> list[Item]:
    """Every event that the next step can take."""
    if state.fault is not None:
        return []
    meeting = Meeting(state, FollowRecord([]), [])
    events: list[Item] = [["run", slot] for slot, a in enumerate(state.slots) if a is not None and a.ready]
    for number in [] if state.tables.environment else state.tables.interrupts:
        takers = [slot for slot in range(len(state.slots)) if taking_clause(state, meeting, slot, number) is not None]
        events.extend([["interrupt", number, slot] for slot in takers] or [["interrupt", number, None]])
    for slot, a in enumerate(state.slots):
        if a is None or a.wait is None:
            continue
        statement = a.frames[-1].at.statement
        if isinstance(statement, typed.Sleep):
            events.append(["wake", slot, None])
        elif isinstance(statement, typed.ConsoleRead):
            events.append(["console", slot, None])
        for clause, (event, wait) in enumerate(zip(events_of(statement), a.wait, strict=True)):
            if isinstance(event, typed.AfterEvent) and not wait.closed:
                events.append(["wake", slot, clause])
    return events


def taking_clause(state: State, meeting: Meeting, slot: int, number: int) -> int | None:
    """The clause with which a waiting process takes this interrupt."""
    a = state.slots[slot]
    if a is None or a.wait is None:
        return None
    statement = a.frames[-1].at.statement
    for clause, (event, guard) in enumerate(zip(events_of(statement), guards_of(statement), strict=True)):
        if isinstance(event, typed.Receive) and isinstance(event.port, typed.InterruptPort):
            if event.port.number == number and meeting.guard_lets_go(slot, guard):
                return clause
    return None


def is_left_by(loop: typed.Statement, s: typed.Exit) -> bool:
    if s.label is None:
        return isinstance(loop, typed.Loop)
    return isinstance(loop, typed.Loop | typed.While | typed.Repeat | typed.For) and loop.label is s.label


class Step:
    """One pass. `sequence`, `index`, `around` are the control of the running frame while an action runs."""

    def __init__(self, state: State, policy: Policy, rounds: int) -> None:
        self.state = state
        self.policy = policy
        self.items: list[Item] = []
        self.meeting = Meeting(state, policy, self.items)
        self.rounds_left = self.bound = rounds
        self.slot = 0
        self.sequence: list[typed.Statement] = []
        self.index = 0
        self.around: typed.Statement | None = None
        self.asked = 0  # the width of the read that an environment is to answer; 0: nobody asks
        self.answer = 0
        if state.tables.environment:
            self.meeting.access = self._access
        self.monitors = Monitors(self) if state.tables.monitors else None
        if self.monitors is not None:
            self.meeting.met = self.monitors.met

    # --- events ------------------------------------------------------------------------------------------------

    def take(self) -> None:
        event = self.policy.pick(possible_events(self.state))
        self.items.append(event)
        match event:
            case ["run", int(slot)]:
                self._run(slot)
            case ["interrupt", int(number), slot]:
                self.state.pending |= {number}
                if isinstance(slot, int):
                    self._deliver_interrupt(slot, number)
            case ["wake", int(slot), clause]:
                self.meeting.resume(slot, clause if isinstance(clause, int) else None)
            case ["console", int(slot), int(byte)]:
                wait = self._activation(slot).wait
                statement = self._statement_of(slot)
                assert wait is not None and isinstance(statement, typed.ConsoleRead)
                self._put_byte(slot, statement, wait[0].targets[0], byte)
                self.meeting.resume(slot, None)
            case _:
                raise Divergence(f"no event: {event}")

    def _activation(self, slot: int) -> Activation:
        activation = self.state.slots[slot]
        assert activation is not None
        return activation

    def _statement_of(self, slot: int) -> typed.Statement | None:
        return self._activation(slot).frames[-1].at.statement

    def _deliver_interrupt(self, slot: int, number: int) -> None:
        clause = taking_clause(self.state, self.meeting, slot, number)
        assert clause is not None
        statement = self._statement_of(slot)
        event, guard = events_of(statement)[clause], guards_of(statement)[clause]
        assert isinstance(event, typed.Receive)
        self.meeting.take_interrupt(slot, event, guard)
        self.meeting.resume(slot, clause)

    def _put_byte(self, slot: int, statement: typed.ConsoleRead, place: object, byte: int) -> None:
        access = self.meeting.access
        evaluation = Evaluation(self.state, slot, len(self._activation(slot).frames) - 1, None, self.items, access)
        if place is None:
            write_register(evaluation, statement.target, byte)
        else:
            evaluation.store(place, byte)  # type: ignore[arg-type]

    # --- an action ---------------------------------------------------------------------------------------------

    @property
    def frames(self) -> list[Frame]:
        return self._activation(self.slot).frames

    @property
    def here(self) -> Evaluation:
        here = Evaluation(self.state, self.slot, len(self.frames) - 1, self.policy, self.items, self.meeting.access)
        here.spend = self._round
        here.told = None if self.monitors is None else self.monitors.accessed
        return here

    def _run(self, slot: int) -> None:
        self.slot = slot
        self._go_on_from(self.frames[-1].at)
        running = True
        while running:
            if self.index < len(self.sequence):
                running = self._execute(self.sequence[self.index])
            else:
                running = self._end_of_sequence()

    def _go_on_from(self, at: Position) -> None:
        statement = at.statement
        match at.kind, statement:
            case "start", _:
                if self.monitors is not None:
                    self.monitors.called(self.frames[-1], typed.Occasion.CALL)
                self._enter(self.state.tables.body(self.frames[-1].process), None)
            case "clause", typed.Select():
                assert at.clause is not None
                self._enter(statement.clauses[at.clause].body, statement)
            case "else", typed.Select():
                assert statement.otherwise is not None
                self._enter(statement.otherwise, statement)
            case "choice", typed.Choice():
                branch = self.policy.choice(len(statement.branches))
                self.items.append(["choice", branch])
                self._enter(statement.branches[branch], statement)
            case (("after" | "reschedule" | "return"), typed.Statement()):
                self._behind(statement)
            case _:
                raise AssertionError(f"no action starts at {at}")

    def _enter(self, sequence: list[typed.Statement], around: typed.Statement | None) -> None:
        self.sequence, self.index, self.around = sequence, 0, around

    def _behind(self, statement: typed.Statement) -> None:
        self.sequence, self.index, self.around = self.state.tables.home[statement]
        self.index += 1

    def _round(self, span: Span) -> None:
        self.rounds_left -= 1
        if self.rounds_left < 0:
            raise Faulted(ENDLESS, span, self.bound)

    def _stop(self, kind: str, statement: typed.Statement) -> bool:
        self.frames[-1].at = Position(kind, statement)
        return False

    def _end_of_sequence(self) -> bool:
        """False when that ends the action."""
        around = self.around
        match around:
            case None:
                return self._end_of_body()
            case typed.While() | typed.Loop():
                self._round(around.span)
                self._start_loop(around)
            case typed.Repeat():
                if self.here.integer(around.until):
                    self._behind(around)
                else:
                    self._round(around.span)
                    self._enter(around.body, around)
            case typed.For():
                self._next_round_of_for(around)
            case _:
                self._behind(around)
        return True

    def _start_loop(self, loop: typed.While | typed.Loop) -> None:
        if isinstance(loop, typed.While) and not self.here.integer(loop.condition):
            self._behind(loop)
        else:
            self._enter(loop.body, loop)

    def _end_of_body(self) -> bool:
        if self.monitors is not None:
            self.monitors.called(self.frames[-1], typed.Occasion.RETURN)
            if len(self.frames) == 1 and self._is_last():
                self.monitors.ended()
        if len(self.frames) == 1:
            self.state.slots[self.slot] = None
            return False
        self.frames.pop()
        at = self.frames[-1].at
        assert at.kind == "return" and at.statement is not None
        self._behind(at.statement)
        return True

    def count_alive(self) -> None:
        """What a monitor with AT END counts: it is part of a state."""
        tables = self.state.tables
        first = [a.frames[0].process for a in self.state.slots if a is not None]
        live = sum(p is None or not (p.server or p.module in tables.environment) for p in first)
        for counter in [m.alive for m in tables.monitors if m.alive is not None]:
            self.state.modules[counter] = live

    def _is_last(self) -> bool:
        """Whether with the running process the last one of the program ends that is no server."""
        others = [a.frames[0].process for slot, a in enumerate(self.state.slots) if a is not None and slot != self.slot]
        mine = self.frames[0].process
        live = [p for p in [mine, *others] if p is None or not (p.server or p.module in self.state.tables.environment)]
        return live == [mine]

    def _leave(self, is_left: Callable[[typed.Statement], bool], statement: typed.Statement) -> typed.Statement | None:
        """Outward to the statement that is left, or out of the body; limits of FORs left on the way are zero."""
        around = self.state.tables.home[statement].around
        while around is not None and not is_left(around):
            if isinstance(around, typed.For):
                self._reset_limit(around)
            around = self.state.tables.home[around].around
        if isinstance(around, typed.For):
            self._reset_limit(around)
        return around

    # --- FOR ---------------------------------------------------------------------------------------------------

    def _set_variable(self, variable: typed.Variable, value: Value) -> None:
        evaluation = self.here
        evaluation.store(evaluation.variable(variable), value)

    def _reset_limit(self, loop: typed.For) -> None:
        if loop.limit is not None:
            self._set_variable(loop.limit, 0)
        if loop.own:
            self._set_variable(loop.variable, initial_value(loop.variable.type))

    def _start_for(self, loop: typed.For) -> None:
        low = self.here.integer(loop.low)
        self._set_variable(loop.variable, low)
        high = self.here.integer(loop.high)  # sees the variable as it has been set, as in Oberon-07
        if loop.limit is not None:
            self._set_variable(loop.limit, high)
        self._test_for(loop, low, high)

    def _test_for(self, loop: typed.For, value: int, high: int) -> None:
        if value <= high if loop.by > 0 else value >= high:
            self._enter(loop.body, loop)
        else:
            self._reset_limit(loop)
            self._behind(loop)

    def _next_round_of_for(self, loop: typed.For) -> None:
        evaluation = self.here
        value = evaluation.load(evaluation.variable(loop.variable))
        if loop.limit is None:
            high = evaluation.value(loop.high)
        else:
            high = evaluation.load(evaluation.variable(loop.limit))
        assert isinstance(value, int) and isinstance(high, int)
        low_bound, high_bound = scalar_range(loop.variable.type)
        following = value + loop.by
        if not low_bound <= following <= high_bound:
            self._reset_limit(loop)
            self._behind(loop)
            return
        self._round(loop.span)
        self._set_variable(loop.variable, following)
        self._test_for(loop, following, high)

    # --- statements --------------------------------------------------------------------------------------------

    def _execute(self, s: typed.Statement) -> bool:
        """False when the action ends with it."""
        match s:
            case typed.Send(port=typed.IoPort()):
                self._give(s)
                self.index += 1
            case typed.CreateProcess() if s.process in self.state.tables.environment_processes:
                before = [slot for slot, a in enumerate(self.state.slots) if a is None]
                execute_simple(self.here, s)
                self._round(s.span)
                self._within(next(slot for slot in before if self.state.slots[slot] is not None))
                self.index += 1
            case typed.Send() | typed.Receive() | typed.Select() | typed.Sleep() | typed.ConsoleRead():
                self._attempt(s)
                return False
            case typed.Reschedule():
                return self._stop("reschedule", s)
            case typed.Choice():
                return self._stop("choice", s)
            case typed.CallProcess():
                self._call(s)
            case typed.If():
                body = next((body for condition, body in s.branches if self.here.integer(condition)), s.otherwise)
                self._enter(body, s)
            case typed.Case():
                self._case(s)
            case typed.While() | typed.Loop():
                self._start_loop(s)
            case typed.Repeat():
                self._enter(s.body, s)
            case typed.For():
                self._start_for(s)
            case typed.Exit():
                loop = self._leave(lambda around: is_left_by(around, s), s)
                assert loop is not None
                self._behind(loop)
            case typed.Return():
                self._return(s)
            case _:
                execute_simple(self.here, s)
                self.index += 1
        return True

    def _return(self, s: typed.Statement) -> None:
        self._leave(lambda around: False, s)
        if self.frames[-1].process is not None:
            self._enter([], None)
            return
        tables = self.state.tables  # the initialisation of one module ends, the next one follows
        while (home := tables.home[s]).around is not None:
            s = home.around
        self._enter(tables.initialisation, None)
        self.index = tables.module_end[home.at]

    def _case(self, s: typed.Case) -> None:
        value = self.here.integer(s.selector)
        for labels, body in s.branches:
            if any(low <= value <= high for low, high in labels):
                self._enter(body, s)
                return
        if s.otherwise is None:
            raise Faulted(NO_CASE, s.span, value)
        self._enter(s.otherwise, s)

    # --- processes ---------------------------------------------------------------------------------------------

    def _call(self, s: typed.CallProcess) -> None:
        variables = arguments_of(self.here, s.process, s.arguments)
        frames = self.frames
        bound = self.state.bounds.calls.get(s.process)
        if bound is not None and sum(f.process is s.process for f in frames[1:]) >= bound:
            raise Faulted(CALLS, s.span, bound)
        self._round(s.span)
        enclosing = -1
        if s.process.parent is not None:
            enclosing = len(frames) - 1
            while frames[enclosing].process is not s.process.parent:
                enclosing = frames[enclosing].enclosing
        self.frames[-1].at = Position("return", s)
        frames.append(Frame(s.process, variables, Position("start"), enclosing))
        if self.monitors is not None:
            self.monitors.called(frames[-1], typed.Occasion.CALL)
        self._enter(s.process.body, None)

    def _attempt(self, s: typed.Statement) -> None:
        here = self.here
        parts = zip(events_of(s), guards_of(s), strict=True)
        prepared = [(self.meeting.prepare(here, event, guard), self.meeting.duration) for event, guard in parts]
        wait = tuple(w for w, _ in prepared)
        if isinstance(s, typed.ConsoleRead):
            byte = self.policy.console_in()
            if byte is not None:
                self.items.append(["read", byte])
                self._put_byte(self.slot, s, wait[0].targets[0], byte)
                self._stop("after", s)
                return
        alternatives = self.meeting.partners(self.slot, s, wait)
        if alternatives:
            chosen = self.policy.meet(alternatives)
            self.items.append(chosen)
            self.meeting.meet(self.slot, s, wait, chosen)
        elif isinstance(s, typed.Select) and s.otherwise is not None:
            self._stop("else", s)
        elif isinstance(s, typed.Send) and isinstance(s.port, typed.InterruptPort):
            self.meeting.raise_interrupt(s.port.number, None)
            self._stop("after", s)
        else:
            self._stop("waiting", s)
            self._activation(self.slot).wait = wait
            self._activation(self.slot).began = tuple(duration for _, duration in prepared)
            if not isinstance(s, typed.Sleep | typed.ConsoleRead):
                self.state.arrivals.append(self.slot)

    # --- the environment ---------------------------------------------------------------------------------------

    def _within(self, slot: int) -> None:
        """The next action of another process, inside of this one."""
        before = self.slot, self.sequence, self.index, self.around
        self._run(slot)
        self.slot, self.sequence, self.index, self.around = before

    def _access(self, width: int, address: int, value: int | None, span: Span) -> int:
        """An environment process that waits for it runs on to its next scheduling point; a CHOICE is none."""
        message = PORTIN if value is None else PORTOUT
        values = (width, address) if value is None else (width, address, value)
        found = self._who_waits_for(message, values)
        ran: set[int] = set()
        while not found:
            ready = [] if self._is_of_environment(self.slot) else self._who_may_run_on(ran)
            if not ready:
                raise Faulted(ENVIRONMENT, span, address, width)
            goes = self.policy.meet(ready)
            self.items.append(goes)
            assert isinstance(goes[2], int)
            ran.add(goes[2])
            self._run_on(goes[2])
            found = self._who_waits_for(message, values)
        chosen = self.policy.meet(found)
        self.items.append(chosen)
        taker = chosen[2]
        assert isinstance(taker, int)
        slot = taker
        clause = chosen[3] if isinstance(chosen[3], int) else None
        activation = self._activation(slot)
        place = activation.frames[-1].at.statement
        event, guard = events_of(place)[clause or 0], guards_of(place)[clause or 0]
        assert isinstance(event, typed.Receive) and activation.wait is not None
        outer = self.asked, self.answer
        self.asked = width if value is None else 0
        self.meeting.transfer(slot, event, guard, activation.wait[clause or 0], values)
        self.meeting.resume(slot, clause)
        again = True
        while again:
            self._round(self._program_span())
            self._within(slot)
            now = self.state.slots[slot]
            again = now is not None and now.frames[-1].at.kind == "choice"
        if value is None and self.asked:
            raise Faulted(ENVIRONMENT, span, address, width)
        given = self.answer
        self.asked, self.answer = outer
        return given

    def _who_waits_for(self, message: Message, values: tuple[int, ...]) -> list[Item]:
        found: list[Item] = []
        for slot, a in enumerate(self.state.slots):
            if a is None or a.wait is None:
                continue
            place = a.frames[-1].at.statement
            parts = zip(events_of(place), guards_of(place), a.wait, strict=True)
            for index, (event, guard, wait) in enumerate(parts):
                if isinstance(event, typed.Receive) and event.message is message:
                    if self.meeting.fits(slot, event, guard, wait, values):
                        found.append(["meet", None, slot, index if isinstance(place, typed.Select) else None])
        return found

    def _is_of_environment(self, slot: int) -> bool:
        return self._activation(slot).frames[0].process in self.state.tables.environment_processes

    def _who_may_run_on(self, ran: set[int]) -> list[Item]:
        """Processes of the environment that are ready, and whose text has a receive of an access."""
        return [
            ["meet", None, slot, None]
            for slot, a in enumerate(self.state.slots)
            if a is not None and a.ready and slot not in ran and a.frames[0].process in self.state.tables.answering
        ]

    def _run_on(self, slot: int) -> None:
        """Until it waits or ends, and from each position at most as often as there are slots."""
        outer, self.asked = self.asked, 0
        been: Counter[tuple[object, ...]] = Counter()
        while (now := self.state.slots[slot]) is not None and now.ready:
            at = now.frames[-1].at
            here = at.kind, at.statement, at.clause, now.frames[-1].process
            if been[here] == len(self.state.slots):
                break
            been[here] += 1
            self._round(self._program_span())
            self._within(slot)
        self.asked = outer

    def _program_span(self) -> Span:
        main = self.state.tables.program.main
        return main.span or Span(main.source, 0, 0)

    def _give(self, s: typed.Send) -> None:
        value = self.here.integer(s.values[0])
        if not self.asked:
            raise Faulted(ENVIRONMENT, s.span)
        if value >> self.asked:
            raise Faulted(RANGE, s.span, value)
        self.answer, self.asked = value, 0
