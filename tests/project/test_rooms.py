"""The rooms lie in layers, are no halls, and CONTRIBUTING.md draws them as they are."""

from __future__ import annotations

import re

from tests.conftest import ROOT, Golden
from tests.project.rooms import LAYERS, drawn_map, rooms

MOST_FILES = 20
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
MAP = re.compile(r"(?<=^<!-- map -->\n).*?(?=^<!-- end of map -->$)", re.MULTILINE | re.DOTALL)
QUESTIONS = 26


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


def test_the_map_of_the_rooms_is_current(golden: Golden) -> None:
    text = CONTRIBUTING.read_text(encoding="utf-8")
    assert len(MAP.findall(text)) == 1
    golden(CONTRIBUTING, MAP.sub(lambda _: f"\n{drawn_map()}\n\n", text))


def test_where_is_each_thing() -> None:
    """Every question of the table is answered by files, and all of these exist."""
    text = CONTRIBUTING.read_text(encoding="utf-8")
    table = text[text.index("## Where is ...?") : text.index("## The map")]
    rows = [line.split("|")[1:3] for line in table.splitlines() if line.startswith("| ")][2:]
    assert len(rows) == QUESTIONS
    for question, answer in rows:
        files = [f for f in re.findall(r"`([\w./-]+)`", answer) if "/" in f]
        assert files, question
        assert [f for f in files if not (ROOT / f).exists()] == [], question
        for file, name in re.findall(r"`([\w./-]+)` \(`(\w+)`\)", answer):
            assert name in (ROOT / file).read_text(encoding="utf-8"), file
