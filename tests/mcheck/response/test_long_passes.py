"""Claims over passes in which much may come: several ticks, and interrupts that the pass enables itself."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import load_board, without_transmit_buffer
from lfc.cli.checking import board_time, responses
from lfc.cli.common.exits import Exit
from lfc.mcheck.image.check_image import NotChecked
from lfc.mcheck.image.report import Places
from lfc.mcheck.response.avr_board import AvrBoard, Interrupts, Moved
from lfc.mcheck.response.claims import Claims, claims_of
from lfc.mcheck.response.events import Target
from lfc.mcheck.response.graph import Graph, NoTime
from lfc.mcheck.response.judge import Judge
from lfc.mcheck.response.table import passes
from lfc.mcheck.response.timed import explore_in_time
from lfc.mcheck.response.verdicts import HOLDS, VIOLATED, verdicts_on
from tests.mcheck.response.boards import made, made_for

LATE = """
MODULE Late;
IMPORT Clock;
VAR flag, armed, woke : BOOLEAN; n : UINT8;

PROCESS First SERVER;
BEGIN Clock.Sleep(10); flag := TRUE; LOOP Clock.Sleep(20) END END First;

PROCESS Long SERVER;
VAR i, j : UINT8;
BEGIN
  Clock.Sleep(9);
  IF ~flag THEN FOR j := 1 TO 60 DO FOR i := 1 TO 200 DO n := i END END; armed := TRUE END;
  Clock.Sleep(8);
  woke := TRUE;
  LOOP Clock.Sleep(20) END
END Long;

PROPERTY slept = ALWAYS (armed IMPLIES EVENTUALLY woke WITHIN {} MS);
BEGIN CREATE First; CREATE Long END Late.
"""


@pytest.mark.parametrize(("milliseconds", "said"), [(7, VIOLATED), (8, HOLDS)])
def test_who_sleeps_behind_a_long_pass_sleeps_from_its_last_tick_on(
    milliseconds: int, said: str, tmp_path: Path
) -> None:
    """The pass takes five ticks, and the first of them wakes another process, which would have changed what it does."""
    (tmp_path / "Late.lf").write_text(LATE.format(milliseconds))
    m = made(tmp_path / "Late.lf")
    (verdict,) = verdicts_on(m.machine, m.graph, claims_of(m.machine), 0.0).of
    assert (verdict.said, verdict.judged.longest.cycles) == (said, 127_347)
    assert said == HOLDS or verdict.shown.cycles == 126_908


SPOKEN = """
MODULE Spoken;
IMPORT Clock, Out;
VAR same : BOOLEAN; odd, was : BOOLEAN; n : UINT8;

PROCESS Counts SERVER;
BEGIN LOOP Clock.Sleep(1); odd := ~odd END END Counts;

PROCESS Says SERVER;
VAR i, j : UINT8;
BEGIN
  LOOP
    Clock.Sleep(4);
    RESCHEDULE;
    was := odd;
    Out.Char("x");
    FOR j := 1 TO 9 DO FOR i := 1 TO 205 DO n := i END END;
    RESCHEDULE;
    same := was = odd;
    RESCHEDULE;
    same := FALSE
  END
END Says;

PROPERTY never = ALWAYS ~same;
BEGIN CREATE Counts; CREATE Says END Spoken.
"""


def test_the_transmitter_may_be_ready_at_once(tmp_path: Path) -> None:
    """The pass then ends within a millisecond. With a byte's time in it, a tick would always come."""
    (tmp_path / "Spoken.lf").write_text(SPOKEN)
    m = made_for(without_transmit_buffer(load_board("uno")), tmp_path / "Spoken.lf")
    (verdict,) = verdicts_on(m.machine, m.graph, claims_of(m.machine), 0.0).of
    longest = max(passes(m.graph), key=lambda s: s.cycles)
    assert longest.cycles > 16_000 > longest.cycles - longest.move.waits
    assert verdict.said == VIOLATED and verdict.shown.broken


