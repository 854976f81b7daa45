"""What happens with received values: may they be taken (constants, guard), and where do they go.

Both functions take the block, the receiver's frame and where the values lie. They serve a process that waits as
well as one that attempts.
"""

from __future__ import annotations

from lfc.actions.layout.frames import message_layout
from lfc.actions.model.machine import Point, PointClause, WaitTarget
from lfc.codegen.expressions import arithmetic
from lfc.codegen.expressions.designators import Place, copy, is_scalar, load, place, store
from lfc.codegen.expressions.values import value
from lfc.codegen.module.emit import Function, Value, bits_of, number
from lfc.codegen.module.scope import Scope, value_type
from lfc.codegen.module.unit import Unit
from lfc.semantics.model import typed
from lfc.semantics.model.types import CHAR, ArrayType, Type, size_and_alignment
from lfc.semantics.model.visit import constant_of, subexpressions

VALUES = Value("ptr", "%values")
KEPT = Value("ptr", "%kept")


def targets_of(clause: PointClause) -> list[WaitTarget]:
    if isinstance(clause.event, typed.ConsoleRead) and not clause.targets:
        return [WaitTarget(typed.Target(clause.event.target, None, None))]
    return clause.targets


def value_types(clause: PointClause) -> list[Type]:
    if isinstance(clause.event, typed.ConsoleRead):
        return [CHAR]
    assert isinstance(clause.event, typed.Receive)
    return clause.event.message.types


def needs_test(clause: PointClause) -> bool:
    return clause.guard is not None or any(t.target.constant is not None for t in targets_of(clause))


def name_of(point: Point, clause: PointClause, prefix: str) -> str:
    return f'@"{prefix}.{point.body.name}.{point.body.order}.{point.body.points.index(point)}.{clause.index}"'


def kept_targets(point: Point, clause: PointClause) -> dict[int, int]:
    """Of a SELECT that polls there is no wait area. Targets whose evaluation asks for an input, which must not be asked
    for again, are kept on the stack: where, after the offset of the frame, by the number of the target."""
    if point.waiting is not None:
        return {}
    designators = [(i, t.target.designator) for i, t in enumerate(targets_of(clause))]
    asking = [i for i, d in designators if d is not None and asks_to_find(d)]
    return {i: 2 + 2 * n for n, i in enumerate(asking)}


def asks_to_find(designator: typed.Expr) -> bool:
    """Whether an index of it reads a port, a register or the clock."""
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        if isinstance(designator, typed.IndexRef) and any(_asks(part) for part in subexpressions(designator.index)):
            return True
        designator = designator.base
    return False


def may_be_outside(designator: typed.Expr) -> bool:
    """Whether an index of it, be it known, may number no element."""
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        if isinstance(designator, typed.IndexRef):
            known, of = constant_of(designator.index), designator.base.type
            if known is None or not isinstance(of, ArrayType) or not 0 <= known < of.length:
                return True
        designator = designator.base
    return False


def _asks(e: typed.Expr) -> bool:
    if isinstance(e, typed.FunctionCall):
        return e.name == "Clock.Now" or e.name.startswith("PORTIN")
    return isinstance(e, typed.VariableRef) and e.variable.outside


def scope_of_receiver(unit: Unit, point: Point, clause: PointClause, head: str) -> Scope:
    """A function of the receiver's frame; where targets are kept, of them, and they say where the frame is."""
    kept = kept_targets(point, clause)
    code = Function(unit.target, f"{head}(ptr %b, ptr {'%kept' if kept else '%frame'}, ptr %values)")
    s = Scope(unit, code, point.body)
    if kept:
        s.frame = code.offset(s.b, code.load("i16", KEPT, 2))
        s.kept = {id(targets_of(clause)[i]): offset for i, offset in kept.items()}
    return s


def place_of_target(s: Scope, t: WaitTarget) -> Place:
    assert t.target.designator is not None
    if id(t) in s.kept:
        at = s.f.load("i16", s.f.offset(KEPT, s.kept[id(t)]), 2)
        return Place(t.target.designator.type, s.f.offset(s.b, at))
    if t.offset is not None:
        at = s.f.load("i16", s.f.offset(s.frame, t.offset), 2)
        return Place(t.target.designator.type, s.f.offset(s.b, at))
    return place(s, t.target.designator)


def received(s: Scope, t: Type, offset: int) -> Place:
    return Place(t, s.f.offset(VALUES, offset))


def accept_function(unit: Unit, point: Point, clause: PointClause) -> str | None:
    """True if the values may be taken, or if taking them is a fault (which is an alternative of its own)."""
    if not needs_test(clause):
        return None
    name = name_of(point, clause, "accept")

    def make() -> None:
        s = scope_of_receiver(unit, point, clause, f"internal zeroext i1 {name}")
        code = s.f
        yes, no = code.label_name("yes"), code.label_name("no")
        test_constants(s, clause, no)
        if clause.guard is not None:
            test_guard(s, clause, yes, no)
        else:
            code.branch(yes)
        code.label(yes)
        code.end("ret i1 true")
        code.label(no)
        code.end("ret i1 false")
        unit.add(code)

    return unit.once(name, make)


