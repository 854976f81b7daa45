"""`lfc vendor`: the packages of a project as a part of it."""

from __future__ import annotations

import sys

import click

from lfc.cli.common.output import output_options
from lfc.cli.common.sources import FILE, project_folder


@click.command("vendor", short_help="Copy the packages of a project into it.")
@output_options
def command() -> None:
    """Copy all packages of the project, and those that they need, into its folder `vendor`.

    Commands take packages from there, if they are there, after comparing their content with the hash: the project
    needs no network and no git any more.
    """
    from lfc.packages.manifest import BadPackage
    from lfc.packages.resolve import VENDOR, vendor

    folder = project_folder()
    if folder is None:
        raise click.UsageError(f"There is no project here: no {FILE} (`lfc new` creates one).")
    try:
        packages = vendor(folder)
    except BadPackage as error:
        raise click.ClickException(f"{error}.") from None
    for p in packages:
        print(f"{VENDOR}/{p.name}", file=sys.stderr)
    if not packages:
        print(f"{FILE} names no packages", file=sys.stderr)