WINDOW = """
MODULE Window;
IMPORT SYSTEM;
VAR hit : BOOLEAN; n : UINT8;

PROCESS Pin SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; hit := TRUE END END Pin;

PROCESS Opens SERVER;
VAR i : UINT8;
BEGIN LOOP PORTOUT(3DH, 1); FOR i := 1 TO 200 DO n := i END; PORTOUT(3DH, 0); RESCHEDULE END END Opens;

PROPERTY never = ALWAYS ~hit;
BEGIN PORTOUT(69H, 3); CREATE Pin; CREATE Opens END Window.
"""


def test_an_interrupt_that_is_enabled_only_within_a_pass_is_refused(tmp_path: Path) -> None:
    """It comes neither in front of the pass nor behind it, so no board state would have it."""
    (tmp_path / "Window.lf").write_text(WINDOW)
    with pytest.raises(NotChecked, match="enables interrupt 1 and masks it again"):
        made(tmp_path / "Window.lf")


OPENED = """
MODULE Opened;
IMPORT SYSTEM;
VAR armed, done : BOOLEAN; n : UINT8;

PROCESS Pin SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT END END Pin;

PROCESS Opens SERVER;
VAR i : UINT8;
BEGIN
  armed := TRUE;
  RESCHEDULE;
  {}FOR i := 1 TO 200 DO n := i END;
  done := TRUE
END Opens;

PROPERTY answered = ALWAYS (armed IMPLIES EVENTUALLY done WITHIN 1 MS);
BEGIN PORTOUT(69H, 3); CREATE Opens; CREATE Pin END Opened.
"""


def test_each_time_that_a_pass_enables_an_interrupt_it_may_come(tmp_path: Path) -> None:
    """The routine comes as often; each further write takes one cycle."""
    bounds, routine = [], 0
    for times in (1, 3):
        file = tmp_path / str(times) / "Opened.lf"
        file.parent.mkdir()
        file.write_text(OPENED.format("PORTOUT(3DH, 1); " * times))
        m = made(file)
        (judged,) = Judge(m.machine, m.graph, claims_of(m.machine)).all()
        assert judged.longest.cycles is not None
        bounds.append(judged.longest.cycles)
        routine = m.graph.board.interrupts.cycles[1]
    assert (bounds[0], bounds[1] - bounds[0]) == (1707, 2 * (routine + 1))


class ReadsTwoBytes:
    """A board whose one pass reads two bytes from devices, so that it has 65,536 outcomes."""

    state = b""
    interrupts = Interrupts((), 0)

    def __init__(self) -> None:
        self.runs = 0

    def run(self, _: bytes, inputs: tuple[int, ...]) -> Moved:
        self.runs += 1
        return Moved(needs=True) if len(inputs) < 2 else Moved(bytes(inputs), halts=True)

    def with_tick(self, *_: object) -> tuple[()]:
        return ()

    def next_event(self, _: bytes) -> tuple[str, int]:
        return "", 0


@pytest.mark.parametrize(("looks", "runs"), [(1, 63), (5, 319), (2000, 65_793)])
def test_time_is_looked_at_within_one_board_state(looks: int, runs: int) -> None:
    """At each 64th pass; with enough of it all are executed."""
    board, asked = ReadsTwoBytes(), list[int]()

    def goes_on() -> bool:
        asked.append(0)
        return len(asked) <= looks  # the first look is before the board state

    graph = Graph(cast(AvrBoard, board), goes_on)
    assert explore_in_time(graph, 10) == (looks == 2000)
    assert board.runs == runs


def test_time_that_is_over_while_paths_are_followed_is_no_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of response times, and of claims by the board's time."""

    def ends(*_: object) -> None:
        raise NoTime

    graph = Graph(cast(AvrBoard, ReadsTwoBytes()))
    assert explore_in_time(graph, 10)
    monkeypatch.setattr(responses, "response", ends)
    found = responses.responses(graph, [(1, cast(Target, None))], 10)
    followed = responses.Followed("rr", cast(Places, None), graph, found)
    assert found is None and responses.verdict(followed, None) == Exit.INCONCLUSIVE
    assert capsys.readouterr().err == "not every board state was followed, but 1: no response time is known\n"
    monkeypatch.setattr("lfc.mcheck.response.verdicts.verdicts_on", ends)
    assert board_time.decided(cast(Machine, None), graph, cast(Claims, None), 0.0) is None
