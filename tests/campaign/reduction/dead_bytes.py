"""The campaign of dead variables: bytes that are called dead are overwritten with others, and nothing else may change.

    nice python -m tests.campaign.reduction.dead_bytes --count 300 --seed 1

Every state of a random program is looked at, by running its actions one by one. Whatever its dead bytes are, the same
events must be possible, with the same faults, and lead to blocks that differ in dead bytes only. The search with `dead`
must have as many states as there are blocks with dead bytes set to zero. Half of the programs call processes that wait
; the others are mixed programs, programs that create processes as they run, and networks.
"""

from __future__ import annotations

import random
import sys
import traceback
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from lfc.run.events import all_events
from lfc.run.running import HostRun
from tests.differential.stepwise import machine_of_source
from tests.generate.recipes import text_of
from tests.mcheck.searching import search_with
from tests.support.seeds import count_and_seed

MOST_STATES = 700
MOST_EVENTS = 60  # of one state: more are those of inputs
ROUNDS = 2000
RECIPES = ("calling", "mixed", "calling", "created", "calling", "networks")


class Disagreement(Exception):
    """What is called dead is read."""


class TooLarge(Exception):
    """Too many states, or too many events in one."""


@dataclass(slots=True)
class Result:
    programs: int = 0
    compared: int = 0
    smaller: int = 0
    states: int = 0
    kept: int = 0  # of these
    overwritten: int = 0  # bytes
    called: int = 0  # of these in processes that are in a call
    why: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)

    def mix(self) -> str:
        n = max(1, self.compared)
        return (
            f"{self.compared} of {self.programs} compared; {100 * self.smaller / n:.1f} % have fewer states; "
            f"{self.states:,} states became {self.kept:,}; {self.overwritten:,} dead bytes were overwritten, "
            f"{self.called:,} of them while a call lasted"
        )


Outcome = tuple[object, ...]


class Judge:
    def __init__(self, machine: Machine) -> None:
        self.run = HostRun(generate(machine, HOST), 1)
        self.run.host.rounds = ROUNDS
        self.machine = machine
        self.reset = Reset(machine)

    def outcomes(self, block: bytes) -> tuple[set[Outcome], list[bytes]]:
        """Of every event: what was decided, and what came of it, but for dead bytes; and the blocks as they are."""
        found: set[Outcome] = set()
        blocks: list[bytes] = []
        for n, event in enumerate(all_events(self.run, block)):
            if n > MOST_EVENTS:
                raise TooLarge
            items = tuple(str(item.to_json()) for item in event.items)
            if event.fault is not None:
                found.add((items, event.fault.kind, event.fault.site))
            else:
                found.add((items, self.reset.block(event.block)))
                blocks.append(event.block)
        return found, blocks

    def judge(self, rng: random.Random, result: Result) -> None:
        start = self.run.block
        states = {start}
        work = [start]
        kept = set()
        for block in work:
            expected, following = self.outcomes(block)
            for b in following:
                if b not in states:
                    states.add(b)
                    work.append(b)
            if len(states) > MOST_STATES:
                raise TooLarge
            places = self.reset.places(block)
            kept.add(self.reset.block(block))
            for other in (bytes, lambda size: b"\xff" * size, rng.randbytes) if places else ():
                changed = bytearray(block)
                for at, size in places:
                    changed[at : at + size] = other(size)
                if self.reset.block(bytes(changed)) != self.reset.block(block):
                    raise Disagreement("where dead bytes lie depends on them")
                found, _ = self.outcomes(bytes(changed))
                if found != expected:
                    raise Disagreement(f"{places} of {block.hex(' ')}: {found ^ expected}")
            result.overwritten += sum(size for _, size in places)
            result.called += sum(size for at, size in places if self.in_call(block, at))
        result.compared += 1
        result.states += len(states)
        result.kept += len(kept)
        result.smaller += len(kept) < len(states)
        searched = self.searched()
        if searched != len(kept):
            raise Disagreement(f"the search has {searched} states, {len(kept)} are different")

    def in_call(self, block: bytes, at: int) -> bool:
        for r in self.machine.layout.records:
            if r.frame_field_offset is not None and r.offset <= at < r.offset + r.slots * r.stride:
                record = at - (at - r.offset) % r.stride + r.frame_field_offset
                return int.from_bytes(block[record : record + r.frame_field_size], "little") != r.frame0
        return False

    def searched(self) -> int:
        search = search_with(self.machine, request_from(reductions=("dead",), keep_going=True, rounds=ROUNDS))
        try:
            if search.run() is not Stop.COMPLETE:
                raise Disagreement("the search is not complete")
            return int(search.statistics.states)
        finally:
            search.close()


def judge(text: str, result: Result, seed: int = 0) -> None:
    result.programs += 1
    try:
        Judge(machine_of_source(Source("Program.lf", text))).judge(random.Random(seed), result)
    except TooLarge:
        result.why["too large"] += 1


def try_seeds(seeds: Iterable[int]) -> Result:
    result = Result()
    for seed in seeds:
        try:
            judge(text_of(RECIPES[seed % len(RECIPES)], seed), result, seed)
        except Exception:
            result.failures.append(f"{seed}: {traceback.format_exc(limit=-3)}")
            print(result.failures[-1], file=sys.stderr)
        if result.programs % 50 == 0:
            print(f"{result.mix()}; {len(result.failures)} failures", file=sys.stderr)
    return result


def main() -> None:
    options = count_and_seed(__doc__, 300)
    first = options.seed * 1_000_000
    result = try_seeds(range(first, first + options.count))
    print(result.mix())
    sys.exit(1 if result.failures else 0)


if __name__ == "__main__":
    main()
