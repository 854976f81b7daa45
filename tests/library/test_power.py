"""Power: what makes a board sleep deeply, what keeps it from that, and what wakes it, in two simulators."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.emulators.builtin import Simulation, Source
from lfc.boards.emulators.outcome import Event
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.front_end.chip_modules import chip_modules
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.library.images import console, image_of

EXAMPLE, BENCH = (ROOT / "examples" / "env" / f"{name}.lf" for name in ("Letterbox", "LetterboxBench"))

COUNTS = """MODULE T;
IMPORT Clock, Edge, GPIO, In, Out, PWM, Power;
CONST PIN = GPIO.D + 2;
VAR high : BOOLEAN; n : INTEGER; ch : CHAR;
PORT line : Edge.Line;
PROCESS Tick; BEGIN LOOP Clock.Sleep(400) END END Tick;
PROCESS Listen; BEGIN LOOP In.Char(ch) END END Listen;
BEGIN
  GPIO.Configure(PIN, GPIO.pulledUp);
  NEW(line);
  CREATE Edge.Watch(PIN, Edge.both, line);
  Power.Deep(TRUE);
  (* more *)
  LOOP
    line?edge(high); INC(n);
    Out.Int(n); Out.Ln
  END
END T.
"""
CHANGES, MILLISECONDS = 6, 800
AWAKE = range(7 * 32, 7 * 33 + 1)  # since the start and since each change


def counted(more: str, deep: str = "TRUE") -> int:
    """How many milliseconds the board's clock counts, while the pin changes now and then."""
    text = COUNTS.replace("(* more *)", more).replace("TRUE", deep, 1)
    elf, uno = image_of("uno", text), load_board("uno")
    signal = f"D:2:{uno.cpu.clock // 10}:{CHANGES // 2}"
    done = run_in_simavr(uno, elf, seconds=MILLISECONDS / 1000, signal=signal, symbols=("lf_port_count",))
    assert console(done).split() == [str(n) for n in range(1, CHANGES + 1)]
    return int.from_bytes(done.memory["lf_port_count"], "little")


def test_a_pin_wakes_an_atmega() -> None:
    assert counted("") in AWAKE
    assert counted("", deep="FALSE") == MILLISECONDS - 1


@pytest.mark.parametrize(
    "more",
    [
        "CREATE Tick;",
        "CREATE Listen;",
        "PWM.Start(GPIO.D + 6);",
        "PORTOUT(69H, 0CH); PORTOUT(3DH, 2);",
        "PORTOUT(6FH, 22H);",
    ],
    ids=["waits-for-time", "reads-the-console", "drives-a-pin", "awaits-an-edge-of-INT1", "captures-with-timer-1"],
)
def test_what_keeps_an_atmega_awake(more: str) -> None:
    assert counted(more) == MILLISECONDS - 1


HEARS = """MODULE T;
IMPORT In, Out, Power;
VAR ch : CHAR;
BEGIN
  Power.Deep(TRUE);
  LOOP In.Char(ch); Out.Char(ch) END
END T.
"""


@pytest.mark.parametrize(("name", "deep"), [("microbit", "TRUE"), ("microbit", "FALSE"), ("bluepill", "TRUE")])
def test_a_byte_wakes_a_cortex_m(name: str, deep: str) -> None:
    board, said = load_board(name), bytearray()
    simulation = Simulation(board, image_of(name, HEARS.replace("TRUE", deep)), said.extend, Source())
    simulation.events = [Event(board.cpu.clock * at // 10, text=text) for at, text in ((1, b"a"), (3, b"b"))]
    simulation.run(board.cpu.clock // 2, None, False)
    assert said == b"ab"
    milliseconds = int.from_bytes(simulation.memory("milliseconds"), "little")
    assert milliseconds in range(3 * 32, 3 * 33 + 1) if deep == "TRUE" else milliseconds == 499


@pytest.mark.parametrize("on", [(), ("-b", "uno", "--no-record")], ids=" ".join)
def test_a_letterbox_holds(on: tuple[str, ...]) -> None:
    done = lfc("check", EXAMPLE, "--env", BENCH, "--time", "discrete", *on)
    assert done.exit == 0 and "\n276 states, 567 transitions" in done.out, done.out


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Clock.After(SHINES) THEN EXIT l", "Clock.After(SHINES) THEN"),
        ("THEN INC(letters)", "THEN INC(letters, 2)"),
        ("IF letters < MAX(Count) THEN INC(letters) END;\n    SELECT", "SELECT"),
    ],
)
def test_a_seeded_fault_is_found(old: str, new: str, tmp_path: Path) -> None:
    text = EXAMPLE.read_text()
    assert text.count(old) == 1
    (tmp_path / "Letterbox.lf").write_text(text.replace(old, new))
    done = lfc("check", "Letterbox.lf", "--env", BENCH, "--time", "discrete", cwd=tmp_path)
    assert done.has_counterexample, done.out + done.err


def test_the_time_is_not_asked_beside_it(tmp_path: Path) -> None:
    asks = "MODULE T;\nIMPORT {}, Power;\nVAR t : UINT32;\nBEGIN\n  Power.Deep(TRUE);\n  {}\nEND T.\n"
    for module, statement, name in (
        ("Clock", "t := Clock.Now()", "Clock.Now"),
        ("Micros", "Micros.Now(t)", "Micros.Now"),
    ):
        (tmp_path / "T.lf").write_text(asks.format(module, statement))
        done = lfc("check", "T.lf", "--syntax-only", cwd=tmp_path)
        assert done.exit == 1 and f"error LF0729: `{name}` beside `Power`" in done.err
        (tmp_path / "T.lf").write_text(
            asks.format(module, statement).replace(", Power", "").replace("Power.Deep(TRUE);", "")
        )
        assert lfc("check", "T.lf", "--syntax-only", cwd=tmp_path).exit == 0


def test_boards_without_it() -> None:
    lacking = [name for name in board_names() if "ChipPower" in chip_modules(load_board(name)).lacking]
    assert all(load_board(name).cpu.architecture == "riscv" for name in lacking)
    assert len(lacking) == sum(load_board(name).cpu.architecture == "riscv" for name in board_names())
