"""Property processes: a step of the automaton after each action of the program, as a function without other effects.

    i32 @lf_property_step(ptr b, i8 which, i32 taken, i8 branch)      void @lf_property_start(ptr b, i8 which)

The state of property `which` lies behind the block, where its record says; `taken` names the meeting of the action,
as in `atoms`; `branch` is picked at the CHOICE. The result, by bits: 0 to 7, how many branches the CHOICE had (0:
it met none); 8, the state that this leads to is accepting; 9, it cannot move; 10, it has ended; 31, a fault, whose
kind is in bits 16 to 23 and whose site in bits 0 to 15. The state is written unless there was a fault or no move.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.model.machine import (
    Advance,
    Block,
    CannotMove,
    Choose,
    Finish,
    PropertyMachine,
    Suspend,
)
from lfc.base.source import Span
from lfc.codegen.bodies.body import advance, terminator
from lfc.codegen.bodies.statements import statement
from lfc.codegen.expressions.atoms import AtomScope, message_numbers
from lfc.codegen.expressions.initial import initialise_variables
from lfc.codegen.module import before_block
from lfc.codegen.module.emit import Function, Value, number
from lfc.codegen.module.scope import FAULTED
from lfc.codegen.module.unit import Unit
from lfc.semantics.model import typed

ROUNDS = 1_000_000  # of loops in one step
ACCEPTS, CANNOT_MOVE, ENDED = 1 << 8, 1 << 9, 1 << 10
B = Value("ptr", "%b")


class WatcherScope(AtomScope):
    def fail(
        self,
        kind: int,
        span: Span,
        text: str,
        first: Value | None = None,
        second: Value | None = None,
        unsigned: bool = False,
    ) -> None:
        """The step returns the fault: the action that it follows is over."""
        site = self.unit.site(kind, span, text, unsigned)
        self.f.end(f"ret {number(32, FAULTED | kind << 16 | site)}")

    def pass_on(self, fault: Value) -> None:
        self.f.end(f"ret {fault}")


def watcher_functions(unit: Unit, watchers: Sequence[PropertyMachine]) -> None:
    for p in watchers:
        step_function(unit, p)
        start_function(unit, p)
    dispatch(unit, watchers, "i32", "lf_property_step", "i8 zeroext %which, i32 %taken, i8 zeroext %branch", STEP)
    dispatch(unit, watchers, "void", "lf_property_start", "i8 zeroext %which", [])


STEP: list[Value | str] = [Value("i32", "%taken"), Value("i8", "%branch")]


def dispatch(
    unit: Unit,
    watchers: Sequence[PropertyMachine],
    result: str,
    name: str,
    parameters: str,
    arguments: list[Value | str],
) -> None:
    f = Function(unit.target, f"{result} @{name}(ptr %b, {parameters})")
    labels = [f.label_name("property") for _ in watchers]
    f.switch(Value("i8", "%which"), list(enumerate(labels)), "nowhere")
    for p, label in zip(watchers, labels, strict=True):
        f.label(label)
        v = f.call(result, f'@"{name}.{p.body.name}"', [B, *arguments])
        f.end("ret void" if result == "void" else f"ret {v}")
    f.label("nowhere")
    f.end("unreachable")
    unit.add(f)


def scope_of(unit: Unit, p: PropertyMachine, signature: str) -> WatcherScope:
    s = WatcherScope(unit, Function(unit.target, signature), p.body, of_property=True)
    s.messages = message_numbers(unit.machine)
    s.frame = s.f.offset(B, p.record.offset + p.record.frame0)
    return s


def set_position(s: WatcherScope, p: PropertyMachine, position: int) -> None:
    size = p.record.position_size
    s.f.store(number(8 * size, position), s.f.offset(B, p.record.position_offset), size)


def step_function(unit: Unit, p: PropertyMachine) -> None:
    name = f'@"lf_property_step.{p.body.name}"'
    s = scope_of(unit, p, f"internal i32 {name}(ptr %b, i32 %taken, i8 zeroext %branch)")
    f = s.f
    f.store(number(32, ROUNDS), f.offset(B, before_block.ROUNDS), 4)
    result = f.alloca("i32", 4)
    f.store(number(32, 0), result, 4)
    size = p.record.position_size
    at = f.load(f"i{8 * size}", f.offset(B, p.record.position_offset), size)
    labels = {id(block): f"b{block.number}" for block in p.body.blocks}
    entries = [(q.number, labels[id(q.entry)]) for q in p.positions if q.ready and q.entry is not None]
    f.switch(at, entries, "ended")
    f.label("ended")
    f.end(f"ret {number(32, ENDED)}")
    for block in p.body.blocks:
        f.label(labels[id(block)])
        compile_block(s, p, block, labels, result)
    unit.add(f)


def compile_block(s: WatcherScope, p: PropertyMachine, block: Block, labels: dict[int, str], result: Value) -> None:
    f = s.f
    for st in block.statements:
        if isinstance(st, typed.Accept):
            note(s, result, number(32, ACCEPTS))
        elif isinstance(st, Advance):
            advance(s, st)
        else:
            statement(s, st)
    end = block.end
    assert end is not None
    if isinstance(end, Suspend):
        set_position(s, p, end.position.number)
        f.end(f"ret {f.load('i32', result, 4)}")
    elif isinstance(end, Finish):
        f.call("void", "@lf_clear", [s.frame, number(16, p.record.stride)])
        set_position(s, p, 0)
        note(s, result, number(32, ENDED))
        f.end(f"ret {f.load('i32', result, 4)}")
    elif isinstance(end, CannotMove):
        note(s, result, number(32, CANNOT_MOVE))
        f.end(f"ret {f.load('i32', result, 4)}")
    elif isinstance(end, Choose):
        note(s, result, number(32, len(end.branches)))
        cases = [(i, labels[id(b)]) for i, b in enumerate(end.branches)]
        f.switch(Value("i8", "%branch"), cases[1:], cases[0][1])
    else:
        terminator(s, end, labels, {})


def note(s: WatcherScope, result: Value, bits: Value) -> None:
    s.f.store(s.f.arithmetic("or", s.f.load("i32", result, 4), bits), result, 4)


def start_function(unit: Unit, p: PropertyMachine) -> None:
    """Before the first action: bytes that were zero."""
    s = scope_of(unit, p, f'internal void @"lf_property_start.{p.body.name}"(ptr %b)')
    set_position(s, p, p.body.start.number)
    initialise_variables(s, p.body, s.frame, list(p.body.locals), zeroed=True)
    s.f.end("ret void")
    unit.add(s.f)
