"""NONATOMIC variables that the program itself writes, and nobody else: a write is two actions, and a read that comes
between them finds any value of the type (a safe register: Lamport, On interprocess communication, Distributed Computing
1986).

`x := e` becomes `x := e; INC(x.writing); RESCHEDULE; DEC(x.writing)`, and each read of `x` an `Overlapped`, in the
typed program, so that all that comes after it sees what happens.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.types import REGISTERS, UINT8, ArrayType, OpenArrayType, Type
from lfc.semantics.model.visit import bodies, reads_input, root_variable, statements, subexpressions

Owner = typed.Module | Process
CODE = "LF0426"
LAST = "assign it to a variable first"
INDEX = "assign the index to a variable of the process first"


def split_writes(program: typed.Program, diagnostics: Diagnostics) -> None:
    """Changes the program, if it has such variables. Errors are reported."""
    marked = {v for m in program.modules if not m.environment for v in m.variables if v.nonatomic and v.address is None}
    if not marked:
        return
    owners: list[Owner] = [m for m in program.modules if not m.environment]
    owners += [p for p in program.all_processes() if not p.module.environment]
    everything = [s for owner in owners for s in statements(owner.body)]
    written = {root_variable(s.target) for s in everything if isinstance(s, typed.Assign)}
    lent = set(lent_to_c(program, everything))
    for v in sorted(marked, key=lambda v: (v.owner.name, v.span.start)):
        if v in lent and is_only_ours(v.type):
            message = f"`{v.name}` is NONATOMIC and C may write it, so it is a number, a CHAR or a set, not {v.type}"
            diagnostics.report("LF0420", v.span, message)
        elif v not in written and is_only_ours(v.type):
            message = (
                f"nothing assigns `{v.name}`, and what changes from outside is a number, a CHAR or a set, not {v.type}"
            )
            diagnostics.report("LF0420", v.span, message)
        elif v in written and v not in lent:
            v.nonatomic = False
            v.writing = Variable(f"{v.name}.writing", counters(v.type), VariableKind.MODULE, v.owner, v.span)
            v.writing.used = True
            assert isinstance(v.owner, typed.Module)
            v.owner.variables.insert(v.owner.variables.index(v) + 1, v.writing)
    alone = True
    for owner in owners:
        change = _Change(diagnostics, owner)
        if isinstance(owner, typed.Module):
            alone = change.initialisation(owner.body, alone)
        else:
            change.body(owner.body)
    models: list[Owner] = [m for m in program.modules if m.environment]
    models += [p for p in program.all_processes() if p.module.environment]
    for owner in models:  # what looks on reads as the program does, and writes nothing of it
        _Change(diagnostics, owner).body(owner.body)
    for f in program.all_functions():
        _Change(diagnostics, f).body(f.body)


def is_only_ours(t: Type) -> bool:
    """C is given no such variable."""
    return not isinstance(t, REGISTERS)


def counters(t: Type) -> Type:
    """As many as there are elements."""
    return (
        replace(t, name=f"ARRAY {t.length} OF {counters(t.element)}", element=counters(t.element))
        if isinstance(t, ArrayType)
        else UINT8
    )


def lent_to_c(program: typed.Program, everything: list[typed.Statement]) -> Iterator[Variable]:
    for p in program.all_processes():
        if p.external:
            yield from (e.variable for e in p.effects)
            yield from p.stated_effects
    for s in everything:
        if isinstance(s, typed.CallProcess | typed.CreateProcess) and s.process.external:
            for a in s.arguments:
                root = root_variable(a.value)
                by_name = a.formal.kind is VariableKind.VAR or isinstance(a.formal.type, OpenArrayType)
                if root is not None and by_name:
                    yield root


class _Change:
    """Of the statements of one owner."""

    def __init__(self, diagnostics: Diagnostics, owner: Owner) -> None:
        self.diagnostics, self.owner = diagnostics, owner

    def initialisation(self, body: list[typed.Statement], alone: bool) -> bool:
        """Until the first process is created or called, nobody else is there: writes are as usual. False: one is."""
        for n, s in enumerate(body):
            begins = any(isinstance(x, typed.CreateProcess | typed.CallProcess) for x in statements([s]))
            if begins or not alone:
                rest = body[n:]
                self.body(rest)
                body[n:] = rest
                return False
            for x in statements([s]):
                self.expressions(x)
        return alone

    def body(self, body: list[typed.Statement]) -> None:
        found: list[typed.Statement] = []
        for s in body:
            self.expressions(s)
            for inner in bodies(s):
                self.body(inner)
            found += self.write(s) if isinstance(s, typed.Assign) else [s]
        body[:] = found

    def write(self, s: typed.Assign) -> list[typed.Statement]:
        writing = counterpart(s.target)
        if writing is None:
            return [s]
        if isinstance(s.target.type, ArrayType):
            self.report(s.target, "is written element by element", "assign to one element at a time")
        elif isinstance(self.owner, Process) and self.owner.is_procedure:
            self.report(s.target, "is not written by a PROCEDURE, for that takes two actions", "write it in a PROCESS")
        elif not all(self.stays(e) for e in indices_of(s.target)):
            self.report(s.target, "is written at an index that may change before the write ends", INDEX)
        one = typed.Constant(s.span, UINT8, 1)
        begin, end = (typed.Step(s.span, writing, one, down) for down in (False, True))
        return [s, begin, typed.Reschedule(s.span), end]

    def stays(self, index: typed.Expr) -> bool:
        """While its process does nothing."""
        own = (VariableKind.LOCAL, VariableKind.VALUE)
        for e in subexpressions(index):
            if isinstance(e, typed.VariableRef) and not (e.variable.owner is self.owner and e.variable.kind in own):
                return False
            if isinstance(e, typed.CallFunction | typed.FunctionCall | typed.Overlapped):
                return False
        return True

    # --- reads

    def expressions(self, s: typed.Statement) -> None:
        """What it reads itself."""
        match s:
            case typed.Assign():
                s.value = self.read(s.value)
                self.indices(s.target)
                return
            case typed.Step() | typed.Include():
                self.no_place(s.target if isinstance(s, typed.Step) else s.set, "changed by INC, DEC, INCL or EXCL")
            case typed.ConsoleRead():
                self.no_place(s.target, "read into from the console")
            case typed.For():
                if s.variable.writing is not None:
                    self.report(typed.VariableRef(s.span, s.variable.type, s.variable), "is no variable of a FOR", LAST)
        self.parts(s)

    def parts(self, x: object) -> None:
        """Expressions in the fields of a statement, clause, argument or target, but for those of statements inside."""
        if isinstance(x, typed.Target):
            if x.designator is not None:
                self.no_place(x.designator, "received into")
            return
        for f in fields(x):  # type: ignore[arg-type]
            if f.name not in ("body", "otherwise"):
                setattr(x, f.name, self.part(getattr(x, f.name)))

    def part(self, value: object) -> object:
        match value:
            case typed.Expr():
                return self.read(value)
            case (
                typed.Argument() | typed.Target() | typed.Clause() | typed.Send() | typed.Receive() | typed.AfterEvent()
            ):
                self.parts(value)
            case tuple():
                return tuple(x if is_body(x) else self.part(x) for x in value)
            case list() if not is_body(value):
                value[:] = [self.part(x) for x in value]
        return value

    def read(self, e: typed.Expr) -> typed.Expr:
        if isinstance(e, typed.VariableRef | typed.FieldRef | typed.IndexRef):
            self.indices(e)
            writing = counterpart(e)
            if writing is None:
                return e
            if isinstance(e.type, ArrayType):
                self.report(e, "is read element by element", "copy or pass one element at a time")
                return e
            if any(reads_input(i) or any(map(has_input, subexpressions(i))) for i in indices_of(e)):
                self.report(e, "is read at an index that is an input itself", INDEX)
            return typed.Overlapped(e.span, e.type, e, writing)
        if isinstance(e, typed.SetConstructor):
            e.elements = [(self.read(low), None if high is None else self.read(high)) for low, high in e.elements]
            return e
        for f in fields(e):
            value = getattr(e, f.name)
            if isinstance(value, typed.Expr | list):
                setattr(e, f.name, self.part(value))
        return e

    def indices(self, e: typed.Expr) -> None:
        while isinstance(e, typed.FieldRef | typed.IndexRef):
            if isinstance(e, typed.IndexRef):
                e.index = self.read(e.index)
            e = e.base

    def no_place(self, e: typed.Expr, how: str) -> None:
        if counterpart(e) is not None:
            self.report(e, f"cannot be {how}, for a write takes two actions", LAST)

    def report(self, e: typed.Expr, what: str, instead: str) -> None:
        root = root_variable(e)
        assert root is not None
        note = Note(f"`{root.name}` is declared here, as NONATOMIC", root.span)
        self.diagnostics.report(CODE, e.span, f"`{root.name}` {what}", Note(instead), note)


def is_body(x: object) -> bool:
    return isinstance(x, list) and bool(x) and all(isinstance(s, typed.Statement) for s in x)


def has_input(e: typed.Expr) -> bool:
    return isinstance(e, typed.Overlapped | typed.CallFunction)


def indices_of(e: typed.Expr) -> list[typed.Expr]:
    found = []
    while isinstance(e, typed.FieldRef | typed.IndexRef):
        if isinstance(e, typed.IndexRef):
            found.append(e.index)
        e = e.base
    return found


def counterpart(e: typed.Expr) -> typed.Expr | None:
    """The counter of the writes that are under way there. None: they are atomic."""
    if isinstance(e, typed.VariableRef):
        writing = e.variable.writing
        return None if writing is None else typed.VariableRef(e.span, writing.type, writing)
    if isinstance(e, typed.IndexRef):
        base = counterpart(e.base)
        if base is None or not isinstance(base.type, ArrayType):
            return None
        return typed.IndexRef(e.span, base.type.element, base, e.index)
    return None
