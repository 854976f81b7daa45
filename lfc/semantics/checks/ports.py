"""LF0701: ports that are used but were never set, by NEW, assignment, parameter or receive.

A module's port is judged by the whole program, a local one by the ways that lead to its use: certainly unset there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.accesses import Access, Kind, accesses
from lfc.semantics.checks.facts import Facts
from lfc.semantics.model import typed, types
from lfc.semantics.model.visit import bodies, root_variable, statements

SETS = frozenset({Kind.NEW, Kind.ASSIGN, Kind.RECEIVE, Kind.ARGUMENT})


def check_ports(facts: Facts, diagnostics: Diagnostics) -> None:
    _check_module_ports(facts, diagnostics)
    for owner in facts.bodies:
        if isinstance(owner, typed.Process):
            LocalPorts(facts, owner, diagnostics).follow(owner.body)


def _check_module_ports(facts: Facts, diagnostics: Diagnostics) -> None:
    main = facts.program.main
    is_set: set[typed.Variable] = set()
    uses: dict[typed.Variable, list[Access]] = {}
    for body in facts.bodies.values():
        for access in body.accesses:
            if access.variable.kind is typed.VariableKind.MODULE and holds_port(access.variable.type):
                if access.kind in SETS:
                    is_set.add(access.variable)
                elif is_use(access):
                    uses.setdefault(access.variable, []).append(access)
    for variable, accessed in uses.items():
        open_to_others = variable.exported and variable.owner is main and facts.is_library_like(main)
        if variable not in is_set and not open_to_others:
            _report(facts, accessed[0], f"port `{variable.name}` is used, but nothing ever sets it", diagnostics)


def is_use(access: Access) -> bool:
    if access.kind is Kind.ATTEMPT:
        return True
    return access.kind is Kind.PASS and access.formal is not None and types.is_port(access.formal.type)


def holds_port(t: types.Type) -> bool:
    if isinstance(t, types.RecordType):
        return any(holds_port(f.type) for f in t.fields)
    if isinstance(t, types.ArrayType):
        return holds_port(t.element)
    return isinstance(t, types.ChannelType)


def _report(facts: Facts, access: Access, message: str, diagnostics: Diagnostics) -> None:
    facts.report(
        diagnostics,
        "LF0701",
        access.span,
        message,
        Note(f"`NEW({access.variable.name})` makes a channel for it; using a port that was never set is a fault"),
    )


class LocalPorts:
    """Follows a process and knows which of its ports may be set by now; loops may have gone round before."""

    def __init__(self, facts: Facts, process: typed.Process, diagnostics: Diagnostics) -> None:
        self.facts = facts
        self.diagnostics = diagnostics
        self.candidates = {
            v
            for v in process.locals
            if v.kind is typed.VariableKind.LOCAL and holds_port(v.type) and v not in process.formals
        }
        # A nested process is not followed into where it is called: what it can set may be set from the start.
        self.maybe_set: set[typed.Variable] = {
            access.variable
            for nested in _all_nested(process)
            for access in facts.bodies[nested].accesses
            if access.kind in SETS and access.variable in self.candidates
        }
        self.reported: set[typed.Variable] = set()

    def follow(self, body: Sequence[typed.Statement]) -> None:
        if not self.candidates:
            return
        for statement in body:
            self._pass(statement)

    def _pass(self, s: typed.Statement) -> None:
        if isinstance(s, typed.While | typed.Repeat | typed.For | typed.Loop):
            for inner in statements(s.body):
                self._set(accesses(inner))
        if isinstance(s, typed.Select):
            self._select(s)
            return
        found = list(accesses(s))
        for access in found:
            self._use(access)
        self._set(found)
        self._branches(bodies(s))

    def _branches(self, branches: list[list[typed.Statement]]) -> None:
        before, after = set(self.maybe_set), set(self.maybe_set)
        for branch in branches:
            self.maybe_set = set(before)
            self.follow(branch)
            after |= self.maybe_set
        self.maybe_set = after

    def _select(self, s: typed.Select) -> None:
        for access in accesses(s):
            self._use(access)
        before, after = set(self.maybe_set), set(self.maybe_set)
        for clause in s.clauses:
            self.maybe_set = set(before)
            if isinstance(clause.event, typed.Receive):
                for target in clause.event.targets:
                    root = None if target.designator is None else root_variable(target.designator)
                    if root is not None:
                        self.maybe_set.add(root)
            self.follow(clause.body)
            after |= self.maybe_set
        self.maybe_set = set(before)
        self.follow(s.otherwise or [])
        self.maybe_set |= after

    def _set(self, found: Iterable[Access]) -> None:
        for access in found:
            if access.kind in SETS and access.variable in self.candidates:
                self.maybe_set.add(access.variable)

    def _use(self, access: Access) -> None:
        v = access.variable
        if v in self.candidates and is_use(access) and v not in self.maybe_set and v not in self.reported:
            self.reported.add(v)
            _report(
                self.facts, access, f"port `{v.name}` is used here, but it cannot have been set yet", self.diagnostics
            )


def _all_nested(process: typed.Process) -> list[typed.Process]:
    found: list[typed.Process] = []
    waiting = list(process.nested)
    while waiting:
        p = waiting.pop()
        found.append(p)
        waiting.extend(p.nested)
    return found
