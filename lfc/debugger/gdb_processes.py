"""For gdb, not for lfc: `source` this file (`lfc debug --gdb-script` tells its path), then `lf-processes` lists the
processes of an LF program on a board: where each stands, and what it waits for; `lf-calls` lists the calls that they
are in, with their variables.

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


class Calls(gdb.Command):  # type: ignore[misc]
    """List the calls that processes of an LF program are in, the innermost first, with their variables.

    lf-calls [PROCESS]"""

    def __init__(self) -> None:
        super().__init__("lf-calls", gdb.COMMAND_STACK)

    def invoke(self, argument: str, from_tty: bool) -> None:
        table = processes_of(gdb.current_progspace())
        wanted, names = argument.strip(), [name for name, _ in table["slots"]]
        if wanted and wanted not in names:
            raise gdb.GdbError(f"no process is called {wanted}; there are {', '.join(names)}")
        found = 0
        for index, name in enumerate(names):
            frames = frames_of(table, index) if wanted in ("", name) else []
            for depth, (number, address) in enumerate(frames[:-1]):
                found += 1
                write_call(table, f"{name} #{depth}", number, address)
        if not found:
            gdb.write("no process is in a call\n")


def frames_of(table: dict[str, Any], index: int) -> list[tuple[int, int]]:
    """Position and address, the innermost first; the last one is the process's own. Nothing: it does not live."""
    told, width = table["frames"], table["width"]
    record, field, size, first = told["stacks"][index]
    position = read_number(table["slots"][index][1], width)
    found: list[tuple[int, int]] = []
    offset = first if field is None else read_number(field, size)
    while 1 <= position <= len(table["positions"]):
        found.append((position, record + offset))
        _, _, back, back_size, _ = told["bodies"][told["body"][position - 1]]
        if offset < first or back is None:
            break
        position = read_number(record + offset + back, back_size)
        if not 1 <= position <= len(table["positions"]):
            break  # 0: nobody has called it
        offset -= told["bodies"][told["body"][position - 1]][4]
    return found


def read_number(address: int, size: int) -> int:
    return int.from_bytes(bytes(gdb.selected_inferior().read_memory(address, size)), "little")


def write_call(table: dict[str, Any], who: str, position: int, address: int) -> None:
    name, type_name, *_ = table["frames"]["bodies"][table["frames"]["body"][position - 1]]
    file, line, column, *_ = table["positions"][position - 1]
    gdb.write(f"{who}  {name}  {file}:{line}:{column}\n")
    if not type_name:
        return
    frame_type = gdb.lookup_type(f"struct {type_name}")
    content = bytes(gdb.selected_inferior().read_memory(address, frame_type.sizeof))
    value = gdb.Value(content, frame_type)
    for field in frame_type.fields():
        gdb.write(f"    {field.name} = {value[field.name].format_string()}\n")


Processes()
Calls()
