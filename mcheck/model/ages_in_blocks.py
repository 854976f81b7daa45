"""Stamps in blocks, as the engine has them in its components: for counterexamples."""

from __future__ import annotations

from collections.abc import Iterator

from lfc.actions.model.machine import Machine, RecordLayout
from lfc.mcheck.model.description import Ages, Description

ALL = 1 << 32


class StampsInBlocks:
    def __init__(self, machine: Machine, d: Description, ages: Ages) -> None:
        self.machine, self.ages, self.numbers = machine, ages, d.numbers
        self._fixed = [
            (block_offset(d.components[number].pieces, at), bound)
            for number, inside in ages.components
            for at, bound in inside
        ]
        first = [0]
        for _, positions in machine.parts:
            first.append(first[-1] + len(positions) + 1)
        self._records = [
            (first[part], r, i)
            for part, (layout, _) in enumerate(machine.parts)
            for r in layout.records
            for i in range(r.slots)
        ]

    def clock(self, time: int) -> int:
        """What the clock reads in a state, so long after the start."""
        return min(time, self.ages.most_clock)

    def places(self, block: bytes) -> Iterator[tuple[int, int]]:
        """Where the stamps lie, and the bound of each."""
        yield from self._fixed
        for first, r, i in self._records:
            yield from self._in_slot(block, first, r, i)

    def _in_slot(self, block: bytes, first: int, r: RecordLayout, i: int) -> Iterator[tuple[int, int]]:
        number = number_at(block, r.position_offset + i * r.position_size, r.position_size)
        record = r.offset + i * r.stride
        frame = record + r.frame0
        if r.frame_field_offset is not None:
            frame = record + number_at(block, record + r.frame_field_offset, r.frame_field_size)
        while number:
            inside, back_offset, back_size, _ = self.ages.shapes[self.numbers[first + number]]
            for at, bound in inside:
                yield frame + at, bound
            number = number_at(block, frame + back_offset, back_size)
            frame -= self.ages.shapes[self.numbers[first + number]][3] if number else 0

    def older(self, block: bytes, time: int, elapsed: int) -> bytes:
        """A block of a state in which the clock reads that of `time`, so much later."""
        if not elapsed:
            return block  # a stamp that has just become zero may be older than its bound: so the engine has it, too
        found, before, after = bytearray(block), self.clock(time), self.clock(time + elapsed)
        for at, bound in self.places(block):
            age = min((before - number_at(block, at, 4)) % ALL, bound)
            found[at : at + 4] = ((after - min(age + elapsed, bound)) % ALL).to_bytes(4, "little")
        return bytes(found)

    def without(self, block: bytes) -> bytes:
        """But for stamps."""
        found = bytearray(block)
        for at, _ in self.places(block):
            found[at : at + 4] = bytes(4)
        return bytes(found)


def number_at(block: bytes, at: int, size: int) -> int:
    return int.from_bytes(block[at : at + size], "little")


def block_offset(pieces: list[tuple[int, int]], at: int) -> int:
    for offset, size in pieces:
        if at < size:
            return offset + at
        at -= size
    raise IndexError(at)
