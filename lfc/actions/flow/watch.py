"""Weaves the handlers of monitors into the flow graphs of the program: what happens on an occasion is followed, in the
same action, by a call of the handler. docs/reference/language.md, "Monitors", says when; docs/theory/monitors.md, why
the program's own runs stay what they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import TypeVar

from lfc.actions.model.machine import (
    Attempt,
    Block,
    Body,
    Branch,
    CallWaiting,
    Finish,
    Goto,
    Switch,
)
from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Occasion
from lfc.semantics.model.types import BOOLEAN, UINT8, UINT16, UINT32, Type, size_and_alignment
from lfc.semantics.model.visit import constant_of, expressions_of, root_variable, subexpressions

N = TypeVar("N")
WIDTHS = {8: UINT8, 16: UINT16, 32: UINT32}


@dataclass(slots=True)
class Access:
    """A read of a port or register within an expression, or the write that a statement is."""

    width: int
    address: typed.Expr


def weave(
    bodies: Sequence[Body],
    monitors: Sequence[typed.Module],
    body_of: dict[typed.Process, Body],
    diagnostics: Diagnostics,
) -> None:
    """`bodies`: of the program and of its environment. `body_of`: of each handler."""
    watches = [w for m in monitors for w in m.watches]
    handlers = {w.handler for w in watches} | {p for m in monitors for p in m.processes}
    alive = [m.alive for m in monitors if m.alive is not None]
    for body in bodies:
        if body.process in handlers:
            continue
        woven = Weaving(body, watches, body_of, diagnostics)
        for clause in [c for point in body.points for c in point.clauses]:
            if isinstance(clause.event, typed.Receive):
                clause.watched = [
                    body_of[w.handler]
                    for w in watches
                    if w.occasion is Occasion.MEETING and w.message is clause.event.message
                ]
        if body.domain == "program":
            woven.accesses()
            woven.calls()
            for counter in alive:
                woven.count(
                    counter, [w for w in watches if w.occasion is Occasion.END and w.handler.module is counter.owner]
                )
        for number, block in enumerate(body.blocks):
            block.number = number


@dataclass(slots=True)
class Weaving:
    body: Body
    watches: Sequence[typed.Watch]
    body_of: dict[typed.Process, Body]
    diagnostics: Diagnostics
    temporaries: int = 0
    after: list[typed.Statement] = field(default_factory=list)  # of the statement that is being woven

    # --- calls and returns -----------------------------------------------------------------------------------------

    def calls(self) -> None:
        process = self.body.process
        if process is None:
            return
        arguments: list[tuple[typed.Watch, list[typed.Argument]]] = []
        for w in self.watches:
            if w.process is process:
                pairs = zip(w.handler.formals, process.stated_formals, strict=False)
                arguments.append((w, [typed.Argument(f, typed.VariableRef(f.span, g.type, g)) for f, g in pairs]))
        entering = [self.call(w, a) for w, a in arguments if w.occasion is Occasion.CALL]
        if entering:
            self.enter_with(entering)
        for block in self.body.blocks:
            if isinstance(block.end, Finish):
                block.statements += [self.call(w, a) for w, a in arguments if w.occasion is Occasion.RETURN]

    def call(self, w: typed.Watch, arguments: list[typed.Argument]) -> typed.Statement:
        st = typed.CallProcess(w.handler.span, w.handler, arguments)
        self.body.callees[st] = self.body_of[w.handler]
        return st

    def enter_with(self, statements: list[typed.Statement]) -> None:
        """A block before the first one, to which a loop may lead back."""
        old = self.body.entry
        assert old is not None
        first = Block(0, statements, Goto(old, statements[0].span))
        self.body.blocks.insert(0, first)
        self.body.entry = first
        for position in self.body.positions:
            if position.kind == "start":
                position.entry = first

    # --- the end of the program --------------------------------------------------------------------------------------

    def count(self, counter: typed.Variable, at_end: list[typed.Watch]) -> None:
        """The processes that live and are no servers, with the initialisation. The last one ends the program."""
        process = self.body.process
        for block in self.body.blocks:
            found: list[typed.Statement] = []
            for s in block.statements:
                found.append(s)
                if isinstance(s, typed.CreateProcess) and not s.process.server:
                    found.append(step(counter, s.span, down=False))
            block.statements = found
        ends = process is None or (self.body.created and not process.server and self.body.has_positions)
        if not ends:
            return
        if process is not None and self.body.called and self.body.can_wait:
            what = f"`{process.name}` is both created and called, and waits"
            message = f"no monitor can have `AT END` here: {what}, so that its end may be a return"
            self.diagnostics.report("LF0813", process.span, message)
            return
        for block in list(self.body.blocks):
            if isinstance(block.end, Finish):
                span = block.end.span
                block.statements.append(step(counter, span, down=True))
                over, last = Block(0, [], block.end), Block(0, [self.call(w, []) for w in at_end], Goto(Block(0), span))
                last.end = Goto(over, span)
                zero = typed.Constant(span, counter.type, 0)
                none = typed.Relation(span, BOOLEAN, "=", typed.VariableRef(span, counter.type, counter), zero)
                block.end = Branch(none, last, over, span)
                self.body.blocks += [last, over]

    # --- accesses to ports -------------------------------------------------------------------------------------------

    def accesses(self) -> None:
        if not any(w.occasion in (Occasion.PORTIN, Occasion.PORTOUT) for w in self.watches):
            return
        for block in list(self.body.blocks):
            found: list[typed.Statement] = []
            for s in block.statements:
                found += self.statement(s)
            block.statements = found
            self.end(block)

    def matching(self, occasion: Occasion, access: Access) -> list[typed.Watch]:
        found = []
        for w in self.watches:
            if w.occasion is occasion:
                width, address = w.constants[:2] if w.constants else (None, None)
                known = constant_of(access.address)
                if width in (None, access.width) and (address is None or known is None or address == known):
                    found.append(w)
        return found

    def statement(self, s: typed.Statement) -> list[typed.Statement]:
        """With what comes before and after it."""
        self.after = []
        before: list[typed.Statement] = []
        s = self.read_first(s, before)
        written = written_by(s)
        if written is None or not self.matching(Occasion.PORTOUT, written):
            return [*before, s, *self.after]
        if isinstance(s, typed.Step | typed.Include):
            target = s.target if isinstance(s, typed.Step) else s.set
            value = self.temporary(target.type, s.span)
            before.append(typed.Assign(s.span, value, self.read(target, before)))
            field_name = "target" if isinstance(s, typed.Step) else "set"
            before.append(replaced(s, field_name, value))
            last: typed.Statement = typed.Assign(s.span, target, value)
        elif isinstance(s, typed.Assign):
            value = self.temporary(s.target.type, s.span)
            before.append(typed.Assign(s.span, value, s.value))
            last = typed.Assign(s.span, s.target, value)
        else:
            assert isinstance(s, typed.PortOut)
            written.address = self.once(s.address, before)
            given = self.once(s.value, before)
            last = typed.PortOut(s.span, s.width, written.address, given)
            return [*before, last, *self.tell(Occasion.PORTOUT, written, given, s.span), *self.after]
        return [*before, last, *self.tell(Occasion.PORTOUT, written, value, s.span), *self.after]

    def end(self, block: Block) -> None:
        """What a block ends with: conditions are read first, others cannot be."""
        end = block.end
        self.after = []
        if isinstance(end, Branch | Switch):
            name = "condition" if isinstance(end, Branch) else "selector"
            e = end.condition if isinstance(end, Branch) else end.selector
            if not any(self.is_watched(part) for part in subexpressions(e)):
                return
            value = self.read_within(e, block.statements)
            kept = self.temporary(value.type, e.span)
            block.statements.append(typed.Assign(e.span, kept, value))
            forgotten = self.after.pop()
            block.statements += self.after
            block.end = replaced(end, name, kept)
            self.forget_behind(block, forgotten)
        elif isinstance(end, Attempt | CallWaiting):
            self.refuse(end)

    def forget_behind(self, block: Block, forgotten: typed.Statement) -> None:
        """A temporary is zero where an action ends: it adds no state."""
        end = block.end
        assert isinstance(end, Branch | Switch)
        made: dict[int, Block] = {}

        def before(target: Block) -> Block:
            if id(target) not in made:
                made[id(target)] = Block(0, [forgotten_again(forgotten)], Goto(target, end.span))
                self.body.blocks.append(made[id(target)])
            return made[id(target)]

        if isinstance(end, Branch):
            end.then, end.otherwise = before(end.then), before(end.otherwise)
        else:
            end.cases = [(labels, before(b)) for labels, b in end.cases]
            end.otherwise = None if end.otherwise is None else before(end.otherwise)

    def refuse(self, end: Attempt | CallWaiting) -> None:
        if isinstance(end, CallWaiting):
            parts = [e for a in end.call.arguments for e in subexpressions(a.value)]
        else:
            parts = []
            for c in end.point.clauses:
                own = [c.event, *([] if c.guard is None else [c.guard])]
                parts += [part for x in own for e in expressions_of(x) for part in subexpressions(e)]
                for t in c.targets:
                    root = None if t.target.designator is None else root_variable(t.target.designator)
                    if root is not None and root.address is not None:
                        self.report(t.target.designator.span if t.target.designator else end.span)
        for part in parts:
            if self.is_watched(part):
                self.report(part.span)

    def report(self, span: Span) -> None:
        message = "a monitor watches this access, which is part of a communication, a call or the right side of & or OR"
        self.diagnostics.report("LF0815", span, message)

    # --- reads -------------------------------------------------------------------------------------------------------

    def is_watched(self, e: typed.Expr) -> bool:
        access = read_of(e)
        return access is not None and bool(self.matching(Occasion.PORTIN, access))

    def read_first(self, s: typed.Statement, before: list[typed.Statement]) -> typed.Statement:
        """The statement, with the values of its reads in their place."""
        if not any(self.is_watched(part) for e in expressions_of(s) for part in subexpressions(e)):
            return s
        target = {typed.Assign: "target", typed.Step: "target", typed.Include: "set"}.get(type(s), "")
        for f in fields(s):
            value = getattr(s, f.name)
            if isinstance(value, typed.Expr):
                if f.name == target and isinstance(value, typed.VariableRef):
                    if isinstance(s, typed.Assign):
                        continue
                    written = written_by(s)
                    if written is not None and self.matching(Occasion.PORTOUT, written):
                        continue  # it is read there
                s = replaced(s, f.name, self.read_within(value, before))
            elif f.name == "arguments":
                passed = [typed.Argument(a.formal, self.read_within(a.value, before)) for a in value]
                s = self.with_arguments(s, passed)
        return s

    def with_arguments(self, s: typed.Statement, passed: list[typed.Argument]) -> typed.Statement:
        callee = self.body.callees.get(s)
        s = replaced(s, "arguments", passed)
        if callee is not None:
            self.body.callees[s] = callee
        return s

    def read_within(self, e: typed.Expr, before: list[typed.Statement]) -> typed.Expr:
        """From left to right; what is read on the right side of & and OR is not always read."""
        if isinstance(e, typed.Logical):
            for part in subexpressions(e.right):
                if self.is_watched(part):
                    self.report(part.span)
        if isinstance(e, typed.FunctionCall | typed.CallFunction | typed.SetConstructor):
            e = self.with_operands(e, before)
        else:
            for f in fields(e):
                value = getattr(e, f.name)
                if isinstance(value, typed.Expr):
                    within = self.read_within(value, before)
                    e = e if within is value else replaced(e, f.name, within)
        return self.read(e, before)

    def with_operands(self, e: typed.Expr, before: list[typed.Statement]) -> typed.Expr:
        if isinstance(e, typed.FunctionCall):
            return replaced(e, "arguments", [self.read_within(a, before) for a in e.arguments])
        if isinstance(e, typed.CallFunction):
            return replaced(
                e, "arguments", [typed.Argument(a.formal, self.read_within(a.value, before)) for a in e.arguments]
            )
        assert isinstance(e, typed.SetConstructor)
        pairs = [
            (self.read_within(low, before), None if high is None else self.read_within(high, before))
            for low, high in e.elements
        ]
        return replaced(e, "elements", pairs)

    def read(self, e: typed.Expr, before: list[typed.Statement]) -> typed.Expr:
        access = read_of(e)
        if access is None or not self.matching(Occasion.PORTIN, access):
            return e
        if isinstance(e, typed.FunctionCall):
            access.address = self.once(e.arguments[0], before)
            e = replaced(e, "arguments", [access.address])
        value = self.temporary(e.type, e.span)
        before.append(typed.Assign(e.span, value, e))
        before += self.tell(Occasion.PORTIN, access, value, e.span)
        return value

    def tell(self, occasion: Occasion, access: Access, value: typed.Expr, span: Span) -> list[typed.Statement]:
        found: list[typed.Statement] = []
        for w in self.matching(occasion, access):
            given = (typed.Constant(span, UINT8, access.width), access.address, as_number(value))
            pairs = zip(w.handler.formals, given, strict=False)  # one without values has no parameters
            found.append(self.call(w, [typed.Argument(f, v) for f, v in pairs]))
        return found

    def once(self, e: typed.Expr, before: list[typed.Statement]) -> typed.Expr:
        if isinstance(e, typed.Constant):
            return e
        value = self.temporary(e.type, e.span)
        before.append(typed.Assign(e.span, value, e))
        return value

    def temporary(self, t: Type, span: Span) -> typed.VariableRef:
        """It is zero again behind the statement."""
        owner = self.body.process
        name = f"read {self.temporaries}"
        self.temporaries += 1
        v = typed.Variable(name, t, typed.VariableKind.LOCAL, owner, span)  # type: ignore[arg-type]
        self.body.locals.append(v)
        found = typed.VariableRef(span, t, v)
        zero = typed.Constant(span, t, 0)
        self.after.append(typed.Assign(span, found, zero))
        return found


def replaced(node: N, name: str, value: object) -> N:
    """The same with another part. Nodes are compared by identity: the old one may stand elsewhere."""
    return replace(node, **{name: value})  # type: ignore[type-var]


def forgotten_again(s: typed.Statement) -> typed.Statement:
    assert isinstance(s, typed.Assign)
    return typed.Assign(s.span, s.target, s.value)


def step(counter: typed.Variable, span: Span, *, down: bool) -> typed.Statement:
    one = typed.Constant(span, counter.type, 1)
    return typed.Step(span, typed.VariableRef(span, counter.type, counter), one, down)


def as_number(e: typed.Expr) -> typed.Expr:
    """What lies on the bus, as UINT32."""
    bits = 8 * size_and_alignment(e.type)[0]
    plain = typed.Reinterpret(e.span, WIDTHS[bits], e)
    return plain if bits == 32 else typed.Convert(e.span, UINT32, plain, False)


def read_of(e: typed.Expr) -> Access | None:
    if isinstance(e, typed.FunctionCall) and e.name.startswith("PORTIN"):
        return Access(int(e.name.removeprefix("PORTIN") or "8"), e.arguments[0])
    if isinstance(e, typed.VariableRef) and e.variable.address is not None:
        return Access(8 * size_and_alignment(e.type)[0], typed.Constant(e.span, UINT32, e.variable.address))
    return None


def written_by(s: typed.Statement) -> Access | None:
    if isinstance(s, typed.PortOut):
        return Access(s.width, s.address)
    target = s.target if isinstance(s, typed.Assign | typed.Step) else s.set if isinstance(s, typed.Include) else None
    if isinstance(target, typed.VariableRef) and target.variable.address is not None:
        return Access(8 * size_and_alignment(target.type)[0], typed.Constant(s.span, UINT32, target.variable.address))
    return None
