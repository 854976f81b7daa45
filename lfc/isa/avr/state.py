"""What is known of an AVR while its machine code is followed: sets of values of registers, flags, parts of the
memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lfc.isa.avr.byte_sets import (
    ANY,
    CARRY,
    KEEPS_CARRY,
    SINGLE,
    USES_CARRY,
    ZERO,
    members,
    outcomes,
    the_only,
    word_outcomes,
)

MOST_ADDRESSES = 256

# Flags as they can be, and what registers hold if they are so.
Alternatives = tuple[tuple[int, Mapping[int, int]], ...]
UNKNOWN_FLAGS: Alternatives = tuple((f, {}) for f in range(32))


@dataclass(slots=True)
class State:
    registers: list[int]
    stack_pointer: int
    alternatives: Alternatives = UNKNOWN_FLAGS
    pushed: dict[int, int] = field(default_factory=dict)  # by address; return addresses as -1 - address
    data: dict[int, int] = field(default_factory=dict)  # other memory of which something is known

    def copy(self) -> State:
        return State(self.registers.copy(), self.stack_pointer, self.alternatives, self.pushed.copy(), self.data.copy())

    def key(self, live: int, flags_live: bool) -> tuple[object, ...]:
        """Two states with the same one go on in the same way, as far as is known. Forgets what is dead."""
        for r in range(32):
            if not live >> r & 1:
                self.registers[r] = ANY
        if not flags_live:
            self.alternatives = UNKNOWN_FLAGS
        flags = () if not flags_live else tuple((f, tuple(sorted(known.items()))) for f, known in self.alternatives)
        return (
            tuple(self.registers),
            self.stack_pointer,
            flags,
            tuple(sorted(self.pushed.items())),
            tuple(sorted(self.data.items())),
        )

    # --- registers and flags

    def put(self, register: int, values: int) -> None:
        self.registers[register] = values
        if any(register in known for _, known in self.alternatives):
            self.alternatives = _without(self.alternatives, register)

    def compute(self, operation: str, register: int, other: int | None, values: int, keeps_result: bool) -> None:
        """`other`: the register that `values` are of, if they are of one."""
        uses = operation in USES_CARRY
        before = self.alternatives if uses or operation in KEEPS_CARRY else ((0, {}),)
        found: dict[int, dict[int, int]] = {}
        result = 0
        for flags, known in before:
            a = self.registers[register] & known.get(register, ANY)
            b = values & (known.get(other, ANY) if other is not None else ANY)
            made = outcomes(operation, a, b, flags & CARRY, flags & ZERO)
            if made is None:
                self.registers[register] = ANY if keeps_result else self.registers[register]
                self.alternatives = UNKNOWN_FLAGS
                return
            for after, x, y, z in made:
                if operation in KEEPS_CARRY:
                    after |= flags & CARRY
                now = {**known, register: z if keeps_result else x}
                if other is not None and other != register and operation not in SINGLE:
                    now[other] = y
                result |= z
                earlier = found.get(after)
                found[after] = now if earlier is None else _either(earlier, now)
        if keeps_result:
            self.registers[register] = result
        self.alternatives = tuple(found.items())

    def add_to_pair(self, low: int, amount: int) -> None:
        made = word_outcomes(self.registers[low], self.registers[low + 1], amount)
        self.registers[low] = self.registers[low + 1] = ANY
        if made is None:
            self.alternatives = UNKNOWN_FLAGS
            return
        self.registers[low] = self.registers[low + 1] = 0
        for _, _, x, y in made:
            self.registers[low] |= x
            self.registers[low + 1] |= y
        self.alternatives = tuple((flags, {low: x, low + 1: y}) for flags, _, x, y in made)

    def given_flag(self, flag: int, is_set: bool) -> State | None:
        """As it is if the flag is so; None if it cannot be."""
        kept = tuple((f, known) for f, known in self.alternatives if bool(f & flag) == is_set)
        if not kept:
            return None
        found = self.copy()
        found.alternatives = kept
        everywhere = dict(kept[0][1])
        for _, known in kept[1:]:
            everywhere = _either(everywhere, known)
        for register, values in everywhere.items():
            found.registers[register] &= values
        return found

    def given_register(self, register: int, values: int) -> State | None:
        left = self.registers[register] & values
        if not left:
            return None
        found = self.copy()
        found.registers[register] = left
        return found

    # --- memory

    def addresses(self, low: int, more: int = 0) -> list[int] | None:
        """What the pair can point at; None: too much."""
        lows, highs = members(self.registers[low]), members(self.registers[low + 1])
        if len(lows) * len(highs) > MOST_ADDRESSES:
            return None
        return [(high << 8 | x) + more & 0xFFFF for high in highs for x in lows]

    def push(self, values: int) -> None:
        self.pushed[self.stack_pointer] = values
        self.data.pop(self.stack_pointer, None)
        self.stack_pointer -= 1

    def pop(self) -> int:
        self.stack_pointer += 1
        self.data.pop(self.stack_pointer, None)
        values = self.pushed.pop(self.stack_pointer, None)
        return ANY if values is None or values < 0 else values

    def move_stack(self, to: int) -> None:
        self.stack_pointer = to
        for memory in (self.pushed, self.data):
            for address in [a for a in memory if to >= a > 0 and a > to - 0x100]:
                del memory[address]

    def word(self, low: int) -> int | None:
        x, y = the_only(self.registers[low]), the_only(self.registers[low + 1])
        return None if x is None or y is None else y << 8 | x


def _without(alternatives: Alternatives, register: int) -> Alternatives:
    return tuple((f, {r: v for r, v in known.items() if r != register}) for f, known in alternatives)


def _either(a: Mapping[int, int], b: Mapping[int, int]) -> dict[int, int]:
    return {r: v | b[r] for r, v in a.items() if r in b}
