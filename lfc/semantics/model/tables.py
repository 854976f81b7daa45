"""Constant arrays and records as bytes: what lies in memory, so that every stage reads the same."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.semantics.model import types as ty

Part = int | bytes


def part_bytes(t: ty.Type, value: Part) -> bytes:
    """A constant of this type."""
    if isinstance(value, bytes):
        return value
    size, _ = ty.size_and_signedness(t)
    return (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def array_bytes(t: ty.ArrayType, parts: Sequence[Part]) -> bytes:
    return b"".join(part_bytes(t.element, p) for p in parts)


def record_bytes(t: ty.RecordType, parts: Sequence[Part]) -> bytes:
    offsets, size, _ = ty.record_layout(t)
    found = bytearray(size)
    for f, at, p in zip(t.fields, offsets, parts, strict=True):
        piece = part_bytes(f.type, p)
        found[at : at + len(piece)] = piece
    return bytes(found)


def initial_part(t: ty.Type) -> Part:
    """What a variable of this type starts with."""
    if isinstance(t, ty.ArrayType):
        return array_bytes(t, [initial_part(t.element)] * t.length)
    if isinstance(t, ty.RecordType):
        return record_bytes(t, [initial_part(f.type) for f in t.fields])
    return ty.initial_value(t)


def part_at(t: ty.Type, whole: bytes, at: int) -> Part:
    """Of this type, from byte `at` on."""
    size, _ = ty.size_and_alignment(t)
    piece = whole[at : at + size]
    if isinstance(t, ty.ArrayType | ty.RecordType):
        return piece
    return int.from_bytes(piece, "little", signed=ty.size_and_signedness(t)[1])


def element(t: ty.ArrayType, whole: bytes, index: int) -> Part:
    return part_at(t.element, whole, index * ty.size_and_alignment(t.element)[0])


def field(t: ty.RecordType, whole: bytes, which: ty.RecordField) -> Part:
    n = t.fields.index(which)
    return part_at(which.type, whole, ty.record_layout(t)[0][n])
