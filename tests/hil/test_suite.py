"""Test sequences from the state graph: they cover all, are few, and a board passes, fails, or nothing is known."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.emulators.line import Line, LineEnded, line_of_emulator
from lfc.boards.emulators.simavr import SimavrOnTerminal, flash_content
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics
from lfc.hil.coverage import (
    ACTIONS,
    COMMUNICATIONS,
    COVERS,
    TRANSITIONS,
    Covered,
    CoveredEdge,
    explored,
    goal_text,
    only_of_module,
)
from lfc.hil.host_side import HostSide
from lfc.hil.session import BoardSession
from lfc.hil.suite import Test, _Parts, suite_for
from lfc.hil.suite_run import TestResult, run_suite, verdict_of
from lfc.hil.walks import graph_to_cover
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.semantics.analyse import analyse_text
from lfc.toolchain.elf import read_section_place
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source
from tests.hil.boards import board_named, traced
from tests.hil.followed import follow, follow_in

EXAMPLES = ["prodcons", "mutex", "buffer", "peterson2", "clockdemo", "calls"]
SMALL = """MODULE Small;
IMPORT Out;
VAR v : UINT8;
BEGIN
  v := 5AH;
  CHOICE Out.Char("a")
  OR Out.Char("b"); RESCHEDULE; v := 1
  OR ASSERT(v = 2)
  END
END Small.
"""


def example(name: str) -> Machine:
    return machine_of(ROOT / "examples" / f"{name}.lf")


# --- the sequences ---


CONTEXT = """MODULE Context;
IMPORT Part;
BEGIN Part.Turn(1); Part.Turn(1); RESCHEDULE; Part.Turn(0) END Context.
"""
PART = """MODULE Part;
VAR n : 0 .. 9;
PROCESS Turn*(by : INTEGER);
BEGIN
  IF by > 0 THEN RESCHEDULE; INC(n, by) ELSIF by < 0 THEN RESCHEDULE; DEC(n) ELSE RESCHEDULE; n := 0 END
