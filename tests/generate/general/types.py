"""The types of generated programs, and which values a variable of each keeps to."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Ty:
    """`low` and `high` bound what the type can hold; what is stored stays within `keeps`, so that no sum overflows."""

    kind: str  # int bool char set enum subrange array record channel
    name: str  # what a declaration writes for it
    low: int = 0
    high: int = 0
    keeps: tuple[int, int] = (0, 0)
    values: list[str] = field(default_factory=list)
    base: Ty | None = None  # of a subrange: INTEGER, CHAR or an enumeration
    length: int = 0
    element: Ty | None = None
    fields: list[tuple[str, Ty]] = field(default_factory=list)
    messages: list[tuple[str, list[Ty]]] = field(default_factory=list)

    @property
    def scalar(self) -> bool:
        return self.kind not in ("array", "record", "channel")

    @property
    def signed(self) -> bool:
        return self.low < 0

    @property
    def bits(self) -> int:
        return {"SET8": 8, "SET16": 16}.get(self.name, 32)


def integer(name: str, size: int, signed: bool, keeps: tuple[int, int]) -> Ty:
    bits = 8 * size
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    return Ty("int", name, low, high, keeps)


INT8 = integer("INT8", 1, True, (-5, 12))
INT16 = integer("INT16", 2, True, (-20, 100))
INT32 = integer("INTEGER", 4, True, (-50, 300))
UINT8 = integer("UINT8", 1, False, (0, 15))
UINT16 = integer("UINT16", 2, False, (0, 200))
UINT32 = integer("UINT32", 4, False, (0, 1000))
INTEGERS = [INT8, UINT8, INT16, UINT16, INT32, UINT32]  # by size, signed first
BOOLEAN = Ty("bool", "BOOLEAN", 0, 1)
CHAR = Ty("char", "CHAR", 0, 255)
SETS = [Ty("set", name) for name in ("SET8", "SET16", "SET32", "SET")]
SETS[3] = SETS[2]  # SET and SET32 are one type
PREDECLARED = [*INTEGERS, BOOLEAN, CHAR, *SETS[:3]]


def common(a: Ty, b: Ty) -> Ty | None:
    """The smallest integer type that holds both."""
    if a is b:
        return a
    return next((t for t in INTEGERS if t.low <= min(a.low, b.low) and t.high >= max(a.high, b.high)), None)


def holding(value: int, other: Ty) -> Ty | None:
    """The type in which a literal meets an operand of type `other`."""
    if other.low <= value <= other.high:
        return other
    return next((t for t in INTEGERS if t.low <= min(value, other.low) and t.high >= max(value, other.high)), None)


@dataclass
class Types:
    """The types of one module and the text that declares them."""

    all: list[Ty] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def of_kind(self, *kinds: str) -> list[Ty]:
        return [t for t in self.all if t.kind in kinds]


def declare_types(rng: random.Random, size: int, small: bool) -> Types:
    """`small`: only types of few values, for state spaces that can be enumerated."""
    types = Types([UINT8, BOOLEAN] if small else list(PREDECLARED))

    def add(t: Ty, text: str) -> None:
        types.all.append(t)
        star = "*" if rng.random() < 0.1 else ""
        types.lines.append(f"{t.name}{star} = {text};")

    names = ["red", "green", "blue", "black"][: rng.randint(2, 4)]
    add(Ty("enum", "Colour", 0, len(names) - 1, values=names), f"({', '.join(names)})")
    colour = types.all[-1]
    high = rng.randint(1, 3)
    low = rng.choice([0, 0, -1, 1])
    spelled = rng.choice([str(low), f"{low} + 0", f"{low} * 1", f"+{low}" if low >= 0 else str(low)])
    add(Ty("subrange", "Small", low, high + low, (low, high + low), base=INT32), f"{spelled} .. {high + low}")
    if not small and rng.random() < 0.5:
        add(Ty("subrange", "Letter", 97, 104, base=CHAR), "'a' .. 'h'")
    if len(names) > 2 and rng.random() < 0.4:
        t = Ty("subrange", "Some", 1, len(names) - 1, base=colour)
        add(t, f"{names[1]} .. {names[-1]}")
    for number in range(1 + size // 2):
        scalars = [t for t in types.all if t.scalar]
        kind = rng.choice(["array", "record", "nested"])
        if kind == "array":
            element, length = rng.choice(scalars), rng.randint(2, 3)
            name = f"Row{number}"
            add(Ty("array", name, length=length, element=element), f"ARRAY {length} OF {element.name}")
        elif kind == "record":
            fields = [(f"{'xyzuv'[i]}", rng.choice(scalars)) for i in range(rng.randint(1, 4))]
            text = "; ".join(f"{f}{'*' if rng.random() < 0.2 else ''} : {t.name}" for f, t in fields)
            end = "; END" if rng.random() < 0.1 else " END"
            add(Ty("record", f"Rec{number}", fields=fields), f"RECORD {text}{end}")
        elif structured := types.of_kind("array", "record"):
            inner = rng.choice(structured)
            if rng.random() < 0.5:
                add(Ty("array", f"Rows{number}", length=2, element=inner), f"ARRAY 2 OF {inner.name}")
            else:
                fields = [("inner", inner), ("tag", rng.choice(scalars))]
                text = "; ".join(f"{f} : {t.name}" for f, t in fields)
                add(Ty("record", f"Nest{number}", fields=fields), f"RECORD {text} END")
    if not small:
        add(Ty("array", "Text", length=6, element=CHAR), "ARRAY 6 OF CHAR")
    for number in range(rng.randint(1, 2)):
        carried = [t for t in types.all if t.scalar or t.kind in ("array", "record")]
        messages: list[tuple[str, list[Ty]]] = []
        for m in range(rng.randint(1, 3)):
            messages.append((f"m{m}", [rng.choice(carried) for _ in range(rng.choice([0, 1, 1, 2]))]))
        if number and rng.random() < 0.6:
            messages.append(("link", [types.of_kind("channel")[0]]))  # ports travel
        text = ", ".join(m + (f"({', '.join(t.name for t in ts)})" if ts else "") for m, ts in messages)
        add(Ty("channel", f"Chan{number}", messages=messages), f"[{text}]")
    return types
