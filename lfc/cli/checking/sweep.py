"""`lfc sweep`: checks every configuration of a program."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.base.notices import draw
from lfc.cli.common.exits import Exit
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import find_project
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.sweep.matrix import Interaction
    from lfc.sweep.run import Cell


@click.command("sweep", short_help="Check every configuration of a program.")
@click.argument("file", required=False, metavar="[FILE]")
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[-- OPTIONS OF lfc check]")
@click.option(
    "--const", "constants", multiple=True, metavar="N=2..5", help="Values of a constant: NAME=A,B or LOW..HIGH."
)
@click.option(
    "--pairs", metavar="F", help="A constant of --const is a set of features: none, each, and each two of them."
)
@click.option("--for", "claims", multiple=True, metavar="CLAIM", help="Only this claim, as for lfc check (all).")
@click.option("--jobs", type=click.IntRange(1, 256), metavar="N", help="So many checks at once (all cores).")
@click.option("--junit", metavar="FILE", help="Write the results as JUnit's XML.")
@source_options
@output_options
def command(
    file: str | None,
    options: tuple[str, ...],
    constants: tuple[str, ...],
    pairs: str | None,
    claims: tuple[str, ...],
    jobs: int | None,
    junit: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Check a program with all combinations of the values of its constants.

    Each claim (faults, failed assertions, deadlock, and every property) is checked alone in each configuration. What is
    known from before is not checked again. Behind `--` stand further options of `lfc check`. In a project, FILE and the
    sweep default to those of lf.toml (`[sweep]`).
    """
    from lfc.mcheck.request.resources import processors
    from lfc.sweep.matrix import BadSweep, configurations, interactions, parse_constant
    from lfc.sweep.run import CannotCheck, Checks, run_all

    wanted = wanted_sweep(file, constants, pairs, env)
    try:
        matrix = configurations([parse_constant(c) for c in wanted.constants], wanted.pairs)
    except BadSweep as error:
        raise click.UsageError(f"{error}.") from None
    # What can be claimed of a program, and its texts, are those of every configuration.
    machine = load_machine(wanted.file, path, wanted.env, with_environment=bool(wanted.env))
    chosen = claims or tuple(claims_of(machine))
    more = (*(x for p in path for x in ("--path", p)), *(x for e in wanted.env for x in ("--env", e)), *options)
    checks = Checks(wanted.file, ("--threads", "1", *more), digest_of(machine))
    cells = [(c, claim) for c in matrix for claim in chosen]
    try:
        done = run_all(checks, cells, jobs or processors(), progress if sys.stderr.isatty() else None)
    except CannotCheck as error:
        current_output().fail(f"lfc: a configuration cannot be checked: {error}")
        raise click.exceptions.Exit(error.code) from None
    found = interactions({(c.configuration, c.claim): c.verdict for c in done})
    if junit is not None:
        write_junit(junit, wanted.file, done)
    show(wanted.file, done, found)
    raise click.exceptions.Exit(exit_of(done))


@dataclass(frozen=True, slots=True)
class Wanted:
    file: str
    constants: tuple[str, ...]
    pairs: str | None
    env: tuple[str, ...]


def wanted_sweep(file: str | None, constants: tuple[str, ...], pairs: str | None, env: tuple[str, ...]) -> Wanted:
    project = find_project() if file is None else None
    if file is None:
        if project is None:
            raise click.UsageError("Which program? Name its file, or work in a folder with lf.toml.")
        file, env = project.main, env or project.environments
        if not constants:
            constants, pairs = project.sweep.constants, pairs or project.sweep.pairs
    if not constants:
        raise click.UsageError(
            "What varies? Name constants, --const N=2..5, or write `const` under [sweep] in lf.toml."
        )
    return Wanted(file, constants, pairs, env)


def claims_of(machine: Machine) -> list[str]:
    from lfc.mcheck.reduction.slicing.claims import ASSERTS, DEADLOCK, FAULTS, all_asserts

    properties = [p.name for module in machine.program.modules for p in module.properties]
    asserts = [ASSERTS] if all_asserts(machine.program) else []
    return [FAULTS, *asserts, DEADLOCK, *dict.fromkeys(properties)]


def digest_of(machine: Machine) -> str:
    digest = hashlib.sha256()
    for module in machine.program.modules:
        digest.update(f"{module.source.path}\0{len(module.source.text)}\0{module.source.text}".encode())
    return digest.hexdigest()


def progress(done: int, of: int) -> None:
    draw(sys.stderr, f"\r{done} of {of} checks" + "\n" * (done == of))


def write_junit(name: str, file: str, cells: list[Cell]) -> None:
    from lfc.sweep.report import as_junit

    try:
        Path(name).write_text(as_junit(file, cells), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{name} cannot be written: {error.strerror}") from None


def show(file: str, cells: list[Cell], found: list[Interaction]) -> None:
    from lfc.sweep.report import as_data, interaction_lines, summary, table

    if current_output().form == "json":
        current_output().document(json.dumps(as_data(file, cells, found)))
    else:
        print("\n".join([*interaction_lines(found), *table(cells), summary(cells)]))


def exit_of(cells: list[Cell]) -> int:
    """The first that is wrong says it."""
    wrong = [c.code for c in cells if c.code in (Exit.DEADLOCK, Exit.FAULT, Exit.PROPERTY)]
    return wrong[0] if wrong else max((c.code for c in cells), default=Exit.OK)
