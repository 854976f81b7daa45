"""Checks what the docstrings of `typed` promise about a program without errors, node by node."""

from __future__ import annotations

from lfc.semantics.expressions import system
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import root_variable, statements, subexpressions

SCALAR = (ty.IntegerType, ty.BooleanType, ty.CharType, ty.SetType, ty.EnumerationType, ty.SubrangeType)
ORDERED = frozenset({"<", "<=", ">", ">="})


def assert_promises(program: typed.Program) -> None:
    for module in program.modules:
        for body in [module.body, *(p.process.body for p in module.properties if p.process is not None)]:
            _body(body)
        for p in module.properties:
            if p.formula is not None:
                assert p.formula.type is ty.BOOLEAN
                _expression(p.formula)
    for process in program.all_processes():
        _body(process.body)
        assert process.end_span is not None


def _body(body: list[typed.Statement]) -> None:
    for s in statements(body):
        _statement(s)


def _expression(e: typed.Expr) -> None:
    for x in subexpressions(e):
        _node(x)


def is_string(e: typed.Expr) -> bool:
    return isinstance(e.type, ty.ArrayType | ty.OpenArrayType) and e.type.element is ty.CHAR


def _node(e: typed.Expr) -> None:
    assert not isinstance(e.type, ty.ErrorType), e
    match e:
        case typed.Constant():
            if isinstance(e.value, bytes):
                assert isinstance(e.type, ty.ArrayType | ty.RecordType)
                assert len(e.value) == ty.size_and_alignment(e.type)[0]
                assert not is_string(e) or e.value[-1] == 0
            else:
                low, high = ty.scalar_range(e.type)
                assert low <= e.value <= high, e
        case typed.VariableRef():
            assert e.type is e.variable.type
        case typed.FieldRef():
            assert isinstance(e.base.type, ty.RecordType) and e.field in e.base.type.fields and e.type is e.field.type
        case typed.IndexRef():
            assert isinstance(e.base.type, ty.ArrayType | ty.OpenArrayType) and e.type is e.base.type.element
            assert isinstance(e.index.type, ty.IntegerType)
        case typed.Unary():
            assert e.type is e.operand.type
            assert e.type is ty.BOOLEAN if e.op == "~" else isinstance(e.type, ty.IntegerType | ty.SetType)
        case typed.Binary():
            assert e.left.type is e.type and e.right.type is e.type, (e.span, e.op)
            sets = isinstance(e.type, ty.SetType)
            assert e.op in (("+", "-", "*", "/") if sets else ("+", "-", "*", "DIV", "MOD"))
            assert sets or isinstance(e.type, ty.IntegerType)
        case typed.Relation():
            assert e.type is ty.BOOLEAN
            assert e.left.type is e.right.type or (is_string(e.left) and is_string(e.right)), e.span
            assert not isinstance(e.left.type, ty.SubrangeType | ty.RecordType)
            if isinstance(e.left.type, ty.ChannelType | ty.BooleanType):
                assert e.op not in ORDERED
            if isinstance(e.left.type, ty.SetType):
                assert e.op not in ("<", ">")
        case typed.Logical():
            assert e.left.type is e.right.type is e.type is ty.BOOLEAN
        case typed.Membership():
            assert isinstance(e.element.type, ty.IntegerType) and isinstance(e.set.type, ty.SetType)
        case typed.Convert():
            assert isinstance(e.type, SCALAR) and isinstance(e.operand.type, SCALAR)
            assert e.type is not e.operand.type
            low, high = ty.scalar_range(e.type)
            inner_low, inner_high = bounds(e.operand)
            assert e.checked or (low <= inner_low and inner_high <= high), e.span
        case typed.Reinterpret():
            assert isinstance(e.type, SCALAR) and isinstance(e.operand.type, SCALAR)
        case typed.SetConstructor():
            assert isinstance(e.type, ty.SetType)
            assert all(isinstance(x.type, ty.IntegerType) for pair in e.elements for x in pair if x is not None)
        case typed.FunctionCall():
            _function(e)
        case typed.CallFunction():
            assert e.process.is_function and e.process.result is not None and e.type is e.process.result.type
            assert [a.formal for a in e.arguments] == e.process.formals
            for a in e.arguments:
                assert isinstance(a.formal.type, ty.OpenArrayType) or a.value.type is a.formal.type, e.span
        case typed.Overlapped():
            assert e.type is e.value.type and e.writing.type is ty.UINT8
        case typed.SlotVariable():
            assert e.type is e.variable.type
        case typed.Temporal() | typed.StatusAtom() | typed.TakenAtom():
            assert e.type is ty.BOOLEAN
        case typed.InterruptPort() | typed.IoPort():
            pass
        case _:
            raise AssertionError(type(e))


