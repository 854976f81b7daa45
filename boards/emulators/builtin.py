"""Runs an image in the simulator that comes with the tools: the processor with its console, tick, and ports."""

from __future__ import annotations

import os
import select
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.outputs import Watched
from lfc.boards.descriptions.simulated import is_simulated
from lfc.boards.emulators.chips.avr import Avr
from lfc.boards.emulators.chips.console import NEVER, Happened
from lfc.boards.emulators.chips.cortexm import Cortexm
from lfc.boards.emulators.chips.riscv import Riscv
from lfc.boards.emulators.outcome import EmulatorError, Event, Outcome, Outside
from lfc.boards.emulators.quiet import MEMORY, Positions
from lfc.toolchain.elf import read_symbols

HALTED, HALT, VARIABLES_END = "lf_port_halted", "lf_port_halt", "lf_bss_end"
NEVER_WRITTEN = 0xA5
PROCESSORS: dict[str, type[Avr | Cortexm | Riscv]] = {"avr": Avr, "cortexm": Cortexm, "riscv": Riscv}
PASS = "lf_step"
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

    def __init__(
        self,
        board: Board,
        elf: bytes,
        write: Callable[[bytes], None],
        source: Source,
        told: Callable[[int, int, bool | None], None] | None = None,
    ) -> None:
        """`told`: of each change of a pin, with the cycles that are over, its number and its level."""
        if not is_simulated(board):
            raise EmulatorError(f"the board {board.name} cannot be simulated")
        self.board, self.source = board, source
        self.symbols = read_symbols(elf)
        halt = self.symbols.get(HALTED) or self.symbols.get(HALT)
        self.processor = PROCESSORS[board.cpu.architecture](board, elf, self.symbols, halt, write)
        end = self.symbols.get(VARIABLES_END)
        start = board.ram.start if end is None else end.target_address
        self.free = range(start, board.ram.start + board.ram.size)  # what the stack may take
        self.processor.fill(self.free.start, bytes([NEVER_WRITTEN]) * len(self.free))
        self.next_byte = NEVER
        self.asleep = 0  # cycles in which nothing was executed
        self.events: list[Event] = []  # what is still to come from outside
        if told is not None:
            self.processor.watched = Watched(board, lambda pin, level: told(self.processor.cycles, pin, level))

    def _come_due(self) -> None:
        """What time brings: ticks, bytes on the line."""
        p = self.processor
        while self.events and self.events[0].cycles <= p.cycles:
            event = self.events.pop(0)
            self.source.given += event.text
            if event.pin is not None and p.given is not None:
                p.given.levels[event.pin] = event.level
        p.run_due()
        if self.next_byte <= p.cycles:
            p.receiver.come(self.source.take())
            self.next_byte = p.cycles + p.byte_cycles if self.source.given else NEVER
        elif self.next_byte == NEVER and p.listens():
            self.source.look(0)
            if self.source.given:
                self.next_byte = p.cycles + p.byte_cycles
        p.look_for_interrupts()

    def run(self, most_cycles: int, quiet: Positions | None, real_time: bool) -> str:
        """How it ended: halted, quiet, time, crashed."""
        begin, a_slice, p = time.monotonic(), self.board.cpu.clock // SLICE, self.processor
        while True:
            self._come_due()
            if p.cycles >= most_cycles:
                return "time"
            due = self.events[0].cycles if self.events else NEVER
            until = min(p.next_due(), self.next_byte, most_cycles, p.cycles + a_slice, due)
            happened = p.run(max(1, until - p.cycles))
            if happened is Happened.SLEPT:
                if quiet is not None and self._is_quiet(quiet):
                    return "quiet"
                self.asleep += max(0, until - p.cycles)
                p.skip_to(until)  # nothing is executed up to what comes next
                if real_time:
                    ahead = p.cycles / self.board.cpu.clock - (time.monotonic() - begin)
                    if ahead > 0:
                        self.source.look(ahead) if self.source.file is not None else time.sleep(ahead)
            elif happened is not Happened.RAN:
                return str(happened.value)

    def run_by_passes(self, most_cycles: int, each: Callable[[], None]) -> str:
        """As `run`, and calls `each` where a pass of the kernel's loop begins. A board that has halted sleeps on."""
        p, halt = self.processor, self.processor.halt
        try:
            while True:
                p.stop_at(self.symbols[PASS])
                end = self.run(most_cycles, None, False)
                if end != "halted":
                    return end
                each()
                p.stop_at(None)
                p.run(1)  # off this place
        finally:
            p.halt = halt

    def _is_quiet(self, positions: Positions) -> bool:
        if self.events or self.processor.sends():
            return False
        memory = self.memory(MEMORY)
        if positions.is_quiet(memory, self.source.ended and not self.processor.receiver.bytes):
            return True
        if positions.is_quiet(memory, True) and not self.source.given:
            self.source.look(0.05)  # nothing else can happen
        return False

    def memory(self, name: str) -> bytes:
        if name not in self.symbols:
            raise EmulatorError(f"the image has no symbol `{name}`")
        return self.processor.read(self.symbols[name])

    @property
    def cycles(self) -> int:
        return self.processor.cycles

    def stack(self) -> int:
        """Bytes that it took at its deepest."""
        return len(self.processor.ram(self.free.start, len(self.free)).lstrip(bytes([NEVER_WRITTEN])))


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
    outside: Outside | None = None,
) -> Outcome:
    """With the console on streams of this program; ends also when it is interrupted (`stopped`)."""
    outside = outside or Outside()
    simulation = Simulation(board, elf, write, Source(file=input_file), outside.told)
    simulation.events = sorted(outside.events, key=lambda e: e.cycles)
    try:
        most = NEVER if seconds is None else int(seconds * board.cpu.clock)
        end = simulation.run(most, positions, real_time)
    except KeyboardInterrupt:
        end = "stopped"
    memory = {MEMORY: simulation.memory(MEMORY)}
    return Outcome(end, b"", memory, simulation.cycles, stack=simulation.stack(), asleep=simulation.asleep)
