"""Whether an expression or a simple statement may fault, as far as the types of what it reads tell."""

from __future__ import annotations

from collections.abc import Iterable

from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    ArrayType,
    BooleanType,
    CharType,
    CountedType,
    EnumerationType,
    IntegerType,
    SetType,
    SubrangeType,
    Type,
    size_and_signedness,
)
from lfc.semantics.model.visit import expressions_of, operands, subexpressions

Interval = tuple[int, int]


def range_of_type(t: Type) -> Interval | None:
    """None: its values are no numbers in a row."""
    match t:
        case IntegerType() | SubrangeType():
            return t.low, t.high
        case BooleanType():
            return 0, 1
        case CharType():
            return 0, 255
        case EnumerationType():
            return 0, len(t.values) - 1
    return None


def room_of_type(t: Type) -> Interval | None:
    """What its variables have room for."""
    if not isinstance(t, SubrangeType | EnumerationType):
        return range_of_type(t)
    size, signed = size_and_signedness(t)
    return (-(1 << 8 * size - 1), (1 << 8 * size - 1) - 1) if signed else (0, (1 << 8 * size) - 1)


def first_of(t: Type) -> int:
    """Of a scalar type: what its variables start with."""
    return t.first if isinstance(t, SubrangeType) else 0


def takes_first_of(to: Type, t: Type) -> bool:
    """A variable of the one type can be assigned what those of the other start with."""
    found = range_of_type(to)
    return found is not None and found[0] <= first_of(t) <= found[1]


def takes_bits_as_they_are(statements: Iterable[typed.Statement]) -> bool:
    """SYSTEM.VAL may make a value that a subrange or an enumeration does not have. It goes on into others unchecked,
    where the types say that it fits."""
    every = (x for s in statements for part in expressions_of(s) for x in subexpressions(part))
    return any(may_be_beyond(e) for e in every if isinstance(e.type, SubrangeType | EnumerationType))


def may_be_beyond(e: typed.Expr) -> bool:
    found = range_of_type(e.type)
    if isinstance(e, typed.Constant) and isinstance(e.value, int) and found is not None:
        return not found[0] <= e.value <= found[1]
    return isinstance(e, typed.Reinterpret)


class Ranges:
    """Between which numbers values lie, and so what may fault."""

    def __init__(self, within_types: bool = True) -> None:
        """`within_types`: variables hold nothing but values of their types."""
        self.of_type = range_of_type if within_types else room_of_type

    def interval(self, e: typed.Expr) -> Interval | None:
        """Between which numbers its value lies, if it has one."""
        of_type = self.of_type(e.type)
        found: Interval | None = None
        match e:
            case typed.Constant():
                found = (e.value, e.value) if isinstance(e.value, int) else None
            case typed.Convert() if self.of_type(e.operand.type) is not None:
                found = self.interval(e.operand)
            case typed.Binary():
                found = self.of_binary(e)
            case typed.Unary(op="-"):
                inner = self.interval(e.operand)
                found = None if inner is None else (-inner[1], -inner[0])
        if found is None or of_type is None:
            return of_type
        return found if of_type[0] <= found[0] and found[1] <= of_type[1] else of_type

    def of_binary(self, e: typed.Binary) -> Interval | None:
        """As if the type had room for all."""
        left, right = self.interval(e.left), self.interval(e.right)
        if left is None or right is None or isinstance(e.type, SetType):
            return None
        match e.op:
            case "+":
                return left[0] + right[0], left[1] + right[1]
            case "-":
                return left[0] - right[1], left[1] - right[0]
            case "*":
                corners = [a * b for a in left for b in right]
                return min(corners), max(corners)
            case "DIV" if right[0] > 0:
                corners = [a // b for a in left for b in right]
                return min(corners), max(corners)
            case "MOD" if right[0] > 0:
                return 0, right[1] - 1
        return None

    def within(self, e: typed.Expr, low: int, high: int) -> bool:
        found = self.interval(e)
        return found is not None and low <= found[0] and found[1] <= high

    def may_fault(self, e: typed.Expr) -> bool:
        return any(self.may_fault(x) for x in operands(e)) or self.faults_itself(e)

    def faults_itself(self, e: typed.Expr) -> bool:
        match e:
            case typed.IndexRef():
                t = e.base.type
                return not (isinstance(t, ArrayType) and self.within(e.index, 0, t.length - 1))
            case typed.Unary(op="-"):
                return is_signed(e.type) and not self.within(
                    e.operand, -self.range_high(e.type), self.range_high(e.type)
                )
            case typed.Binary() if not isinstance(e.type, SetType):
                if e.op in ("DIV", "MOD"):
                    divisor = self.interval(e.right)
                    return divisor is None or divisor[0] <= 0
                of_type, found = self.of_type(e.type), self.of_binary(e)
                if not is_signed(e.type) or of_type is None:
                    return False
                return found is None or found[0] < of_type[0] or found[1] > of_type[1]
            case typed.Convert(checked=True):
                to = range_of_type(e.type)
                return to is None or range_of_type(e.operand.type) is None or not self.within(e.operand, *to)
            case typed.SetConstructor():
                bits = e.type.bits if isinstance(e.type, SetType) else 0
                return not all(self.within(x, 0, bits - 1) for pair in e.elements for x in pair if x is not None)
            case typed.FunctionCall(name="ABS"):
                of_type = self.of_type(e.type)
                return of_type is None or (
                    is_signed(e.type) and not self.within(e.arguments[0], -of_type[1], of_type[1])
                )
            case typed.FunctionCall(name="LSL" | "ASR" | "ROR"):
                count = self.interval(e.arguments[1])
                return count is None or count[0] < 0
            case typed.FunctionCall(
                name="MIN" | "MAX" | "ODD" | "LEN" | "PORTIN" | "PORTIN16" | "PORTIN32" | "Clock.Now"
            ):
                return False
            case typed.FunctionCall() | typed.CallFunction():
                return True
        return False

    def range_high(self, t: Type) -> int:
        found = self.of_type(t)
        return 0 if found is None else found[1]

    def simple_may_fault(self, s: typed.Statement) -> bool:
        """Of what neither waits nor calls. ASSERT is no fault here."""
        match s:
            case typed.Assign():
                return self.may_fault(s.target) or self.may_fault(s.value)
            case typed.Step():
                wraps = isinstance(s.target.type, IntegerType) and not s.target.type.signed
                wraps = wraps and not isinstance(s.amount.type, CountedType)
                return not wraps or self.may_fault(s.target) or self.may_fault(s.amount)
            case typed.Include():
                bits = 8 * size_and_signedness(s.set.type)[0]
                return self.may_fault(s.set) or self.may_fault(s.element) or not self.within(s.element, 0, bits - 1)
            case typed.Assert():
                return self.may_fault(s.condition)
            case typed.PortOut():
                return self.may_fault(s.address) or self.may_fault(s.value)
            case typed.ConsoleWrite():
                return self.may_fault(s.value)
            case typed.Spin():
                return self.may_fault(s.microseconds)
        return True


def is_signed(t: Type) -> bool:
    return (isinstance(t, IntegerType) and t.signed) or isinstance(t, SubrangeType)
