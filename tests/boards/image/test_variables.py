"""Debug information of variables: two other readers of it, pyelftools and gdb, see what lfc sees in the same block."""

from __future__ import annotations

import json
import shutil
import subprocess
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.qemu import IMAGE_OPTION
from lfc.codegen.program import generate as code_of
from lfc.debugger import gdb_script
from lfc.image import firmware as building
from lfc.image.firmware import build_firmware
from lfc.run.names import data_values, event_text, live_processes, place_in
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.semantics.model.types import OpenArrayType
from lfc.toolchain.elf import read_load_segments, read_section, read_sections, read_symbol
from lfc.toolchain.failure import ImageError
from tests.campaign.boards.on_boards import ALONE
from tests.conftest import ROOT
from tests.differential.stepwise import Rejected, machine_of, machine_of_source
from tests.generate.general.program import generate

TYPES = Path(__file__).with_name("Types.lf")
LINE = 1 + TYPES.read_text().splitlines().index("  n := n + 1")
GDBS = {"uno": "avr-gdb", "microbit": "gdb-multiarch", "hifive1": "gdb-multiarch"}


def unchanged(elf: bytes, machine: Machine, block_offset: int) -> bytes:
    return elf


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1"])
def test_what_is_flashed_stays(board: str, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = machine_of(TYPES)
    told = build_firmware(load_board(board), machine)
    monkeypatch.setattr(building, "with_variables", unchanged)
    plain = build_firmware(load_board(board), machine)
    assert told.digest == plain.digest and told.image.flash == plain.image.flash
    assert read_load_segments(told.image.elf) == read_load_segments(plain.image.elf)
    assert read_sections(told.image.elf) == read_sections(plain.image.elf)
    assert told.image.elf != plain.image.elf
    lines = [read_section(elf, ".debug_line") for elf in (told.image.elf, plain.image.elf)]
    assert lines[0] == lines[1] and lines[0]


# --- read by pyelftools ----------------------------------------------------------------------------------------------


def last_unit(elf: bytes) -> int:
    """Its offset. pyelftools reads no unit with addresses of two bytes, as those of LLVM for AVR."""
    info = read_section(elf, ".debug_info") or b""
    starts = [0]
    while starts[-1] < len(info):
        starts.append(starts[-1] + 4 + int.from_bytes(info[starts[-1] : starts[-1] + 4], "little"))
    assert starts[-1] == len(info)
    return starts[-2]


class Reader:
    """Decodes the block as the debug information says."""

    def __init__(self, elf: bytes, start: int, block: bytes) -> None:
        self.start, self.block = start, block
        self.top = ELFFile(BytesIO(elf)).get_dwarf_info().get_CU_at(last_unit(elf)).get_top_DIE()
        self.variables = {
            die.attributes["DW_AT_name"].value.decode(): die
            for die in self.top.iter_children()
            if die.tag == "DW_TAG_variable"
        }

    def value(self, name: str) -> Any:
        die = self.variables[name]
        op, *address = die.attributes["DW_AT_location"].value
        assert op == 3 and len(address) == 4
        return self.decoded(self.type_of(die), int.from_bytes(bytes(address), "little") - self.start)

    def type_of(self, die: DIE) -> DIE:
        return die.get_DIE_from_attribute("DW_AT_type")

    def size(self, t: DIE) -> int:
        if t.tag == "DW_TAG_array_type":
            (bounds,) = t.iter_children()
            return (int(bounds.attributes["DW_AT_upper_bound"].value) + 1) * self.size(self.type_of(t))
        return int(t.attributes["DW_AT_byte_size"].value)

    def decoded(self, t: DIE, at: int) -> Any:
        size = self.size(t)
        match t.tag:
            case "DW_TAG_array_type":
                element = self.type_of(t)
                if element.attributes["DW_AT_name"].value == b"CHAR":
                    return self.block[at : at + size].split(b"\0")[0].decode("latin-1")
                each = self.size(element)
                return [self.decoded(element, at + k) for k in range(0, size, each)]
            case "DW_TAG_structure_type":
                return {
                    m.attributes["DW_AT_name"].value.decode(): self.decoded(
                        self.type_of(m), at + m.attributes["DW_AT_data_member_location"].value
                    )
                    for m in t.iter_children()
                }
            case "DW_TAG_enumeration_type":
                return self.of_enumeration(t, int.from_bytes(self.block[at : at + size], "little"))
            case "DW_TAG_subrange_type":
                return self.decoded(self.type_of(t), at)
        signed = t.attributes["DW_AT_encoding"].value == 5
        number = int.from_bytes(self.block[at : at + size], "little", signed=signed)
        encoding = t.attributes["DW_AT_encoding"].value
        return bool(number) if encoding == 2 else chr(number) if encoding == 8 else number

    def of_enumeration(self, t: DIE, number: int) -> Any:
        names = {e.attributes["DW_AT_const_value"].value: e.attributes["DW_AT_name"].value for e in t.iter_children()}
        if all(name.isdigit() for name in names.values()):  # a set
            return [int(name) for bit, name in names.items() if number & bit]
        return names[number].decode() if number in names else number


def compared(machine: Machine, block: bytes, elf: bytes, start: int) -> int:
    """How many variables were."""
    reader, main = Reader(elf, start, block), machine.program.main
    expected = data_values(machine, block)
    count = 0
    for v in machine.layout.variables:
        found = reader.value(v.name) if v.owner is main else reader.value(v.owner.name)[v.name]
        assert found == expected[v.name if v.owner is main else f"{v.owner.name}.{v.name}"], v.name
        count += 1
    for p in live_processes(machine, block):
        names = [n for n in expected if n.startswith(f"{p.name}.") and not {"(", "'"} & {*n}]
        if len(p.frames) != 1 or p.record.body.process is None or not names:
            continue
        name = p.name.split("[")[0]
        found = reader.value(name)
        found = found[p.slot - p.record.first_slot] if p.record.slots > 1 else found
        frame = p.frames[0].body.frame
        assert frame is not None
        direct = {v.name for v in frame.variables if v.kind.name != "VAR" and not isinstance(v.type, OpenArrayType)}
        for n in names:
            field = n.removeprefix(f"{p.name}.")
            if field in direct:  # of another, what is there is a place
                assert found[field] == expected[n], n
                count += 1
    return count


def block_at_the_line(machine: Machine) -> bytes:
    """On this machine: the moment before the last action of the initialisation."""
    run = HostRun(code_of(machine, host_target()), 1)
    while True:
        block = run.block
        here = next((p for p in live_processes(machine, block) if p.slot == 0), None)
        assert run.step() is Status.RAN
        if here is not None and all(p.slot for p in live_processes(machine, run.block)):
            return block


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1"])
def test_another_reader_sees_the_same_values(board: str) -> None:
    machine = machine_of(TYPES)
    firmware = build_firmware(load_board(board), machine)
    start = read_symbol(firmware.image.elf, "lf_memory").address + firmware.block_offset
    assert compared(machine, block_at_the_line(machine), firmware.image.elf, start) == 23


def test_of_generated_programs_whatever_is_in_the_block() -> None:
    seen = 0
    for number in range(3):
        try:
            machine = machine_of_source(Source("Program.lf", generate(number, ALONE).text))
            firmware = build_firmware(load_board("microbit"), machine)
        except (Rejected, ImageError):
            continue
        run = HostRun(code_of(machine, host_target()), 1)
        start = read_symbol(firmware.image.elf, "lf_memory").address + firmware.block_offset
        for _ in range(20):
            seen += compared(machine, run.block, firmware.image.elf, start)
            if run.step() is not Status.RAN:
                break
    assert seen > 100


# --- read by gdb -----------------------------------------------------------------------------------------------------


def in_gdb(board: Board, folder: Path, *commands: str, stop: str = f"Types.lf:{LINE}") -> str:
    """Of the image in `folder`, which QEMU runs behind a pipe: no port is needed."""
    assert board.emulator.qemu is not None
    gdb = GDBS[board.name]
    if shutil.which(gdb) is None:
        pytest.skip(f"{gdb} is not installed (`lfc doctor --for test` names its package)")
    serial = ["-serial", "null"] * (1 + board.emulator.qemu_serial)
    qemu = [*board.emulator.qemu, IMAGE_OPTION[board.cpu.architecture], "image.elf", "-display", "none"]
    remote = " ".join([*qemu, "-monitor", "none", *serial, "-S", "-gdb", "stdio"])
    asked = ["set confirm off", "set width 0", f"target remote | {remote}", f"break {stop}", "continue"]
    options = [part for command in (*asked, *commands) for part in ("-ex", command)]
    done = subprocess.run(
        [gdb, "-batch", "-nx", *options, "image.elf"], cwd=folder, capture_output=True, text=True, timeout=300
    )
    return done.stdout


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_gdb_prints_variables_and_lists_processes(board: str, tmp_path: Path) -> None:
    machine = machine_of(TYPES)
    (tmp_path / "image.elf").write_bytes(build_firmware(load_board(board), machine).image.elf)
    shutil.copy(TYPES, tmp_path)
    names = ["n", "colour", "small", "on", "bits", "pairs[1].one", "text", "of", "below", "Takers[1].sum", "Giver.i"]
    prints = [f"print {n}" for n in names]
    said = in_gdb(load_board(board), tmp_path, *prints, f"source {gdb_script()}", "lf-processes")
    shown = [line.split(" = ", 1)[1] for line in said.splitlines() if line.startswith("$")]
    assert shown[:9] == [
        "-70000",
        "blue",
        "7",
        "true",
        "(1 | 4 | 5 | 6)",
        "-2",
        '"hello\\000\\000"',
        "{0, 999, 0}",
        "-5 '\\373'",
    ]
    block = block_at_the_line(machine)
    expected = data_values(machine, block)
    assert [s.split()[0] for s in shown[9:]] == [str(expected["Takers[1].sum"]), str(expected["Giver.i"])]
    listed = [" ".join(line.split()) for line in said.splitlines() if "Types.lf:" in line and "is ready" in line]
    listed += [" ".join(line.split()) for line in said.splitlines() if "waits for" in line]
    assert sorted(listed) == sorted(told_processes(machine, block)) and len(listed) == 4


def told_processes(machine: Machine, block: bytes) -> list[str]:
    """By lfc, of the block on this machine."""
    told = []
    for p in live_processes(machine, block):
        what = "is ready" if p.position.ready else f"waits for {' | '.join(event_text(p.position))}"
        told.append(f"{p.name} Types.lf:{place_in(machine, p.position.span)} {what}")
    return told


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_gdb_lists_calls_with_their_variables(board: str, tmp_path: Path) -> None:
    """As lfc reads them off the same block, which gdb has saved."""
    machine = machine_of(ROOT / "examples" / "calls.lf")
    firmware = build_firmware(load_board(board), machine)
    (tmp_path / "image.elf").write_bytes(firmware.image.elf)
    start = read_symbol(firmware.image.elf, "lf_memory").address + firmware.block_offset
    save = f"dump binary memory block {start} {start + machine.layout.size}"
    commands = ["continue", "continue", save, f"source {gdb_script()}", "lf-calls"]
    said = in_gdb(load_board(board), tmp_path, *commands, stop="calls.lf:14")
    told = [line for line in said.splitlines() if " #" in line or line.startswith("    ")]
    assert told == told_calls(machine, (tmp_path / "block").read_bytes())
    assert [line.split()[:3] for line in told if " #" in line] == [["Main", "#0", "Fetch"], ["Main", "#1", "Fill"]]


def told_calls(machine: Machine, block: bytes) -> list[str]:
    told = []
    for p in live_processes(machine, block):
        for depth, f in enumerate(p.frames[:-1]):
            assert f.body.frame is not None and f.body.process is not None
            place = place_in(machine, f.position.span)
            told.append(f"{p.name} #{depth}  {f.body.process.name}  calls.lf:{place}")
            for v, at in f.body.frame.variables.items():
                size = 4 if isinstance(v.type, OpenArrayType) else 2 if v.kind.name == "VAR" else 4
                if "'" not in v.name:
                    told.append(f"    {v.name} = {int.from_bytes(block[f.offset + at :][:size], 'little')}")
    return told


def test_the_script_refuses_what_is_no_image_of_lfc(tmp_path: Path) -> None:
    if shutil.which("gdb") is None:
        pytest.skip("gdb is not installed")
    done = subprocess.run(
        ["gdb", "-batch", "-nx", "-ex", f"source {gdb_script()}", "-ex", "lf-processes", "/bin/true"],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert "is no image that lfc has built" in done.stderr


def test_damaged_tables_of_processes_do_not_hinder_lfc() -> None:
    """lfc itself never reads them."""
    firmware = build_firmware(load_board("uno"), machine_of(ROOT / "examples" / "prodcons.lf"))
    told = json.loads(read_section(firmware.image.elf, ".lf_tables") or b"")
    assert [name for name, _ in told["processes"]["slots"]] == ["initialisation", "Producer", "Consumer"]
