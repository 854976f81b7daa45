"""Claims under the board's time: exact verdicts, and simavr, where nothing takes longer, and some nearly as long."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.mcheck.response.claims import Claims, claims_of
from lfc.mcheck.response.graph import Graph
from lfc.mcheck.response.judge import Judge
from lfc.mcheck.response.timed import explore_in_time
from lfc.mcheck.response.verdicts import HOLDS, VIOLATED, Verdicts, verdicts_on
from tests.mcheck.response.boards import Made, compile_tool, made, moments

BUTTON = """
MODULE Button;
IMPORT Clock, SYSTEM;
TYPE Line = [turned];
PORT line : Line;
VAR lamp AT 25H : UINT8; asked, shown : BOOLEAN; n : UINT8;

PROCESS Wheel SERVER;
BEGIN
  LOOP
    SYSTEM.INT[1]?INTERRUPT;
    asked := TRUE; shown := FALSE;
    Clock.Sleep(2);
    line!turned
  END
END Wheel;

PROCESS Show SERVER;
BEGIN LOOP line?turned; lamp := 1; asked := FALSE; shown := TRUE END END Show;

PROCESS Busy SERVER;
VAR i : UINT8;
BEGIN LOOP FOR i := 1 TO 100 DO n := i END; Clock.Sleep(3) END END Busy;

PROPERTY answered = ALWAYS (asked IMPLIES EVENTUALLY shown WITHIN 3 MS);
PROPERTY quick = ALWAYS (asked IMPLIES EVENTUALLY shown WITHIN 1 MS);
PROPERTY close = ALWAYS (asked IMPLIES EVENTUALLY shown WITHIN 2 MS);
PROPERTY apart = ALWAYS ~(asked & shown);
PROPERTY never = ALWAYS ~shown;
PROPERTY pressed = EVENTUALLY asked WITHIN 10 MS;
PROPERTY lasts = ALWAYS (asked IMPLIES ALWAYS asked FOR 1 MS);

BEGIN
  NEW(line);
  PORTOUT(69H, 1);
  PORTOUT(3DH, 1);
  CREATE Wheel DEADLINE 1;
  CREATE Show;
  CREATE Busy DEADLINE 1
END Button.
"""
WHEEL, BUSY = "DEADLINE of Wheel", "DEADLINE of Busy"


@pytest.fixture(scope="module")
def button(tmp_path_factory: pytest.TempPathFactory) -> Made:
    file = tmp_path_factory.mktemp("claims") / "Button.lf"
    file.write_text(BUTTON)
    return made(file)


@pytest.fixture(scope="module")
def claims(button: Made) -> Claims:
    return claims_of(button.machine)


@pytest.fixture(scope="module")
def verdicts(button: Made, claims: Claims) -> Verdicts:
    return verdicts_on(button.machine, button.graph, claims, 0.0)


def test_verdicts(verdicts: Verdicts) -> None:
    assert {v.name: v.said for v in verdicts.of} == {
        "answered": HOLDS,
        "quick": VIOLATED,
        "close": VIOLATED,
        "apart": HOLDS,
        "never": VIOLATED,
        "pressed": VIOLATED,
        WHEEL: HOLDS,
        BUSY: HOLDS,
    }
    assert [name for name, _ in verdicts.unknown] == ["lasts"]
    assert verdicts.said == VIOLATED
    bounds = {v.name: v.judged.longest.cycles for v in verdicts.of}
    assert bounds["answered"] == bounds["quick"] == bounds["close"] == 33244
    assert bounds["pressed"] is None and (bounds[WHEEL], bounds[BUSY]) == (1198, 1029)
    never = next(v for v in verdicts.of if v.name == "never")
    assert never.judged.broken_at is not None and never.shown.broken
    for v in verdicts.of:
        assert v.name not in ("answered", "quick", WHEEL, BUSY) or v.shown.cycles <= (v.judged.longest.cycles or 0)


def test_a_slow_clock_has_fewer_cycles(button: Made, claims: Claims) -> None:
    exact, slow = (Judge(button.machine, button.graph, claims, drift) for drift in (0.0, 50.0))
    assert (exact.limit(20), slow.limit(20)) == (320_000, 319_984)


def test_simavr_breaks_what_the_simulator_breaks(button: Made, verdicts: Verdicts, tmp_path: Path) -> None:
    """A violated claim has a run, of a simulator that shares nothing: two milliseconds are not enough."""
    close = next(v for v in verdicts.of if v.name == "close")
    assert close.shown.cycles > 32_000 and close.shown.raised[0][1] == 1
    longest = longest_answer(button, compile_tool(tmp_path, "moments"))
    assert 0.95 * 33_300 < 32_000 < longest <= 33_300


def longest_answer(button: Made, tool: Path) -> int:
    """From one block with `asked` to the next one with `shown`."""
    offsets = {v.name: at for v, at in button.machine.layout.variables.items()}
    asked, shown = offsets["asked"], offsets["shown"]
    since, longest = None, 0
    for cycle, block in moments(tool, button, 16_000_000, 33_000):
        if block[shown] and since is not None:
            longest, since = max(longest, cycle - since), None
        elif block[asked] and since is None:
            since = cycle
    return longest


def test_a_tick_left_out_of_the_account_is_seen(tmp_path: Path) -> None:
    """With its routine for nothing, and a tick that comes early, the bound is below what simavr takes."""
    file = tmp_path / "Button.lf"
    file.write_text(BUTTON)
    m = made(file)
    m.graph.board.period -= 1000
    m = Made(m.machine, m.image, m.places, Graph(m.graph.board))
    assert explore_in_time(m.graph, 100_000)
    answered = Judge(m.machine, m.graph, claims_of(m.machine, ("answered",))).all()[0]
    longest = longest_answer(m, compile_tool(tmp_path, "moments"))
    assert answered.longest.cycles is not None and longest > answered.longest.cycles


OVERRUN = """
MODULE Overrun;
IMPORT Clock;
VAR n : UINT8;
PROCESS Sampler SERVER;
VAR i, j : UINT8;
BEGIN LOOP FOR j := 1 TO {rounds} DO FOR i := 1 TO 200 DO n := i END END; Clock.Sleep(2) END END Sampler;
PROCESS Fast SERVER;
BEGIN LOOP Clock.Sleep(1); n := 0 END END Fast;
BEGIN CREATE Sampler; CREATE Fast DEADLINE 1 END Overrun.
"""


@pytest.mark.parametrize(("rounds", "said"), [(8, HOLDS), (40, VIOLATED)])
def test_a_deadline_that_another_process_makes_it_miss(rounds: int, said: str, tmp_path: Path) -> None:
    """Nobody is interrupted: a long action of one process is the other one's latency."""
    file = tmp_path / "Overrun.lf"
    file.write_text(OVERRUN.format(rounds=rounds))
    m = made(file)
    (verdict,) = verdicts_on(m.machine, m.graph, claims_of(m.machine), 0.0).of
    assert verdict.said == said
    cycles = verdict.judged.longest.cycles
    assert cycles is not None and (cycles > 16_000) == (said == VIOLATED)
    if said == VIOLATED:
        assert 16_000 < verdict.shown.cycles <= cycles
