"""C that is linked into the image of a board."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board
from lfc.external.calls import external_calls
from lfc.external.sources import check_defined, compile_sources
from lfc.link.port import board_defines

ROUTINE = re.compile(r'^(?:define [^@]*@|@)"?__vector_(\d+)"?(?: = |\()', re.MULTILINE)


def board_modules(board: Board, machine: Machine, files: Sequence[str]) -> list[str]:
    """LLVM IR of C sources for a board. They know of it what the port does, and that there is a board."""
    arguments = [
        "-target",
        board.cpu.c_target,
        f"-mcpu={board.cpu.c_model}",
        "-ffreestanding",
        "-Os",
        "-DLF_BOARD=1",
        *(f"-D{d}" for d in board_defines(board)),
    ]
    modules = compile_sources(machine.program, files, arguments) if files else []
    check_defined(machine.program, external_calls(machine), modules, files)
    return modules


def c_routines(modules: Sequence[str]) -> frozenset[int]:
    """Interrupts for which C has a routine, or another name for one."""
    return frozenset(int(n) for text in modules for n in ROUTINE.findall(text))
