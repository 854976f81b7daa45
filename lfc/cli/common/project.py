"""A project: a folder with `lf.toml`, which names the main module's file and the board."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path

import click

FILE = "lf.toml"
KEYS = ("main", "board")
MORE_KEYS = ("with", "require-checked", "trusted")
STRINGS = (*KEYS, "trusted")


@dataclass(frozen=True, slots=True)
class Project:
    main: str  # relative to the working directory
    board: str
    folder: Path
    c_files: tuple[str, ...] = ()  # that are linked in
    require_checked: bool = True  # whether `lfc flash` refuses what was not checked
    trusted: Path | None = None  # a list of keys, one of which must have signed the check


def find_project() -> Project | None:
    """That of the working directory, or of the nearest folder above it."""
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / FILE).is_file():
            return _read(folder / FILE, folder, here)
    return None


def _read(file: Path, folder: Path, here: Path) -> Project:
    try:
        told = tomllib.loads(file.read_bytes().decode("utf-8"))
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}.") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise click.UsageError(f"{file} is not valid TOML: {error}.") from None
    for key, value in told.items():
        if key not in (*KEYS, *MORE_KEYS):
            raise click.UsageError(f"{file}: unknown key `{key}`; the keys are {', '.join((*KEYS, *MORE_KEYS))}.")
        if key == "with" and (not isinstance(value, list) or not all(isinstance(v, str) for v in value)):
            raise click.UsageError(f"{file}: `with` must be a list of strings.")
        if key == "require-checked" and not isinstance(value, bool):
            raise click.UsageError(f"{file}: `require-checked` must be true or false.")
        if key in STRINGS and not isinstance(value, str):
            raise click.UsageError(f"{file}: `{key}` must be a string.")
    for key in KEYS:
        if key not in told:
            raise click.UsageError(f"{file}: `{key}` is missing.")
    return Project(
        _from_here(folder / told["main"], here),
        told["board"],
        folder,
        tuple(_from_here(folder / c, here) for c in told.get("with", [])),
        told.get("require-checked", True),
        folder / told["trusted"] if "trusted" in told else None,
    )


def _from_here(file: Path, here: Path) -> str:
    return str(file.relative_to(here) if file.is_relative_to(here) else file)


def file_and_board(file: str | None, board: str | None, board_file: str | None) -> tuple[str, str | None]:
    """Without a file, those of the project; a board on the command line goes before its own."""
    if file is not None:
        return file, board
    project = find_project()
    if project is None:
        raise click.UsageError(
            f"Which program? Name its file, or work in a folder with {FILE} (`lfc new` creates one)."
        )
    return project.main, board if board is not None or board_file is not None else project.board
