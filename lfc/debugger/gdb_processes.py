"""For gdb, not for lfc: `source` this file (`lfc debug --gdb-script` tells its path), then `lf-processes` lists the
processes of an LF program on a board: where each stands, and what it waits for.

The image's ELF file says where their positions lie and what they mean.
"""

from __future__ import annotations

import json
import struct
from importlib import import_module
from typing import Any

gdb: Any = import_module("gdb")  # there only within gdb

SECTION = b".lf_tables"


def section_of(elf: bytes) -> bytes:
    """The content of the section that lfc has added; nothing: it is no image of lfc."""
    if elf[:6] != b"\x7fELF\x01\x01":
        return b""
    (table,) = struct.unpack_from("<I", elf, 0x20)
    size, count, names_index = struct.unpack_from("<HHH", elf, 0x2E)
    (names,) = struct.unpack_from("<I", elf, table + size * names_index + 0x10)
    for index in range(count):
        name, _, _, _, at, length = struct.unpack_from("<6I", elf, table + size * index)
        if elf[names + name : elf.index(b"\0", names + name)] == SECTION:
            return elf[at : at + length]
    return b""


def processes_of(program: Any) -> dict[str, Any]:
    """Raises gdb.GdbError."""
    if program.filename is None:
        raise gdb.GdbError("no program: `file IMAGE.elf` names one, which `lfc build -b BOARD` makes")
    with open(program.filename, "rb") as file:
        content = section_of(file.read())
    found: dict[str, Any] | None = json.loads(content).get("processes") if content else None
    if found is None:
        raise gdb.GdbError(f"{program.filename} is no image that lfc has built")
    return found


class Processes(gdb.Command):  # type: ignore[misc]
    """List the processes of an LF program: where each stands, and what it waits for."""

    def __init__(self) -> None:
        super().__init__("lf-processes", gdb.COMMAND_STATUS)

    def invoke(self, argument: str, from_tty: bool) -> None:
        table = processes_of(gdb.current_progspace())
        memory = gdb.selected_inferior()
        live = 0
        for name, address in table["slots"]:
            number = int.from_bytes(bytes(memory.read_memory(address, table["width"])), "little")
            if not 1 <= number <= len(table["positions"]):
                continue
            live += 1
            file, line, column, ready, text = table["positions"][number - 1]
            what = "is ready" if ready else f"waits for {text}"
            gdb.write(f"{name:<20} {file}:{line}:{column}  {what}\n")
        if not live:
            gdb.write("no process lives\n")


Processes()
