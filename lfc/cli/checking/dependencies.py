"""What `lfc check` of a project does with its packages: checks them again, or trusts records that somebody signed."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.machine import load_machine
from lfc.cli.common.project import find_project, packages_here
from lfc.cli.common.sources import project_folder
from lfc.packages.manifest import AGAIN, NONE
from lfc.packages.resolve import Package
from lfc.records.demand import PROOF, Demand


def check_dependencies() -> None:
    """Ends the command where the checks of a package do not hold, or nobody who is trusted says that they do."""
    folder, project = project_folder(), find_project()
    if folder is None:
        return
    packages = packages_here(folder)
    path = tuple(str(p.modules) for p in packages)
    for package in packages:
        way = package.dependency.check
        for name in package.manifest.checks if way != NONE else ():
            file = package.manifest.folder / name
            if way == AGAIN:
                check_again(package, file, path)
                continue
            demand = project.demand if project is not None else PROOF
            trust(package, file, path, project.trusted if project is not None else None, demand)


def check_again(package: Package, file: Path, path: tuple[str, ...]) -> None:
    from lfc.cli.checking.check import checked, exit_of
    from lfc.mcheck.request.request import Request

    env = tuple(str(package.manifest.folder / e) for e in package.manifest.environments)
    machine = load_machine(str(file), path, env, with_environment=bool(env))
    result = checked(machine, Request())
    told = f"package {package.name}: {file.name}: {result.verdict}"
    print(f"{told}, {result.states} states", file=sys.stderr)
    found = exit_of(result)
    if found is not Exit.OK:
        again = f"lfc check {file}" + "".join(f" --env {e}" for e in env)
        print(f"the check of the package `{package.name}` does not hold; `{again}` tells more", file=sys.stderr)
        raise click.exceptions.Exit(found)


def trust(package: Package, file: Path, path: tuple[str, ...], listed: Path | None, demand: Demand) -> None:
    """One of the package's records must be of this very program, hold, and have the signature of a trusted key."""
    from lfc.records.record import BadRecord
    from lfc.records.signing import Keys, SigningError, who_signed
    from lfc.records.store import load_stored

    if listed is None:
        raise click.UsageError(f'The package `{package.name}` has `check = "trust"`: name the keys with `trusted`.')
    why = "there is none"
    try:
        keys = Keys.of_file(listed)
    except SigningError as error:
        raise click.UsageError(f"{error}.") from None
    for record in sorted((package.manifest.folder / package.manifest.records).glob("*.json")):
        try:
            stored = load_stored(record)
            if Path(stored.record.file).name != file.name:
                continue
            objections = stored.record.objections(demand)
            if stored.record.program != program_of(package, file, path, stored.record.board):
                objections.append("it is of another program")
            who_signed(stored, keys)
        except OSError as error:
            why = f"{record.name}: {error.strerror}"
        except (BadRecord, SigningError) as error:
            why = f"{record.name}: {error}"
        else:
            if not objections:
                print(
                    f"package {package.name}: {file.name}: a record with a trusted signature says that it holds",
                    file=sys.stderr,
                )
                return
            why = f"{record.name}: {objections[0]}"
    print(
        f"no record of the package `{package.name}` opens for {file.name}: {why}; ask for one, or set "
        f'`check = "{AGAIN}"` in lf.toml',
        file=sys.stderr,
    )
    raise click.exceptions.Exit(Exit.INCONCLUSIVE)


def program_of(package: Package, file: Path, path: tuple[str, ...], board: str) -> str:
    """The digest of the program, as a record has it."""
    from lfc.actions.as_data import program_digest
    from lfc.boards.descriptions.board import board_names, load_board

    if board not in board_names():
        return ""
    env = tuple(str(package.manifest.folder / e) for e in package.manifest.environments)
    machine = load_machine(str(file), path, env, with_environment=bool(env), board=load_board(board))
    return program_digest(machine).hex()
