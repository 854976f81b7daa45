"""Random programs with fixed-point numbers, which assert what they come to: computed here with fractions, along with
the text, without anything of the compiler.

    program = fixed(seed)
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from fractions import Fraction

STEPS = [Fraction(1, 10**k) for k in range(5)] + [Fraction(1, 2**k) for k in (1, 2, 4, 8, 10)]
STEPS += [Fraction(1, 20), Fraction(5, 2), Fraction(5), Fraction(3, 100)]
INTEGERS = {"INT8": (-128, 127), "UINT8": (0, 255), "INT16": (-32768, 32767), "UINT16": (0, 65535)}
INTEGERS |= {"INTEGER": (-(2**31), 2**31 - 1)}
RELATIONS = ("=", "#", "<", "<=", ">", ">=")


@dataclass(frozen=True, slots=True)
class FixedPoint:
    name: str
    step: Fraction
    low: int
    high: int

    def holds(self, steps: Fraction | int) -> bool:
        return self.low <= steps <= self.high


@dataclass(frozen=True, slots=True)
class Program:
    text: str
    faults: bool  # its last statement does


def decimal(x: Fraction) -> str:
    """All digits of a number that has a last one."""
    places = 0
    while (x * 10**places).denominator != 1:
        places += 1
    digits = str(abs(x.numerator) * 10**places // x.denominator).rjust(places + 1, "0")
    whole = f"{digits[:-places]}.{digits[-places:]}" if places else f"{digits}.0"
    return f"(-{whole})" if x < 0 else whole


def nearest(x: Fraction) -> int:
    return (x + Fraction(1, 2)).__floor__()


def compare(op: str, x: Fraction, y: Fraction) -> bool:
    return {"=": x == y, "#": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


class FixedPrograms:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.types: list[FixedPoint] = []
        self.values: dict[str, tuple[FixedPoint, int]] = {}  # what variables hold, in steps
        self.numbers: dict[str, tuple[str, int]] = {}  # integer variables: type, value
        self.lines: list[str] = []
        self.faults = False

    def new_type(self, name: str) -> FixedPoint:
        r = self.rng
        widest = 1 << r.choice([4, 7, 8, 11, 15, 15, 16, 20, 31])
        low = -r.randint(0, widest) if r.random() < 0.7 else 0
        high = min(max(low, 0) + r.randint(1, widest), 2**31 - 1)
        if r.random() < 0.1:
            low = high // 3  # zero is none of its values
        return FixedPoint(name, r.choice(STEPS), low, high)

    # --- expressions: the text and its value -------------------------------------------------------------------------

    def variable(self) -> tuple[str, Fraction]:
        name = self.rng.choice(list(self.values))
        t, steps = self.values[name]
        return name, steps * t.step

    def constant(self) -> tuple[str, Fraction]:
        r = self.rng
        if r.random() < 0.4:
            n = r.randint(-20, 20)
            return (str(n) if n >= 0 else f"({n})"), Fraction(n)
        x = Fraction(r.randint(-2000, 2000), 10 ** r.randint(1, 4))
        return decimal(x), x

    def expression(self, depth: int) -> tuple[str, Fraction]:
        """With a variable in it, so that it is a fixed-point expression."""
        r = self.rng
        if depth == 0:
            return self.variable()
        text, x = self.expression(depth - 1)
        other, y = self.constant() if r.random() < 0.4 else self.expression(depth - 1)
        match r.randrange(9):
            case 0 | 1:
                return f"({text} + {other})", x + y
            case 2 | 3:
                return f"({other} - {text})", y - x
            case 4 | 5:
                return f"({text} * {other})", x * y
            case 6:
                return f"(-{text})" if text[0] != "(" else f"(-({text}))", -x
            case 7:
                name = r.choice(["MIN", "MAX"])
                return f"{name}({text}, {other})", (min if name == "MIN" else max)(x, y)
        if r.random() < 0.5:
            return f"ABS({text})", abs(x)
        divisor, by = self.constant()
        return (f"({text} / {divisor})", x / by) if by else (text, x)

    def quotient(self, depth: int) -> tuple[str, Fraction]:
        text, x = self.expression(depth)
        divisor, by = self.expression(0)
        return (f"{text} / {divisor}", x / by) if by else (text, x)

    # --- statements --------------------------------------------------------------------------------------------------

    def into(self, low: int, high: int, step: Fraction, x: Fraction, t: str, text: str) -> tuple[str, int, bool]:
        """A rounded value as text, its steps, and whether it lies in the type."""
        name = self.rng.choice(["ROUND", "FLOOR", "SATURATE", "SATURATE"])
        steps = (x / step).__floor__() if name == "FLOOR" else nearest(x / step)
        if name == "SATURATE":
            steps = min(max(steps, low), high)
        return f"{name}({t}, {text})", steps, low <= steps <= high

    def statement(self) -> None:
        r = self.rng
        kind = r.randrange(10)
        text, x = self.quotient(1) if r.random() < 0.3 else self.expression(r.choice([1, 1, 2]))
        if kind < 6:
            name = r.choice(list(self.values))
            t, _ = self.values[name]
            value, steps, fine = self.into(t.low, t.high, t.step, x, t.name, text)
            self.assign(name, value, fine)
            if fine:
                self.values[name] = t, steps
                self.lines.append(f"ASSERT({name} = {decimal(steps * t.step)})")
        elif kind < 8:
            name = r.choice(list(self.numbers))
            of, _ = self.numbers[name]
            value, steps, fine = self.into(*INTEGERS[of], Fraction(1), x, of, text)
            self.assign(name, value, fine)
            if fine:
                self.numbers[name] = of, steps
                self.lines.append(f"ASSERT({name} = {steps})")
        elif kind == 8:
            self.convert()
        else:
            left, y = self.expression(1)
            right, z = self.expression(1) if r.random() < 0.6 else self.constant()
            op = r.choice(RELATIONS)
            self.lines.append(f"ASSERT({'' if compare(op, y, z) else '~'}({left} {op} {right}))")

    def assign(self, name: str, value: str, fine: bool) -> None:
        if fine:
            self.lines.append(f"{name} := {value}")
        elif not self.faults and self.rng.random() < 0.05:
            self.faults = True
            self.lines.append(f"{name} := {value}")

    def convert(self) -> None:
        """Without a loss: a function's result, an element, steps as they are, a number."""
        r = self.rng
        name = r.choice(list(self.values))
        t, steps = self.values[name]
        match r.randrange(4):
            case 0:
                self.lines.append(f"ASSERT(Twice{t.name}({name}) = {decimal(2 * steps * t.step)})")
            case 1:
                self.lines.append(f"row{t.name}[1] := {name}")
                self.lines.append(f"ASSERT((row{t.name}[1] = {name}) & (row{t.name}[0] >= {t.name}(row{t.name}[0])))")
            case 2:
                self.lines.append(f"ASSERT(SYSTEM.VAL({t.name}, {steps}) = {name})")
            case 3:
                number, (_, n) = r.choice(list(self.numbers.items()))
                if (n / t.step).denominator == 1 and t.holds(n / t.step) and t.step.numerator == 1:
                    self.lines += [f"{name} := {t.name}({number})", f"ASSERT({name} = {n})"]
                    self.values[name] = t, int(n / t.step)

    # --- the program -------------------------------------------------------------------------------------------------

    def program(self) -> Program:
        r = self.rng
        self.types = [self.new_type(f"T{n}") for n in range(r.randint(2, 4))]
        first = []
        for n in range(r.randint(3, 6)):
            t = r.choice(self.types)
            steps = r.choice([t.low, t.high, r.randint(t.low, t.high), r.randint(t.low, t.high)])
            self.values[f"v{n}"] = t, steps
            first.append(f"v{n} := {decimal(steps * t.step)}")
        for n, of in enumerate(INTEGERS):
            low, high = INTEGERS[of]
            value = r.randint(max(low, -200), min(high, 300))
            self.numbers[f"n{n}"] = of, value
            first.append(f"n{n} := {value}")
        of_types = {name: t for name, (t, _) in self.values.items()}
        for _ in range(r.randint(4, 14)):
            if not self.faults:
                self.statement()
        lines = ["MODULE Program;", "IMPORT SYSTEM;", "TYPE"]
        for t in self.types:
            first_value, last_value, step = (decimal(n * t.step).strip("()") for n in (t.low, t.high, 1))
            lines.append(f"  {t.name} = {first_value} .. {last_value} BY {step};")
        lines.append("VAR")
        lines += [f"  {name} : {t.name};" for name, t in of_types.items()]
        lines += [f"  {name} : {of};" for name, (of, _) in self.numbers.items()]
        lines += [f"  row{t.name} : ARRAY 2 OF {t.name};" for t in self.types]
        for t in self.types:
            wide = Fraction(2) * t.step
            lines.append(
                f"PROCEDURE Twice{t.name}(x : {t.name}) : Double{t.name}; BEGIN RETURN x * 2 END Twice{t.name};"
            )
            first_value, last_value = (decimal(n * wide).strip("()") for n in (t.low, t.high))
            if 2 * max(abs(t.low), abs(t.high)) < 2**31:
                lines.insert(3, f"  Double{t.name} = {first_value} .. {last_value} BY {decimal(t.step)};")
            else:
                lines.insert(3, f"  Double{t.name} = {first_value} .. {last_value} BY {decimal(wide)};")
        lines.append("BEGIN")
        body = [*first, *self.lines]
        return Program("\n".join(lines) + "\n  " + ";\n  ".join(body) + "\nEND Program.\n", self.faults)


def fixed(seed: int) -> Program:
    return FixedPrograms(seed).program()
