"""The program that a slice is: a copy of the typed program without what left."""

from __future__ import annotations

import copy
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass

from lfc.actions.analysis.may_fault import first_of
from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.reduction.slicing.dependence import Kept, Owner, variables_of
from lfc.semantics.bounds import channel_bound
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.types import Message, RecordField, Type
from lfc.semantics.model.visit import bodies, expressions_of, statements, subexpressions

SHARED = (Type, Message, RecordField, Source, Span)
DEEP = 200_000  # frames of Python, while a program that hangs together is copied


class NotBuilt(Exception):
    """The slice is no program: an error in slicing itself."""


def machine_of_slice(kept: Kept) -> Machine:
    diagnostics = Diagnostics()
    channels = channel_bound(kept.program)  # as many as before, whichever NEWs have left
    machine = build_machine(sliced_program(kept), diagnostics, with_environment=False, channels=channels)
    if diagnostics.has_errors:
        raise NotBuilt("; ".join(d.message for d in diagnostics.items))
    return machine


def sliced_program(kept: Kept) -> typed.Program:
    return copied(kept)[0]


def variables_in_slice(kept: Kept) -> set[Variable]:
    """Those of the program that the slice has, too."""
    program, memo = copied(kept)
    named = named_variables(program)
    owners = owners_of(kept.program)
    return {v for owner in owners for v in variables_of(owner) if memo.get(id(v)) in named or is_parameter(v)}


def is_parameter(v: Variable) -> bool:
    return v.kind in (VariableKind.VALUE, VariableKind.VAR)


def copied(kept: Kept) -> tuple[typed.Program, dict[int, object]]:
    """The slice, and of each part of the program (by identity) its copy."""
    memo: dict[int, object] = {id(x): x for x in shared_parts(kept.program)}
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(DEEP)
    try:
        program = copy.deepcopy(kept.program, memo)
    finally:
        sys.setrecursionlimit(before)
    stay = {id(memo[s]) for s in kept.statements}
    claimed = {id(memo[id(p)]) for p in kept.claims.properties}
    for module in program.modules:
        module.properties = [p for p in module.properties if id(p) in claimed]
    passing = {id(memo[s]) for s in kept.passing}
    for owner in owners_of(program):
        owner.body = only(owner.body, stay, passing)
    there = {id(memo[id(p)]) for p in kept.processes}
    for module in program.modules:
        module.processes = only_processes(module.processes, there)
    for send, j in kept.blank_values:
        new = memo[id(send)]
        assert isinstance(new, typed.Send)
        new.values[j] = blank(new.values[j])
    for call, j in kept.blank_arguments:
        made = memo[id(call)]
        assert isinstance(made, typed.CallProcess | typed.CreateProcess)
        made.arguments[j].value = blank(made.arguments[j].value)
    drop_variables(program)
    return program, memo


def shared_parts(program: typed.Program) -> Iterator[object]:
    """Types and places in the text, which are not copied."""
    seen: set[int] = set()
    work: list[object] = [program]
    while work:
        x = work.pop()
        if isinstance(x, list | tuple | set):
            work.extend(x)
            continue
        if not is_dataclass(x) or id(x) in seen:
            continue
        seen.add(id(x))
        if isinstance(x, SHARED):
            yield x
            continue
        work.extend(getattr(x, f.name) for f in fields(x))


def owners_of(program: typed.Program) -> list[Owner]:
    return [*program.modules, *program.all_processes()]


def only(body: list[typed.Statement], stay: set[int], passing: set[int]) -> list[typed.Statement]:
    """`passing`: who only waits there for a partner goes on."""
    found = [typed.Reschedule(s.span) if id(s) in passing else s for s in body if id(s) in stay]
    for s in found:
        for inner in bodies(s):
            inner[:] = only(inner, stay, passing)
    return found


def only_processes(processes: list[Process], there: set[int]) -> list[Process]:
    """Those, and the ones that they are nested in."""
    for p in processes:
        p.nested = only_processes(p.nested, there)
    return [p for p in processes if p.nested or id(p) in there]


def blank(e: typed.Expr) -> typed.Constant:
    """Of a value that does not matter: the one that a variable starts with."""
    return typed.Constant(e.span, e.type, first_of(e.type))


def drop_variables(program: typed.Program) -> None:
    """Those that nothing names any more. Device registers stay: options speak of them."""
    named = named_variables(program)
    for module in program.modules:
        module.variables = [v for v in module.variables if v in named or v.address is not None]
    for p in program.all_processes():
        p.locals = [v for v in p.locals if v in named]


def named_variables(program: typed.Program) -> set[Variable]:
    found: set[Variable] = set()
    bodies_there = [owner.body for owner in owners_of(program)]
    expressions: list[typed.Expr] = []
    for module in program.modules:
        for asked in module.properties:
            expressions += [asked.formula] if asked.formula is not None else []
            bodies_there += [asked.process.body] if asked.process is not None else []
    for p in program.all_processes():
        found |= {e.variable for e in p.effects} | set(p.stated_effects)
    for body in bodies_there:
        for s in statements(body):
            expressions += expressions_of(s)
            if isinstance(s, typed.For):
                found |= {s.variable} | ({s.limit} if s.limit is not None else set())
    for e in expressions:
        for x in subexpressions(e):
            if isinstance(x, typed.VariableRef | typed.SlotVariable):
                found.add(x.variable)
    return found
