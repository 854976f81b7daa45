"""Periods of pins, their jitter and the processor's load: exact numbers, and simavr, which stays within them."""

from __future__ import annotations

import random
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

from lfc.boards.emulators.simavr import flash_content
from lfc.mcheck.response.avr_board import AvrBoard, Moved
from lfc.mcheck.response.awake import greatest_ratio
from lfc.mcheck.response.graph import Graph, NoTime
from lfc.mcheck.response.recurring import Arc
from lfc.mcheck.response.table import Table, table_of
from lfc.mcheck.response.timed import explore_in_time
from tests.conftest import ROOT
from tests.mcheck.response.boards import Made, compile_tool, made

DEBOUNCE = ROOT / "examples" / "realtime" / "Debounce.lf"
PORTC, PORTB = 0x28, 0x25
SECOND = 16_000_000
WAVE = """
MODULE Wave;
IMPORT Clock;
VAR lamp AT 25H : SET8; n : UINT8;

PROCESS Wave SERVER;
BEGIN LOOP lamp := {5}; lamp := {}; Clock.Sleep(3) END END Wave;

PROCESS Other SERVER;
VAR i : UINT8;
BEGIN LOOP FOR i := 1 TO 200 DO n := i END; Clock.Sleep(2) END END Other;

BEGIN CREATE Wave; CREATE Other END Wave.
"""


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_tool(tmp_path_factory.mktemp("rises"), "rises")


@pytest.fixture(scope="module")
def wave(tmp_path_factory: pytest.TempPathFactory) -> Made:
    file = tmp_path_factory.mktemp("wave") / "Wave.lf"
    file.write_text(WAVE)
    return made(file)


@pytest.fixture(scope="module")
def debounce() -> Made:
    return made(DEBOUNCE)


def table(m: Made) -> Table:
    return table_of(m.machine, m.graph, "rr")


def run(tool: Path, m: Made, latch: int, bit: int, named: tuple[int, ...] = ()) -> tuple[list[int], int]:
    """Cycles between rises but the first ones, and those awake, in a second."""
    board = m.image.board
    flash = tool.parent / "flash"
    flash.write_bytes(flash_content(m.image.firmware.image.elf))
    command = [tool, board.emulator.simavr, board.cpu.clock, flash, latch, 1 << bit, SECOND, 40_000, 1, *named]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    *rises, awake = map(int, done.stdout.split())
    return [b - a for a, b in zip(rises[2:], rises[3:], strict=False)], awake


def within(t: Table, pin: str, seen: list[int]) -> tuple[int, int]:
    """How far the bounds are beyond what was seen."""
    (between,) = (p.between for p in t.pins if p.name == pin)
    assert between.least is not None and between.most is not None and len(seen) > 100
    assert between.least <= min(seen) and max(seen) <= between.most
    return min(seen) - between.least, between.most - max(seen)


def test_a_wave(wave: Made, tool: Path) -> None:
    t = table(wave)
    seen, awake = run(tool, wave, PORTB, 5)
    assert t.times.keys() == {"Wave.Wave", "Wave.Other"} and [p.name for p in t.pins] == ["D13"]
    assert within(t, "D13", seen) == (105, 37)
    assert t.periodic is not None and t.periodic == t.loaded
    assert 0.95 * t.periodic < awake / SECOND <= t.periodic


def test_beside_interrupts(debounce: Made, tool: Path) -> None:
    t = table(debounce)
    seen, awake = run(tool, debounce, PORTC, 0, (1,))
    assert within(t, "A0", seen) == (485, 417)
    assert t.loaded is not None and t.periodic is not None
    assert t.periodic * SECOND < awake <= t.loaded * SECOND
    calm, awake = run(tool, debounce, PORTC, 0)
    within(t, "A0", calm)
    assert 0.9 * t.periodic < awake / SECOND <= t.periodic
    assert next(p.between for p in t.pins if p.name == "D13").why == "it may go on for ever without the event"


def test_a_fault_in_the_account_is_seen(wave: Made, tool: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other process computes, and its cycles are left out: simavr is then outside."""
    run_pass = AvrBoard.run

    def short(board: AvrBoard, state: bytes, inputs: tuple[int, ...], event: int = 0) -> Moved:
        moved = run_pass(board, state, inputs, event)
        if not moved.writes and not moved.asleep_at:
            moved.cycles = min(moved.cycles, 80)
        return moved

    monkeypatch.setattr(AvrBoard, "run", short)
    wrong = Graph(wave.graph.board)
    assert explore_in_time(wrong, 1000)
    (pin,) = table_of(wave.machine, wrong, "rr").pins
    seen, _ = run(tool, wave, PORTB, 5)
    assert pin.between.most is not None and max(seen) > pin.between.most


def all_ratios(nodes: int, arcs: list[Arc]) -> list[Fraction]:
    """Of each simple cycle, from its least node on."""
    found = []

    def go_on(start: int, here: int, been: set[int], awake: int, time: int) -> None:
        for a in (a for a in arcs if a.begin == here and a.end >= start):
            if a.end == start:
                more = time + a.time
                found.append(min(Fraction(1), Fraction(awake + a.awake, more)) if more else Fraction(1))
            elif a.end not in been:
                go_on(start, a.end, been | {a.end}, awake + a.awake, time + a.time)

    for start in range(nodes):
        go_on(start, start, {start}, 0, 0)
    return found


def test_the_greatest_ratio_of_all_cycles() -> None:
    chance = random.Random(3)
    for _ in range(300):
        nodes = chance.randrange(1, 6)
        arcs = [
            Arc(
                chance.randrange(nodes),
                chance.randrange(nodes),
                chance.randrange(90),
                chance.choice((0, 100, 200)),
                False,
            )
            for _ in range(chance.randrange(2 * nodes + 1))
        ]
        assert greatest_ratio(nodes, arcs) == max(all_ratios(nodes, arcs), default=0)


def test_the_search_for_the_greatest_ratio_ends_in_time() -> None:
    with pytest.raises(NoTime):
        greatest_ratio(1, [Arc(0, 0, 1, 2, False)], lambda: False)
