"""Which boards a test run has, and where: by the options of pytest, or by a map file.

docs/how-to/testing.md has the format.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lfc.base.read_file import SETTING, read_file, toml_of

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board


class BadPlaces(Exception):
    """The options or the map file make no sense; the message says why."""


@dataclass(frozen=True, slots=True)
class BoardPlace:
    """One board of the run. Emulated, or at a port: that named, or the only one that has its USB ids."""

    name: str
    board: str = ""  # one of the toolchain's
    board_file: str = ""  # or the description of another
    port: str = ""
    drive: str = ""  # where its drive is mounted
    probe: str = ""  # the ID of the debug probe that flashes it, or `any`
    emulated: bool = False
    emulator: str = ""  # simavr, qemu; the first that the board has
    boot_loader: str = ""  # emulated: a HEX file; then the board is flashed through it, as a real one is

    def description(self) -> Board:
        """Raises BadPlaces."""
        from lfc.boards.descriptions.board import BoardError, load_board, load_board_file

        try:
            return load_board_file(Path(self.board_file)) if self.board_file else load_board(self.board)
        except BoardError as error:
            raise BadPlaces(f"{self.name}: {error}") from None


KEYS = {f.name: str(f.type) for f in fields(BoardPlace) if f.name != "name"}
FILES = ("board_file", "boot_loader")


def read_places(path: Path) -> list[BoardPlace]:
    """A table for each board. Files are named from the folder of the map. Raises BadPlaces."""
    try:
        told = toml_of(read_file(path, SETTING))
    except OSError as error:
        raise BadPlaces(f"{path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadPlaces(f"{path} is not valid TOML: {error}") from None
    if not told:
        raise BadPlaces(f"{path} names no board")
    return [_place(path, name, table) for name, table in told.items()]


def _place(path: Path, name: str, table: object) -> BoardPlace:
    where = f"{path}: [{name}]"
    if not isinstance(table, dict):
        raise BadPlaces(f"{path}: `{name}` must be a table, such as [{name}]")
    for key, value in table.items():
        if key not in KEYS:
            raise BadPlaces(f"{where}: unknown key `{key}`; the keys are {', '.join(KEYS)}")
        if type(value).__name__ != KEYS[key]:
            raise BadPlaces(f"{where}: `{key}` must be {'true or false' if KEYS[key] == 'bool' else 'a string'}")
    found: dict[str, Any] = {k: str(path.parent / v) if k in FILES else v for k, v in table.items()}
    return checked(BoardPlace(name, **found), where)


def checked(place: BoardPlace, where: str) -> BoardPlace:
    if bool(place.board) == bool(place.board_file):
        raise BadPlaces(f"{where}: one of `board` and `board_file` is needed")
    if place.emulated and (place.port or place.drive or place.probe):
        raise BadPlaces(f"{where}: an emulated board has no port, no drive and no probe")
    if place.probe and place.drive:
        raise BadPlaces(f"{where}: `probe` and `drive` exclude each other")
    if not place.emulated and (place.emulator or place.boot_loader):
        raise BadPlaces(f"{where}: `emulator` and `boot_loader` need `emulated`")
    return place


def places_of_options(
    boards: list[str], port: str | None, emulated: bool, emulator: str | None, default: str | None
) -> list[BoardPlace]:
    """`default`: the board of the project. None is named: no boards. Raises BadPlaces."""
    names = boards or ([default] if default is not None else [])
    if port is not None and len(names) > 1:
        raise BadPlaces("--port needs a single --board; for several, write a map file (--boards)")
    if len(set(names)) < len(names):
        raise BadPlaces("--board names a board twice; give them names in a map file (--boards)")
    made = [BoardPlace(n, n, port=port or "", emulated=emulated, emulator=emulator or "") for n in names]
    return [checked(place, f"--board {place.name}") for place in made]


def chosen_places(places: list[BoardPlace], wanted: set[str]) -> list[BoardPlace]:
    """Those that a test is for, by the name in the map or by the kind of board; nothing wanted: all."""
    return [p for p in places if not wanted or wanted & {p.name, p.board}]
