"""The option `--with`: C sources that are linked in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lfc.cli.common.firmware import refuse
from lfc.cli.common.project import find_project

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine

with_option = click.option(
    "--with",
    "c_files",
    multiple=True,
    type=click.Path(dir_okay=False),
    metavar="FILE.c",
    help="Link a C source, for EXTERNAL processes.",
)


def sources_to_link(file: str | None, c_files: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the command line; those of the project too, if its program was taken."""
    project = find_project() if file is None else None
    return (project.c_files if project is not None else ()) + c_files


def modules_for_this_machine(machine: Machine, c_files: tuple[str, ...], needed: bool = True) -> list[str]:
    """LLVM IR. Not `needed`: nothing is called, since a record is followed."""
    from lfc.external.calls import external_calls
    from lfc.run.external import host_modules
    from lfc.toolchain.failure import ImageError

    if not c_files and not (needed and external_calls(machine)):
        return []
    try:
        return host_modules(machine, c_files)
    except ImageError as error:
        refuse(error.message, *error.detail.splitlines())
