"""Executes AVR machine code abstractly: from instruction to instruction with what is known of the state, with cycles.

Cycles are those of the data sheets of the ATmega family, with the program counter's 16 or 22 bits.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

from lfc.isa.avr.byte_sets import ANY, CARRY, ZERO, members, only, swapped, the_only, with_bit
from lfc.isa.avr.code import Does, decode
from lfc.isa.avr.state import UNKNOWN_FLAGS, State

STACK_LOW, STACK_HIGH, STATUS = 0x5D, 0x5E, 0x5F
INTERRUPTS_OFF, INTERRUPTS_ON = 0x94F8, 0x9478
COMPARED = -1
X, Y, Z = 26, 28, 30
INTERRUPTS_ARE_ON = sum(1 << v for v in range(128, 256))  # the values of the status
ARITHMETIC: dict[int, tuple[str, bool]] = {
    0x0400: ("sbc", False),  # CPC
    0x0800: ("sbc", True),
    0x0C00: ("add", True),
    0x1400: ("sub", False),  # CP
    0x1800: ("sub", True),
    0x1C00: ("adc", True),
    0x2000: ("and", True),
    0x2400: ("eor", True),
    0x2800: ("or", True),
}
WITH_CONSTANT: dict[int, tuple[str, bool]] = {
    0x3000: ("sub", False),  # CPI
    0x4000: ("sbc", True),
    0x5000: ("sub", True),
    0x6000: ("or", True),
    0x7000: ("and", True),
}
ON_ONE: dict[int, str] = {0: "com", 1: "neg", 3: "inc", 5: "asr", 6: "lsr", 7: "ror", 10: "dec"}
WITH_ITSELF = {"add": "lsl", "adc": "rol", "and": "test", "or": "test"}


class End(Enum):
    RETURNED = "returned"
    LOST = "lost"  # it goes on by a pointer that is not known
    MASKED_NO_MORE = "masked no more"


@dataclass(slots=True)
class Surroundings:
    """What is known of the memory and of the devices at any time."""

    code: bytes
    far: int = 0  # cycles more that a call, a return take with a program counter of 22 bits
    facts: Mapping[int, int] = field(default_factory=dict)  # address -> the values that it can hold
    within: Mapping[int, tuple[range, int]] = field(default_factory=dict)  # the same, while the code there runs
    tracked: range = range(0)  # memory of which what was written is remembered, beside the stack
    stack: range = range(0)
    # Device registers that are polled for a bit -> cycles until it is set. COMPARED: variables of a routine that are
    # compared with a register -> cycles until they change.
    waits: Mapping[tuple[int, int], int] = field(default_factory=dict)
    until_unmasked: bool = False  # it ends where interrupts may be on again; to return before is to be lost


@dataclass(slots=True)
class Executed:
    cycles: int
    at: int
    state: State
    waits: int = 0  # cycles of a device, whichever way is taken
    end: End | None = None


def execute(s: Surroundings, at: int, state: State) -> list[Executed]:
    """One instruction; `state` is changed, or copied where there are several ways."""
    w = s.code[at] | s.code[at + 1] << 8
    i = decode(s.code, at)
    after = at + i.size
    match i.does:
        case Does.JUMPS:
            return [Executed(3 if i.size == 4 else 2, i.target, state)]
        case Does.MAY_JUMP:
            return _branch(w, i.target, after, state)
        case Does.SKIPS:
            return _skip(s, w, after, state)
        case Does.CALLS:
            _push_return(s, state, after)
            return [Executed((4 if i.size == 4 else 3) + s.far, i.target, state)]
        case Does.CALLS_SOMETHING | Does.JUMPS_SOMEWHERE:
            target = state.word(Z)
            calls = i.does is Does.CALLS_SOMETHING
            if target is None or w & 0x10:
                return [Executed(0, at, state, end=End.LOST)]
            if calls:
                _push_return(s, state, after)
            return [Executed(3 + s.far if calls else 2, 2 * target, state)]
        case Does.RETURNS:
            return [_return(s, w, at, state)]
        case _:
            return _straight(s, w, at, after, state)


def _push_return(s: Surroundings, state: State, after: int) -> None:
    for _ in range(2 + s.far):
        state.push(-1 - after)


def _return(s: Surroundings, w: int, at: int, state: State) -> Executed:
    cycles = 4 + s.far
    if s.until_unmasked and w & 0x10:  # RETI
        return Executed(cycles, at, state, end=End.MASKED_NO_MORE)
    if state.stack_pointer == s.stack.stop - 1:
        return Executed(cycles, at, state, end=End.LOST if s.until_unmasked else End.RETURNED)
    target = state.pushed.get(state.stack_pointer + 1, 0)
    if target >= 0:
        return Executed(cycles, at, state, end=End.LOST)
    for _ in range(2 + s.far):
        state.pop()
    return Executed(cycles, -1 - target, state)


def _branch(w: int, target: int, after: int, state: State) -> list[Executed]:
    bit, if_set = w & 7, not w & 0x0400
    if bit > 4:
        return [Executed(2, target, state.copy()), Executed(1, after, state)]
    ways = []
    taken, not_taken = state.given_flag(1 << bit, if_set), state.given_flag(1 << bit, not if_set)
    if taken is not None:
        ways.append(Executed(2, target, taken))
    if not_taken is not None:
        ways.append(Executed(1, after, not_taken))
    return ways


def _skip(s: Surroundings, w: int, after: int, state: State) -> list[Executed]:
    size = decode(s.code, after).size
    register = w >> 4 & 0x1F
    stays: State | None
    skips: State | None
    if w & 0xFC00 == 0xFC00:
        wanted = bool(w & 0x0200)
        skips = state.given_register(register, with_bit(w & 7, wanted))
        stays = state.given_register(register, with_bit(w & 7, not wanted))
    elif w & 0xFC00 == 0x1000:  # CPSE
        a, b = the_only(state.registers[register]), the_only(state.registers[w & 0xF | w >> 5 & 0x10])
        known = a is not None and b is not None
        skips = None if known and a != b else state.copy()
        stays = None if known and a == b else state
    else:  # of a bit of a device
        skips, stays = state.copy(), state
    waits = s.waits.get(((w >> 3 & 0x1F) + 0x20, w & 7), 0) if w & 0xFD00 == 0x9900 else 0
    ways = [] if skips is None else [Executed(1 + size // 2, after + size, skips, waits)]
    return ways if stays is None else [*ways, Executed(1, after, stays, waits)]


def _straight(s: Surroundings, w: int, at: int, after: int, state: State) -> list[Executed]:
    def on(cycles: int, waits: int = 0) -> list[Executed]:
        return [Executed(cycles, after, state, waits)]

    d, r = w >> 4 & 0x1F, w & 0xF | w >> 5 & 0x10
    if w & 0xFC00 in ARITHMETIC:
        operation, keeps = ARITHMETIC[w & 0xFC00]
        if d == r and operation == "eor":
            state.put(d, only(0))
            state.alternatives = tuple((carry | ZERO, {}) for carry in {f & CARRY for f, _ in state.alternatives})
        elif d == r and operation in WITH_ITSELF:
            state.compute(WITH_ITSELF[operation], d, None, only(0), keeps)
        elif d == r:  # compares or subtracts itself
            if keeps:
                state.put(d, ANY)
            state.alternatives = UNKNOWN_FLAGS
        else:
            state.compute(operation, d, r, state.registers[r], keeps)
        return on(1)
    if w & 0xFC00 == 0x2C00:
        state.put(d, state.registers[r])
        return on(1)
    if w & 0xF000 in WITH_CONSTANT:
        operation, keeps = WITH_CONSTANT[w & 0xF000]
        state.compute(operation, 16 + (w >> 4 & 0xF), None, only(w >> 4 & 0xF0 | w & 0xF), keeps)
        return on(1)
    if w & 0xF000 == 0xE000:
        state.put(16 + (w >> 4 & 0xF), only(w >> 4 & 0xF0 | w & 0xF))
        return on(1)
    if w & 0xFF00 == 0x0100:  # MOVW
        low, high = state.registers[2 * (w & 0xF)], state.registers[2 * (w & 0xF) + 1]
        state.put(2 * (w >> 4 & 0xF), low)
        state.put(2 * (w >> 4 & 0xF) + 1, high)
        return on(1)
    if w & 0xFE00 == 0x9600:
        amount = w >> 2 & 0x30 | w & 0xF
        state.add_to_pair(24 + 2 * (w >> 4 & 3), -amount if w & 0x0100 else amount)
        return on(2)
    if w & 0xFC00 == 0x9C00 or w & 0xFE00 == 0x0200 or w & 0xFF00 == 0x0300:  # the multiplications
        return _multiply(w, d, r, state, after)
    if w & 0xFE00 == 0x9400 and w & 0xF in ON_ONE:
        state.compute(ON_ONE[w & 0xF], d, None, only(0), True)
        return on(1)
    if w & 0xFE0F == 0x9402:
        state.put(d, swapped(state.registers[d]))
        return on(1)
    if w & 0xF000 == 0xB000:
        return _in_or_out(s, w, d, after, state)
    if w & 0xFC00 == 0x9800:  # SBI, CBI: and SBIC, SBIS, which skip
        return on(2)
    if w & 0xFC00 == 0xF800:  # BLD, BST
        if not w & 0x0200:
            state.put(d, ANY)
        return on(1)
    if w in (INTERRUPTS_ON, INTERRUPTS_OFF):
        if s.until_unmasked and w == INTERRUPTS_ON:
            return [Executed(1, at, state, end=End.MASKED_NO_MORE)]
        return on(1)
    if w & 0xFF0F == 0x9408:  # sets or clears a flag
        state.alternatives = UNKNOWN_FLAGS
        return on(1)
    if w & 0xFE0F in (0x920F, 0x900F):
        if w & 0x0200:
            state.push(state.registers[d])
        else:
            state.put(d, state.pop())
        return on(2)
    if w & 0xFE0E in (0x9004, 0x9006) or w in (0x95C8, 0x95D8):  # LPM, ELPM
        into = d if w & 0xFE00 == 0x9000 else 0
        pointer = state.registers[Z : Z + 2]
        if w & 0xFE00 == 0x9000 and w & 1:
            _step_pointer(state, Z, 1)
        state.put(into, _from_flash(s, pointer) if w & 2 == 0 and w & 0xFE00 == 0x9000 else ANY)
        return on(3)
    if w & 0xD000 == 0x8000 or w & 0xFC00 == 0x9000:
        return _load_or_store(s, w, d, at, after, state)
    return on(1)  # NOP, SLEEP, WDR


def _multiply(w: int, d: int, r: int, state: State, after: int) -> list[Executed]:
    a = b = None
    if w & 0xFC00 == 0x9C00:
        a, b = the_only(state.registers[d]), the_only(state.registers[r])
    known = a is not None and b is not None
    product = (a or 0) * (b or 0)
    state.put(0, only(product) if known else ANY)
    state.put(1, only(product >> 8) if known else ANY)
    state.alternatives = UNKNOWN_FLAGS
    return [Executed(2, after, state)]


def _in_or_out(s: Surroundings, w: int, d: int, after: int, state: State) -> list[Executed]:
    address = (w >> 5 & 0x30 | w & 0xF) + 0x20
    if w & 0x0800:
        value = the_only(state.registers[d])
        if address in (STACK_LOW, STACK_HIGH):
            if value is None:  # from the middle of a function, where nothing is known, it does not matter
                return [Executed(1, after, state, end=None if s.until_unmasked else End.LOST)]
            if address == STACK_HIGH:  # the lower half follows
                state.stack_pointer = value << 8 | state.stack_pointer & 0xFF
            else:
                state.move_stack(state.stack_pointer & 0xFF00 | value)
        if address == STATUS:
            state.alternatives = UNKNOWN_FLAGS
            if s.until_unmasked and state.registers[d] & INTERRUPTS_ARE_ON:
                return [Executed(1, after, state, end=End.MASKED_NO_MORE)]
        return [Executed(1, after, state)]
    if address == STACK_LOW:
        state.put(d, only(state.stack_pointer))
    elif address == STACK_HIGH:
        state.put(d, only(state.stack_pointer >> 8))
    elif address == STATUS and s.until_unmasked:  # what an inner section will restore
        state.put(d, ANY & ~INTERRUPTS_ARE_ON)
    else:
        state.put(d, ANY)
    return [Executed(1, after, state, _waits(s, address, d, after))]


def _waits(s: Surroundings, address: int, register: int, after: int) -> int:
    """What was read is polled for one bit: a skip by it, or a mask of it, follows directly."""
    w = s.code[after] | s.code[after + 1] << 8
    if w & 0xFC00 == 0xFC00 and w >> 4 & 0x1F == register:  # SBRC, SBRS
        return s.waits.get((address, w & 7), 0)
    if w & 0xF000 == 0x7000 and 16 + (w >> 4 & 0xF) == register:  # ANDI
        mask = w >> 4 & 0xF0 | w & 0xF
        return s.waits.get((address, mask.bit_length() - 1), 0) if mask.bit_count() == 1 else 0
    if w & 0xFC00 == 0x1400 and w >> 4 & 0x1F == register:  # CP
        return s.waits.get((address, COMPARED), 0)
    return 0


def _from_flash(s: Surroundings, pointer: list[int]) -> int:
    low, high = the_only(pointer[0]), the_only(pointer[1])
    if low is None or high is None or (high << 8 | low) >= len(s.code):
        return ANY
    return only(s.code[high << 8 | low])


def _step_pointer(state: State, low: int, amount: int) -> None:
    """No flags change."""
    alternatives = state.alternatives
    state.add_to_pair(low, amount)
    state.alternatives = alternatives
    state.put(low, state.registers[low])
    state.put(low + 1, state.registers[low + 1])


def _load_or_store(s: Surroundings, w: int, d: int, at: int, after: int, state: State) -> list[Executed]:
    """Of the data space: at a constant address, at a pointer with an offset, or with the pointer moved."""
    stores = bool(w & 0x0200)
    places: list[int] | None
    moves_after = 0
    pair = Z
    if w & 0xD000 == 0x8000:
        pair = Y if w & 8 else Z
        places = state.addresses(pair, w >> 8 & 0x20 | w >> 7 & 0x18 | w & 7)
    elif w & 0xF == 0:
        places = [s.code[at + 2] | s.code[at + 3] << 8]
    else:
        pair = {0: Z, 8: Y, 0xC: X}[w & 0xC]
        if w & 3 == 2:
            _step_pointer(state, pair, -1)
        places = state.addresses(pair)
        moves_after = int(w & 3 == 1)
    if stores:
        _store(s, state, places, state.registers[d])
        if moves_after:
            _step_pointer(state, pair, 1)
        return [Executed(2, after, state)]
    waits = sum(_waits(s, a, d, after) for a in places or ())
    if moves_after:
        _step_pointer(state, pair, 1)
    if places is not None and len(places) == 1 and places[0] in s.facts and places[0] not in state.data:
        values = s.facts[places[0]]
        code, values_there = s.within.get(places[0], (range(0), 0))
        ways = []
        for v in members(values_there if at in code else values):  # one by one: what is computed of them fits together
            way = state.copy()
            way.put(d, only(v))
            ways.append(Executed(2, after, way, waits))
        return ways
    state.put(d, _loaded(s, state, places))
    return [Executed(2, after, state, waits)]


def _loaded(s: Surroundings, state: State, places: list[int] | None) -> int:
    found = 0
    for a in places or ():
        known = state.pushed.get(a, state.data.get(a))
        found |= s.facts.get(a, ANY) if known is None or known < 0 else known
    return found or ANY


def _store(s: Surroundings, state: State, places: list[int] | None, values: int) -> None:
    """Where nobody knows, all that was known of variables is forgotten; return addresses and saved registers stay: what
    compiled code writes by a pointer is a variable."""
    if places is None:
        state.data.clear()
        return
    for a in places:
        if a in state.pushed:
            if state.pushed[a] >= 0:
                state.pushed[a] = values if len(places) == 1 else state.pushed[a] | values
        elif len(places) == 1 and (a in s.tracked or (a in s.stack and a > state.stack_pointer)):
            state.data[a] = values
        elif a in state.data:
            state.data[a] |= values
