"""Ranks in one process, without MPI: what is in the boxes, and what is no box."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator

import pytest

from lfc.mcheck.engine import abi
from lfc.mcheck.search.search import Search
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of

FAR = 1 << 30


@pytest.fixture
def pair() -> Iterator[list[Search]]:
    machine = machine_of(ROOT / "examples" / "peterson3.lf")
    searches = [Search(machine) for _ in range(2)]
    for rank, search in enumerate(searches):
        options = abi.ClusterOptions(rank=rank, ranks=2)
        assert search.library.mc_cluster_begin(search.engine, ctypes.byref(options), None) == 0
        search.library.mc_cluster_go_on(search.engine, 100.0)
    yield searches
    for search in searches:
        search.close()


def box_of(search: Search, rank: int) -> bytes:
    room = ctypes.create_string_buffer(max(1, search.library.mc_cluster_waiting(search.engine, rank)))
    size = search.library.mc_cluster_waiting(search.engine, rank)
    search.library.mc_cluster_take_box(search.engine, rank, room)
    return room.raw[:size]


def level(searches: list[Search]) -> tuple[int, list[bytes]]:
    """How many states are new, and the boxes of each for the other."""
    for s in searches:
        assert s.library.mc_cluster_expand(s.engine, FAR) == 0
        s.library.mc_cluster_flush(s.engine)
    boxes = [box_of(s, 1 - rank) for rank, s in enumerate(searches)]
    for rank, s in enumerate(searches):
        assert s.library.mc_cluster_receive(s.engine, 1 - rank, boxes[1 - rank], len(boxes[1 - rank]))
    fresh = sum(s.library.mc_cluster_end_level(s.engine) for s in searches)
    for s in searches:
        s.library.mc_cluster_begin_level(s.engine)
    return fresh, boxes


def test_boxes_alone_make_the_states_of_one(pair: list[Search]) -> None:
    states, levels, sent = 1, 0, 0
    while (found := level(pair))[0]:
        states, levels, sent = states + found[0], levels + 1, sent + sum(map(len, found[1]))
    assert (states, levels) == (4516, 39)
    blocks = [set(s.all_blocks()) for s in pair]
    assert not blocks[0] & blocks[1] and len(blocks[0] | blocks[1]) == 4516
    counts = abi.ClusterCounts()
    handed_over = 0
    for s in pair:
        s.library.mc_cluster_get_counts(s.engine, ctypes.byref(counts))
        handed_over += counts.handed_over
    assert sent < 16 * handed_over  # eight bytes of each, and what they need for the first time


def test_what_is_no_box_is_refused(pair: list[Search]) -> None:
    while not any(boxes := level(pair)[1]):
        pass
    there = next(n for n, b in enumerate(boxes) if b)
    owner, box = pair[1 - there], boxes[there]
    receive = owner.library.mc_cluster_receive
    for bad in (b"\xff" * 8, b"\xff" * 12, b"\x07\x00\x00\x70" * 2, box[:-1], box[:-4], box[4:]):
        assert not receive(owner.engine, there, bad, len(bad)), bad
    assert not receive(owner.engine, 2, box, len(box))
    stranger = pair[there]  # whose states these are not
    assert not stranger.library.mc_cluster_receive(stranger.engine, 1 - there, box, len(box))
