"""Random expressions of generated programs. In a calm program none of them faults: every number carries the interval
that it lies in, and what could leave its type is brought back by MOD.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from tests.generate.general.types import (
    BOOLEAN,
    CHAR,
    INT32,
    INTEGERS,
    SETS,
    UINT8,
    UINT16,
    UINT32,
    Ty,
    common,
    holding,
)


@dataclass(slots=True)
class Num:
    """The text of an integer expression, its type, and the interval of its values; `literal`: it adapts."""

    text: str
    ty: Ty
    low: int
    high: int
    literal: bool = False
    simple: bool = True  # needs no parentheses as an operand


@dataclass(eq=False, slots=True)
class Var:
    name: str
    ty: Ty
    writable: bool = True
    keeps: tuple[int, int] | None = None  # None: what its type says
    open_element: Ty | None = None  # an open array parameter: no type of its own
    module: bool = False  # declared by the module: may be a VAR argument of CREATE
    register: bool = False


@dataclass(slots=True)
class Options:
    small: bool = False  # few values, for state spaces that can be enumerated
    inputs: bool = True  # In, port reads, device registers, the clock
    careless: float = 0.0  # how often a check is left to chance


Step = str | int  # a field, or the length of the array that is indexed


def parts(ty: Ty) -> list[tuple[Ty, list[Step]]]:
    """A type and all that lies in it, with the way there."""
    found: list[tuple[Ty, list[Step]]] = [(ty, [])]
    if ty.kind == "array" and ty.element is not None:
        found += [(t, [ty.length, *way]) for t, way in parts(ty.element)]
    for name, t in ty.fields:
        found += [(inner, [name, *way]) for inner, way in parts(t)]
    return found


class Expressions:
    def __init__(self, rng: random.Random, options: Options, types: list[Ty], constants: dict[str, int]) -> None:
        self.rng = rng
        self.options = options
        self.types = types
        self.constants = constants
        self.scope: list[Var] = []
        self.pure = False  # in a guard: variables only

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def careless(self) -> bool:
        return self.chance(self.options.careless)

    # --- designators -------------------------------------------------------------------------------------------

    def designator(
        self, wanted: Callable[[Ty], bool], depth: int, writable: bool = False, module: bool = False
    ) -> tuple[str, Ty, tuple[int, int]] | None:
        """A variable or part of one whose type is wanted, with its type and what it keeps to."""
        candidates: list[tuple[Var, Ty, list[Step]]] = []
        for v in self.scope:
            if (writable and (not v.writable or v.register)) or (module and not v.module) or (self.pure and v.register):
                continue
            if v.open_element is not None:
                found = [(t, [0, *way]) for t, way in parts(v.open_element)]
            else:
                found = parts(v.ty)
            candidates += [(v, t, way) for t, way in found if wanted(t)]
        if not candidates:
            return None
        var, ty, way = self.rng.choice(candidates)
        text = var.name
        for step in way:
            if isinstance(step, str):
                text += f".{step}"
            elif text.endswith("]") and self.chance(0.3):
                text = f"{text[:-1]}, {self.index(step, var.name, depth)}]"
            else:
                text += f"[{self.index(step, var.name, depth)}]"
        return text, ty, var.keeps if var.keeps is not None and not way else ty.keeps

    def index(self, length: int, array: str, depth: int) -> str:
        """Within the bounds; `length` 0: those of the open array."""
        if depth <= 0 or self.chance(0.4):
            return str(self.rng.randrange(length or 1))
        n = self.number(depth - 1)
        if self.careless() or (length and 0 <= n.low and n.high < length):
            return n.text
        if length:
            return f"{paren(n)} MOD {length}"
        if common(n.ty, INT32) is None:
            return "0"
        return f"{paren(n)} MOD LEN({array})"

    # --- numbers -----------------------------------------------------------------------------------------------

    def number(self, depth: int) -> Num:
        rng = self.rng
        if depth <= 0 or self.chance(0.25):
            return self.leaf(depth)
        kind = rng.choice("+ + - - * DIV MOD neg ABS MINMAX convert shift ORD input VAL".split())
        if kind in ("+", "-", "*"):
            return self.arithmetic(kind, self.number(depth - 1), self.number(depth - 1))
        a = self.number(depth - 1)
        if a.literal and kind in ("DIV", "MOD", "neg", "ABS", "shift", "convert", "VAL"):
            return a
        match kind:
            case "DIV" | "MOD":
                return self.division(kind, a, depth)
            case "neg" if self.chance(0.15):
                return Num(f"+{paren(a)}", a.ty, a.low, a.high, simple=False)
            case "neg":
                return self.within(f"-{paren(a)}", a.ty, -a.high, -a.low, a, simple=False)
            case "ABS":
                low = 0 if a.low <= 0 <= a.high else min(abs(a.low), abs(a.high))
                return self.within(f"ABS({a.text})", a.ty, low, max(abs(a.low), abs(a.high)), a)
            case "MINMAX":
                return self.min_max(a, self.number(depth - 1))
            case "convert":
                t = rng.choice(INTEGERS)
                if self.careless() or (t.low <= a.low and a.high <= t.high):
                    return Num(f"{t.name}({a.text})", t, max(a.low, t.low), min(a.high, t.high))
            case "shift":
                name = rng.choice(["LSL", "ASR", "ROR"])
                bits = 8 if a.ty.high < 256 else 16 if a.ty.high < 65536 else 32
                shifted = f"{name}({a.text}, {rng.choice([0, 1, 2, bits - 1, bits])})"
                if name == "LSL" and not a.ty.signed:
                    shifted = f"SYSTEM.VAL({a.ty.name}, {shifted})"
                return Num(shifted, a.ty, a.ty.low, a.ty.high)
            case "VAL":
                t = rng.choice(INTEGERS)
                return Num(f"SYSTEM.VAL({t.name}, {a.text})", t, t.low, t.high)
            case "ORD":
                return self.ordinal(depth)
            case "input" if self.options.inputs and not self.pure:
                return self.input()
        return a

    def leaf(self, depth: int) -> Num:
        if self.chance(0.65):
            found = self.designator(lambda t: t.kind == "int" or (t.kind == "subrange" and t.base is INT32), depth - 1)
            if found is not None:
                text, t, (low, high) = found
                return Num(text, t if t.kind == "int" else INT32, low, high)
        return self.literal()

    def literal(self) -> Num:
        rng = self.rng
        kind = rng.randrange(10)
        if kind == 0 and self.constants:
            name = rng.choice(sorted(self.constants))
            value = self.constants[name]
            return Num(name, INT32, value, value, literal=True)
        if kind == 1:
            t = rng.choice([t for t in self.types if t.kind in ("subrange", "int") and t.base in (None, INT32)])
            if abs(t.low) < 1000 and t.high < 1000:
                name, value = rng.choice([("MIN", t.low), ("MAX", t.high)])
                return Num(f"{name}({t.name})", INT32, value, value, literal=True)
        if kind == 2:
            t, size = rng.choice([(UINT8, 1), (BOOLEAN, 1), (CHAR, 1), (UINT16, 2), (INT32, 4)])
            return Num(f"SIZE({t.name})", INT32, size, size, literal=True)
        value = rng.randrange(10)
        text = f"0{value:X}H" if self.chance(0.15) else str(value)
        return Num(text, INT32, value, value, literal=True)

    def arithmetic(self, op: str, a: Num, b: Num) -> Num:
        if a.literal and b.literal:
            return a
        t = operand_type(a, b)
        if t is None:
            return b if a.literal else a
        ends = [x * y if op == "*" else x + y if op == "+" else x - y for x in (a.low, a.high) for y in (b.low, b.high)]
        text = f"{paren(a)} {op} {paren(b)}"
        return self.within(text, t, min(ends), max(ends), b if a.literal else a, simple=False)

    def within(self, text: str, t: Ty, low: int, high: int, instead: Num, simple: bool = True) -> Num:
        """The result in its type: unsigned wraps; a signed one that could overflow is not taken."""
        if not t.signed and not simple:  # a wrap is written, or it could not flow into a wider type
            text, simple = f"SYSTEM.VAL({t.name}, {text})", True
        if t.low <= low and high <= t.high:
            return Num(text, t, low, high, simple=simple)
        if not t.signed:
            return Num(text, t, t.low, t.high, simple=simple)
        return Num(text, t, max(low, t.low), min(high, t.high), simple=simple) if self.careless() else instead

    def division(self, op: str, a: Num, depth: int) -> Num:
        k = self.rng.choice([1, 2, 3, 5, 7])
        divisor = Num(str(k), INT32, k, k, literal=True)
        if self.chance(0.3):
            b = self.number(depth - 1)
            t = operand_type(a, b)
            if not b.literal and t is not None and self.careless():
                return Num(f"{paren(a)} {op} {paren(b)}", t, t.low, t.high, simple=False)
            if not b.literal and t is not None:
                divisor = Num(f"({paren(b)} MOD {k} + 1)", b.ty, 1, k)
        elif a.ty.signed and self.chance(0.2):
            divisor = Num(f"(-{k + 1})", INT32, -k - 1, -k - 1, literal=True)
        t = operand_type(a, divisor)
        if t is None:
            return a
        ends = [x // y for x in (a.low, a.high) for y in (divisor.low, divisor.high)]
        if op == "DIV":
            return Num(f"{paren(a)} DIV {divisor.text}", t, min(ends), max(ends), simple=False)
        low, high = (0, divisor.high - 1) if divisor.low > 0 else (divisor.low + 1, 0)
        return Num(f"{paren(a)} MOD {divisor.text}", t, low, high, simple=False)

    def min_max(self, a: Num, b: Num) -> Num:
        name = self.rng.choice(["MIN", "MAX"])
        t = operand_type(a, b)
        if t is None or (a.literal and b.literal):
            return a
        pick = min if name == "MIN" else max
        return Num(f"{name}({a.text}, {b.text})", t, pick(a.low, b.low), pick(a.high, b.high))

    def ordinal(self, depth: int) -> Num:
        found = self.designator(lambda t: t.kind in ("bool", "char", "enum", "set"), depth - 1)
        if found is None:
            return self.leaf(depth)
        text, t, _ = found
        if t.kind == "set":
            return Num(f"ORD({text})", UINT32 if t.bits == 32 else INT32, 0, (1 << t.bits) - 1)
        return Num(f"ORD({text})", INT32, 0, t.high)

    def input(self) -> Num:
        text, t = self.rng.choice(
            [("PORTIN(10H)", UINT8), ("PORTIN16(20H)", UINT16), ("PORTIN32(30H)", UINT32), ("Clock.Now()", UINT32)]
        )
        return Num(text, t, t.low, t.high)

    # --- values of a type --------------------------------------------------------------------------------------

    def value(self, ty: Ty, depth: int) -> str:
        """An expression that can be assigned to a variable of this type, and keeps to what such variables keep to."""
        match ty.kind:
            case "int":
                return self.as_integer(self.number(depth), ty)
            case "subrange" if ty.base is INT32:
                n = self.number(depth)
                return n.text if self.careless() and not n.literal else self.reduced(n, ty.low, ty.high).text
            case "bool":
                return self.boolean(depth)
            case "char":
                return self.character(depth)
            case "enum" | "subrange":
                return self.enumerated(ty, depth)
            case "set":
                return self.set(ty, depth)
        found = self.designator(lambda t: t is ty, depth)
        if ty.name == "Text" and (found is None or self.chance(0.5)):
            return self.rng.choice(['"ab"', '"hello"', '""', "41X", "'z'"])
        if found is None:
            raise LookupError(ty.name)
        return found[0]

    def reduced(self, n: Num, low: int, high: int) -> Num:
        """Brought into low..high."""
        if low <= n.low and n.high <= high:
            return n
        if n.literal:
            value = low + (n.low - low) % (high - low + 1)
            return Num(str(value), INT32, value, value, literal=True, simple=value >= 0)
        base = max(low, 0)
        width = high - base + 1
        t = operand_type(n, Num(str(width), INT32, width, width, literal=True)) or n.ty
        text = f"{paren(n)} MOD {width}"
        if base:
            text += f" + {base}"
        return Num(text, t, base, high, simple=False)

    def as_integer(self, n: Num, ty: Ty) -> str:
        low, high = ty.keeps
        if not self.careless():
            n = self.reduced(n, low, high)
        if n.literal:
            return n.text if ty.low <= n.low <= ty.high else "1"
        if ty.low <= n.ty.low and n.ty.high <= ty.high:
            return n.text
        return f"{ty.name}({n.text})"

    def boolean(self, depth: int) -> str:
        rng = self.rng
        if depth <= 0 or self.chance(0.15):
            found = self.designator(lambda t: t is BOOLEAN, depth - 1)
            return found[0] if found is not None and self.chance(0.7) else rng.choice(["TRUE", "FALSE", "TRUE"])
        kind = rng.choice("rel rel rel and or not in odd char enum set string port bool conv".split())
        match kind:
            case "and":
                return f"({self.boolean(depth - 1)}) & ({self.boolean(depth - 1)})"
            case "or":
                return f"(({self.boolean(depth - 1)}) OR ({self.boolean(depth - 1)}))"
            case "not":
                return f"~({self.boolean(depth - 1)})"
            case "bool":
                return f"({self.boolean(depth - 1)}) {rng.choice(['=', '#'])} ({self.boolean(depth - 1)})"
            case "conv":
                n = self.reduced(self.number(depth - 1), 0, 1)
                return f"BOOLEAN({n.text})"
            case "in":
                t = rng.choice(SETS)
                return f"{self.leaf(depth).text} IN {self.set_operand(t, depth - 1)}"
            case "odd":
                n = self.number(depth - 1)
                return f"ODD({n.text})"
            case "char":
                return f"{self.character(depth - 1)} {self.relation()} {self.character(depth - 1)}"
            case "enum":
                t = rng.choice([t for t in self.types if t.kind == "enum"])
                return f"{self.enumerated(t, depth - 1)} {self.relation()} {self.enumerated(t, depth - 1)}"
            case "set":
                found = self.designator(lambda t: t.kind == "set", depth - 1)
                if found is not None:
                    op = rng.choice(["=", "#", "<=", ">="])
                    return f"{found[0]} {op} {self.set_operand(found[1], depth - 1)}"
            case "string":
                left, right = (self.designator(lambda t: t.name == "Text", 0) for _ in range(2))
                if left is not None and right is not None:
                    other = right[0] if self.chance(0.5) else rng.choice(['"ab"', '"hello"', '""', "'c'"])
                    return f"{left[0]} {self.relation()} {other}"
            case "port":
                left = self.designator(lambda t: t.kind == "channel", depth - 1) if not self.pure else None
                if left is not None:
                    chan = left[1]
                    right = self.designator(lambda t: t is chan, depth - 1)
                    assert right is not None
                    return f"{left[0]} {rng.choice(['=', '#'])} {right[0]}"
        a, b = self.number(depth - 1), self.number(depth - 1)
        if operand_type(a, b) is None:
            return f"ODD({a.text})"
        return f"{paren(a)} {self.relation()} {paren(b)}"

    def relation(self) -> str:
        return self.rng.choice(["=", "#", "<", "<=", ">", ">="])

    def character(self, depth: int) -> str:
        if self.chance(0.5):
            found = self.designator(lambda t: t is CHAR, depth - 1)
            if found is not None:
                return found[0]
        if depth > 0 and self.chance(0.4):
            n = self.number(depth - 1)
            n = n if self.careless() else self.reduced(n, 0, 255)
            return f"{self.rng.choice(['CHR', 'CHR', 'CHAR'])}({n.text})"
        return self.rng.choice(["'a'", "'z'", "0X", "41X", "'\"'"])

    def enumerated(self, ty: Ty, depth: int) -> str:
        """Of an enumeration, or a subrange of one or of CHAR."""
        found = self.designator(lambda t: t is ty, depth - 1)
        if found is not None and self.chance(0.5):
            return found[0]
        n = self.reduced(self.number(max(depth - 1, 0)), ty.low, ty.high)
        if n.literal or self.chance(0.4):
            value = self.rng.randint(ty.low, ty.high)
            if ty.base is CHAR:
                return f"'{chr(value)}'"
            return (ty.base or ty).values[value]
        return f"{'CHR' if ty.base is CHAR and self.chance(0.5) else ty.name}({n.text})"

    def set(self, ty: Ty, depth: int) -> str:
        rng = self.rng
        if depth > 0 and self.chance(0.5):
            kind = rng.choice(["op", "op", "complement", "convert"])
            if kind == "op":
                left = self.designator(lambda t: t is ty, depth - 1)
                if left is not None:
                    return f"{left[0]} {rng.choice('+-*/')} {self.set_operand(ty, depth - 1)}"
            elif kind == "complement":
                found = self.designator(lambda t: t is ty, depth - 1)
                if found is not None:
                    return f"-{found[0]}"
            else:
                n = self.reduced(self.number(depth - 1), 0, 255)
                return f"{ty.name}({n.text})"
        return self.set_operand(ty, depth)

    def set_operand(self, ty: Ty, depth: int) -> str:
        if self.chance(0.4):
            found = self.designator(lambda t: t is ty, depth - 1)
            if found is not None:
                return found[0]
        elements = []
        for _ in range(self.rng.randint(0, 3)):
            n = self.number(max(depth - 1, 0))
            first = n.text if self.careless() and not n.literal else self.reduced(n, 0, ty.bits - 1).text
            if self.chance(0.3):
                last = self.reduced(self.number(0), 0, ty.bits - 1).text
                first += f" .. {last}"
            elements.append(first)
        return "{" + ", ".join(elements) + "}"


def operand_type(a: Num, b: Num) -> Ty | None:
    if a.literal and b.literal:
        return INT32
    if a.literal:
        return holding(a.low, b.ty)
    return holding(b.low, a.ty) if b.literal else common(a.ty, b.ty)


def paren(n: Num) -> str:
    return n.text if n.simple and not n.text.startswith("-") else f"({n.text})"
