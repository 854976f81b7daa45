"""What the checks share: who accesses what, who calls and creates whom, what calls lead to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from lfc.base.library_folder import LIBRARY
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Fix, Note
from lfc.semantics.checks.accesses import READS, WRITES, Access, Kind, accesses
from lfc.semantics.checks.flow import Flow, Waiting, is_scheduling_point
from lfc.semantics.model import typed
from lfc.semantics.model.visit import reads_clock, reads_input, root_variable, statements, subexpressions

Owner = typed.Module | typed.Process


@dataclass(slots=True)
class Body:
    """The statements of a module or process, gathered once."""

    owner: Owner
    statements: list[typed.Statement]  # with those inside of others
    accesses: list[Access]
    calls: list[typed.CallProcess]
    creates: list[typed.CreateProcess]
    schedules: bool  # has a scheduling point of its own

    @property
    def started(self) -> list[typed.Process]:
        """What it calls and creates."""
        return [s.process for s in self.calls] + [s.process for s in self.creates]


@dataclass(slots=True)
class Effects:
    """What a call may do to what outlives it: module variables, VAR parameters, variables of enclosing processes."""

    reads: set[typed.Variable] = field(default_factory=set)
    writes: set[typed.Variable] = field(default_factory=set)
    reads_input: bool = False
    reads_clock: bool = False
    creates: bool = False
    schedules: bool = False

    @property
    def measure(self) -> tuple[int, ...]:
        """Grows with every addition."""
        return len(self.reads), len(self.writes), self.reads_input, self.reads_clock, self.creates, self.schedules


class Facts:
    def __init__(self, program: typed.Program) -> None:
        self.program = program
        self.processes = program.all_processes()
        self.property_processes = list(_property_processes(program))
        everyone = self.processes + self.property_processes
        self.bodies: dict[Owner, Body] = {m: gather(m) for m in program.modules}
        self.functions = program.all_functions()
        self.bodies.update({p: gather(p) for p in [*everyone, *self.functions]})
        self.callers = self._callers()
        self.flow = Flow(everyone, self.callers)
        self.effects = self._effects_of_calls(everyone)
        self.formula_reads = [
            e.variable
            for m in program.modules
            for p in m.properties
            if p.formula is not None
            for e in subexpressions(p.formula)
            if isinstance(e, typed.VariableRef | typed.SlotVariable)
        ]
        self.reachable = self._reachable()
        self.aliases = self._aliases()

    def _callers(self) -> dict[typed.Process, dict[typed.Process, None]]:
        callers: dict[typed.Process, dict[typed.Process, None]] = {}
        for owner, body in self.bodies.items():
            if isinstance(owner, typed.Process):
                for call in body.calls:
                    callers.setdefault(call.process, {})[owner] = None
        return callers

    def _effects_of_calls(self, processes: list[typed.Process]) -> dict[typed.Process, Effects]:
        effects = {p: self._own_effects(p) for p in processes}
        waiting = Waiting(processes, self.callers)
        for p in waiting:
            mine = effects[p]
            before = mine.measure
            for call in self.bodies[p].calls:
                reads, writes = self.effects_of_call(call, effects)
                mine.reads.update(v for v in reads if outlives(v, p))
                mine.writes.update(v for v in writes if outlives(v, p))
                callee = effects.get(call.process)
                if callee is not None:
                    mine.reads_input |= callee.reads_input
                    mine.reads_clock |= callee.reads_clock
                    mine.creates |= callee.creates
                    mine.schedules |= callee.schedules
            if mine.measure != before:
                waiting.changed(p)
        return effects

    def _own_effects(self, process: typed.Process) -> Effects:
        body = self.bodies[process]
        if process.external:  # its text is not known
            changed = {f for f in process.formals if f.kind is typed.VariableKind.VAR}
            return Effects(set(changed), changed, reads_input=True)
        found = Effects(creates=bool(body.creates), schedules=body.schedules)
        for a in body.accesses:
            if outlives(a.variable, process):
                if a.kind in READS or a.kind is Kind.STEP:
                    found.reads.add(a.variable)
                if a.kind in WRITES:
                    found.writes.add(a.variable)
        found.reads_input = any(reads_input(e) for s in body.statements for e in _conditions(s))
        found.reads_clock = any(reads_clock(e) for s in body.statements for e in _conditions(s))
        return found

    def effects_of_call(
        self,
        call: typed.CallProcess | typed.CreateProcess,
        effects: dict[typed.Process, Effects] | None = None,
    ) -> tuple[set[typed.Variable], set[typed.Variable]]:
        """What the callee reads and writes, in terms of the caller's variables."""
        callee = (self.effects if effects is None else effects).get(call.process)
        if callee is None:
            return set(), set()
        reads, writes = set(callee.reads), set(callee.writes)
        for argument in call.arguments:
            if argument.formal.kind is not typed.VariableKind.VAR:
                continue
            root = root_variable(argument.value)
            for found in (reads, writes):
                if argument.formal in found:
                    found.discard(argument.formal)
                    if root is not None:
                        found.add(root)
        return reads, writes

    def _aliases(self) -> dict[typed.Variable, set[typed.Variable]]:
        """What each VAR parameter can stand for."""
        found: dict[typed.Variable, set[typed.Variable]] = {}
        passed: list[tuple[typed.Variable, typed.Variable]] = []  # formal, what is passed
        for body in self.bodies.values():
            for access in body.accesses:
                if access.kind is Kind.ARGUMENT and access.formal is not None:
                    passed.append((access.formal, access.variable))
                    found.setdefault(access.formal, set()).add(access.variable)
        changed = True
        while changed:
            changed = False
            for formal, variable in passed:
                more = found.get(variable, set()) - found[formal]
                if more:
                    found[formal] |= more
                    changed = True
        return found

    def _reachable(self) -> set[Owner]:
        """What can run: from the modules' bodies, and from what a module without a body exports."""
        found: set[Owner] = set()
        waiting: list[Owner] = [*self.program.modules, *self.property_processes]
        waiting.extend(w.handler for m in self.program.modules for w in m.watches)
        if self.is_library_like(self.program.main):
            waiting.extend(p for p in self.program.main.processes if p.exported)
        while waiting:
            owner = waiting.pop()
            if owner in found or owner not in self.bodies:
                continue
            found.add(owner)
            body = self.bodies[owner]
            waiting.extend(body.started)
        return found

    def is_library_like(self, module: typed.Module) -> bool:
        """Whether others may import it to use what it exports."""
        return not module.body or module is not self.program.main

    def report(
        self, diagnostics: Diagnostics, code: str, span: Span, message: str, *notes: Note, fix: Fix | None = None
    ) -> None:
        """What is wrong in the library is not the user's to mend, unless it is the library that is checked."""
        source = span.source
        if source is self.program.main.source or not in_library(source):
            diagnostics.report(code, span, message, *notes, fix=fix)


