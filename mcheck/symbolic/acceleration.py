"""Faults that come after very many rounds: where a round of steps adds a number to one variable, changes nothing else,
and can be gone again and again up to the fault, how often follows by division. docs/theory/data.md has the argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.result.finding import ASSERT, Finding, Verdict
from lfc.mcheck.symbolic.boxes import volume
from lfc.mcheck.symbolic.concrete import step_of
from lfc.mcheck.symbolic.counterexamples import Replay, holds, way_to
from lfc.mcheck.symbolic.explore import DEADLOCK, Edge, Error, Exploration, State
from lfc.mcheck.symbolic.normal_form import Shape
from lfc.mcheck.symbolic.preimage import is_exact
from lfc.mcheck.symbolic.satisfy import NotFound
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, evaluate, signed
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from lfc.run import report
from lfc.run.running import HostRun, Status
from lfc.trace.items import Item, encode

MOST_STEPS, MOST_NODES, MOST_STARTS, MOST_INPUTS = 12, 400, 6, 8
FEWEST = 3  # rounds: what takes no more is found otherwise
Values = tuple[int, ...]
Node = tuple[Shape, Values]
Move = tuple[Edge, dict[int, int]]


@dataclass(slots=True)
class Rounds:
    """From a state with these values: the steps of a round, which adds `by` to the variable at `offset`, `count` times.
    `bias`: added to numbers of its width so that their order is that of numbers with a sign, or 0."""

    state: State
    values: Values
    moves: list[Move]
    offset: int
    width: int
    by: int
    bias: int
    begin: int  # biased
    count: int

    def number(self, rounds: int) -> int:
        """Of the variable, after so many."""
        return (self.begin + rounds * self.by - self.bias) % (1 << self.width)


def accelerated(found: Exploration, errors: list[Error]) -> Finding | None:
    """Of errors that only ranges allow: the first that is certain. Its first and last rounds have been replayed."""
    for error in errors:
        if error.fault == DEADLOCK or error.end is None or error.end.path.wide or error.end.path.known:
            continue
        for rounds in rounds_to(found, error):
            try:
                return told(found, error, rounds)
            except (CannotReplay, NotFound, TooMany):
                continue
    return None


def rounds_to(found: Exploration, error: Error) -> Iterator[Rounds]:
    assert error.end is not None
    shape = error.state.shape
    wanted = tuple(error.end.path.box[i] for i in range(len(error.state.box)))
    starts = [s for s in found.of_shape[shape].states if not s.wide][:MOST_STARTS]
    for start in starts:
        values = tuple(
            sets.pleasant(sets.intersection(s, w) or s, n)
            for s, w, n in zip(start.box, wanted, shape.widths, strict=True)
        )
        away = [i for i, (v, w) in enumerate(zip(values, wanted, strict=True)) if not sets.contains(w, v)]
        places = [offset for offset, _, t in shape.runs if t.op == SYMBOL and t.args[0] in away]
        if len(away) != 1 or len(places) != 1:
            continue
        (i,), w = away, shape.widths[away[0]]
        moves, by = round_from(found, shape, values, i)
        for bias in (0, 1 << w - 1) if moves else ():
            begin = (values[i] + bias) % (1 << w)
            count = rounds_until(sets.shifted(wanted[i], bias, w), begin, by)
            rounds = Rounds(start, values, moves, places[0], w, by, bias, begin, count)
            if count > FEWEST and is_repeatable(rounds):
                yield rounds


def rounds_until(wanted: ValueSet, begin: int, by: int) -> int:
    """How often a number is added until one of these is there; 0: never."""
    found = []
    for low, high in wanted:
        near = low if by > 0 else high
        count = max(0, -((begin - near) // by)) if by > 0 else max(0, -((near - begin) // -by))
        if low <= begin + count * by <= high:
            found.append(count)
    return min(found, default=0)


def round_from(found: Exploration, shape: Shape, values: Values, i: int) -> tuple[list[Move], int]:
    """Steps back to these values but for one that is greater or less; and by how much."""
    first: Node = (shape, values)
    came: dict[Node, tuple[Node, Move] | None] = {first: None}
    work = [(first, 0)]
    while work and len(came) < MOST_NODES:
        node, depth = work.pop(0)
        for edge, valuation, after in moves_from(found, node, values):
            by = signed((after[1][i] - values[i]) % (1 << shape.widths[i]), shape.widths[i]) if after[0] == shape else 0
            if by and all(a == b for n, (a, b) in enumerate(zip(after[1], values, strict=True)) if n != i):
                return [*way_back(came, node), (edge, valuation)], by
            if after not in came and depth + 1 < MOST_STEPS:
                came[after] = node, (edge, valuation)
                work.append((after, depth + 1))
    return [], 0


def way_back(came: dict[Node, tuple[Node, Move] | None], node: Node) -> list[Move]:
    found: list[Move] = []
    while (step := came[node]) is not None:
        node, move = step
        found.append(move)
    return found[::-1]


def moves_from(found: Exploration, node: Node, wanted: Values) -> Iterator[tuple[Edge, dict[int, int], Node]]:
    """In the greatest state: there steps are of as many values as may be. What is read is pleasant, or is wanted."""
    shape, values = node
    states = [s for s in found.of_shape[shape].states if holds(s.box, values)]
    state = max(states, key=lambda s: volume(s.box), default=None)
    if state is None:  # the search has not come to it
        return
    for edge in state.edges:
        if not is_exact(edge) or not holds(edge.of, values):
            continue
        path, own = edge.to.path, dict(enumerate(values))
        read = {n: inputs(s, path.widths[n], wanted) for n, s in path.box.items() if n >= len(values)}
        for row in islice(product(*read.values()), MOST_INPUTS):
            valuation = own | dict(zip(read, row, strict=True))
            yield edge, valuation, (edge.to.shape, tuple(evaluate(t, valuation) for t in edge.to.was))


def inputs(s: ValueSet, width: int, wanted: Values) -> list[int]:
    return list(dict.fromkeys([sets.pleasant(s, width), *(v for v in wanted if sets.contains(s, v))]))


def is_repeatable(r: Rounds) -> bool:
    """Each step can be gone with all values of the variable up to the last round, and only adds to it."""
    now, modulus = r.begin, 1 << r.width
    for edge, _ in r.moves:
        own = symbol_at(edge.before.shape, r.offset)
        new = symbol_at(edge.to.shape, r.offset)
        if own is None or new is None:
            return False
        low, high = sorted((now, now + (r.count - 1) * r.by))
        values = sets.shifted(edge.to.path.box[own], r.bias, r.width)
        if low < 0 or high >= modulus or not sets.is_subset(((low, high),), values):
            return False
        became = edge.to.was[new]
        others = [t for n, t in enumerate(edge.to.was) if n != new]
        if not isinstance(became, Term) or any(isinstance(t, Term) and own in t.symbols for t in others):
            return False
        step = added(became, own)
        if step is None or became.width != r.width:
            return False
        now += step
    last = r.begin + r.count * r.by
    return now - r.begin == r.by and 0 <= last < modulus


def added(t: Term, number: int) -> int | None:
    """To this symbol; None: the term is something else."""
    if t.op == SYMBOL:
        return 0 if t.args[0] == number else None
    if t.op != "add" or not isinstance(t.args[0], Term) or not isinstance(t.args[1], int):
        return None
    return signed(t.args[1], t.width) if t.args[0].op == SYMBOL and t.args[0].args[0] == number else None


def symbol_at(shape: Shape, offset: int) -> int | None:
    own = next((t for at, _, t in shape.runs if at == offset and t.op == SYMBOL), None)
    return None if own is None else own.args[0]  # type: ignore[return-value]


# --- replay ----------------------------------------------------------------------------------------------------------


def told(found: Exploration, error: Error, r: Rounds) -> Finding:
    """Raises CannotReplay, NotFound, TooMany."""
    assert error.end is not None and error.event is not None
    machine, replay = found.program.machine, Replay(found.program)
    way = way_to(found.program, r.state, list(r.values))
    blocks, run = replay.gone(way)
    size = next(n for offset, n, _ in r.state.shape.runs if offset == r.offset)
    steps = [step_of(edge.event, edge.to.path, valuation, machine) for edge, valuation in r.moves]
    before = number_at(blocks[-1], r.offset, size)
    one_round(run, steps, blocks)
    if before != r.number(0) or number_at(blocks[-1], r.offset, size) != r.number(1):
        raise CannotReplay("the first round does something else when it is replayed")
    at_last = bytearray(blocks[-1])
    at_last[r.offset : r.offset + size] = r.number(r.count - 1).to_bytes(size, "little")
    run.block = bytes(at_last)
    last: list[bytes] = []
    one_round(run, steps, last)
    values = [r.number(r.count) if n == symbol_at(r.state.shape, r.offset) else v for n, v in enumerate(r.values)]
    path = error.end.path
    read = {n: sets.pleasant(s, path.widths[n]) for n, s in path.box.items() if n >= len(values)}
    final = step_of(error.event, path, dict(enumerate(values)) | read, machine)
    run.follow(encode(final, run.wide))
    status, fault = run.step(), run.fault
    if status is not Status.FAULT or (fault.kind, fault.site) != (error.fault.kind, error.fault.site):
        raise CannotReplay("the fault does not come after the last round")
    site = found.program.generated.sites[fault.site]
    kind = Verdict.ASSERTION if fault.kind == ASSERT else Verdict.FAULT
    told = Finding(kind, report.fault_message(site, fault, machine), site.span, [*way.steps, *steps, final], blocks)
    told.shortest, told.fault_kind = False, fault.kind
    told.rounds = f"steps {len(way.steps) + 1} to {len(way.steps) + len(steps)} are gone {r.count} times"
    return told


def one_round(run: HostRun, steps: list[list[Item]], blocks: list[bytes]) -> None:
    for step in steps:
        run.follow(encode(step, run.wide))
        if run.step() is not Status.RAN:
            raise CannotReplay("a round does something else when it is replayed")
        blocks.append(run.block)


def number_at(block: bytes, offset: int, size: int) -> int:
    return int.from_bytes(block[offset : offset + size], "little")
