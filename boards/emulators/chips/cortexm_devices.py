"""The devices of a Cortex-M that the port uses, for the built-in simulator: clock control, tick, console, interrupts.

Registers that are not known here hold what is written to them.
"""

from __future__ import annotations

from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import USB
from lfc.boards.emulators.chips.chip import Registers
from lfc.boards.emulators.chips.console import BITS_OF_A_BYTE, NEVER, Receiver
from lfc.isa.core_memory import CoreWithMemory
from lfc.isa.thumb.memory_map import NRF51, PL011, SERCOM, STM32_NEW, UARTS

SYSTICK, ENABLE_LINES, DISABLE_LINES, SET_PENDING, FORGET_PENDING = (
    0xE000E010,
    0xE000E100,
    0xE000E180,
    0xE000E200,
    0xE000E280,
)
PENDING_STATUS, VECTOR_TABLE, RESET_CONTROL = 0xE000ED04, 0xE000ED08, 0xE000ED0C
RESET_REQUEST, SYSTICK_PENDS, SYSTICK_FORGOTTEN = 0x05FA0004, 1 << 26, 1 << 25
ROOM_OF_A_HOST = 1 << 20  # bytes that it keeps for a device
SYSTICK_EXCEPTION, FIRST_LINE = 15, 16
NRF = ("nrf51822", "nrf52833", "nrf52840")
NRF_TIMER_HZ = 16_000_000
F4 = ("stm32f401", "stm32f405", "stm32f407", "stm32f411")
CONSOLE_LINES = {
    **{chip: {"UART0": 2} for chip in NRF},
    "stm32f100": {"USART1": 37, "USART2": 38, "USART3": 39},
    "stm32f103": {"USART1": 37, "USART2": 38, "USART3": 39},
    **{chip: {"USART1": 37, "USART2": 38, "USART3": 39, "USART6": 71} for chip in F4},
    "stm32g071": {"USART1": 27, "USART2": 28},
    "stm32l476": {"USART1": 37, "USART2": 38},
    "lm3s6965": {"UART0": 5},
    "samd21g18": {"SERCOM0": 9, "SERCOM5": 14},
    "rp2040": {"UART0": 20, "UART1": 21},
    "rp2350": {"UART0": 33, "UART1": 34},
}
NRF_TIMERS = {0x40008000: 8, 0x40009000: 9, 0x4000A000: 10}  # lines
STM32_CLOCK = {"stm32f100": (0x40021000, 4), "stm32f103": (0x40021000, 4), **dict.fromkeys(F4, (0x40023800, 8))}
STM32_PORTS = {
    "stm32f100": (range(0x40010800, 0x40012000, 0x400), 0x0C, 0x10),
    "stm32f103": (range(0x40010800, 0x40012000, 0x400), 0x0C, 0x10),
    **dict.fromkeys(F4, (range(0x40020000, 0x40022400, 0x400), 0x14, 0x18)),
    "stm32g071": (range(0x50000000, 0x50001800, 0x400), 0x14, 0x18),
    "stm32l476": (range(0x48000000, 0x48002000, 0x400), 0x14, 0x18),
}
NEWER_STM32 = {"stm32g071": (3, 7), "stm32l476": (2, 3)}  # where the clock's source is told, its bits
NRF_PORT = 0x50000000


class Interrupts:
    """The controller: which lines are enabled, and which wait."""

    def __init__(self) -> None:
        self.enabled = self.pending = 0
        self.systick = False  # it waits
        self.levels: dict[int, Callable[[], bool]] = {}  # lines that wait for as long as this says so

    def next(self) -> int:
        """The exception that comes first; 0: none."""
        if self.systick:
            return SYSTICK_EXCEPTION
        waiting = self.pending & self.enabled
        for line, is_on in self.levels.items():
            if self.enabled >> line & 1 and is_on():
                waiting |= 1 << line
        return FIRST_LINE + (waiting & -waiting).bit_length() - 1 if waiting else 0

    def taken(self, exception: int) -> None:
        if exception == SYSTICK_EXCEPTION:
            self.systick = False
        else:
            self.pending &= ~(1 << exception - FIRST_LINE)


