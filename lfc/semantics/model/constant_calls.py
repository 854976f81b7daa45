"""Calls of functions that are constant: their bodies, executed on Python's integers."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.semantics.model import folding, tables, typed
from lfc.semantics.model import types as ty

STEPS = 1_000_000  # statements and loop rounds of one constant
DEEPEST = 50  # calls in calls: deeper ones go round, which is reported elsewhere


class NotComputed(Exception):
    """Why there is no value."""


class _Left(Exception):
    """Control leaves a loop: the one of this name, or the innermost LOOP."""

    def __init__(self, label: typed.LoopLabel | None) -> None:
        self.label = label


class _Returned(Exception):
    """Control leaves the function."""


Value = "int | list[Value]"


def call_constant(e: typed.CallFunction) -> int:
    """Of arguments that are constants."""
    value = _Run([STEPS, DEEPEST], {}).value(e)
    assert isinstance(value, int)
    return value


class _Run:
    """One activation."""

    def __init__(self, left: list[int], variables: dict[typed.Variable, object]) -> None:
        self.left = left
        self.variables = variables

    # --- statements ------------------------------------------------------------------------------------------------

    def sequence(self, body: Sequence[typed.Statement]) -> None:
        for s in body:
            self.spend()
            self.statement(s)

    def spend(self) -> None:
        self.left[0] -= 1
        if self.left[0] < 0:
            raise NotComputed(f"it takes more than {STEPS:,} steps")

    def statement(self, s: typed.Statement) -> None:
        try:
            self.execute(s)
        except _Left as left:
            if isinstance(s, typed.Loop) and left.label is None:
                return
            loops = typed.While | typed.Repeat | typed.For | typed.Loop
            if left.label is None or not isinstance(s, loops) or s.label is not left.label:
                raise

    def execute(self, s: typed.Statement) -> None:
        match s:
            case typed.Assign():
                self.assign(s.target, _copied(self.value(s.value)))
            case typed.Step():
                amount = self.integer(s.amount)
                self.assign(
                    s.target, self.fitted(self.integer(s.target) + (-amount if s.down else amount), s.target.type)
                )
            case typed.Include():
                bit = 1 << self.within(self.integer(s.element), 0, 8 * ty.size_and_alignment(s.set.type)[0] - 1)
                old = self.integer(s.set)
                self.assign(s.set, old & ~bit if s.exclude else old | bit)
            case typed.Assert():
                if not self.integer(s.condition):
                    raise NotComputed("an assertion fails")
            case typed.If():
                body = next((body for condition, body in s.branches if self.integer(condition)), s.otherwise)
                self.sequence(body)
            case typed.Case():
                self.case(s)
            case typed.Exit():
                raise _Left(s.label)
            case typed.Return():
                raise _Returned
            case _:
                self.loop(s)

    def case(self, s: typed.Case) -> None:
        chosen = self.integer(s.selector)
        for labels, body in s.branches:
            if any(low <= chosen <= high for low, high in labels):
                self.sequence(body)
                return
        if s.otherwise is None:
            raise NotComputed(f"no label of a CASE matches {chosen}")
        self.sequence(s.otherwise)

    def loop(self, s: typed.Statement) -> None:
        match s:
            case typed.While():
                while self.integer(s.condition):
                    self.spend()
                    self.sequence(s.body)
            case typed.Repeat():
                self.sequence(s.body)
                while not self.integer(s.until):
                    self.spend()
                    self.sequence(s.body)
            case typed.Loop():
                while True:
                    self.spend()
                    self.sequence(s.body)
            case typed.For():
                self.count(s)
            case _:
                raise NotComputed(f"{type(s).__name__} is not for constants")

    def count(self, s: typed.For) -> None:
        self.variables[s.variable] = self.integer(s.low)
        high = self.integer(s.high)
        lowest, highest = ty.scalar_range(s.variable.type)
        while True:
            now = self.variables[s.variable]
            assert isinstance(now, int)
            if now > high if s.by > 0 else now < high:
                return
            self.spend()
            self.sequence(s.body)
            now = self.variables[s.variable]
            assert isinstance(now, int)
            if not lowest <= now + s.by <= highest:
                return
            self.variables[s.variable] = now + s.by

    def assign(self, target: typed.Expr, value: object) -> None:
        if isinstance(target, typed.VariableRef):
            self.variables[target.variable] = value
            return
        assert isinstance(target, typed.FieldRef | typed.IndexRef)
        whole = self.value(target.base)
        assert isinstance(whole, list)
        whole[self.element(target, whole)] = value

    def element(self, e: typed.FieldRef | typed.IndexRef, whole: list[object]) -> int:
        if isinstance(e, typed.FieldRef):
            assert isinstance(e.base.type, ty.RecordType)
            return e.base.type.fields.index(e.field)
        return self.within(self.integer(e.index), 0, len(whole) - 1)

    # --- expressions -----------------------------------------------------------------------------------------------

    def integer(self, e: typed.Expr) -> int:
        value = self.value(e)
        assert isinstance(value, int)
        return value

    def within(self, value: int, low: int, high: int) -> int:
        if not low <= value <= high:
            raise NotComputed(f"{value} is outside of {low} to {high}")
        return value

    def fitted(self, value: int, t: ty.Type) -> int:
        if isinstance(t, ty.IntegerType):
            found = folding.in_type(value, t)
            if isinstance(found, folding.Fault):
                raise NotComputed(found.reason)
            return found
        return self.within(value, *ty.scalar_range(t))

    def value(self, e: typed.Expr) -> object:
        match e:
            case typed.Constant():
                return _of_bytes(e.type, e.value) if isinstance(e.value, bytes) else e.value
            case typed.VariableRef():
                if e.variable not in self.variables:
                    raise NotComputed(f"`{e.variable.name}` is a variable")
                return self.variables[e.variable]
            case typed.FieldRef() | typed.IndexRef():
                whole = self.value(e.base)
                assert isinstance(whole, list)
                return whole[self.element(e, whole)]
            case typed.CallFunction():
                return self.call(e)
            case typed.Unary():
                operand = self.integer(e.operand)
                if e.op == "~":
                    return 1 - operand
                return (
                    operand ^ ty.scalar_range(e.type)[1]
                    if isinstance(e.type, ty.SetType)
                    else self.fitted(-operand, e.type)
                )
            case typed.Binary():
                return self.binary(e)
            case typed.Relation():
                return int(self.relation(e))
            case typed.Logical():
                left = self.integer(e.left)
                return self.integer(e.right) if bool(left) == (e.op == "&") else left
            case typed.Membership():
                element = self.integer(e.element)
                return int(
                    0 <= element < 8 * ty.size_and_alignment(e.set.type)[0] and self.integer(e.set) >> element & 1
                )
            case typed.Convert():
                value = self.integer(e.operand)
                return self.within(value, *ty.scalar_range(e.type)) if e.checked else value
            case typed.Reinterpret():
                bits = self.integer(e.operand)
                return bits & 1 if e.type is ty.BOOLEAN else folding.wrap(bits, *ty.size_and_signedness(e.type))
            case typed.SetConstructor():
                return self.set(e)
            case typed.FunctionCall():
                return self.predeclared(e)
        raise NotComputed(f"{type(e).__name__} is not for constants")

    def binary(self, e: typed.Binary) -> int:
        left, right = self.integer(e.left), self.integer(e.right)
        if isinstance(e.type, ty.SetType):
            return folding.set_operation(e.op, left, right)
        found = folding.arithmetic(e.op, left, right)
        if isinstance(found, folding.Fault):
            raise NotComputed(found.reason)
        return self.fitted(found, e.type)

    def relation(self, e: typed.Relation) -> bool:
        left, right = self.value(e.left), self.value(e.right)
        if isinstance(left, list) and isinstance(right, list):
            return folding.relation(e.op, *(bytes(x).partition(b"\0")[0] for x in (left, right)))
        assert isinstance(left, int) and isinstance(right, int)
        if isinstance(e.left.type, ty.SetType):
            return folding.set_relation(e.op, left, right)
        return folding.relation(e.op, left, right)

    def set(self, e: typed.SetConstructor) -> int:
        highest = 8 * ty.size_and_alignment(e.type)[0] - 1
        found = 0
        for low, high in e.elements:
            first = self.within(self.integer(low), 0, highest)
            last = first if high is None else self.within(self.integer(high), 0, highest)
            found |= sum(1 << i for i in range(first, last + 1))
        return found

    def predeclared(self, e: typed.FunctionCall) -> int:
        if e.name == "LEN":
            array = self.value(e.arguments[0])
            assert isinstance(array, list)
            return len(array)
        values = [self.integer(a) for a in e.arguments]
        match e.name:
            case "ABS":
                return self.fitted(abs(values[0]), e.type)
            case "ODD":
                return values[0] & 1
            case "MIN":
                return min(values)
            case "MAX":
                return max(values)
            case "LSL" | "ASR" | "ROR":
                assert isinstance(e.type, ty.IntegerType)
                if values[1] < 0:
                    raise NotComputed(f"{e.name} by {values[1]}, which is negative")
                return folding.shift(e.name, values[0], values[1], e.type)
        raise NotComputed(f"`{e.name}` is not constant")

    def call(self, e: typed.CallFunction) -> object:
        process = e.process
        variables: dict[typed.Variable, object] = {v: _initial(v.type) for v in process.locals}
        for a in e.arguments:
            value = _copied(self.value(a.value))
            t = a.formal.type
            if isinstance(t, ty.ArrayType) and isinstance(value, list):
                value += [0] * (t.length - len(value))  # a shorter string
            variables[a.formal] = value
        self.left[1] -= 1
        if self.left[1] < 0:
            raise NotComputed(f"calls are nested more than {DEEPEST} deep")
        try:
            _Run(self.left, variables).sequence(process.body)
        except _Returned:
            pass
        self.left[1] += 1
        assert process.result is not None
        return variables[process.result]


def _initial(t: ty.Type) -> object:
    if isinstance(t, ty.ArrayType):
        return [_initial(t.element) for _ in range(t.length)]
    if isinstance(t, ty.RecordType):
        return [_initial(f.type) for f in t.fields]
    return t.first if isinstance(t, ty.SubrangeType) else 0


def _of_bytes(t: ty.Type, whole: bytes) -> object:
    if isinstance(t, ty.ArrayType):
        parts = [(t.element, tables.element(t, whole, i)) for i in range(t.length)]
    else:
        assert isinstance(t, ty.RecordType)
        parts = [(f.type, tables.field(t, whole, f)) for f in t.fields]
    return [_of_bytes(p, x) if isinstance(x, bytes) else x for p, x in parts]


def _copied(value: object) -> object:
    return [_copied(x) for x in value] if isinstance(value, list) else value
