"""Writes debug information (DWARF 4) into an ELF file: one compilation unit more, of entries that describe data.

Nothing of it takes memory of the target, and what was there stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from lfc.toolchain.elf import read_section, with_section_content

INFO, ABBREVIATIONS = ".debug_info", ".debug_abbrev"
MODULA2 = 0x0A  # the language whose expressions are nearest to LF's
ADDRESS_BYTES = 4
OP_ADDR = 0x03


class Tag(IntEnum):
    ARRAY = 0x01
    ENUMERATION = 0x04
    MEMBER = 0x0D
    UNIT = 0x11
    STRUCTURE = 0x13
    SUBRANGE = 0x21
    BASE = 0x24
    ENUMERATOR = 0x28
    VARIABLE = 0x34


class Encoding(IntEnum):
    BOOLEAN = 0x02
    SIGNED = 0x05
    UNSIGNED = 0x07
    UNSIGNED_CHAR = 0x08


@dataclass(slots=True, eq=False)
class Entry:
    """`location`: an address as in the ELF. `type`: an entry of the unit."""

    tag: Tag
    name: str = ""
    type: Entry | None = None
    size: int | None = None
    encoding: Encoding | None = None
    value: int | None = None  # of an enumerator
    lower: int | None = None
    upper: int | None = None
    offset: int | None = None  # of a member
    location: int | None = None
    language: int | None = None
    children: list[Entry] = field(default_factory=list)

    def attributes(self) -> Iterator[tuple[int, int, bytes]]:
        """Attribute, form and content, but for the type."""
        if self.name:
            yield 0x03, 0x08, self.name.encode() + b"\0"  # string
        if self.size is not None:
            yield 0x0B, 0x0F, uleb(self.size)  # udata
        if self.encoding is not None:
            yield 0x3E, 0x0B, bytes([self.encoding])  # data1
        if self.value is not None:
            yield 0x1C, 0x0D, sleb(self.value)  # sdata
        if self.lower is not None:
            yield 0x22, 0x0D, sleb(self.lower)
        if self.upper is not None:
            yield 0x2F, 0x0D, sleb(self.upper)
        if self.offset is not None:
            yield 0x38, 0x0F, uleb(self.offset)
        if self.language is not None:
            yield 0x13, 0x0B, bytes([self.language])
        if self.location is not None:
            expression = bytes([OP_ADDR]) + self.location.to_bytes(ADDRESS_BYTES, "little")
            yield 0x02, 0x18, uleb(len(expression)) + expression  # exprloc
            yield 0x3F, 0x19, b""  # external: flag_present


TYPE, REFERENCE = 0x49, 0x13  # ref4


def uleb(number: int) -> bytes:
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def sleb(number: int) -> bytes:
    out = bytearray()
    while not -0x40 <= number < 0x40:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number & 0x7F])


def with_unit(elf: bytes, name: str, entries: Sequence[Entry]) -> bytes:
    """`entries`: variables, and all types that they need, in any order."""
    info, abbreviations = read_section(elf, INFO) or b"", read_section(elf, ABBREVIATIONS) or b""
    unit = Entry(Tag.UNIT, name, language=MODULA2, children=list(entries))
    table = _Abbreviations()
    head = 11
    places: dict[int, int] = {}
    _write(unit, table, places, head)  # all have their places
    body = _write(unit, table, places, head)
    size = head - 4 + len(body)
    header = size.to_bytes(4, "little") + b"\4\0" + len(abbreviations).to_bytes(4, "little") + bytes([ADDRESS_BYTES])
    elf = with_section_content(elf, INFO, info + header + body)
    return with_section_content(elf, ABBREVIATIONS, abbreviations + table.content())


class _Abbreviations:
    def __init__(self) -> None:
        self.numbers: dict[tuple[int, bool, tuple[tuple[int, int], ...]], int] = {}

    def number(self, entry: Entry) -> int:
        forms = [(attribute, form) for attribute, form, _ in entry.attributes()]
        if entry.type is not None:
            forms.append((TYPE, REFERENCE))
        return self.numbers.setdefault((entry.tag, bool(entry.children), tuple(forms)), len(self.numbers) + 1)

    def content(self) -> bytes:
        out = bytearray()
        for (tag, has_children, forms), number in self.numbers.items():
            out += uleb(number) + uleb(tag) + bytes([has_children])
            out += b"".join(uleb(attribute) + uleb(form) for attribute, form in forms) + b"\0\0"
        return bytes(out) + b"\0"


def _write(entry: Entry, table: _Abbreviations, places: dict[int, int], at: int) -> bytes:
    """Its bytes, which lie at `at` of the unit; and where each lies. A type whose place is not known yet is 0."""
    places[id(entry)] = at
    out = bytearray(uleb(table.number(entry)))
    for _, _, content in entry.attributes():
        out += content
    if entry.type is not None:
        out += places.get(id(entry.type), 0).to_bytes(4, "little")
    for child in entry.children:
        out += _write(child, table, places, at + len(out))
    if entry.children:
        out.append(0)
    return bytes(out)
