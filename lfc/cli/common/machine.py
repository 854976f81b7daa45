"""Loads a program as a machine for the commands that show or run one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output
from lfc.cli.common.sources import definitions

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.diagnostics.model import Diagnostics


def load_machine(
    file: str,
    path: tuple[str, ...],
    env: tuple[str, ...],
    *,
    with_environment: bool = True,
    board: Board | None = None,  # whose pins and devices the library drives; None: those of this machine
    diagnostics: Diagnostics | None = None,  # to which warnings are added, for whoever shows them
) -> Machine:
    """Diagnostics are shown only if there are errors among them; warnings are for `lfc check`."""
    from lfc.actions.build import build_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.front_end.chip_modules import chip_modules
    from lfc.front_end.load import load_program

    if diagnostics is None:
        diagnostics = Diagnostics()
    program = load_program(
        file, diagnostics, path=path, environments=env, chip=chip_modules(board), definitions=definitions()
    )
    if program is not None and not diagnostics.has_errors:
        if program.main.environment and not with_environment:
            what = f"{file} is an ENVIRONMENT MODULE: it models the hardware around another program"
            raise click.UsageError(f"{what}; name the program.")
        machine = build_machine(program, diagnostics, with_environment=with_environment)
        if not diagnostics.has_errors:
            return machine
    current_output().show(diagnostics)
    raise click.exceptions.Exit(Exit.SOURCE_ERROR)
