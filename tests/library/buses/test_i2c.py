"""The two-wire bus: real transfers in simavr and QEMU, also when the bus misbehaves, and the memory's driver on it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.front_end.chip_modules import chip_modules
from tests.conftest import ROOT
from tests.library.images import console, image_of

MEMORY = (ROOT / "examples" / "i2c" / "Memory.lf").read_text()
STOPS = MEMORY.replace("END Memory.", "; ASSERT(FALSE) END Memory.")
KEPT = bytes([40, 42, 44])  # from cell 30 on, over the end of a page


@pytest.mark.parametrize("board", ["uno", "mega2560"])
def test_a_memory_is_written_and_read(board: str) -> None:
    done = run_in_simavr(load_board(board), image_of(board, MEMORY), seconds=0.1, parts=["memory:0x50"])
    assert (console(done), done.parts[0][29:34]) == ("40 42 44 \n", b"\xff" + KEPT + b"\xff")


def test_a_memory_of_simavrs_own() -> None:
    """It takes the two bytes of the address the other way round: 0101H is the same both ways."""
    elf = image_of("uno", MEMORY.replace("PLACE* = 30", "PLACE* = 0101H"))
    done = run_in_simavr(load_board("uno"), elf, seconds=0.1, parts=["eeprom:0x50"])
    assert (console(done), done.parts[0][0x100:0x105]) == ("40 42 44 \n", b"\xff" + KEPT + b"\xff")


# After how many conditions and bytes: in the address, in what is written, while the memory is polled, in what is read.
FAULTS = [f"{kind}:{after}" for kind in ("absent", "refused", "hangs", "stuck") for after in (1, 4, 9, 14, 19, 22)]


@pytest.mark.parametrize("fault", FAULTS)
def test_a_bus_that_misbehaves_is_used_again(fault: str) -> None:
    """A part is absent, a byte is refused, SCL or SDA is held low: the program tries again, and all is right."""
    elf = image_of("uno", MEMORY)
    done = run_in_simavr(load_board("uno"), elf, seconds=0.5, parts=["memory:0x50"], bus_faults=[fault])
    assert (console(done), done.parts[0][30:33]) == ("40 42 44 \n", KEPT)


ERRORS = """
MODULE T;
IMPORT I2C, Out;
VAR a : ARRAY 2 OF UINT8; error : I2C.Error;

PROCESS Try(address, outs, ins : UINT8);
BEGIN
  I2C.Transfer(address, a, outs, a, ins, error);
  Out.Int(ORD(error))
END Try;

BEGIN
  I2C.Start(100000);
  Try(50H, 2, 1); Try(51H, 2, 0); Try(50H, 1, 0); Try(51H, 0, 1)
END T.
"""


@pytest.mark.parametrize(
    ("faults", "errors"),
    [
        ([], "0101"),  # none; noDevice
        (["absent:1"], "1101"),
        (["refused:2"], "2101"),  # refused
        (["hangs:2"], "5101"),  # timeOut
        (["stuck:2"], "5101"),  # the same; SDA is let go by the clocks
    ],
)
def test_errors(faults: list[str], errors: str) -> None:
    """One digit for each request. (simavr's interface does not look at the lines.)"""
    done = run_in_simavr(
        load_board("uno"), image_of("uno", ERRORS), seconds=0.5, parts=["memory:0x50"], bus_faults=faults
    )
    assert console(done) == errors


def test_others_run_while_the_bus_hangs() -> None:
    """25 ms without an answer; meanwhile a process counts milliseconds."""
    text = ERRORS.replace("IMPORT I2C", "IMPORT Clock, I2C").replace(
        "BEGIN\n  I2C.Start",
        "PROCESS Count SERVER; BEGIN LOOP Clock.Sleep(1); INC(n) END END Count;\nBEGIN\n  CREATE Count; I2C.Start",
    )
    text = text.replace("VAR a", "VAR n : INTEGER; a").replace(
        "Try(50H, 2, 1); Try(51H", "Try(50H, 2, 1); Out.Char(' '); Out.Int(n); Out.Char(' '); Try(51H"
    )
    done = run_in_simavr(
        load_board("uno"), image_of("uno", text), seconds=0.5, parts=["memory:0x50"], bus_faults=["stuck:2"]
    )
    first, counted, rest = console(done).split()
    assert (first, rest) == ("5", "101") and 30 <= int(counted) <= 50


def test_a_memory_of_qemu() -> None:
    """The same program on a Cortex-M3, with another interface and another memory."""
    board = load_board("lm3s6965evb")
    device = ("-device", "at24c-eeprom,address=0x50,rom-size=4096")
    board = replace(board, emulator=replace(board.emulator, qemu=(*(board.emulator.qemu or ()), *device)))
    done = run_in_qemu(board, image_of("lm3s6965evb", STOPS), seconds=10)
    assert console(done).startswith("40 42 44 \n")


@pytest.mark.parametrize("board", [b for b in board_names() if "ChipI2C" not in chip_modules(load_board(b)).lacking])
def test_it_is_built_for_every_board(board: str) -> None:
    assert image_of(board, MEMORY)
