"""The project that a file belongs to: its board, and the models of its environment."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lfc.base.read_file import SETTING, read_file, toml_of
from lfc.semantics.modules import HOST, ChipModules

FILE = "lf.toml"


@dataclass(frozen=True, slots=True)
class Setting:
    """What a program is analysed and checked with."""

    chip: ChipModules = HOST
    board: str = ""  # empty: this machine
    folder: str = ""  # of the project
    main: str = ""  # of the project: path of its main module
    environments: tuple[str, ...] = ()  # paths
    modules: tuple[str, ...] = ()  # folders of packages


def setting_of(path: str) -> Setting:
    """A project that cannot be read is none: commands say why, an editor goes on."""
    if path.startswith("<"):
        return Setting()
    file = Path(path).absolute()
    for folder in file.parents:
        project = folder / FILE
        if project.is_file():
            return read(project) or Setting()
    return Setting()


def read(file: Path) -> Setting | None:
    try:
        told = toml_of(read_file(file, SETTING))
        board, main, env = told.get("board"), told.get("main"), told.get("env", [])
        chip = chip_of(board) if isinstance(board, str) else HOST
    except (OSError, ValueError):
        return None
    if not isinstance(board, str) or not isinstance(main, str) or not isinstance(env, list):
        return None
    paths = tuple(str(file.parent / e) for e in env if isinstance(e, str))
    modules = folders_of_packages(file.parent) if "dependencies" in told else ()
    return Setting(chip, board, str(file.parent), str(file.parent / main), paths, modules)


def folders_of_packages(folder: Path) -> tuple[str, ...]:
    from lfc.packages.manifest import BadPackage
    from lfc.packages.resolve import packages_of

    try:
        return tuple(str(p.modules) for p in packages_of(folder))
    except BadPackage:
        return ()


def chip_of(board: str) -> ChipModules:
    from lfc.boards.descriptions.board import board_names, load_board
    from lfc.front_end.chip_modules import chip_modules

    return chip_modules(load_board(board)) if board in board_names() else HOST
