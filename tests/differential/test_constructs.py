"""Programs written by hand for the corners that random ones may not reach, beside the naive evaluator, step by step."""

from __future__ import annotations

import pytest

from tests.differential.everywhere import CASES, PROGRAMS, run_everywhere
from tests.differential.stepwise import compile_text


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
