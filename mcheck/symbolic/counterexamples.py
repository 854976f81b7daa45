"""From an error in a box to a counterexample: values are chosen backwards, then the way is gone by the compiled
actions. What they do not do is not shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from lfc.mcheck.counterexample.explain import tell_deadlock
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.result.finding import ASSERT, Finding, Verdict
from lfc.mcheck.symbolic.concrete import step_of
from lfc.mcheck.symbolic.events import STAY
from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.explore import DEADLOCK, Edge, Error, State, SymbolicProgram
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.satisfy import NotFound, satisfying
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import MOST_IN_TABLE, image, preimage
from lfc.mcheck.symbolic.values.solver import Solver
from lfc.mcheck.symbolic.values.terms import Term, apply, evaluate, operand_width
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from lfc.run import report
from lfc.run.running import HostRun, Mode, Status
from lfc.run.wait_for_graph import waiting_circle
from lfc.trace.items import Item, encode


@dataclass(slots=True)
class Way:
    """Steps from the initial state; the blocks as they are kept in states, the initial one first. `edges`: of the
    steps, and of those that change nothing but what is beside the program, which are no steps of it."""

    steps: list[list[Item]]
    kept: list[bytes]
    edges: list[Edge]


def way_to(program: SymbolicProgram, state: State, values: Sequence[int]) -> Way:
    """To the block of a state in which its symbols have these values."""
    steps: list[list[Item]] = []
    kept = [state.shape.concrete(values)]
    edges: list[Edge] = []
    while True:
        edge = source_of(state, values)
        if edge is None:
            return Way(steps[::-1], kept[::-1], edges[::-1])
        edges.append(edge)
        valuation = valuation_before(edge, values)
        state = edge.before
        values = [valuation[i] for i in range(len(state.box))]
        if edge.event.what != STAY:
            steps.append(step_of(edge.event, edge.to.path, valuation, program.machine))
            kept.append(state.shape.concrete(values))


def values_in(state: State, solver: Solver | None) -> list[int]:
    """With which its conditions hold. Raises NotFound."""
    widths = dict(enumerate(state.shape.widths))
    path = Path({}, dict(enumerate(state.box)), widths, known=state.shape.known(state.box), solver=solver)
    found = satisfying(path)
    return [found[i] for i in range(len(state.box))]


def source_of(state: State, values: Sequence[int]) -> Edge | None:
    """The shortest of those that there are; None: it is the initial one."""
    found = [edge for box, edge in state.sources if holds(box, values)]
    if not found:
        raise NotFound
    return min(found, key=lambda edge: -1 if edge is None else edge.before.depth)


def holds(box: Box, values: Sequence[int]) -> bool:
    return all(sets.contains(s, v) for s, v in zip(box, values, strict=True))


def valuation_before(edge: Edge, values: Sequence[int]) -> dict[int, int]:
    """Of the path's symbols, so that the state behind it has these values."""
    path = edge.to.path
    box = dict(path.box)
    hard: list[tuple[Term, int]] = []
    for source, v in zip(edge.to.was, values, strict=True):
        if not isinstance(source, Term):
            continue
        if len(source.symbols) > 1 and path.solver is not None:
            hard.append((source, v))
        else:
            require(source, v, box)
    return satisfying(Path({}, box, path.widths, known=path.known, solver=path.solver), hard)


def require(t: Term, value: int, box: dict[int, ValueSet]) -> None:
    """Narrows the box so that the term has this value. Raises NotFound, TooMany."""
    if len(t.symbols) == 1:
        (number,) = t.symbols
        box[number] = sets.intersection(box[number], preimage(t, sets.single(value), box))
        if not box[number]:
            raise NotFound
        return
    parts = [a for a in t.args if isinstance(a, Term)]
    if len(parts) == 1:
        if sets.size(image(parts[0], box)) > MOST_IN_TABLE:
            raise NotFound
        fitting = [v for v in sets.values(image(parts[0], box)) if result(t, parts[0], v) == value]
        if not fitting:
            raise NotFound
        require(parts[0], fitting[0], box)
        return
    if t.op in ("add", "sub") and len(parts) == 2 and not parts[0].symbols & parts[1].symbols:
        first, second = parts
        for v in likely(image(first, box), first.width):
            other = (value - v if t.op == "add" else v - value) % (1 << t.width)
            if sets.contains(image(second, box), other):
                require(first, v, box)
                require(second, other, box)
                return
    numbers = sorted(t.symbols)
    if prod(sets.size(box[n]) for n in numbers) > MOST_IN_TABLE:
        raise NotFound
    for row in product(*(likely(box[n], 32) for n in numbers)):
        if evaluate(t, dict(zip(numbers, row, strict=True))) == value:
            box |= {n: sets.single(v) for n, v in zip(numbers, row, strict=True)}
            return
    raise NotFound