def bounds(e: typed.Expr) -> tuple[int, int]:
    """What it can come to: of sums and products of numbers, and of the least and largest of two, from its parts."""
    whole = ty.scalar_range(e.type)
    match e:
        case typed.Constant() if isinstance(e.value, int):
            return int(e.value), int(e.value)
        case typed.Convert(checked=False):
            return bounds(e.operand)
        case typed.Convert():
            low, high = bounds(e.operand)
            return max(low, whole[0]), min(high, whole[1])
        case typed.Binary(op="+" | "-" | "*" | "DIV"):
            (a, b), (c, d) = bounds(e.left), bounds(e.right)
            if e.op == "DIV" and c <= 0:
                return whole
            of = {"+": int.__add__, "-": int.__sub__, "*": int.__mul__, "DIV": int.__floordiv__}[e.op]
            corners = [of(x, y) for x in (a, b) for y in (c, d)]
            return max(min(corners), whole[0]), min(max(corners), whole[1])
        case typed.FunctionCall(name="MIN" | "MAX", arguments=[one, other]):
            (a, b), (c, d) = bounds(one), bounds(other)
            return (min(a, c), min(b, d)) if e.name == "MIN" else (max(a, c), max(b, d))
        case typed.FunctionCall(name="ASR", arguments=[one, typed.Constant(value=int(places))]):
            low, high = bounds(one)
            return low >> places, high >> places
    return whole


def _function(e: typed.FunctionCall) -> None:
    types = [a.type for a in e.arguments]
    match e.name:
        case "ABS":
            assert types == [e.type] and isinstance(e.type, ty.IntegerType)
        case "ODD":
            assert len(types) == 1 and isinstance(types[0], ty.IntegerType) and e.type is ty.BOOLEAN
        case "LSL" | "ASR" | "ROR":
            assert types[0] is e.type and types[1] in (ty.INTEGER, ty.UINT32)
        case "MIN" | "MAX":
            assert types == [e.type, e.type]
        case "LEN":
            assert isinstance(e.arguments[0], typed.VariableRef) and isinstance(types[0], ty.OpenArrayType)
        case "PORTIN" | "PORTIN16" | "PORTIN32":
            assert types == [ty.UINT32]
            assert e.type is {"PORTIN": ty.UINT8, "PORTIN16": ty.UINT16, "PORTIN32": ty.UINT32}[e.name]
        case "Clock.Now":
            assert not types and e.type is ty.UINT32
        case _:
            raise AssertionError(e.name)


def _exact(value: typed.Expr, t: ty.Type) -> None:
    assert value.type is t, (value.span, value.type.name, t.name)
    _expression(value)


def _designator(e: typed.Expr) -> None:
    assert root_variable(e) is not None
    _expression(e)


def _condition(e: typed.Expr) -> None:
    _exact(e, ty.BOOLEAN)


