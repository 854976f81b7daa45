"""The memory that is kept without power: registers, simavr, boards without one, and the logger that stands on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.image.firmware import build_firmware
from lfc.semantics.analyse import analyse
from tests.cli.lfc import lfc
from tests.library.drivers import LOGGER
from tests.library.images import console, image_of
from tests.library.played_chip import PlayedChip, play
from tests.naive.running import value

KEEPS = """
MODULE T;
IMPORT EEPROM, Out;
VAR a, i : UINT8; kept : BOOLEAN;
BEGIN
  FOR i := 0 TO 3 DO
    EEPROM.Write(EEPROM.SIZE - 4 + i, 10 * i + 7, kept);
    EEPROM.Read(EEPROM.SIZE - 4 + i, a);
    Out.Int(INTEGER(a)); Out.Int(ORD(kept)); Out.Char(' ')
  END;
  Out.Int(EEPROM.SIZE); Out.Ln
END T.
"""


@pytest.mark.parametrize(("board", "size"), [("uno", 1024), ("mega2560", 4096)])
def test_in_simavr(board: str, size: int) -> None:
    """To the last byte."""
    done = run_in_simavr(load_board(board), image_of(board, KEEPS), seconds=0.2)
    assert console(done) == f"71 171 271 371 {size}\n"


class Awake(PlayedChip):
    """Sleeps come to their end."""

    events = ("run", "wake")


def test_registers_of_the_atmega() -> None:
    """EEAR, EEDR, EECR of the data sheet: EERE is bit 0; EEMPE is bit 2, EEPE bit 1. 0x40 is read back."""
    written = [(0x41, 5), (0x3F, 1), (0x41, 5), (0x40, 9), (0x3F, 4), (0x3F, 6), (0x41, 5), (0x3F, 1)]
    played = Awake({}, lambda registers: registers.update({0x3F: 0}))
    state, chip = play("uno", "EEPROM", "EEPROM.Write(5, 9, on)", played=played)
    assert value(state, "on") == 1
    assert chip.written == written


def test_what_is_there_is_not_written_again() -> None:
    state, chip = play("uno", "EEPROM", "EEPROM.Write(5, 9, on)", {0x40: 9}, lambda r: r.update({0x3F: 0}))
    assert value(state, "on") == 1 and chip.written == [(0x41, 5), (0x3F, 1)]


def test_a_memory_that_never_ends_is_given_up() -> None:
    state, chip = play("uno", "EEPROM", "EEPROM.Write(5, 9, on)", played=Awake({0x3F: 2}, None))
    assert value(state, "on") == 0 and chip.written == []


def test_boards_without_one_say_so(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(KEEPS)
    for name in board_names():
        done = lfc("check", "T.lf", "-b", name, "--no-record", "--states", "100", cwd=tmp_path)
        has = load_board(name).cpu.architecture == "avr"
        said = f"`EEPROM` knows no memory that is kept without power of the board {name}"
        assert (said in done.err + done.out) == (not has)


LOST = """
MODULE T;
IMPORT EEPROM;
VAR a* : UINT8; kept : BOOLEAN;
BEGIN
  EEPROM.Read(1, a);
  ASSERT(WRONG);
  EEPROM.Read(2, a);
  ASSERT((a = 0) OR (a = 3) OR (a = 0FFH) OR (a = 2))
END T.
"""
CUT = """
ENVIRONMENT MODULE Cut;
IMPORT EnvEEPROM;
PROPERTY cell = ALWAYS ((EnvEEPROM.Cell(1) IN {0, 2, 6}) OR (EnvEEPROM.Cell(1) > 63));
BEGIN
  EnvEEPROM.WasWriting(0, 1);
  EnvEEPROM.Preset(1, 6);
  EnvEEPROM.WasWriting(1, 3);
  EnvEEPROM.Preset(2, 0);
  EnvEEPROM.WasWriting(2, 3)
