"""`lfc monitor`: the console of a board."""

from __future__ import annotations

import os
import select
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, TYPE_CHECKING, Any

import click

from lfc.base.read_file import IMAGE, read_file
from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import Seconds, board_options, chosen_board, refuse, required_board
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import find_project
from lfc.cli.common.streams import OfABoard

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board
    from lfc.image.tables import Tables

COLOURS = {"note": "\x1b[33m", "step": "\x1b[2m", "fault": "\x1b[1;31m"}
RESET = "\x1b[0m"
LOOK = 0.1  # seconds between looks at the keyboard
SILENCE = 0.3  # seconds after which what may be the begin of a fault is text
RETRY = 0.25  # seconds between attempts to open a port that went away


@click.command("monitor", short_help="Watch the console of a board.")
@click.argument("elf", required=False, type=click.Path(dir_okay=False), metavar="[FILE.elf]")
@board_options
@click.option("-p", "--port", metavar="PORT", envvar="LFC_PORT", help="Its port, or id:SERIAL_NUMBER (LFC_PORT).")
@click.option("--timestamps", is_flag=True, help="Print the time before each line.")
@click.option("--log", type=click.Path(dir_okay=False), metavar="FILE", help="Append all output to FILE.")
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
@click.option("--raw", is_flag=True, help="Write what the board says as it is, also on a terminal, which obeys it.")
@click.option("--reconnect/--no-reconnect", default=True, help="Wait for a port that disappears (yes).")
@output_options
def command(
    elf: str | None,
    board: str | None,
    board_file: str | None,
    port: str | None,
    timestamps: bool,
    log: str | None,
    seconds: float | None,
    raw: bool,
    reconnect: bool,
) -> None:
    """Show what a board prints, and send it what is typed, line by line.

    With FILE.elf, the image that it runs, faults are shown with file and line, and the frames of a traced board are
    shown. Ctrl-C ends it.
    """
    from lfc.boards.serial.failure import FlashError
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine

    tables = tables_of(elf)
    project = find_project() if board is None and board_file is None else None
    name = board or (project.board if project else None)
    if name is None and board_file is None and tables is not None:
        name = tables.board
    target = chosen_board(name, board_file) or required_board(None, None)
    if tables is not None and tables.board != target.name:
        raise click.UsageError(f"{elf} was built for the board {tables.board}, not for {target.name}.")
    try:
        place = choose_port(target, port, ports_of_this_machine())
        code = watch_console(target, place, tables, None, Manner(timestamps, log, seconds, reconnect, raw))
    except FlashError as error:
        current_output().fail(f"lfc: {error}")
        code = Exit.BOARD
    raise click.exceptions.Exit(code)


@dataclass(frozen=True, slots=True)
class Manner:
    timestamps: bool = False
    log: str | None = None
    seconds: float | None = None
    reconnect: bool = True
    raw: bool = False


def tables_of(elf: str | None) -> Tables | None:
    from lfc.image.tables import read_tables
    from lfc.toolchain.failure import ImageError

    if elf is None:
        return None
    try:
        tables = read_tables(read_file(elf, IMAGE))
    except OSError as error:
        refuse(f"{elf} cannot be read: {error.strerror}")
    except ImageError as error:
        refuse(f"{elf}: {error.message}", *error.detail.splitlines())
    if tables is None:
        raise click.UsageError(f"{elf} has no fault tables: it was not built by `lfc build`.")
    return tables


def watch_console(
    board: Board, place: str, tables: Tables | None, opened: Any = None, manner: Manner | None = None
) -> Exit:
    """Until Ctrl-C, or the time is over. `opened`: the port, if it is open already. Raises FlashError."""
    from lfc.hil.monitor import FrameListener, PlainListener

    manner = manner or Manner()
    with ExitStack() as stack:
        log: IO[bytes] | None = None
        if manner.log is not None:
            try:
                log = stack.enter_context(open(manner.log, "ab", buffering=0))
            except OSError as error:
                raise click.UsageError(f"{manner.log} cannot be written: {error.strerror}.") from None
        is_shown = sys.stdout.isatty() and not manner.raw
        screen = Screen(manner.timestamps, log, current_output().colored(sys.stdout), is_shown)
        listener = FrameListener(tables) if tables is not None and tables.traced else PlainListener(tables)
        end = time.monotonic() + manner.seconds if manner.seconds is not None else None
        try:
            return listen(board, place, listener, screen, opened, end, manner.reconnect)
        except KeyboardInterrupt:
            return Exit.OK
        finally:
            screen.end_line()


