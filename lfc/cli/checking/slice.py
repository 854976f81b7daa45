"""`lfc slice`: what of a program has to do with a claim."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board
    from lfc.mcheck.reduction.slicing.dependence import Kept
    from lfc.semantics.model.typed import Variable


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
@click.option(
    "-o",
    "--output",
    "to",
    metavar="FILE",
    help="Write the slice as a program (several modules: into this folder).",
)
@board_options
@source_options
@output_options
def command(
    file: str,
    only: tuple[str, ...],
    to: str | None,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Print the program without the statements, variables and processes that cannot affect the claim.

    On a terminal they are struck out; -o writes a program that compiles. `lfc check FILE --for CLAIM` checks what is
    left.
    """
    from lfc.mcheck.reduction.slicing.claims import claims_of
    from lfc.mcheck.reduction.slicing.dependence import UnknownClaim, slice_of
    from lfc.mcheck.reduction.slicing.reduction import why_no_slice
    from lfc.mcheck.reduction.slicing.show import as_data, as_text, lines_passing, marked
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
    if to is not None:
        write_slice(to, kept, named, board=chosen_board(board, board_file))
    files = marked(kept, named)
    if output.form == "json":
        output.document(json.dumps(as_data(kept, named, files), indent=1))
        return
    print(as_text(files, output.colored(sys.stdout)))
    stay = sum(id(s) in kept.statements for s in kept.all_statements)
    print(f"{stay} of {len(kept.all_statements)} statements stay for {kept.claims.text}")
    if kept.claims.points_stay:
        print(f"all scheduling points stay, because {kept.claims.points_stay}")
    if lines := ", ".join(map(str, lines_passing(kept))):
        print(
            f"RESCHEDULE in the place of communications (line {lines}): whoever waits there may go on without a partner"
        )


def write_slice(to: str, kept: Kept, named: set[Variable], board: Board | None) -> None:
    """Only what compiles."""
    from lfc.base.source import Source
    from lfc.diagnostics.model import Diagnostics, Severity
    from lfc.front_end.chip_modules import chip_modules
    from lfc.front_end.load import check_source
    from lfc.mcheck.reduction.slicing.write_program import NotWritten, written

    main = kept.program.main.source.path
    try:
        texts = written(kept, named)
    except NotWritten as error:
        raise click.ClickException(f"The slice cannot be written: {error}.") from None
    places = places_of(to, main, list(texts))
    sources = {path: Source(path, text) for path, text in texts.items()}
    around = [s for m in kept.program.modules if m.environment and (s := sources.get(m.source.path)) is not None]
    rest = [s for path, s in sources.items() if path != main and s not in around]
    found = Diagnostics()
    folders = list(dict.fromkeys(Path(path).parent for path in texts))
    check_source(sources[main], found, path=folders, environments=around, chip=chip_modules(board), instead=rest)
    if found.has_errors:
        first = next(d for d in found.items if d.severity is Severity.ERROR)
        why = f"{first.span.source.path}:{first.span.line}: {first.message}"
        raise click.ClickException(f"The slice cannot be written, because it would not compile: {why}.")
    for path, place in places.items():
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(texts[path], encoding="utf-8")
        except OSError as error:
            raise click.ClickException(f"{place} cannot be written: {error.strerror}.") from None
    print(f"written: {', '.join(str(p) for p in places.values())}", file=sys.stderr)


def places_of(to: str, main: str, paths: list[str]) -> dict[str, Path]:
    """Where each file goes; never over the program itself."""
    folder = Path(to)
    if folder.suffix == ".lf" and len(paths) > 1:
        raise click.UsageError(f"The program has {len(paths)} modules of its own: -o names a folder for them.")
    places = {main: folder} if folder.suffix == ".lf" else {path: folder / Path(path).name for path in paths}
    for path, place in places.items():
        if place.resolve() == Path(path).resolve():
            raise click.UsageError(f"-o {to} would write over {path}, the program itself; name another place.")
    return places
