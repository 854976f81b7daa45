"""The devices of the FE310 and of the CH32V003, for the built-in simulator."""

from __future__ import annotations

from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.chips.chip import Registers
from lfc.boards.emulators.chips.console import BITS_OF_A_BYTE, NEVER, Receiver
from lfc.isa.riscv.memory_map import UARTS

TIMER, EXTERNAL = 7, 11
MTIME, MTIMECMP, MTIME_HZ = 0x0200BFF8, 0x02004000, 32_768
PLIC, PLIC_ENABLE, PLIC_CLAIM, PLIC_WORDS = 0x0C000000, 0x0C002000, 0x0C200004, 2
GPIO, FIRST_PIN_LINE = 0x10012000, 8
PINS_IN, PINS_IN_ON, PINS_OUT_ON, PINS_OUT, RISE_ENABLE, RISEN = (GPIO + at for at in (0, 4, 8, 0xC, 0x18, 0x1C))
CRYSTAL, PLL = 0x10008004, 0x10008008
WATCHDOG, WATCHDOG_COMPARE, RESETS_AND_RUNS = 0x10000000, 0x10000020, 1 << 8 | 1 << 12
CONSOLE_LINES = {"UART0": 3, "UART1": 4}
UART_ROOM = 8
RCC, STK, PFIC, STK_NUMBER, USART_NUMBER = 0x40021000, 0xE000F000, 0xE000E100, 12, 32
MTIME_OF_NUCLEI, CYCLES_OF_A_TICK, ECLIC, FWDGT = 0xD1000000, 4, 0xD2001000, 0x40003000
MTIMER_OF_NUCLEI, USART0_OF_GD32 = 7, 56
PORTS, PORTS_END = 0x40010800, 0x40011C00
NOTHING = 1 << 31  # of the UART's registers: full, or empty


