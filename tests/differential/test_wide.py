"""Programs whose slots and ports have two bytes, beside the naive evaluator, step by step: those that need it, and
others that are made so."""

from __future__ import annotations

import pytest

import lfc.actions.build
from lfc.codegen.module.generated import Generated
from lfc.run.running import HostRun, Mode, Status
from lfc.trace.items import decode
from tests.differential.everywhere import CASES, PROGRAMS, run_everywhere
from tests.differential.stepwise import compile_text, run_beside_evaluator

# Each process gets a channel of its own from the one before, waits for it among others, in time, and polls.
MANY = """MODULE Program;
IMPORT Clock;
CONST N = 300;
TYPE Line = [data(INTEGER), give(Line), stop];
PORT first, last : Line;
VAR i, sum, made, late : INTEGER;

PROCESS Cell(n : INTEGER; from, to : Line) MAX N;
VAR x : INTEGER; PORT given : Line;
BEGIN
  LOOP
    SELECT
      WHEN from?data(x) THEN
        to!data(x + n MOD 7)
      WHEN from?give(given) THEN
        given!data(n); to!give(given)
      WHEN from?stop THEN
        INC(made); to!stop; EXIT
      WHEN Clock.After(n MOD 50 + 1) & (n MOD 100 = 99) THEN
        INC(late)
    END
  END
END Cell;

PROCESS Source(to : Line);
PORT mine : Line; VAR k, x : INTEGER;
BEGIN
  NEW(mine);
  to!data(1);
  to!give(mine);
  FOR k := 1 TO N DO mine?data(x); sum := sum + x END;
  mine?stop;
  to!stop
END Source;

PROCESS Sink(from : Line);
VAR x : INTEGER; PORT given : Line;
BEGIN
  from?data(x);
  from?give(given);
  given!stop;
  from?stop;
  ASSERT((made = N) & (sum = N * (N + 1) DIV 2))
END Sink;

PROCESS Chain;
PORT a, b : Line MAX N + 1; VAR k : INTEGER;
BEGIN
  NEW(a); first := a;
  FOR k := 1 TO N DO NEW(b); CREATE Cell(k, a, b); a := b END;
  last := a;
  CREATE Source(first);
  CREATE Sink(last)
END Chain;

BEGIN
  CREATE Chain
END Program.
"""


@pytest.fixture(scope="module")
def many() -> Generated:
    return compile_text(MANY)


def test_it_is_wide(many: Generated) -> None:
    layout = many.machine.layout
    assert many.machine.wide and many.machine.slots == 304 and layout.max_channels == 302
    ports = {v.name: offset for v, offset in layout.variables.items() if v.name in ("first", "last")}
    assert ports["last"] - ports["first"] == 2


@pytest.mark.parametrize("mode", [Mode.RANDOM, Mode.ROUND_ROBIN, Mode.EARLIEST])
def test_many_processes_beside_the_evaluator(many: Generated, mode: Mode) -> None:
    outcome = run_beside_evaluator(many, 1, mode, 3, 400)
    assert outcome.difference is None and outcome.steps == 400


@pytest.mark.parametrize("mode", [Mode.RANDOM, Mode.ROUND_ROBIN])
def test_many_processes_come_to_their_end(many: Generated, mode: Mode) -> None:
    """And do so once more when what was recorded is followed."""
    run = HostRun(many, 1, mode, 5)
    kept = bytearray()
    status = Status.RAN
    while status in (Status.RAN, Status.WAITING):
        run.host.now += 1
        status = run.step()
        kept += run.items if status is Status.RAN else b""
    assert status is Status.ENDED
    items = list(decode(bytes(kept), wide=True))
    assert max(i.operands[0] or 0 for i in items if i.name == "run") == 303
    assert max(i.operands[1] or 0 for i in items if i.name == "meet") > 255
    assert any(i.name == "wake" for i in items)
    again = HostRun(many, 0)
    again.follow(bytes(kept))
    status = Status.RAN
    while status is Status.RAN:
        status = again.step()
    assert status is Status.FINISHED and again.block == run.block


@pytest.fixture
def all_wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lfc.actions.build, "MOST_IN_A_BYTE", 0)


@pytest.mark.usefixtures("all_wide")
@pytest.mark.parametrize("name", ["few_channels", "nested", "polled", "talk", "whole_values"])
def test_construct(name: str) -> None:
    generated = compile_text((PROGRAMS / f"{name}.lf").read_text())
    assert generated.machine.wide
    run_everywhere(generated, 2, CASES[name][1])
