"""`lfc hil conform` of a system: the images of all its boards in the built-in simulator, beside the composition."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, Any, NoReturn

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import refuse_given
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import counted, current_output
from lfc.cli.common.project import required_images
from lfc.cli.systems.run import Console, fault_of, simulated_image

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.hil.systems.follow import Followed, Following
    from lfc.image.firmware import Firmware

MOST_STATES = 100_000
NOT_FOR_SYSTEMS = {
    "port": "--port",
    "emulator": "--emulator",
    "ahead": "--ahead",
    "checked": "--checked",
    "record": "--record",
    "trace": "--trace",
    "c_files": "--with",
}
VERDICTS = {"agrees": Exit.OK, "fault": Exit.FAULT, "differs": Exit.PROPERTY, "lost": Exit.INCONCLUSIVE}


def conform_system(context: click.Context, file: str, options: dict[str, Any]) -> NoReturn:
    from lfc.hil.systems.composition import CannotFollow
    from lfc.hil.systems.follow import SystemFollower

    if options["board"] is not None or options["board_file"] is not None:
        raise click.UsageError("A system file says what its boards are; `SYSTEM.toml:NAME` is the program of one.")
    refuse_given(context, NOT_FOR_SYSTEMS, "is not for systems")
    if not options["emulated"]:
        raise click.UsageError("The boards of a system are followed in the built-in simulator: say --emulated.")
    whole = load_machine(file, options["path"], (), with_environment=False)
    images, boards = images_beside(file, options["scheduler"], options["path"], whole)
    consoles = {name: Console(name) for name in boards}
    most = options["states"] or MOST_STATES
    try:
        follower = SystemFollower(whole, boards, lambda name, said: consoles[name].take(said), most)
        told = follower.run(options["seconds"], options["steps"])
    except CannotFollow as why:
        current_output().fail(f"lfc: {file} cannot be followed: {why}")
        raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None
    except KeyboardInterrupt:
        raise click.exceptions.Exit(Exit.INTERRUPTED) from None
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise click.exceptions.Exit(Exit.OK) from None
    for console in consoles.values():
        console.rest()
    tell(file, told, boards, images)


def images_beside(
    file: str, scheduler: str, path: tuple[str, ...], whole: Machine
) -> tuple[dict[str, Firmware], dict[str, Followed]]:
    """Of each board, by its name."""
    from lfc.diagnostics.model import Diagnostics
    from lfc.hil.systems.follow import Followed
    from lfc.hil.systems.views import common_modules
    from lfc.systems.boards import modules_of

    images: dict[str, Firmware] = {}
    boards: dict[str, Followed] = {}
    for image in required_images(file):
        board, machine, firmware = simulated_image(image, path, scheduler)
        images[image.name] = firmware
        modules = common_modules(whole, machine, modules_of(file, image.name, Diagnostics(), path))
        boards[image.name] = Followed(board, machine, firmware.generated, firmware.image.elf, modules)
    return images, boards


def tell(file: str, told: Following, boards: dict[str, Followed], images: dict[str, Firmware]) -> NoReturn:
    together, code = sum(told.actions.values()), VERDICTS[told.verdict]
    each = ", ".join(f"{name} {n}" for name, n in told.actions.items())
    heads = {
        "agrees": f"agrees: {counted(together, 'action')} ({each})",
        "fault": f"agrees: {counted(together, 'action')} ({each}), then a fault",
        "differs": f"differs: a board of {file} does what the composition does not",
        "lost": f"no verdict: {file} cannot be followed after {counted(together, 'action')}",
    }
    lines = [heads[told.verdict], *told.lines]
    if told.fault is not None:
        name, fault = told.fault
        lines += fault_of(name, fault, images[name], boards[name].machine)
    steps = sum(told.steps.values())
    lines += [
        f"compared: {counted(steps, 'step')} of the boards' programs, their variables and where their processes are",
        f"{counted(told.frames, 'frame')} passed between the boards; {counted(told.states, 'state')} looked at",
    ]
    print(*lines, sep="\n", file=sys.stderr)
    if current_output().form == "json":
        digests = {name: firmware.digest for name, firmware in images.items()}
        document = {"verdict": told.verdict, "exit_code": int(code), "program": file, "actions": told.actions}
        document |= {"steps": told.steps, "frames": told.frames, "states": told.states, "images": digests}
        current_output().document(json.dumps(document), sys.stderr)
    raise click.exceptions.Exit(code)
