"""Runs compiled actions and compares with the effects table: what docs/reference/machine.md, section 6, promises."""

from __future__ import annotations

import random
from dataclasses import dataclass

from lfc.actions.analysis.effects import Action, Region, action_table
from lfc.actions.layout.fields import block_fields
from lfc.actions.model.machine import Machine, RecordLayout
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.run.running import HostRun, Mode, Status
from lfc.semantics.model.typed import VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    ChannelType,
    OpenArrayType,
    RecordType,
    Type,
    record_layout,
    scalar_range,
    size_and_alignment,
    size_and_signedness,
)


@dataclass(slots=True)
class Outcome:
    status: Status
    block: bytes
    items: bytes


class Laboratory:
    """One compiled program whose actions are run from blocks of our choice."""

    def __init__(self, machine: Machine, seed: int) -> None:
        self.machine = machine
        self.layout = machine.layout
        self.random = random.Random(seed)
        self.table = {a.position.number: a for a in action_table(machine)}
        self.run = HostRun(generate(machine, HOST), level=1, mode=Mode.RANDOM, seed=seed)
        self.records = {s: r for r in self.layout.records for s in range(r.first_slot, r.first_slot + r.slots)}
        self.tried: set[int] = set()

    # --- blocks -----------------------------------------------------------------------------------------------

    def position(self, block: bytes, slot: int) -> int:
        r = self.records[slot]
        at = r.position_offset + (slot - r.first_slot) * r.position_size
        return int.from_bytes(block[at : at + r.position_size], "little")

    def ready(self, block: bytes) -> list[int]:
        return [s for s in self.records if 0 < self.position(block, s) < self.layout.first_waiting]

    def reached_blocks(self, steps: int) -> list[tuple[bytes, bytes]]:
        """Blocks on a random run, each with its policy block."""
        found = []
        self.run.host.inputs_are_zero = 0
        self.run.host.interrupts = 1
        self.run.feed(bytes(self.random.randrange(256) for _ in range(steps)))
        for _ in range(steps):
            found.append((self.run.block, self.run.policy_block))
            status = self.run.step()
            self.run.take_output()
            wake = self.run.next_wake() if status == Status.WAITING else None
            if wake is not None:
                self.run.host.now = wake
            elif status != Status.RAN:
                break
        return found

    def disturbed(self, block: bytes) -> bytes:
        """Other values in some variables that hold neither ports nor offsets: still a well-formed block."""
        changed = bytearray(block)
        places = [(v.type, offset) for v, offset in self.layout.variables.items()]
        for slot, r in self.records.items():
            if self.position(block, slot) != 0 and r.body.frame is not None:
                start = r.offset + (slot - r.first_slot) * r.stride + r.frame0
                for v, offset in r.body.frame.variables.items():
                    if v.kind is not VariableKind.VAR and not isinstance(v.type, OpenArrayType):
                        places.append((v.type, start + offset))
        for t, offset in places:
            if self.random.random() < 0.5:
                self._randomise(changed, t, offset)
        return bytes(changed)

    def _randomise(self, block: bytearray, t: Type, offset: int) -> None:
        if isinstance(t, ArrayType):
            for i in range(t.length):
                self._randomise(block, t.element, offset + i * size_and_alignment(t.element)[0])
        elif isinstance(t, RecordType):
            for field, at in zip(t.fields, record_layout(t)[0], strict=True):
                self._randomise(block, field.type, offset + at)
        elif not isinstance(t, ChannelType):
            low, high = scalar_range(t)
            if self.random.random() < 0.7:  # small values reach further than large ones
                low, high = max(low, min(-3, high)), min(high, max(6, low))
            value = self.random.randint(low, high)
            size, signed = size_and_signedness(t)
            block[offset : offset + size] = value.to_bytes(size, "little", signed=signed)

    # --- one action ----------------------------------------------------------------------------------------------

    def act(self, block: bytes, policy: bytes, slot: int, script: list[int]) -> Outcome:
        self.run.block = block
        self.run.policy_block = policy
        self.run.host.inputs_are_zero = 1
        self.run.host.now = 0
        status, _ = self.run.run_slot(slot, script)
        self.run.take_output()
        return Outcome(status, self.run.block, self.run.items)

    def bytes_of(self, regions: list[Region], slot: int, block: bytes) -> set[int]:
        found: set[int] = set()
        record = self.records[slot]
        for r in regions:
            if r.base == "block":
                found.update(range(r.offset, r.offset + r.size))
            elif r.base == "position":
                at = record.position_offset + (slot - record.first_slot) * record.position_size
                found.update(range(at + r.offset, at + r.offset + r.size))
            elif r.base == "record":
                found.update(self._in_record(record, slot, r.offset, r.size))
            elif r.base == "frame":
                found.update(self._in_record(record, slot, self._frame(record, slot, block) + r.offset, r.size))
            else:
                kind, _, name = r.base.partition(":")
                for other in self.layout.records:
                    if other.body.name != name:
                        continue
                    for s in range(other.first_slot, other.first_slot + other.slots):
                        if kind == "slots":
                            found.update(self._in_record(other, s, r.offset, r.size))
                    if kind == "positions":
                        found.update(range(other.position_offset, other.position_offset + r.size))
        return found

    def _in_record(self, record: RecordLayout, slot: int, offset: int, size: int) -> range:
        start = record.offset + (slot - record.first_slot) * record.stride
        return range(start + offset, start + min(offset + size, record.stride))

    def _frame(self, record: RecordLayout, slot: int, block: bytes) -> int:
        if record.frame_field_offset is None:
            return record.frame0
        at = record.offset + (slot - record.first_slot) * record.stride + record.frame_field_offset
        return int.from_bytes(block[at : at + record.frame_field_size], "little")

    # --- the two promises ------------------------------------------------------------------------------------------

    def try_action(self, block: bytes, policy: bytes, slot: int, flips: int) -> None:
        action = self.table[self.position(block, slot)]
        self.tried.add(action.position.number)
        script = [self.random.randrange(4) for _ in range(3)]
        before = self.act(block, policy, slot, script)
        if before.status == Status.FAULT:
            return  # what a faulting action did to the block is of no account
        may_write = self.bytes_of(action.writes, slot, block)
        written = {i for i in range(len(block)) if block[i] != before.block[i]}
        assert written <= may_write, self.say(
            action, slot, sorted(written - may_write), "written, but not in may-write"
        )
        may_read = self.bytes_of(action.reads, slot, block)
        own = self.bytes_of([Region("position", 0, self.layout.position_size, "")], slot, block)
        outside = [i for i in range(len(block)) if i not in may_read and i not in own]
        for at in self.random.sample(outside, min(flips, len(outside))):
            flipped = bytearray(block)
            flipped[at] ^= 1 << self.random.randrange(8)
            after = self.act(bytes(flipped), policy, slot, script)
            same = after.status == before.status and after.items == before.items
            assert same, self.say(action, slot, [at], f"decides {after.status} over {before.status}, not in may-read")
            different = [
                i
                for i in range(len(block))
                if after.block[i] != before.block[i] and not (i == at and after.block[i] == flipped[i])
            ]
            assert not different, self.say(action, slot, [at], f"changes bytes {different}, not in may-read")

    def say(self, action: Action, slot: int, places: list[int], what: str) -> str:
        names = []
        for at in places:
            owners = [f"{f.owner}.{f.name}" for f in block_fields(self.layout) if f.offset <= at < f.offset + f.size]
            names.append(f"{at} ({', '.join(owners) or 'padding'})")
        p = action.position
        where = f"position {p.number} ({p.body.name}, {p.kind}, line {p.span.line}), slot {slot}"
        return f"{where}: {'; '.join(names)}: {what}"


def try_program(machine: Machine, seed: int, steps: int, flips: int = 6) -> set[int]:
    """Positions whose actions were tried."""
    lab = Laboratory(machine, seed)
    for block, policy in lab.reached_blocks(steps):
        for slot in lab.ready(block):
            lab.try_action(block, policy, slot, flips)
            lab.try_action(lab.disturbed(block), policy, slot, flips)
    return lab.tried
