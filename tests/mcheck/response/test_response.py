"""Response times of an AVR: exact bounds, and simavr, which never takes longer and nearly as long."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board, without_transmit_buffer
from lfc.mcheck.image.check_image import NotChecked
from lfc.mcheck.response.events import NoSuchEvent
from lfc.mcheck.response.graph import Graph, Kind
from lfc.mcheck.response.longest import LongestPath
from lfc.mcheck.response.timed import explore_in_time
from tests.conftest import ROOT
from tests.mcheck.response.boards import Made, Raised, answers, compile_answers, made, made_for

REALTIME = ROOT / "examples" / "realtime"
PORTB, ANY = 0x25, (0, 0)
MOTOR_OFF = (PORTB, 0xFF, 0)
LIGHT = (PORTB, *ANY)
EARLIEST = [("EmergencyStop", "motor=0", MOTOR_OFF, 1458), ("Debounce", "light", LIGHT, 85889)]


@pytest.fixture(scope="module")
def tool(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compile_answers(tmp_path_factory.mktemp("answers"))


@pytest.fixture(scope="module")
def stop() -> Made:
    return made(REALTIME / "EmergencyStop.lf", lines=("19",))


@pytest.fixture(scope="module")
def debounce() -> Made:
    return made(REALTIME / "Debounce.lf")


def test_the_bound_of_a_stop(stop: Made) -> None:
    """The button is pressed in the first pass; before the guard goes on, the controller has its turn."""
    longest = stop.longest(1, "motor=0")
    assert longest.cycles == 390 == sum(s.cycles for s in longest.steps)
    kinds = [s.move.kind for s in longest.steps]
    assert kinds == [Kind.PASS, Kind.ROUTINE, *[Kind.PASS] * 4]
    assert {stop.longest(1, text).cycles for text in ("25H=0", "PB5=0", "D13=0", "GPIO.PortB=0")} == {390}


BUSY = """
MODULE Busy;
IMPORT SYSTEM;
VAR lamp AT 25H : UINT8; i : UINT8;

PROCESS Pin SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; lamp := 1; lamp := 0 END END Pin;

PROCESS Worker SERVER;
VAR n : UINT8;
BEGIN LOOP INC(n); RESCHEDULE END END Worker;

BEGIN
  PORTOUT(24H, 1);
  PORTOUT(69H, 3);
  PORTOUT(3DH, 1);
  CREATE Pin;
  WORKERS
