"""Reads an ELF file: symbols, segments, sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache, wraps
from io import BytesIO
from struct import pack, pack_into, unpack_from
from typing import TypeVar

from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from lfc.toolchain.failure import ImageError

WRITABLE, ALLOCATED = 0x1, 0x2  # section flags; allocated: takes memory of the target
DATA_SPACE = 0x800000  # where the ELF of an AVR has its data space
WRITABLE, EXECUTABLE = 0x1, 0x4
T = TypeVar("T")
KINDS = {"STT_FUNC": "function", "STT_OBJECT": "object"}
EM_AVR, EM_ARM = "EM_AVR", "EM_ARM"


@dataclass(frozen=True, slots=True)
class Symbol:
    name: str
    address: int  # as in the ELF
    size: int
    in_data: bool  # an address of the data space (on AVR: without the offset 800000H that the ELF adds)
    kind: str = ""  # function, object, other; absolute: a number, no place

    @property
    def target_address(self) -> int:
        """As the program itself knows it."""
        return self.address - DATA_SPACE if self.in_data and self.address >= DATA_SPACE else self.address


@dataclass(frozen=True, slots=True)
class Section:
    """One that takes memory of the target."""

    name: str
    address: int
    size: int
    has_content: bool  # it lies in the flash
    writable: bool
    executable: bool


@dataclass(frozen=True, slots=True)
class Segment:
    address: int
    load_address: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Sizes:
    flash: int  # code, constants and initial values
    ram: int  # variables and constants of the data space; without the stack


@contextmanager
def readable() -> Iterator[None]:
    """The package that reads ELF files says of a damaged one whatever Python says where it stumbles."""
    try:
        yield
    except ImageError:
        raise
    except Exception as error:
        raise ImageError("this is a damaged ELF file", f"{type(error).__name__}: {str(error)[:200]}") from None


def of_a_readable_file(part: Callable[[Elf], T]) -> Callable[[Elf], T]:
    @wraps(part)
    def read(elf: Elf) -> T:
        with readable():
            return part(elf)

    return read


class Elf:
    """One file, each part of which is read once."""

    def __init__(self, content: bytes) -> None:
        try:
            with readable():
                self.file = ELFFile(BytesIO(content))
                sections, segments = self.file["e_shnum"], self.file["e_phnum"]
                entries = sections * self.file["e_shentsize"] + segments * self.file["e_phentsize"]
        except ImageError as error:
            raise ImageError("this is not an ELF file", error.detail) from None
        if not self.file.little_endian or self.file.elfclass != 32:
            raise ImageError("this is not an ELF file of a board", "they have 32 bits, low byte first")
        if entries > len(content):
            raise ImageError("this is a damaged ELF file", "its tables are longer than the file")

    @cached_property
    @of_a_readable_file
    def symbols(self) -> tuple[Symbol, ...]:
        """With those that have the same name; without those of sections that are not in the target's memory."""
        file = self.file
        elsewhere = {i for i, section in enumerate(file.iter_sections()) if i and not section["sh_flags"] & ALLOCATED}
        table = file.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            return ()
        on_avr = file["e_machine"] == EM_AVR
        thumb = int(file["e_machine"] == EM_ARM)  # bit 0 of a function's address marks Thumb code
        return tuple(
            Symbol(
                s.name,
                s["st_value"] & ~(thumb if s["st_info"]["type"] == "STT_FUNC" else 0),
                s["st_size"],
                on_avr and s["st_value"] >= DATA_SPACE,
                "absolute" if s["st_shndx"] == "SHN_ABS" else KINDS.get(s["st_info"]["type"], "other"),
            )
            for s in table.iter_symbols()
            if s.name and s["st_shndx"] != "SHN_UNDEF" and s["st_shndx"] not in elsewhere
        )

    @cached_property
    @of_a_readable_file
    def sections(self) -> tuple[Section, ...]:
        return tuple(
            Section(
                s.name,
                s["sh_addr"],
                s["sh_size"],
                s["sh_type"] != "SHT_NOBITS",
                bool(s["sh_flags"] & WRITABLE),
                bool(s["sh_flags"] & EXECUTABLE),
            )
            for s in self.file.iter_sections()
            if s["sh_flags"] & ALLOCATED and s["sh_size"]
        )

    @cached_property
    @of_a_readable_file
    def load_segments(self) -> tuple[Segment, ...]:
        segments = [
            Segment(s["p_vaddr"], s["p_paddr"], s.data())
            for s in self.file.iter_segments()
            if s["p_type"] == "PT_LOAD" and s["p_filesz"]
        ]
        return tuple(sorted(segments, key=lambda s: s.load_address))

    @cached_property
    @of_a_readable_file
    def sizes(self) -> Sizes:
        flash = ram = 0
        on_avr = self.file["e_machine"] == EM_AVR  # where constants are copied as well
        copied = [s for s in self.load_segments if s.address != s.load_address]
        for section in self.file.iter_sections():
            if not section["sh_flags"] & ALLOCATED:
                continue
            if section["sh_type"] != "SHT_NOBITS":
                flash += section["sh_size"]
            is_copied = any(0 <= section["sh_addr"] - s.address < len(s.content) for s in copied)
            if section["sh_addr"] >= DATA_SPACE if on_avr else is_copied or section["sh_flags"] & WRITABLE:
                ram += section["sh_size"]
        return Sizes(flash, ram)


