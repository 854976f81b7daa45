"""What the checker asks of an input without trying each of its values: comparisons, and tests of bits.

A *part* of an input is a run of its bits as a number, with something added: PORTIN(a) DIV 16 MOD 4, 3 IN status, x
+ 1 where x was read before. Of it the checker's policy answers questions, and every answer that some value gives is
an alternative. Whatever else is done with an input asks for its value. Local variables of processes that cannot
wait keep parts as they are; all other variables hold values.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from lfc.codegen.module.emit import FALSE, Value, number
from lfc.codegen.module.scope import Scope, is_signed, stored_bits
from lfc.semantics.model import typed
from lfc.semantics.model.types import BooleanType, CharType, IntegerType, SetType, Type, scalar_range
from lfc.semantics.model.visit import constant_of

DECLARATIONS = """
declare i32 @lf_split_read(ptr, i8 zeroext, i32)
declare i32 @lf_split_any(ptr, i8 zeroext)
declare i32 @lf_split_part(ptr, i32, i8 zeroext, i32, i64)
declare i32 @lf_split_value(ptr, i32)
declare zeroext i1 @lf_split_compare(ptr, i32, i64, i8 zeroext, i64)
"""
WIDTHS = {"PORTIN": 8, "PORTIN16": 16, "PORTIN32": 32}
EQUAL, LESS, GREATER = 0, 1, 2
ASKED = {"=": (EQUAL, False), "#": (EQUAL, True), "<": (LESS, False), ">=": (LESS, True), ">": (GREATER, False),
         "<=": (GREATER, True)}  # fmt: skip
TURNED = {"=": "=", "#": "#", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


@dataclass(frozen=True, slots=True)
class Part:
    """How a part comes from what is read: shifted right, masked, and something added. `low` and `high` bound it."""

    base: typed.Expr
    high: int
    shift: int = 0
    mask: int = 0xFFFFFFFF
    plus: int = 0

    @property
    def low(self) -> int:
        return self.plus


def part_of(s: Scope, e: typed.Expr) -> Part | None:
    """None: it is no part of an input, or not known to be."""
    if not s.unit.target.splits_inputs or s.on_fault is not None:
        return None
    match e:
        case typed.FunctionCall() if e.name in WIDTHS:
            return Part(e, (1 << WIDTHS[e.name]) - 1)
        case typed.VariableRef() if e.variable.address is not None and is_split(e.type):
            return Part(e, (1 << stored_bits(e.type)) - 1)
        case typed.VariableRef() if e.variable.nonatomic and is_split(e.type):
            return Part(e, (1 << stored_bits(e.type)) - 1)
        case typed.VariableRef() if e.variable in s.parts:
            return Part(e, scalar_range(e.type)[1])
        case typed.Convert():
            part = part_of(s, e.operand)
            if part is None or isinstance(e.type, BooleanType):
                return None
            low, high = scalar_range(e.type)
            return part if low <= part.low and part.high + part.plus <= high else None
        case typed.Reinterpret():
            part = part_of(s, e.operand)
            fits = is_split(e.type) and part is not None and part.plus == 0 and part.high < 1 << stored_bits(e.type)
            return part if fits else None
        case typed.Binary():
            return part_of_binary(s, e)
        case typed.FunctionCall() if e.name == "ASR" and not is_signed(e.type):
            by = constant_of(e.arguments[1])
            part = part_of(s, e.arguments[0])
            return None if part is None or by is None or not 0 <= by < 32 else shifted(part, by)
    return None


def is_split(t: Type) -> bool:
    return isinstance(t, SetType | CharType) or (isinstance(t, IntegerType) and t.low == 0)


def part_of_binary(s: Scope, e: typed.Binary) -> Part | None:
    part = part_of(s, e.left)
    by = mask_of(e.right) if isinstance(e.type, SetType) else constant_of(e.right)
    if part is None or by is None:
        return None
    if isinstance(e.type, SetType):
        return masked(part, by) if e.op == "*" and part.plus == 0 else None
    if e.op in ("+", "-"):
        plus = part.plus + (by if e.op == "+" else -by)
        low, high = scalar_range(e.type)
        return replace(part, plus=plus) if low <= plus and part.high + plus <= high else None
    if by <= 0 or by & (by - 1) or part.plus:
        return None
    return shifted(part, by.bit_length() - 1) if e.op == "DIV" else masked(part, by - 1) if e.op == "MOD" else None


def shifted(part: Part, by: int) -> Part | None:
    if part.plus or part.shift + by > 31:
        return None
    return replace(part, shift=part.shift + by, mask=part.mask >> by, high=part.high >> by)


def masked(part: Part, mask: int) -> Part:
    return replace(part, mask=part.mask & mask, high=min(part.high, mask))


def mask_of(e: typed.Expr) -> int | None:
    """The bits of a set that is written out with constants."""
    if isinstance(e, typed.Constant) and isinstance(e.value, int):
        return e.value
    if not isinstance(e, typed.SetConstructor) or not isinstance(e.type, SetType):
        return None
    found = 0
    for low, high in e.elements:
        first, last = constant_of(low), constant_of(low if high is None else high)
        if first is None or last is None or not 0 <= first < e.type.bits or not 0 <= last < e.type.bits:
            return None
        found |= sum(1 << i for i in range(first, last + 1))
    return found


# --- code ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Asked:
    """A part at run time: its number, 0 if the value is known; and that value."""

    part: Value
    known: Value  # i64


def ask_for(s: Scope, part: Part, value_of: Callable[[Scope, typed.Expr], Value]) -> Asked:
    """Reads what is to be read. Past the checker's room for inputs what is read is 0."""
    f = s.f
    e = part.base
    s.unit.derivable = False
    known = number(64, part.plus)
    match e:
        case typed.FunctionCall():
            address = f.widen(value_of(s, e.arguments[0]), 32, is_signed(e.arguments[0].type))
            found = f.call("i32", "@lf_split_read", [s.b, number(8, WIDTHS[e.name]), address])
        case typed.VariableRef() if e.variable.address is not None:
            width = number(8, stored_bits(e.type))
            found = f.call("i32", "@lf_split_read", [s.b, width, number(32, e.variable.address)])
        case typed.VariableRef() if e.variable.nonatomic:
            found = f.call("i32", "@lf_split_any", [s.b, number(8, stored_bits(e.type))])
        case typed.VariableRef():
            found = f.load("i32", s.parts[e.variable], 4)
            bits = stored_bits(e.type)
            known = f.widen(f.load(f"i{bits}", s.places[e.variable], bits // 8), 64)
            if part.shift:
                known = f.arithmetic("lshr", known, number(64, part.shift))
            known = f.arithmetic("add", f.arithmetic("and", known, number(64, part.mask)), number(64, part.plus))
        case _:
            raise AssertionError(type(e).__name__)
    if part.shift or part.plus or part.mask != 0xFFFFFFFF:
        arguments: list[Value | str] = [s.b, found, number(8, part.shift), number(32, part.mask), number(64, part.plus)]
        found = f.call("i32", "@lf_split_part", arguments)
    return Asked(found, known)


def compare(s: Scope, asked: Asked, op: str, other: Value) -> Value:
    """`other` has 64 bits."""
    relation, turned = ASKED[op]
    found = s.f.call("i1", "@lf_split_compare", [s.b, asked.part, asked.known, number(8, relation), other])
    return s.f.arithmetic("xor", found, Value("i1", "true")) if turned else found


def value_asked(
    s: Scope, part: Part, asked: Asked, e: typed.Expr, value_of: Callable[[Scope, typed.Expr], Value]
) -> Value:
    """What a part is, after all."""
    if isinstance(part.base, typed.VariableRef) and part.base.variable in s.parts:
        return value_of(s, e)
    return s.f.call("i32", "@lf_split_value", [s.b, asked.part])


def split_binary(s: Scope, e: typed.Binary, value_of: Callable[[Scope, typed.Expr], Value]) -> Value | None:
    """Some of the bits that were read: only they are asked for. None: all are."""
    part = part_of(s, e)
    if part is None or not (part.shift or part.mask != 0xFFFFFFFF):
        return None
    asked = ask_for(s, part, value_of)
    found = s.f.call("i32", "@lf_split_value", [s.b, asked.part])
    if isinstance(part.base, typed.VariableRef) and part.base.variable in s.parts:
        is_known = s.f.compare("eq", asked.part, number(32, 0))
        found = s.f.select(is_known, s.f.widen(asked.known, 32), found)
    return s.f.widen(found, stored_bits(e.type))


def split_relation(s: Scope, e: typed.Relation, value_of: Callable[[Scope, typed.Expr], Value]) -> Value | None:
    """None: it is compared as values."""
    inclusion = isinstance(e.left.type, SetType) and e.op not in ("=", "#")
    if inclusion or isinstance(e.left.type, BooleanType):
        return None
    left, right = part_of(s, e.left), part_of(s, e.right)
    if left is not None and right is None:
        asked = ask_for(s, left, value_of)
        other = value_of(s, e.right)
        return compare(s, asked, e.op, s.f.widen(other, 64, is_signed(e.right.type)))
    if right is not None:
        other = value_of(s, e.left)
        asked = ask_for(s, right, value_of)
        return compare(s, asked, TURNED[e.op], s.f.widen(other, 64, is_signed(e.left.type)))
    return None


def split_membership(s: Scope, e: typed.Membership, value_of: Callable[[Scope, typed.Expr], Value]) -> Value | None:
    """One bit, at a constant place or at one that is known when it runs."""
    part, element = part_of(s, e.set), constant_of(e.element)
    if part is None or part.plus:
        return None
    s.unit.derivable = False
    if element is None:
        return bit_of(s, part, e, value_of)
    if not 0 <= element < 32:
        return None
    bit = shifted(part, element)
    return FALSE if bit is None else test_bit(s, masked(bit, 1), value_of)


def bit_of(s: Scope, part: Part, e: typed.Membership, value_of: Callable[[Scope, typed.Expr], Value]) -> Value:
    """A shift by more than 31 leaves nothing, as a set has no such element."""
    f = s.f
    element = f.widen(value_of(s, e.element), 64, is_signed(e.element.type))
    inside = f.compare("ult", element, number(64, 32))
    by = f.op("i8", f"select i1 {inside.ref}, i8 {f.op('i8', f'trunc i64 {element.ref} to i8').ref}, i8 32")
    asked = ask_for(s, part, value_of)
    bit = f.call("i32", "@lf_split_part", [s.b, asked.part, by, number(32, 1), number(64, 0)])
    known = f.arithmetic("and", f.arithmetic("lshr", asked.known, f.widen(by, 64)), number(64, 1))
    return compare(s, Asked(bit, known), "#", number(64, 0))


def split_odd(s: Scope, e: typed.Expr, value_of: Callable[[Scope, typed.Expr], Value]) -> Value | None:
    part = part_of(s, e)
    return None if part is None or part.plus else test_bit(s, masked(part, 1), value_of)


def test_bit(s: Scope, bit: Part, value_of: Callable[[Scope, typed.Expr], Value]) -> Value:
    return compare(s, ask_for(s, bit, value_of), "#", number(64, 0))


# --- variables that keep parts ------------------------------------------------------------------------------------


def keep_parts(s: Scope, candidates: Iterator[typed.Variable]) -> None:
    """For local variables that lie on the stack: room for a part each."""
    if not s.unit.target.splits_inputs:
        return
    for v in candidates:
        if is_split(v.type):
            s.unit.derivable = False
            room = s.f.alloca("i32", 4)
            s.f.store(number(32, 0), room, 4)
            s.parts[v] = room


def assign_part(s: Scope, target: typed.Expr, e: typed.Expr, value_of: Callable[[Scope, typed.Expr], Value]) -> bool:
    """Whether the target keeps the part; else the value is to be assigned."""
    if not isinstance(target, typed.VariableRef) or target.variable not in s.parts:
        return False
    part = part_of(s, e)
    if part is None:
        return False
    f, v = s.f, target.variable
    asked = ask_for(s, part, value_of)
    bits = stored_bits(v.type)  # where what is read is known already, there is no part, and this is the value
    f.store(f.op(f"i{bits}", f"trunc {asked.known} to i{bits}"), s.places[v], bits // 8)
    f.store(asked.part, s.parts[v], 4)
    return True


def settle(s: Scope, v: typed.Variable) -> None:
    """Before a variable is used as memory: if it keeps a part, its value is asked for and put there."""
    f = s.f
    if v not in s.parts:
        return
    part = f.load("i32", s.parts[v], 4)
    asks, settled = f.label_name("asks"), f.label_name("settled")
    f.branch_if(f.compare("ne", part, number(32, 0)), asks, settled)
    f.label(asks)
    bits = stored_bits(v.type)
    found = f.call("i32", "@lf_split_value", [s.b, part])
    f.store(f.op(f"i{bits}", f"trunc {found} to i{bits}") if bits < 32 else found, s.places[v], bits // 8)
    f.store(number(32, 0), s.parts[v], 4)
    f.branch(settled)
    f.label(settled)
