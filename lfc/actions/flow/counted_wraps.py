"""`--wraps fault`: unsigned arithmetic whose result its type cannot hold is a fault, instead of a wrap.

`a + b` becomes T(a + b), computed without a bound and converted back with a check, in the typed program; so all that
comes after it (what may fault, reductions, undetermined data) knows what a checked conversion is. INC and DEC keep
their form; their amount says that they count.

A wrap that is written as one stays: what SYSTEM.VAL or an operation on bits takes, what goes on as MOD of a power of
two that divides the type's numbers, and sums and differences with what the clock read, which wraps by itself.
Properties and monitors look at the program, and compute as they always do.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import fields

from lfc.semantics.checks.wraps import divides
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process
from lfc.semantics.model.types import COUNTED, CountedType, ExactType, IntegerType, RecordField, Type
from lfc.semantics.model.visit import constant_of, deep_stack, statements

ARITHMETIC = ("+", "-", "*")
PARTS = (typed.Argument, typed.Target, typed.Clause, typed.Send, typed.Receive, typed.AfterEvent)
Holder = typed.Variable | RecordField


def count_wraps(program: typed.Program) -> None:
    """Changes the program. One that has been changed stays as it is."""
    with deep_stack():
        bodies = list(bodies_of(program))
        change = _Change(readings_of_the_clock(bodies))
        for body in bodies:
            for s in statements(body):
                change.statement(s)


def bodies_of(program: typed.Program) -> Iterator[list[typed.Statement]]:
    """Of what acts: no monitor, no property."""
    modules = [m for m in program.modules if not m.monitor]
    owners: list[typed.Module | Process] = [*modules]
    owners += [p for p in [*program.all_processes(), *program.all_functions()] if not p.module.monitor]
    return (owner.body for owner in owners)


def wraps(t: Type) -> bool:
    return isinstance(t, IntegerType) and not isinstance(t, ExactType) and not t.signed


class _Change:
    def __init__(self, of_clock: set[Holder]) -> None:
        self.of_clock = of_clock

    def statement(self, s: typed.Statement) -> None:
        """What it says itself."""
        if isinstance(s, typed.Step) and wraps(s.target.type) and not isinstance(s.amount.type, CountedType):
            if not (self.is_of_clock(s.target) or self.is_of_clock(s.amount)):
                s.amount = counted(self.expression(s.amount))
        self.parts(s)

    def parts(self, x: object) -> None:
        for f in fields(x):  # type: ignore[arg-type]
            if f.name not in ("body", "otherwise", "span"):
                setattr(x, f.name, self.part(getattr(x, f.name)))

    def part(self, value: object) -> object:
        match value:
            case typed.Expr():
                return self.expression(value)
            case tuple():
                return tuple(self.part(x) for x in value)
            case list() if not (value and isinstance(value[0], typed.Statement)):
                return [self.part(x) for x in value]
            case _ if isinstance(value, PARTS):
                self.parts(value)
        return value

    def expression(self, e: typed.Expr, meant: bool = False) -> typed.Expr:
        """`meant`: only its low bits go on."""
        match e:
            case typed.Reinterpret():
                e.operand = self.expression(e.operand, True)
                return e
            case typed.Binary(op="MOD"):
                e.left, e.right = self.dividend(e), self.expression(e.right)
                return e
            case typed.Binary() if e.op in ARITHMETIC and wraps(e.type):
                left, right = self.expression(e.left, meant), self.expression(e.right, meant)
                if meant or self.is_with_clock(e):
                    e.left, e.right = left, right
                    return e
                return checked(e, e.op, counted(left), counted(right))
            case typed.Unary(op="-") if wraps(e.type):
                operand = self.expression(e.operand, meant)
                if meant:
                    e.operand = operand
                    return e
                return checked(e, "-", typed.Constant(e.span, COUNTED, 0), counted(operand))
        self.parts(e)
        return e

    def dividend(self, e: typed.Binary) -> typed.Expr:
        """It may be widened first: `raw * 5000 MOD 65536` of a UINT16."""
        widened = isinstance(e.left, typed.Convert) and not e.left.checked
        inside = e.left.operand if isinstance(e.left, typed.Convert) and widened else e.left
        meant = divides(constant_of(e.right), inside.type)
        if not isinstance(e.left, typed.Convert) or not widened:
            return self.expression(e.left, meant)
        e.left.operand = self.expression(inside, meant)
        return e.left

    def is_with_clock(self, e: typed.Binary) -> bool:
        """A sum or difference: a product with what the clock read is a number like others."""
        return e.op != "*" and (self.is_of_clock(e.left) or self.is_of_clock(e.right))

    def is_of_clock(self, e: typed.Expr) -> bool:
        return any(is_reading(x, self.of_clock) for x in readings_in(e))


def counted(e: typed.Expr) -> typed.Expr:
    if isinstance(e, typed.Constant):
        return typed.Constant(e.span, COUNTED, e.value)
    return typed.Convert(e.span, COUNTED, e, False)


def checked(e: typed.Expr, op: str, left: typed.Expr, right: typed.Expr) -> typed.Expr:
    return typed.Convert(e.span, e.type, typed.Binary(e.span, COUNTED, op, left, right), True)


# --- the clock -------------------------------------------------------------------------------------------------


def reads_clock(e: typed.Expr | None) -> bool:
    return isinstance(e, typed.FunctionCall) and e.name == "Clock.Now"


def is_reading(e: typed.Expr, of_clock: Set[Holder]) -> bool:
    return reads_clock(e) or holder_of(e) in of_clock


def holder_of(e: typed.Expr) -> Holder | None:
    """The variable or field that an expression is, or the one that it is an element of."""
    while isinstance(e, typed.IndexRef):
        e = e.base
    if isinstance(e, typed.FieldRef):
        return e.field
    return e.variable if isinstance(e, typed.VariableRef) else None


def readings_of_the_clock(bodies: list[list[typed.Statement]]) -> set[Holder]:
    """What some statement gives a reading of the clock, or what holds one."""
    copies: list[tuple[Holder, typed.Expr]] = []
    for s in (s for body in bodies for s in statements(body)):
        if isinstance(s, typed.Assign):
            to = holder_of(s.target)
            copies += [] if to is None else [(to, s.value)]
        for f in fields(s):
            for a in getattr(s, f.name) if f.name == "arguments" else ():
                copies.append((a.formal, a.value))
    found: set[Holder] = set()
    size = -1
    while size != len(found):
        size = len(found)
        found |= {to for to, e in copies if any(is_reading(x, found) for x in readings_in(e))}
    return found


def readings_in(e: typed.Expr) -> Iterator[typed.Expr]:
    """What its value is a reading of, if it is one: `t := Clock.Now`, `due := Clock.Now + 100`."""
    if isinstance(e, typed.Binary) and e.op in ("+", "-") and wraps(e.type):
        if e.op == "-" and constant_of(e.right) is None:
            return  # what lies between two readings is none
        yield from readings_in(e.left)
        if e.op == "+":
            yield from readings_in(e.right)
    else:
        yield e
