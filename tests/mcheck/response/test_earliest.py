"""Deadlines under the earliest-deadline scheduler: textbook sets of periodic tasks, a naive schedule, and simavr."""

from __future__ import annotations

from math import ceil
from pathlib import Path

import pytest

from lfc.mcheck.response.break_in import BreakInBoard, break_in_everywhere
from lfc.mcheck.response.claims import claims_of
from lfc.mcheck.response.graph import Graph
from lfc.mcheck.response.timed import explore_in_time
from lfc.mcheck.response.verdicts import HOLDS, VIOLATED, Verdicts, verdicts_on
from tests.mcheck.response.boards import Made, compile_tool, made, moments

Times = tuple[int, int]
UNIT = 2  # milliseconds
ACTIONS = 4  # of a task in a unit: together with the kernel's share they take no longer
CYCLES = 16_000 * UNIT

# A task is released by the metronome, and lets others run after each action.
TASK = """
PROCESS Task{n} SERVER;
VAR i, j, k : UINT8;
BEGIN
  LOOP
    task{n}?go;
    FOR k := 1 TO {actions} DO FOR j := 1 TO 4 DO FOR i := 1 TO 205 DO x := i END END; RESCHEDULE END
  END
END Task{n};
"""
SET = """
MODULE Tasks;
IMPORT Clock;
TYPE Release = [go];
PORT task1, task2 : Release;
VAR x : UINT8; lost : BOOLEAN;

PROCESS Metronome SERVER;
VAR a, b : UINT8;
BEGIN
  Clock.Sleep(2);
  LOOP
    Clock.Sleep(1);
    IF a = 0 THEN a := {periods[0]}; SELECT WHEN task1!go THEN ELSE lost := TRUE END END;
    IF b = 0 THEN b := {periods[1]}; SELECT WHEN task2!go THEN ELSE lost := TRUE END END;
    DEC(a); DEC(b)
  END
END Metronome;
{tasks}
PROPERTY all = ALWAYS ~lost;
BEGIN
  NEW(task1); NEW(task2);
  CREATE Metronome DEADLINE 1; CREATE Task1 DEADLINE {periods[0]}; CREATE Task2 DEADLINE {periods[1]}
END Tasks.
"""


def tasks(folder: Path, times: Times, periods: Times, scheduler: str = "edf") -> Made:
    file = folder / "Tasks.lf"
    in_milliseconds = [UNIT * t for t in periods]
    bodies = "".join(TASK.format(n=n + 1, actions=ACTIONS * c) for n, c in enumerate(times))
    file.write_text(SET.format(periods=in_milliseconds, tasks=bodies))
    return made(file, scheduler=scheduler)


def judged(m: Made) -> Verdicts:
    return verdicts_on(m.machine, m.graph, claims_of(m.machine), 0.0)


def naive_earliest(times: Times, periods: Times) -> list[int]:
    """The response times of a schedule with preemption at each unit, all tasks released together."""
    longest, jobs = [0, 0], []
    for now in range(periods[0] * periods[1]):
        jobs += [[now + p, n, now, times[n]] for n, p in enumerate(periods) if now % p == 0]
        jobs.sort()
        if jobs:
            jobs[0][3] -= 1
            if jobs[0][3] == 0:
                _, n, released, _ = jobs.pop(0)
                longest[n] = max(longest[n], now + 1 - released)
    return longest


# Buttazzo, Hard Real-Time Computing Systems: the set on which EDF is compared with rate monotonic priorities. It uses
# 34 of 35 units; EDF meets all deadlines, and fixed priorities miss one at 7.
BUTTAZZO = (2, 4), (5, 7)


def test_a_textbook_set(tmp_path: Path) -> None:
    assert naive_earliest(*BUTTAZZO) == [4, 6]
    assert in_units(tasks(tmp_path, *BUTTAZZO)) == [4, 6]


@pytest.mark.parametrize(("times", "periods"), [((1, 3), (4, 6)), ((1, 2), (2, 5)), ((3, 1), (5, 3))])
def test_as_long_as_in_a_naive_schedule(times: Times, periods: Times, tmp_path: Path) -> None:
    assert in_units(tasks(tmp_path, times, periods)) == naive_earliest(times, periods)


