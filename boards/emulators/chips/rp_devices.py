"""What the RP2040 and the RP2350 have beside the devices of their processors, for the built-in simulator: registers
that are written bit by bit, resets, clocks, pins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.chips.chip import Registers
from lfc.boards.emulators.chips.cortexm_devices import Devices
from lfc.boards.emulators.chips.rp_usb import LINE_CONTROL, USB_LINE, Rp2040Usb
from lfc.boards.emulators.chips.usb_host import plug_in

EXCLUSIVE_OR, SET, CLEAR, ALIASES = 0x1000, 0x2000, 0x3000, 0x3000
# Where SIO's registers are, and how far behind each those that change it.
SIO_OF_RP2040 = (0xD0000010, 0xD0000020), ((4, SET), (8, CLEAR), (0xC, EXCLUSIVE_OR))
SIO_OF_RP2350 = (0xD0000010, 0xD0000030), ((8, SET), (0x10, CLEAR), (0x18, EXCLUSIVE_OR))
Sio = tuple[tuple[int, int], tuple[tuple[int, int], ...]]
PLL_OF_USB, PLL_LOCKED = 0x4002C000, 1 << 31
BOOT_BLOCK = 0x100  # bytes


@dataclass(frozen=True, slots=True)
class Places:
    resets: int
    all_in_reset: int
    clocks: int
    crystal: int
    pll: int


RP2040 = Places(0x4000C000, 0x01FFFFFF, 0x40008000, 0x40024000, 0x40028000)
RP2350 = Places(0x40020000, 0x1FFFFFFF, 0x40010000, 0x40048000, 0x40050000)


def rp_clocks(devices: Registers, at: Places) -> None:
    """What is on is ready; what is out of reset says so."""
    registers, reads = devices.registers, devices.reads
    registers[at.resets] = at.all_in_reset
    registers[at.pll + 4] = 0x2D
    reads[at.resets + 8] = lambda _: ~registers[at.resets] & at.all_in_reset
    reads[at.crystal + 4] = lambda _: int(registers.get(at.crystal, 0) >> 12 == 0xFAB) << 31
    reads[at.clocks + 0x38] = lambda _: 1 << (registers.get(at.clocks + 0x30, 0) & 3)
    reads[at.clocks + 0x44] = lambda _: 1 << (registers.get(at.clocks + 0x3C, 0) & 1)
    reads[at.pll] = lambda v: v | int(not registers[at.pll + 4] & 0x21) << 31


def rp_pins(devices: Registers, sio: Sio) -> None:
    """The processor's own registers of its pins."""
    words, ways = sio
    for word in words:
        for offset, how in ways:
            devices.writes[word + offset] = lambda v, w=word, h=how: change(devices, w, h, v)  # type: ignore[misc]


def change(devices: Registers, word: int, how: int, value: int) -> None:
    before = devices.registers.get(word, 0)
    devices.registers[word] = {SET: before | value, CLEAR: before & ~value, EXCLUSIVE_OR: before ^ value}[how]


def rp_write(devices: Registers, address: int, size: int, value: int) -> bool:
    """Whether it was one of those that change bits: of each block, the registers lie once more behind it."""
    if address >> 28 != 4 or not address & ALIASES or size != 4:
        return False
    change(devices, address & ~ALIASES, address & ALIASES, value)
    return True


class Rp2040(Devices):
    places, sio, before_vectors = RP2040, SIO_OF_RP2040, BOOT_BLOCK

    def __init__(self, board: Board, now: Callable[[], int], write: Callable[[bytes], None]) -> None:
        super().__init__(board, now, write)
        self.table += self.before_vectors

    def _clock(self) -> None:
        rp_clocks(self, self.places)

    def _ports(self) -> None:
        rp_pins(self, self.sio)

    def usb(self) -> None:
        self.reads[PLL_OF_USB] = lambda v: v | PLL_LOCKED
        plug_in(self, Rp2040Usb(self), USB_LINE, LINE_CONTROL)

    def write(self, address: int, size: int, value: int) -> None:
        if not rp_write(self, address, size, value):
            super().write(address, size, value)


class Rp2350(Rp2040):
    """With its Cortex-M33s."""

    places, sio, before_vectors = RP2350, SIO_OF_RP2350, 0
