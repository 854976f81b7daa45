"""Builds the image of a program for a test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.render_text import render_text
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.load import load_program
from lfc.image.firmware import Firmware, build_firmware
from lfc.link.fault_options import FaultOptions
from lfc.toolchain.failure import ImageError


class NotBuilt(Exception):
    """The program has errors, or does not fit the board."""


def built(
    program: Path,
    board: Board,
    scheduler: str,
    trace: bool,
    path: Sequence[str | Path] = (),
    c_files: Sequence[str] = (),
    faults: FaultOptions | None = None,
) -> tuple[Machine, Firmware]:
    """Raises NotBuilt."""
    diagnostics = Diagnostics()
    loaded = load_program(program, diagnostics, path=path, chip=chip_modules(board))
    machine = None
    if loaded is not None and not diagnostics.has_errors:
        machine = build_machine(loaded, diagnostics, with_environment=False)
    if machine is None or diagnostics.has_errors:
        raise NotBuilt("\n" + render_text(diagnostics))
    try:
        options = faults or FaultOptions()
        return machine, build_firmware(board, machine, scheduler, faults=options, trace=trace, c_files=c_files)
    except ImageError as error:
        raise NotBuilt("\n".join([f"{program}: {error.message}", error.detail])) from None
