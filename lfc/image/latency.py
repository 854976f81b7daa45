"""How long an AVR's kernel lets an interrupt wait: the longest pass of its loop, and what lies before a process runs.

A pass delivers one event or runs one action. All bounds are cycles, from the machine code (`longest_way`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import CHIPS
from lfc.codegen.module.generated import PolicyLayout
from lfc.codegen.module.line_table import file_name
from lfc.codegen.module.policy_layout import NOBODY, TURN_OWED
from lfc.codegen.module.unit import roots_of
from lfc.isa.avr.byte_sets import set_of
from lfc.isa.avr.code import decode
from lfc.isa.avr.execute import COMPARED, INTERRUPTS_OFF, Surroundings
from lfc.isa.avr.liveness import Liveness
from lfc.isa.avr.longest_path import Longest, longest_way
from lfc.semantics.model import typed
from lfc.toolchain.elf import Symbol, read_load_segments, read_symbol_list
from lfc.toolchain.line_rows import read_code_ranges

STATUS_OF_UART, TRANSMITTER_READY = 0xC0, 5  # the bit that the console polls: it comes as soon as a byte is on the line
BITS_OF_A_BYTE = 10
AROUND = 7  # from the end of a pass to the next one: a jump and a call
TICK = {"atmega328p": 11, "atmega2560": 17, "attiny85": 10}
RECEIVES = {"atmega328p": 18, "atmega2560": 25}
SENDS = {"atmega328p": 19, "atmega2560": 26}
SENT = "lf_console_sent"  # the port's own: changes when a byte of its buffer is on the line
ENDS = ("lf_fault", "lf_port_fault_line", "lf_port_halt", "lf_port_reset")
NO_ROUTINE = "unexpected_interrupt"
CLEARED_AT_MOST = 4  # instructions before the status is written
ADDS_SLEEPER = "lf_port_sleepers_add"


@dataclass(slots=True)
class Interrupt:
    number: int
    routine: int | None  # cycles of its routine, with its vector
    to_process: int | None  # from the interrupt to the end of the action that took it
    because: str = ""  # why there is no such bound


@dataclass(slots=True)
class Latency:
    """None: no bound is known."""

    longest_pass: int | None
    longest_line: int | None  # of the main module, in the pass that takes longest
    masked: int | None  # with interrupts off, without a routine's own time
    interrupts: list[Interrupt]
    loops: list[str] = field(default_factory=list)  # where no bound is known: `line N`, or the name of the code


def compute_latency(
    board: Board,
    elf: bytes,
    machine: Machine,
    policies: PolicyLayout,
    scheduler: str,
    c_routines: Collection[int] = (),
) -> Latency:
    """`c_routines`: interrupts whose routine is in C that is linked in."""
    found = _Bounds(board, elf, machine, policies)
    step = found.bound("lf_step")
    routines = {n: found.routine(n) for n in found.routines()}
    masked, where = found.masked()
    whole = None if step.cycles is None else step.cycles + AROUND + found.surroundings.far
    interrupts = []
    for n in machine.layout.interrupts:
        bound, because = None, _hindrance(board, machine, n, routines, c_routines, scheduler)
        if whole is None:
            because = "the longest action has none"
        elif masked is None:
            because = because or f"interrupts may stay off in {where}"
        elif not because:
            bound = _to_process(board, machine, n, whole, masked, routines)
            because = "" if bound is not None else "other interrupts may take all of the time"
        interrupts.append(Interrupt(n, routines.get(n), bound, because))
    return Latency(whole, found.line_of(step), masked, interrupts, found.places(step))


def _hindrance(
    board: Board,
    machine: Machine,
    number: int,
    routines: dict[int, int | None],
    c_routines: Collection[int],
    scheduler: str,
) -> str:
    """Why there is no bound, whatever the code takes; empty: nothing stands against one."""
    if scheduler != "rr":
        return "a process with an earlier deadline may always run first"
    if routines.get(number) is None:
        return "its own routine has none"
    chip = board.cpu.chip
    of_port = {TICK[chip], *(of[chip] for of in (RECEIVES, SENDS) if chip in of)}
    known = {*machine.layout.interrupts, *of_port} - {*c_routines}
    for n, cycles in routines.items():
        if n not in known:
            return f"it is unknown how often interrupt {n} occurs, whose routine is in C"
        if cycles is None:
            return f"the routine of interrupt {n} has none"
    return ""


def _response(board: Board) -> int:
    """To finish the instruction that runs, to wake up, and to interrupt."""
    far = int(CHIPS[board.cpu.chip].long_returns)
    return (4 + far) + 4 + (4 + far)


def _to_process(
    board: Board, machine: Machine, number: int, whole: int, masked: int, routines: dict[int, int | None]
) -> int | None:
    """The passes that can come before its taker has run, and other interrupts meanwhile.

    The pass that runs; if it delivers another interrupt, that one's taker; an ordinary turn that is owed then, with
    an event for each other process that waits for time or the console. Then the same, one delivery more, for each other
    interrupt, since each has its turn; its own delivery, and its taker.
    """
    others = sum(r.slots for r in machine.layout.records) - 1
    named = machine.layout.interrupts
    turn = min(others, _waiting_for_others(machine)) + 1
    passes = 2 + turn + (len(named) - 1) * (2 + turn) + 2
    own = routines[number]
    assert own is not None
    response = _response(board)
    rest = {n: cycles + response for n, cycles in routines.items() if cycles is not None and n != number}
    longest_other = max(rest.values(), default=0)
    base = max(masked, longest_other) + response + own + passes * whole
    base += sum(cycles * (1 + others) for n, cycles in rest.items() if n in named)
    # The tick comes each millisecond, a byte of the console as fast as the line brings or takes it.
    byte = BITS_OF_A_BYTE * board.cpu.clock // board.console.baud
    tick, each = TICK[board.cpu.chip], board.cpu.clock // 1000
    periodic = [(each if n == tick else byte, c) for n, c in rest.items() if n not in named]
    if sum(cycles / period for period, cycles in periodic) > 0.9:
        return None
    total = base
    while True:
        again = base + sum((total // period + 2) * cycles for period, cycles in periodic)
        if again == total:
            return total
        total = again


def _waiting_for_others(machine: Machine) -> int:
    """Slots that can wait for time or the console."""
    found: set[int] = set()
    for body in machine.bodies:
        events = (c.event for point in body.points for c in point.clauses)
        if any(isinstance(e, typed.Sleep | typed.AfterEvent | typed.ConsoleRead) for e in events):
            found.update(n for r in roots_of(machine.layout, body) for n in range(r.first_slot, r.first_slot + r.slots))
    return len(found)


def clears_interrupts(code: bytes, before: Sequence[int], at: int) -> bool:
    """Whether the instruction writes to the status what a constant has cleared of the bit for interrupts, in one of the
    few instructions before it."""
    w = code[at] | code[at + 1] << 8
    if w & 0xFE0F != 0xBE0F:  # OUT 3FH
        return False
    register = w >> 4 & 0x1F
    for place in reversed(before):
        w = code[place] | code[place + 1] << 8
        if w >> 12 in (0x7, 0xE) and 16 + (w >> 4 & 0xF) == register:  # ANDI, LDI
            return not w & 0x0800
        if w & 0xFC00 == 0x2400 and (w >> 4 & 0x1F, w & 0xF | w >> 5 & 0x10) == (register, register):  # CLR
            return True
    return register == 1  # zero, as compiled code leaves it


class _Bounds:
    def __init__(self, board: Board, elf: bytes, machine: Machine, policies: PolicyLayout) -> None:
        self.ranges = read_code_ranges(elf)
        self.machine = machine
        self.vector_size = CHIPS[board.cpu.chip].vector_size
        listed = read_symbol_list(elf)
        self.symbols = {s.name: s for s in listed}
        self.functions: list[Symbol] = [s for s in listed if s.kind == "function" and s.size]
        code = bytearray()
        for segment in read_load_segments(elf):
            code.extend(bytes(max(0, segment.load_address - len(code))))
            code[segment.load_address :] = segment.content
        memory = self.symbols["lf_memory"].target_address
        slots = range(int(not machine.bodies[0].can_wait and machine.slots > 1), machine.slots)
        facts = {memory + policies.cursor_at: set_of(slots)}  # after the first pass, which is the initialisation's
        within = {}
        if policies.sleepers_room:
            facts[memory + policies.sleepers_at] = set_of(range(policies.sleepers_room + 1))
            adds = self.symbols.get(ADDS_SLEEPER)
            if adds is not None:  # there is room for one more
                there = range(adds.address, adds.address + adds.size)
                within[memory + policies.sleepers_at] = there, set_of(range(policies.sleepers_room))
        if policies.takers:
            facts[memory + policies.taker_at] = set_of([*policies.takers, TURN_OWED, NOBODY])
        if policies.turn_at is not None:
            facts[memory + policies.turn_at] = set_of(range(policies.interrupts))
        if policies.arrivals_room:
            facts[memory + policies.arrivals_at] = set_of(range(policies.arrivals_room + 1))
        stack_end = board.ram.start + board.ram.size
        polled = [(STATUS_OF_UART, TRANSMITTER_READY)]
        if SENT in self.symbols:
            polled.append((self.symbols[SENT].target_address, COMPARED))
        divisor = (board.cpu.clock + 4 * board.console.baud) // (8 * board.console.baud)
        self.surroundings = Surroundings(
            bytes(code) + bytes(8),
            far=int(CHIPS[board.cpu.chip].long_returns),
            facts=facts,
            within=within,
            stack=range(board.ram.start, stack_end - 8),
            waits={(at, bit): BITS_OF_A_BYTE * 8 * divisor for at, bit in polled},
        )
        self.ends = {self.symbols[name].address for name in ENDS if name in self.symbols}

    def bound(self, name: str) -> Longest:
        return longest_way(self.surroundings, self.symbols[name].address, self.ends)

    def routines(self) -> list[int]:
        """Vectors that lead to a routine; several may lead to one."""
        table, none = self.symbols["__vectors"], self.symbols[NO_ROUTINE].address
        places = range(table.address, table.address + table.size, self.vector_size)
        targets = [decode(self.surroundings.code, at).target for at in places]
        return [n for n, target in enumerate(targets) if n and target != none]

    def routine(self, number: int) -> int | None:
        start = self.symbols["__vectors"].address + self.vector_size * number
        return longest_way(replace(self.surroundings, waits={}), start, self.ends).cycles

    def masked(self) -> tuple[int | None, str]:
        """The longest way from where interrupts are turned off to where they are on, or may be, again; or where there
        is no bound."""
        code = self.surroundings.code
        longest = 0
        live = Liveness(code, self.symbols["lf_step"].address)
        before: list[int] = []
        for at in sorted(live.instructions):
            cycles = 0
            if clears_interrupts(code, before[-CLEARED_AT_MOST:], at):
                cycles, start = 1, at + 2  # what is in the status is known there, and nowhere else
            elif code[at] | code[at + 1] << 8 == INTERRUPTS_OFF and at not in self.ends:
                start = at
            else:
                before.append(at)
                continue
            before.append(at)
            found = longest_way(replace(self.surroundings, until_unmasked=True), start, self.ends)
            if found.cycles is None:
                return None, ", ".join(self.places(found))
            longest = max(longest, cycles + found.cycles)
        return longest, ""

    def line_of(self, longest: Longest) -> int | None:
        """The first line of the main module on the way."""
        lines = [line for line in map(self._line_at, longest.way) if line is not None]
        return lines[0] if lines else None

    def _line_at(self, place: int) -> int | None:
        source = self.machine.program.main.source
        main = file_name(source, source)
        for r in self.ranges:
            if r.start <= place < r.end and r.line and r.file == main:
                return r.line
        return None

    def places(self, longest: Longest) -> list[str]:
        found = []
        for at in [*longest.loops, *longest.lost]:
            line = self._line_at(at)
            around = [s.name for s in self.functions if s.address <= at < s.address + s.size]
            found.append(f"line {line}" if line is not None else around[0] if around else f"{at:#x}")
        return list(dict.fromkeys(found))
