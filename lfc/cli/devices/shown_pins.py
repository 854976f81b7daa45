"""`lfc run -b BOARD --pins`, `--vcd FILE` and `--input FILE`: the pins of a board as they change, and what they are
given, in the built-in simulator."""

from __future__ import annotations

import ast
import io
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.base.read_file import SETTING, read_file
from lfc.boards.descriptions.outputs import OUTPUTS, pin_name, pin_named
from lfc.boards.descriptions.simulated import BUILTIN, is_simulated
from lfc.boards.emulators.outcome import Event, Outside

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

UNIT = "1 ns"
TIME = re.compile(r"\d{1,6}(\.\d{1,9})?")
FORM = 'SECONDS PIN high|low, or SECONDS console "TEXT"'


class ShownPins:
    """`lines`: each change is a line on standard error. `vcd`: a file with all of them, at the end."""

    def __init__(self, board: Board, lines: bool, vcd: str | None, events: tuple[Event, ...]) -> None:
        self.board, self.lines, self.vcd = board, lines, vcd
        self.outside = Outside(self.told if lines or vcd is not None else None, events)
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


def shown_pins(
    board: Board, emulator: str | None, lines: bool, vcd: str | None, script: str | None
) -> ShownPins | None:
    """None: nobody asked. A board or an emulator whose pins cannot be seen is refused."""
    if not lines and vcd is None and script is None:
        return None
    option = "--pins" if lines else "--vcd" if vcd is not None else "--input"
    if emulator not in (None, BUILTIN):
        raise click.UsageError(f"{option} is for the built-in simulator: leave --emulator {emulator} out.")
    if not is_simulated(board) or board.cpu.chip not in OUTPUTS:
        raise click.UsageError(f"{option}: the built-in simulator does not know the pins of {board.name}.")
    return ShownPins(board, lines, vcd, () if script is None else read_script(board, script))


def read_script(board: Board, file: str) -> tuple[Event, ...]:
    """Lines of a time in seconds, a pin and a level, or `console` and a text."""
    try:
        lines = read_file(file, SETTING).decode("utf-8").splitlines()
    except OSError as error:
        raise click.UsageError(f"--input: {file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise click.UsageError(f"--input: {file} cannot be read: it is no text in UTF-8 ({error.reason})") from None
    events = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            events.append(event_of(board, line))
        except ValueError as error:
            raise click.UsageError(f"--input: {file}:{number}: {error}") from None
    return tuple(events)


def event_of(board: Board, line: str) -> Event:
    """Raises ValueError, which says what is wrong."""
    words = line.split(None, 2)
    if len(words) != 3 or not TIME.fullmatch(words[0]):
        raise ValueError(f"`{line.strip()}` is no line of the form {FORM}")
    cycles = int(float(words[0]) * board.cpu.clock)
    if words[1] == "console":
        try:
            text = ast.literal_eval(words[2].strip())
            given = text.encode() if isinstance(text, str) else None
        except (ValueError, SyntaxError, RecursionError, MemoryError):  # how Python refuses what is nested too deeply
            given = None
        if given is None:
            raise ValueError('what the console is given is a text in quotes, such as "on\\n"')
        return Event(cycles, text=given)
    pin = pin_named(board, words[1])
    if pin is None:
        printed = ", ".join(name for name, _ in board.pins.names) or "its own names"
        raise ValueError(f"{board.name} has no pin `{words[1]}`; it has LED, BUTTON, {printed}")
    levels = {"high": True, "low": False}
    if words[1] == "BUTTON":
        levels |= {"pressed": not board.pins.button_low, "released": board.pins.button_low}
    level = levels.get(words[2].strip())
    if level is None:
        raise ValueError(f"`{words[2].strip()}` is not one of {', '.join(levels)}")
    return Event(cycles, pin, level)


def refuse_without_pyvcd() -> None:
    try:
        import vcd  # noqa: F401
    except ImportError as error:
        install = "pip install 'lf-toolchain[traces]', or pip install pyvcd"
        raise MissingOnThisMachine(f"pyvcd, which writes VCD files, cannot be used ({error}): {install}") from None