END Turn;
END Part.
"""


def test_of_one_module_in_its_context() -> None:
    """Its own places are goals, those that the context comes to; tests cover these."""
    diagnostics = Diagnostics()
    program, _ = analyse_text(CONTEXT, diagnostics, files={"Part.lf": PART})
    assert program is not None
    machine = build_machine(program, diagnostics)
    whole = graph_to_cover(machine, ACTIONS, 1000)
    count = len(whole.goals)
    covered = only_of_module(whole, ACTIONS, "Part")
    places = [goal_text(machine, ACTIONS, g) for g in covered.goals]
    assert (count, places) == (4, ["Part.Turn at line 5", "Part.Turn at line 5"])
    assert together(suite_for(covered)) == 0b11


def together(tests: list[Test]) -> int:
    found = 0
    for test in tests:
        found |= test.goals
    return found


@pytest.mark.parametrize("name", EXAMPLES)
def test_all_is_covered_and_each_test_can_be_done(name: str) -> None:
    machine = example(name)
    for cover in COVERS:
        covered = explored(machine, cover, 5000)
        tests = suite_for(covered)
        together = 0
        for test in tests:
            assert test.edges[0].source == 0
            assert all(a.target == b.source for a, b in zip(test.edges, test.edges[1:], strict=False))
            together |= test.goals
            follow(machine, covered, test)
        assert covered.complete and together == (1 << len(covered.goals)) - 1, cover


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_actions_are_those_that_the_checker_reaches(name: str) -> None:
    machine = example(name)
    covered = explored(machine, ACTIONS, 5000)
    search = Search(machine, request_from(keep_going=True))
    try:
        search.run()
        states = search.statistics.states
        ready = {n for block in search.all_blocks() for n in ready_positions(machine, block)}
    finally:
        search.close()
    assert len(covered.blocks) == states
    assert {g[1] for g in covered.goals if g[0] == "run"} == ready


def ready_positions(machine: Machine, block: bytes) -> Iterator[int]:
    from lfc.run.events import positions, ready_slots

    at = positions(machine, block)
    yield from (at[s] for s in ready_slots(machine, block))


@pytest.mark.parametrize("name", ["prodcons", "buffer", "calls", "mutex", "semaphore"])
def test_walks_find_what_all_states_have(name: str) -> None:
    """From the first states alone; and each of their tests can be done."""
    machine = example(name)
    for cover in (TRANSITIONS, COMMUNICATIONS):
        walked = graph_to_cover(machine, cover, 3)
        assert not walked.complete and len(walked.blocks) == 3 + walked.walked
        assert set(walked.goals) == set(explored(machine, cover, 5000).goals), cover
        for test in suite_for(walked):
            follow(machine, walked, test)


def test_one_run_does_test_after_test() -> None:
    """What the policies remember of who waits would be more and more, and end up in the state block."""
    machine = example("leader")
    walked = graph_to_cover(machine, COMMUNICATIONS, 2000)
    tests = suite_for(walked)
    run = HostRun(generate(machine, host_target()), 1)
    for test in tests * 5:
        run.block = walked.blocks[0]
        follow_in(run, walked, test)


def test_walks_are_the_same_every_time() -> None:
    first, second = (graph_to_cover(example("prodcons"), TRANSITIONS, 3) for _ in range(2))
    assert first.blocks == second.blocks and first.edges == second.edges


def test_what_reads_more_than_can_be_tried() -> None:
    """65,536 pairs of values in one step: some are tried, and chance finds the branch that only large ones reach."""
    text = (
        "MODULE Pair; VAR a, b : UINT8; BEGIN a := PORTIN(20H); b := PORTIN(21H);\n"
        "  IF a > b THEN RESCHEDULE; a := 0 ELSE RESCHEDULE; a := 1 END\nEND Pair.\n"
    )
    machine = machine_of_source(Source("Pair.lf", text))
    covered = graph_to_cover(machine, ACTIONS, 50)
    assert not covered.complete and covered.seen <= 50 * 100 + 1024
    assert len(covered.goals) == 3  # the first, and one in each branch
    assert {goal for test in suite_for(covered) for goal in range(3) if test.goals >> goal & 1} == {0, 1, 2}


def test_branches_that_exclude_each_other_need_a_test_each() -> None:
    covered = explored(machine_of_source(Source("Small.lf", SMALL)), TRANSITIONS, 100)
    tests = suite_for(covered)
    ends = sorted("fault" if t.edges[-1].target is None else "end" for t in tests)
    assert len(tests) == 3 and ends == ["end", "end", "fault"]


def graph_of(edges: list[tuple[int, int]], count: int) -> Covered:
    """Each edge is a goal."""
    found: list[list[CoveredEdge]] = [[] for _ in range(count)]
    for bit, (a, b) in enumerate(edges):
        found[a].append(CoveredEdge(a, b, [], 1 << bit))
    machine = machine_of_source(Source("M.lf", "MODULE M;\nEND M.\n"))
    return Covered(machine, [b""] * count, found, [(i,) for i in range(len(edges))], True)


def reachable(edges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    there = {0}
    while more := {b for a, b in edges if a in there} - there:
        there |= more
    return [(a, b) for a, b in edges if a in there]


def fewest(covered: Covered) -> int:
    """By trying: sets of chains of strongly connected parts, the smallest first."""
    of = _Parts(covered).of
    inside = [0] * (max(of) + 1)
    exits: list[list[CoveredEdge]] = [[] for _ in inside]
    for here, edges in enumerate(covered.edges):
        for e in edges:
            assert e.target is not None
            if of[e.target] == of[here]:
                inside[of[here]] |= e.goals
            else:
                exits[of[here]].append(e)

    def chains(part: int) -> Iterator[int]:
        yield inside[part]
        for e in exits[part]:
            assert e.target is not None
            for rest in chains(of[e.target]):
                yield inside[part] | e.goals | rest

    wanted = 0
    for edges in covered.edges:
        for e in edges:
            wanted |= e.goals
    there = set(chains(of[0]))
    for count in range(1, 10):
        for some in combinations(there, count):
            together = 0
            for goals in some:
                together |= goals
            if together == wanted:
                return count
    raise AssertionError("more than nine tests")


def test_there_are_hardly_more_tests_than_needed() -> None:
    """Of random graphs: against the least number, found by trying all."""
    rng = random.Random(7)
    needed = made = tried = 0
    while tried < 150:
        count = rng.randint(2, 7)
        edges = reachable(sorted({(rng.randrange(count), rng.randrange(count)) for _ in range(rng.randint(2, 9))}))
        if not edges:
            continue
        covered = graph_of(edges, count)
        tests = suite_for(covered)
        least = fewest(covered)
        assert least <= len(tests) <= least + 1, edges
        needed, made, tried = needed + least, made + len(tests), tried + 1
    assert made <= needed * 1.05


def test_a_ring_is_one_test_and_no_step_too_much() -> None:
    (test,) = suite_for(graph_of([(i, (i + 1) % 50) for i in range(50)], 50))
    assert len(test.edges) == 50


# --- on boards ---


def suite_on(
    machine: Machine, board: str, emulator: str, elf: bytes, cut_after: int | None = None
) -> tuple[list[TestResult], Covered]:
    firmware = traced(board, machine)
    covered = explored(machine, TRANSITIONS, 1000)

    @contextmanager
    def opened() -> Iterator[BoardSession]:
        with line_of_emulator(board_named(board), elf, emulator) as line:
            session = BoardSession(line if cut_after is None else Cut(line, cut_after))
            session.greet(firmware.program.hex(), machine.layout.size, "rr")
            yield session

    host = HostSide(machine, "rr")
    return run_suite(covered, suite_for(covered), opened, host, firmware.generated.sites, "Small.lf"), covered


class Cut:
    """A cable that is pulled after so many writes."""

    def __init__(self, line: Line, writes: int) -> None:
        self.line, self.left = line, writes

    def read(self, seconds: float) -> bytes:
        return self.line.read(seconds)

    def write(self, data: bytes) -> None:
        if self.left == 0:
            raise LineEnded("the cable was pulled")
        self.left -= 1
        self.line.write(data)


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("microbit", "qemu")])
def test_a_right_board_passes_a_wrong_one_fails(board: str, emulator: str) -> None:
    """Wrong: the instruction that loads 5AH loads 5BH."""
    machine = machine_of_source(Source("Small.lf", SMALL))
    elf = traced(board, machine).image.elf
    results, _ = suite_on(machine, board, emulator, elf)
    assert verdict_of(results) == "pass" and len(results) == 3
    place = read_section_place(elf, ".text")
    assert place is not None
    found = [i for i in range(place[0], sum(place), 2) if loads_5ah(board, elf, i)]
    assert len(found) == 1
    changed = elf[: found[0]] + bytes([elf[found[0]] ^ 1]) + elf[found[0] + 1 :]
    results, _ = suite_on(machine, board, emulator, changed)
    assert verdict_of(results) == "fail" and any("90 on the host" in line for r in results for line in r.told)


def loads_5ah(board: str, elf: bytes, i: int) -> bool:
    if board == "uno":  # LDI: 1110 KKKK dddd KKKK
        return elf[i] & 0xF == 0xA and elf[i + 1] == 0xE5
    return elf[i] == 0x5A and elf[i + 1] & 0xF8 == 0x20  # MOVS: 0010 0ddd KKKK KKKK


def test_a_pulled_cable_is_no_verdict() -> None:
    machine = machine_of_source(Source("Small.lf", SMALL))
    results, _ = suite_on(machine, "uno", "simavr", traced("uno", machine).image.elf, cut_after=2)
    assert verdict_of(results) == "inconclusive" and {r.verdict for r in results} == {"inconclusive"}
    assert verdict_of([TestResult("pass", 1), TestResult("inconclusive", 1)]) == "inconclusive"
    assert verdict_of([TestResult("fail", 1), TestResult("inconclusive", 1)]) == "fail"


def test_at_a_port() -> None:
    """Each test resets the board, as opening its port does."""
    board = board_named("uno")
    content = flash_content(traced("uno", example("mutex")).image.elf)
    with SimavrOnTerminal(board, content) as chip:
        done = lfc("hil", "test", "examples/mutex.lf", "-b", "uno", "-p", chip.port)
    assert done.exit == 0 and "pass: 2 of 2 tests on uno at /dev/" in done.err, done.err


def test_on_the_command_line(tmp_path: Path) -> None:
    """And each test is a trace that a board follows."""
    (tmp_path / "Small.lf").write_text(SMALL)
    small = ("Small.lf", "-b", "uno", "--emulated")
    done = lfc("hil", "test", *small, "--save", "tests", "--mutants", "5", "--json", cwd=tmp_path)
    assert done.exit == 0 and "\npass: 3 of 3 tests on uno in simavr" in done.err, done.err
    told = json.loads(done.err.splitlines()[-1])
    assert (told["verdict"], told["complete"], len(told["mutants"])) == ("pass", True, 5)
    assert sorted(p.name for p in (tmp_path / "tests").iterdir()) == ["test1.json", "test2.json", "test3.json"]
    ends = {lfc("hil", "replay", f"tests/test{n}.json", *small, cwd=tmp_path).exit for n in (1, 2, 3)}
    assert ends == {0, 4}
    done = lfc("hil", "test", *small, "--cover", "communications", cwd=tmp_path)
    assert done.exit == 0 and "nothing to test" in done.err
    assert lfc("hil", "test", "Small.lf", "-b", "uno", "-p", "/dev/there-is-none", cwd=tmp_path).exit == 9