END Busy.
"""


@pytest.mark.parametrize(
    ("workers", "seen", "told"), [("", 100, 154), ("FOR i := 1 TO 8 DO CREATE Worker END", 172, 181)]
)
def test_who_takes_an_interrupt_runs_next(workers: str, seen: int, told: int, tool: Path, tmp_path: Path) -> None:
    """However many others are busy; what is told is at most twice what is seen."""
    file = tmp_path / "Busy.lf"
    file.write_text(BUSY.replace("WORKERS", workers))
    m = made(file)
    awaited = LongestPath(m.graph, m.target("lamp=1").happens).from_interrupt(1, awaited=True)
    found = answers(tool, m, 1, (PORTB, 0xFF, 1), Raised(1500, 600, 3000, False))
    assert (max(found), awaited.cycles) == (seen, told)


def test_simavr_stops_no_later(stop: Made, tool: Path) -> None:
    bound = stop.longest(1, "motor=0").cycles
    assert bound is not None
    swept = answers(tool, stop, 1, MOTOR_OFF, Raised(1000, 0, 0, True))
    by_chance = answers(tool, stop, 1, MOTOR_OFF, Raised(2000, 1000, 3000, False))
    assert 0.98 * bound <= max(swept) <= bound
    assert max(by_chance) <= bound


@pytest.mark.parametrize(("name", "event", "write", "bound"), EARLIEST)
def test_simavr_is_no_later_with_earliest_deadlines(
    name: str, event: str, write: tuple[int, int, int], bound: int, tool: Path
) -> None:
    m = made(REALTIME / f"{name}.lf", scheduler="edf")
    assert m.longest(1, event).cycles == bound
    swept = answers(tool, m, 1, write, Raised(1000, 0, 0, True))
    by_chance = answers(tool, m, 1, write, Raised(300, 1000, 33000, False))
    assert 0.9 * bound <= max(*swept, *by_chance) <= bound


@pytest.mark.parametrize("fault", ["routine", "first pass", "others"])
def test_a_fault_in_the_account_is_seen(fault: str, tool: Path) -> None:
    """Cycles that are left out on purpose: simavr then takes longer than the bound."""
    m = made(REALTIME / "EmergencyStop.lf")
    if fault == "routine":
        m.graph.board.interrupts.cycles[1] = 0
        m = Made(m.machine, m.image, m.places, Graph(m.graph.board))
        explore_in_time(m.graph, 1000)
    longest = m.longest(1, "motor=0")
    assert longest.cycles is not None
    left_out = {"routine": 0, "first pass": 0, "others": 4}[fault]
    wrong = longest.cycles - (longest.steps[left_out].cycles if fault != "routine" else 0)
    assert max(answers(tool, m, 1, MOTOR_OFF, Raised(500, 0, 0, True))) > wrong


def test_simavr_shows_the_light_no_later(debounce: Made, tool: Path) -> None:
    """Five milliseconds are slept, so that the phase of the tick is part of it."""
    bound = debounce.longest(1, "light").cycles
    assert bound is not None and 5 * 16000 < bound < 5.2 * 16000
    swept = answers(tool, debounce, 1, LIGHT, Raised(1000, 0, 0, True))
    by_chance = answers(tool, debounce, 1, LIGHT, Raised(300, 1000, 33000, False))
    assert 0.98 * bound <= max(swept) <= bound
    assert max(by_chance) <= bound


def test_every_board_state_has_a_block_that_the_checker_reaches(stop: Made, debounce: Made) -> None:
    from lfc.mcheck.request.request import request_from
    from lfc.mcheck.search.search import Search

    for m in (stop, debounce):
        search = Search(m.machine, request_from(threads=1))
        try:
            search.run()
            reached = set(search.all_blocks())
        finally:
            search.close()
        blocks = {m.graph.board.block(m.graph.nodes[n][0]) for n in m.graph.intervals}
        assert blocks - {m.graph.board.block(m.graph.board.state)} <= reached


def test_what_may_never_happen_has_no_bound(stop: Made) -> None:
    """A second press changes nothing at the pin; the run shows it, and repeats."""
    longest = stop.longest(1, "D13")
    assert longest.cycles is None and longest.why == "it may go on for ever without the event" and longest.repeats
    again = longest.steps[-longest.repeats :]
    assert again[-1].move.to == again[0].node


def test_the_end_of_an_action_with_a_line(stop: Made) -> None:
    to_line, to_write = stop.longest(1, "19").cycles, stop.longest(1, "motor=0").cycles
    assert to_line is not None and to_write is not None and to_line > to_write


@pytest.mark.parametrize("end", ["3", "PB5=2", "Q9", "25H=x"])
def test_ends_that_are_not_there(end: str, stop: Made) -> None:
    with pytest.raises(NoSuchEvent):
        stop.target(end)


TWO = """
MODULE Two;
IMPORT SYSTEM;
TYPE Line = [turned];
PORT line : Line;
VAR
  pins AT 29H : UINT8;
  lamp AT 25H : UINT8;
  other AT 28H : UINT8;

PROCESS Wheel SERVER;
BEGIN
  LOOP
    SYSTEM.INT[1]?INTERRUPT;
    IF pins < 128 THEN line!turned ELSE other := 1; line!turned END
  END
END Wheel;

PROCESS Show SERVER;
BEGIN LOOP line?turned; lamp := 1 END END Show;

PROCESS Tell SERVER;
BEGIN LOOP SYSTEM.INT[2]?INTERRUPT; other := 2; lamp := 2 END END Tell;

BEGIN
  NEW(line);
  PORTOUT(69H, 5);
  PORTOUT(3DH, 3);
  CREATE Wheel;
  CREATE Show;
  CREATE Tell
END Two.
"""


def test_two_interrupts_and_an_input(tool: Path, tmp_path: Path) -> None:
    """Each is answered in time whatever the other does; of the input each value is tried."""
    file = tmp_path / "Two.lf"
    file.write_text(TWO)
    m = made(file)
    for n, value in ((1, 1), (2, 2)):
        bound = m.longest(n, f"lamp={value}").cycles
        assert bound is not None
        swept = answers(tool, m, n, (PORTB, 0xFF, value), Raised(500, 0, 0, True))
        by_chance = answers(tool, m, n, (PORTB, 0xFF, value), Raised(500, 100, 3000, False))
        assert 0.5 * bound <= max(swept) <= bound and max(by_chance) <= bound  # only one of the two is raised there


LATE = """
MODULE Late;
IMPORT Clock, SYSTEM;
TYPE Line = [turned];
PORT line : Line;
VAR lamp AT 25H : UINT8; other AT 28H : UINT8; begun : BOOLEAN; count : UINT8;

PROCESS A SERVER;
VAR i : UINT16;
BEGIN
  LOOP
    SYSTEM.INT[1]?INTERRUPT;
    RESCHEDULE;
    FOR i := 1 TO 600 DO other := 1 END;
    begun := TRUE;
    Clock.Sleep(2);
    begun := FALSE;
    IF count >= 3 THEN FOR i := 1 TO 1000 DO other := 2 END END;
    lamp := 1
  END
END A;