def in_units(m: Made) -> list[int]:
    """The bounds of the response times, where all deadlines are met."""
    found = {v.name: v for v in judged(m).of}
    assert {v.said for v in found.values()} == {HOLDS}
    return [ceil((found[f"DEADLINE of Task{n}"].judged.longest.cycles or 0) / CYCLES) for n in (1, 2)]


def test_a_set_that_asks_for_too_much(tmp_path: Path) -> None:
    """7 units of 6: a deadline is missed, and the simulator shows where. Who is late then makes others late, too."""
    found = {v.name: v for v in judged(tasks(tmp_path, (1, 2), (2, 3))).of}
    assert [v.said for v in found.values()] == [HOLDS, VIOLATED, VIOLATED, VIOLATED]
    missed = found["DEADLINE of Task2"]
    bound = missed.judged.longest.cycles or 0
    assert 3 * CYCLES < 0.99 * bound < missed.shown.cycles <= bound


def test_what_changes_with_round_robin(tmp_path: Path) -> None:
    """Two actions of other processes come before the metronome: it misses a tick."""
    found = {v.name: v.said for v in judged(tasks(tmp_path, *BUTTAZZO, "rr")).of}
    assert found == {
        "DEADLINE of Metronome": VIOLATED,
        "DEADLINE of Task1": HOLDS,
        "DEADLINE of Task2": HOLDS,
        "all": HOLDS,
    }


def longest_in_simavr(m: Made, folder: Path, slot: int) -> int:
    """How long the process is ready at most, in four times the time after which all begins anew."""
    since, longest = None, 0
    for cycle, block in moments(compile_tool(folder, "moments"), m, 4 * 35 * CYCLES, 1 << 30):
        position = m.machine.position_at(block, slot)
        if position is not None and position.ready:
            since = cycle if since is None else since
        elif since is not None:
            longest, since = max(longest, cycle - since), None
    return longest


def test_simavr_takes_no_longer(tmp_path: Path) -> None:
    m = tasks(tmp_path, *BUTTAZZO)
    for v in judged(m).of:
        for slot in v.judged.claim.slots if v.name != "DEADLINE of Metronome" else ():
            bound = v.judged.longest.cycles or 0
            assert 0.9 * bound < longest_in_simavr(m, tmp_path, slot) <= bound


def test_a_deadline_that_is_not_renewed_is_seen(tmp_path: Path) -> None:
    """As if each process kept the deadline of its creation: Task2 keeps Task1 waiting."""
    m = tasks(tmp_path, *BUTTAZZO)
    board = m.graph.board
    keep, slots = board.deadlines.make_relative, m.machine.slots

    def stale(ram: bytearray, now: int) -> None:
        keep(ram, now)
        at = board.deadlines.first - board.deadlines.ram
        for slot in range(slots):
            ram[at + 4 * slot : at + 4 * slot + 4] = (100 - slot).to_bytes(4, "little")

    board.deadlines.make_relative = stale  # type: ignore[method-assign]
    m = Made(m.machine, m.image, m.places, Graph(board))
    assert explore_in_time(m.graph, 100_000)
    assert judged(m).said != HOLDS


EVENTS = """
MODULE Events;
IMPORT Clock, SYSTEM;
VAR n : UINT16;
PROCESS Button SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; n := 257 - n END END Button;
PROCESS Blink SERVER;
BEGIN LOOP Clock.Sleep(2) END END Blink;
BEGIN PORTOUT(3DH, 1); CREATE Button DEADLINE 3; CREATE Blink DEADLINE 1 END Events.
"""


def test_interrupts_break_in(tmp_path: Path) -> None:
    (tmp_path / "Events.lf").write_text(EVENTS)
    m = made(tmp_path / "Events.lf", scheduler="edf")
    counted = break_in_everywhere(m.graph, BreakInBoard(m.machine, m.image))
    assert counted.complete and not counted.broken and counted.passes == 71