def gather(owner: Owner) -> Body:
    found = list(statements(owner.body))
    return Body(
        owner,
        found,
        [a for s in found for a in accesses(s)],
        [s for s in found if isinstance(s, typed.CallProcess)],
        [s for s in found if isinstance(s, typed.CreateProcess)],
        any(is_scheduling_point(s) for s in found),
    )


def outlives(variable: typed.Variable, process: typed.Process) -> bool:
    """Whether what is done to the variable can be seen after a call of the process."""
    return variable.kind is typed.VariableKind.VAR or variable.owner is not process


def _property_processes(program: typed.Program) -> Iterator[typed.Process]:
    waiting = [p.process for m in program.modules for p in m.properties if p.process is not None]
    while waiting:
        process = waiting.pop()
        yield process
        waiting.extend(process.nested)


def _conditions(s: typed.Statement) -> Iterator[typed.Expr]:
    match s:
        case typed.Assign():
            yield s.value
        case typed.If():
            yield from (condition for condition, _ in s.branches)
        case typed.While():
            yield s.condition
        case typed.Repeat():
            yield s.until
        case typed.Case():
            yield s.selector


def in_library(source: Source) -> bool:
    try:
        return Path(source.path).resolve().is_relative_to(LIBRARY)
    except (OSError, ValueError):
        return False
