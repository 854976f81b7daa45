"""An AVR with the devices that the port uses, for the built-in simulator: tick, console, ports.

Registers that are not known here hold what is written to them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.descriptions.outputs import Given, Watched
from lfc.boards.emulators.chips.chip import NOWHERE
from lfc.boards.emulators.chips.console import BITS_OF_A_BYTE, NEVER, Happened, Receiver
from lfc.isa.abi import AvrStop as Stop
from lfc.isa.avr.core import SPH, SPL, STATUS, AvrCore
from lfc.toolchain.elf import Symbol, flash_content

UART_STATUS, UART_CONTROL, UART_DATA = 0xC0, 0xC1, 0xC6
WATCHDOG, WATCHDOG_OF_SMALL = 0x60, 0x41
PRESCALERS = (0, 1, 8, 64, 256, 1024, 0, 0)
RECEIVED, FREE, LOST = 0x80, 0x20, 0x08
LISTENS, TELLS_RECEIVED, TELLS_FREE = 0x10, 0x80, 0x20
RESETS, LONGER = 0x08, 0x37  # the watchdog is on; with another time than the shortest, or still to be changed
SHORTEST_WATCHDOG = 16  # milliseconds
BYTE_VECTORS = {"atmega328p": 18, "atmega2560": 25}  # of USART 0
PORTS = {
    "attiny85": (0x36,),
    "atmega328p": range(0x23, 0x2C, 3),
    "atmega2560": (*range(0x20, 0x35, 3), *range(0x100, 0x10C, 3)),
}
INTERRUPTS_ON = 0x80


@dataclass(frozen=True, slots=True)
class Tick:
    """The timer that counts the milliseconds, by compare match A."""

    vector: int
    match: int  # the bit of it, in `flags` and `mask`
    flags: int
    mask: int
    control: int  # its prescaler
    mode: tuple[int, int]  # the register and the bit that let a match clear it
    low: int
    high: int | None = None


TIMER1 = Tick(11, 0x02, 0x36, 0x6F, 0x81, (0x81, 0x08), 0x88, 0x89)
TICKS = {
    "atmega328p": TIMER1,
    "atmega2560": replace(TIMER1, vector=17),
    "attiny85": Tick(10, 0x10, 0x58, 0x59, 0x53, (0x4A, 0x02), 0x49),
}


class Avr:
    """What `builtin.Simulation` needs of a processor with its devices."""

    def __init__(
        self, board: Board, elf: bytes, symbols: dict[str, Symbol], halt: Symbol | None, say: Callable[[bytes], None]
    ) -> None:
        self.board, self.say = board, say
        self.watched: Watched | None = None
        self.given = Given(board)
        self.flash = flash_content(elf, board.flash.start)
        self.flash += b"\xff" * (len(self.flash) % 2)
        self.stop_at(halt)
        self.core = AvrCore(self.flash, CHIPS[board.cpu.chip], board.ram.start, board.ram.size)
        self.core.watch(self._read, self._written)
        self.tick, self.byte_vector = TICKS[board.cpu.chip], BYTE_VECTORS.get(board.cpu.chip, 0)
        self.watchdog = WATCHDOG_OF_SMALL if CHIPS[board.cpu.chip].small else WATCHDOG
        self.pins = {at: at + 2 for at in PORTS[board.cpu.chip]}
        self.byte_cycles = board.cpu.clock * BITS_OF_A_BYTE // board.console.baud
        self.reset()

    def reset(self) -> None:
        self.registers: dict[int, int] = {}
        self.receiver = Receiver(2)
        self.matched = False
        self.free_at = 0  # the transmitter, which holds one byte and sends another
        self.match_due = self.reset_due = NEVER
        state = self.core.state
        state.pc = state.waits = state.data[STATUS] = 0
        top = self.board.ram.start + self.board.ram.size - 1
        state.data[SPL], state.data[SPH] = top & 0xFF, top >> 8

    @property
    def cycles(self) -> int:
        return int(self.core.state.cycles)

    def skip_to(self, cycles: int) -> None:
        self.core.state.cycles = max(self.cycles, cycles)

    # --- devices ---

    def _read(self, at: int) -> int:
        if at == UART_STATUS:
            came = RECEIVED if self.receiver.bytes else 0
            return (
                came
                | (FREE if self._is_free() else 0)
                | (LOST if self.receiver.lost else 0)
                | self.registers.get(at, 0) & 2
            )
        if at == UART_DATA:
            self.receiver.lost = False
            value = self.receiver.take()
            self.look_for_interrupts()
            return value
        if at == self.tick.flags:
            return self.tick.match if self.matched else 0
        if at in self.pins:  # what it drives itself, and what is given
            return self.given.seen(at, self.registers.get(at + 1, 0) & self.registers.get(at + 2, 0), self.registers)
        return self.registers.get(at, 0)

    def _written(self, at: int, value: int) -> None:
        if at == UART_DATA:
            self.say(bytes([value]))
            self.free_at = max(self.free_at, self.cycles) + self.byte_cycles
        elif at == self.tick.flags:
            self.matched &= not value & self.tick.match
        elif at in self.pins:
            self.registers[at + 2] = self.registers.get(at + 2, 0) ^ value
        else:
            self.registers[at] = value
            if at in (self.tick.control, self.tick.low):
                self.match_due = self.cycles + self._period()
            elif at == self.watchdog:
                shortest = self.cycles + self.board.cpu.clock * SHORTEST_WATCHDOG // 1000
                self.reset_due = shortest if value & RESETS and not value & LONGER else NEVER
        self.look_for_interrupts()
        self.core.state.end = min(self.core.state.end, self.next_due())
        if self.watched is not None:
            self.watched.look(self.registers)

    def _is_free(self) -> bool:
        return self.cycles + self.byte_cycles >= self.free_at

    def _period(self) -> int:
        tick, (mode, clears) = self.tick, self.tick.mode
        high = 0 if tick.high is None else self.registers.get(tick.high, 0)
        counts = (high << 8 | self.registers.get(tick.low, 0)) + 1
        each = PRESCALERS[self.registers.get(tick.control, 0) & 7]
        return counts * each if each and self.registers.get(mode, 0) & clears else NEVER

    def look_for_interrupts(self) -> None:
        control = self.registers.get(UART_CONTROL, 0)
        if self.matched and self.registers.get(self.tick.mask, 0) & self.tick.match:
            self.core.state.waits = self.tick.vector
        elif control & TELLS_RECEIVED and self.receiver.bytes:
            self.core.state.waits = self.byte_vector
        elif control & TELLS_FREE and self._is_free():
            self.core.state.waits = self.byte_vector + 1
        else:
            self.core.state.waits = 0

    def listens(self) -> bool:
        return bool(self.registers.get(UART_CONTROL, 0) & LISTENS)

    def sends(self) -> bool:
        """There is more in the port's buffer."""
        return bool(self.registers.get(UART_CONTROL, 0) & TELLS_FREE)

    def next_due(self) -> int:
        free_due = self.free_at - self.byte_cycles if self.sends() and not self._is_free() else NEVER
        return min(self.match_due, self.reset_due, free_due)

    def run_due(self) -> None:
        if self.reset_due <= self.cycles:
            self.reset()
        while self.match_due <= self.cycles:
            self.matched = True
            self.match_due += self._period()

    # --- the processor ---

    def run(self, cycles: int) -> Happened:
        stop = self.core.run_to(self.halt, cycles)
        if stop is Stop.INTERRUPTED:
            vector = self.core.state.waits
            if vector == self.tick.vector:
                self.matched = False
            return Happened.RAN if self.core.interrupt(vector) is Stop.RUNS else Happened.CRASHED
        if stop is Stop.SLEEPS:
            wakes = self.core.state.waits and self.core.state.data[STATUS] & INTERRUPTS_ON
            return Happened.RAN if wakes else Happened.SLEPT
        if stop is Stop.AT_STOP:
            return Happened.HALTED
        return Happened.RAN if stop is Stop.TOO_LONG else Happened.CRASHED

    def stop_at(self, symbol: Symbol | None) -> None:
        """What `run` ends at, in place of where the board halts."""
        self.halt = NOWHERE if symbol is None else symbol.address // 2

    def read(self, symbol: Symbol) -> bytes:
        return self.core.get(symbol.target_address, symbol.size)

    def ram(self, start: int, size: int) -> bytes:
        return self.core.get(start, size)

    def fill(self, start: int, content: bytes) -> None:
        self.core.put(start, content)
