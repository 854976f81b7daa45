"""The devices of the ESP32s with a RISC-V core, for the built-in simulator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.chips.chip import Registers
from lfc.boards.emulators.chips.console import BITS_OF_A_BYTE, NEVER, Receiver
from lfc.isa.riscv.memory_map import UARTS

ROOM = 128  # of each of the UART's FIFOs
SYSTIMER_HZ, CRYSTAL = 16_000_000, 40_000_000
KEY, RUNS, GUARDS_BOOT = 0x50D83AA1, 1 << 31, 1 << 14
BOOT_WATCHDOG = 2  # so many of a second until it bites, if the program leaves it on
RECEIVED, OVERFLOWN, INTERRUPTS = 1, 1 << 4, 32


@dataclass(frozen=True, slots=True)
class Places:
    """Where a chip has them: addresses, and numbers of sources."""

    matrix: int
    status: int
    enabled: int  # the core's interrupts
    priorities: int
    threshold: int
    systimer: int
    systimer_source: int
    uart_sources: dict[str, int]
    gpio: int
    gpio_source: int
    group: int  # timer group 0, with a watchdog
    rtc_watchdog: int
    rtc_watchdog_key: int
    rtc_boot: int  # the bit of the watchdog that guards the boot
    reset: int  # the register whose bit 31 resets all
    software: int  # interrupts that the program itself makes: the first register, and its source
    software_source: int


PLACES = {
    "esp32c3": Places(
        *(0x600C2000, 0x600C20F8, 0x600C2104, 0x600C2114, 0x600C2194, 0x60023000, 37, {"UART0": 21}),
        *(0x60004000, 16, 0x6001F000, 0x60008090, 0x600080A8, 1 << 12, 0x60008000, 0x600C0028, 50),
    ),
    "esp32c6": Places(
        *(0x60010000, 0x60010134, 0x20001000, 0x20001010, 0x20001090, 0x6000A000, 57, {"UART0": 43}),
        *(0x60091000, 30, 0x60008000, 0x600B1C00, 0x600B1C18, 1 << 12, 0x600B1034, 0x600C5090, 22),
    ),
}


class Esp32(Registers):
    """All devices of the chip. `now` says how many cycles are over; `write` gets what the console says."""

    def __init__(self, board: Board, now: Callable[[], int], write: Callable[[bytes], None]) -> None:
        super().__init__()
        self.board, self.now, self.say, self.at = board, now, write, PLACES[board.cpu.chip]
        self.wants_reset = False
        self.byte_cycles = board.cpu.clock * BITS_OF_A_BYTE // board.console.baud
        self.sent_at = 0  # when the transmitter is free again
        self.receiver = Receiver(ROOM)
        self.ticks, self.started, self.period = 0, NEVER, 0  # of the system timer: periods that are over
        self.fed = now()  # when the watchdog of the group was
        self.levels: dict[int, Callable[[], bool]] = {}
        self._matrix()
        self._systimer()
        self._uart(UARTS[board.cpu.chip][board.console.uart][0])
        self._pins()
        self._watchdogs()
        for n in range(4):
            place = self.at.software + 4 * n
            self.levels[self.at.software_source + n] = lambda p=place: bool(  # type: ignore[misc]
                self.registers.get(p, 0) & 1
            )

        def reset(value: int) -> None:
            self.wants_reset |= bool(value & RUNS)

        self.writes[self.at.reset] = reset

    # --- interrupts ---

    def _matrix(self) -> None:
        for word in range(3):
            self.reads[self.at.status + 4 * word] = lambda _, w=word: sum(  # type: ignore[misc]
                1 << line % 32 for line, is_on in self.levels.items() if line // 32 == w and is_on()
            )

    def _led_to(self, source: int) -> int:
        return self.registers.get(self.at.matrix + 4 * source, 0) % INTERRUPTS

    def _is_taken(self, interrupt: int) -> bool:
        priority = self.registers.get(self.at.priorities + 4 * interrupt, 0)
        enabled = self.registers.get(self.at.enabled, 0) >> interrupt & 1
        return bool(enabled and interrupt and priority and priority >= self.registers.get(self.at.threshold, 0))

    def waiting(self) -> int:
        """The core's interrupt that is to be taken; 0: there is none."""
        there = (self._led_to(source) for source, is_on in self.levels.items() if is_on())
        return min((i for i in there if self._is_taken(i)), default=0)

    def pending(self) -> int:
        return int(self.waiting() > 0)  # one bit stands for all

    def listens(self) -> bool:
        return self._is_taken(self._led_to(self.at.uart_sources[self.board.console.uart]))

    # --- the system timer, in periods, of its first target ---

    def _systimer(self) -> None:
        at = self.at.systimer

        def configure(value: int) -> None:
            mode = self.registers.get(at + 0x34, 0)
            runs = value & 1 << 24 and value & 1 << 30 and mode & 1 << 30
            if runs and self.started == NEVER:
                self.started, self.ticks, self.period = self.now(), 0, mode & 0x3FFFFFF
            elif not runs:
                self.started = NEVER
            self.registers[at] = value

        self.registers[at] = 0x46000000
        self.writes[at] = configure
        self.writes[at + 0x6C] = lambda v: self.change(at + 0x68, 0, v)
        self.levels[self.at.systimer_source] = lambda: bool(
            self.registers.get(at + 0x68, 0) & self.registers.get(at + 0x64, 0) & 1
        )

    def next_due(self) -> int:
        tick = NEVER
        if self.started != NEVER and self.period:
            tick = self.started + (self.ticks + 1) * self.period * self.board.cpu.clock // SYSTIMER_HZ
        return min(tick, self._bites_at())

    def run_due(self) -> None:
        if self._bites_at() <= self.now():
            self.wants_reset = True
            self.fed = NEVER // 2
        while self.next_due() <= self.now():
            self.ticks += 1
            self.change(self.at.systimer + 0x68, 1, 0)

    # --- the console ---

    def _uart(self, at: int) -> None:
        def waiting_to_be_sent() -> int:
            return max(0, -(-(self.sent_at - self.now()) // self.byte_cycles))

        def send(value: int) -> None:
            self.say(bytes([value & 0xFF]))
            self.sent_at = max(self.now(), self.sent_at) + self.byte_cycles

        def raw(_: int) -> int:
            return (RECEIVED if self.receiver.bytes else 0) | (OVERFLOWN if self.receiver.lost else 0)

        def forget(value: int) -> None:
            self.receiver.lost &= not value & OVERFLOWN

        self.writes[at], self.reads[at] = send, lambda _: self.receiver.take()
        self.reads[at + 4], self.writes[at + 0x10] = raw, forget
        self.reads[at + 0x1C] = lambda _: len(self.receiver.bytes) | min(ROOM - 1, waiting_to_be_sent()) << 16
        source = self.at.uart_sources[self.board.console.uart]
        self.levels[source] = lambda: bool(raw(0) & self.registers.get(at + 0xC, 0))

    # --- pins: an output is read as it is driven, and may interrupt when it rises ---

    def _pins(self) -> None:
        at = self.at.gpio
        out, enabled, status = at + 4, at + 0x20, at + 0x44

        def change(on: int, off: int) -> None:
            before = self.registers.get(out, 0)
            self.change(out, on, off)
            rose = self.registers[out] & ~before & self.registers.get(enabled, 0)
            for pin in range(32):
                if rose >> pin & 1 and self.registers.get(at + 0x74 + 4 * pin, 0) >> 7 & 7 in (1, 3):
                    self.change(status, 1 << pin, 0)

        self.writes[at + 8] = lambda v: change(v, 0)
        self.writes[at + 0xC] = lambda v: change(0, v)
        self.bits(enabled, at + 0x24, at + 0x28)
        self.bits(status, at + 0x48, at + 0x4C)
        self.reads[at + 0x3C] = lambda _: self.registers.get(out, 0) & self.registers.get(enabled, 0)
        self.levels[self.at.gpio_source] = lambda: any(
            self.registers.get(status, 0) >> pin & 1 and self.registers.get(at + 0x74 + 4 * pin, 0) >> 13 & 1
            for pin in range(32)
        )

    # --- watchdogs: both of them run when the loader in the ROM hands over, and each has its key ---

    def _watchdogs(self) -> None:
        group = self.at.group
        self.registers[group + 0x48] = GUARDS_BOOT
        self.registers[self.at.rtc_watchdog] = self.at.rtc_boot
        for offset in (0x48, 0x4C, 0x50):
            self._lock(group + offset, group + 0x64)
        self._lock(self.at.rtc_watchdog, self.at.rtc_watchdog_key)

        def feed(value: int) -> None:
            if value and self.registers.get(group + 0x64) == KEY:
                self.fed = self.now()

        self.writes[group + 0x60] = feed

    def _lock(self, register: int, key: int) -> None:
        def put(value: int) -> None:
            if self.registers.get(key) == KEY:
                self.registers[register] = value

        self.writes[register] = put

    def _bites_at(self) -> int:
        group, clock = self.at.group, self.board.cpu.clock
        config = self.registers[group + 0x48]
        if config & GUARDS_BOOT or self.registers[self.at.rtc_watchdog] & self.at.rtc_boot:
            return self.fed + clock // BOOT_WATCHDOG
        if not config & RUNS:
            return NEVER
        prescale = self.registers.get(group + 0x4C, 1 << 16) >> 16
        return self.fed + self.registers.get(group + 0x50, 0) * prescale * clock // CRYSTAL
