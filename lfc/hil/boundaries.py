"""Tests at the limits of classes: where an action asks something of a value that came from outside, what it asks cuts
the values into classes. For each class that a step can have its least and its greatest value are to be tried, with each
value of the first truth values that the state has beside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate
from lfc.hil.coverage import Covered, CoveredEdge, Goal
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import request_from
from lfc.mcheck.symbolic.classes import is_boolean, named_places, signed
from lfc.mcheck.symbolic.concrete import step_of
from lfc.mcheck.symbolic.counterexamples import way_to
from lfc.mcheck.symbolic.events import Event
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.explore import Exploration, Limits, State, SymbolicProgram
from lfc.mcheck.symbolic.satisfy import NotFound, satisfying
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term
from lfc.run.events import positions
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.trace.items import Item, decode, encode

SECONDS = 20.0
MOST_TRUTHS = 3  # all their combinations are tried
INPUTS = ("in8", "in16", "in32", "read")


class NoClasses(Exception):
    """Says why there are none."""


def classes_to_cover(machine: Machine, most_states: int) -> Covered:
    """Ways to the limits of each class, as a graph. Raises NoClasses."""
    try:
        program = SymbolicProgram(machine, request_from().world, Reset(machine).places)
        found = Exploration(program, Limits(SECONDS, states=most_states, goes_on=True))
        found.run()
    except NotDecoded as why:
        raise NoClasses(f"the code has {why}") from None
    except TooMany as why:
        if not found.states:
            raise NoClasses(str(why)) from None
    return _Graph(found).covered


class _Graph:
    def __init__(self, found: Exploration) -> None:
        self.program, machine = found.program, found.program.machine
        self.run = HostRun(generate(machine, host_target()), 1)
        self.covered = Covered(machine, [self.run.block], [[]], [], False)
        self.numbers = {self.run.block: 0}
        self.names = dict(named_places(machine))
        self.bits: dict[Goal, int] = {}
        for state in found.states:
            for edge in state.edges:
                self._try(state, edge.event, edge.to.path)
        for error in found.errors.values():
            if error.event is not None and error.end is not None:
                self._try(error.state, error.event, error.end.path)

    def _try(self, state: State, event: Event, path: Path) -> None:
        at = positions(self.program.machine, state.shape.explicit)[event.which] if event.what != "interrupt" else None
        for number, name in self._asked(state, path):
            truths = [(n, of) for n, of in self._truths(state) if n != number]
            for value in limits_of(path.box[number]):
                shown = self._shown(state, number, value)
                for row in product(*(sets.values(path.box[n]) for n, _ in truths)):
                    beside = [f"{of} = {'TRUE' if v else 'FALSE'}" for (_, of), v in zip(truths, row, strict=True)]
                    goal: Goal = (event.what, at, name, shown, ", ".join(beside))
                    values = {n: v for (n, _), v in zip(truths, row, strict=True)}
                    if goal not in self.bits:
                        self._reach(goal, state, event, path, {**values, number: value})

    def _truths(self, state: State) -> list[tuple[int, str]]:
        """Some of its truth values, each of which may change what the step comes to."""
        found: dict[int, str] = {}
        for offset, _, t in state.shape.runs:
            name, of = self.names.get(offset, ("", None))
            if t.op == SYMBOL and of is not None and is_boolean(of):
                found.setdefault(t.args[0], name)  # type: ignore[arg-type]
        return [*found.items()][:MOST_TRUTHS]

    def _asked(self, state: State, path: Path) -> Iterator[tuple[int, str]]:
        """The symbols of which the step asks something, and what it reads itself."""
        for offset, _, t in state.shape.runs:
            if t.op == SYMBOL:
                number = t.args[0]
                assert isinstance(number, int)
                if offset in self.names and path.box[number] != state.box[number]:
                    yield number, self.names[offset][0]
        inputs = [item for item in path.items if item[0] in INPUTS]
        for n, (what, v) in enumerate(inputs, 1):
            if isinstance(v, Term) and v.op == SYMBOL:
                assert isinstance(v.args[0], int)
                yield v.args[0], f"input {n} ({what})"

    def _shown(self, state: State, number: int, value: int) -> int:
        """As its type has it."""
        for offset, _, t in state.shape.runs:
            if t.op == SYMBOL and t.args[0] == number and offset in self.names:
                return signed(sets.single(value), self.names[offset][1])[0][0]
        return value

    def _reach(self, goal: Goal, state: State, event: Event, path: Path, values: dict[int, int]) -> None:
        own = path.copy()
        own.box |= {number: sets.single(v) for number, v in values.items()}
        own.witness = None
        try:
            valuation = satisfying(own)
            way = way_to(self.program, state, [valuation[i] for i in range(len(state.box))])
            last = step_of(event, path, valuation, self.program.machine)
            self._add(goal, [*way.steps, last])
        except (NotFound, TooMany, CannotReplay):
            return  # this one is not tried

    def _add(self, goal: Goal, steps: list[list[Item]]) -> None:
        """Gone by what `lfc run` runs. Raises CannotReplay."""
        edges: list[CoveredEdge] = []
        self.run = HostRun(self.run.generated, 1)
        here: int | None = 0
        for step in steps:
            assert here is not None
            self.run.follow(encode(step, self.run.wide))
            status = self.run.step()
            if status not in (Status.RAN, Status.FAULT):
                raise CannotReplay("a step cannot be gone")
            target = self._number(self.run.block) if status is Status.RAN else None
            edges.append(self._edge(here, target, self.run))
            here = target
        bit = self.bits[goal] = len(self.bits)
        self.covered.goals.append(goal)
        edges[-1].goals |= 1 << bit

    def _number(self, block: bytes) -> int:
        number = self.numbers.setdefault(block, len(self.numbers))
        if number == len(self.covered.blocks):
            self.covered.blocks.append(block)
            self.covered.edges.append([])
        return number

    def _edge(self, source: int, target: int | None, run: HostRun) -> CoveredEdge:
        items = list(decode(run.items, run.wide))
        for edge in self.covered.edges[source]:
            if (edge.target, edge.items) == (target, items):
                return edge
        edge = CoveredEdge(source, target, items)
        self.covered.edges[source].append(edge)
        return edge


def limits_of(values: sets.ValueSet) -> list[int]:
    """The least and the greatest of each run of values, of the outermost ones if there are many."""
    runs = values if len(values) <= 8 else (*values[:4], *values[-4:])
    return list(dict.fromkeys(x for run in runs for x in run))
