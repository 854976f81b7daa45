"""Which way a board is flashed, and doing it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import serial

from lfc.boards.descriptions.board import BOOT_LOADERS, Board, RomLoader
from lfc.boards.flash import stk500v1, stk500v2, stm32_rom
from lfc.boards.flash.exchange import Progress
from lfc.boards.flash.pages import Target
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.open_port import enter_rom, open_port, pulse_dtr

NOT_PLAIN = re.compile(r"[^\w./+-]")
AVR: dict[str, Callable[..., int]] = {"stk500v1": stk500v1.flash, "stk500v2": stk500v2.flash}


def way_of(board: Board, port_named: bool) -> str:
    """`serial`: a boot loader; `drive`; or the name of a program that is not ours.

    A ROM's boot loader is meant if a port is named: the USB ids are those of any adapter.
    """
    method = board.flashing.method
    if method == "update":
        return method
    by_rom = port_named and board.rom_loader is not None
    return "serial" if method in BOOT_LOADERS or by_rom else method


def refuse_what_does_not_fit(board: Board, content: Mapping[int, bytes]) -> None:
    """Before anything is opened. Raises FlashError, stage `write`."""
    low, high = board.flash.start, board.flash.start + board.flash.usable
    for start, piece in content.items():
        if start < low or start + len(piece) > high:
            raise FlashError(
                "write",
                f"the program lies outside the flash of the board {board.name}",
                expected=f"addresses {low:#x} to {high - 1:#x}",
                received=f"{start:#x} to {start + len(piece) - 1:#x}",
                remedy="was it built for this board?",
            )
    if not content:
        raise FlashError("write", "the image is empty", remedy="is it the right file?")


@contextmanager
def opened_board(board: Board, name: str) -> Iterator[serial.Serial]:
    """Its port, with the boot loader behind it."""
    rom = rom_of(board)
    if rom is not None:
        port = open_port(name, rom.baud, serial.PARITY_EVEN)
    else:
        port = open_port(name, board.flashing.baud)
    try:
        if rom is not None and rom.reset == "dtr":
            enter_rom(port)
        elif rom is None and board.flashing.reset == "dtr":
            pulse_dtr(port)
        yield port
    finally:
        port.close()


def flash_over_serial(board: Board, port: serial.Serial, content: Mapping[int, bytes], progress: Progress) -> int:
    """Writes, verifies, starts; the number of bytes. The port is open, with the boot loader behind it."""
    rom = rom_of(board)
    if rom is not None:
        rom_target = stm32_rom.RomTarget(rom.identity, board.flash.start, board.flash.size, board.flash.page)
        return stm32_rom.flash(port, rom_target, content, progress)
    target = Target(board.flashing.signature, board.flash.page, board.flash.usable)
    return AVR[board.flashing.method](port, target, content, progress)


def rom_of(board: Board) -> RomLoader | None:
    """None: the board has a boot loader of its own in the flash."""
    return None if board.flashing.method in BOOT_LOADERS else board.rom_loader


def command_for(board: Board, elf: str) -> str:
    """Of boards that another program flashes; somebody will give it to a shell."""
    if board.flashing.method == "openocd":
        named = [word for f in board.flashing.configuration for word in ("-f", f)]
        program = NOT_PLAIN.sub(r"\\\g<0>", elf)  # openocd's language, Tcl, has words and commands of its own
        return shlex.join(["openocd", *named, "-c", f"program {program} verify reset exit"])
    if board.flashing.method == "avrdude":
        reached = ["-p", board.flashing.part, "-c", board.flashing.programmer]
        return shlex.join(["avrdude", *reached, "-U", f"flash:w:{elf.removesuffix('.elf')}.hex:i"])
    binary = shlex.quote(f"{elf.removesuffix('.elf')}.bin")
    return f"dfu-util -a 0 -s {board.flash.start:#x}:leave -D {binary}"
