"""Loads a program as a machine for the commands that show or run one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output
from lfc.cli.common.sources import WRAPS, definitions

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.diagnostics.model import Diagnostics


OF_ANOTHER_CHIP = "LF0728"


def load_machine(
    file: str,
    path: tuple[str, ...],
    env: tuple[str, ...],
    *,
    with_environment: bool = True,
    board: Board | None = None,  # whose pins and devices the library drives; None: those of this machine
    diagnostics: Diagnostics | None = None,  # to which warnings are added, for whoever shows them
    stage: str = "",  # of what is kept behind the machine
    as_built: bool = False,  # as `lfc build` takes it: wraps are none that count
) -> Machine:
    """Diagnostics are shown only if there are errors among them; warnings are for `lfc check`. But registers of another
    chip are told: such a program does nothing there."""
    from lfc.actions.kept_machine import NotAProgram, Wanted, machine_of
    from lfc.diagnostics.model import Diagnostics

    shows = diagnostics is None
    diagnostics = diagnostics or Diagnostics()
    try:
        given = {n: v for n, v in definitions().items() if not (as_built and n == WRAPS)}
        wanted = Wanted(file, path, env, board, with_environment, tuple(given.items()))
        machine = machine_of(wanted, diagnostics, stage)
    except NotAProgram:
        what = f"{file} is an ENVIRONMENT MODULE: it models the hardware around another program"
        raise click.UsageError(f"{what}; name the program.") from None
    if machine is not None:
        if shows:
            told = Diagnostics()
            told.items = [d for d in diagnostics.items if d.code == OF_ANOTHER_CHIP]
            if told.items:
                current_output().show_warnings(told)
        return machine
    current_output().show(diagnostics)
    raise click.exceptions.Exit(Exit.SOURCE_ERROR)
