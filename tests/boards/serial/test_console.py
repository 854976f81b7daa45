"""What a board says is separated into output, lost input and faults, however it comes; and how much input gets lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lfc.actions.build import build_machine
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.live import Terminal, run_live
from lfc.boards.emulators.quiet import positions_of
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.boards.serial.console import ConsoleStream, WireFault
from lfc.image.firmware import build_firmware
from lfc.semantics.analyse import analyse_text

LINE = b"\n!fault 00000001 0000002A 00000005 FFFFFFFF\n"
FAULT = WireFault(1, 42, 5, -1)


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_a_fault_in_pieces(size: int) -> None:
    said = b"one\n\n!fau two\n!fault" + LINE
    stream = ConsoleStream()
    shown = b"".join(stream.feed(said[i : i + size]) for i in range(0, len(said), size))
    assert (shown, stream.fault, stream.rest()) == (b"one\n\n!fau two\n!fault", FAULT, b"")


def test_what_can_be_no_fault_is_shown_at_once() -> None:
    stream = ConsoleStream()
    assert stream.feed(b"a\nb") == b"a\nb"
    assert stream.feed(b"c\n") == b"c"
    assert stream.feed(b"!") == b""
    assert stream.feed(b"x") == b"\n!x"
    assert stream.feed(b"\n!fault 0000000G") == b"\n!fault 0000000G"
    assert stream.feed(b"\n!fault 0000") == b""
    assert stream.rest() == b"\n!fault 0000" and stream.fault is None


@pytest.mark.parametrize("size", [1, 3, 100])
def test_lost_input_in_pieces(size: int) -> None:
    """Each line counts; what only begins like one is the program's own."""
    said = b"ab\n!lost 1F\nc\n!los\n!lost 1G\n!lost FF\n" + LINE
    stream = ConsoleStream()
    shown = b"".join(stream.feed(said[i : i + size]) for i in range(0, len(said), size))
    assert (shown, stream.lost, stream.fault) == (b"abc\n!los\n!lost 1G", 0x11E, FAULT)


LATE = """
MODULE Late;
IMPORT Clock, In, Out;
VAR c : CHAR; i : INTEGER;
BEGIN
  Clock.Sleep(SLEEP);
  FOR i := 1 TO 33 DO In.Char(c); Out.Char(c) END
END Late.
"""


def image_of(board: str, sleep: int) -> bytes:
    program, diagnostics = analyse_text(LATE.replace("SLEEP", str(sleep)))
    assert program is not None
    return build_firmware(load_board(board), build_machine(program, diagnostics)).image.elf


def test_input_that_had_no_room_is_told_and_counted() -> None:
    """100 bytes come in 9 ms, of which the buffer of 32 holds the first."""
    elf = image_of("uno", 50)
    done = run_in_simavr(load_board("uno"), elf, console_input=b"x" * 100, seconds=0.2)
    assert done.console == b"\n!lost 44\n" + b"x" * 32


def test_more_than_255_lost_bytes_are_told_as_255() -> None:
    elf = image_of("uno", 100)
    done = run_in_simavr(load_board("uno"), elf, console_input=b"x" * 400, seconds=0.2)
    assert done.console == b"\n!lost FF\n" + b"x" * 32


@pytest.mark.parametrize(("baud", "keeps_up"), [(115_200, True), (250_000, False)])
def test_how_fast_input_may_come_for_ever(baud: int, keeps_up: bool) -> None:
    """A byte that In reads and Out writes takes an ATmega at 16 MHz less than the 1,389 cycles in which one comes at
    115,200 bits a second, since nobody waits for the transmitter; at 250,000 one comes every 640, and the buffer is full
    after some 60 bytes without a pause."""
    board = load_board("uno")
    board = replace(board, console=replace(board.console, baud=baud))
    text = LATE.replace("Clock.Sleep(SLEEP);", "").replace("1 TO 33", "1 TO 400")
    program, diagnostics = analyse_text(text)
    assert program is not None
    elf = build_firmware(board, build_machine(program, diagnostics)).image.elf
    said = bytes(33 + i % 90 for i in range(400))
    written = run_in_simavr(board, elf, console_input=said, seconds=0.2).console
    assert (written == said) == keeps_up
    assert written[:60] == said[:60] and (keeps_up or b"\n!lost " in written)


def test_input_for_qemu_comes_no_faster_than_it_is_taken(tmp_path: Path) -> None:
    """The stream of a pipe has no rate: `run_live` gives it one."""
    program, diagnostics = analyse_text(LATE.replace("SLEEP", "1").replace("1 TO 33", "1 TO 100"))
    assert program is not None
    machine, written = build_machine(program, diagnostics), bytearray()
    made = build_firmware(load_board("uno"), machine)
    (tmp_path / "input").write_bytes(b"0123456789" * 10)
    with (tmp_path / "input").open("rb") as file:
        terminal = Terminal(written.extend, file.fileno())
        positions = positions_of(machine, made.block_offset)
        run_live(load_board("uno"), made.image.elf, "qemu", terminal, positions, seconds=10)
    assert bytes(written) == b"0123456789" * 10
