"""The rooms lie in layers, are no halls, and CONTRIBUTING.md draws them as they are."""

from __future__ import annotations

from tests.project.rooms import LAYERS, rooms

MOST_FILES = 20


def test_every_room_has_its_place_in_the_layers_and_a_duty() -> None:
    found = rooms()
    assert sorted(found) == sorted([*LAYERS, "runtime"])
    assert [path for path, room in found.items() if not room.duty] == []


def test_nobody_imports_upwards() -> None:
    rank = {path: n for n, path in enumerate(LAYERS)}
    upwards = [
        edge
        for path, room in rooms().items()
        for there, edges in room.imports.items()
        if rank.get(there, -1) >= rank.get(path, -1)
        for edge in sorted(edges)
    ]
    assert upwards == []


def test_no_room_is_a_hall() -> None:
    assert {path: len(room.modules) for path, room in rooms().items() if len(room.modules) >= MOST_FILES} == {}
