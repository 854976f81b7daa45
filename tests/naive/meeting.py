"""Who can meet whom, and what happens when they do."""

from __future__ import annotations

from collections.abc import Callable

from lfc.semantics.model import typed
from lfc.semantics.model.types import Message, size_and_signedness
from tests.naive.expressions import NO_CHANNEL, Access, Evaluation, Faulted, converted, fitted, string_of
from tests.naive.policies import Item, Policy
from tests.naive.state import ClauseWait, Place, Position, State, Value, events_of, frozen, thawed

LONGEST = (1 << 31) - 1  # milliseconds; what is longer counts as that long


def guards_of(statement: typed.Statement | None) -> list[typed.Expr | None]:
    return [clause.guard for clause in statement.clauses] if isinstance(statement, typed.Select) else [None]


class Meeting:
    """Communication in a state; `policy` and `items` are those of the running action."""

    def __init__(self, state: State, policy: Policy, items: list[Item]) -> None:
        self.state = state
        self.policy = policy
        self.items = items
        self.duration: int | None = None  # of what was prepared last, if it waits for time
        self.access: Access | None = None  # the environment's answer to an access of a port
        self.met: Callable[[Message, int, tuple[object, ...]], None] | None = None  # for monitors

    # --- what a process brings along ---------------------------------------------------------------------------

    def prepare(self, evaluation: Evaluation, event: typed.Statement, guard: typed.Expr | None) -> ClauseWait:
        """Ports, values and targets are evaluated once, here; so is the guard of a send or of a time, before them."""
        self.duration = None
        match event:
            case typed.Send():
                channel = self._channel(evaluation, event.port)
                if guard is not None and not self._holds(evaluation.slot, guard):
                    return ClauseWait(closed=True)
                values = [
                    frozen(fitted(evaluation.value(v), t))
                    for v, t in zip(event.values, event.message.types, strict=True)
                ]
                return ClauseWait(channel=channel, values=tuple(values))
            case typed.Receive():
                channel = self._channel(evaluation, event.port)
                places = [
                    None if t.designator is None else place_or_register(evaluation, t.designator) for t in event.targets
                ]
                return ClauseWait(channel=channel, targets=tuple(places))
            case typed.AfterEvent() | typed.Sleep():
                if guard is not None and not self._holds(evaluation.slot, guard):
                    return ClauseWait(closed=True)
                self.duration = min(evaluation.integer(event.milliseconds), LONGEST)
                return ClauseWait()
            case typed.ConsoleRead():
                return ClauseWait(targets=(place_or_register(evaluation, event.target),))
        raise TypeError(f"no event: {type(event).__name__}")

    def _channel(self, evaluation: Evaluation, port: typed.Expr) -> int:
        if isinstance(port, typed.InterruptPort | typed.IoPort):
            return 0
        channel = evaluation.integer(port)
        if channel == 0:
            raise Faulted(NO_CHANNEL, port.span)
        return channel

    def _holds(self, slot: int, guard: typed.Expr) -> bool:
        activation = self.state.slots[slot]
        assert activation is not None
        return bool(Evaluation(self.state, slot, len(activation.frames) - 1, None, []).integer(guard))

    # --- who can go --------------------------------------------------------------------------------------------

    def partners(self, slot: int, statement: typed.Statement, wait: tuple[ClauseWait, ...]) -> list[Item]:
        """Every way in which the attempt of this process can end in a meeting."""
        found: list[Item] = []
        select = isinstance(statement, typed.Select)
        parts = zip(events_of(statement), guards_of(statement), wait, strict=True)
        for own, (event, guard, mine) in enumerate(parts):
            if mine.closed or not isinstance(event, typed.Send | typed.Receive):
                continue
            own_clause = own if select else None
            if isinstance(event.port, typed.InterruptPort) and isinstance(event, typed.Send):
                found += [["take", own_clause]] if select else self.takers(event.port.number)
                continue
            if isinstance(event.port, typed.InterruptPort):
                if event.port.number in self.state.pending and self.guard_lets_go(slot, guard):
                    found.append(["take", own_clause])
                continue
            for other, activation in enumerate(self.state.slots):
                if activation is None or activation.wait is None:
                    continue
                place = activation.frames[-1].at.statement
                other_select = isinstance(place, typed.Select)
                if select and other_select:
                    continue
                theirs = zip(events_of(place), guards_of(place), activation.wait, strict=True)
                for index, (their_event, their_guard, their_wait) in enumerate(theirs):
                    if their_wait.closed or not complementary(event, mine, their_event, their_wait):
                        continue
                    if isinstance(event, typed.Send):
                        assert isinstance(their_event, typed.Receive)
                        fits = self.fits(other, their_event, their_guard, their_wait, mine.values)
                    else:
                        fits = self.fits(slot, event, guard, mine, their_wait.values)
                    if fits:
                        found.append(["meet", own_clause, other, index if other_select else None])
        return found

    def takers(self, number: int) -> list[Item]:
        """Who waits for an interrupt that an environment raises by a plain communication."""
        found: list[Item] = []
        for other, activation in enumerate(self.state.slots):
            if activation is None or activation.wait is None:
                continue
            place = activation.frames[-1].at.statement
            for index, (event, guard) in enumerate(zip(events_of(place), guards_of(place), strict=True)):
                if isinstance(event, typed.Receive) and isinstance(event.port, typed.InterruptPort):
                    if event.port.number == number and self.guard_lets_go(other, guard):
                        found.append(["meet", None, other, index if isinstance(place, typed.Select) else None])
        return found

    def raise_interrupt(self, number: int, item: Item | None) -> None:
        """The one that is named takes it; nobody: it is pending."""
        if item is None:
            self.state.pending |= {number}
            return
        other, clause = item[2], item[3] if isinstance(item[3], int) else None
        assert isinstance(other, int)
        activation = self.state.slots[other]
        assert activation is not None
        guard = guards_of(activation.frames[-1].at.statement)[clause or 0]
        if guard is not None:
            assert self._holds(other, guard)  # it may fault
        self.resume(other, clause)

    def guard_lets_go(self, slot: int, guard: typed.Expr | None) -> bool:
        """A guard that faults is an alternative of its own."""
        try:
            return guard is None or self._holds(slot, guard)
        except Faulted:
            return True

    def fits(
        self,
        slot: int,
        event: typed.Receive,
        guard: typed.Expr | None,
        wait: ClauseWait,
        values: tuple[object, ...],
    ) -> bool:
        """Whether the receiver takes these values: constants match, the guard holds with the values in place."""
        for target, value in zip(event.targets, values, strict=True):
            if target.constant is not None and not same_constant(target.constant, value):
                return False
        undo: list[tuple[Place, Value]] = []
        try:
            self.deliver(slot, event, wait, values, undo)
            return guard is None or self._holds(slot, guard)
        except Faulted:
            return True
        finally:
            for place, old in reversed(undo):
                self._evaluation(slot).store(place, old)

    def _evaluation(self, slot: int) -> Evaluation:
        activation = self.state.slots[slot]
        assert activation is not None
        return Evaluation(self.state, slot, len(activation.frames) - 1, None, [], self.access)

    # --- what happens ------------------------------------------------------------------------------------------

    def deliver(
        self,
        slot: int,
        event: typed.Receive,
        wait: ClauseWait,
        values: tuple[object, ...],
        undo: list[tuple[Place, Value]] | None = None,
    ) -> None:
        """Assigns as by `:=`, in order. With `undo` it is a trial: nothing is written to a device."""
        evaluation = self._evaluation(slot)
        for target, place, sent in zip(event.targets, wait.targets, values, strict=True):
            if target.designator is None:
                continue
            value = thawed(sent)  # type: ignore[arg-type]
            if target.conversion == "check":
                value = converted(value, target.designator.type, target.designator.span)
            if place is None:
                if undo is None:
                    write_register(evaluation, target.designator, value)
                continue
            if undo is not None:
                undo.append((place, thawed(evaluation.load(place))))
            evaluation.store(place, value)

    def meet(self, slot: int, statement: typed.Statement, wait: tuple[ClauseWait, ...], item: Item) -> None:
        """The chosen alternative. The running process need not have been put among the waiting ones."""
        own = item[1] if isinstance(item[1], int) else 0
        event, guard, mine = events_of(statement)[own], guards_of(statement)[own], wait[own]
        if isinstance(event, typed.Send) and isinstance(event.port, typed.InterruptPort):
            chosen: Item | None = item
            if item[0] == "take":
                takers = self.takers(event.port.number)
                chosen = self.policy.meet(takers) if takers else None
                if chosen is not None:
                    self.items.append(chosen)
            self.raise_interrupt(event.port.number, chosen)
        elif item[0] == "take":
            assert isinstance(event, typed.Receive)
            self.take_interrupt(slot, event, guard)
        else:
            other, their = item[2], item[3] if isinstance(item[3], int) else 0
            assert isinstance(other, int)
            activation = self.state.slots[other]
            assert activation is not None and activation.wait is not None
            place = activation.frames[-1].at.statement
            their_event, their_guard, their_wait = (
                events_of(place)[their],
                guards_of(place)[their],
                activation.wait[their],
            )
            if isinstance(event, typed.Send):
                assert isinstance(their_event, typed.Receive)
                self.transfer(other, their_event, their_guard, their_wait, mine.values)
            else:
                assert isinstance(event, typed.Receive)
                self.transfer(slot, event, guard, mine, their_wait.values)
            self.resume(other, item[3] if isinstance(item[3], int) else None)
        self.resume_at(slot, statement, own)

    def transfer(
        self, slot: int, event: typed.Receive, guard: typed.Expr | None, wait: ClauseWait, values: tuple[object, ...]
    ) -> None:
        self.deliver(slot, event, wait, values)
        if guard is not None:
            assert self._holds(slot, guard)  # it may fault
        if self.met is not None:
            self.met(event.message, wait.channel, values)

    def take_interrupt(self, slot: int, event: typed.Receive, guard: typed.Expr | None) -> None:
        assert isinstance(event.port, typed.InterruptPort)
        if guard is not None:
            assert self._holds(slot, guard)
        self.state.pending -= {event.port.number}

    def resume(self, slot: int, clause: int | None) -> None:
        """A waiting process is ready."""
        activation = self.state.slots[slot]
        assert activation is not None and activation.wait is not None
        activation.wait = None
        if slot in self.state.arrivals:
            self.state.arrivals.remove(slot)
        statement = activation.frames[-1].at.statement
        assert statement is not None
        self.resume_at(slot, statement, clause or 0)

    def resume_at(self, slot: int, statement: typed.Statement, clause: int) -> None:
        activation = self.state.slots[slot]
        assert activation is not None
        select = isinstance(statement, typed.Select)
        activation.frames[-1].at = Position("clause", statement, clause) if select else Position("after", statement)


