"""`lfc debug`: the debugger in a terminal."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.sources import source_options
from lfc.cli.devices.hil import line_options

if TYPE_CHECKING:
    from lfc.debugger.terminal import Terminal
    from lfc.run.stepper import Stepper


@click.command("debug", short_help="Debug a program in the terminal, forwards and backwards.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("-b", "--board", metavar="BOARD", help="The library's drivers are those of this board.")
@line_options
@click.option("--schedule", type=click.Path(dir_okay=False), metavar="FILE", help="A trace to play, both ways.")
@click.option(
    "--scheduler",
    type=click.Choice(["rr", "edf", "random"]),
    default="rr",
    help="Who comes next (rr).",
)
@click.option("--seed", type=int, default=1, metavar="N", help="Seed of --scheduler random and of port reads (1).")
@click.option("--lines", "plain", is_flag=True, help="Line by line on a terminal too, as on a pipe.")
@click.option("--gdb-script", is_flag=True, help="Print the path of a script for gdb, and end: it lists processes.")
@with_option
@source_options
@output_options
def command(
    file: str | None,
    board: str | None,
    port: str | None,
    emulated: bool,
    emulator: str | None,
    schedule: str | None,
    scheduler: str,
    seed: int,
    plain: bool,
    gdb_script: bool,
    c_files: tuple[str, ...],
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Step through a program, forwards and backwards: stop at lines, changes and messages, choose what happens next.

    It runs on this machine; with --emulated in an emulator of BOARD as well, with -p PORT on a board. On a terminal
    it is a screen, if the package textual is installed; else commands come from standard input, one a line, and `help`
    lists them.

    Example: lfc debug -b uno --emulated blink.lf
    """
    if gdb_script:
        from lfc.debugger import gdb_script as path_of_script

        print(path_of_script())
        return
    from lfc.debugger.program import PLACES, CannotLaunch, Launch, stepper_of
    from lfc.debugger.stops import BoardStops

    c_files = sources_to_link(file, c_files)
    if file is None:
        file, board = file_and_board(file, board, None)
    if emulator is not None and not emulated:
        raise click.UsageError("--emulator needs --emulated.")
    on = PLACES[1] if emulated else PLACES[2] if port else PLACES[0]
    if on != PLACES[0] and env:
        raise click.UsageError("--env is for this machine: a board has an environment of its own.")
    launch = Launch(
        file, schedule or "", env, path, c_files, board or "", on, emulator or "", port or "", scheduler, seed
    )
    try:
        stepper = stepper_of(launch)
    except CannotLaunch as error:
        raise click.UsageError(f"{error}.") from None
    except BoardStops as error:
        current_output().fail(f"lfc: {error.text}", *(f"  {line}" for line in error.details))
        raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None
    with closing(stepper):
        if not plain and has_screen():
            from lfc.debugger.screen.app import DebugScreen

            DebugScreen(stepper, file).run()
        else:
            by_lines(stepper, file)


def has_screen() -> bool:
    """A terminal on both sides, and the package that draws on it."""
    return sys.stdin.isatty() and sys.stdout.isatty() and find_spec("textual") is not None


def by_lines(stepper: Stepper, file: str) -> None:
    from lfc.debugger.terminal import Terminal

    with interrupts() as pending:
        converse(Terminal(stepper, file, print, lambda: bool(pending)), pending)


def converse(terminal: Terminal, pending: list[int]) -> None:
    prompt = "debug> " if sys.stdin.isatty() else ""
    terminal.start()
    while True:
        pending.clear()
        sys.stdout.flush()
        try:
            line = input(prompt)
        except EOFError:
            if prompt:
                print()
            return
        if pending:  # Ctrl-C at the prompt
            return
        if not terminal.obey(line.strip()):
            return


@contextmanager
def interrupts() -> Iterator[list[int]]:
    """Ctrl-C stops the program that is debugged: it is noted here, and asked for between two steps."""
    pending: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pending.append(number))
    try:
        yield pending
    finally:
        signal.signal(signal.SIGINT, before)
