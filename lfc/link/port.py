"""Builds the port of a board: its parts as LLVM IR, its assembler sources as objects."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.toolchain.failure import ImageError
from lfc.toolchain.run_tools import assemble, compile_c

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

START = "start.S"
ALWAYS = "clock"  # the part that every program needs, on a chip whose clock must be set up

ASSERTED = re.compile(r"error: static assertion failed[^\n]*: ([^\n:]+)$", re.MULTILINE)  # what the C says of it
WORDS = {  # in an assertion that is about the key
    "cpu.clock": ("clock", "baud", "millisecond", "run that fast"),
    "cpu.crystal": ("crystal",),
    "console.baud": ("baud",),
}


@dataclass(frozen=True, slots=True)
class Port:
    parts: dict[str, str]  # name of the C source without suffix -> LLVM IR
    start: bytes  # the object that is always linked
    on_demand: dict[str, bytes]  # name -> object, linked when it defines something that is missing


def headers_of(folder: Path) -> list[Path]:
    """What a port's sources may include: its own, and those that all ports share."""
    shared = [*folder.parent.glob("*.h"), *folder.parent.glob("usb/*.h")]
    return sorted([runtime_folder() / "port.h", *shared, *folder.rglob("*.h")])


@cache
def build_port(board: Board) -> Port:
    folder = runtime_folder() / "ports" / board.cpu.architecture
    headers = headers_of(folder)
    defines = board_defines(board)
    assembler = sorted(p for p in folder.rglob("*.S") if p.name != START)
    try:
        parts = {p.stem: compile_c(board, p, headers, defines) for p in sorted(folder.glob("*.c"))}
    except ImageError as error:
        raise of_the_board(board, error) from None
    return Port(
        parts=parts,
        start=assemble(board, folder / START, headers, defines),
        on_demand={p.stem: assemble(board, p, headers, defines) for p in assembler},
    )


def of_the_board(board: Board, error: ImageError) -> ImageError:
    """What the port's C asserts is about the numbers of the board's description, and so told of them."""
    found = ASSERTED.search(error.detail)
    if found is None:
        return error
    values = {
        "cpu.clock": board.cpu.clock,
        "cpu.crystal": board.cpu.crystal,
        "console.baud": board.console.baud,
    }
    said = [f"{key} = {value}" for key, value in values.items() if any(w in found[1] for w in WORDS[key]) and value]
    told = f"its description says {', '.join(said)}; change that in the board's file" if said else ""
    return ImageError(f"the board {board.name} cannot be as it is described: {found[1]}", told)


def build_interrupts(board: Board, numbers: Sequence[int]) -> list[str]:
    """The LLVM IR of the routines of the interrupts that a program names, in the order of their bits."""
    from lfc.boards.descriptions.interrupts import INTERRUPTS

    folder = runtime_folder() / "ports" / board.cpu.architecture
    headers = headers_of(folder)
    known = INTERRUPTS[board.cpu.chip]
    for n in numbers:
        if n not in known:
            numbered = f"its interrupts have the numbers {known.start} to {known.stop - 1}"
            raise ImageError(f"the board {board.name} has no interrupt {n}", numbered)
    defines = board_defines(board)
    source = folder / "named" / "interrupt.c"
    return [
        compile_c(board, source, headers, [*defines, f"LF_NAMED_NUMBER={n}", f"LF_NAMED_BIT={bit}"])
        for bit, n in enumerate(numbers)
    ]


def board_defines(board: Board) -> list[str]:
    """What C sources of the runtime know of the board."""
    pins, usb = board.console.pins, board.console.usb_id
    return [
        f"LF_CHIP_{board.cpu.chip}",
        f"LF_CLOCK_HZ={board.cpu.clock}UL",
        f"LF_CLOCK_MHZ={-(-board.cpu.clock // 1_000_000)}",
        f"LF_CRYSTAL_HZ={board.cpu.crystal}UL",
        f"LF_CLOCK_COMES_IN={int(board.cpu.clock_comes_in)}",
        f"LF_TICK_{board.tick_timer}",
        f"LF_CONSOLE_{board.console.uart}",
        *([] if usb is None else [f"LF_USB_VENDOR={usb[0]:#x}u", f"LF_USB_PRODUCT={usb[1]:#x}u"]),
        *([] if pins is None else [f"LF_CONSOLE_TX={pins[0]}u", f"LF_CONSOLE_RX={pins[1]}u"]),
        f"LF_CONSOLE_BAUD={board.console.baud}UL",
        f"LF_WATCHDOG_MS={board.watchdog}u",
        f"LF_CONSOLE_BUFFER={board.console.receive_buffer}",
        f"LF_CONSOLE_TRANSMIT={board.console.transmit_buffer}",
    ]


def runtime_folder() -> Path:
    # A folder of plain files in every way of installing that pip has.
    return Path(str(resources.files("lfc.runtime")))
