"""Handlers of monitors, run straight from the typed tree: at each event, before anything else happens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.semantics.model import typed
from lfc.semantics.model.types import scalar_range
from tests.naive.expressions import NO_CASE, Evaluation, Faulted
from tests.naive.simple_statements import arguments_of, execute_simple
from tests.naive.state import Frame, Position, Value, initial, thawed

if TYPE_CHECKING:
    from tests.naive.evaluator import Step


class Leaves(Exception):
    """EXIT of a loop; None: the innermost LOOP."""

    def __init__(self, label: object) -> None:
        self.label = label


class Returns(Exception):
    pass


class Monitors:
    def __init__(self, step: Step) -> None:
        self.step = step
        self.watches = [w for m in step.state.tables.monitors for w in m.watches]

    def of(self, occasion: typed.Occasion) -> list[typed.Watch]:
        return [w for w in self.watches if w.occasion is occasion]

    def called(self, frame: Frame, occasion: typed.Occasion) -> None:
        for w in self.of(occasion):
            if w.process is not None and w.process is frame.process:
                given = [frame.variables[v] for v in w.process.stated_formals]
                self.run(w.handler, given[: len(w.handler.formals)])

    def met(self, message: object, channel: int, values: tuple[object, ...]) -> None:
        for w in self.of(typed.Occasion.MEETING):
            if w.message is message:
                given: list[Value] = [thawed(v) for v in values]  # type: ignore[arg-type]
                if len(w.handler.formals) > len(given):
                    given.insert(0, channel)
                self.run(w.handler, given[: len(w.handler.formals)])

    def accessed(self, occasion: typed.Occasion, width: int, address: int, value: int) -> None:
        for w in self.of(occasion):
            given: list[Value] = [width, address, value]
            self.run(w.handler, given[: len(w.handler.formals)])

    def ended(self) -> None:
        for w in self.of(typed.Occasion.END):
            self.run(w.handler, [])

    # --- handlers ------------------------------------------------------------------------------------------------

    def run(self, process: typed.Process, given: list[Value]) -> None:
        variables = {v: initial(v) for v in process.locals}
        for formal, value in zip(process.formals, given, strict=True):
            variables[formal] = thawed(value) if isinstance(value, list) else value
        self.frames.append(Frame(process, variables, Position("start")))
        try:
            self.sequence(process.body)
        except Returns:
            pass
        self.frames.pop()

    @property
    def frames(self) -> list[Frame]:
        return self.step.frames

    @property
    def here(self) -> Evaluation:
        return Evaluation(
            self.step.state, self.step.slot, len(self.frames) - 1, self.step.policy, self.step.items, None
        )

    def sequence(self, statements: list[typed.Statement]) -> None:
        for s in statements:
            self.statement(s)

    def statement(self, s: typed.Statement) -> None:
        match s:
            case typed.If():
                self.sequence(next((b for c, b in s.branches if self.here.integer(c)), s.otherwise))
            case typed.Case():
                value = self.here.integer(s.selector)
                found = next((b for labels, b in s.branches if any(a <= value <= z for a, z in labels)), s.otherwise)
                if found is None:
                    raise Faulted(NO_CASE, s.span, value)
                self.sequence(found)
            case typed.While() | typed.Repeat() | typed.Loop() | typed.For():
                try:
                    self.loop(s)
                except Leaves as leaves:
                    if leaves.label is not None and leaves.label is not s.label:
                        raise
                    if leaves.label is None and not isinstance(s, typed.Loop):
                        raise
            case typed.Exit():
                raise Leaves(s.label)
            case typed.Return():
                raise Returns
            case typed.CallProcess():
                variables = arguments_of(self.here, s.process, s.arguments)
                self.run(s.process, [variables[v] for v in s.process.formals])
            case _:
                execute_simple(self.here, s)

    def loop(self, s: typed.While | typed.Repeat | typed.Loop | typed.For) -> None:
        match s:
            case typed.While():
                while self.here.integer(s.condition):
                    self.sequence(s.body)
            case typed.Repeat():
                self.sequence(s.body)
                while not self.here.integer(s.until):
                    self.sequence(s.body)
            case typed.Loop():
                while True:
                    self.sequence(s.body)
            case typed.For():
                value = self.here.integer(s.low)
                self.set(s.variable, value)
                high = self.here.integer(s.high)
                low_bound, high_bound = scalar_range(s.variable.type)
                while value <= high if s.by > 0 else value >= high:
                    self.sequence(s.body)
                    if not low_bound <= value + s.by <= high_bound:
                        break
                    value += s.by
                    self.set(s.variable, value)

    def set(self, variable: typed.Variable, value: int) -> None:
        evaluation = self.here
        evaluation.store(evaluation.variable(variable), value)
