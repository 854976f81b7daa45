"""Programs written by hand for the corners that random ones may not reach, beside the naive evaluator, step by step."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from lfc.codegen.program import Generated
from lfc.run.running import Mode
from tests.differential.stepwise import compile_text, run_beside_evaluator

PROGRAMS = Path(__file__).parent / "constructs"
STEPS = 1500

# How many seeds each program is run with, and how its runs end. Those that end well contain assertions.
CASES = {
    "alias_for": (2, {"ENDED"}),
    "control": (2, {"ENDED"}),
    "faults": (60, {"FAULT", "ENDED"}),
    "few_channels": (1, {"FAULT"}),
    "memory": (2, {"ENDED"}),
    "nested": (2, {"ENDED"}),
    "numbers": (1, {"ENDED"}),
    "polled": (6, {"ENDED"}),
    "talk": (6, {"WAITING", "RAN"}),
    "whole_values": (6, {"BLOCKED"}),
}


def test_every_program_is_run() -> None:
    assert sorted(CASES) == sorted(p.stem for p in PROGRAMS.glob("*.lf"))


@pytest.mark.parametrize("name", CASES)
def test_construct(name: str) -> None:
    seeds, ends = CASES[name]
    run_everywhere(compile_text((PROGRAMS / f"{name}.lf").read_text()), seeds, ends)


def test_numbers_beyond_one_byte() -> None:
    """Positions of two bytes, fault sites and lines past 255, return positions and frame fields of two bytes."""
    points = "\n".join(f"  x := x + {n}; ASSERT(x > {n} - 1); IF x > 100000 THEN RESCHEDULE END;" for n in range(150))
    text = f"""MODULE Program;
TYPE T = [m(INTEGER)];
VAR sum : INTEGER;
PORT t : T;
PROCESS Deep(n : INTEGER; VAR x : INTEGER) MAX 3;
VAR room : ARRAY 90 OF INTEGER;
BEGIN
{points}
  room[n] := x; t?m(x); x := x + room[n];
  IF n > 0 THEN Deep(n - 1, x) END;
  t!m(x MOD 1000); x := x - 1
END Deep;
PROCESS Top(n : INTEGER);
VAR x : INTEGER;
BEGIN
{points.replace("x > 100000", "x > 10")}
  Deep(n, x);
  sum := sum + x;
  ASSERT(n # 1)
END Top;
BEGIN
  NEW(t);
  CREATE Top(2); CREATE Top(0);
  t!m(5); t!m(6); t!m(7); t!m(8); t?m(sum);
  CREATE Top(1); t!m(1); t!m(2);
  t?m(sum)
END Program.
"""
    generated = compile_text(text)
    assert generated.machine.layout.position_size == 2 and len(generated.sites) > 255
    assert any(r.frame_field_size == 2 for r in generated.machine.layout.records)
    run_everywhere(generated, 3, {"WAITING", "BLOCKED", "FAULT", "ENDED"})


def run_everywhere(generated: Generated, seeds: int, ends: set[str]) -> None:
    """At no optimisation and at full, under random decisions and round-robin."""
    found: Counter[str] = Counter()
    for level in (0, 2):
        for mode in (Mode.RANDOM, Mode.ROUND_ROBIN):
            for seed in range(1, seeds + 1):
                outcome = run_beside_evaluator(generated, level, mode, seed, STEPS)
                assert outcome.difference is None, f"level {level}, {mode.name}, seed {seed}: {outcome.difference}"
                found[outcome.status.name] += 1
    assert set(found) <= ends and found, found
