"""Chips of the built-in simulator whose flash is written by the program that runs, and whose power can be lost at each
write. Their serial line is asked and answered without a clock: reading runs the chip."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import CHIPS as KNOWN
from lfc.boards.descriptions.outputs import Given
from lfc.boards.emulators.chips.avr import BYTE_VECTORS, PORTS, TICKS, WATCHDOG, Avr
from lfc.boards.emulators.chips.chip import Chip
from lfc.boards.emulators.chips.console import BITS_OF_A_BYTE, NEVER, Happened
from lfc.boards.emulators.chips.cortexm import Cortexm
from lfc.boards.emulators.chips.cortexm_devices import Devices
from lfc.isa.avr.core import AvrCore
from lfc.isa.thumb.core import ThumbCore
from lfc.isa.thumb.memory_map import CORES, DEVICES, SYSTEM

ERASED = 0xFF
SPMCSR, SPM, ENABLED, ERASES, WRITES = 0x57, b"\xe8\x95", 0x01, 0x03, 0x05
FLASH_KEY, FLASH_STATUS, FLASH_CONTROL, FLASH_ADDRESS = 0x40022004, 0x4002200C, 0x40022010, 0x40022014
KEYS = [0x45670123, 0xCDEF89AB]
LOCKED, BEGINS, ERASES_PAGE, PROGRAMS = 0x80, 0x40, 2, 1


class PowerLost(Exception):
    """At a write of the flash."""


@dataclass(frozen=True)
class Cut:
    """At which write the power is lost, and what that leaves of it: nothing of it is done, some, or a mess."""

    at: int
    leaves: str = "nothing"


class Flash:
    """As flash is: erased by pages, and a write only clears bits. `wrong`: what a real chip would not have done."""

    def __init__(self, start: int, content: bytes, cut: Cut | None = None) -> None:
        self.start, self.content, self.cut = start, bytearray(content), cut
        self.log: list[tuple[str, int]] = []
        self.wrong: list[str] = []

    def change(self, what: str, address: int, size: int, new: bytes) -> None:
        at, cut, number = address - self.start, self.cut, len(self.log)
        self.log.append((what, address))
        if cut is not None and cut.at == number:
            self.content[:] = self.left_by(address, size, new, cut.leaves)
            raise PowerLost
        self.content[at : at + size] = new

    def left_by(self, address: int, size: int, new: bytes, leaves: str) -> bytes:
        """The flash after a write at which the power is lost."""
        at = address - self.start
        old = bytes(self.content[at : at + size])
        return bytes(self.content[:at]) + torn(old, new, leaves) + bytes(self.content[at + size :])

    def erase(self, address: int, size: int) -> None:
        self.change("erase", address, size, bytes([ERASED]) * size)

    def write(self, address: int, new: bytes) -> None:
        at = address - self.start
        old = bytes(self.content[at : at + len(new)])
        self.change("write", address, len(new), bytes(a & b for a, b in zip(old, new, strict=True)))


def torn(old: bytes, new: bytes, leaves: str) -> bytes:
    half = len(old) // 2
    match leaves:
        case "nothing":
            return old
        case "half":
            return new[:half] + old[half:]
        case "other half":
            return old[:half] + new[half:]
        case "all":
            return new
        case _:  # each bit that would have changed has, or has not
            return bytes(a ^ (a ^ b) & 0x5A for a, b in zip(old, new, strict=True))


LEAVES = ("nothing", "half", "other half", "a mess", "all")


class Stm32f1(Cortexm):
    def __init__(self, board: Board, flash: Flash, say: Callable[[bytes], None]) -> None:
        self.flash, self.keys = flash, list[int]()
        spaces = [*DEVICES[board.cpu.chip], SYSTEM]
        places = [(board.ram.start, board.ram.size), *spaces]
        self.core = ThumbCore(CORES[board.cpu.model], flash.start, bytes(flash.content), places)
        Chip.__init__(self, board, None, say)
        self.end = range(0)
        self.watch(spaces)
        core = self.core
        core.allow(flash.start, len(flash.content), core.READ | core.WRITE | core.TELL)

    def reset(self) -> None:
        self.devices = d = Devices(self.board, lambda: self.cycles, self.say)
        d.ram = self.core
        d.registers[FLASH_CONTROL] = LOCKED
        d.writes[FLASH_KEY], d.writes[FLASH_CONTROL] = self._key, self._control
        d.reads[FLASH_STATUS] = lambda _: 0
        self.core.reset()

    def _key(self, value: int) -> None:
        self.keys = [*self.keys, value][-2:]
        if self.keys == KEYS:
            self.devices.registers[FLASH_CONTROL] &= ~LOCKED

    def _control(self, value: int) -> None:
        if self.devices.registers[FLASH_CONTROL] & LOCKED:
            self.flash.wrong.append("the controller is locked")
            return
        self.devices.registers[FLASH_CONTROL] = value & ~BEGINS
        if value & BEGINS and value & ERASES_PAGE:
            page = self.devices.registers[FLASH_ADDRESS] & ~(self.board.flash.page - 1)
            try:
                self.flash.erase(page, self.board.flash.page)
            finally:
                self.core.put(page, bytes([ERASED]) * self.board.flash.page)

    def _written(self, address: int, size: int, value: int) -> None:
        if not self.flash.start <= address < self.flash.start + len(self.flash.content):
            super()._written(address, size, value)
            return
        at = address - self.flash.start
        old = bytes(self.flash.content[at : at + size])
        if size != 2 or self.devices.registers[FLASH_CONTROL] != PROGRAMS:
            self.flash.wrong.append(f"a write of {size} bytes to {address:#x} while the controller does not program")
        elif old != b"\xff\xff" and value != 0:
            self.flash.wrong.append(f"{address:#x} is not erased")
        else:
            self.flash.write(address, value.to_bytes(2, "little"))
        self.core.put(address, bytes(self.flash.content[at : at + size]))


class Atmega328p(Avr):
    """Started in its boot section."""

    def __init__(self, board: Board, flash: Flash, say: Callable[[bytes], None]) -> None:
        self.flash_memory = flash
        self.buffer: dict[int, int] = {}
        self.board, self.say, self.watched = board, say, None
        self.given = Given(board)
        self.halt = 0xFFFFFFFF
        self.core = AvrCore(bytes(flash.content), KNOWN[board.cpu.chip], board.ram.start, board.ram.size)
        self.core.watch(self._read, self._written)
        self.tick, self.byte_vector = TICKS[board.cpu.chip], BYTE_VECTORS[board.cpu.chip]
        self.watchdog = WATCHDOG
        self.pins = {at: at + 2 for at in PORTS[board.cpu.chip]}
        self.byte_cycles = board.cpu.clock * BITS_OF_A_BYTE // board.console.baud
        self.reset()

    def reset(self) -> None:
        super().reset()
        self.core.state.pc = self.board.flashing.loader.start // 2

    def run(self, cycles: int) -> Happened:
        happened = super().run(cycles)
        at = self.core.state.pc * 2 - 2  # behind what it cannot execute
        if happened is not Happened.CRASHED or bytes(self.core._flash[at : at + 2]) != SPM:
            return happened
        self._spm(at)
        return Happened.RAN

    def _spm(self, instruction: int) -> None:
        state, page = self.core.state, self.board.flash.page
        at = state.data[30] | state.data[31] << 8
        start = at & ~(page - 1)
        what = self.registers.pop(SPMCSR, 0)
        if instruction < self.board.flashing.loader.start:
            self.flash_memory.wrong.append("SPM outside of the boot section")
        elif what == ENABLED:
            self.buffer[at & page - 2] = state.data[0] | state.data[1] << 8
        elif what == ERASES:
            self.flash_memory.erase(start, page)
        elif what == WRITES:
            words = [self.buffer.get(k, 0xFFFF) for k in range(0, page, 2)]
            self.buffer = {}
            self.flash_memory.write(start, b"".join(w.to_bytes(2, "little") for w in words))
        elif what != 0x11:
            self.flash_memory.wrong.append(f"SPMCSR is {what:#x}")
        self.core._flash[start : start + page] = list(self.flash_memory.content[start : start + page])


CHIPS: dict[str, tuple[type[Stm32f1 | Atmega328p], int, int]] = {
    "atmega328p": (Atmega328p, 0, 32_768),
    "stm32f103": (Stm32f1, 0x0800_0000, 65_536),
}


class Powered:
    """A board under power, and its serial line: what is read runs the chip."""

    def __init__(self, board: Board, flash: Flash) -> None:
        self.said, self.coming = bytearray(), deque[int]()
        self.chip = CHIPS[board.cpu.chip][0](board, flash, self.said.extend)
        self.board, self.flash, self.next_byte = board, flash, NEVER
        self.timeout: float | None = 1.0
        self.end = ""

    def write(self, data: bytes) -> int:
        self.coming.extend(data)
        return len(data)

    def read(self, size: int = 1) -> bytes:
        end = self.chip.cycles + int((self.timeout or 0) * self.board.cpu.clock)
        while len(self.said) < size and self.chip.cycles < end and not self.end:
            self.run(min(10_000, end - self.chip.cycles))
        found = bytes(self.said[:size])
        del self.said[:size]
        return found

    def run(self, cycles: int, until: Callable[[], bool] = lambda: False) -> None:
        p, end = self.chip, self.chip.cycles + cycles
        while p.cycles < end and not self.end and not until():
            p.run_due()
            if self.coming and self.next_byte == NEVER:
                self.next_byte = p.cycles + p.byte_cycles
            if self.next_byte <= p.cycles:
                p.receiver.come(self.coming.popleft())
                self.next_byte = p.cycles + p.byte_cycles if self.coming else NEVER
            p.look_for_interrupts()
            due = min(p.next_due(), self.next_byte, end, p.cycles + 100_000)
            happened = p.run(max(1, due - p.cycles))
            if happened is Happened.SLEPT:
                p.skip_to(due)
            elif happened in (Happened.HALTED, Happened.CRASHED):
                self.end = str(happened.value)