def test_constants(s: Scope, clause: PointClause, no: str) -> None:
    types = value_types(clause)
    offsets, _, _ = message_layout(types)
    for t, type_, offset in zip(targets_of(clause), types, offsets, strict=True):
        if t.target.constant is not None:
            wanted = t.target.constant.value
            assert isinstance(wanted, int)
            have = load(s, received(s, type_, offset))
            same = s.f.label_name("same")
            s.f.branch_if(s.f.compare("eq", have, number(bits_of(value_type(type_)), wanted)), same, no)
            s.f.label(same)


def test_guard(s: Scope, clause: PointClause, yes: str, no: str) -> None:
    """With the values in place, which are taken back afterwards."""
    f = s.f
    assert clause.guard is not None
    types = value_types(clause)
    offsets, _, _ = message_layout(types)
    s.on_fault = yes
    moves: list[tuple[Place, Type, int, WaitTarget]] = []
    for t, type_, offset in zip(targets_of(clause), types, offsets, strict=True):
        if t.target.designator is not None:
            to = place_of_target(s, t)
            if to.address is None and not to.nonatomic:
                moves.append((to, type_, offset, t))
    values: list[Value | None] = []
    for to, type_, offset, t in moves:  # faults first: nothing is in place yet
        values.append(converted_value(s, to, type_, offset, t) if is_scalar(to.type) else None)
    saved: list[Value] = []
    for (to, type_, offset, _), v in zip(moves, values, strict=True):
        assert to.pointer is not None
        size, align = size_and_alignment(to.type)
        room = f.alloca(f"[{size} x i8]", align)
        copy(s, room, to.pointer, to.type)
        saved.append(room)
        if v is None:
            copy(s, to.pointer, f.offset(VALUES, offset), type_)
        else:
            store(s, to, v)
    faulty, good, tried = f.label_name("faulty"), f.label_name("good"), f.label_name("tried")
    s.on_fault = faulty
    holds = value(s, clause.guard)
    f.branch(good)
    f.label(good)
    f.branch(tried)
    f.label(faulty)
    f.branch(tried)
    f.label(tried)
    result = f.op("i1", f"phi i1 [ {holds.ref}, %{good} ], [ true, %{faulty} ]")
    for (to, _, _, _), room in reversed(list(zip(moves, saved, strict=True))):
        assert to.pointer is not None
        copy(s, to.pointer, room, to.type)
    f.branch_if(result, yes, no)
    s.on_fault = None


def converted_value(s: Scope, to: Place, type_: Type, offset: int, t: WaitTarget) -> Value:
    v = load(s, received(s, type_, offset))
    if t.target.conversion is None:
        return v
    assert t.target.designator is not None
    return arithmetic.convert(s, v, type_, to.type, t.target.conversion == "check", t.target.designator.span)


def complete_function(unit: Unit, point: Point, clause: PointClause) -> str | None:
    """Assigns the values; then, if the guard can fault, evaluates it once more so that its fault comes."""
    moves = any(t.target.designator is not None for t in targets_of(clause))
    if not moves and clause.guard is None and not clause.watched:
        return None
    name = name_of(point, clause, "complete")

    def make() -> None:
        s = scope_of_receiver(unit, point, clause, f"internal void {name}")
        code = s.f
        assign_targets(s, clause)
        if clause.guard is not None:
            value(s, clause.guard)
        tell_monitors(s, clause)
        code.end("ret void")
        unit.add(code)

    return unit.once(name, make)


def tell_monitors(s: Scope, clause: PointClause) -> None:
    """Handlers of monitors, which take the values, before them the channel if they are for one alone."""
    if not clause.watched:
        return
    assert isinstance(clause.event, typed.Receive)
    types = value_types(clause)
    offsets, _, _ = message_layout(types)
    given: list[Value | str] = []
    for type_, offset in zip(types, offsets, strict=True):
        at = received(s, type_, offset)
        given.append(load(s, at) if is_scalar(type_) else s.f.offset(VALUES, offset))
    for handler in clause.watched:
        first: list[Value | str] = [s.b]
        if len(handler.formals) > len(types):
            first.append(channel_of(s, clause))
        values = given if handler.formals else []
        s.f.call("void", s.unit.symbol(handler, "function"), [*first, *values])


def channel_of(s: Scope, clause: PointClause) -> Value:
    """On which the values came: as it was when the process attempted."""
    assert isinstance(clause.event, typed.Receive)
    if clause.port_offset is not None:
        return s.f.load(f"i{s.unit.port_bits}", s.f.offset(s.frame, clause.port_offset), s.unit.port_bits // 8)
    return value(s, clause.event.port)


def assign_targets(s: Scope, clause: PointClause) -> None:
    types = value_types(clause)
    offsets, _, _ = message_layout(types)
    targets = [
        (place_of_target(s, t), type_, offset, t)
        for t, type_, offset in zip(targets_of(clause), types, offsets, strict=True)
        if t.target.designator is not None
    ]
    for to, type_, offset, t in targets:
        if is_scalar(to.type):
            store(s, to, converted_value(s, to, type_, offset, t))
        else:
            assert to.pointer is not None
            copy(s, to.pointer, s.f.offset(VALUES, offset), type_)
