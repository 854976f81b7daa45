"""Deadlines in a board state: relative to now, and only of who is ready.

docs/theory/response-times.md, Earliest deadlines.
"""

from __future__ import annotations

from collections.abc import Mapping

from lfc.actions.model.machine import Machine
from lfc.codegen.module.generated import PolicyLayout
from lfc.codegen.module.policy_layout import NOBODY
from lfc.isa.avr.core import AvrCore
from lfc.mcheck.image.check_image import NotChecked
from lfc.toolchain.elf import Symbol

SIZE, NONE = 4, 0xFFFFFFFF
SIGN, MODULUS = 0x80000000, 1 << 32
LONG_PAST = -100  # milliseconds: of deadlines before that only the order is kept
LATEST = -90  # milliseconds after which a time that is over must have been seen
PASS_BEGAN = "lf_pass_began"


class Deadlines:
    """Of the earliest-deadline scheduler; of another one there are none, and nothing is to be done."""

    def __init__(self, machine: Machine, policies: PolicyLayout, symbols: Mapping[str, Symbol], ram: int) -> None:
        self.machine, self.policies, self.ram = machine, policies, ram
        self.are_there = policies.has_deadlines
        memory = symbols["lf_memory"].target_address
        self.block_at, self.first = memory + policies.size, memory + policies.deadlines_at
        self.behind = SIZE * machine.slots  # where it says how long they are, behind when they are over
        self.cursor_at = memory + policies.cursor_at
        self.pass_began = symbols[PASS_BEGAN].target_address if PASS_BEGAN in symbols else None

    def make_relative(self, ram: bytearray, now: int) -> None:
        if not self.are_there:
            return
        if self.pass_began is not None:  # each pass sets it before it looks at it
            self._put(ram, self.pass_began, 0)
        if ram[self.cursor_at - self.ram] != NOBODY:  # who ran last decides nothing, but whether anybody has
            ram[self.cursor_at - self.ram] = 0
        block = bytes(ram[self.block_at - self.ram :][: self.machine.block_size])
        left = {slot: self._left(ram, slot, now) for slot in range(self.machine.slots)}
        ready = {slot: d for slot, d in left.items() if d is not None and self._is_ready(block, slot)}
        past = sorted({d for d in ready.values() if d < LONG_PAST}, reverse=True)
        ranks = {d: LONG_PAST - 1 - rank for rank, d in enumerate(past)}
        for slot in left:
            d = ready.get(slot)
            value = NONE if d is None else ranks.get(d, d) % MODULUS
            self._put(ram, self.first + SIZE * slot, value)

    def overdue(self, left: int) -> int:
        """What is kept of a time that is over: nothing, but for deadlines, which count from it."""
        if not self.are_there:
            return 0
        if left - MODULUS < LATEST:
            raise NotChecked(f"an action takes so long that a time is seen more than {-LATEST} ms after it is over")
        return left

    def move_along(self, core: AvrCore, base: int) -> None:
        """The same state with another count."""
        for slot in range(self.machine.slots if self.are_there else 0):
            at = self.first + SIZE * slot
            d, relative = (int.from_bytes(core.get(a, SIZE), "little") for a in (at, at + self.behind))
            if relative != NONE:
                core.put(at, ((d + base) % MODULUS).to_bytes(SIZE, "little"))

    def _left(self, ram: bytearray, slot: int, now: int) -> int | None:
        """Milliseconds; negative: it is over."""
        at = self.first + SIZE * slot - self.ram
        d, relative = (int.from_bytes(ram[a : a + SIZE], "little") for a in (at, at + self.behind))
        left = (d - now) % MODULUS
        return None if relative == NONE else left - MODULUS if left >= SIGN else left

    def _is_ready(self, block: bytes, slot: int) -> bool:
        position = self.machine.position_at(block, slot)
        return position is not None and position.ready

    def _put(self, ram: bytearray, address: int, value: int) -> None:
        ram[address - self.ram : address - self.ram + SIZE] = value.to_bytes(SIZE, "little")
