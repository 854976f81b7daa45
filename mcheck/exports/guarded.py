"""A program as guarded commands (Dijkstra 1975): one for each path of each action and each partner, over scalars.

What a position waits with is in variables of its own, zero elsewhere, as in the state block: so states and transitions
are those of the language reference, and a fault leads to one more state.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lfc.actions.model.machine import (
    Advance,
    Attempt,
    Block,
    Body,
    Branch,
    CallWaiting,
    Choose,
    Finish,
    Goto,
    Machine,
    Point,
    PointClause,
    Position,
    Suspend,
    Switch,
)
from lfc.mcheck.exports.paths import Expressions, NotExported, Path, Slot, faulted, parts_of, scalars_of, where
from lfc.mcheck.exports.terms import FALSE, TRUE, Const, Term, Var, both, choose, either, no, op
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import deep_stack

MOST_PATHS, MOST_BLOCKS = 20_000, 300  # of all actions; passed by one path


@dataclass(slots=True)
class Command:
    guard: Term
    updates: dict[str, Term]
    fault: bool
    label: str


@dataclass(slots=True)
class Guarded:
    """`initial`: of every variable its first value. All values fit 32 bits with a sign."""

    initial: dict[str, int]
    commands: list[Command] = field(default_factory=list)


def guarded_commands(machine: Machine) -> Guarded:
    with deep_stack():
        return _Exporter(machine).export()


class _Exporter(Expressions):
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.slots = [Slot(r, r.first_slot + i) for r in machine.records for i in range(r.slots)]
        self.initial: dict[str, int] = {}
        self.paths = 0
        self.refuse_what_is_not_known()
        for layout_variable in machine.layout.variables:
            name = self.module_name(layout_variable)
            self.declare(name, layout_variable.type)
            self.initial.update({n: ty.initial_value(t) for n, t in scalars_of(name, layout_variable.type)})
        for slot in self.slots:
            self.initial[slot.pc] = 0
            for v in [*slot.body.formals, *slot.body.locals]:
                self.declare(slot.name(v), v.type, v.kind)
            for point in slot.body.points:
                self.declare_waits(slot, point)
        first = self.slots[0]
        self.initial[first.pc] = first.body.start.number
        self.initial["fault"] = 0

    def refuse_what_is_not_known(self) -> None:
        m = self.machine
        if m.environment is not None:
            raise NotExported("it has an environment")
        if m.layout.interrupts:
            raise NotExported("it waits for interrupts")

    def declare(self, name: str, t: ty.Type, kind: typed.VariableKind | None = None) -> None:
        if kind is typed.VariableKind.VAR:
            raise NotExported("a created process has a VAR parameter")
        if isinstance(t, ty.ArrayType):
            for i in range(t.length):
                self.declare(f"{name}_{i}", t.element)
            return
        if isinstance(t, ty.RecordType | ty.OpenArrayType | ty.SetType | ty.FixedType):
            raise NotExported(f"`{name}` is of type {t}")
        if t is ty.UINT32:
            raise NotExported(f"`{name}` is a UINT32, which the other languages do not have")
        if name in self.initial:
            raise NotExported(f"two variables would be `{name}`")
        self.initial[name] = 0

    def declare_waits(self, slot: Slot, point: Point) -> None:
        for clause in point.clauses:
            event = clause.event
            if not isinstance(event, typed.Send | typed.Receive) or isinstance(event.port, typed.SYSTEM_PORTS):
                raise NotExported("it waits for time, an interrupt or the console")
            if point.waiting is not None:
                self.initial[slot.wait("port", point_number(slot.body, point), clause.index)] = 0
                self.initial[slot.wait("closed", point_number(slot.body, point), clause.index)] = 0
                for i in range(len(event.message.types) if isinstance(event, typed.Send) else 0):
                    self.initial[self.sent(slot, point, clause, i)] = 0

    def sent(self, slot: Slot, point: Point, clause: PointClause, i: int) -> str:
        return slot.wait("sent", point_number(slot.body, point), clause.index) + f"_{i}"

    def export(self) -> Guarded:
        commands: list[Command] = []
        for slot in self.slots:
            for position in slot.body.positions:
                if not position.ready or position.entry is None:
                    continue
                if position.kind == "start" and slot.body.process is None:
                    env: dict[str, Term] = {n: Const(v) for n, v in self.initial.items()}
                else:
                    env = {}
                start = Path(op("=", Var(slot.pc), Const(position.number)), env)
                label = f"{slot.body.name} from line {position.span.line}"
                commands += [self.finished(c, label) for c in self.block(slot, position.entry, start, [])]
        return Guarded(self.initial, commands)

    def finished(self, path: Path, label: str) -> Command:
        if path.env.get("fault") == TRUE:
            zeros: dict[str, Term] = {n: FALSE for n in self.initial}
            return Command(path.guard, {**zeros, "fault": TRUE}, True, label)
        changed = {n: t for n, t in path.env.items() if t != Var(n)}
        return Command(path.guard, changed, False, label)

    # --- blocks ----------------------------------------------------------------------------------------------------

    def block(self, slot: Slot, block: Block, path: Path, around: list[Block]) -> Iterator[Path]:
        """All ways from here to the end of the action."""
        if path.guard == FALSE:
            return
        self.paths += 1
        if self.paths > MOST_PATHS or len(around) > MOST_BLOCKS:
            raise NotExported(f"an action of {slot.body.name} has too many paths, or a loop that may not end")
        alive = [path]
        for s in block.statements:
            following: list[Path] = []
            for p in alive:
                for q in self.statement(slot, s, p):
                    if q.env.get("fault") == TRUE:
                        yield q
                    else:
                        following.append(q)
            alive = following
        for p in alive:
            yield from self.end(slot, block, p, [*around, block])

    def end(self, slot: Slot, block: Block, path: Path, around: list[Block]) -> Iterator[Path]:
        end = block.end
        match end:
            case Goto():
                yield from self.block(slot, end.target, path, around)
            case Branch():
                for p, t in self.value(slot, end.condition, path):
                    if p.env.get("fault") == TRUE:
                        yield p
                        continue
                    yield from self.block(slot, end.then, where(p, t), around)
                    yield from self.block(slot, end.otherwise, where(p, no(t)), around)
            case Switch():
                for p, t in self.value(slot, end.selector, path):
                    if p.env.get("fault") == TRUE:
                        yield p
                        continue
                    left = p
                    for labels, target in end.cases:
                        inside: Term = FALSE
                        for low, high in labels:
                            inside = either(inside, both(op(">=", t, Const(low)), op("<=", t, Const(high))))
                        yield from self.block(slot, target, where(left, inside), around)
                        left = where(left, no(inside))
                    if end.otherwise is not None:
                        yield from self.block(slot, end.otherwise, left, around)
                    elif left.guard != FALSE:
                        yield faulted(left)
            case Choose():
                for target in end.branches:
                    yield from self.block(slot, target, path, around)
            case Suspend():
                yield self.at(slot, path, end.position)
            case Finish():
                zeros = {slot.name(v): v for v in [*slot.body.formals, *slot.body.locals]}
                names = [n for name, v in zeros.items() for n in parts_of(name, v.type)]
                yield replace(path, env={**path.env, slot.pc: FALSE, **dict.fromkeys(names, FALSE)})
            case Attempt():
                yield from self.attempt(slot, end.point, path)
            case CallWaiting():
                raise NotExported(f"{slot.body.name} calls a process that waits")
            case _:
                raise NotExported(f"{slot.body.name} has a construct that is not known")

    def at(self, slot: Slot, path: Path, position: Position) -> Path:
        return replace(path, env={**path.env, slot.pc: Const(position.number)})

    # --- statements ------------------------------------------------------------------------------------------------

    def statement(self, slot: Slot, s: typed.Statement, path: Path) -> Iterator[Path]:
        match s:
            case typed.Assign():
                for p, t in self.value(slot, s.value, path):
                    yield from self.assigned(slot, s.target, t, p)
            case typed.Step():
                for p, amount in self.value(slot, s.amount, path):
                    for q, old in self.value(slot, s.target, p):
                        result = op("-" if s.down else "+", old, amount)
                        for r, t in self.fitted(result, s.target.type, q, "-" if s.down else "+", old, amount):
                            yield from self.assigned(slot, s.target, t, r)
            case Advance():
                for p, old in self.value(slot, s.target, path):
                    yield from self.assigned(slot, s.target, op("+", old, Const(s.amount)), p)
            case typed.Assert():
                for p, t in self.value(slot, s.condition, path):
                    yield from self.must(p, t)
            case typed.ConsoleWrite() | typed.Spin():
                yield path
            case typed.New():
                yield from self.new(slot, s, path)
            case typed.CreateProcess():
                yield from self.create(slot, s, path)
            case typed.CallProcess():
                if all(self.writes_console_only(b) for b in [slot.body.callees[s]]):
                    yield path
                else:
                    raise NotExported(f"{slot.body.name} calls {s.process.name}: calls are not exported")
            case _:
                raise NotExported(f"{slot.body.name} has a statement that is not known, line {s.span.line}")

    def writes_console_only(self, body: Body) -> bool:
        """Of the library's `Out`."""
        return body.process is not None and body.process.module.name == "Out"

    def new(self, slot: Slot, s: typed.New, path: Path) -> Iterator[Path]:
        if slot.body.process is not None or not all(isinstance(t, Const) for t in path.env.values()) or not path.env:
            raise NotExported("channels are made outside of the first action")
        ports = [n for n, t in self.ports() if isinstance(path.env[n], Const)]
        held = {path.env[n] for n in ports}
        number = next(n for n in range(1, 1024) if Const(n) not in held)
        yield from self.assigned(slot, s.port, Const(number), path)

    def ports(self) -> Iterator[tuple[str, ty.Type]]:
        for v in self.machine.layout.variables:
            inner = v.type
            while isinstance(inner, ty.ArrayType):
                inner = inner.element
            if isinstance(inner, ty.ChannelType):
                yield from ((n, inner) for n in parts_of(self.module_name(v), v.type))

    def create(self, slot: Slot, s: typed.CreateProcess, path: Path) -> Iterator[Path]:
        callee = slot.body.callees[s]
        free = [t for t in self.slots if t.body is callee]
        paths: list[tuple[Path, list[Term]]] = [(path, [])]
        for a in s.arguments:
            paths = [(q, [*ts, t]) for p, ts in paths for q, t in self.value(slot, a.value, p)]
        for p, values in paths:
            if p.env.get("fault") == TRUE:
                yield p
                continue
            taken: Term = TRUE
            for other in free:
                pc = p.env.get(other.pc, Var(other.pc))
                here = where(p, both(taken, op("=", pc, FALSE)))
                taken = both(taken, op("#", pc, FALSE))
                if here.guard == FALSE:
                    continue
                env: dict[str, Term] = {**here.env, other.pc: Const(callee.start.number)}
                for v in callee.locals:
                    for name, t in scalars_of(other.name(v), v.type):
                        env[name] = Const(ty.initial_value(t))
                for a, value in zip(s.arguments, values, strict=True):
                    env[other.name(a.formal)] = value
                yield replace(here, env=env)
            full = where(p, taken)
            if full.guard != FALSE:
                yield faulted(full)

    def assigned(self, slot: Slot, target: typed.Expr, t: Term, path: Path) -> Iterator[Path]:
        if path.env.get("fault") == TRUE:
            yield path
            return
        if isinstance(target, typed.VariableRef):
            if isinstance(target.type, ty.ArrayType):
                raise NotExported("whole arrays are assigned")
            yield replace(path, env={**path.env, self.name(slot, target.variable): t})
            return
        if not isinstance(target, typed.IndexRef) or not isinstance(target.base, typed.VariableRef):
            raise NotExported("parts of records, or of arrays of arrays, are assigned")
        base = self.name(slot, target.base.variable)
        assert isinstance(target.base.type, ty.ArrayType)
        for p, i in self.index(slot, target, path):
            if p.env.get("fault") == TRUE:
                yield p
                continue
            env = dict(p.env)
            for n in range(target.base.type.length):
                name = f"{base}_{n}"
                env[name] = choose(op("=", i, Const(n)), t, env.get(name, Var(name)))
            yield replace(p, env=env)

    # --- attempts ----------------------------------------------------------------------------------------------------

    def attempt(self, slot: Slot, point: Point, path: Path) -> Iterator[Path]:
        prepared: list[tuple[Path, list[Offer]]] = [(path, [])]
        for clause in point.clauses:
            prepared = [(q, [*offers, o]) for p, offers in prepared for q, o in self.prepare(slot, point, clause, p)]
        for p, offers in prepared:
            if p.env.get("fault") == TRUE:
                yield p
                continue
            alone: Term = TRUE
            for o in offers:
                for other in self.slots:
                    if other is slot:
                        continue
                    for met, guard in self.partners(slot, point, o, other, p):
                        alone = both(alone, no(guard))
                        yield from met
            left = where(p, alone)
            if left.guard == FALSE:
                continue
            if point.waiting is None:
                assert point.otherwise is not None
                yield self.at(slot, left, point.otherwise)
                continue
            env: dict[str, Term] = {**left.env, slot.pc: Const(point.waiting.number)}
            number = point_number(slot.body, point)
            for o in offers:
                env[slot.wait("port", number, o.clause.index)] = o.channel
                env[slot.wait("closed", number, o.clause.index)] = o.closed
                if isinstance(o.clause.event, typed.Send):
                    for i, t in enumerate(o.values):
                        env[self.sent(slot, point, o.clause, i)] = choose(o.closed, FALSE, t)
            yield replace(left, env=env)

    def prepare(self, slot: Slot, point: Point, clause: PointClause, path: Path) -> Iterator[tuple[Path, Offer]]:
        event = clause.event
        assert isinstance(event, typed.Send | typed.Receive)
        for p, channel in self.value(slot, event.port, path):
            for q in self.must(p, op("#", channel, FALSE)):
                if q.env.get("fault") == TRUE or isinstance(event, typed.Receive):
                    yield q, Offer(clause, channel, FALSE, [])
                    continue
                guards = [(q, TRUE)] if clause.guard is None else list(self.value(slot, clause.guard, q))
                for r, holds in guards:
                    if r.env.get("fault") == TRUE:
                        yield r, Offer(clause, channel, FALSE, [])
                        continue
                    closed = where(r, no(holds))
                    if closed.guard != FALSE:
                        yield closed, Offer(clause, channel, TRUE, [FALSE for _ in event.values])
                    ways: list[tuple[Path, list[Term]]] = [(where(r, holds), [])]
                    for v in event.values:
                        ways = [(y, [*ts, t]) for x, ts in ways for y, t in self.value(slot, v, x)]
                    for y, values in ways:
                        if y.guard != FALSE:
                            yield y, Offer(clause, channel, FALSE, values)

    def partners(
        self, slot: Slot, point: Point, mine: Offer, other: Slot, path: Path
    ) -> Iterator[tuple[list[Path], Term]]:
        """For each place where the other may wait: the paths of a meeting, and when there is one."""
        event = mine.clause.event
        assert isinstance(event, typed.Send | typed.Receive)
        sends = isinstance(event, typed.Send)
        for their in other.body.points:
            if their.waiting is None or (point.is_select and their.is_select):
                continue
            number = point_number(other.body, their)
            for clause in their.clauses:
                assert isinstance(clause.event, typed.Send | typed.Receive)
                if clause.event.message is not event.message or isinstance(clause.event, typed.Send) is sends:
                    continue
                pc = path.env.get(other.pc, Var(other.pc))
                port = Var(other.wait("port", number, clause.index))
                closed = Var(other.wait("closed", number, clause.index))
                there = both(op("=", pc, Const(their.waiting.number)), op("=", port, mine.channel))
                there = both(both(there, no(mine.closed)), no(closed))
                if sends:
                    values, receiver, takes = mine.values, other, clause
                else:
                    count = len(event.message.types)
                    values = [Var(self.sent(other, their, clause, i)) for i in range(count)]
                    receiver, takes = slot, mine.clause
                start = where(path, there)
                if start.guard == FALSE:
                    continue
                found = []
                guard: Term = FALSE
                for p, holds in self.received(receiver, takes, values, start):
                    q = where(p, holds) if p.env.get("fault") != TRUE else p
                    if q.guard == FALSE:
                        continue
                    guard = either(guard, q.guard)
                    found.append(q if q.env.get("fault") == TRUE else self.met(slot, mine, other, their, clause, q))
                yield found, guard

    def met(self, slot: Slot, mine: Offer, other: Slot, their: Point, clause: PointClause, path: Path) -> Path:
        env: dict[str, Term] = {**path.env, slot.pc: Const(mine.clause.resume.number)}
        env[other.pc] = Const(clause.resume.number)
        number = point_number(other.body, their)
        for c in their.clauses:
            env[other.wait("port", number, c.index)] = FALSE
            env[other.wait("closed", number, c.index)] = FALSE
            if isinstance(c.event, typed.Send):
                env.update({self.sent(other, their, c, i): FALSE for i in range(len(c.event.message.types))})
        return replace(path, env=env)

    def received(self, slot: Slot, clause: PointClause, values: list[Term], path: Path) -> Iterator[tuple[Path, Term]]:
        """With the values in place: whether the guard and all constants let them through."""
        assert isinstance(clause.event, typed.Receive)
        holds: Term = TRUE
        targets = list(zip(clause.event.targets, values, strict=True))
        for target, value in targets:
            if target.constant is not None:
                assert isinstance(target.constant.value, int)
                holds = both(holds, op("=", value, Const(target.constant.value)))
        ways = [where(path, holds)]
        for target, value in targets:
            if target.designator is None:
                continue
            d = target.designator
            if isinstance(d, typed.IndexRef) and not isinstance(d.index, typed.Constant):
                raise NotExported("what is received goes into an element whose number is computed")
            after: list[Path] = []
            for p in ways:
                fits: Term = TRUE
                if target.conversion == "check":
                    low, high = ty.scalar_range(d.type)
                    fits = both(op(">=", value, Const(low)), op("<=", value, Const(high)))
                for q in self.must(p, fits):
                    after += list(self.assigned(slot, d, value, q))
            ways = after
        for p in ways:
            if clause.guard is None or p.env.get("fault") == TRUE:
                yield p, TRUE
            else:
                yield from self.value(slot, clause.guard, p)


@dataclass(slots=True)
class Offer:
    clause: PointClause
    channel: Term
    closed: Term
    values: list[Term]


def point_number(body: Body, point: Point) -> int:
    return body.points.index(point)
