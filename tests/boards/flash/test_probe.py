"""Flashing by a debug probe: against a stand-in for pyocd's classes, with the calls that pyocd itself has."""

from __future__ import annotations

import importlib
import inspect
import os
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.flash.probe import PyOcd, flash_by_probe, load_pyocd
from lfc.boards.serial.failure import FlashError
from tests.cli.lfc import lfc

BOARD = load_board("bluepill")
START = BOARD.flash.start
CONTENT = {START: bytes(range(256)) * 9, START + 0x2000: b"data"}
HAS_PYOCD = importlib.util.find_spec("pyocd") is not None


def as_pyocd_has_it(module: str, name: str, *given: Any, **named: Any) -> None:
    """The call is one that the real function takes, if pyocd is there to ask."""
    if HAS_PYOCD:
        of: Any = importlib.import_module(module)
        for part in name.split("."):
            of = getattr(of, part)
        inspect.signature(of).bind(*given, **named)


class Error(RuntimeError):
    pass


class ProbeError(Error):
    pass


class TargetSupportError(Error):
    pass


class FlashEraseFailure(Error):
    pass


class TransferError(Error):
    pass


ERRORS = SimpleNamespace(
    Error=Error, ProbeError=ProbeError, TargetSupportError=TargetSupportError, FlashEraseFailure=FlashEraseFailure
)


@dataclass
class Chip:
    """The target of pyocd, with a flash that the loader writes. `fails`: where, and with what."""

    identity: int = 0x20036410
    fails: dict[str, Exception] = field(default_factory=dict)
    flash: bytearray = field(default_factory=lambda: bytearray(b"\x55" * 65_536))
    log: list[str] = field(default_factory=list)
    session: Any = None
    wrong_bit: int | None = None

    def act(self, what: str) -> None:
        if what in self.fails:
            raise self.fails[what]
        self.log.append(what)

    def read32(self, address: int) -> int:
        as_pyocd_has_it("pyocd.core.memory_interface", "MemoryInterface.read32", self, address)
        assert address == 0xE0042000
        self.act("identity")
        return self.identity

    def read_memory_block8(self, address: int, size: int) -> list[int]:
        as_pyocd_has_it("pyocd.core.memory_interface", "MemoryInterface.read_memory_block8", self, address, size)
        self.act("read")
        return list(self.flash[address - START : address - START + size])

    def reset(self) -> None:
        as_pyocd_has_it("pyocd.core.soc_target", "SoCTarget.reset", self)
        self.act("reset")


@dataclass
class Probe:
    unique_id: str
    description: str = "STM32 STLink"


