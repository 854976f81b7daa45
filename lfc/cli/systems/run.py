"""`lfc run` of a system: the images of its boards in the built-in simulator, with their lines connected."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import chosen_board, firmware_for
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output
from lfc.cli.common.project import required_images
from lfc.cli.common.streams import write_output

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.boards.serial.console import WireFault
    from lfc.image.firmware import Firmware
    from lfc.systems.boards import Image


class Console:
    """What a board says, line by line, with its name before it."""

    def __init__(self, name: str) -> None:
        from lfc.boards.serial.console import ConsoleStream

        self.name, self.stream, self.line = name, ConsoleStream(), b""

    def take(self, said: bytes) -> None:
        *lines, self.line = (self.line + self.stream.feed(said)).split(b"\n")
        for line in lines:
            self.show(line)

    def show(self, line: bytes) -> None:
        write_output(f"{self.name}: ".encode() + line + b"\n")

    def rest(self) -> None:
        *lines, last = (self.line + self.stream.rest()).split(b"\n")
        for line in (*lines, *([last] if last else [])):
            self.show(line)


def simulated_image(image: Image, path: tuple[str, ...], scheduler: str) -> tuple[Board, Machine, Firmware]:
    """Of a board that the built-in simulator has."""
    from lfc.boards.descriptions.simulated import is_simulated

    board = chosen_board(image.board, None)
    assert board is not None
    if not is_simulated(board):
        raise click.UsageError(f"The board {board.name} of `{image.name}` is not in the built-in simulator.")
    machine = load_machine(image.program, path, (), with_environment=False, board=board)
    return board, machine, firmware_for(board, machine, scheduler)


def run_system(file: str, scheduler: str, clock: str, seconds: float | None, path: tuple[str, ...]) -> Exit:
    from lfc.boards.network import Network

    made = {image.name: simulated_image(image, path, scheduler) for image in required_images(file)}
    consoles = {name: Console(name) for name in made}
    images = {name: (board, firmware.image.elf) for name, (board, _, firmware) in made.items()}
    network = Network(images, lambda name, said: consoles[name].take(said))
    try:
        end = network.run(seconds, clock == "real", lambda: any(c.stream.fault is not None for c in consoles.values()))
        for console in consoles.values():
            console.rest()
    except KeyboardInterrupt:
        end = "interrupted"
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    code, lines = Exit.OK, []
    for name, console in consoles.items():
        if console.stream.fault is not None:
            code, lines = Exit.FAULT, fault_of(name, console.stream.fault, made[name][2], made[name][1])
        elif network.members[name].end in ("crashed", "halted"):
            code, lines = Exit.FAULT, [f"{name}: the processor stopped"]
    if code == Exit.OK:
        how = "interrupted" if end == "interrupted" else "stopped: time limit reached (--seconds)"
        code, lines = (Exit.INTERRUPTED if end == "interrupted" else Exit.OK), [how]
    print(
        *lines,
        f"{network.passed} frame{'s' * (network.passed != 1)} passed between the boards",
        sep="\n",
        file=sys.stderr,
    )
    if current_output().form == "json":
        tell_as_json(end, code, network.passed, list(made))
    return code


def fault_of(name: str, fault: WireFault, firmware: Firmware, machine: Machine) -> list[str]:
    from lfc.run import report
    from lfc.run.running import Fault

    found = Fault(fault.kind, fault.site, fault.first, fault.second)
    lines = report.fault_lines(firmware.generated.sites[fault.site], found, machine)
    return [f"{name}: {lines[0]}", *lines[1:]]


def tell_as_json(end: str, code: Exit, frames: int, boards: list[str]) -> None:
    import json

    document = {"end": end, "exit_code": int(code), "boards": boards, "frames": frames}
    current_output().document(json.dumps(document), sys.stderr)
