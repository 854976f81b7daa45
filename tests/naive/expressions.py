"""Values and places of typed expressions in a state."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    ArrayType,
    BooleanType,
    CharType,
    ExactType,
    IntegerType,
    RecordType,
    SetType,
    SubrangeType,
    Type,
    record_layout,
    scalar_range,
    size_and_alignment,
    size_and_signedness,
)
from tests.naive.functions import FUNCTION, call_function
from tests.naive.policies import Item, Policy
from tests.naive.state import CONSTANT, MODULE, Fault, Frame, Place, State, Value

INDEX, RANGE, OVERFLOW, DIVISION, NO_CASE, ASSERTION, NO_CHANNEL, PROCESSES, CHANNELS, CALLS, ELEMENT, ENDLESS = range(
    1, 13
)
ENVIRONMENT = 13


class Faulted(Exception):
    def __init__(self, kind: int, span: Span, *values: int) -> None:
        super().__init__(kind, span, values)
        self.fault = Fault(kind, span, values)


class Unsupported(Exception):
    """What belongs to properties, which this evaluator leaves out."""


# Width, address, the value that is written (None: a read), where; gives what is read.
Access: TypeAlias = Callable[[int, int, "int | None", Span], int]


class Evaluation:
    """Expressions as the frame `depth` of `slot` sees them. Inputs are asked from the policy and recorded in `items`;
    a guard has no policy: it reads variables only."""

    def __init__(
        self,
        state: State,
        slot: int,
        depth: int,
        policy: Policy | None,
        items: list[Item],
        access: Access | None = None,
    ) -> None:
        self.state = state
        self.slot = slot
        self.depth = depth
        self.policy = policy
        self.items = items
        self.access = access  # the environment's answer to an access of a port
        self.variables: dict[typed.Variable, Value] | None = None  # of the function that runs
        self.told: Callable[[typed.Occasion, int, int, int], None] | None = None  # monitors, of an access to a port
        self.spend: Callable[[Span], None] = lambda span: None  # one loop round less in the budget of the action

    # --- places ------------------------------------------------------------------------------------------------

    def frames(self, slot: int) -> list[Frame]:
        activation = self.state.slots[slot]
        assert activation is not None
        return activation.frames

    def variable(self, variable: typed.Variable) -> Place:
        if self.variables is not None and variable in self.variables:
            return Place(FUNCTION, 0, variable)
        if isinstance(variable.owner, typed.Module):
            return Place(MODULE, 0, variable)
        frames = self.frames(self.slot)
        depth = self.depth
        while frames[depth].process is not variable.owner:  # a nested process looks outward
            depth = frames[depth].enclosing
        if depth < 0:
            raise Unsupported(f"{variable.name} has no activation")
        value = frames[depth].variables[variable]
        return value if isinstance(value, Place) else Place(self.slot, depth, variable)

    def place(self, e: typed.Expr) -> Place:
        match e:
            case typed.VariableRef():
                if e.variable.address is not None:
                    raise Unsupported("the place of a device register")
                return self.variable(e.variable)
            case typed.FieldRef():
                base = self.place(e.base)
                return base._replace(path=(*base.path, field_index(e)))
            case typed.IndexRef():
                base = self.place(e.base)
                index = self.integer(e.index)
                elements = self.load(base)
                assert isinstance(elements, list)
                if not 0 <= index < len(elements):
                    raise Faulted(INDEX, e.span, index, len(elements))
                return base._replace(path=(*base.path, index))
            case typed.Constant():
                assert isinstance(e.value, bytes)
                return Place(CONSTANT, 0, None, (), e.value, e.type)
        raise TypeError(f"no designator: {type(e).__name__}")

    def load(self, place: Place) -> Value:
        """What the state holds there: not a copy."""
        value: Value
        if place.slot == CONSTANT:
            assert place.of is not None
            value = of_bytes(place.of, place.constant)
        elif place.slot == FUNCTION:
            assert place.variable is not None and self.variables is not None
            value = self.variables[place.variable]
        elif place.slot == MODULE:
            assert place.variable is not None
            value = self.state.modules[place.variable]
        else:
            assert place.variable is not None
            value = self.frames(place.slot)[place.frame].variables[place.variable]
        for index in place.path:
            assert isinstance(value, list)
            value = value[index]
        return value

    def store(self, place: Place, value: Value) -> None:
        assert place.variable is not None
        if place.slot == FUNCTION:
            assert self.variables is not None
            variables = self.variables
        elif place.slot == MODULE:
            variables = self.state.modules
        else:
            variables = self.frames(place.slot)[place.frame].variables
        if not place.path:
            variables[place.variable] = value
            return
        inside = variables[place.variable]
        for index in place.path[:-1]:
            assert isinstance(inside, list)
            inside = inside[index]
        assert isinstance(inside, list)
        inside[place.path[-1]] = value

    # --- values ------------------------------------------------------------------------------------------------

    def integer(self, e: typed.Expr) -> int:
        value = self.value(e)
        assert isinstance(value, int)
        return value

    def elements(self, e: typed.Expr) -> list[int]:
        value = self.value(e)
        assert isinstance(value, list)
        return [x for x in value if isinstance(x, int)]

    def value(self, e: typed.Expr) -> Value:
        """Arrays and records are those of the state: copy them before they are kept."""
        match e:
            case typed.Constant():
                return of_bytes(e.type, e.value) if isinstance(e.value, bytes) else e.value
            case typed.VariableRef() if e.variable.address is not None:
                return self.read_register(e.variable, e.span)
            case typed.VariableRef() | typed.FieldRef() | typed.IndexRef():
                return self.load(self.place(e))
            case typed.Unary():
                return self._unary(e)
            case typed.Binary(op="MOD") if counting() and keeps_low_bits(e):
                return self.exactly(e.left) % self.integer(e.right)
            case typed.Binary():
                return self._binary(e, self.integer(e.left), self.integer(e.right))
            case typed.Relation():
                return int(self._relation(e))
            case typed.Membership():
                element = self.integer(e.element)
                members = self.integer(e.set)
                return int(0 <= element < bits_of(e.set.type) and bool(members >> element & 1))
            case typed.Logical():
                left = self.integer(e.left)
                return self.integer(e.right) if bool(left) == (e.op == "&") else left
            case typed.Convert():
                value = self.value(e.operand)
                if e.checked and isinstance(e.operand.type, ExactType):
                    return converted_steps(value, e.type, e.span)
                return converted(value, e.type, e.span) if e.checked else value
            case typed.Reinterpret() if counting() and is_unsigned(e.operand.type):
                return reinterpreted(reinterpreted(self.exactly(e.operand), e.operand.type), e.type)
            case typed.Reinterpret():
                return reinterpreted(self.integer(e.operand), e.type)
            case typed.SetConstructor():
                return self._set(e)
            case typed.FunctionCall():
                return self._function(e)
            case typed.CallFunction():
                return call_function(self, e)
            case typed.Overlapped():
                return self._overlapped(e)
        raise Unsupported(type(e).__name__)

    def exactly(self, e: typed.Expr) -> int:
        """Of what is written as a wrap: sums, differences and products as numbers without a bound."""
        match e:
            case typed.Binary(op="+"):
                return self.exactly(e.left) + self.exactly(e.right)
            case typed.Binary(op="-"):
                return self.exactly(e.left) - self.exactly(e.right)
            case typed.Binary(op="*"):
                return self.exactly(e.left) * self.exactly(e.right)
            case typed.Unary(op="-"):
                return -self.exactly(e.operand)
            case typed.Convert(checked=False) if is_unsigned(e.operand.type):
                return self.exactly(e.operand)
        return self.integer(e)

    def _overlapped(self, e: typed.Overlapped) -> Value:
        """Any value of the type, as long as somebody writes it."""
        stored = self.value(e.value)
        if self.integer(e.writing) == 0:
            return stored
        assert self.policy is not None
        low, high = scalar_range(e.type)
        size, _ = size_and_signedness(e.type)
        bits = self.policy.any_value(8 * size, low, high)
        self.items.append([f"in{8 * size}", bits & ((1 << 8 * size) - 1)])
        return reinterpreted(bits, e.type)

    def _unary(self, e: typed.Unary) -> int:
        operand = self.integer(e.operand)
        if e.op == "~":
            return 1 - operand
        if isinstance(e.type, SetType):
            return operand ^ ((1 << e.type.bits) - 1)
        return wrapped(-operand, e.type, e.span, 0, operand)

    def _binary(self, e: typed.Binary, left: int, right: int) -> int:
        if isinstance(e.type, SetType):
            return {"+": left | right, "-": left & ~right, "*": left & right, "/": left ^ right}[e.op]
        if e.op in ("DIV", "MOD"):
            if right == 0:
                raise Faulted(DIVISION, e.span, told(left) if isinstance(e.type, ExactType) else left)
            result = left // right if e.op == "DIV" else left % right
        else:
            result = {"+": left + right, "-": left - right, "*": left * right}[e.op]
        return wrapped(result, e.type, e.span, left, right)

    def _relation(self, e: typed.Relation) -> bool:
        left, right = self.value(e.left), self.value(e.right)
        if isinstance(left, list) and isinstance(right, list):
            return compared(e.op, string_of(left), string_of(right))
        assert isinstance(left, int) and isinstance(right, int)
        if isinstance(e.left.type, SetType) and e.op in ("<=", ">="):
            small, big = (left, right) if e.op == "<=" else (right, left)
            return small & ~big == 0
        return compared(e.op, left, right)

    def _set(self, e: typed.SetConstructor) -> int:
        bits = bits_of(e.type)
        result = 0
        for low_expr, high_expr in e.elements:
            low = self.integer(low_expr)
            high = low if high_expr is None else self.integer(high_expr)
            for bound in (low, high):
                if not 0 <= bound < bits:
                    raise Faulted(ELEMENT, e.span, bound, bits)
            for element in range(low, high + 1):
                result |= 1 << element
        return result

    def _function(self, e: typed.FunctionCall) -> int:
        if e.name == "LEN":
            array = self.value(e.arguments[0])
            assert isinstance(array, list)
            return len(array)
        if e.name == "Clock.Now":
            assert self.policy is not None
            now = self.policy.clock()
            self.items.append(["clock", now])
            return now
        arguments = [self.integer(a) for a in e.arguments]
        if e.name.startswith("PORTIN"):
            return self.read_port(int(e.name[6:] or 8), arguments[0], e.span)
        match e.name:
            case "ABS":
                return wrapped(abs(arguments[0]), e.type, e.span, arguments[0], 0)
            case "ODD":
                return arguments[0] & 1
            case "MIN":
                return min(arguments)
            case "MAX":
                return max(arguments)
        if arguments[1] < 0:
            raise Faulted(RANGE, e.arguments[1].span, arguments[1])
        return shifted(e.name, arguments[0], arguments[1], e.type)

    # --- devices -----------------------------------------------------------------------------------------------

    def read_port(self, width: int, address: int, span: Span) -> int:
        assert self.policy is not None, "guards read no ports"
        if self.access is not None:
            return self.access(width, address, None, span)
        bits = self.policy.port_in(width, address)
        self.items.append([f"in{width}", bits])
        if self.told is not None:
            self.told(typed.Occasion.PORTIN, width, address, bits)
        return bits

    def read_register(self, variable: typed.Variable, span: Span) -> int:
        assert variable.address is not None
        size, _ = size_and_signedness(variable.type)
        bits = self.read_port(8 * size, variable.address, span)
        if variable.nonatomic and size > 1 and self.access is not None:  # torn: whatever the device answers
            assert self.policy is not None
            bits = self.policy.port_in(8 * size, variable.address)
            self.items.append([f"in{8 * size}", bits])
        return reinterpreted(bits, variable.type)

    def write_port(self, width: int, address: int, value: int, span: Span) -> None:
        if self.access is not None:
            self.access(width, address, value & ((1 << width) - 1), span)
            return
        self.items.append(["out", width, address, value & ((1 << width) - 1)])
        if self.told is not None:
            self.told(typed.Occasion.PORTOUT, width, address, value & ((1 << width) - 1))


def of_bytes(t: Type, data: bytes) -> Value:
    """A constant array or record."""
    if isinstance(t, ArrayType):
        size = len(data) // t.length
        return [of_bytes(t.element, data[i * size : (i + 1) * size]) for i in range(t.length)]
    if isinstance(t, RecordType):
        offsets, _, _ = record_layout(t)
        sizes = [size_and_alignment(f.type)[0] for f in t.fields]
        return [of_bytes(f.type, data[o : o + n]) for f, o, n in zip(t.fields, offsets, sizes, strict=True)]
    return int.from_bytes(data, "little", signed=size_and_signedness(t)[1])


def field_index(e: typed.FieldRef) -> int:
    assert isinstance(e.base.type, RecordType)
    return e.base.type.fields.index(e.field)


def bits_of(t: Type) -> int:
    assert isinstance(t, SetType)
    return t.bits


COUNTING = [False]


def counting() -> bool:
    """Unsigned arithmetic that wraps is a fault (`--wraps fault`)."""
    return COUNTING[0]


@contextmanager
def wraps_counted() -> Iterator[None]:
    COUNTING[0] = True
    try:
        yield
    finally:
        COUNTING[0] = False


def is_unsigned(t: Type) -> bool:
    return isinstance(t, IntegerType) and not t.signed


def keeps_low_bits(e: typed.Binary) -> bool:
    """x MOD 2^n, where x is of at least n bits, perhaps widened."""
    inside = e.left.operand if isinstance(e.left, typed.Convert) and not e.left.checked else e.left
    modulus = e.right.value if isinstance(e.right, typed.Constant) else 0
    powers = [1 << n for n in range(8 * size_and_signedness(inside.type)[0] + 1)]
    return is_unsigned(inside.type) and modulus in powers


def wrapped(result: int, t: Type, span: Span, left: int, right: int) -> int:
    """The result of arithmetic: unsigned wraps, signed overflow is a fault."""
    assert isinstance(t, IntegerType), f"arithmetic on {t.name}"
    if not t.signed and not (counting() and not t.low <= result <= t.high):
        return result % (t.high + 1)
    if not t.low <= result <= t.high:
        raise Faulted(OVERFLOW, span, left, right)
    return result


def converted(value: Value, t: Type, span: Span) -> Value:
    """Checked: what the type cannot hold is a fault."""
    if isinstance(value, int):
        low, high = scalar_range(t)
        if not low <= value <= high:
            raise Faulted(RANGE, span, value)
    return value


def told(value: int) -> int:
    """A message has room for 32 bits, and tells the nearest number."""
    return min(max(value, -(1 << 31)), (1 << 31) - 1)


def converted_steps(value: Value, t: Type, span: Span) -> Value:
    try:
        return converted(value, t, span)
    except Faulted as fault:
        (found,) = fault.fault.values
        assert isinstance(found, int)
        raise Faulted(RANGE, span, told(found)) from None


def reinterpreted(value: int, t: Type) -> int:
    """The low bits of the value, read as the type says."""
    if isinstance(t, BooleanType):
        return value & 1
    size, signed = size_and_signedness(t)
    value &= (1 << 8 * size) - 1
    return value - (1 << 8 * size) if signed and value >> (8 * size - 1) else value


def shifted(name: str, x: int, n: int, t: Type) -> int:
    """Within the width of the type. ROR goes round; a count past the width shifts everything out."""
    size, _ = size_and_signedness(t)
    width = 8 * size
    bits = x & ((1 << width) - 1)
    if name == "ROR":
        n %= width
        return reinterpreted(bits >> n | bits << (width - n), t)
    n = min(n, width)
    return reinterpreted(bits << n, t) if name == "LSL" else x >> n


def string_of(elements: list[Value]) -> list[int]:
    """The characters before the first 0X, or all."""
    text = [x for x in elements if isinstance(x, int)]
    return text[: text.index(0)] if 0 in text else text


def compared(op: str, left: int | list[int], right: int | list[int]) -> bool:
    less: bool = left < right  # type: ignore[operator]
    equal = left == right
    return {"=": equal, "#": not equal, "<": less, "<=": less or equal, ">": not (less or equal), ">=": not less}[op]


def fitted(value: Value, t: Type) -> Value:
    """A string that is shorter than the array of CHAR that receives it is filled with 0X."""
    if isinstance(t, ArrayType) and isinstance(value, list) and len(value) != t.length:
        assert isinstance(t.element, CharType | SubrangeType | BooleanType)
        return (value + [0] * t.length)[: t.length]
    return value