def likely(values: ValueSet, width: int) -> list[int]:
    first = sets.pleasant(values, width)
    return [first, *(v for v in sets.values(values) if v != first)]


def result(t: Term, part: Term, v: int) -> int:
    args = [v if a is part else a for a in t.args]
    return apply(t.op, t.width, operand_width(t), args)  # type: ignore[arg-type]


# --- replay ----------------------------------------------------------------------------------------------------------


class Replay:
    """Goes ways with what `lfc run` runs."""

    def __init__(self, program: SymbolicProgram) -> None:
        self.program, self.machine = program, program.machine
        self.generated = program.generated_to_run()

    def blocks_along(self, way: Way) -> list[bytes]:
        """As they are. Raises CannotReplay."""
        return self.gone(way)[0]

    def gone(self, way: Way) -> tuple[list[bytes], HostRun]:
        """The blocks along it, and the run at its end. Raises CannotReplay."""
        run = HostRun(self.generated, 1, Mode.FOLLOW)
        blocks = [run.block]
        self._compare(run.block, way.kept[0], 0)
        for number, (step, kept) in enumerate(zip(way.steps, way.kept[1:], strict=True), 1):
            run.follow(encode(step, run.wide))
            if run.step() is not Status.RAN:
                raise CannotReplay(f"step {number} does something else when it is replayed")
            self._compare(run.block, kept, number)
            blocks.append(run.block)
        return blocks, run

    def _compare(self, block: bytes, kept: bytes, number: int) -> None:
        if self.program.kept(block) != kept:
            raise CannotReplay(f"step {number} leads to another state when it is replayed")

    def tell(self, error: Error) -> Finding:
        if error.fault == DEADLOCK:
            return self.tell_waiting(error.state, None)
        assert error.end is not None and error.event is not None
        valuation = satisfying(error.end.path)
        before = [valuation[i] for i in range(len(error.state.box))]
        way = way_to(self.program, error.state, before)
        blocks, run = self.gone(way)
        last = step_of(error.event, error.end.path, valuation, self.machine)
        run.follow(encode(last, run.wide))
        status, fault = run.step(), run.fault
        if status is not Status.FAULT or (fault.kind, fault.site) != (error.fault.kind, error.fault.site):
            raise CannotReplay("the fault does not come when it is replayed")
        site = self.program.generated.sites[fault.site]
        kind = Verdict.ASSERTION if fault.kind == ASSERT else Verdict.FAULT
        message = report.fault_message(site, fault, self.machine)
        steps = [*way.steps, last]
        return Finding(kind, message, site.span, steps, blocks, shortest=False, fault_kind=fault.kind)

    def tell_waiting(self, state: State, slots: list[int] | None) -> Finding:
        """A deadlock; of these slots only: a partial one."""
        values = values_in(state, self.program.interpreter.solver)
        way = way_to(self.program, state, values)
        blocks = self.blocks_along(way)
        if slots is None:
            found = tell_deadlock(self.machine, way.steps, blocks)
        else:
            live = [p for p in report.who_waits(self.machine, blocks[-1]).processes if p.slot in slots]
            names = ", ".join(p.name for p in live)
            message = f"{names} {'waits' if len(live) == 1 else 'wait'} forever while other processes continue"
            circle = waiting_circle(self.machine, blocks[-1], slots)
            span = live[0].position.span
            found = Finding(Verdict.PARTIAL_DEADLOCK, message, span, way.steps, blocks, slots, circle)
        found.shortest = False
        return found
