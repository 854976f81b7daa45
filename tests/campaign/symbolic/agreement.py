"""The campaign of undetermined data: random programs with narrow inputs have the same states and errors whether values
are sets or are tried one by one. The full quota:

    python -m tests.campaign.symbolic.agreement --count 2000 --seed 1
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.mcheck.counterexample.doubts import WIDE_READ, WIDE_WRITE
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import Request, request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.search.search import Stop
from lfc.mcheck.symbolic import explore, widening
from lfc.mcheck.symbolic.counterexamples import Replay, values_in
from lfc.mcheck.symbolic.execution import paths
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Error, Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.normal_form import Shape
from lfc.mcheck.symbolic.satisfy import NotFound
from lfc.mcheck.symbolic.stuck import find_stuck
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.terms import SYMBOL, evaluate
from tests.actions.machines import machine_of_text
from tests.campaign.symbolic.sampling import CHARACTERS, NARROW, RANGES, Sampling, Tying
from tests.generate.recipes import RECIPES, sources_of
from tests.mcheck.searching import search_with
from tests.support.seeds import add_seed, parsed

OTHERS = ("networks", "created", "calling", "servers, guards", "driven", "networks, guards")
MOST_STATES = 20_000
MOST_SYMBOLIC = 3_000
SECONDS = 20.0

Errors = set[tuple[int, object]]


@dataclass(slots=True)
class Found:
    blocks: set[bytes]
    errors: Errors  # kind and place
    deadlock: bool
    ends: bool
    stuck: bool
    sampled: bool  # of inputs of 32 bits one value was tried


@dataclass(slots=True)
class Result:
    compared: int = 0
    too_large: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)


def explicit(machine: Machine, request: Request) -> Found | None:
    """None: there are too many states."""
    s = search_with(machine, request.changed(reductions=("dead",)))
    try:
        if s.run() is not Stop.COMPLETE:
            return None
        sites = s.generated.sites
        errors: Errors = {(e.fault_kind, sites[e.fault_site].span) for e in s.errors() if e.kind == 1}
        x = s.statistics
        sampled = bool(x.assumed & (WIDE_READ | WIDE_WRITE))
        stuck = s.find_stuck() is not None
        return Found(set(s.all_blocks()), errors, bool(x.deadlocks), bool(x.ends), stuck, sampled)
    finally:
        s.close()


def symbolic(machine: Machine, request: Request) -> Exploration | None:
    """Raises TooMany, NotDecoded."""
    program = SymbolicProgram(machine, request.world, Reset(machine).places)
    found = Exploration(program, Limits(SECONDS, MOST_SYMBOLIC, goes_on=True))
    found.run()
    return found if found.complete else None


def compare(machine: Machine, request: Request, result: Result) -> str:
    """In what they differ; empty: in nothing. A comparison that has been made is counted."""
    one_by_one = explicit(machine, request)
    if one_by_one is None or one_by_one.sampled:
        result.too_large += 1
        return ""
    try:
        found = symbolic(machine, request)
    except (TooMany, NotDecoded) as why:
        result.refused[f"{type(why).__name__}: {why}"] += 1
        return ""
    if found is None:
        result.too_large += 1
        return ""
    result.compared += 1
    result.kinds["with errors"] += bool(one_by_one.errors) or one_by_one.deadlock or one_by_one.stuck
    result.kinds["sets"] += any(sets.only_value(x) is None for s in found.states for x in s.box)
    return differences(found, one_by_one, result) or widened(machine, request, one_by_one, result)


def differences(found: Exploration, one_by_one: Found, result: Result) -> str:
    sites = found.program.generated.sites
    errors: Errors = {(k, sites[site].span) for k, site in found.errors if k}
    if errors != one_by_one.errors:
        return f"errors: {errors} instead of {one_by_one.errors}"
    if ((0, 0) in found.errors) != one_by_one.deadlock:
        return f"deadlock: instead of {one_by_one.deadlock}"
    if bool(found.ended) != one_by_one.ends:
        return "ends"
    shapes = by_explicit(found)
    missing = [b for b in one_by_one.blocks if not is_in(found, shapes, b)]
    if missing:
        return f"{len(missing)} states are missing, as {missing[0].hex()}"
    beyond = beyond_reach(found, one_by_one.blocks, result)
    if beyond:
        return beyond
    count = found.count()
    if count is not None:
        result.kinds["counted"] += 1
        if count != len(one_by_one.blocks):
            return f"{count} states instead of {len(one_by_one.blocks)}"
    replay = Replay(found.program)
    for e in found.errors.values():
        replay.tell(e)
    if found.errors:
        return ""  # who is stuck is asked where nothing else is wrong
    stuck = find_stuck(found)
    if stuck.unknown and stuck.state is None:
        result.kinds["stuck unknown"] += 1
    elif (stuck.state is not None) != one_by_one.stuck:
        return f"stuck: instead of {one_by_one.stuck}"
    if stuck.state is not None:
        replay.tell_waiting(stuck.state, stuck.slots)
    return ""


def beyond_reach(found: Exploration, blocks: set[bytes], result: Result) -> str:
    """A block of a state that is none of these: of each state, that of its likeliest values and two by chance."""
    r = random.Random(0)
    for state in found.states:
        if state.wide:
            continue
        result.kinds["tied"] += bool(state.shape.conditions)
        for _ in range(3):
            picked = [r.choice([s[0][0], s[-1][1], r.choice(s)[r.randrange(2)]]) for s in state.box]
            if not has_conditions(found, state.shape, picked):
                picked = values_in(state, found.solver)
            if state.shape.concrete(picked) not in blocks:
                return f"{state.shape.concrete(picked).hex()} cannot be reached"
    return ""


def has_conditions(found: Exploration, shape: Shape, values: Sequence[int | None]) -> bool:
    """Whether they hold with these values, and some of those that are None."""
    if not shape.conditions:
        return True
    box = {n: sets.full(w) if v is None else sets.single(v)
           for n, (v, w) in enumerate(zip(values, shape.widths, strict=True))}  # fmt: skip
    assert found.solver is not None
    return found.solver.model(shape.conditions, box) is not None


Places = tuple[tuple[int, int], ...]


def widened(machine: Machine, request: Request, one_by_one: Found, result: Result) -> str:
    """In what a search with ranges is wrong: it must hold all states, and leave out no error."""
    program = SymbolicProgram(machine, request.world, Reset(machine).places)
    replay = Replay(program)

    def confirms(error: Error) -> bool:
        try:
            replay.tell(error)
        except (CannotReplay, NotFound, TooMany):
            return False
        return True

    coarse = result.compared % 2 == 0
    limits = Limits(SECONDS, MOST_SYMBOLIC, goes_on=True, may_widen=True, coarse=coarse, confirms=confirms)
    found = Exploration(program, limits)
    try:
        found.run()
    except (TooMany, NotDecoded) as why:
        result.refused[f"ranges: {type(why).__name__}: {why}"] += 1
        return ""
    if not found.complete:
        return ""
    sites = program.generated.sites
    told = {(k, sites[site].span) for k, site in found.errors if k}
    all_told = told | {(k, sites[site].span) for k, site in found.possible if k}
    if not told <= one_by_one.errors or not one_by_one.errors <= all_told:
        return f"ranges: errors {told} and {all_told} instead of {one_by_one.errors}"
    deadlock = (0, 0) in found.errors
    if deadlock and not one_by_one.deadlock or one_by_one.deadlock and not (deadlock or (0, 0) in found.possible):
        return "ranges: deadlock"
    shapes = by_explicit(found)
    missing = [b for b in one_by_one.blocks if not is_in(found, shapes, b)]
    if missing:
        return f"ranges: {len(missing)} states are missing, as {missing[0].hex()}"
    result.kinds["coarse" if coarse else "ranges"] += 1
    result.kinds["wide"] += any(s.wide for s in found.states)
    if all_told or deadlock or found.possible:
        return ""
    stuck = find_stuck(found)
    if not stuck.unknown and stuck.state is None and one_by_one.stuck:
        return "ranges: stuck"
    return ""


def by_explicit(found: Exploration) -> dict[Places, dict[bytes, list[Shape]]]:
    """By where their runs lie, and the rest of the block."""
    shapes: dict[Places, dict[bytes, list[Shape]]] = {}
    for shape in found.of_shape:
        places = tuple((offset, size) for offset, size, _ in shape.runs)
        shapes.setdefault(places, {}).setdefault(shape.explicit, []).append(shape)
    return shapes


def is_in(found: Exploration, shapes: dict[Places, dict[bytes, list[Shape]]], block: bytes) -> bool:
    for places, of in shapes.items():
        for shape in of.get(without_runs(block, places), ()):
            values = values_of(shape, block)
            if values is None:
                continue
            for box in found.of_shape[shape].known:
                inside = all(v is None or sets.contains(s, v) for s, v in zip(box, values, strict=True))
                if inside and has_conditions(found, shape, values):
                    return True
    return False


def without_runs(block: bytes, places: Places) -> bytes:
    left = bytearray(block)
    for offset, size in places:
        left[offset : offset + size] = bytes(size)
    return bytes(left)


def values_of(shape: Shape, block: bytes) -> list[int | None] | None:
    """Of the symbols, in this block, whose explicit bytes are the shape's; None: it is not of this shape."""
    values: dict[int, int] = {}
    for offset, size, t in shape.runs:
        v = int.from_bytes(block[offset : offset + size], "little")
        if t.op == SYMBOL:
            number = t.args[0]
            assert isinstance(number, int)
            if values.setdefault(number, v) != v or v >> t.width:
                return None
    for offset, size, t in shape.runs:
        if t.symbols <= values.keys():
            v = int.from_bytes(block[offset : offset + size], "little")
            if evaluate(t, values) != v:
                return None
    return [values.get(i) for i in range(len(shape.widths))]


