"""The plugin of pytest: options, the mark `board`, the fixtures `board` and `boards`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lfc.testing.places import BadPlaces, BoardPlace, chosen_places, places_of_options, read_places

if TYPE_CHECKING:
    from lfc.testing.board import Board

PLACES = pytest.StashKey[list[BoardPlace]]()
NONE_NAMED = "no board is named: --board NAME with --port or --emulated, or --boards FILE"


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("lf", "LF programs on boards")
    group.addoption("--board", action="append", default=[], metavar="NAME", help="a board that tests run on")
    group.addoption(
        "--port", metavar="PORT", help="where it is: a port, or id:SERIAL_NUMBER; by default it is searched for"
    )
    group.addoption("--emulated", action="store_true", help="an emulator in its place")
    group.addoption("--emulator", choices=["simavr", "qemu"], help="which one, of several")
    group.addoption("--boards", metavar="FILE", help="a TOML file with several boards, and where they are")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "board(*names): the boards that a test is for, by kind or by name in the map")
    try:
        config.stash[PLACES] = _places(config)
    except BadPlaces as error:
        raise pytest.UsageError(str(error)) from None


def _places(config: pytest.Config) -> list[BoardPlace]:
    option = config.getoption
    boards, port, emulated, emulator = (option(f"--{o}") for o in ("board", "port", "emulated", "emulator"))
    file = option("--boards")
    if file is not None:
        if boards or port or emulated or emulator:
            raise BadPlaces("--boards names boards and places: it excludes --board, --port and --emulated")
        return read_places(Path(file))
    if not boards and (port or emulated):
        return places_of_options([], port, emulated, emulator, _board_of_project())
    return places_of_options(boards, port, emulated, emulator, None)


def _board_of_project() -> str | None:
    import click

    from lfc.cli.common.project import find_project

    try:
        project = find_project()
    except click.UsageError as error:
        raise BadPlaces(error.message) from None
    if project is None:
        raise BadPlaces("which board? Name it with --board, or work in a folder with lf.toml")
    return project.board


def pytest_report_header(config: pytest.Config) -> str | None:
    places = config.stash[PLACES]
    told = [f"{p.name} ({'emulated' if p.emulated else p.port or 'found automatically'})" for p in places]
    return f"boards: {', '.join(told)}" if told else None


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `board` runs once on each board that it is for."""
    if "lf_place" not in metafunc.fixturenames:
        return
    places = metafunc.config.stash[PLACES]
    wanted = {str(name) for mark in metafunc.definition.iter_markers("board") for name in mark.args}
    found: list[BoardPlace | str] = list(chosen_places(places, wanted))
    if not found:
        there = ", ".join(p.name for p in places)
        found = [f"this test is for {', '.join(sorted(wanted))}, and the run has {there}" if places else NONE_NAMED]
    ids = [p.name if isinstance(p, BoardPlace) else "no-board" for p in found]
    metafunc.parametrize("lf_place", found, ids=ids, indirect=True)


class BoardMissing(Exception):
    """A board that is not there."""


@pytest.fixture
def lf_place(request: pytest.FixtureRequest) -> BoardPlace:
    place: BoardPlace | str = request.param
    if isinstance(place, str):
        raise BoardMissing(place)
    return place


@pytest.fixture
def board(request: pytest.FixtureRequest, lf_place: BoardPlace) -> Iterator[Board]:
    """A board, or an emulated one: flash, send, expect, trace."""
    with ExitStack() as stack:
        yield _opened(request, stack, lf_place)


@pytest.fixture
def boards(request: pytest.FixtureRequest) -> Iterator[dict[str, Board]]:
    """All boards of the run at once, by their names in the map."""
    places = request.config.stash[PLACES]
    if not places:
        raise BoardMissing(NONE_NAMED)
    with ExitStack() as stack:
        yield {place.name: _opened(request, stack, place) for place in places}


def _opened(request: pytest.FixtureRequest, stack: ExitStack, place: BoardPlace) -> Board:
    from lfc.boards.serial.failure import FlashError
    from lfc.testing.board import Board

    def told(name: str, value: str) -> None:
        request.node.user_properties.append((f"{place.name}.{name}", value))

    try:
        found = Board(place, request.path.parent, told)
    except (BadPlaces, FlashError) as error:
        raise BoardMissing(f"{place.name}: {error}") from None
    stack.callback(found.close)
    told("board", found.kind)
    told("place", "emulated" if place.emulated else place.port or "looked for")
    return found
