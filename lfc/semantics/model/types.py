"""The types of LF and the values they hold. Types are compared by identity (`is`), as the language compares by name.

Scalar values are Python integers everywhere: FALSE is 0 and TRUE 1, a CHAR its code, an enumeration value its
ordinal, a set its bit mask, a port its channel number (0 when it was never set).
"""

from __future__ import annotations

from dataclasses import field

from lfc.base.lazy_dataclass import dataclass
from lfc.base.source import Span


@dataclass(slots=True, eq=False)
class Type:
    name: str  # as written or as shown in a diagnostic, e.g. "ARRAY 3 OF INT16"

    def __str__(self) -> str:
        return self.name


@dataclass(slots=True, eq=False)
class IntegerType(Type):
    size: int  # 1, 2, 4
    signed: bool

    @property
    def low(self) -> int:
        return -(1 << (8 * self.size - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (8 * self.size - 1)) - 1 if self.signed else (1 << (8 * self.size)) - 1


@dataclass(slots=True, eq=False)
class ExactType(IntegerType):
    """What fixed-point numbers are computed in: the typing takes the smallest one that holds every result, so nothing
    leaves it. No text names it, no variable has it."""


@dataclass(slots=True, eq=False)
class CountedType(ExactType):
    """What unsigned arithmetic is computed in where its wraps are faults; the result is converted back, checked."""


@dataclass(slots=True, eq=False)
class BooleanType(Type):
    pass


@dataclass(slots=True, eq=False)
class CharType(Type):
    pass


@dataclass(slots=True, eq=False)
class SetType(Type):
    bits: int  # 8, 16, 32


@dataclass(slots=True, eq=False)
class EnumerationType(Type):
    values: list[str]
    used: bool = False  # set by name resolution whenever one of its values is looked up


@dataclass(slots=True, eq=False)
class SubrangeType(Type):
    """Computes as `base`: INTEGER, CHAR or an enumeration. Stored in the smallest integer that holds low..high."""

    base: Type
    low: int
    high: int

    @property
    def first(self) -> int:
        """What a variable holds before anything is assigned to it."""
        return self.low


@dataclass(slots=True, eq=False)
class FixedType(SubrangeType):
    """Fixed point: a value is a number of steps, each `numerator` / `denominator`. low, high and what is stored count
    steps. Expressions have types of their own, which are not `stated`: only the typing meets them."""

    numerator: int
    denominator: int
    stated: bool = False  # the text has it; low and high lie within INTEGER

    @property
    def first(self) -> int:
        return 0 if self.low <= 0 <= self.high else self.low


@dataclass(slots=True, eq=False)
class ArrayType(Type):
    length: int
    element: Type
    index: Type | None = None  # an enumeration, BOOLEAN or CHAR whose values number its elements; None: numbers


@dataclass(slots=True, eq=False)
class OpenArrayType(Type):
    """Only the type of a formal."""

    element: Type


@dataclass(slots=True, eq=False)
class RecordField:
    name: str
    type: Type
    exported: bool
    span: Span | None


@dataclass(slots=True, eq=False)
class RecordType(Type):
    fields: list[RecordField] = field(default_factory=list)


@dataclass(slots=True, eq=False)
class Message:
    name: str
    types: list[Type]
    index: int  # position in its channel type
    span: Span | None


@dataclass(slots=True, eq=False)
class ChannelType(Type):
    """A variable of this type is a port: it holds a channel number."""

    messages: list[Message] = field(default_factory=list)
    size: int = 1  # bytes of a port; 2 in a wide program, once its machine is built
    size_asked: Span | None = None  # by SIZE, before it is known


@dataclass(slots=True, eq=False)
class ErrorType(Type):
    """The type of what is already reported; compatible with everything, so that no error follows another."""


INT8 = IntegerType("INT8", 1, True)
INT16 = IntegerType("INT16", 2, True)
INT32 = INTEGER = IntegerType("INTEGER", 4, True)  # INT32 and INTEGER are one type
REGISTERS = (IntegerType, SetType, CharType)  # any pattern of bits is a value
UINT8 = IntegerType("UINT8", 1, False)
UINT16 = IntegerType("UINT16", 2, False)
UINT32 = IntegerType("UINT32", 4, False)
BOOLEAN = BooleanType("BOOLEAN")
CHAR = CharType("CHAR")
SET8 = SetType("SET8", 8)
SET16 = SetType("SET16", 16)
SET32 = SET = SetType("SET", 32)
ERROR = ErrorType("?")

EXACT_TYPES = tuple(ExactType(f"a number of {8 * size} bits", size, True) for size in (2, 4, 8))
COUNTED = CountedType("a counted number", 8, True)

INTEGER_TYPES = (INT8, INT16, INT32, UINT8, UINT16, UINT32)


def is_port(t: Type) -> bool:
    """A channel type, or an array of ports."""
    while isinstance(t, ArrayType | OpenArrayType):
        t = t.element
    return isinstance(t, ChannelType)


def port_offsets(t: Type) -> range:
    """Of a port or an array of ports: where each of them lies in it; the step is how many bytes one has."""
    return range(0, size_and_alignment(t)[0], port_type(t).size)


def port_type(t: Type) -> ChannelType:
    """Of a port or an array of ports."""
    while isinstance(t, ArrayType | OpenArrayType):
        t = t.element
    assert isinstance(t, ChannelType)
    return t


def scalar_range(t: Type) -> tuple[int, int]:
    """Lowest and highest value of a scalar type."""
    if isinstance(t, IntegerType | SubrangeType):
        return t.low, t.high
    if isinstance(t, BooleanType):
        return 0, 1
    if isinstance(t, CharType):
        return 0, 255
    if isinstance(t, EnumerationType):
        return 0, len(t.values) - 1
    if isinstance(t, SetType):
        return 0, (1 << t.bits) - 1
    if isinstance(t, ChannelType):
        return 0, (1 << 8 * t.size) - 1
    raise TypeError(f"not a scalar: {t.name}")


def initial_value(t: Type) -> int:
    """What a scalar variable holds before anything is assigned to it: zero, or the low bound of a subrange."""
    return t.first if isinstance(t, SubrangeType) else 0


IN_STEPS = ", in steps of "  # in the text of a fault, behind a type: its values are numbers of such


def steps_text(t: FixedType, steps: int) -> str:
    """A number of steps as a decimal number, with all digits that the step has; a fraction, if it has no last one."""
    places = 0
    while places <= t.denominator.bit_length() and 10**places * t.numerator % t.denominator:
        places += 1
    if 10**places * t.numerator % t.denominator:
        return f"{steps * t.numerator}/{t.denominator}"
    digits = str(abs(steps) * t.numerator * 10**places // t.denominator).rjust(places + 1, "0")
    sign = "-" if steps < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def size_and_signedness(t: Type) -> tuple[int, bool]:
    """How a scalar is stored in the block: bytes and whether it is sign-extended."""
    if isinstance(t, IntegerType):
        return t.size, t.signed
    if isinstance(t, SetType):
        return t.bits // 8, False
    if isinstance(t, ChannelType):
        return t.size, False
    if isinstance(t, BooleanType | CharType):
        return 1, False
    low, high = scalar_range(t)
    signed = low < 0
    for size in (1, 2):
        if signed and -(1 << (8 * size - 1)) <= low and high < 1 << (8 * size - 1):
            return size, True
        if not signed and high < 1 << (8 * size):
            return size, False
    return 4, signed


def size_and_alignment(t: Type) -> tuple[int, int]:
    """Bytes that a variable of this type takes in the block, and what its offset is a multiple of."""
    if isinstance(t, ArrayType):
        size, align = size_and_alignment(t.element)
        return size * t.length, align
    if isinstance(t, RecordType):
        offsets, size, align = record_layout(t)
        return size, align
    size, _ = size_and_signedness(t)
    return size, size


def record_layout(t: RecordType) -> tuple[list[int], int, int]:
    """Offsets of the fields, size (padded to the alignment) and alignment. Fields keep their order."""
    offset, align = 0, 1
    offsets = []
    for f in t.fields:
        size, a = size_and_alignment(f.type)
        offset = -(-offset // a) * a
        offsets.append(offset)
        offset += size
        align = max(align, a)
    return offsets, -(-offset // align) * align, align


def contains_padding(t: Type) -> bool:
    """Whether the bytes of a variable of this type include padding (which is always zero in the block)."""
    if isinstance(t, ArrayType):
        return contains_padding(t.element)
    if isinstance(t, RecordType):
        _, size, _ = record_layout(t)
        return size != sum(size_and_alignment(f.type)[0] for f in t.fields) or any(
            contains_padding(f.type) for f in t.fields
        )
    return False
