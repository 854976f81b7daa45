"""LF0707: module variables that more than one concurrent process uses; `shared_variables` lists them for tools.

The initialisation counts only for what it does after others may have run: past a scheduling point after a CREATE.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.bounds import instance_bounds
from lfc.semantics.checks.accesses import READS, WRITES, Kind, accesses
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.flow import is_scheduling_point
from lfc.semantics.model import typed
from lfc.semantics.model.visit import bodies, deep_stack


@dataclass(slots=True)
class Accessor:
    """A concurrent process that uses a variable, itself or in what it calls."""

    process: typed.Process | None  # None: the initialisation of the modules
    several: bool  # more than one instance of it can live at once

    @property
    def name(self) -> str:
        if self.process is None:
            return "the initialisation"
        return f"`{self.process.name}`" + (" (several instances)" if self.several else "")


@dataclass(slots=True)
class SharedVariable:
    variable: typed.Variable
    readers: list[Accessor] = field(default_factory=list)
    writers: list[Accessor] = field(default_factory=list)

    @property
    def is_shared(self) -> bool:
        accessors = {a.process: a for a in [*self.readers, *self.writers]}
        return len(accessors) > 1 or any(a.several for a in accessors.values())


def shared_variables(program: typed.Program, facts: Facts | None = None) -> list[SharedVariable]:
    """Every module variable that more than one concurrent process uses, in the order of the text.

    One without writers was set before the others were created, and is no danger."""
    if facts is None:
        with deep_stack():
            return shared_variables(program, Facts(program))
    found: dict[typed.Variable, SharedVariable] = {}

    def record(accessor: Accessor, reads: Iterable[typed.Variable], writes: Iterable[typed.Variable]) -> None:
        for variables, name in ((reads, "readers"), (writes, "writers")):
            for variable in variables:
                if variable.kind is typed.VariableKind.MODULE:
                    accessors: list[Accessor] = getattr(found.setdefault(variable, SharedVariable(variable)), name)
                    if all(a.process is not accessor.process for a in accessors):
                        accessors.append(accessor)

    late = LateInitialisation(facts)
    for module in program.modules:
        late.follow(module.body)
    record(Accessor(None, several=False), late.reads, late.writes)

    bounds = instance_bounds(program)
    for body in facts.bodies.values():
        if body.owner in facts.reachable:
            for create in body.creates:
                bound = bounds.get(create.process)
                reads, writes = facts.effects_of_call(create)
                record(Accessor(create.process, bound is not None and bound.max_instances > 1), reads, writes)
    return [
        found[variable]
        for m in program.modules
        for variable in m.variables
        if variable in found and found[variable].is_shared
    ]


class LateInitialisation:
    """What the initialisation reads and writes when processes that it created may already have run."""

    ALONE, CREATED, AMONG_OTHERS = range(3)

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.state = self.ALONE
        self.reads: set[typed.Variable] = set()
        self.writes: set[typed.Variable] = set()

    def follow(self, body: Sequence[typed.Statement]) -> None:
        for statement in body:
            self._pass(statement)

    def _pass(self, s: typed.Statement) -> None:
        if self.state and is_scheduling_point(s):
            self.state = self.AMONG_OTHERS
        if self.state == self.AMONG_OTHERS:
            for access in accesses(s):
                if access.kind in READS or access.kind is Kind.STEP:
                    self.reads.add(access.variable)
                if access.kind in WRITES:
                    self.writes.add(access.variable)
        if isinstance(s, typed.CreateProcess):
            self.state = max(self.state, self.CREATED)
        elif isinstance(s, typed.CallProcess):
            self._call(s)
        else:
            before, after = self.state, self.state
            again = isinstance(s, typed.While | typed.Repeat | typed.For | typed.Loop)
            for inner in bodies(s):
                self.state = before
                self.follow(inner)
                if again and self.state > before:  # else the second round is like the first
                    self.follow(inner)
                after = max(after, self.state)
            self.state = after

    def _call(self, call: typed.CallProcess) -> None:
        effects = self.facts.effects.get(call.process)
        if effects is None:
            return
        if effects.creates:
            self.state = max(self.state, self.CREATED)
        if effects.schedules and self.state:
            self.state = self.AMONG_OTHERS
        if self.state == self.AMONG_OTHERS:
            reads, writes = self.facts.effects_of_call(call)
            self.reads |= reads
            self.writes |= writes


def check_shared_variables(shared: list[SharedVariable], facts: Facts, diagnostics: Diagnostics) -> None:
    for s in shared:
        if s.writers:
            facts.report(
                diagnostics,
                "LF0707",
                s.variable.span,
                f"`{s.variable.name}` is shared by processes that run concurrently",
                Note(f"read by {_names(s.readers)}; written by {_names(s.writers)}"),
            )


def _names(accessors: list[Accessor]) -> str:
    return ", ".join(a.name for a in accessors) or "none"
