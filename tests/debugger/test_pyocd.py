"""Processes as threads of pyocd: its own classes, a target that stands in, and what lfc itself says of the block."""

from __future__ import annotations

import importlib
from importlib.metadata import entry_points
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.codegen.program import generate
from lfc.image.firmware import build_firmware
from lfc.run.names import live_processes
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.toolchain.elf import read_symbol
from tests.cli.lfc import ROOT
from tests.differential.stepwise import machine_of

PHILOSOPHERS = ROOT / "examples" / "philosophers.lf"
pytest.importorskip("pyocd")


class Memory:
    """A core's context: the state block at its place, and a call that pyocd's own class takes."""

    def __init__(self, start: int, block: bytes) -> None:
        self.start, self.block = start, block
        self.fails = False

    def read_memory_block8(self, address: int, size: int) -> list[int]:
        if self.fails:
            raise importlib.import_module("pyocd.core.exceptions").TransferError("no answer")
        at = address - self.start
        assert 0 <= at and at + size <= len(self.block)
        return list(self.block[at : at + size])


class Target:
    """What a provider asks of a core."""

    def __init__(self, memory: Memory, elf: Any, options: dict[str, Any]) -> None:
        self.memory, self.elf, self.run_token = memory, elf, 0
        self.session = SimpleNamespace(options=options)

    def get_target_context(self) -> Memory:
        return self.memory


@pytest.fixture(scope="module")
def image(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, int, HostRun]:
    """Its file, where its block lies, and the same program here, at its deadlock."""
    machine = machine_of(PHILOSOPHERS)
    firmware = build_firmware(load_board("microbit"), machine)
    file = tmp_path_factory.mktemp("pyocd") / "image.elf"
    file.write_bytes(firmware.image.elf)
    run = HostRun(generate(machine, host_target()), 1)
    while run.step() is Status.RAN:
        pass
    return file, read_symbol(firmware.image.elf, "lf_memory").address + firmware.block_offset, run


def threads_plugin() -> Any:
    return importlib.import_module("pyocd.rtos").RTOS["lf"]


def test_pyocd_finds_it_by_its_entry_point() -> None:
    (point,) = entry_points(group="pyocd.rtos", name="lf")
    plugin = point.load()()
    assert issubclass(plugin.load(), importlib.import_module("pyocd.rtos.provider").ThreadProvider)
    assert threads_plugin() is plugin.load() and plugin.name == "lf" and plugin.options[0].name == "lf.elf"


@pytest.mark.parametrize("named", [True, False])
def test_threads_are_the_processes_where_they_stand(image: tuple[Path, int, HostRun], named: bool) -> None:
    """`named`: by our option; else the ELF file that pyocd was given itself."""
    file, start, run = image
    binary = importlib.import_module("pyocd.debug.elf.elf").ELFBinaryFile
    target = Target(
        Memory(start, run.block), None if named else binary(str(file)), {"lf.elf": str(file)} if named else {}
    )
    provider = threads_plugin()(target)
    assert provider.init(None) and provider.is_enabled
    provider.read_from_target = True
    threads = {t.unique_id: t for t in provider.get_threads()}
    machine = run.generated.machine
    expected = {}
    for p in live_processes(machine, run.block):
        line, column = p.position.span.source.line_and_column(p.position.span.start)
        name = p.name.removeprefix(machine.program.main.name + ".")
        expected[p.slot + 2] = (name, f"philosophers.lf:{line}:{column}")
    assert {n: (t.name, t.description.split()[0]) for n, t in threads.items() if n != 1} == expected
    assert all(" waits for " in t.description for n, t in threads.items() if n != 1) and len(expected) == 10
    assert (provider.current_thread.unique_id, provider.get_current_thread_id()) == (1, 1)
    assert provider.current_thread.context is target.memory and provider.current_thread.is_current
    assert provider.is_valid_thread_id(2) is (2 in expected) and not provider.is_valid_thread_id(99)
    # nothing runs: nothing is read again; then the memory cannot be read, and no process is told
    target.memory.fails = True
    assert len(provider.get_threads()) == 11
    target.run_token += 1
    assert [t.unique_id for t in provider.get_threads()] == [1]


def test_gdb_gets_them_from_the_real_server(image: tuple[Path, int, HostRun]) -> None:
    """What pyocd's server answers to gdb's `info threads`."""
    file, start, run = image
    provider = threads_plugin()(Target(Memory(start, run.block), None, {"lf.elf": str(file)}))
    assert provider.init(None)
    provider.read_from_target = True
    server_class = importlib.import_module("pyocd.gdbserver.gdbserver").GDBServer
    server = server_class.__new__(server_class)
    server.thread_provider, server.report_core = provider, False
    told = server.get_threads_xml().decode()
    assert 'id="1" name="running now"' in told and told.count("waits for") == 10
    assert 'name="Philosopher[0]">philosophers.lf:' in told


def test_an_image_of_others_is_none(tmp_path: Path) -> None:
    for content in (b"", b"\x7fELF", Path("/bin/true").read_bytes()):
        file = tmp_path / "other.elf"
        file.write_bytes(content)
        assert threads_plugin()(Target(Memory(0, b""), None, {"lf.elf": str(file)})).init(None) is False
    assert threads_plugin()(Target(Memory(0, b""), None, {"lf.elf": str(tmp_path / "none")})).init(None) is False
    assert threads_plugin()(Target(Memory(0, b""), None, {})).init(None) is False