class Fe310(Registers):
    """All devices of the chip. `now` says how many cycles are over; `write` gets what the console says."""

    def __init__(self, board: Board, now: Callable[[], int], write: Callable[[bytes], None]) -> None:
        super().__init__()
        self.board, self.now, self.say = board, now, write
        self.wants_reset = False
        self.byte_cycles = board.cpu.clock * BITS_OF_A_BYTE // board.console.baud
        self.sent_at = 0  # when the transmitter is free again
        self.receiver = Receiver(UART_ROOM)
        self.claimed = 0  # lines whose gateways are closed
        self.console_line = CONSOLE_LINES[board.console.uart]
        self.levels: dict[int, Callable[[], bool]] = {}
        self._clock()
        self._timer()
        self._controller()
        self._uart(UARTS[board.cpu.chip][board.console.uart][0])
        self._pins()

    def _clock(self) -> None:
        self.reads[CRYSTAL] = lambda v: v | (v & 1 << 30) << 1  # what is on is ready
        self.reads[PLL] = lambda v: v | 1 << 31  # locked

        def watchdog(value: int) -> None:
            """Which bites at once; else it does nothing."""
            self.registers[WATCHDOG] = value
            starts = value & RESETS_AND_RUNS == RESETS_AND_RUNS
            self.wants_reset |= starts and not self.registers.get(WATCHDOG_COMPARE, 0)

        self.writes[WATCHDOG] = watchdog

    def _timer(self) -> None:
        self.registers[MTIMECMP] = self.registers[MTIMECMP + 4] = 0xFFFFFFFF
        self.reads[MTIME] = lambda _: self._ticks() & 0xFFFFFFFF
        self.reads[MTIME + 4] = lambda _: self._ticks() >> 32

    def _ticks(self) -> int:
        return self.now() * MTIME_HZ // self.board.cpu.clock

    def next_due(self) -> int:
        """In cycles, when the timer is reached."""
        ticks = self.registers[MTIMECMP] | self.registers[MTIMECMP + 4] << 32
        if ticks >> 40:
            return NEVER
        due = -(-ticks * self.board.cpu.clock // MTIME_HZ)
        return due if due > self.now() else NEVER

    def pending(self) -> int:
        """As in `mip`."""
        timer = self._ticks() >= self.registers[MTIMECMP] | self.registers[MTIMECMP + 4] << 32
        return timer << TIMER | bool(self._waiting()) << EXTERNAL

    def _controller(self) -> None:
        def claim(_: int) -> int:
            line = self._waiting()
            self.claimed |= 1 << line if line else 0
            return line

        def complete(line: int) -> None:
            if self._is_enabled(line):  # else it is ignored
                self.claimed &= ~(1 << line)

        self.reads[PLIC_CLAIM], self.writes[PLIC_CLAIM] = claim, complete

    def _is_enabled(self, line: int) -> bool:
        return bool(self.registers.get(PLIC_ENABLE + line // 32 * 4, 0) >> line % 32 & 1)

    def _waiting(self) -> int:
        """The line that is to be taken; 0: there is none."""
        for line, is_on in self.levels.items():
            open_ = self._is_enabled(line) and not self.claimed >> line & 1
            if open_ and self.registers.get(PLIC + 4 * line) and is_on():
                return line
        return 0

    def _uart(self, at: int) -> None:
        def send(value: int) -> None:
            self.say(bytes([value & 0xFF]))
            self.sent_at = max(self.now(), self.sent_at) + self.byte_cycles

        def is_full() -> bool:
            return self.sent_at - self.now() > (UART_ROOM - 1) * self.byte_cycles

        self.writes[at] = send
        self.reads[at] = lambda _: NOTHING if is_full() else 0
        self.reads[at + 4] = lambda _: self.receiver.take() if self.receiver.bytes else NOTHING
        self.levels[self.console_line] = lambda: bool(self.registers.get(at + 0x10, 0) & 2 and self.receiver.bytes)

    def _pins(self) -> None:
        """An output that is an input too is read, and may interrupt when it rises."""

        def put(value: int) -> None:
            driven = self.registers.get(PINS_OUT_ON, 0) & self.registers.get(PINS_IN_ON, 0)
            self.change(RISEN, ~self.registers.get(PINS_OUT, 0) & value & driven, 0)
            self.registers[PINS_OUT] = value

        self.writes[PINS_OUT] = put
        self.writes[RISEN] = lambda v: self.change(RISEN, 0, v)
        self.reads[PINS_IN] = lambda _: (
            self.registers.get(PINS_OUT, 0) & self.registers.get(PINS_OUT_ON, 0) & self.registers.get(PINS_IN_ON, 0)
        )
        for pin in range(32):
            self.levels[FIRST_PIN_LINE + pin] = lambda p=pin: bool(  # type: ignore[misc]
                self.registers.get(RISEN, 0) & self.registers.get(RISE_ENABLE, 0) & 1 << p
            )

    def listens(self) -> bool:
        return self._is_enabled(self.console_line)

    def run_due(self) -> None:
        """The timer goes by itself."""

    def waiting(self) -> int:
        pending = self.pending()
        return EXTERNAL if pending >> EXTERNAL else TIMER if pending else 0


class Ch32v003(Registers):
    """All devices of the chip."""

    def __init__(self, board: Board, now: Callable[[], int], write: Callable[[bytes], None]) -> None:
        super().__init__()
        self.board, self.now, self.say = board, now, write
        self.wants_reset = False
        self.byte_cycles = board.cpu.clock * BITS_OF_A_BYTE // board.console.baud
        self.sent_at = 0
        self.receiver = Receiver(1)
        self.due = NEVER  # of SysTick
        self._clock()
        self._systick()
        self._controller()
        self._usart(UARTS[board.cpu.chip][board.console.uart][0])
        for at in range(PORTS, PORTS_END, 0x400):
            self.writes[at + 0x10] = lambda v, o=at + 0xC: self.change(o, v & 0xFFFF, v >> 16 & ~v)  # type: ignore[misc]
            self.writes[at + 0x14] = lambda v, o=at + 0xC: self.change(o, 0, v)  # type: ignore[misc]

    def _clock(self) -> None:
        self.registers[RCC] = 0x83
        self.reads[RCC] = lambda v: v & ~0x02020002 | (v & 0x01010001) << 1  # what is on is ready
        self.reads[RCC + 4] = lambda v: v & ~0xC | (v & 3) << 2

    def _systick(self) -> None:
        def start(value: int) -> None:
            self.registers[STK] = value
            self.due = self.now() + self.registers.get(STK + 0x10, 0) + 1 if value & 1 else NEVER

        self.writes[STK] = start

    def _controller(self) -> None:
        def reset(value: int) -> None:
            self.wants_reset = value == 0xBEEF0080

        for n in (0, 4):
            self.bits(PFIC + n, PFIC + n, PFIC + 0x80 + n)
        self.writes[PFIC - 0xB8] = reset

    def _usart(self, at: int) -> None:
        def status(_: int) -> int:
            ready = 0xC0 if self.now() >= self.sent_at else 0
            return ready | (0x20 if self.receiver.bytes else 0) | (8 if self.receiver.lost else 0)

        def take(_: int) -> int:
            self.receiver.lost = False
            return self.receiver.take()

        def send(value: int) -> None:
            self.say(bytes([value & 0xFF]))
            self.sent_at = self.now() + self.byte_cycles

        self.reads[at], self.reads[at + 4], self.writes[at + 4] = status, take, send
        self.control = at + 0xC

    def _is_enabled(self, number: int) -> bool:
        return bool(self.registers.get(PFIC + number // 32 * 4, 0) >> number % 32 & 1)

    def waiting(self) -> int:
        """The number of the interrupt that is to be taken; 0: there is none."""
        ticked = self.registers.get(STK + 4, 0) & 1 and self.registers.get(STK, 0) & 2
        heard = self.registers.get(self.control, 0) & 0x20 and (self.receiver.bytes or self.receiver.lost)
        for number, is_on in ((STK_NUMBER, ticked), (USART_NUMBER, heard)):
            if is_on and self._is_enabled(number):
                return number
        return 0

    def pending(self) -> int:
        return int(self.waiting() > 0)  # the core has no `mip`: one bit stands for all

    def next_due(self) -> int:
        return self.due

    def run_due(self) -> None:
        while self.due <= self.now():
            self.registers[STK + 4] = 1
            self.due += self.registers.get(STK + 0x10, 0) + 1

    def listens(self) -> bool:
        return self._is_enabled(USART_NUMBER)


class Gd32vf103(Ch32v003):
    """Its USART and its clocks are those of the CH32V003; the core's timer and its ECLIC are Nuclei's."""

    def _systick(self) -> None:
        self.registers[MTIME_OF_NUCLEI + 8] = self.registers[MTIME_OF_NUCLEI + 12] = 0xFFFFFFFF
        self.reads[MTIME_OF_NUCLEI] = lambda _: self._ticks() & 0xFFFFFFFF
        self.reads[MTIME_OF_NUCLEI + 4] = lambda _: self._ticks() >> 32

    def _ticks(self) -> int:
        return self.now() // CYCLES_OF_A_TICK

    def _compare(self) -> int:
        return self.registers[MTIME_OF_NUCLEI + 8] | self.registers[MTIME_OF_NUCLEI + 12] << 32

    def _controller(self) -> None:
        def watchdog(value: int) -> None:
            """Which bites at once, where it has so little to count; else it does nothing."""
            self.wants_reset |= value == 0xCCCC and not self.registers.get(FWDGT + 8, 0xFFF)

        self.writes[FWDGT] = watchdog

    def _is_enabled(self, number: int) -> bool:
        return bool(self.registers.get(ECLIC + 4 * number, 0) >> 8 & 1)

    def waiting(self) -> int:
        ticked = self._ticks() >= self._compare()
        heard = self.registers.get(self.control, 0) & 0x20 and (self.receiver.bytes or self.receiver.lost)
        for number, is_on in ((MTIMER_OF_NUCLEI, ticked), (USART0_OF_GD32, heard)):
            if is_on and self._is_enabled(number):
                return number
        return 0

    def next_due(self) -> int:
        due = self._compare() * CYCLES_OF_A_TICK
        return due if self.now() < due < NEVER else NEVER

    def run_due(self) -> None:
        """The timer goes by itself."""

    def listens(self) -> bool:
        return self._is_enabled(USART0_OF_GD32)
