"""Blocks of symbolic states for what has to be executed in concrete ones: all of a state that has few, else its
corners, some for each way on from it, and others by chance."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from lfc.mcheck.symbolic import boxes
from lfc.mcheck.symbolic.counterexamples import values_in
from lfc.mcheck.symbolic.explore import Exploration, State
from lfc.mcheck.symbolic.satisfy import NotFound
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, evaluate
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_OF_STATE = 1 << 16
MOST = 400_000  # executions: in a block one for each combination of what is read there
CORNERS, BY_CHANCE = 64, 64
BETWEEN_LOOKS = 256  # blocks


@dataclass(slots=True)
class Samples:
    blocks: list[bytes]
    whole: bool  # these are all


def samples_of(
    found: Exploration, most: int = MOST, seed: int = 1, is_over: Callable[[], bool] = lambda: False
) -> Samples:
    """Of a search without states that are too wide; where nothing is read `most` is that of blocks. `is_over`: it is to
    end with what there is; asked before each state, and again and again within one."""
    r = random.Random(seed)
    states = sorted((s for s in found.states if not s.wide), key=work_in)
    every = found.complete and len(states) == len(found.states)
    taken: dict[bytes, None] = {}
    left = most
    for number, state in enumerate(states):
        if is_over():
            every = False
            break
        share = left // (len(states) - number)  # what is left is shared by those left
        room = max(1, min(MOST_OF_STATE, share // ways_of(state)))
        left -= min(room, boxes.volume(state.box)) * ways_of(state)
        if boxes.volume(state.box) <= room:
            rows: Iterator[tuple[int, ...]] = product(*map(sets.values, state.box))
        else:
            every = False
            rows = islice(some_of(found, state, r), room)
        for n, values in enumerate(rows):
            if n % BETWEEN_LOOKS == BETWEEN_LOOKS - 1 and is_over():
                every = False
                break
            if all(evaluate(t, dict(enumerate(values))) == answer for t, answer in state.shape.conditions):
                taken[state.shape.concrete(values)] = None
    return Samples(list(taken), every)


def work_in(state: State) -> int:
    return boxes.volume(state.box) * ways_of(state)


def ways_of(state: State) -> int:
    """How often an image is executed in one block: the values of what is read there, of at most 16 bits."""
    most = 1
    for edge in state.edges:
        inputs = {t.args[0] for _, *own in edge.to.path.items for t in own if isinstance(t, Term) and t.op == SYMBOL}
        new = [n for n in inputs if isinstance(n, int) and n >= len(state.box)]
        most = max(most, prod(1 << min(edge.to.path.widths[n], 16) for n in new))
    return min(most, MOST_OF_STATE)


def some_of(found: Exploration, state: State, r: random.Random) -> Iterator[tuple[int, ...]]:
    try:
        yield tuple(values_in(state, found.solver))
    except (NotFound, TooMany):
        pass
    for part in dict.fromkeys([*(edge.of for edge in state.edges), state.box]):
        for pick in (lambda s: s[0][0], lambda s: s[-1][1]):
            yield tuple(map(pick, part))
        for _ in range(4):
            yield tuple(by_chance(s, r) for s in part)
    ends = [tuple(dict.fromkeys((s[0][0], s[-1][1]))) for s in state.box]
    yield from islice(product(*ends), CORNERS)
    for _ in range(BY_CHANCE):
        yield tuple(r.choice((by_chance(s, r), s[0][0], s[-1][1])) for s in state.box)
    while True:
        yield tuple(by_chance(s, r) for s in state.box)


def by_chance(values: ValueSet, r: random.Random) -> int:
    low, high = r.choice(values)
    return r.randint(low, high)