PROCESS B SERVER;
BEGIN
  LOOP
    Clock.Sleep(1);
    IF ~begun THEN count := 0 ELSIF count < 5 THEN INC(count) END;
    line!turned
  END
END B;

PROCESS D SERVER;
BEGIN LOOP line?turned; RESCHEDULE END END D;

BEGIN
  NEW(line);
  PORTOUT(69H, 5);
  PORTOUT(3DH, 1);
  CREATE D; CREATE B; CREATE A
END Late.
"""


def test_a_tick_between_two_looks_at_the_count(tool: Path, tmp_path: Path) -> None:
    """It comes while A computes, with B due: B is not woken before A, and A sleeps from this tick on."""
    file = tmp_path / "Late.lf"
    file.write_text(LATE)
    m = made(file)
    bound = m.longest(1, "lamp").cycles
    found = [max(answers(tool, m, 1, LIGHT, Raised(100, at, at, True))) for at in range(38000, 39400, 100)]
    assert bound is not None and 0.97 * bound <= max(found) <= bound


def test_the_console_makes_it_wait_for_a_byte(tmp_path: Path) -> None:
    """By the manual: the transmitter takes another byte at most the time of one later."""
    bounds = {}
    for said in ("", 'Out.Char("x");'):
        file = tmp_path / "Said.lf"
        wait = f"LOOP SYSTEM.INT[1]?INTERRUPT; {said} lamp := 1 END"
        variables = "VAR lamp AT 25H : UINT8;"
        file.write_text(f"MODULE Said; IMPORT Out, SYSTEM; {variables} BEGIN PORTOUT(3DH, 1); {wait} END Said.")
        bounds[said] = made_for(without_transmit_buffer(load_board("uno")), file).longest(1, "lamp").cycles
    silent, loud = bounds.values()
    assert silent is not None and loud is not None and 10 * 8 * 17 < loud - silent < 10 * 8 * 17 + 50


READS = """
MODULE Reads;
IMPORT SYSTEM;
VAR lamp AT 25H : UINT8; other AT 28H : UINT8; {name} AT {address} : UINT8; i : UINT8;
BEGIN
  PORTOUT(3DH, 1);
  LOOP
    SYSTEM.INT[1]?INTERRUPT;
    IF {name} = {value} THEN FOR i := 1 TO 200 DO other := i END END;
    lamp := 1
  END
END Reads.
"""


@pytest.mark.parametrize(
    ("name", "address", "value"),
    [
        ("gpior0", "3EH", 1),
        ("received", "0C0H", 160),
        ("comparator", "50H", 32),
        ("converts", "7AH", 64),
        ("ninth", "0C1H", 2),
        ("bus", "0BCH", 128),
        ("eeprom", "3FH", 2),
    ],
)
def test_what_the_hardware_may_set_is_an_input(name: str, address: str, value: int, tmp_path: Path) -> None:
    """Also beside masks of interrupts, and of the UART if the program has no console."""
    file = tmp_path / "Reads.lf"
    file.write_text(READS.format(name=name, address=address, value=value))
    bound = made(file).longest(1, "lamp").cycles
    assert bound is not None and bound > 200 * 9


def test_a_flag_beside_a_mask_enables_nothing(tmp_path: Path) -> None:
    """ADIF, which writing 1 clears, and ADIE, which lets it interrupt."""
    file = tmp_path / "Flags.lf"
    text = "MODULE Flags; IMPORT SYSTEM; BEGIN PORTOUT(7AH, 90H); SYSTEM.INT[21]?INTERRUPT; PORTOUT(25H, 1) END Flags."
    file.write_text(text)
    graph = made(file).graph
    assert graph.board.interrupts.masks[21] == (0x7A, 0x08)


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("IMPORT Clock; VAR t : UINT32; BEGIN t := Clock.Now END", "reads the clock"),
        ("IMPORT In; VAR c : CHAR; BEGIN In.Char(c) END", "interrupt 18 comes"),
        (
            "IMPORT SYSTEM; VAR n : UINT8; BEGIN SYSTEM.INT[1]?INTERRUPT; n := PORTIN(0C0H); ASSERT(n = 1) END",
            r"console's UART \(C0H\)",
        ),
        ('IMPORT Out, SYSTEM; BEGIN SYSTEM.INT[1]?INTERRUPT; Out.Char("x") END', "`console.transmit_buffer = 0`"),
    ],
)
def test_what_is_not_known_is_refused(body: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "Refused.lf"
    file.write_text(f"MODULE Refused; {body} Refused.")
    with pytest.raises(NotChecked, match=says):
        made(file)


def test_other_processors_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "Refused.lf"
    file.write_text("MODULE Refused; IMPORT SYSTEM; BEGIN SYSTEM.INT[1]?INTERRUPT END Refused.")
    with pytest.raises(NotChecked, match="not of nrf51822"):
        made(file, "microbit")
