"""From a file to the machine, or to what was kept of it: a program that has not changed is not parsed, typed or laid
out again. Of programs with errors nothing is kept.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lfc.base.cache import cached, read_entry, write_entry
from lfc.base.kept import NotKept, Reader, as_bytes
from lfc.base.lazy_dataclass import dataclass
from lfc.base.toolchain_files import identity
from lfc.diagnostics.trail import Trail, followed, is_unchanged

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.diagnostics.model import Diagnostic, Diagnostics


OF_SYSTEM = ".toml"  # in the name of a program that is a system, or one board's


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a machine is made of, beside the content of files."""

    file: str
    path: tuple[str, ...] = ()
    environments: tuple[str, ...] = ()
    board: Board | None = None
    with_environment: bool = True
    definitions: tuple[tuple[str, str], ...] = ()  # other values of constants, by their names

    def name(self) -> str:
        """Of the entry."""
        given = (self.file, self.path, self.environments, self.with_environment, self.definitions)
        own = (*given, os.getcwd(), identity())
        return f"{digest(own, repr(self.board) if self.board is not None else '')}.program"


@dataclass(slots=True)
class Kept:
    """Where a machine comes from. `reader`: what was kept behind the machine for this stage follows."""

    origin: str  # a digest of all that it was made of; empty: this is not known
    stage: str
    reader: Reader | None
    diagnostics: list[Diagnostic]


@dataclass(slots=True)
class Found:
    items: list[Diagnostic]
    machine: Callable[[], Machine]


class NotAProgram(Exception):
    """The file holds an environment module."""


def digest(*parts: object) -> str:
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def machine_of(wanted: Wanted, diagnostics: Diagnostics, stage: str = "") -> Machine | None:
    """None after errors. Raises NotAProgram. `stage`: of whoever keeps more behind the machine, by `keep_behind`, and
    takes it from there."""
    found = find_kept(wanted, stage)
    if found is not None:
        with suppress(NotKept):
            machine = found.machine()
            diagnostics.items += found.items
            return machine
    return make(wanted, diagnostics, stage)


def diagnose(wanted: Wanted, diagnostics: Diagnostics) -> None:
    """What is to be said of the text, and of whether there is room for it."""
    found = find_kept(wanted)
    if found is None:
        make(wanted, diagnostics, "")
    else:
        diagnostics.items += found.items


def find_kept(wanted: Wanted, stage: str = "") -> Found | None:
    entry = read_entry(wanted.name())
    if entry is None:
        return None
    head, _, objects = entry.partition(b"\n")
    trail, origin = json.loads(head)
    if not is_unchanged(trail):
        return None
    behind = read_entry(name_behind(origin, stage)) if stage else None
    try:
        reader = Reader(behind or objects)
        items: list[Diagnostic] = reader.following()
    except NotKept:
        return None

    def machine() -> Machine:
        loaded: Machine = reader.following()
        loaded.kept = Kept(origin, stage, reader if behind is not None else None, items)
        return loaded

    return Found(items, machine)


def make(wanted: Wanted, diagnostics: Diagnostics, stage: str) -> Machine | None:
    from lfc.actions.build import build_machine
    from lfc.diagnostics.model import Diagnostics
    from lfc.front_end.chip_modules import chip_modules

    if OF_SYSTEM in wanted.file:
        from lfc.systems.compose import load_any as load
    else:
        from lfc.front_end.load import load_program as load
    own = Diagnostics()
    with followed() as trail:
        chip = chip_modules(wanted.board)
        program = load(
            wanted.file,
            own,
            path=wanted.path,
            environments=wanted.environments,
            chip=chip,
            definitions=dict(wanted.definitions),
        )
    machine = None
    if program is not None and not own.has_errors:
        if program.main.environment and not wanted.with_environment:
            raise NotAProgram
        machine = build_machine(program, own, with_environment=wanted.with_environment)
    diagnostics.items += own.items
    if machine is None or own.has_errors:
        return None
    machine.kept = Kept(keep(wanted, trail, own.items, machine), stage, None, own.items)
    return machine


def keep(wanted: Wanted, trail: Trail, items: list[Diagnostic], machine: Machine) -> str:
    """The origin."""
    objects = as_bytes([items, machine]) if trail.certain else None
    if objects is None:
        return ""
    name = wanted.name()
    origin = digest(name, trail.as_data())
    write_entry(name, json.dumps([trail.as_data(), origin]).encode() + b"\n" + objects)
    return origin


def name_behind(origin: str, stage: str) -> str:
    return f"{digest(origin, stage)}.behind"


def keep_behind(machine: Machine, content: object) -> None:
    """For `taken_behind` of the next process that makes this machine for the same stage. What `content` shares with
    the machine it will share again."""
    kept, machine.kept = machine.kept, None
    try:
        if kept is not None and kept.origin and kept.stage:
            objects = as_bytes([kept.diagnostics, machine, content])
            if objects is not None:
                write_entry(name_behind(kept.origin, kept.stage), objects)
    finally:
        machine.kept = kept


def taken_behind(machine: Machine, stage: str) -> Any:
    """None: nothing is kept. It can be taken once."""
    kept = machine.kept
    if kept is None or kept.reader is None or kept.stage != stage:
        return None
    reader, kept.reader = kept.reader, None
    try:
        return reader.following()
    except NotKept:
        return None


Made = tuple[bytes, tuple[int, ...]]


def cached_of(machine: Machine, choices: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """What is made of a machine, with figures that are told of it: from the cache, if it was made before of the same
    files, by the same choices."""
    origin = machine.kept.origin if machine.kept is not None else ""
    if not origin:
        return make()

    def content() -> bytes:
        made, figures = make()
        return json.dumps(figures).encode() + b"\n" + made

    head, _, made = cached(f"{digest(origin, choices)}.made", content).partition(b"\n")
    return made, tuple(json.loads(head))
