"""PROCEDUREs without an effect, executed inside of an expression: a walk over their statements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.types import scalar_range
from tests.naive.state import Place, Value, initial, thawed

if TYPE_CHECKING:
    from tests.naive.expressions import Evaluation

FUNCTION = -3  # instead of a slot: a variable of the function that runs


class Exited(Exception):
    """`args`: the label of the loop that is left; None: the innermost LOOP."""


class Returned(Exception):
    pass


class Activity:
    """One call: `here` sees its variables."""

    def __init__(self, here: Evaluation, spend: Callable[[Span], None]) -> None:
        self.here = here
        self.spend = spend

    def run(self, body: Sequence[typed.Statement]) -> None:
        for s in body:
            self.execute(s)

    def execute(self, s: typed.Statement) -> None:
        try:
            self.execute_inside(s)
        except Exited as left:
            label = left.args[0]
            if label is None and isinstance(s, typed.Loop):
                return
            if label is None or isinstance(s, typed.Exit) or getattr(s, "label", None) is not label:
                raise

    def execute_inside(self, s: typed.Statement) -> None:
        here = self.here
        match s:
            case typed.Exit():
                raise Exited(s.label)
            case typed.Return():
                raise Returned
            case typed.If():
                self.run(next((body for condition, body in s.branches if here.integer(condition)), s.otherwise))
            case typed.Case():
                self.choose(s)
            case typed.While():
                while here.integer(s.condition):
                    self.run(s.body)
                    self.spend(s.span)
            case typed.Repeat():
                self.run(s.body)
                while not here.integer(s.until):
                    self.spend(s.span)
                    self.run(s.body)
            case typed.Loop():
                while True:
                    self.run(s.body)
                    self.spend(s.span)
            case typed.For():
                self.count(s)
            case _:
                from tests.naive.simple_statements import execute_simple

                execute_simple(here, s)

    def choose(self, s: typed.Case) -> None:
        from tests.naive.expressions import NO_CASE, Faulted

        value = self.here.integer(s.selector)
        for labels, body in s.branches:
            if any(low <= value <= high for low, high in labels):
                self.run(body)
                return
        if s.otherwise is None:
            raise Faulted(NO_CASE, s.span, value)
        self.run(s.otherwise)

    def count(self, s: typed.For) -> None:
        here = self.here
        place = here.variable(s.variable)
        here.store(place, here.integer(s.low))
        high = here.integer(s.high)
        low_bound, high_bound = scalar_range(s.variable.type)
        while True:
            value = here.load(place)
            assert isinstance(value, int)
            if value > high if s.by > 0 else value < high:
                return
            self.run(s.body)
            value = here.load(place)
            assert isinstance(value, int)
            if not low_bound <= value + s.by <= high_bound:
                return
            self.spend(s.span)
            here.store(place, value + s.by)


def call_function(caller: Evaluation, e: typed.CallFunction) -> Value:
    from tests.naive.expressions import Evaluation, fitted

    process = e.process
    variables: dict[typed.Variable, Value] = {v: initial(v) for v in process.locals}
    for a in e.arguments:
        variables[a.formal] = thawed(fitted(caller.value(a.value), a.formal.type))
    here = Evaluation(caller.state, caller.slot, caller.depth, None, caller.items, caller.access)
    here.spend = caller.spend
    here.variables = variables
    try:
        Activity(here, caller.spend).run(process.body)
    except Returned:
        pass
    assert process.result is not None
    return variables[process.result]


def place_of(variable: typed.Variable) -> Place:
    return Place(FUNCTION, 0, variable)
