"""Values that something outside of the program has written: C, or whoever else changes a NONATOMIC variable.

They are inputs: recorded, replayed, and any value of their type in the checker.
"""

from __future__ import annotations

from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.scope import Scope, stored_bits
from lfc.semantics.model.types import Type, scalar_range

MOST_VALUES = 1 << 12  # that the checker tries of one call of C, or of one read: more would drown it


def input_value(s: Scope, t: Type, found: Value, all_tried: bool) -> Value:
    """The policy's word on a scalar that was found in memory."""
    bits = stored_bits(t)
    low, high = scalar_range(t)
    extended = "" if bits == 32 else " zeroext"
    word = f"i{bits}{extended}"
    declare(s, f"{extended} i{bits} @lf_policy_any{bits}(ptr, {word}, {word}, {word}, i8 zeroext)".strip())
    arguments: list[Value | str] = [s.b, found, number(bits, low), number(bits, high), number(8, int(all_tried))]
    return s.f.call(f"i{bits}", f"@lf_policy_any{bits}", arguments)


def declare(s: Scope, signature: str) -> None:
    """Of a function that only some programs need."""

    def make() -> None:
        s.unit.globals.append(f"declare {signature}{s.unit.target.define_space}")

    s.unit.once(signature, make)


def load_nonatomic(s: Scope, t: Type, pointer: Value) -> Value:
    bits = stored_bits(t)
    low, high = scalar_range(t)
    align = min(bits // 8, s.unit.target.max_align)
    found = s.f.op(f"i{bits}", f"load volatile i{bits}, {pointer}, align {align}")
    return input_value(s, t, found, high - low < MOST_VALUES)


def read_while_written(s: Scope, t: Type, found: Value) -> Value:
    """Of what the program writes in two actions, between them."""
    bits = stored_bits(t)
    wide = s.f.widen(found, bits) if found.type == "i1" else found
    low, high = scalar_range(t)
    v = input_value(s, t, wide, high - low < MOST_VALUES)
    return s.f.op("i1", f"trunc {v} to i1") if found.type == "i1" else v


def store_nonatomic(s: Scope, v: Value, pointer: Value) -> None:
    align = min(int(v.type[1:]) // 8, s.unit.target.max_align)
    s.f.emit(f"store volatile {v}, {pointer}, align {align}")
