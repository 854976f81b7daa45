"""Runs an image in the simulator that comes with the tools: a Cortex-M with its console, tick, and ports.

May import: `lfc.image`, `lfc.mcheck.thumb_core`, `lfc.mcheck.image_cortexm`, `board`, `builtin_devices`, `outcome`,
`quiet`, `simulated`.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lfc.boards.board import Board
from lfc.boards.builtin_devices import NEVER, Devices
from lfc.boards.outcome import EmulatorError, Outcome
from lfc.boards.quiet import MEMORY, Positions
from lfc.boards.simulated import is_simulated
from lfc.image.elf import read_load_segments, read_symbols
from lfc.mcheck.image_cortexm import CORES, DEVICES, SYSTEM
from lfc.mcheck.thumb_core import ASK, READ, TELL, WRITE, Stop, ThumbCore

HALT, VARIABLES_END = "lf_port_halt", "lf_bss_end"
NEVER_WRITTEN = 0xA5
HARD_FAULT, SUPERVISOR = 3, 11  # exceptions
FAULTS = (
    *(Stop.ILLEGAL, Stop.OUTSIDE, Stop.BAD_LOAD, Stop.BAD_STORE),
    *(Stop.UNALIGNED, Stop.NO_THUMB, Stop.BREAKS),
)
SLICE = 1000  # of a second
CHUNK = 4096


@dataclass(slots=True)
class Source:
    """Where the console's input comes from: what is given, then a file descriptor."""

    given: bytes = b""
    file: int | None = None

    @property
    def ended(self) -> bool:
        return not self.given and self.file is None

    def look(self, seconds: float) -> None:
        """Waits for so long, if there is nothing yet."""
        if self.given or self.file is None:
            return
        if select.select([self.file], [], [], seconds)[0]:
            self.given = os.read(self.file, CHUNK)
            if not self.given:
                self.file = None

    def take(self) -> int:
        byte, self.given = self.given[0], self.given[1:]
        return byte