def program_of(number: int) -> tuple[Machine, Request]:
    """Two of four are programs that keep what they read, one more ties it together."""
    request = request_from(states=MOST_STATES, keep_going=True, inputs=Inputs.ALL)
    if number % 4 == 1:
        return machine_of_text(Tying(number).text()), request.changed(assume=(*NARROW, CHARACTERS))
    if number % 4:
        return machine_of_text(Sampling(number).text()), request.changed(assume=RANGES)
    recipe = OTHERS[number // 4 % len(OTHERS)]
    sources = sources_of(recipe, number)
    return machine_of_text(sources.program, sources.environment or None), request


@contextmanager
def eager() -> Iterator[None]:
    """Ranges come into it soon, and often."""
    before = explore.BEFORE_WIDENING, paths.FEW_WIDE, widening.FEW, explore.BEFORE_COARSE, widening.FEWEST
    explore.BEFORE_WIDENING, paths.FEW_WIDE, widening.FEW, explore.BEFORE_COARSE, widening.FEWEST = 1, 2, 2, 0, 1
    try:
        yield
    finally:
        explore.BEFORE_WIDENING, paths.FEW_WIDE, widening.FEW, explore.BEFORE_COARSE, widening.FEWEST = before


def campaign(seed: int, count: int) -> Result:
    with eager():
        return compared(seed, count)


def compared(seed: int, count: int) -> Result:
    result = Result()
    number = seed * 1_000_000
    while result.compared + len(result.failures) < count:
        number += 1
        try:
            machine, request = program_of(number)
            differing = compare(machine, request, result)
        except Exception:
            differing = traceback.format_exc(limit=-3)
        if differing:
            result.failures.append(f"{number}: {differing}")
    assert set(OTHERS) <= set(RECIPES)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    add_seed(parser)
    options = parsed(parser)
    result = campaign(options.seed, options.count)
    print(f"{result.compared} compared, {result.too_large} too large; {dict(result.kinds)}")
    print(dict(result.refused))
    for failure in result.failures:
        print(failure)
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
