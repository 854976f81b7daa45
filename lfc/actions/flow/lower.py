"""Lowers typed statements to a flow graph: one function per construct. Loops and scheduling points have own files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from lfc.actions.flow.closing import Hidden, hidden_arguments, with_stand_ins
from lfc.actions.flow.keyboard import read_of_key
from lfc.actions.flow.loops import Enclosing, lower_for, lower_loop, lower_repeat, lower_while
from lfc.actions.flow.scheduling_points import (
    lower_call_waiting,
    lower_choice,
    lower_plain_point,
    lower_reschedule,
    lower_select,
)
from lfc.actions.model.machine import (
    Block,
    Body,
    Branch,
    CallWaiting,
    CannotMove,
    Choose,
    Finish,
    Goto,
    Position,
    Switch,
    Terminator,
)
from lfc.actions.model.reach import is_point
from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable
from lfc.semantics.model.types import initial_value


@dataclass(slots=True)
class Surroundings:
    """What the lowering of one body must know of the others of its domain."""

    body_of: dict[Process, Body]
    function_of: dict[Process, Body]
    hidden: dict[Process, Hidden]
    written_by_processes: set[Variable]  # module variables that some process changes
    keyboard: Variable | None = None  # the environment's port from which the console's bytes come

    def callee(self, process: Process) -> Body:
        return self.function_of[process] if process in self.function_of else self.body_of[process]


@dataclass(slots=True)
class Lowering:
    body: Body
    around: Surroundings
    current: Block
    return_to: Block | None = None  # in the initialisation: the next module's part; None: the body ends
    loops: list[Enclosing] = field(default_factory=list)
    ready: list[Position] = field(default_factory=list)
    waiting: list[Position] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def new_block(self) -> Block:
        block = Block(len(self.blocks))
        self.blocks.append(block)
        return block

    def end_with(self, terminator: Terminator, next_block: Block | None = None) -> None:
        """Ends the current block and goes on in `next_block` (a new one that nothing leads to, without)."""
        self.current.end = terminator
        self.current = next_block or self.new_block()

    def position(self, kind: str, span: Span, entry: Block | None) -> Position:
        position = Position(0, kind, self.body, span, entry)
        (self.waiting if kind == "waiting" else self.ready).append(position)
        return position

    def sequence(self, statements: Sequence[typed.Statement]) -> None:
        for s in statements:
            self.statement(s)

    def statement(self, s: typed.Statement) -> None:
        match s:
            case typed.If():
                self._if(s)
            case typed.Case():
                self._case(s)
            case typed.While():
                lower_while(self, s)
            case typed.Repeat():
                lower_repeat(self, s)
            case typed.For():
                lower_for(self, s)
            case typed.Loop():
                lower_loop(self, s)
            case typed.Exit():
                self._exit(s)
            case typed.Return():
                self._return(s)
            case typed.Select():
                lower_select(self, s)
            case typed.Choice():
                lower_choice(self, s)
            case typed.Reschedule():
                lower_reschedule(self, s)
            case typed.NoMove():
                self.end_with(CannotMove(s.span))
            case typed.ConsoleRead() if self.around.keyboard is not None:
                lower_plain_point(self, read_of_key(s, self.around.keyboard))
            case typed.Send() | typed.Receive() | typed.ConsoleRead() | typed.Sleep() if is_point(s):
                lower_plain_point(self, s)
            case typed.CallProcess():
                self._call(s)
            case typed.CreateProcess():
                create = typed.CreateProcess(s.span, s.process, s.arguments, s.deadline)
                self.body.callees[create] = self.around.body_of[s.process]
                self.body.in_text[create] = s
                self.current.statements.append(create)
            case _:
                self.current.statements.append(s)

    def branch(self, condition: typed.Expr, then: Block, otherwise: Block, next_block: Block | None) -> None:
        """A branch on a constant is none."""
        if isinstance(condition, typed.Constant):
            self.end_with(Goto(then if condition.value else otherwise, condition.span), next_block)
        else:
            self.end_with(Branch(condition, then, otherwise, condition.span), next_block)

    def _if(self, s: typed.If) -> None:
        after = self.new_block()
        for condition, body in s.branches:
            then, otherwise = self.new_block(), self.new_block()
            self.branch(condition, then, otherwise, then)
            self.sequence(body)
            self.end_with(Goto(after, s.span), otherwise)
        self.sequence(s.otherwise)
        self.end_with(Goto(after, s.span), after)

    def _case(self, s: typed.Case) -> None:
        after = self.new_block()
        cases = [(labels, self.new_block()) for labels, _ in s.branches]
        otherwise = None if s.otherwise is None else self.new_block()
        self.end_with(Switch(s.selector, cases, otherwise, s.span))
        for (_, block), (_, body) in zip(cases, s.branches, strict=True):
            self.current = block
            self.sequence(body)
            self.end_with(Goto(after, s.span))
        if otherwise is not None:
            self.current = otherwise
            self.sequence(s.otherwise or [])
            self.end_with(Goto(after, s.span))
        self.current = after

    def _exit(self, s: typed.Exit) -> None:
        for index in range(len(self.loops) - 1, -1, -1):
            loop = self.loops[index]
            named = s.label is not None
            exit_block = loop.exit if not named else loop.after if loop.label is s.label else None
            if exit_block is not None:
                self.reset_limits(self.loops[index + 1 :], s.span)
                self.end_with(Goto(exit_block, s.span))
                return
        raise AssertionError("EXIT outside of a LOOP has been reported")

    def _return(self, s: typed.Return) -> None:
        self.reset_limits(self.loops, s.span)
        self.end_with(Finish(s.span) if self.return_to is None else Goto(self.return_to, s.span))

    def reset_limits(self, left: Sequence[Enclosing], span: Span) -> None:
        """The limit of a FOR is state only while the loop lasts."""
        for loop in reversed(left):
            if loop.limit is not None:
                zero = typed.Constant(span, loop.limit.type, 0)
                self.current.statements.append(typed.Assign(span, loop.limit, zero))
            if loop.own is not None:
                first = typed.Constant(span, loop.own.type, initial_value(loop.own.type))
                self.current.statements.append(typed.Assign(span, loop.own, first))

    def _call(self, s: typed.CallProcess) -> None:
        callee = self.around.callee(s.process)
        passed_on = hidden_arguments(self.around.hidden.get(s.process, {}), self.body.hidden, s)
        call = typed.CallProcess(s.span, s.process, s.arguments + passed_on)
        self.body.callees[call] = callee
        if callee.can_wait:
            lower_call_waiting(self, call, callee)
        else:
            self.current.statements.append(call)


def lower_process(body: Body, process: Process, around: Surroundings) -> None:
    lowering = _started(body, around, process.span)
    lowering.sequence(with_stand_ins(process.body, body.hidden))
    lowering.end_with(Finish(process.end_span or process.span))
    _complete(lowering)


Part = tuple[typed.Module, Surroundings]


def lower_initialisation(
    body: Body,
    parts: Sequence[Part],
    span: Span,
    environment: Sequence[Part] = (),
    before: typed.Statement | None = None,
) -> None:
    """The bodies of all modules, one after the other; a RETURN ends only its module's part. Those of the environment
    come before a statement of a module's body, or last."""
    lowering = _started(body, parts[0][1], span)
    for module, around in parts:
        lowering.around = around
        end = lowering.return_to = lowering.new_block()
        for s in module.body:
            if s is before:
                _lower_modules(lowering, environment, span)
                lowering.around, lowering.return_to = around, end
            lowering.statement(s)
        lowering.end_with(Goto(end, module.end_span or span), end)
    if before is None:
        _lower_modules(lowering, environment, span)
    lowering.end_with(Finish([*parts, *environment][-1][0].end_span or span))
    _complete(lowering)


