"""The checker on programs whose slots and ports have two bytes: those that need it, and others that are made so."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.checker.scaling import readers_and_writers
from lfc.actions import build
from lfc.mcheck.search.search import Stop
from lfc.trace.files import read_trace
from tests.cli.lfc import lfc
from tests.differential.stepwise import ROUNDS
from tests.mcheck.agreement import compare_with_the_naive_explorer, difference_of
from tests.mcheck.modes import exact_limits
from tests.support.searched import machine_from, random_machines, searched
from tests.support.sized_programs import FEW_STATES, milner


def test_the_same_as_the_naive_explorer() -> None:
    """Slots and channels past 255 are made, meet, wait for ever."""
    text = FEW_STATES.format(count=256)
    machine = machine_from(text)
    assert machine.wide and machine.slots == 261 and machine.layout.max_channels == 259
    assert compare_with_the_naive_explorer(text) == {"deadlock", "partial-deadlock"}


def test_the_scheduler_with_more_cells_than_a_byte_counts() -> None:
    assert not machine_from(milner(254)).wide
    machine = machine_from(milner(260))
    assert machine.wide
    with searched(machine, reductions=("por",), threads=1) as (search, stop):
        assert stop is Stop.COMPLETE and search.statistics.states == 7 * 260


def test_readers_and_writers_are_sorted() -> None:
    """A state for each number that is made or ready, and of 2 kinds that read or write."""
    counts = []
    for n in (10, 400):
        with searched(machine_from(readers_and_writers(n)), reductions=("sym",), threads=1) as (search, stop):
            assert stop is Stop.COMPLETE and search.find_stuck() is None
            counts.append(search.statistics.states)
    assert counts == [28, 1003]


def test_a_trace_is_written_and_replayed(tmp_path: Path) -> None:
    """Of a meeting of two processes past 255."""
    text = FEW_STATES.format(count=256).replace("y := y + got", "y := y + got; ASSERT(got # 1)")
    (tmp_path / "Program.lf").write_text(text)
    for name, start in (("t.lft", b"LFT2"), ("t.json", b'{"format": "lf-trace", "version": 2')):
        found = lfc("check", "Program.lf", "--trace", name, cwd=tmp_path)
        assert found.exit == 4, found.err
        assert (tmp_path / name).read_bytes().startswith(start)
        assert lfc("run", "Program.lf", "--schedule", name, cwd=tmp_path).exit == 4
    slots = {i.operands[1] or 0 for i in read_trace(tmp_path / "t.json").items if i.name == "meet"}
    assert max(slots) > 256 and read_trace(tmp_path / "t.lft").steps == read_trace(tmp_path / "t.json").steps


def test_boards_have_no_room(tmp_path: Path) -> None:
    (tmp_path / "Milner.lf").write_text(milner(300))
    found = lfc("build", "Milner.lf", "-b", "pico", cwd=tmp_path)
    assert found.exit != 0
    assert "a program for the board pico has at most 255 processes and 255 channels" in found.err
    assert "Milner.lf:9:" in found.err and "301 processes" in found.err
    assert "Milner.lf:23:" in found.err and "300 channels" in found.err


@pytest.fixture
def all_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MOST_IN_A_BYTE", 0)


@pytest.mark.usefixtures("all_wide")
def test_random_programs_that_are_made_wide() -> None:
    compared = 0
    for seed, machine, expected in random_machines(range(7300, 7308), 200):
        assert machine.wide
        compared += 1
        for mode, limits in exact_limits(keep_going=True, rounds=ROUNDS):
            assert difference_of(machine, limits, expected) is None, (seed, mode)
    assert compared >= 3