def complementary(event: typed.Statement, wait: ClauseWait, other: typed.Statement, other_wait: ClauseWait) -> bool:
    """A send and a receive of one message on one channel."""
    pair = (typed.Send, typed.Receive) if isinstance(event, typed.Send) else (typed.Receive, typed.Send)
    if not (isinstance(event, pair[0]) and isinstance(other, pair[1])):
        return False
    assert isinstance(event, typed.Send | typed.Receive) and isinstance(other, typed.Send | typed.Receive)
    return event.message is other.message and wait.channel == other_wait.channel != 0


def same_constant(constant: typed.Constant, value: object) -> bool:
    if isinstance(constant.value, bytes):
        assert isinstance(value, tuple)
        return string_of(list(constant.value)) == string_of(list(value))
    return constant.value == value


def place_or_register(evaluation: Evaluation, designator: typed.Expr) -> Place | None:
    """None: a device register."""
    if isinstance(designator, typed.VariableRef) and designator.variable.address is not None:
        return None
    return evaluation.place(designator)


def write_register(evaluation: Evaluation, designator: typed.Expr, value: Value) -> None:
    assert isinstance(designator, typed.VariableRef) and designator.variable.address is not None
    assert isinstance(value, int)
    size, _ = size_and_signedness(designator.variable.type)
    evaluation.write_port(8 * size, designator.variable.address, value, designator.span)