def _lower_modules(lowering: Lowering, parts: Sequence[Part], span: Span) -> None:
    for module, around in parts:
        lowering.around = around
        end = lowering.return_to = lowering.new_block()
        lowering.sequence(module.body)
        lowering.end_with(Goto(end, module.end_span or span), end)


def _started(body: Body, around: Surroundings, span: Span) -> Lowering:
    entry = Block(0)
    lowering = Lowering(body, around, entry, blocks=[entry])
    body.entry = entry
    lowering.position("start", span, entry)
    return lowering


def _complete(lowering: Lowering) -> None:
    body = lowering.body
    body.positions = lowering.ready + lowering.waiting if body.has_positions else []
    for position in body.positions:
        position.entry = _without_detours(position.entry)
    body.entry = _without_detours(body.entry)
    body.blocks = reachable_blocks(body)
    for call, callee in body.callees.items():
        if isinstance(call, typed.CallProcess) and callee.can_wait and callee not in body.calls_waiting:
            body.calls_waiting.append(callee)


def _without_detours(block: Block | None) -> Block | None:
    """Where control really goes: past blocks that do nothing but go on, but for the heads of counted loops."""
    seen: set[Block] = set()
    while (
        block is not None
        and block not in seen
        and not block.statements
        and block.rounds is None
        and isinstance(block.end, Goto)
        and not block.end.backward
    ):
        seen.add(block)
        block = block.end.target
    return block


def targets(end: Terminator | None) -> list[Block]:
    """The blocks where control goes on in the same action and body (after a call that can wait: when it is back)."""
    match end:
        case Goto():
            return [end.target]
        case Branch():
            return [end.then, end.otherwise]
        case Switch():
            return [block for _, block in end.cases] + ([] if end.otherwise is None else [end.otherwise])
        case Choose():
            return list(end.branches)
        case CallWaiting():
            return [] if end.position.entry is None else [end.position.entry]
    return []


def _redirect(end: Terminator | None) -> None:
    def direct(block: Block) -> Block:
        found = _without_detours(block)
        assert found is not None
        return found

    match end:
        case Goto():
            end.target = direct(end.target)
        case Branch():
            end.then, end.otherwise = direct(end.then), direct(end.otherwise)
        case Switch():
            end.cases = [(labels, direct(block)) for labels, block in end.cases]
            end.otherwise = None if end.otherwise is None else direct(end.otherwise)
        case Choose():
            end.branches = [direct(block) for block in end.branches]


def reachable_blocks(body: Body) -> list[Block]:
    """From the entries of all positions, in the order of the text; they are numbered anew."""
    entries = [p.entry for p in body.positions if p.entry is not None]
    if body.entry is not None:
        entries.insert(0, body.entry)
    found: set[Block] = set()
    stack = list(reversed(entries))
    while stack:
        block = stack.pop()
        if block not in found:
            found.add(block)
            _redirect(block.end)
            stack.extend(targets(block.end))
    ordered = sorted(found, key=lambda b: b.number)
    for number, block in enumerate(ordered):
        block.number = number
    return ordered
