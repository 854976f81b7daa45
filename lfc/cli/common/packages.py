"""The packages of the project, for the commands: what is wrong with them ends a command, and says what to do."""

from __future__ import annotations

from pathlib import Path

import click

from lfc.packages.manifest import BadPackage
from lfc.packages.resolve import Package, packages_of


def packages_here(folder: Path) -> list[Package]:
    try:
        return packages_of(folder)
    except BadPackage as error:
        raise click.ClickException(f"{error}.") from None


def module_folders(folder: Path) -> tuple[str, ...]:
    return tuple(str(p.modules) for p in packages_here(folder))
