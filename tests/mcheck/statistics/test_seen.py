"""What the search says of what it has come across, against its own states looked through one by one."""

from __future__ import annotations

from collections import Counter

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.module.passed_blocks import numbered_blocks
from lfc.mcheck.model.description import Numbers
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.run.names import position_number
from lfc.semantics.model import typed
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source
from tests.generate.general.program import Profile, generate
from tests.naive import evaluator
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions, explore
from tests.naive.state import State

EXPLORED = Profile(size=1, small=True, inputs=False, interrupts=False, time=True)


def compare(machine: Machine, most: int = 20000, **limits: object) -> None:
    search = Search(machine, request_from(states=most, keep_going=True, **limits))
    if search.run() is not Stop.COMPLETE:
        search.close()
        return
    blocks, seen = search.all_blocks(), search.seen()
    numbers = Numbers(machine)
    positions = {0} if any(position_number(machine, b, s) == 0 for b in blocks for s in range(machine.slots)) else set()
    slots = set()
    for b in blocks:
        for s in range(machine.slots):
            position = machine.position_at(b, s)
            if position is not None:
                positions.add(numbers.of[id(position)])
                slots.add(s)
    waiting = [0] * len(seen.positions)
    for b in blocks:
        there = [machine.position_at(b, s) for s in range(machine.slots)]
        count = Counter(numbers.of[id(p)] for p in there if p is not None and not p.ready)
        for number, many in count.items():
            waiting[number] = max(waiting[number], many)
    assert search.most_waiting() == waiting
    assert {n for n, x in enumerate(seen.positions) if x} == positions
    assert {s for s, x in enumerate(seen.slots) if x} == slots
    for number, c in enumerate(search.description.components):
        if c.slot >= 0:
            continue
        at = 0
        for offset, size in c.pieces:
            found = search.range_of(number, at, size)
            values = {b[offset : offset + size] for b in blocks}
            assert found.distinct == len(values)
            if size <= 4:
                unsigned = [int.from_bytes(v, "little") for v in values]
                assert (found.lowest, found.highest) == (min(unsigned), max(unsigned))
                signed = [int.from_bytes(v, "little", signed=True) for v in values]
                found = search.range_of(number, at, size, signed=True)
                assert (found.lowest, found.highest) == (min(signed), max(signed))
            at += size
    search.close()


@pytest.mark.parametrize("name", ["prodcons", "semaphore", "calls", "pingpong", "peterson2", "hanoi", "mutex"])
@pytest.mark.parametrize("remember", [True, False])
def test_examples(name: str, remember: bool) -> None:
    compare(machine_of(ROOT / "examples" / f"{name}.lf"), remember=remember)


def test_two_threads() -> None:
    compare(machine_of(ROOT / "examples" / "prodcons.lf"), threads=2, least_shared=1)


@pytest.mark.parametrize("seed", range(700, 720))
def test_random_programs(seed: int) -> None:
    machine = machine_of_source(Source("Program.lf", generate(seed, EXPLORED).text))
    compare(machine, 2000)


TRIED = """MODULE Tried;
TYPE C = [a, b];
PORT p : C;
VAR n : UINT8;
PROCESS Other;
BEGIN
  LOOP p?a END
END Other;
BEGIN
  NEW(p);
  CREATE Other;
  RESCHEDULE;
  SELECT
    WHEN p!a THEN n := 1
  ELSE
    n := 2
  END;
  IF n = 3 THEN n := 4 END
END Tried.
"""


@pytest.mark.parametrize("remember", [True, False])
def test_what_was_only_tried_does_not_count(remember: bool) -> None:
    """Other waits before the SELECT in some states only; behind IF is nobody ever."""
    for text, texts in ((TRIED, {"n := 4"}), (TRIED.replace("  RESCHEDULE;\n", ""), {"n := 4", "n := 1"})):
        machine = machine_of_source(Source("Tried.lf", text))
        search = Search(machine, request_from(keep_going=True, remember=remember))
        assert search.run() is Stop.COMPLETE
        never = {
            text[st.span.start : st.span.end]
            for (_, block), passed in zip(numbered_blocks(machine), search.seen().blocks, strict=True)
            for st in block.statements
            if not passed
        }
        assert never == texts
        search.close()


Place = tuple[int, int]


def passed_statements(machine: Machine) -> tuple[set[Place], set[Place]]:
    """Of assignments: those in blocks that were passed, and all."""
    search = Search(machine, request_from(keep_going=True))
    assert search.run() is Stop.COMPLETE
    passed: set[Place] = set()
    every: set[Place] = set()
    for (_, block), here in zip(numbered_blocks(machine), search.seen().blocks, strict=True):
        for st in block.statements:
            if isinstance(st, typed.Assign):
                every.add((st.span.start, st.span.end))
                if here:
                    passed.add((st.span.start, st.span.end))
    search.close()
    return passed, every


def test_assignments_are_reached_that_the_naive_explorer_executes(monkeypatch: pytest.MonkeyPatch) -> None:
    executed: set[Place] = set()
    execute = evaluator.Step._execute

    def noting(self: evaluator.Step, s: typed.Statement) -> bool:
        executed.add((s.span.start, s.span.end))
        return execute(self, s)

    monkeypatch.setattr(evaluator.Step, "_execute", noting)
    compared = missed = 0
    for seed in range(1200, 1250):
        text = generate(seed, EXPLORED).text
        machine = machine_of_source(Source("Program.lf", text))
        executed.clear()
        naive = explore(
            machine.program,
            Conventions(most_states=400, rounds=5000),
            State.initial(machine.program, bounds_of(machine)),
        )
        if not naive.complete or naive.faults or naive.assertions:
            continue  # what stands behind a fault in its block counts as reached
        passed, every = passed_statements(machine)
        assert passed == executed & every, seed
        compared += 1
        missed += len(every - passed)
    assert compared >= 8 and missed >= 3, (compared, missed)
