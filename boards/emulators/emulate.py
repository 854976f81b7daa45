"""Runs an image in an emulator: one entry for all of them."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.simulated import BUILTIN, EMULATORS
from lfc.boards.emulators.javascript import JAVASCRIPT, run_in_javascript
from lfc.boards.emulators.outcome import EmulatorError, Outcome
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.quiet import Positions
from lfc.boards.emulators.simavr import run_in_simavr

SECONDS = 10.0  # of the board's time; in QEMU of this machine's


def emulate(
    board: Board,
    elf: bytes,
    emulator: str,
    *,
    console_input: bytes = b"",
    seconds: float = SECONDS,
    symbols: Sequence[str] = (),
    quiet: Positions | None = None,
) -> Outcome:
    """Runs until the program halts, is quiet (if `quiet` tells when), or the time is over.

    Of each of `symbols`, the bytes at the end are returned.
    """
    if emulator == "simavr":
        return run_in_simavr(board, elf, console_input=console_input, seconds=seconds, symbols=symbols, quiet=quiet)
    if emulator == "qemu":
        return run_in_qemu(board, elf, console_input=console_input, seconds=seconds, symbols=symbols, quiet=quiet)
    if emulator in JAVASCRIPT:
        return run_in_javascript(
            board, elf, emulator, console_input=console_input, seconds=seconds, symbols=symbols, quiet=quiet
        )
    if emulator == BUILTIN:
        from lfc.boards.emulators.builtin import run_builtin

        return run_builtin(board, elf, console_input=console_input, seconds=seconds, symbols=symbols, quiet=quiet)
    raise EmulatorError(f"there is no emulator `{emulator}`; there are: {', '.join(EMULATORS)}")
