"""Images for Cortex-M, executed from the reset on: here, and in unicorn, with the same answers of devices."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import unicorn
from unicorn import arm_const

from lfc.boards.descriptions.board import Board, load_board
from lfc.image.firmware import build_firmware
from lfc.isa.abi import ThumbStop as Stop
from lfc.isa.abi import ThumbWay as Way
from lfc.isa.thumb.core import ASK, CORES, READ, TELL, WRITE, ThumbCore
from tests.conftest import ROOT
from tests.mcheck.image.images import machine_of

DEVICES = [(0x40000000, 0x60000), (0x50000000, 0x1000), (0xE000E000, 0x1000)]
MODELS = {
    "cortex-m0": arm_const.UC_CPU_ARM_CORTEX_M0,
    "cortex-m3": arm_const.UC_CPU_ARM_CORTEX_M3,
    "cortex-m4": arm_const.UC_CPU_ARM_CORTEX_M4,
}
NAMED = [getattr(arm_const, f"UC_ARM_REG_{name}") for name in (*(f"R{i}" for i in range(13)), "SP", "LR")]
FLAGS = 0xF8000000
NOWHERE = 0xFFFFFFF0
STOPS = {
    unicorn.UC_ERR_WRITE_UNMAPPED: Stop.BAD_STORE,
    unicorn.UC_ERR_WRITE_PROT: Stop.BAD_STORE,
    unicorn.UC_ERR_READ_UNMAPPED: Stop.BAD_LOAD,
}
Access = tuple[str, int, int, int]  # read or written, address, size, value


@dataclass(slots=True)
class ImageOnBoard:
    board: Board
    elf: bytes
    flash: bytes

    @property
    def base(self) -> int:
        return self.board.flash.start


@dataclass(slots=True)
class Ran:
    trace: list[int] = field(default_factory=list)  # addresses of instructions, without those that IT leaves out
    accesses: list[Access] = field(default_factory=list)  # to devices
    registers: list[int] = field(default_factory=list)
    flags: int = 0
    ram: bytes = b""
    stop: Stop = Stop.RUNS


@cache
def image_of(example: str, board_name: str) -> ImageOnBoard:
    board = load_board(board_name)
    firmware = build_firmware(board, machine_of(ROOT / "examples" / example, board))
    pieces = dict(firmware.image.flash)
    start = board.flash.start
    end = max(at + len(piece) for at, piece in pieces.items())
    flash = bytearray(b"\xff") * (end - start)
    for at, piece in pieces.items():
        flash[at - start : at - start + len(piece)] = piece
    return ImageOnBoard(board, firmware.image.elf, bytes(flash))


def examples() -> list[str]:
    return sorted(f.name for f in Path(ROOT / "examples").glob("*.lf") if not f.stem.endswith("_env"))


def answers(seed: int) -> Callable[[], int]:
    """What devices say: nothing, all, or anything."""
    numbers = random.Random(seed)
    return lambda: numbers.choice([0, 0xFFFFFFFF, numbers.getrandbits(32)])


def run_here(image: ImageOnBoard, most: int, answer: Callable[[], int]) -> tuple[Ran, ThumbCore]:
    ran, ram = Ran(), image.board.ram
    core = ThumbCore(CORES[image.board.cpu.model], image.base, image.flash, [(ram.start, ram.size), *DEVICES])
    core.allow(ram.start, ram.size, READ | WRITE)

    def ask(address: int, size: int) -> int:
        value = answer() & (1 << 8 * size) - 1
        ran.accesses.append(("read", address, size, value))
        return value

    def tell(address: int, size: int, value: int) -> None:
        ran.accesses.append(("written", address, size, value))

    core.watch(ask, tell)
    for start, size in DEVICES:
        core.allow(start, size, READ | WRITE | ASK | TELL)
    assert core.reset() is Stop.RUNS
    state = core.state
    while len(ran.trace) < most and ran.stop is Stop.RUNS:
        at = state.r[15]
        ran.stop = core.step()
        if state.went != Way.SKIPPED:
            ran.trace.append(at)
    ran.registers, ran.flags = list(state.r[:15]), state.flags & FLAGS
    ran.ram = core.get(ram.start, ram.size)
    return ran, core


def run_in_unicorn(image: ImageOnBoard, like: Ran) -> Ran:
    """As many instructions as `like`; devices answer what they answered there."""
    ran, ram = Ran(), image.board.ram
    them = unicorn.Uc(unicorn.UC_ARCH_ARM, unicorn.UC_MODE_THUMB | unicorn.UC_MODE_MCLASS)
    them.ctl_set_cpu_model(MODELS[image.board.cpu.model])
    them.mem_map(image.base, len(image.flash) + 4095 & ~4095, unicorn.UC_PROT_READ | unicorn.UC_PROT_EXEC)
    them.mem_write(image.base, image.flash)
    them.mem_map(ram.start, ram.size)
    reads = iter([value for kind, _, _, value in like.accesses if kind == "read"])

    def read(_: object, offset: int, size: int, start: int) -> int:
        value = next(reads, 0)
        if not ran.ram:
            ran.accesses.append(("read", start + offset, size, value))
        return value

    def write(_: object, offset: int, size: int, value: int, start: int) -> None:
        if not ran.ram:
            ran.accesses.append(("written", start + offset, size, value))

    def look() -> None:
        ran.registers = [them.reg_read(name) for name in NAMED]
        ran.flags = them.reg_read(arm_const.UC_ARM_REG_XPSR) & FLAGS
        ran.ram = bytes(them.mem_read(ram.start, ram.size))

    def executes(uc: unicorn.Uc, address: int, size: int, _: object) -> None:
        if len(ran.trace) < len(like.trace):
            ran.trace.append(address)
            return
        if not ran.ram:  # now: where it is told to stop, it may execute the instruction nevertheless
            look()
        uc.emu_stop()

    for start, size in DEVICES:
        them.mmio_map(start, size, read, start, write, start)
    them.hook_add(unicorn.UC_HOOK_CODE, executes)
    them.reg_write(NAMED[13], int.from_bytes(image.flash[:4], "little"))
    them.reg_write(NAMED[14], 0xFFFFFFFF)
    try:
        them.emu_start(int.from_bytes(image.flash[4:8], "little"), NOWHERE)
    except unicorn.UcError as error:
        ran.stop = STOPS[error.errno]
    if not ran.ram:
        look()
    return ran
