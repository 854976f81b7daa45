"""Where a program is stepped: on this machine, or beside it in an emulator or on a board with a traced image."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import click

from lfc.run.running import HostRun
from lfc.run.stepper import Stepper
from lfc.trace.items import Item

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board
    from lfc.boards.emulators.line import Line
    from lfc.debugger.program import Launch

HOST, EMULATOR, BOARD = "host", "emulator", "board"


def beside(launch: Launch, board: Board, run: HostRun, known: Sequence[Sequence[Item]]) -> Stepper:
    """Raises what clicks raises for users, BoardStops."""
    from lfc.cli.common.firmware import firmware_for
    from lfc.debugger.on_board import BoardStepper
    from lfc.hil.stepped import SteppedBoard

    machine, scheduler = run.generated.machine, "edf" if launch.scheduler == "edf" else "rr"
    firmware = firmware_for(board, machine, scheduler, c_files=launch.c_files, trace=True)
    open_line = line_to(launch, board, firmware.image.elf)
    hello = (firmware.program.hex(), machine.layout.size, scheduler)
    return BoardStepper(run, SteppedBoard(open_line, hello, launch.on == BOARD), firmware.generated.sites, known)


def line_to(launch: Launch, board: Board, elf: bytes) -> Callable[[], AbstractContextManager[Line]]:
    from lfc.boards.emulators.line import line_of_emulator, line_of_port

    if launch.on == EMULATOR:
        emulator = chosen_emulator(board, launch.emulator)
        return lambda: line_of_emulator(board, elf, emulator)
    port = chosen_port(board, launch.port)
    return lambda: line_of_port(board, port)


def chosen_emulator(board: Board, wanted: str) -> str:
    from lfc.boards.descriptions.simulated import TRACED, emulators_of

    has = [e for e in emulators_of(board) if e in TRACED]
    if not has:
        raise click.UsageError(f"The board {board.name} has no emulator that runs a traced image.")
    if wanted and wanted not in has:
        known = ", ".join(has)
        raise click.UsageError(f"A traced image for {board.name} does not run in {wanted}; it does in {known}.")
    return wanted or has[0]


def chosen_port(board: Board, wanted: str) -> str:
    from lfc.boards.serial.failure import FlashError
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine

    try:
        return choose_port(board, wanted or None, ports_of_this_machine())
    except FlashError as error:
        raise click.ClickException(str(error)) from None