class Bench:
    """What `load_pyocd` would find."""

    def __init__(self, chip: Chip, *probes: Probe) -> None:
        self.chip, self.probes, self.options = chip, probes, dict[str, Any]()
        self.api = PyOcd(self.connected, self.session, self.loader, ERRORS)

    def connected(self, **named: Any) -> list[Probe]:
        as_pyocd_has_it("pyocd.core.helpers", "ConnectHelper.get_all_connected_probes", **named)
        self.chip.act("list")
        return list(self.probes)

    def session(self, probe: Probe, **named: Any) -> Any:
        as_pyocd_has_it("pyocd.core.session", "Session.__init__", None, probe, **named)
        bench, chip = self, self.chip
        bench.options = named["options"]

        class Session:
            target = chip

            def __enter__(self) -> Session:
                chip.act("open")
                chip.session = self
                return self

            def __exit__(self, *_: object) -> None:
                chip.log.append("close")

        return Session()

    def loader(self, session: Any, **named: Any) -> Any:
        as_pyocd_has_it("pyocd.flash.loader", "FlashLoader.__init__", None, session, **named)
        assert session is self.chip.session
        chip, staged = self.chip, list[tuple[int, bytes]]()

        class Loader:
            def add_data(self, address: int, data: bytes) -> None:
                as_pyocd_has_it("pyocd.flash.loader", "FlashLoader.add_data", self, address, data)
                staged.append((address, data))

            def commit(self) -> None:
                as_pyocd_has_it("pyocd.flash.loader", "FlashLoader.commit", self)
                chip.act("commit")
                for part in (0.0, 0.5, 1.0):
                    named["progress"](part)
                for address, data in staged:
                    chip.flash[address - START : address - START + len(data)] = data
                if chip.wrong_bit is not None:
                    chip.flash[chip.wrong_bit // 8] ^= 1 << chip.wrong_bit % 8

        return Loader()


def failure(chip: Chip, *probes: Probe, wanted: str = "any") -> FlashError:
    with pytest.raises(FlashError) as caught:
        flash_by_probe(BOARD, CONTENT, wanted, lambda *_: None, Bench(chip, *(probes or (Probe("AB12"),))).api)
    return caught.value


def test_it_is_written_read_back_and_started() -> None:
    chip, stages = Chip(), list[tuple[str, int, int]]()
    bench = Bench(chip, Probe("AB12"))
    name, written = flash_by_probe(BOARD, CONTENT, "any", lambda *s: stages.append(s), bench.api)
    assert (name, written) == ("AB12 (STM32 STLink)", 2308)
    for address, piece in CONTENT.items():
        assert chip.flash[address - START : address - START + len(piece)] == piece
    assert chip.log == ["list", "open", "identity", "commit", "read", "read", "read", "read", "reset", "close"]
    assert bench.options["target_override"] == "stm32f103c8"
    # nothing of the working directory is read or run by pyocd
    assert (bench.options["no_config"], bench.options["user_script"]) == (True, os.devnull)
    assert ("write", 1154, 2308) in stages and stages[-2] == ("verify", 2308, 2308) and stages[-1][0] == "start"


def test_a_wrong_bit_is_found_wherever_it_is() -> None:
    for bit in (0, 8 * 2303 + 7, 8 * 0x2003):
        error = failure(Chip(wrong_bit=bit))
        assert error.stage == "verify" and f"{START + bit // 8:#x}" in error.message
        assert int(error.expected, 16) ^ int(error.received, 16) == 1 << bit % 8


@pytest.mark.parametrize(
    ("where", "what", "stage", "told"),
    [
        ("list", Error("no libusb"), "open", "no libusb"),
        ("open", ProbeError("in use"), "open", "another program may use it"),
        ("open", TargetSupportError("unknown"), "open", "pyocd pack install stm32f103c8"),
        ("open", TransferError("no ACK"), "sync", "SWDIO"),
        ("identity", TransferError("fault"), "signature", "fault"),
        ("commit", FlashEraseFailure("sector 0"), "erase", "neither the old program nor the new one"),
        ("commit", Error(), "write", "Error"),
        ("commit", ValueError("no memory region"), "write", "built for this board"),
        ("read", ProbeError("gone"), "verify", "gone"),
        ("reset", TransferError("x"), "start", "by hand"),
    ],
)
def test_each_failure_names_its_stage(where: str, what: Exception, stage: str, told: str) -> None:
    chip = Chip(fails={where: what})
    error = failure(chip)
    assert error.stage == stage and told in str(error)
    assert ("open" not in chip.log) == (chip.log.count("close") == 0)  # what was opened is closed


def test_another_chip_is_left_alone() -> None:
    chip = Chip(identity=0x10016420)
    error = failure(chip)
    assert (error.stage, error.expected, error.received) == ("signature", "410", "420") and "commit" not in chip.log


def test_which_probe() -> None:
    two = Probe("AB12"), Probe("CD34", "CMSIS-DAP")
    error = failure(Chip(), *two)
    assert "2 probes are connected:\n  AB12 (STM32 STLink)\n  CD34 (CMSIS-DAP)" in str(error) and "--probe ID" in str(
        error
    )
    assert "there is no probe `EF56`; there are:" in str(failure(Chip(), *two, wanted="EF56"))
    name, _ = flash_by_probe(BOARD, CONTENT, "cd34", lambda *_: None, Bench(Chip(), *two).api)
    assert name == "CD34 (CMSIS-DAP)"
    with pytest.raises(FlashError, match="no probe is connected"):
        flash_by_probe(BOARD, CONTENT, "any", lambda *_: None, Bench(Chip()).api)
    with pytest.raises(FlashError, match="probe.target"):
        flash_by_probe(load_board("uno"), {0: b"x"}, "any", lambda *_: None, Bench(Chip(), *two).api)


def test_the_classes_of_errors_are_those_of_pyocd() -> None:
    if not HAS_PYOCD:
        with pytest.raises(MissingOnThisMachine, match=r"lf-toolchain\[probe\]"):
            load_pyocd()
        return
    errors = load_pyocd().errors
    for name in vars(ERRORS):
        assert issubclass(getattr(errors, name), errors.Error), name


def test_the_boards_with_a_probe_are_those_with_swd() -> None:
    with_probe = {n for n in board_names() if load_board(n).probe_target is not None}
    cortexm = {n for n in board_names() if load_board(n).cpu.architecture == "cortexm"}
    assert with_probe == cortexm - {"lm3s6965evb"}


def test_on_the_command_line(tmp_path: Any) -> None:
    (tmp_path / "M.lf").write_text("MODULE M;\nEND M.\n")
    done = lfc("flash", "M.lf", "-b", "bluepill", "--probe", "any", cwd=tmp_path)
    assert done.exit == (9 if HAS_PYOCD else 8), done.err
    assert ("no probe is connected" if HAS_PYOCD else "pip install 'lf-toolchain[probe]'") in done.err
    done = lfc("flash", "M.lf", "-b", "uno", "--probe", "any", cwd=tmp_path)
    assert done.exit == 9 and "probe.target" in done.err
    assert lfc("flash", "M.lf", "-b", "pico", "--probe", "any", "--drive", "x", cwd=tmp_path).exit == 2
