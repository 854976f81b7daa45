"""Faults that come after very many rounds: where a round of steps adds numbers to some variables, changes nothing else,
and can be gone again and again up to the fault, how often follows by division. docs/theory/data.md has the argument.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, product

from lfc.actions.model.machine import Machine
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.result.finding import ASSERT, Finding, Verdict
from lfc.mcheck.symbolic.boxes import volume
from lfc.mcheck.symbolic.concrete import step_of
from lfc.mcheck.symbolic.counterexamples import Replay, holds, way_to
from lfc.mcheck.symbolic.explore import DEADLOCK, Edge, Error, Exploration, State
from lfc.mcheck.symbolic.normal_form import Box, Shape
from lfc.mcheck.symbolic.preimage import is_exact
from lfc.mcheck.symbolic.satisfy import NotFound
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, evaluate, signed
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from lfc.run import report
from lfc.run.running import Fault, HostRun, Status
from lfc.trace.items import Item, encode

MOST_STEPS, MOST_NODES, MOST_STARTS, MOST_INPUTS = 12, 400, 6, 8
FOR_LONG = 0.5  # seconds, for an error
MOST_REPLAYED = 10  # attempts for an error
MOST_LONG = 600  # steps of a round that is made of short ones
FEWEST = 3  # rounds: what takes no more is found otherwise
Values = tuple[int, ...]
Node = tuple[Shape, Values]
Move = tuple[Edge, dict[int, int]]


@dataclass(slots=True)
class Change:
    """Of the variable at `offset`: each round adds `by`. `bias`: added to numbers of its width so that their order is
    that of numbers with a sign, or 0."""

    offset: int
    width: int
    by: int
    bias: int
    begin: int  # biased

    def number(self, rounds: int) -> int:
        """After so many."""
        return (self.begin + rounds * self.by - self.bias) % (1 << self.width)


@dataclass(slots=True)
class Rounds:
    """From a state with these values: the steps of a round, which changes nothing else, `count` times. `goes_on`: what
    follows is the beginning of one more; else it is the error itself."""

    state: State
    values: Values
    moves: list[Move]
    changes: list[Change]
    count: int
    goes_on: bool = False


def accelerated(found: Exploration, errors: list[Error]) -> Finding | None:
    """Of errors that only ranges allow: the first that is certain. Its first and last rounds have been replayed."""
    for rounds_of in (rounds_to, long_rounds_to):
        for error in errors:
            if error.fault == DEADLOCK or error.end is None or error.end.path.wide or error.end.path.known:
                continue
            for rounds in islice(rounds_of(found, error), MOST_REPLAYED):
                try:
                    return told(found, error, rounds)
                except (CannotReplay, NotFound, TooMany):
                    continue
    return None


Begin = tuple[State, Values, list[int]]  # and which values are not those that the error takes


def begins(found: Exploration, error: Error, wanted: Box) -> Iterator[Begin]:
    shape = error.state.shape
    for start in [s for s in found.of_shape[shape].states if not s.wide][:MOST_STARTS]:
        values = tuple(
            sets.pleasant(sets.intersection(s, w) or s, n)
            for s, w, n in zip(start.box, wanted, shape.widths, strict=True)
        )
        yield start, values, [i for i, (v, w) in enumerate(zip(values, wanted, strict=True)) if not sets.contains(w, v)]


def wanted_by(error: Error) -> Box:
    assert error.end is not None
    return tuple(error.end.path.box[i] for i in range(len(error.state.box)))


def places_of(shape: Shape, i: int) -> list[int]:
    return [offset for offset, _, t in shape.runs if t.op == SYMBOL and t.args[0] == i]


def rounds_to(found: Exploration, error: Error) -> Iterator[Rounds]:
    """That change one variable only."""
    shape, wanted = error.state.shape, wanted_by(error)
    for start, values, away in begins(found, error, wanted):
        places = [offset for i in away for offset in places_of(shape, i)]
        if len(away) != 1 or len(places) != 1:
            continue
        (i,), w = away, shape.widths[away[0]]
        moves, by = round_from(found, shape, values, i, lambda n: n == i)  # noqa: B023
        for bias in (0, 1 << w - 1) if moves else ():
            begin = (values[i] + bias) % (1 << w)
            count = rounds_until(sets.shifted(wanted[i], bias, w), begin, by)
            rounds = Rounds(start, values, moves, [Change(places[0], w, by, bias, begin)], count)
            if count > FEWEST and is_repeatable(rounds):
                yield rounds


def long_rounds_to(found: Exploration, error: Error) -> Iterator[Rounds]:
    """That change several: a short round is gone until all others are as they were. How often follows from how far
    each can go; then the error is to come within one more. For half a second."""
    until = time.thread_time() + FOR_LONG
    shape, wanted = error.state.shape, wanted_by(error)
    for (start, values, _), i in ((begin, i) for begin in begins(found, error, wanted) for i in begin[2]):
        if time.thread_time() > until or found.is_over():
            return
        short, _ = round_from(found, shape, values, i, lambda n: True)
        for moves, after in repeated(found, (shape, values), short):
            changes = changes_of(start, values, after)
            if changes is None or after[i] == values[i]:
                continue
            rounds = Rounds(start, values, moves, changes, 0, True)
            rounds.count = times(rounds)
            by, w = after[i] - values[i], shape.widths[i]
            if rounds.count > FEWEST and is_near(by, values[i], rounds.count, wanted[i], w):
                yield rounds


def is_near(by: int, begin: int, count: int, wanted: ValueSet, w: int) -> bool:
    """Whether some of these come within one more round."""
    by = signed(by % (1 << w), w)
    now = begin + count * by
    return any((v - now) * (1 if by > 0 else -1) % (1 << w) <= abs(by) for bounds in wanted for v in bounds)


def repeated(found: Exploration, first: Node, short: list[Move]) -> Iterator[tuple[list[Move], Values]]:
    """The moves of one, two, three rounds and more, and the values behind them."""
    moves, node = list[Move](), first
    while short and len(moves) + len(short) <= MOST_LONG:
        for edge, valuation in short:
            read = [v for n, v in sorted(valuation.items()) if n >= len(edge.of)]
            step = same_step(found, node, edge, read)
            if step is None:
                return
            moves.append(step[:2])
            node = step[2]
        if node[0] != first[0]:
            return
        yield list(moves), node[1]


def same_step(found: Exploration, node: Node, like: Edge, read: list[int]) -> tuple[Edge, dict[int, int], Node] | None:
    """Of the same event, with the same that is read."""
    shape, values = node
    state = greatest(found, shape, values)
    for edge in () if state is None else state.edges:
        path = edge.to.path
        inputs = sorted(n for n in path.box if n >= len(values))
        if edge.event != like.event or len(inputs) != len(read) or not is_exact(edge) or not holds(edge.of, values):
            continue
        valuation = dict(enumerate(values)) | dict(zip(inputs, read, strict=True))
        if all(sets.contains(path.box[n], valuation[n]) for n in inputs):
            return edge, valuation, (edge.to.shape, tuple(evaluate(t, valuation) for t in edge.to.was))
    return None


def changes_of(start: State, values: Values, after: Values) -> list[Change] | None:
    """None: a number is in several variables."""
    found: list[Change] = []
    for i, (old, new) in enumerate(zip(values, after, strict=True)):
        if old == new:
            continue
        places, w = places_of(start.shape, i), start.shape.widths[i]
        if len(places) != 1:
            return None
        by = signed((new - old) % (1 << w), w)
        bias = 0 if 0 <= old + by < 1 << w else 1 << w - 1
        found.append(Change(places[0], w, by, bias, (old + bias) % (1 << w)))
    return found


def times(r: Rounds) -> int:
    """How often the round can be gone; 0: it may be never."""
    return min((times_of(r, c) for c in r.changes), default=0)


def rounds_until(wanted: ValueSet, begin: int, by: int) -> int:
    """How often a number is added until one of these is there; 0: never."""
    found = []
    for low, high in wanted:
        near = low if by > 0 else high
        count = max(0, -((begin - near) // by)) if by > 0 else max(0, -((near - begin) // -by))
        if low <= begin + count * by <= high:
            found.append(count)
    return min(found, default=0)


def round_from(
    found: Exploration, shape: Shape, values: Values, i: int, may_change: Callable[[int], bool]
) -> tuple[list[Move], int]:
    """Steps back to these values but for one that is greater or less, and others that may change; and by how much."""
    first: Node = (shape, values)
    came: dict[Node, tuple[Node, Move] | None] = {first: None}
    work = [(first, 0)]
    while work and len(came) < MOST_NODES:
        node, depth = work.pop(0)
        for edge, valuation, after in moves_from(found, node, values):
            by = signed((after[1][i] - values[i]) % (1 << shape.widths[i]), shape.widths[i]) if after[0] == shape else 0
            if by and all(a == b or may_change(n) for n, (a, b) in enumerate(zip(after[1], values, strict=True))):
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
    state = greatest(found, shape, values)
    if state is None:
        return
    for edge in state.edges:
        if not is_exact(edge) or not holds(edge.of, values):
            continue
        path, own = edge.to.path, dict(enumerate(values))
        read = {n: inputs(s, path.widths[n], wanted) for n, s in path.box.items() if n >= len(values)}
        for row in islice(product(*read.values()), MOST_INPUTS):
            valuation = own | dict(zip(read, row, strict=True))
            yield edge, valuation, (edge.to.shape, tuple(evaluate(t, valuation) for t in edge.to.was))


def greatest(found: Exploration, shape: Shape, values: Values) -> State | None:
    """With these values; None: the search has not come to any."""
    states = [s for s in found.of_shape[shape].states if holds(s.box, values)]
    return max(states, key=lambda s: volume(s.box), default=None)


def inputs(s: ValueSet, width: int, wanted: Values) -> list[int]:
    return list(dict.fromkeys([sets.pleasant(s, width), *(v for v in wanted if sets.contains(s, v))]))


def is_repeatable(r: Rounds) -> bool:
    """Each step can be gone with all values of the variables up to the last round, and only adds to them."""
    return times(r) >= r.count


def times_of(r: Rounds, c: Change) -> int:
    """How often one of the variables that change lets each step be gone; no other depends on it."""
    now, modulus, most = c.begin, 1 << c.width, 1 << c.width
    for edge, _ in r.moves:
        own = symbol_at(edge.before.shape, c.offset)
        new = symbol_at(edge.to.shape, c.offset)
        if own is None or new is None:
            return 0
        values = sets.shifted(edge.to.path.box[own], c.bias, c.width)
        low, high = next(((a, b) for a, b in values if a <= now <= b), (1, 0))
        became = edge.to.was[new]
        others = [t for n, t in enumerate(edge.to.was) if n != new]
        if low > high or not isinstance(became, Term) or became.width != c.width:
            return 0
        if any(isinstance(t, Term) and own in t.symbols for t in others):
            return 0
        step = added(became, own)
        if step is None:
            return 0
        low, high = max(low, -step), min(high, modulus - 1 - step)  # so that it does not wrap
        if not low <= now <= high:
            return 0
        most = min(most, 1 + ((high - now) // c.by if c.by > 0 else (now - low) // -c.by))
        now += step
    return most if now - c.begin == c.by else 0


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
    sizes = {offset: n for offset, n, _ in r.state.shape.runs}
    steps = [step_of(edge.event, edge.to.path, valuation, machine) for edge, valuation in r.moves]
    before = blocks[-1]
    one_round(run, steps, blocks)
    for rounds, block in ((0, before), (1, blocks[-1])):
        if any(number_at(block, c.offset, sizes[c.offset]) != c.number(rounds) for c in r.changes):
            raise CannotReplay("the first round does something else when it is replayed")
    at_last = bytearray(blocks[-1])
    for c in r.changes:
        at_last[c.offset : c.offset + sizes[c.offset]] = c.number(r.count - 1).to_bytes(sizes[c.offset], "little")
    run.block = bytes(at_last)
    last: list[bytes] = []
    one_round(run, steps, last)
    rest, fault = one_more(run, steps, blocks) if r.goes_on else the_error(run, error, r, machine)
    if (fault.kind, fault.site) != (error.fault.kind, error.fault.site):
        raise CannotReplay("the fault does not come after the last round")
    site = found.program.generated.sites[fault.site]
    kind = Verdict.ASSERTION if fault.kind == ASSERT else Verdict.FAULT
    told = Finding(kind, report.fault_message(site, fault, machine), site.span, [*way.steps, *steps, *rest], blocks)
    told.shortest, told.fault_kind = False, fault.kind
    told.rounds = f"steps {len(way.steps) + 1} to {len(way.steps) + len(steps)} are gone {r.count} times"
    return told


def the_error(run: HostRun, error: Error, r: Rounds, machine: Machine) -> tuple[list[list[Item]], Fault]:
    """The step to it, after the last round."""
    assert error.end is not None and error.event is not None
    path, own = error.end.path, dict(enumerate(r.values))
    for c in r.changes:
        own[symbol_at(r.state.shape, c.offset)] = c.number(r.count)  # type: ignore[index]
    read = {n: sets.pleasant(s, path.widths[n]) for n, s in path.box.items() if n >= len(own)}
    final = step_of(error.event, path, own | read, machine)
    run.follow(encode(final, run.wide))
    if run.step() is not Status.FAULT:
        raise CannotReplay("the fault does not come after the last round")
    return [final], run.fault


def one_more(run: HostRun, steps: list[list[Item]], blocks: list[bytes]) -> tuple[list[list[Item]], Fault]:
    """The steps of one more round, up to the one that faults."""
    for number, step in enumerate(steps, 1):
        run.follow(encode(step, run.wide))
        status = run.step()
        if status is Status.FAULT:
            return steps[:number], run.fault
        if status is not Status.RAN:
            break
        blocks.append(run.block)
    raise CannotReplay("the fault does not come after the last round")


def one_round(run: HostRun, steps: list[list[Item]], blocks: list[bytes]) -> None:
    for step in steps:
        run.follow(encode(step, run.wide))
        if run.step() is not Status.RAN:
            raise CannotReplay("a round does something else when it is replayed")
        blocks.append(run.block)


def number_at(block: bytes, offset: int, size: int) -> int:
    return int.from_bytes(block[offset : offset + size], "little")