@lru_cache(maxsize=4)
def elf_of(content: bytes) -> Elf:
    """The same for the same file: a command asks for its parts in many places."""
    return Elf(content)


def is_riscv(elf: bytes) -> bool:
    with readable():
        return bool(elf_of(elf).file["e_machine"] == "EM_RISCV")


def read_symbols(elf: bytes) -> dict[str, Symbol]:
    return {s.name: s for s in elf_of(elf).symbols}


def read_symbol_list(elf: bytes) -> list[Symbol]:
    """With those that have the same name; without those of sections that are not in the target's memory."""
    return list(elf_of(elf).symbols)


def read_sections(elf: bytes) -> list[Section]:
    return list(elf_of(elf).sections)


def read_symbol(elf: bytes, name: str) -> Symbol:
    symbols = read_symbols(elf)
    if name not in symbols:
        raise ImageError(f"the image has no symbol `{name}`")
    return symbols[name]


def read_load_segments(elf: bytes) -> list[Segment]:
    """What has to be in the flash, by address. Segments without content (variables) are left out."""
    return list(elf_of(elf).load_segments)


ERASED = b"\xff"


def copied_segments(elf: bytes) -> list[Segment]:
    """What start-up copies from the flash to RAM."""
    return [s for s in read_load_segments(elf) if s.address != s.load_address]


def flash_content(elf: bytes, start: int) -> bytes:
    """All up to the end of the last segment, of a flash that begins there; whole half-words."""
    content = bytearray()
    for segment in read_load_segments(elf):
        at = segment.load_address - start
        content.extend(ERASED * (at - len(content)))
        content[at:] = segment.content
    return bytes(content) + ERASED * (len(content) % 2)


def read_section(elf: bytes, name: str) -> bytes:
    """Its content; nothing if the file has no such section."""
    with readable():
        section = elf_of(elf).file.get_section_by_name(name)
        if section is not None and section.compressed:
            raise ImageError(f"the section {name} of this ELF file is compressed")
        return b"" if section is None else bytes(section.data())


def read_sizes(elf: bytes) -> Sizes:
    """What the sections take; a gap that alignment makes between two is not counted."""
    return elf_of(elf).sizes


def read_section_place(elf: bytes, name: str) -> tuple[int, int] | None:
    """Where in the file its content begins, and its size; None if there is no such section, or it is empty."""
    section = elf_of(elf).file.get_section_by_name(name)
    return (section["sh_offset"], section["sh_size"]) if section is not None and section["sh_size"] else None


def with_section_content(elf: bytes, name: str, content: bytes) -> bytes:
    """The file with another content of a section that takes no memory of the target, at its end; all else stays where
    it is. A section that is not there is added."""
    (table_at,) = unpack_from("<I", elf, 0x20)
    entry_size, count, names_index = unpack_from("<HHH", elf, 0x2E)
    (names_at,) = unpack_from("<I", elf, table_at + entry_size * names_index + 0x10)
    for index in range(count):
        entry = table_at + entry_size * index
        named_at = names_at + unpack_from("<I", elf, entry)[0]
        if elf[named_at : elf.index(0, named_at)] == name.encode():
            body = bytearray(elf + bytes(-len(elf) % 4) + content + bytes(-len(content) % 4))
            pack_into("<II", body, entry + 0x10, len(elf) + -len(elf) % 4, len(content))
            return bytes(body)
    return add_section(elf, name, content)


def add_section(elf: bytes, name: str, content: bytes) -> bytes:
    """The file with one section more at its end, which takes no memory of the target: all else stays where it is.

    Of files with 32 bits, low byte first, as those of every board here are.
    """
    (table_at,) = unpack_from("<I", elf, 0x20)
    entry_size, count, names_index = unpack_from("<HHH", elf, 0x2E)
    table = elf[table_at : table_at + entry_size * count]
    names_at, names_size = unpack_from("<II", table, entry_size * names_index + 0x10)
    names = elf[names_at : names_at + names_size] + name.encode() + b"\0"
    body = elf + bytes(-len(elf) % 4)
    new_names_at = len(body)
    body += names + bytes(-len(names) % 4)
    content_at = len(body)
    body += content + bytes(-len(content) % 4)
    new_table = bytearray(table)
    pack_into("<II", new_table, entry_size * names_index + 0x10, new_names_at, len(names))
    new_table += pack("<10I", names_size, 1, 0, 0, content_at, len(content), 0, 0, 1, 0)  # 1: SHT_PROGBITS
    head = bytearray(body[:0x34])
    pack_into("<I", head, 0x20, len(body))
    pack_into("<H", head, 0x30, count + 1)
    return bytes(head) + body[0x34:] + bytes(new_table)
