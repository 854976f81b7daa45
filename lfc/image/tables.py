"""What an ELF file tells of its program beside the code: whose image it is, and what the numbers of faults mean.

They lie in a section that takes no memory of the target.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from lfc.base.read_file import json_of
from lfc.base.source import Source
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.module.line_table import file_name
from lfc.toolchain.elf import add_section, read_section
from lfc.toolchain.failure import ImageError

SECTION = ".lf_tables"
VERSION = 1


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


def with_tables(elf: bytes, tables: Tables) -> bytes:
    data = {
        "version": VERSION,
        "program": tables.program,
        "board": tables.board,
        "scheduler": tables.scheduler,
        "traced": tables.traced,
        "sites": [[s.kind, s.file, s.line, s.column, s.text, s.unsigned] for s in tables.sites],
    }
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