END Cut.
"""


@pytest.mark.parametrize(
    ("board", "claim", "holds"),
    [
        (board, claim, holds)
        for board in ("host", "uno")
        for claim, holds in (
            ("(a = 6) OR (a = 3) OR (a = 0FFH) OR (a = 2)", True),  # old, new, erased, both, a wrong bit
            ("(a = 6) OR (a = 3)", False),
            ("(a = 6) OR (a = 0FFH) OR (a = 2)", False),
        )
    ],
)
def test_power_that_was_lost(board: str, claim: str, holds: bool, tmp_path: Path) -> None:
    """Each byte on its way can be read, and those before and behind it."""
    (tmp_path / "T.lf").write_text(LOST.replace("WRONG", claim))
    (tmp_path / "Cut.lf").write_text(CUT.replace("PROPERTY", "(* ").replace("63));", " *)"))
    on = [] if board == "host" else ["-b", board, "--no-record"]
    done = lfc("check", "T.lf", "--env", "Cut.lf", *on, cwd=tmp_path)
    assert done.exit == (0 if holds else 4), done.out


def check(program: str, bench: str, folder: Path = LOGGER, *more: str) -> str:
    done = lfc("check", folder / f"{program}.lf", "--env", folder / f"{bench}.lf", *more)
    assert done.exit in (0, 3, 4, 5), done.out + done.err
    return done.out


JOURNAL = {  # faults in the journal: what stands there, what instead
    "leaves the old mark": ("  Put(slot, 3, INVALID, kept);\n", ""),
    "writes the mark first": (
        "  Put(slot, 3, INVALID, kept);\n",
        "  Put(slot, 3, Mark(n, low, high), kept);\n",
    ),
    "has marks that are as invalid ones": ("MOD INVALID\nEND Mark", "DIV 1\nEND Mark"),
    "does not look at marks": ("(bytes[at + 3] = Mark(bytes[at], bytes[at + 1], bytes[at + 2]))", "TRUE"),
    "overwrites the newest": ("slot := UINT8((newest + 1) MOD SLOTS); n", "slot := UINT8(newest); n"),
    "gives the same number again": ("n := After(number) END", "n := number END"),
    "finds the oldest": ("# After(NumberIn(bytes, slot)))", "= After(NumberIn(bytes, slot)))"),
    "forgets the upper byte": ("  high := UINT8(v DIV 256);", "  high := 0;"),
    "looks only at the numbers": ("    IF IsValid(bytes, slot) THEN\n", "    IF NumberIn(bytes, slot) # 0 THEN\n"),
    "counts to one number less than it has slots": ("LAST* = 2 * SLOTS - 1;", "LAST* = SLOTS;"),
}


@pytest.mark.parametrize("name", JOURNAL)
def test_a_fault_in_the_journal_is_found(name: str, tmp_path: Path) -> None:
    old, new = JOURNAL[name]
    for file in ("Journal", "JournalTest", "JournalBench"):
        (tmp_path / f"{file}.lf").write_text((LOGGER / f"{file}.lf").read_text())
    text = (LOGGER / "Journal.lf").read_text()
    assert text.count(old) == 1
    (tmp_path / "Journal.lf").write_text(text.replace(old, new))
    said = check("JournalTest", "JournalBench", tmp_path)
    assert not said.startswith("holds"), said


def test_the_journal_with_the_registers_of_an_uno() -> None:
    said = check("JournalTest", "JournalBench", LOGGER, "-b", "uno", "--no-record")
    assert said.startswith("holds") and "survives: holds" in said and "keepsTheOthers: holds" in said


@pytest.mark.slow
def test_the_logger() -> None:
    said = check("Logger", "LoggerBench")
    assert said.startswith("holds") and "\n1833338 states, " in said
    assert [f"property {p}: holds" in said for p in ("isTrue", "sparesTheBattery", "losesNothing")] == [True] * 3


def built(program: Path) -> bytes:
    """Its image for an Uno, with the modules beside it."""
    board, diagnostics = load_board("uno"), Diagnostics()
    analysed = analyse(
        Source(str(program), program.read_text()), diagnostics, path=[program.parent], chip=chip_modules(board)
    )
    assert analysed is not None and not diagnostics.has_errors
    return build_firmware(board, build_machine(analysed, diagnostics)).image.elf


@pytest.mark.parametrize(
    ("millivolts", "input_", "said"),
    [(2000, "x" * 20 + "d", "-10.25\nend\n"), (1600, "d", "end\n")],  # so that none of it is lost
)
def test_the_logger_in_simavr(millivolts: int, input_: str, said: str) -> None:
    """It keeps a record, and with a weak battery none."""
    elf = built(LOGGER / "Logger.lf")
    part = "registers:0x68:59592307311299" + "00" * 8 + "0800f5c0"
    done = run_in_simavr(
        load_board("uno"),
        elf,
        seconds=0.3,
        console_input=input_.encode(),
        parts=[part],
        voltages={0: millivolts},
    )
    lines = console(done).splitlines(keepends=True)  # input comes faster than on a line: some is lost, and told
    assert "".join(line for line in lines if line != "\n" and not line.startswith("!lost")) == said