def _statement(s: typed.Statement) -> None:
    match s:
        case typed.Assign():
            _designator(s.target)
            _exact(s.value, s.target.type)
        case typed.Step():
            _designator(s.target)
            t = s.target.type
            _exact(s.amount, t if isinstance(t, ty.IntegerType) else ty.INTEGER)
        case typed.Include():
            _designator(s.set)
            assert isinstance(s.set.type, ty.SetType) and isinstance(s.element.type, ty.IntegerType)
            _expression(s.element)
        case typed.New():
            _designator(s.port)
            assert isinstance(s.port.type, ty.ChannelType)
        case typed.Assert():
            _condition(s.condition)
        case typed.PortOut():
            _exact(s.address, ty.UINT32)
            _exact(s.value, {8: ty.UINT8, 16: ty.UINT16, 32: ty.UINT32}[s.width])
        case typed.ConsoleWrite():
            _exact(s.value, ty.CHAR)
        case typed.Spin():
            _exact(s.microseconds, ty.UINT32)
        case typed.ConsoleRead():
            _designator(s.target)
            assert s.target.type is ty.CHAR
        case typed.Sleep():
            _exact(s.milliseconds, ty.UINT32)
        case typed.CallProcess() | typed.CreateProcess():
            assert [a.formal for a in s.arguments] == s.process.formals
            for a in s.arguments:
                _argument(a)
            if isinstance(s, typed.CreateProcess) and s.deadline is not None:
                _exact(s.deadline, ty.UINT32)
        case typed.Send() | typed.Receive():
            _communication(s)
        case typed.If():
            for c, _ in s.branches:
                _condition(c)
        case typed.Case():
            _expression(s.selector)
            assert not isinstance(s.selector.type, ty.SubrangeType)
            taken: list[tuple[int, int]] = sorted(label for labels, _ in s.branches for label in labels)
            assert all(a[1] < b[0] for a, b in zip(taken, taken[1:], strict=False))
        case typed.While():
            _condition(s.condition)
        case typed.Repeat():
            _condition(s.until)
        case typed.For():
            _for(s)
        case typed.Select():
            for clause in s.clauses:
                if isinstance(clause.event, typed.AfterEvent):
                    _exact(clause.event.milliseconds, ty.UINT32)
                else:
                    _communication(clause.event)
                if clause.guard is not None:
                    _condition(clause.guard)


def _argument(a: typed.Argument) -> None:
    _expression(a.value)
    t = a.formal.type
    if isinstance(t, ty.OpenArrayType):
        assert isinstance(a.value.type, ty.ArrayType | ty.OpenArrayType) and a.value.type.element is t.element
    else:
        assert a.value.type is t
    if a.formal.kind is typed.VariableKind.VAR:
        root = root_variable(a.value)
        assert root is not None and root.address is None


def _for(s: typed.For) -> None:
    t = s.variable.type
    _exact(s.low, t)
    _exact(s.high, t.base if isinstance(t, ty.SubrangeType) else t)
    assert s.by != 0
    assert (s.limit is None) == isinstance(s.high, typed.Constant)
    if s.limit is not None:
        owner = s.limit.owner
        assert s.limit in (owner.variables if isinstance(owner, typed.Module) else owner.locals)
        assert s.limit.kind is typed.VariableKind.LIMIT and s.limit.type is s.high.type


def _communication(s: typed.Send | typed.Receive) -> None:
    _expression(s.port)
    if isinstance(s.port, typed.InterruptPort):
        assert s.message is system.INTERRUPT
    elif isinstance(s.port, typed.IoPort):
        assert s.message in (system.PORTIN, system.PORTOUT, system.VALUE)
    else:
        assert isinstance(s.port.type, ty.ChannelType)
        assert s.port.type.messages[s.message.index] is s.message
    if isinstance(s, typed.Send):
        assert len(s.values) == len(s.message.types)
        for value, t in zip(s.values, s.message.types, strict=True):
            _exact(value, t)
        return
    assert len(s.targets) == len(s.message.types)
    for target, t in zip(s.targets, s.message.types, strict=True):
        if target.constant is not None:
            assert target.designator is None and target.conversion is None
            _exact(target.constant, t)
            continue
        assert target.designator is not None
        _designator(target.designator)
        into = target.designator.type
        low, high = ty.scalar_range(t) if isinstance(t, SCALAR) else (0, 0)
        if target.conversion is None:
            assert into is t
        else:
            inner = ty.scalar_range(into)
            assert (target.conversion == "widen") == (inner[0] <= low and high <= inner[1])