class Devices(Registers):
    """All of one board. `now` says how many cycles are over; `write` gets what the console says."""

    ram: CoreWithMemory  # of those that reach it by themselves

    def __init__(self, board: Board, now: Callable[[], int], write: Callable[[bytes], None]) -> None:
        super().__init__()
        self.board, self.now, self.say = board, now, write
        self.host: Callable[[], tuple[bool, bool]] | None = None  # over USB: it listens; it has more to take
        self.interrupts = Interrupts()
        self.table = board.flash.start
        self.wants_reset = False
        self.due: dict[str, int] = {"tick": NEVER, "timer": NEVER}
        self.timer: tuple[Callable[[], None], Callable[[], int]] = (lambda: None, lambda: NEVER)
        self.byte_cycles = board.cpu.clock * BITS_OF_A_BYTE // board.console.baud
        self.sent_at = 0  # when the transmitter is free again
        self._systick()
        self._lines()
        self._clock()
        self._ports()
        self._console()
        if board.cpu.chip in NRF:
            for at, line in NRF_TIMERS.items():
                self._nrf_timer(at, line)

    # --- what every Cortex-M has ---

    def _systick(self) -> None:
        control, reload, current = SYSTICK, SYSTICK + 4, SYSTICK + 8

        def start(value: int) -> None:
            self.registers[control] = value
            self.due["tick"] = self.now() + self.registers.get(reload, 0) + 1 if value & 1 else NEVER

        def restart(_: int) -> None:
            if self.due["tick"] != NEVER:
                self.due["tick"] = self.now() + self.registers.get(reload, 0) + 1

        self.writes[control], self.writes[current] = start, restart
        self.reads[current] = lambda _: max(0, self.due["tick"] - self.now()) & 0xFFFFFF

    def _tick(self) -> None:
        self.due["tick"] += self.registers.get(SYSTICK + 4, 0) + 1
        self.interrupts.systick |= bool(self.registers.get(SYSTICK, 0) & 2)

    def _lines(self) -> None:
        i = self.interrupts

        def changer(what: str, shift: int, on: bool) -> Callable[[int], None]:
            def changed(value: int) -> None:
                before = getattr(i, what)
                setattr(i, what, before | value << shift if on else before & ~(value << shift))

            return changed

        for n in range(4):
            for what, on_at, off_at in (
                ("enabled", ENABLE_LINES, DISABLE_LINES),
                ("pending", SET_PENDING, FORGET_PENDING),
            ):
                for at, on in ((on_at, True), (off_at, False)):
                    self.writes[at + 4 * n] = changer(what, 32 * n, on)
                    self.reads[at + 4 * n] = lambda _, w=what, s=32 * n: getattr(i, w) >> s & 0xFFFFFFFF  # type: ignore[misc]

        def status(value: int) -> None:
            i.systick = bool(value & SYSTICK_PENDS) or (i.systick and not value & SYSTICK_FORGOTTEN)

        def vectors(value: int) -> None:
            self.table = value

        def reset(value: int) -> None:
            self.wants_reset = value == RESET_REQUEST

        self.writes[PENDING_STATUS], self.writes[VECTOR_TABLE], self.writes[RESET_CONTROL] = status, vectors, reset

    # --- what chips have ---

    def _clock(self) -> None:
        chip = self.board.cpu.chip
        if chip in NRF:
            self.reads[0x40000100] = lambda _: 1  # the crystal has started
        elif chip == "lm3s6965":
            self.reads[0x400FE050] = lambda _: 0x40  # the PLL is locked
        elif chip in NEWER_STM32:
            shift, mask = NEWER_STM32[chip]
            self.reads[0x40021000] = lambda v: v | (v & 1 << 8) << 2 | (v & 1 << 24) << 1 | (v & 1) << 1
            self.reads[0x40021008] = lambda v: v & ~(mask << shift) | (v & mask) << shift
        else:
            control, way = STM32_CLOCK[chip]
            self.registers[control] = 0x83
            self.reads[control] = lambda v: v & ~0x02020002 | (v & 0x01010001) << 1  # what is on is ready
            self.reads[control + way] = lambda v: v & ~0xC | (v & 3) << 2

    def _ports(self) -> None:
        chip = self.board.cpu.chip
        if chip in NRF:
            for at in (NRF_PORT, NRF_PORT + 0x300):
                self.bits(at + 0x504, at + 0x508, at + 0x50C)
        elif chip in STM32_PORTS:
            ports, output, changes = STM32_PORTS[chip]
            for at in ports:
                self.writes[at + changes] = lambda v, o=at + output: self.change(o, v & 0xFFFF, v >> 16 & ~v)  # type: ignore[misc]
                if chip.startswith("stm32f1"):
                    self.writes[at + changes + 4] = lambda v, o=at + output: self.change(o, 0, v)  # type: ignore[misc]

    def _nrf_timer(self, at: int, line: int) -> None:
        reached, enable, prescaler, compare = at + 0x140, at + 0x304, at + 0x510, at + 0x540

        def period() -> int:
            counts = max(1, self.registers.get(compare, 0)) << (self.registers.get(prescaler, 0) & 15)
            return counts * self.board.cpu.clock // NRF_TIMER_HZ

        def start(_: int) -> None:
            self.due["timer"] = self.now() + period()
            self.timer = lambda: self.change(reached, 1, 0), period

        def stop(_: int) -> None:
            self.due["timer"] = NEVER

        self.writes[at], self.writes[at + 4] = start, stop
        self.bits(enable, enable)
        self.interrupts.levels[line] = lambda: bool(self.registers.get(reached) and self.registers.get(enable, 0) >> 16)

    # --- the console ---

    def _console(self) -> None:
        if self.board.console.uart == USB:
            self.receiver = Receiver(ROOM_OF_A_HOST)
            self.usb()
            return
        at, kind = UARTS[self.board.cpu.chip][self.board.console.uart]
        line = CONSOLE_LINES[self.board.cpu.chip][self.board.console.uart]
        self.receiver = Receiver(6 if kind is NRF51 else 16 if kind is PL011 else 1)
        self.console_line = line
        if kind is NRF51:
            self._nrf_uart(at, line)
        elif kind is PL011:
            self._pl011(at, line)
        elif kind is STM32_NEW:
            self._newer_stm32_uart(at, line)
        elif kind is SERCOM:
            self.other_uart(at, line)
        else:
            self._stm32_uart(at, line)

    def usb(self) -> None:
        """The controller, of chips that have one, and a host."""
        raise NotImplementedError

    def sends(self) -> bool:
        """Whether what it was given to send is not out yet, though the processor sleeps."""
        return self.host is not None and self.host()[1]

    def other_uart(self, at: int, line: int) -> None:
        """Of a kind that only its own chips have."""
        raise NotImplementedError

    def _send(self, value: int) -> None:
        self.say(bytes([value & 0xFF]))
        self.sent_at = self.now() + self.byte_cycles

    def _is_free(self) -> bool:
        return self.now() >= self.sent_at

    def _nrf_uart(self, at: int, line: int) -> None:
        came, sent, wrong, what, enable = at + 0x108, at + 0x11C, at + 0x124, at + 0x480, at + 0x304

        def send(value: int) -> None:
            self._send(value)
            self.registers[sent] = 2  # it will have been sent

        def take(_: int) -> int:
            value = self.receiver.take()
            self.registers[came] = int(bool(self.receiver.bytes))
            return value

        def tell() -> bool:
            if self.receiver.bytes and not self.registers.get(came):
                self.registers[came] = 1
            if self.receiver.lost:
                self.registers[wrong] = self.registers[what] = 1
                self.receiver.lost = False
            mask = self.registers.get(enable, 0)
            return bool((mask >> 2 & self.registers.get(came, 0)) | (mask >> 9 & self.registers.get(wrong, 0)))

        self.writes[at + 0x51C] = send
        self.reads[sent] = lambda v: int(v == 1 or (v == 2 and self._is_free()))
        self.reads[at + 0x518] = take
        self.reads[what] = lambda v: v
        self.writes[what] = lambda v: self.change(what, 0, v)
        self.bits(enable, enable)
        self.interrupts.levels[line] = tell

    def _stm32_uart(self, at: int, line: int) -> None:
        def status(_: int) -> int:
            ready = 0xC0 if self._is_free() else 0
            return ready | (0x20 if self.receiver.bytes else 0) | (8 if self.receiver.lost else 0)

        def take(_: int) -> int:
            self.receiver.lost = False
            return self.receiver.take()

        self.reads[at], self.reads[at + 4], self.writes[at + 4] = status, take, self._send
        self.interrupts.levels[line] = lambda: bool(
            self.registers.get(at + 0xC, 0) & 0x20 and (self.receiver.bytes or self.receiver.lost)
        )

    def _newer_stm32_uart(self, at: int, line: int) -> None:
        def status(_: int) -> int:
            ready = 0xC0 if self._is_free() else 0
            return ready | (0x20 if self.receiver.bytes else 0) | (8 if self.receiver.lost else 0)

        def forget(value: int) -> None:
            self.receiver.lost &= not value & 8

        self.reads[at + 0x1C], self.writes[at + 0x20] = status, forget
        self.reads[at + 0x24], self.writes[at + 0x28] = lambda _: self.receiver.take(), self._send
        self.interrupts.levels[line] = lambda: bool(
            self.registers.get(at, 0) & 0x20 and (self.receiver.bytes or self.receiver.lost)
        )

    def _pl011(self, at: int, line: int) -> None:
        def take(_: int) -> int:
            lost, self.receiver.lost = self.receiver.lost, False
            return self.receiver.take() | (0x800 if lost else 0)

        self.reads[at], self.writes[at] = take, self._send
        self.reads[at + 0x18] = lambda _: (0 if self._is_free() else 0x20) | (0 if self.receiver.bytes else 0x10)
        self.interrupts.levels[line] = lambda: bool(self.registers.get(at + 0x38, 0) & 0x50 and self.receiver.bytes)

    def listens(self) -> bool:
        if self.host is not None:
            return self.host()[0]
        return bool(self.interrupts.enabled >> self.console_line & 1)

    # --- time ---

    def next_due(self) -> int:
        return min(self.due.values())

    def run_due(self) -> None:
        while self.due["tick"] <= self.now():
            self._tick()
        while self.due["timer"] <= self.now():
            reach, period = self.timer
            reach()
            self.due["timer"] += period()
