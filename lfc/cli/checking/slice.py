"""`lfc slice`: what of a program has to do with a claim."""

from __future__ import annotations

import json
import sys

import click

from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.sources import source_options


@click.command("slice", short_help="Show the slice of a program that matters to a claim.")
@click.argument("file", metavar="FILE")
@click.option(
    "--for",
    "only",
    multiple=True,
    required=True,
    metavar="CLAIM",
    help="A property's name, assert, the line of an ASSERT, faults or deadlock; may be repeated.",
)
@board_options
@source_options
@output_options
def command(
    file: str,
    only: tuple[str, ...],
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Print the program without the statements, variables and processes that cannot affect the claim.

    On a terminal they are struck out. `lfc check FILE --for CLAIM` checks the rest.
    """
    from lfc.mcheck.reduction.slicing.claims import claims_of
    from lfc.mcheck.reduction.slicing.dependence import UnknownClaim, slice_of
    from lfc.mcheck.reduction.slicing.reduction import why_no_slice
    from lfc.mcheck.reduction.slicing.show import as_data, as_text, marked
    from lfc.mcheck.reduction.slicing.sliced_program import variables_in_slice
    from lfc.mcheck.request.request import request_from

    output = current_output()
    machine = load_machine(file, path, env, with_environment=bool(env), board=chosen_board(board, board_file))
    request = request_from(only=only)
    reason = why_no_slice(machine, request)
    if reason:
        raise click.ClickException(f"No slice is possible: {reason}.")
    try:
        kept = slice_of(machine.program, claims_of(machine, request))
    except UnknownClaim as error:
        raise click.UsageError(f"{str(error)[0].upper()}{str(error)[1:]}.") from None
    named = variables_in_slice(kept)
    files = marked(kept, named)
    if output.form == "json":
        print(json.dumps(as_data(kept, named, files), indent=1))
        return
    print(as_text(files, output.colored(sys.stdout)))
    stay = sum(id(s) in kept.statements for s in kept.all_statements)
    print(f"{stay} of {len(kept.all_statements)} statements stay for {kept.claims.text}")
    if kept.claims.points_stay:
        print(f"all scheduling points stay, because {kept.claims.points_stay}")
