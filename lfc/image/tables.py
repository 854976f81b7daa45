"""What an ELF file tells of its program beside the code: whose image it is, and what the numbers of faults mean.

They lie in a section that takes no memory of the target.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from lfc.actions.model.machine import Machine, Position, RecordLayout
from lfc.base.read_file import json_of
from lfc.base.source import Source
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.module.line_table import file_name
from lfc.toolchain.elf import add_section, read_section
from lfc.toolchain.failure import ImageError

SECTION = ".lf_tables"
VERSION = 1
LONGEST = 60  # of the text of a clause


@dataclass(frozen=True, slots=True)
class SiteText:
    """What a fault's number stands for, without the source."""

    kind: int
    file: str
    line: int
    column: int
    text: str  # the construct: "index of a"
    unsigned: bool


@dataclass(frozen=True, slots=True)
class Tables:
    program: str  # digest, in hexadecimal
    board: str
    scheduler: str
    traced: bool
    sites: tuple[SiteText, ...]


def site_texts(sites: list[FaultSite], main: Source) -> tuple[SiteText, ...]:
    return tuple(
        SiteText(s.kind, file_name(main, s.span.source), s.span.line, s.span.column, s.text, s.unsigned) for s in sites
    )


def process_table(machine: Machine, start: int) -> dict[str, Any]:
    """For debuggers: where in memory the position of each process lies, and what the positions mean. `start`: of the
    state block, as in the ELF."""
    main = machine.program.main
    slots = [
        [named(machine, r, index), start + r.position_offset + index * r.position_size]
        for r in machine.layout.records
        for index in range(r.slots)
    ]
    places = [
        [file_name(main.source, p.span.source), p.span.line, p.span.column, bool(p.ready), waited_for(p)]
        for p in machine.positions
    ]
    return {"width": machine.layout.position_size, "slots": slots, "positions": places}


def named(machine: Machine, record: RecordLayout, index: int) -> str:
    """Without the main module's name, and without an index where there is only one."""
    if record.body.process is None:
        return "initialisation"
    name = record.body.name.removeprefix(machine.program.main.name + ".")
    return name if record.slots == 1 else f"{name}[{index}]"


def waited_for(position: Position) -> str:
    """The clauses as written; of one that is ready, the statement that comes next."""
    spans = [position.span] if position.ready or position.point is None else []
    if position.point is not None and not position.ready:
        spans = [c.event.span for c in position.point.clauses]
    return " | ".join(" ".join(s.source.text[s.start : s.end].split())[:LONGEST] for s in spans)


def with_tables(elf: bytes, tables: Tables, processes: dict[str, Any] | None = None) -> bytes:
    """`processes`: a `process_table`."""
    data: dict[str, Any] = {
        "version": VERSION,
        "program": tables.program,
        "board": tables.board,
        "scheduler": tables.scheduler,
        "traced": tables.traced,
        "sites": [[s.kind, s.file, s.line, s.column, s.text, s.unsigned] for s in tables.sites],
    }
    if processes is not None:
        data["processes"] = processes
    return add_section(elf, SECTION, json.dumps(data, separators=(",", ":")).encode())


def is_site(site: SiteText) -> bool:
    numbers = (site.kind, site.line, site.column)
    return (
        all(type(n) is int and 0 <= n < 1 << 32 for n in numbers)
        and isinstance(site.file, str)
        and isinstance(site.text, str)
        and isinstance(site.unsigned, bool)
    )


def read_tables(elf: bytes) -> Tables | None:
    """None: the file has none. Raises ImageError where they cannot be read."""
    content = read_section(elf, SECTION)
    if not content:
        return None
    try:
        data = json_of(content)
        if data["version"] != VERSION:
            raise ImageError(f"the tables of this ELF file are of version {data['version']!r}, which is not supported")
        sites = tuple(SiteText(*site) for site in data["sites"])
        told = Tables(data["program"], data["board"], data["scheduler"], data["traced"], sites)
        if not all(isinstance(text, str) for text in (told.program, told.board, told.scheduler)):
            raise ValueError("program, board or scheduler is no text")
        if not isinstance(told.traced, bool) or not all(map(is_site, sites)):
            raise ValueError("a fault's place is not one")
        return told
    except (ValueError, KeyError, TypeError) as error:
        raise ImageError("the tables of this ELF file are damaged", str(error)) from None