class Simulation:
    """One board with one image."""

    def __init__(self, board: Board, elf: bytes, write: Callable[[bytes], None], source: Source) -> None:
        if not is_simulated(board):
            raise EmulatorError(f"the board {board.name} cannot be simulated")
        self.board, self.write, self.source = board, write, source
        self.flash, ram = flash_of(board, elf), board.ram
        spaces = [*DEVICES[board.cpu.chip], SYSTEM]
        self.core = ThumbCore(CORES[board.cpu.model], board.flash.start, self.flash, [(ram.start, ram.size), *spaces])
        self.core.put(ram.start, bytes([NEVER_WRITTEN]) * ram.size)
        self.core.allow(ram.start, ram.size, READ | WRITE)
        for start, size in spaces:
            self.core.allow(start, size, READ | WRITE | ASK | TELL)
        self.core.watch(self._read, self._written)
        self.symbols = read_symbols(elf)
        self.halt = self.symbols[HALT].address if HALT in self.symbols else 0xFFFFFFFF
        self.next_byte = NEVER
        self._reset()

    @property
    def cycles(self) -> int:
        return int(self.core.state.cycles)

    def _reset(self) -> None:
        self.devices = Devices(self.board, lambda: self.cycles, self.write)
        self.core.reset()

    def _read(self, address: int, size: int) -> int:
        value = self.devices.read(address, size)
        self._look_for_interrupts()
        return value

    def _written(self, address: int, size: int, value: int) -> None:
        self.devices.write(address, size, value)
        self._look_for_interrupts()
        if self.devices.wants_reset or self.devices.next_due() < self.core.state.end:
            self.core.state.end = 0 if self.devices.wants_reset else self.devices.next_due()

    def _look_for_interrupts(self) -> None:
        self.core.state.waits = self.devices.interrupts.next()

    def _come_due(self) -> None:
        """What time brings: ticks, bytes on the line."""
        if self.devices.wants_reset:
            self._reset()
        self.devices.run_due()
        if self.next_byte <= self.cycles:
            self.devices.receiver.come(self.source.take())
            self.next_byte = self.cycles + self.devices.byte_cycles if self.source.given else NEVER
        elif self.next_byte == NEVER and self.devices.listens():
            self.source.look(0)
            if self.source.given:
                self.next_byte = self.cycles + self.devices.byte_cycles
        self._look_for_interrupts()

    def run(self, most_cycles: int, quiet: Positions | None, real_time: bool) -> str:
        """How it ended: halted, quiet, time, crashed."""
        begin, a_slice = time.monotonic(), self.board.cpu.clock // SLICE
        while True:
            self._come_due()
            if self.cycles >= most_cycles:
                return "time"
            until = min(self.devices.next_due(), self.next_byte, most_cycles, self.cycles + a_slice)
            stop = self.core.run_to(self.halt, max(1, until - self.cycles))
            if stop is Stop.AT_STOP:
                return "halted"
            if stop is Stop.INTERRUPTED:
                exception = self.core.state.waits
                self.devices.interrupts.taken(exception)
                stop = self.core.enter(exception, self.devices.table)
            elif stop is Stop.SLEEPS and not self.core.state.waits:
                if quiet is not None and self._is_quiet(quiet):
                    return "quiet"
                # Nothing is executed up to what comes next; without input, a while may pass.
                self.core.state.cycles = max(self.cycles, min(until, most_cycles))
                if real_time:
                    ahead = self.cycles / self.board.cpu.clock - (time.monotonic() - begin)
                    if ahead > 0:
                        self.source.look(ahead) if self.source.file is not None else time.sleep(ahead)
            elif stop is Stop.CALLS_SUPERVISOR:
                stop = self.core.enter(SUPERVISOR, self.devices.table)
            elif stop in FAULTS and self.core.state.ipsr != HARD_FAULT:
                stop = self.core.enter(HARD_FAULT, self.devices.table)
            if stop not in (Stop.RUNS, Stop.SLEEPS, Stop.TOO_LONG):
                return "crashed"

    def _is_quiet(self, positions: Positions) -> bool:
        memory = self.memory(MEMORY)
        if positions.is_quiet(memory, self.source.ended and not self.devices.receiver.bytes):
            return True
        if positions.is_quiet(memory, True) and not self.source.given:
            self.source.look(0.05)  # nothing else can happen
        return False

    def memory(self, name: str) -> bytes:
        if name not in self.symbols:
            raise EmulatorError(f"the image has no symbol `{name}`")
        symbol = self.symbols[name]
        return self.core.get(symbol.address, symbol.size)

    def stack(self) -> int:
        """Bytes that it took at its deepest."""
        start, ram = self.symbols[VARIABLES_END].address, self.board.ram
        return len(self.core.get(start, ram.start + ram.size - start).lstrip(bytes([NEVER_WRITTEN])))


def flash_of(board: Board, elf: bytes) -> bytes:
    start, content = board.flash.start, bytearray()
    for segment in read_load_segments(elf):
        at = segment.load_address - start
        content.extend(b"\xff" * (at - len(content)))
        content[at:] = segment.content
    return bytes(content) + b"\xff" * (len(content) % 2)


def run_builtin(
    board: Board,
    elf: bytes,
    *,
    console_input: bytes = b"",
    seconds: float,
    symbols: Sequence[str] = (),
    quiet: Positions | None = None,
) -> Outcome:
    """Runs for at most `seconds` of the board's time. The same input gives the same run, to the cycle."""
    console = bytearray()
    simulation = Simulation(board, elf, console.extend, Source(console_input))
    end = simulation.run(int(seconds * board.cpu.clock), quiet, False)
    memory = {name: simulation.memory(name) for name in symbols}
    return Outcome(end, bytes(console), memory, simulation.cycles, stack=simulation.stack())


def run_builtin_live(
    board: Board,
    elf: bytes,
    write: Callable[[bytes], None],
    input_file: int | None,
    positions: Positions,
    *,
    real_time: bool,
    seconds: float | None,
) -> Outcome:
    """With the console on streams of this program; ends also when it is interrupted (`stopped`)."""
    simulation = Simulation(board, elf, write, Source(file=input_file))
    try:
        most = NEVER if seconds is None else int(seconds * board.cpu.clock)
        end = simulation.run(most, positions, real_time)
    except KeyboardInterrupt:
        end = "stopped"
    return Outcome(end, b"", {MEMORY: simulation.memory(MEMORY)}, simulation.cycles, stack=simulation.stack())
