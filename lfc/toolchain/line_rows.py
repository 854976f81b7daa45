"""Reads the line tables of an ELF file (DWARF 4): which bytes of code come from which line.

The library that reads the rest of an ELF file refuses the two bytes that an address has on AVR.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from lfc.toolchain.elf import read_section


@dataclass(frozen=True, slots=True)
class CodeRange:
    """The bytes from `start` up to `end`. Line 0: of no line, or of several."""

    start: int
    end: int
    file: str
    line: int
    column: int


class _Reader:
    def __init__(self, data: bytes, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def take(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]

    def number(self, form: str) -> int:
        (value,) = struct.unpack(f"<{form}", self.take(struct.calcsize(form)))
        assert isinstance(value, int)
        return value

    def uleb(self) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value

    def sleb(self) -> int:
        start = self.at
        value = self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value

    def text(self) -> str:
        end = self.data.index(0, self.at)
        found = self.data[self.at : end].decode(errors="replace")
        self.at = end + 1
        return found


def read_code_ranges(elf: bytes) -> list[CodeRange]:
    """In the order of their addresses; code without a line table is in none."""
    return list(_code_ranges(elf))


@lru_cache(maxsize=4)
def _code_ranges(elf: bytes) -> tuple[CodeRange, ...]:
    data = read_section(elf, ".debug_line")
    found: list[CodeRange] = []
    at = 0
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        found.extend(_program(_Reader(data, at + 4, at + 4 + length)))
        at += 4 + length
    return tuple(sorted(found, key=lambda r: (r.start, r.end)))


@dataclass(slots=True)
class _Header:
    instruction_size: int
    line_base: int
    line_range: int
    opcode_base: int
    lengths: bytes  # how many operands each standard opcode has, from 1
    files: list[str]  # from 1


def _program(r: _Reader) -> Iterator[CodeRange]:
    if r.number("H") > 4:
        return  # made by another compiler
    program = r.number("I") + r.at
    head = _header(r)
    r.at = program
    address, file, line, column = 0, 1, 1, 0
    before: tuple[int, int, int, int] | None = None
    while r.at < r.end:
        opcode = r.number("B")
        row = ended = False
        if opcode >= head.opcode_base:
            advance = opcode - head.opcode_base
            address += advance // head.line_range * head.instruction_size
            line += head.line_base + advance % head.line_range
            row = True
        elif opcode == 0:
            size = r.uleb()
            follow = r.at + size
            extended = r.number("B")
            if extended == 1:
                row = ended = True
            elif extended == 2:
                address = int.from_bytes(r.take(size - 1), "little")
            r.at = follow
        elif opcode == 1:
            row = True
        elif opcode == 2:
            address += r.uleb() * head.instruction_size
        elif opcode == 3:
            line += r.sleb()
        elif opcode == 4:
            file = r.uleb()
        elif opcode == 5:
            column = r.uleb()
        elif opcode == 8:
            address += (255 - head.opcode_base) // head.line_range * head.instruction_size
        elif opcode == 9:
            address += r.number("H")
        else:
            for _ in range(head.lengths[opcode - 1]):
                r.uleb()
        if row:
            if before is not None and before[0] < address:
                yield CodeRange(before[0], address, head.files[before[1] - 1], before[2], before[3])
            before = (address, file, line, column)
        if ended:
            address, file, line, column = 0, 1, 1, 0
            before = None


def _header(r: _Reader) -> _Header:
    instruction_size = r.number("B")
    r.take(2)  # operations in an instruction; whether a row begins a statement
    line_base, line_range, opcode_base = r.number("b"), r.number("B"), r.number("B")
    lengths = r.take(opcode_base - 1)
    folders = [""]  # the first is the one that the compiler ran in
    while folder := r.text():
        folders.append(f"{folder}/")
    files = []
    while name := r.text():
        files.append(folders[r.uleb()] + name)
        r.uleb(), r.uleb()  # time, length
    return _Header(instruction_size, line_base, line_range, opcode_base, lengths, files)
