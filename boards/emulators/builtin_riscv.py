"""A RISC-V for the built-in simulator, with the devices of the FE310 and of the CH32V003."""

from __future__ import annotations

from collections.abc import Callable

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.builtin_console import BITS_OF_A_BYTE, NEVER, Happened, Receiver
from lfc.boards.emulators.builtin_cortexm import flash_of
from lfc.boards.emulators.builtin_registers import Registers
from lfc.isa.abi import RiscvStop as Stop
from lfc.isa.riscv.core import ASK, READ, TELL, WRITE, RiscvCore
from lfc.isa.riscv.memory_map import CONTROLLERS, CORES, DEVICES, UARTS
from lfc.toolchain.elf import Symbol

INTERRUPT, TIMER, EXTERNAL = 1 << 31, 7, 11
CAUSES = {  # of a trap: what went wrong
    Stop.OUTSIDE: 1,
    Stop.ILLEGAL: 2,
    Stop.BREAKS: 3,
    Stop.BAD_LOAD: 5,
    Stop.UNALIGNED: 6,
    Stop.BAD_STORE: 7,
    Stop.CALLS_SUPERVISOR: 11,
}
MTIME, MTIMECMP, MTIME_HZ = 0x0200BFF8, 0x02004000, 32_768
PLIC, PLIC_ENABLE, PLIC_CLAIM, PLIC_WORDS = 0x0C000000, 0x0C002000, 0x0C200004, 2
GPIO, FIRST_PIN_LINE = 0x10012000, 8
PINS_IN, PINS_IN_ON, PINS_OUT_ON, PINS_OUT, RISE_ENABLE, RISEN = (GPIO + at for at in (0, 4, 8, 0xC, 0x18, 0x1C))
CRYSTAL, PLL = 0x10008004, 0x10008008
WATCHDOG, WATCHDOG_COMPARE, RESETS_AND_RUNS = 0x10000000, 0x10000020, 1 << 8 | 1 << 12
CONSOLE_LINES = {"UART0": 3, "UART1": 4}
UART_ROOM = 8
RCC, STK, PFIC, STK_NUMBER, USART_NUMBER = 0x40021000, 0xE000F000, 0xE000E100, 12, 32
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


CHIPS: dict[str, type[Fe310 | Ch32v003]] = {"fe310": Fe310, "ch32v003": Ch32v003}


class Riscv:
    """What `builtin.Simulation` needs of a processor with its devices."""

    def __init__(
        self, board: Board, elf: bytes, symbols: dict[str, Symbol], halt: Symbol | None, say: Callable[[bytes], None]
    ) -> None:
        self.board, self.say = board, say
        controller = CONTROLLERS[board.cpu.chip]
        spaces = [*DEVICES[board.cpu.chip], *controller.lines, *controller.timer]
        flash, ram = flash_of(board, elf), board.ram
        self.core = RiscvCore(CORES[board.cpu.chip], board.flash.start, flash, [(ram.start, ram.size), *spaces])
        self.core.allow(ram.start, ram.size, READ | WRITE)
        for start, size in spaces:
            self.core.allow(start, size, READ | WRITE | ASK | TELL)
        self.core.watch(self._read, self._written)
        self.halt = halt.address if halt is not None else 0xFFFFFFFF
        self.reset()

    def reset(self) -> None:
        self.devices = CHIPS[self.board.cpu.chip](self.board, lambda: self.cycles, self.say)
        self.core.reset()
        if self.board.cpu.chip == "ch32v003":
            self.core.state.mie = 1  # of what stands for all

    @property
    def cycles(self) -> int:
        return int(self.core.state.cycles)

    def skip_to(self, cycles: int) -> None:
        self.core.state.cycles = max(self.cycles, cycles)

    @property
    def receiver(self) -> Receiver:
        return self.devices.receiver

    @property
    def byte_cycles(self) -> int:
        return self.devices.byte_cycles

    def listens(self) -> bool:
        return self.devices.listens()

    def next_due(self) -> int:
        return self.devices.next_due()

    def run_due(self) -> None:
        if self.devices.wants_reset:
            self.reset()
        self.devices.run_due()

    def look_for_interrupts(self) -> None:
        self.core.state.mip = self.devices.pending()

    def _read(self, address: int, size: int) -> int:
        value = self.devices.read(address, size)
        self.look_for_interrupts()
        return value

    def _written(self, address: int, size: int, value: int) -> None:
        self.devices.write(address, size, value)
        self.look_for_interrupts()
        due = 0 if self.devices.wants_reset else self.devices.next_due()
        self.core.state.end = min(self.core.state.end, due)

    def run(self, cycles: int) -> Happened:
        stop = self.core.run_to(self.halt, cycles)
        if stop is Stop.INTERRUPTED:
            self.core.trap(INTERRUPT | self.devices.waiting())
            return Happened.RAN
        if stop in CAUSES:
            return self._fault(CAUSES[stop])
        if stop is Stop.SLEEPS:
            return Happened.RAN if self.core.waits() else Happened.SLEPT
        if stop is Stop.AT_STOP:
            return Happened.HALTED
        return Happened.RAN if stop in (Stop.RUNS, Stop.TOO_LONG) else Happened.CRASHED

    def _fault(self, cause: int) -> Happened:
        """Its trap is told where it came from; a fault before there is any entry of traps is the end."""
        state = self.core.state
        state.pc = state.now
        if not state.mtvec or state.mcause == cause and state.mepc == state.now:
            return Happened.CRASHED
        self.core.trap(cause, int(state.where))
        return Happened.RAN

    def read(self, symbol: Symbol) -> bytes:
        return self.core.get(symbol.address, symbol.size)

    def ram(self, start: int, size: int) -> bytes:
        return self.core.get(start, size)

    def fill(self, start: int, content: bytes) -> None:
        self.core.put(start, content)
