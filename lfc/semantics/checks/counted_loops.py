"""Which FOR loops count by themselves: what they do comes to an end after as many rounds as their bounds say."""

from __future__ import annotations

from collections.abc import Iterable, Set

from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.checks.flow import is_scheduling_point
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.visit import expressions_of, statements, subexpressions

NOBODY: frozenset[Variable] = frozenset()


def is_counted(loop: typed.For, by_others: Set[Variable] = NOBODY) -> bool:
    """Whether only the FOR itself changes its variable while it lasts. Said only where it is certain. `by_others`: what
    `changed_by_others` gives."""
    v = loop.variable
    if v.kind is VariableKind.VAR or v.outside or v in by_others:
        return False
    inside = list(statements(loop.body))
    if any(is_changed(v, s) for s in inside):
        return False
    return isinstance(v.owner, Process) or not any(others_may_act(s) for s in inside)


def is_changed(v: Variable, s: typed.Statement) -> bool:
    return any(a.variable is v and (a.kind in WRITES or a.kind is Kind.ARGUMENT) for a in accesses(s))


def others_may_act(s: typed.Statement) -> bool:
    if is_scheduling_point(s) or isinstance(s, typed.CallProcess | typed.CreateProcess):
        return True
    return any(isinstance(e, typed.CallFunction) for whole in expressions_of(s) for e in subexpressions(whole))


def changed_by_others(owners: Iterable[typed.Module | Process]) -> set[Variable]:
    """Variables of processes that processes inside them change."""
    return {
        a.variable
        for owner in owners
        for s in statements(owner.body)
        for a in accesses(s)
        if isinstance(a.variable.owner, Process) and a.variable.owner is not owner
        if a.kind in WRITES or a.kind is Kind.ARGUMENT
    }
