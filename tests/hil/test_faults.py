"""The numbers of a fault, told in words by the ELF file; and the ELF file with its tables is still the same image."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO

import pytest
from elftools.elf.elffile import ELFFile

from lfc.base.source import Source
from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.emulate import emulate
from lfc.boards.serial.console import ConsoleStream
from lfc.hil.conform import Conduct, conform
from lfc.hil.faults import fault_text
from lfc.hil.host_side import HostSide
from lfc.image.firmware import build_firmware
from lfc.image.tables import read_tables
from lfc.run.running import Fault
from lfc.toolchain.elf import add_section, read_load_segments, read_section, read_symbols
from lfc.toolchain.failure import ImageError
from tests.differential.stepwise import machine_of_source
from tests.hil.boards import session_with, traced

PROGRAM = """MODULE Wrong;
IMPORT Out;
VAR i : INTEGER; a : ARRAY 3 OF INTEGER;
BEGIN
  Out.Char('>');
  i := 5;
  RESCHEDULE;
  a[i - 9] := 1
END Wrong.
"""


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("lm3s6965evb", "qemu")])
def test_what_a_board_says_is_told_in_words(board: str, emulator: str) -> None:
    firmware = build_firmware(load_board(board), machine_of_source(Source("Wrong.lf", PROGRAM)))
    outcome = emulate(load_board(board), firmware.image.elf, emulator, seconds=10)
    stream = ConsoleStream()
    stream.feed(outcome.console)
    tables = read_tables(firmware.image.elf)
    assert tables is not None and stream.fault is not None
    assert (tables.board, tables.scheduler, tables.traced) == (board, "rr", False)
    found = Fault(stream.fault.kind, stream.fault.site, stream.fault.first, stream.fault.second)
    assert fault_text(tables, found) == "Wrong.lf:8:3: index -4 is out of bounds: the array has 3 elements"
    assert "of another image" in fault_text(tables, replace(found, site=77))
    assert "of another image" in fault_text(tables, replace(found, kind=4))


@pytest.mark.parametrize(("board", "emulator"), [("uno", "simavr"), ("microbit", "qemu")])
def test_host_and_board_agree_on_a_fault(board: str, emulator: str) -> None:
    machine = machine_of_source(Source("Wrong.lf", PROGRAM))
    firmware, host = traced(board, machine), HostSide(machine, "rr")
    with session_with(board, emulator, machine, firmware.image.elf) as session:
        result = conform(session, host, firmware.generated.sites, Conduct(seconds=20), keep=True)
    assert (result.verdict, result.end, result.steps) == ("agrees", "fault", 2)
    assert result.fault is not None and (result.fault.kind, result.fault.first) == (1, -4)
    assert result.trace[-1][-1].name == "fault"


def test_a_section_more_changes_nothing_else() -> None:
    firmware = build_firmware(load_board("uno"), machine_of_source(Source("Wrong.lf", PROGRAM)))
    elf = firmware.image.elf
    more = add_section(elf, ".note.more", b"some text")
    assert read_section(more, ".note.more") == b"some text"
    assert read_load_segments(more) == read_load_segments(elf)
    assert read_symbols(more) == read_symbols(elf)
    before, after = ([s.name for s in ELFFile(BytesIO(e)).iter_sections()] for e in (elf, more))
    assert after == [*before, ".note.more"]


def test_damaged_tables_are_an_error() -> None:
    firmware = build_firmware(load_board("uno"), machine_of_source(Source("Wrong.lf", PROGRAM)))
    for right, wrong in ((b'"sites"', b'"sitex"'), (b'{"version":1', b'{"version":2'), (b'{"version"', b'["version"')):
        with pytest.raises(ImageError):
            read_tables(firmware.image.elf.replace(right, wrong))
