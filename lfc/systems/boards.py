"""The boards of a system, for commands that make or run their images."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lfc.base.lazy_dataclass import dataclass
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.systems.description import (
    BUFFER,
    CODE,
    PROTOCOL,
    BadSystem,
    System,
    part_of_name,
    span_in,
    system_of,
    system_source,
)
from lfc.systems.instances import instance_of
from lfc.systems.protocol import module_name


@dataclass(frozen=True, slots=True)
class Image:
    """`program` is what a command that reads programs takes: `ring.toml:left`."""

    name: str
    program: str
    board: str


def board_of(file: str) -> str | None:
    """The kind of board that the system file says for one of its boards. What is wrong with it is reported when the
    program is read."""
    named = part_of_name(file)
    if named is None:
        return None
    try:
        part = system_of(system_source(named[0])).part(named[1])
    except (BadSystem, OSError):
        return None
    return None if part is None else part.board


def is_whole(file: str) -> bool:
    named = part_of_name(file)
    return named is not None and not named[1]


def images_of(file: str, diagnostics: Diagnostics) -> Sequence[Image] | None:
    """None after errors."""
    source = Source(file, "")
    try:
        source = system_source(file)
        system = system_of(source)
        return [Image(p.name, f"{file}:{p.name}", kind_of(system, p.name, p.board)) for p in system.parts]
    except OSError as error:
        diagnostics.report("LF0903", span_in(source, ""), f"cannot read `{file}`: {error.strerror}")
    except BadSystem as error:
        diagnostics.report(CODE, span_in(source, error.near), str(error))
    return None


def modules_of(file: str, name: str, diagnostics: Diagnostics, path: Sequence[str | Path]) -> Sequence[str]:
    """Those that a board has as its own, by their names in the composition, ends of links included if it has them."""
    system = system_of(system_source(file))
    part = system.part(name)
    instance = None if part is None else instance_of(part.name, part.file, diagnostics, path)
    ends = [module_name(name)] * (system.line.model == PROTOCOL)
    return () if instance is None else [*instance.modules, *ends]


def kind_of(system: System, name: str, board: str | None) -> str:
    if board is None:
        raise BadSystem(f"board `{name}` has no `board`: which kind is it? `lfc boards` lists them", f"[boards.{name}]")
    return board


def has_buffers(file: str) -> bool:
    """Whether links are buffers in the composition. What is wrong with the file is reported when it is read."""
    try:
        system = system_of(system_source(file))
    except (BadSystem, OSError):
        return False
    return bool(system.links) and system.line.model == BUFFER
