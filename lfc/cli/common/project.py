"""What commands mean without a file: a project, a folder with `lf.toml`, which names the main module's file and the
board. And with the file of a system: several boards."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.base.lazy_dataclass import dataclass
from lfc.cli.common.exits import Exit
from lfc.cli.common.output import current_output
from lfc.cli.common.sources import FILE, project_folder
from lfc.records.demand import PROOF, Demand, Level

if TYPE_CHECKING:
    from lfc.packages.resolve import Package
    from lfc.systems.boards import Image

SYSTEM_SUFFIX = ".toml"
SYSTEM = ".toml:"  # in the name of the program of one board of a system
KEYS = ("main", "board")
LEVEL, OLD_LEVEL, AT_LEAST = "require", "require-checked", ("at-least-states", "at-least-seconds")
OPTIMISE, OPTIMISED_FOR = "optimise", ("size", "speed")
LISTS = ("with", "env")  # of files
SWEEP, SWEEP_KEYS = "sweep", ("const", "pairs")
PACKAGES = ("package", "dependencies")  # tables that lfc/packages reads
MORE_KEYS = (*LISTS, LEVEL, *AT_LEAST, OLD_LEVEL, "trusted", OPTIMISE, SWEEP, *PACKAGES)
STRINGS = (*KEYS, LEVEL, "trusted", OPTIMISE)


@dataclass(frozen=True, slots=True)
class Sweep:
    """What `lfc sweep` varies: `[sweep]`."""

    constants: tuple[str, ...] = ()
    pairs: str | None = None


@dataclass(frozen=True, slots=True)
class Project:
    main: str  # relative to the working directory
    board: str
    folder: Path
    c_files: tuple[str, ...] = ()  # that are linked in
    demand: Demand = PROOF  # what `lfc flash` asks of the check
    trusted: Path | None = None  # a list of keys, one of which must have signed the check
    optimise: str = ""  # what images are made for; empty: what the board's description says
    environments: tuple[str, ...] = ()  # models of the hardware, with which `lfc check` checks
    sweep: Sweep = Sweep()


def find_project() -> Project | None:
    """That of the working directory. A package that has no program of its own is none."""
    folder = project_folder()
    return None if folder is None else _read(folder / FILE, folder, Path.cwd())


def _read(file: Path, folder: Path, here: Path) -> Project | None:
    from lfc.base.read_file import SETTING, read_file, toml_of

    try:
        told = toml_of(read_file(file, SETTING))
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except ValueError as error:
        raise click.UsageError(f"{file} is not valid TOML: {error}.") from None
    for key, value in told.items():
        if key not in (*KEYS, *MORE_KEYS):
            raise click.UsageError(f"{file}: unknown key `{key}`; the keys are {', '.join((*KEYS, *MORE_KEYS))}.")
        if key in LISTS and (not isinstance(value, list) or not all(isinstance(v, str) for v in value)):
            raise click.UsageError(f"{file}: `{key}` must be a list of strings.")
        if key == OLD_LEVEL and not isinstance(value, bool):
            raise click.UsageError(f"{file}: `{OLD_LEVEL}` must be true or false.")
        if key in AT_LEAST and not (type(value) is int and value > 0):
            raise click.UsageError(f"{file}: `{key}` must be a whole number above 0.")
        if key in STRINGS and not isinstance(value, str):
            raise click.UsageError(f"{file}: `{key}` must be a string.")
    if told.get(OPTIMISE, "size") not in OPTIMISED_FOR:
        raise click.UsageError(f'{file}: `{OPTIMISE}` must be "size" or "speed", not "{told[OPTIMISE]}".')
    if "package" in told and not any(key in told for key in KEYS):
        return None
    for key in KEYS:
        if key not in told:
            raise click.UsageError(f"{file}: `{key}` is missing.")
    return Project(
        _from_here(folder / told["main"], here),
        told["board"],
        folder,
        tuple(_from_here(folder / c, here) for c in told.get("with", [])),
        _demand(file, told),
        folder / told["trusted"] if "trusted" in told else None,
        told.get(OPTIMISE, ""),
        tuple(_from_here(folder / e, here) for e in told.get("env", [])),
        _sweep(file, told.get(SWEEP, {})),
    )


def _sweep(file: Path, told: Any) -> Sweep:
    if not isinstance(told, dict) or any(key not in SWEEP_KEYS for key in told):
        raise click.UsageError(f"{file}: `[{SWEEP}]` is a table with the keys {', '.join(SWEEP_KEYS)}.")
    constants, pairs = told.get("const", []), told.get("pairs")
    if not isinstance(constants, list) or not all(isinstance(c, str) for c in constants):
        raise click.UsageError(f'{file}: `const` of `[{SWEEP}]` must be a list of strings like "N=2..5".')
    if pairs is not None and not isinstance(pairs, str):
        raise click.UsageError(f"{file}: `pairs` of `[{SWEEP}]` must be a string, the name of a constant.")
    return Sweep(tuple(constants), pairs)


def _demand(file: Path, told: dict[str, Any]) -> Demand:
    if LEVEL in told and OLD_LEVEL in told:
        raise click.UsageError(f"{file}: `{LEVEL}` and `{OLD_LEVEL}` are both there; delete `{OLD_LEVEL}`.")
    name = told.get(LEVEL, Level.PROOF if told.get(OLD_LEVEL, True) else Level.NONE)
    if name not in list(Level):
        levels = ", ".join(f'"{level}"' for level in Level)
        raise click.UsageError(f'{file}: `{LEVEL}` must be one of {levels}, not "{name}".')
    useless = [key for key in AT_LEAST if key in told and name != Level.NO_ERROR_FOUND]
    if useless:
        raise click.UsageError(
            f'{file}: `{useless[0]}` needs `{LEVEL} = "{Level.NO_ERROR_FOUND}"`, which asks how far a search '
            "without a verdict came."
        )
    states, seconds = (told.get(key, 0) for key in AT_LEAST)
    return Demand(Level(name), states, seconds)


def _from_here(file: Path, here: Path) -> str:
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def file_and_board(file: str | None, board: str | None, board_file: str | None) -> tuple[str, str | None]:
    """Without a file, those of the project; a board on the command line goes before its own, and before that of a
    system file."""
    if file is not None:
        if board is None and board_file is None and SYSTEM in file:
            from lfc.systems.boards import board_of

            return file, board_of(file)
        refuse_board_of_system(file, board or board_file)
        return file, board
    project = find_project()
    if project is None:
        raise click.UsageError(
            f"Which program? Name its file, or work in a folder with {FILE} (`lfc new` creates one)."
        )
    return project.main, board if board is not None or board_file is not None else project.board


def environments_of_project(given: tuple[str, ...]) -> tuple[str, ...]:
    """Those of the command line, or else of the project."""
    project = None if given else find_project()
    return given if project is None else project.environments


def main_of_folder(name: str) -> str:
    """The program of a project that is named by its folder; a file is what it is."""
    folder = Path(name)
    if not folder.is_dir():
        return name
    if not (folder / FILE).is_file():
        raise click.UsageError(f"{name} is a folder without {FILE}: name the file of a program.")
    project = _read(folder / FILE, folder, Path.cwd())
    if project is None:
        raise click.UsageError(f"{name} is a package without a program of its own: name the file of a program.")
    return project.main


# --- packages --------------------------------------------------------------------------------------------------------


def packages_here(folder: Path) -> list[Package]:
    """Those of the project in this folder. What is wrong with them ends a command, and says what to do."""
    from lfc.packages.manifest import BadPackage
    from lfc.packages.resolve import packages_of

    try:
        return packages_of(folder)
    except BadPackage as error:
        raise click.ClickException(f"{error}.") from None


def module_folders(folder: Path) -> tuple[str, ...]:
    return tuple(str(p.modules) for p in packages_here(folder))


# --- systems ---------------------------------------------------------------------------------------------------------


def is_system(file: str) -> bool:
    """Whether the whole of one is meant."""
    if not file.endswith(SYSTEM_SUFFIX):
        return False
    from lfc.systems.boards import is_whole

    return is_whole(file)


def refuse_board_of_system(file: str, board: str | None) -> None:
    """All of it on one board is an image that nobody means."""
    if board is not None and is_system(file):
        raise click.UsageError("A system file says what its boards are; `SYSTEM.toml:NAME` is the program of one.")


def required_images(file: str) -> Sequence[Image]:
    """Those of all boards; what is wrong with the file ends the command."""
    from lfc.diagnostics.model import Diagnostics
    from lfc.systems.boards import images_of

    diagnostics = Diagnostics()
    found = images_of(file, diagnostics)
    if found is None:
        current_output().show(diagnostics)
        raise click.exceptions.Exit(Exit.SOURCE_ERROR)
    return found


def refuse_timed_links(file: str) -> None:
    """What a buffer gives on at once takes its time on a line."""
    if not is_system(file):
        return
    from lfc.systems.boards import has_buffers

    if has_buffers(file):
        raise click.UsageError(
            'Links take no time in this model, as they do on a line: for --time say `model = "protocol"` under [line].'
        )
