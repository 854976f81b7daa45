"""Items in binary and JSON, as docs/reference/machine.md section 4 defines them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Kind:
    tag: int
    name: str
    widths: tuple[int, ...]  # bytes of each operand
    nullable: tuple[int, ...] = ()  # operands of which FF is null
    slot: int | None = None  # the operand that is a slot; of a wide program it has two bytes

    def widths_of(self, wide: bool) -> tuple[int, ...]:
        return tuple(2 if wide and i == self.slot else w for i, w in enumerate(self.widths))


KINDS = [
    Kind(0x01, "run", (1,), slot=0),
    Kind(0x02, "interrupt", (1, 1), (1,), slot=1),
    Kind(0x03, "wake", (1, 1), (1,), slot=0),
    Kind(0x04, "console", (1, 1), slot=0),
    Kind(0x10, "meet", (1, 1, 1), (0, 2), slot=1),
    Kind(0x11, "take", (1,), (0,)),
    Kind(0x12, "choice", (1,)),
    Kind(0x20, "in8", (1,)),
    Kind(0x21, "in16", (2,)),
    Kind(0x22, "in32", (4,)),
    Kind(0x23, "clock", (4,)),
    Kind(0x24, "read", (1,)),
    Kind(0x30, "out", (1, 4, 4)),
    Kind(0x31, "write", (1,)),
    Kind(0x40, "digest", (2,)),
    Kind(0x41, "fault", (1, 2, 4, 4)),
    Kind(0x42, "idle", ()),
]
BY_TAG = {k.tag: k for k in KINDS}
BY_NAME = {k.name: k for k in KINDS}
FIRST_OUTPUT = 0x30
SIGNED = {"fault": (2, 3)}


@dataclass(frozen=True, slots=True)
class Item:
    """`operands` as in JSON: None where the binary form has FF."""

    name: str
    operands: tuple[int | None, ...]

    @property
    def is_event(self) -> bool:
        """The first item of a step."""
        return BY_NAME[self.name].tag < 0x10

    @property
    def is_output(self) -> bool:
        """No decision: a replay does without it."""
        return BY_NAME[self.name].tag >= FIRST_OUTPUT

    def encode(self, wide: bool = False) -> bytes:
        """`wide`: of a program whose slots have two bytes."""
        kind = BY_NAME[self.name]
        parts = [bytes([kind.tag])]
        for i, (value, width) in enumerate(zip(self.operands, kind.widths_of(wide), strict=True)):
            highest = (1 << 8 * width) - 1
            if i == kind.slot and value is not None and value > highest:
                raise BadItems(f"`{kind.name}`: the program has no slot {value}")
            number = highest if value is None else value & highest
            parts.append(number.to_bytes(width, "little"))
        return b"".join(parts)

    def to_json(self) -> list[str | int | None]:
        return [self.name, *self.operands]


class BadItems(ValueError):
    """Bytes or JSON that are no items; says where."""


def decode(data: bytes, wide: bool = False) -> Iterator[Item]:
    at = 0
    while at < len(data):
        kind = BY_TAG.get(data[at])
        if kind is None:
            raise BadItems(f"unknown tag {data[at]:02X}H at byte {at}")
        widths = kind.widths_of(wide)
        if at + 1 + sum(widths) > len(data):
            raise BadItems(f"the item `{kind.name}` at byte {at} is cut short")
        at += 1
        operands: list[int | None] = []
        for i, width in enumerate(widths):
            number = int.from_bytes(data[at : at + width], "little", signed=i in SIGNED.get(kind.name, ()))
            operands.append(None if i in kind.nullable and number == (1 << 8 * width) - 1 else number)
            at += width
        yield Item(kind.name, tuple(operands))


def encode(items: Iterable[Item], wide: bool = False) -> bytes:
    return b"".join(item.encode(wide) for item in items)


def item_from_json(value: object, wide: bool = False) -> Item:
    if not isinstance(value, list) or not value or not isinstance(value[0], str):
        raise BadItems(f"not an item: {value!r}")
    kind = BY_NAME.get(value[0])
    if kind is None:
        raise BadItems(f"unknown item `{value[0]}`")
    operands = value[1:]
    if len(operands) != len(kind.widths):
        raise BadItems(f"`{kind.name}` has {len(kind.widths)} numbers, not {len(operands)}")
    for i, (operand, width) in enumerate(zip(operands, kind.widths_of(wide), strict=True)):
        if operand is None and i in kind.nullable:
            continue
        low = -(1 << 31) if i in SIGNED.get(kind.name, ()) else 0
        if not isinstance(operand, int) or isinstance(operand, bool) or not low <= operand < 1 << 8 * width:
            raise BadItems(f"`{kind.name}`: {operand!r} is not a number of {width} byte{'s' if width > 1 else ''}")
    return Item(kind.name, tuple(operands))


def split_into_steps(items: Iterable[Item]) -> list[list[Item]]:
    steps: list[list[Item]] = []
    for item in items:
        if item.is_event or item.name == "idle":
            steps.append([])
        if not steps:
            raise BadItems(f"`{item.name}` before the first event")
        steps[-1].append(item)
    return steps
