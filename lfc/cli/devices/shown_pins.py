"""`lfc run -b BOARD --pins` and `--vcd FILE`: the pins of a board as they change, in the built-in simulator."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.outputs import OUTPUTS, pin_name
from lfc.boards.descriptions.simulated import BUILTIN, is_simulated

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

UNIT = "1 ns"


class ShownPins:
    """`lines`: each change is a line on standard error. `vcd`: a file with all of them, at the end."""

    def __init__(self, board: Board, lines: bool, vcd: str | None) -> None:
        self.board, self.lines, self.vcd = board, lines, vcd
        self.changes: list[tuple[int, int, bool | None]] = []  # nanoseconds, pin, level
        if vcd is not None:
            refuse_without_pyvcd()
            self.write("")  # what cannot be written is told before anything runs

    def told(self, cycles: int, pin: int, level: bool | None) -> None:
        nanoseconds = cycles * 1_000_000_000 // self.board.cpu.clock
        if self.vcd is not None:
            self.changes.append((nanoseconds, pin, level))
        if self.lines:
            word = "not driven" if level is None else "high" if level else "low"
            print(f"{nanoseconds / 1e9:.6f} s  {pin_name(self.board, pin)} {word}", file=sys.stderr, flush=True)

    def finish(self) -> None:
        if self.vcd is not None:
            self.write(self.as_vcd())

    def write(self, text: str) -> None:
        assert self.vcd is not None
        try:
            Path(self.vcd).write_text(text, encoding="ascii")
        except OSError as error:
            raise click.UsageError(f"--vcd: {self.vcd} cannot be written: {error.strerror}") from None

    def as_vcd(self) -> str:
        from vcd import VCDWriter

        file = io.StringIO()
        with VCDWriter(file, timescale=UNIT, date="", version="lfc", comment=self.board.name) as writer:
            pins = sorted({pin for _, pin, _ in self.changes})
            wires = {
                p: writer.register_var(self.board.name, pin_name(self.board, p), "wire", 1, init="z") for p in pins
            }
            for moment, pin, level in self.changes:
                writer.change(wires[pin], moment, "z" if level is None else level)
        return file.getvalue()


def shown_pins(board: Board, emulator: str | None, lines: bool, vcd: str | None) -> ShownPins | None:
    """None: nobody asked. A board or an emulator whose pins cannot be seen is refused."""
    if not lines and vcd is None:
        return None
    option = "--pins" if lines else "--vcd"
    if emulator not in (None, BUILTIN):
        raise click.UsageError(f"{option} is for the built-in simulator: leave --emulator {emulator} out.")
    if not is_simulated(board) or board.cpu.chip not in OUTPUTS:
        raise click.UsageError(f"{option}: the built-in simulator does not know the pins of {board.name}.")
    return ShownPins(board, lines, vcd)


def refuse_without_pyvcd() -> None:
    try:
        import vcd  # noqa: F401
    except ImportError as error:
        install = "pip install 'lf-toolchain[traces]', or pip install pyvcd"
        raise MissingOnThisMachine(f"pyvcd, which writes VCD files, cannot be used ({error}): {install}") from None
