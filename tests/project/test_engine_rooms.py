"""The rooms of the engine's C files lie in levels: none includes or calls anything of a higher one. Where a lower room
needs a higher one, it calls through a struct of functions, which the higher one has handed it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lfc.isa.library import CORES
from lfc.mcheck.engine.library import FOLDER, NOT_OF_THE_LIBRARY

LEVELS = "api base symbolic store model reduce search disk cluster walk ltl image".split()
OUTSIDE = re.compile(
    r'"((?:avr|riscv|thumb)\w*\.h)"'
)  # the cores of processors, which lie beside; for the check of images alone
MOST_FILES = 20

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"", re.S)
INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# At the begin of a line, not static, and its body follows.
DEFINED = re.compile(r"^(?!static|typedef|struct \w+ \{)[A-Za-z_][\w \*]*?\b((?:mc|cy|img)_\w+)\([^;{}]*\)\s*\{", re.M)
USED = re.compile(r"\b(?:mc|cy|img)_\w+")


def files() -> list[Path]:
    return sorted(f for f in FOLDER.rglob("*.[ch]") if f.name not in NOT_OF_THE_LIBRARY)


def room_of(file: Path) -> str:
    return file.relative_to(FOLDER).parts[0]


def name_of(file: Path) -> str:
    return file.relative_to(FOLDER).as_posix()


def code_of(file: Path) -> str:
    return COMMENT.sub("", file.read_text())


def definitions() -> dict[str, Path]:
    """The C file that defines each function that others may call."""
    return {name: f for f in files() if f.suffix == ".c" for name in DEFINED.findall(code_of(f))}


def calls() -> Iterator[tuple[Path, Path, str]]:
    where = definitions()
    for file in files():
        if file.suffix == ".c":
            for name in sorted(set(USED.findall(code_of(file))) & where.keys()):
                if where[name] != file:
                    yield file, where[name], name


def is_above(there: str, here: str) -> bool:
    return LEVELS.index(there) > LEVELS.index(here)


def test_every_room_has_its_level() -> None:
    assert sorted({room_of(f) for f in files()}) == sorted(LEVELS)


def test_definitions_are_found() -> None:
    """The scan sees what there is: functions of several shapes, in several rooms."""
    found = {name: name_of(f) for name, f in definitions().items()}
    assert {
        n: found.get(n) for n in ("mc_new", "mc_expand", "mc_root_after", "mc_space_new", "mc_search", "mc_walk_run")
    } == {
        "mc_new": "search/engine.c",
        "mc_expand": "model/successors.c",
        "mc_root_after": "model/worker.c",
        "mc_space_new": "store/state_tree.c",
        "mc_search": "search/bfs.c",
        "mc_walk_run": "walk/single_thread.c",
    }
    assert len(found) > 250


def test_nothing_is_included_from_above() -> None:
    upwards, unknown = [], []
    for file in files():
        for included in INCLUDE.findall(file.read_text()):
            if OUTSIDE.fullmatch(f'"{included}"'):
                if room_of(file) != "image" or not (CORES / included).exists():
                    unknown.append(f"{name_of(file)}: {included}")
            elif not (FOLDER / included).exists():
                unknown.append(f"{name_of(file)}: {included}")
            elif is_above(included.split("/")[0], room_of(file)):
                upwards.append(f"{name_of(file)} -> {included}")
    assert upwards == [] and unknown == []


def test_nothing_is_called_from_above() -> None:
    assert [f"{name_of(f)} -> {name_of(t)}: {name}" for f, t, name in calls() if is_above(room_of(t), room_of(f))] == []


def test_what_a_lower_header_declares_is_not_defined_above() -> None:
    """But for the headers of `api`, which declare what Python calls, whoever does it."""
    where = definitions()
    assert [
        f"{name_of(f)} declares {name}, of {name_of(where[name])}"
        for f in files()
        if f.suffix == ".h" and room_of(f) != "api"
        for name in sorted(set(USED.findall(code_of(f))) & where.keys())
        if is_above(room_of(where[name]), room_of(f))
    ] == []


@pytest.mark.parametrize("header", sorted(f.name for f in (FOLDER / "reduce").glob("*.h")))
def test_a_reduction_is_known_to_its_room_and_the_registry(header: str) -> None:
    """So that adding one, or dropping one, touches its own files and search/reductions.c."""
    who = {name_of(f) for f in files() if f"reduce/{header}" in INCLUDE.findall(f.read_text())}
    assert {f for f in who if not f.startswith("reduce/")} <= {"search/reductions.c"}


def test_no_room_is_a_hall() -> None:
    assert [r for r in LEVELS if len([f for f in files() if room_of(f) == r and f.suffix == ".c"]) >= MOST_FILES] == []