def listen(
    board: Board, place: str, listener: Any, screen: Screen, opened: Any, end: float | None, again: bool
) -> Exit:
    from lfc.boards.emulators.line import LineEnded, PortLine
    from lfc.boards.serial.failure import FlashError
    from lfc.boards.serial.open_port import open_port

    keyboard = Keyboard()
    first = True
    while end is None or time.monotonic() < end:
        try:
            port = opened if opened is not None else open_port(place, board.console.baud)
        except FlashError:
            if first:
                raise
            time.sleep(RETRY)
            continue
        opened = None
        try:
            if first:
                print(f"watching {board.name} at {place}; Ctrl-C ends it", file=sys.stderr)
            else:
                screen.show("note", b"the port is back")
            first = False
            line = PortLine(port)
            silent_since: float | None = None
            while end is None or time.monotonic() < end:
                received = line.read(LOOK)
                for heard in listener.feed(received):
                    screen.show(heard.kind, heard.content)
                if received:
                    silent_since = None
                elif silent_since is None:
                    silent_since = time.monotonic()
                elif time.monotonic() - silent_since > SILENCE:
                    for heard in listener.rest():
                        screen.show(heard.kind, heard.content)
                if typed := keyboard.typed():
                    line.write(typed)
        except LineEnded as ended:
            for heard in listener.rest():
                screen.show(heard.kind, heard.content)
            screen.show("note", str(ended).encode())
            if not again:
                return Exit.BOARD
        finally:
            port.close()
    return Exit.OK


class Keyboard:
    """Standard input, never waited for."""

    def __init__(self) -> None:
        from lfc.cli.common.streams import standard_input

        self._source = standard_input()

    def typed(self) -> bytes:
        if self._source is None:
            return b""
        there, _, _ = select.select([self._source], [], [], 0)
        if not there:
            return b""
        data = os.read(self._source, 4096)
        if not data:
            self._source = None
        return data


@dataclass(slots=True)
class Screen:
    timestamps: bool
    log: IO[bytes] | None
    coloured: bool
    is_shown: bool = False  # on a terminal: what would be obeyed is shown
    _of_board: OfABoard = field(default_factory=OfABoard, init=False)
    _at_start: bool = field(default=True, init=False)

    def show(self, kind: str, content: bytes) -> None:
        """Text goes on where the text before ended; all else has a line of its own."""
        if kind == "text":
            stamped = self._stamped(content)
            self._write(self._of_board.shown(stamped) if self.is_shown else stamped, stamped)
            return
        self.end_line()
        stamp = self._stamp()
        colour = COLOURS[kind].encode() if self.coloured else b""
        mark = b"" if kind == "fault" else b"-- "
        text = stamp + mark + content
        shown = OfABoard().shown(content) if self.is_shown else content
        self._write(stamp + colour + mark + shown + (RESET.encode() if colour else b"") + b"\n", text + b"\n")
        self._at_start = True

    def end_line(self) -> None:
        if not self._at_start:
            self._write(b"\n", b"\n")
            self._at_start = True

    def _write(self, shown: bytes, logged: bytes) -> None:
        from lfc.cli.common.streams import write_output

        write_output(shown)
        if self.log is not None:
            self.log.write(logged)

    def _stamp(self) -> bytes:
        return f"{datetime.now():%H:%M:%S.%f}"[:-3].encode() + b"  " if self.timestamps else b""

    def _stamped(self, content: bytes) -> bytes:
        if not self.timestamps:
            self._at_start = content.endswith(b"\n")
            return content
        out = b""
        for line in content.splitlines(keepends=True):
            out += (self._stamp() if self._at_start else b"") + line
            self._at_start = line.endswith(b"\n")
        return out
