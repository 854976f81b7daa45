"""The longest pass of each process on the board of its project, measured as `lfc timing` does."""

from __future__ import annotations

import os

import click

from lfc.actions.model.machine import Machine
from lfc.cli.common.firmware import required_board
from lfc.cli.common.image import chosen_image
from lfc.mcheck.image.report import Places
from lfc.mcheck.image.worst_case_time import measured
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.resources import free_memory

CYCLES = "cycles"  # the claim of a job that asks for them
SHARE = 4  # of the free memory, one in so many
FAULTS = ("numbers", "stop", ())  # as `lfc build` has them


def longest_passes(machine: Machine, board: str, folder: str, seconds: float) -> tuple[dict[str, int], int, bool]:
    """Cycles by the process's path, the clock, and whether they are of all states. Nothing: there is no image, or it
    cannot be executed."""
    os.chdir(folder)  # what the project says of its image holds
    try:
        target = required_board(board, None)
        image = chosen_image(target, machine, "rr", FAULTS, (), "")
    except (click.ClickException, click.exceptions.Exit):
        return {}, 0, False
    request = request_from(seconds=seconds, memory=free_memory() // SHARE, keep_going=True)
    result, complete = measured(machine, image, request)
    places, found = Places(image), dict[str, int]()
    for p in result.longest:
        position = places.position(p.number)
        if position is not None and position.body.process is not None:
            name = position.body.name.removeprefix(f"{machine.program.main.name}.")
            found[name] = max(found.get(name, 0), p.cycles)
    return found, target.cpu.clock, complete


def told(cycles: int, clock: int, complete: bool, board: str) -> str:
    most = "at most" if complete else "in the states seen at most"
    return f"{most} {cycles} cycles ({cycles * 1e6 / clock:.1f} µs) without a pause on `{board}`"
