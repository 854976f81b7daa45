"""Graphs of board states for tests, and the same images in simavr."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.simavr import flash_content
from lfc.doctor.probe import require_tool
from lfc.image.firmware import build_firmware
from lfc.mcheck.image.check_image import CheckedImage, flash_of
from lfc.mcheck.image.report import Places
from lfc.mcheck.response.avr_board import AvrBoard
from lfc.mcheck.response.events import Target, target_of
from lfc.mcheck.response.graph import Graph
from lfc.mcheck.response.longest import Longest, LongestPath
from lfc.mcheck.response.timed import explore_in_time
from tests.mcheck.image.images import machine_of

HERE = Path(__file__).resolve().parent


@dataclass(slots=True)
class Made:
    machine: Machine
    image: CheckedImage
    places: Places
    graph: Graph

    def target(self, text: str) -> Target:
        return target_of(text, self.machine, self.image.board, self.places)

    def longest(self, n: int, text: str) -> Longest:
        return LongestPath(self.graph, self.target(text).happens).from_interrupt(n)


def made(file: Path, board_name: str = "uno", lines: tuple[str, ...] = (), scheduler: str = "rr") -> Made:
    return made_for(load_board(board_name), file, lines, scheduler)


def made_for(board: Board, file: Path, lines: tuple[str, ...] = (), scheduler: str = "rr") -> Made:
    """`lines`: those that are asked for later."""
    machine = machine_of(file, board)
    firmware = build_firmware(board, machine, scheduler)
    image = CheckedImage(board, firmware, flash_of(dict(firmware.image.flash), board.flash), "")
    found = Made(machine, image, Places(image), Graph(AvrBoard(machine, image)))
    found.graph.board.sought = tuple(w for line in lines for w in found.target(line).words)
    assert explore_in_time(found.graph, 100_000)
    return found


def compile_answers(folder: Path) -> Path:
    return compile_tool(folder, "answers")


def compile_tool(folder: Path, name: str) -> Path:
    return build_tool(HERE / f"{name}.c", folder)


def build_tool(source: Path, folder: Path) -> Path:
    """A program around simavr."""
    require_tool("simavr/sim_avr.h")
    tool = folder / source.stem
    options = ["-O2", "-Wall", "-Wextra", "-Werror", "-isystem", "/usr/include/simavr"]
    subprocess.run(["gcc", *options, str(source), "-o", str(tool), "-lsimavr"], check=True)
    return tool


def moments(tool: Path, m: Made, cycles: int, between: int, seed: int = 1) -> list[tuple[int, bytes]]:
    """A run in simavr: cycle and block at each pass that begins with another block; interrupts come by chance."""
    board, on = m.image.board, m.graph.board
    flash = tool.parent / "flash"
    flash.write_bytes(flash_content(m.image.firmware.image.elf))
    numbers = [on.symbols["lf_step"].address, on.block_at, m.machine.block_size, cycles, between, seed]
    command = [tool, board.emulator.simavr, board.cpu.clock, flash, *numbers, *on.interrupts.named]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    lines = [line.split() for line in done.stdout.splitlines()]
    return [(int(cycle), bytes.fromhex(block)) for cycle, block in lines]


@dataclass(frozen=True, slots=True)
class Raised:
    """How an interrupt is raised: so often, after so many cycles; if `most` is more than `least` by chance, else each
    time one later."""

    count: int
    least: int
    most: int
    resets: bool
    seed: int = 1


def answers(tool: Path, m: Made, n: int, write: tuple[int, int, int], how: Raised) -> list[int]:
    """`write`: the address, and of its value a mask and what is there. Cycles from each interrupt to it."""
    board = m.image.board
    flash = tool.parent / "flash"
    flash.write_bytes(flash_content(m.image.firmware.image.elf))
    step = m.graph.board.symbols["lf_step"].address
    numbers = [n, *write, how.count, how.least, how.most, how.seed, int(how.resets), step]
    command = [str(tool), str(board.emulator.simavr), str(board.cpu.clock), str(flash), *map(str, numbers)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = [int(line) for line in done.stdout.split()]
    assert len(found) == how.count and all(found)
    return found
