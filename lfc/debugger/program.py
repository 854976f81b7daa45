"""What is debugged: the program that an editor names, and perhaps a trace of it."""

from __future__ import annotations

import io
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.external import modules_for_this_machine
from lfc.cli.common.firmware import chosen_board, required_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.project import find_project
from lfc.cli.common.trace_files import machine_of_trace, read_schedule, read_trace_file
from lfc.codegen.program import generate
from lfc.debugger.backend import BOARD, EMULATOR, HOST, beside
from lfc.debugger.stops import BoardStops
from lfc.run.native import host_target
from lfc.run.running import HostRun, Mode
from lfc.run.stepper import Stepper

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

PLACES = (HOST, EMULATOR, BOARD)
MODES = {"rr": Mode.ROUND_ROBIN, "edf": Mode.EARLIEST, "random": Mode.RANDOM}


class CannotLaunch(Exception):
    """Says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Launch:
    """The arguments of an editor's `launch`."""

    program: str
    trace: str = ""
    env: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    c_files: tuple[str, ...] = ()
    board: str = ""
    on: str = HOST
    emulator: str = ""
    port: str = ""
    scheduler: str = "rr"
    seed: int = 1
    input: str = ""
    stop_on_entry: bool = False
    no_debug: bool = False

    @staticmethod
    def of(arguments: dict[str, Any]) -> Launch:
        program = text_of(arguments, "program")
        if not program:
            raise CannotLaunch("`program` is missing: name the file of the main module")
        scheduler = text_of(arguments, "scheduler") or "rr"
        if scheduler not in MODES:
            raise CannotLaunch(f"`scheduler` is {scheduler!r}: it is one of {', '.join(MODES)}")
        on = text_of(arguments, "on") or HOST
        if on not in PLACES:
            raise CannotLaunch(f"`on` is {on!r}: it is one of {', '.join(PLACES)}")
        if on != HOST and texts_of(arguments, "env"):
            raise CannotLaunch(f"`env` is for `on`: `{HOST}`; a board has an environment of its own")
        seed = arguments.get("seed", 1)
        if not isinstance(seed, int):
            raise CannotLaunch("`seed` is not a number")
        return Launch(
            program,
            text_of(arguments, "trace"),
            texts_of(arguments, "env"),
            texts_of(arguments, "path"),
            texts_of(arguments, "with"),
            text_of(arguments, "board"),
            on,
            text_of(arguments, "emulator"),
            text_of(arguments, "port"),
            scheduler,
            seed,
            text_of(arguments, "input"),
            bool(arguments.get("stopOnEntry", bool(arguments.get("trace")))),
            bool(arguments.get("noDebug", False)),
        )


def text_of(arguments: dict[str, Any], key: str) -> str:
    found = arguments.get(key) or ""
    if not isinstance(found, str):
        raise CannotLaunch(f"`{key}` is not a text")
    return found


def texts_of(arguments: dict[str, Any], key: str) -> tuple[str, ...]:
    found = arguments.get(key) or []
    if not isinstance(found, list) or not all(isinstance(f, str) for f in found):
        raise CannotLaunch(f"`{key}` is not a list of texts")
    return tuple(found)


def load(launch: Launch) -> Stepper:
    """Ready at its start. Raises CannotLaunch."""
    said = io.StringIO()
    try:
        with redirect_stderr(said), redirect_stdout(said):
            return stepper_of(launch)
    except click.ClickException as error:
        raise CannotLaunch(error.format_message()) from None
    except click.exceptions.Exit:
        raise CannotLaunch(said.getvalue().strip() or "the program has errors") from None
    except BoardStops as error:
        raise CannotLaunch("\n".join([error.text, *error.details])) from None


def board_of(launch: Launch) -> Board | None:
    if launch.on == HOST:
        return chosen_board(launch.board, None) if launch.board else None
    project = None if launch.board else find_project()
    return required_board(launch.board or (project.board if project is not None else None), None)


def stepper_of(launch: Launch) -> Stepper:
    """As `load`, in the terms of commands. Raises click.ClickException, click.exceptions.Exit, BoardStops."""
    board = board_of(launch)
    machine = load_machine(launch.program, launch.path, launch.env, with_environment=bool(launch.env), board=board)
    steps = []
    if launch.trace:
        closed = machine_of_trace(launch.trace, machine, launch.program, launch.path)
        if closed is not machine and launch.on != HOST:
            why = "it was found with an environment that `lfc check` generated, which a board does not have"
            if closed.program.counts_wraps:
                why = "it was found with `--wraps fault`, and on a board arithmetic wraps"
            raise CannotLaunch(f"`trace` can only be played with `on`: `{HOST}`: {why}")
        machine = closed
        read_schedule(launch.trace, machine)  # refuses one of another program
        steps = read_trace_file(launch.trace).steps
    here = launch.on == HOST or board is None
    modules = modules_for_this_machine(machine, launch.c_files, needed=not launch.trace) if here else ()
    mode = MODES[launch.scheduler]
    generated = generate(machine, host_target(), "edf" if mode is Mode.EARLIEST else "rr")
    run = HostRun(generated, 1, mode, launch.seed, c_modules=modules)
    stepper = Stepper(run, steps) if board is None or here else beside(launch, board, run, steps)
    stepper.feed(launch.input.encode())
    return stepper
