"""The store's interface, asked by several owners: states shared out among engines that know each other's by name alone
are the states of one, however they are shared out and handed over. And what a state that stands for others will ask of
it: to be split, to cover.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.engine import library as lib
from lfc.mcheck.engine.abi import RanksCounts, RanksOptions, RanksOptionsCovers, RanksOptionsOwner, RanksOptionsSplit
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source
from tests.mcheck.searching import search_with
from tests.support.sized_programs import senders, walkers

BROKEN = 6


@dataclass
class Ranks:
    searches: list[Search]
    stop: int
    counts: RanksCounts

    def owned(self) -> list[int]:
        return list(self.counts.of_rank[: len(self.searches)])


@contextmanager
def ranks_of(machine: Machine, ranks: int, options: RanksOptions | None = None, **limits: object) -> Iterator[Ranks]:
    searches = [search_with(machine, request_from(keep_going=True, **limits)) for _ in range(ranks)]
    engines = (ctypes.c_void_p * ranks)(*(s.engine for s in searches))
    counts = RanksCounts()
    try:
        stop = searches[0].library.mc_ranks_search(
            engines, ctypes.c_uint32(ranks), ctypes.byref(options or RanksOptions()), ctypes.byref(counts)
        )
        yield Ranks(searches, stop, counts)
    finally:
        for s in searches:
            s.close()


def counted(x: object) -> tuple[int, ...]:
    return tuple(getattr(x, n) for n in ("states", "transitions", "ends", "deadlocks", "faults", "depth"))


EXAMPLES: dict[str, Callable[[], Machine]] = {
    "senders": lambda: machine_of_source(Source("Program.lf", senders(6))),
    "walkers": lambda: machine_of_source(Source("Program.lf", walkers(4, 3))),
    "peterson": lambda: machine_of(ROOT / "examples" / "peterson3.lf"),
    "mutex": lambda: machine_of(ROOT / "examples" / "mutex.lf"),
    "leader": lambda: machine_of(ROOT / "examples" / "leader.lf"),
}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
@pytest.mark.parametrize(("ranks", "batch"), [(1, 0), (2, 0), (2, 1), (3, 7)])
def test_states_that_are_shared_out_are_those_of_one_store(name: str, ranks: int, batch: int) -> None:
    machine = EXAMPLES[name]()
    whole = Search(machine, request_from(keep_going=True))
    assert whole.run() is Stop.COMPLETE
    expected, blocks = counted(whole.statistics), set(whole.all_blocks())
    whole.close()
    with ranks_of(machine, ranks, RanksOptions(batch=batch)) as found:
        assert found.stop == 0 and counted(found.counts) == expected
        parts = [set(s.all_blocks()) for s in found.searches]
        assert [len(p) for p in parts] == found.owned() and sum(map(len, parts)) == len(blocks)
        assert set().union(*parts) == blocks
        assert (found.counts.covered, found.counts.splits) == (0, 0)
        if ranks == 1:
            assert (found.counts.handed_over, found.counts.batches) == (0, 0)
        else:
            assert min(found.owned()) > expected[0] // ranks // 2 and found.counts.handed_over > 0
        if batch == 1:
            assert found.counts.batches == found.counts.handed_over


def test_dead_variables_and_time_go_with_the_name() -> None:
    machine = machine_of(ROOT / "examples" / "traffic.lf")
    for limits in ({"reductions": ("dead",)}, {"time": "ordered"}):
        whole = search_with(machine, request_from(keep_going=True, **limits))
        assert whole.run() is Stop.COMPLETE
        expected = counted(whole.statistics)
        whole.close()
        with ranks_of(machine, 2, **limits) as found:
            assert found.stop == 0 and counted(found.counts) == expected and min(found.owned()) > 0


def test_the_owner_is_whom_the_function_says() -> None:
    machine = EXAMPLES["senders"]()
    with ranks_of(machine, 2, RanksOptions(owner=RanksOptionsOwner(lambda name, size, ranks: ranks - 1))) as found:
        assert found.stop == 0 and found.owned() == [0, 857]
        assert found.counts.handed_over == 1  # the initial state; whoever is expanded by its owner stays there


@pytest.mark.parametrize("how", ["por", "sym", "chains"])
def test_what_depends_on_one_engine_is_refused(how: str) -> None:
    with ranks_of(EXAMPLES["senders"](), 2, reductions=(how,)) as found:
        assert found.stop == BROKEN and found.counts.states == 0


COUNTER = """MODULE Counter;
VAR n : INTEGER;
PROCESS Up; BEGIN WHILE n < 20 DO n := n + 1; RESCHEDULE END END Up;
BEGIN n := {first}; CREATE Up END Counter.
"""


def names_of(machine: Machine) -> list[bytes]:
    """Of all states."""
    seen: list[bytes] = []

    def look(name: int, size: int) -> int:
        seen.append(ctypes.string_at(name, size))
        return 0

    with ranks_of(machine, 1, RanksOptions(covers=RanksOptionsCovers(look))) as found:
        assert found.stop == 0
    return list(dict.fromkeys(seen))


def place_of(names: Sequence[bytes], value: int) -> int:
    """The only byte that is `value` in the last of the names and never greater."""
    last = names[-1]
    places = [i for i in range(len(last)) if last[i] == value == max(n[i] for n in names)]
    assert len(places) == 1
    return places[0]


def test_what_is_covered_is_not_new() -> None:
    machine = machine_of_source(Source("Counter.lf", COUNTER.format(first=0)))
    names = names_of(machine)
    at = place_of(names, 20)
    expected = sum(n[at] < 7 for n in names)
    assert 0 < expected < len(names)
    covers = RanksOptionsCovers(lambda name, size: ctypes.string_at(name, size)[at] >= 7)
    for ranks in (1, 2):
        with ranks_of(machine, ranks, RanksOptions(covers=covers)) as found:
            assert found.stop == 0 and found.counts.states == expected and found.counts.covered == 1


def test_a_state_may_be_split_into_others() -> None:
    """A state whose `n` is not determined, here 255, stands for three; what comes of it is what comes of these."""
    firsts, union = (3, 11, 17), set()
    for first in firsts:
        union |= set(names_of(machine_of_source(Source("Counter.lf", COUNTER.format(first=first)))))
    at = place_of(names_of(machine_of_source(Source("Counter.lf", COUNTER.format(first=0)))), 20)
    undetermined = machine_of_source(Source("Counter.lf", COUNTER.format(first=255)))

    def split(name: int, size: int, parts: int, room: int) -> int:
        whole = ctypes.string_at(name, size)
        if whole[at] != 255:
            return 0
        for i, first in enumerate(firsts):
            part = bytearray(whole)
            part[at] = first
            ctypes.memmove(parts + i * size, bytes(part), size)
        return len(firsts)

    for ranks in (1, 2):
        with ranks_of(undetermined, ranks, RanksOptions(split=RanksOptionsSplit(split))) as found:
            assert found.stop == 0 and found.counts.splits == 1
            assert found.counts.states == len(union) + 1  # the one that is split


def test_states_of_one_shape_have_one_owner() -> None:
    """Where a byte is not determined, its value is no part of what says who the owner is; that it is not, is."""
    owner = lib.library().mc_owner_by_hash
    owner.restype = ctypes.c_uint32
    size = 24
    mask = bytes(8 <= i < 12 for i in range(size))
    names = [bytes((i * 7 + k) % 256 for i in range(size)) for k in range(64)]
    for name in names:
        other = name[:8] + b"\1\2\3\4" + name[12:]
        assert owner(name, mask, ctypes.c_uint64(size), 5) == owner(other, mask, ctypes.c_uint64(size), 5)
    by_shape = [owner(n, mask, ctypes.c_uint64(size), 5) for n in names]
    by_value = [owner(n, None, ctypes.c_uint64(size), 5) for n in names]
    assert set(by_shape) == set(by_value) == set(range(5)) and by_shape != by_value
