"""Which FOR loops count by themselves: what they do comes to an end after as many rounds as their bounds say."""

from __future__ import annotations

from collections.abc import Iterable, Set

from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.visit import COMPUTING, expressions_of, root_variable, statements, subexpressions

NOBODY: frozenset[Variable] = frozenset()


def is_counted(loop: typed.For, by_others: Set[Variable] = NOBODY) -> bool:
    """Whether only the FOR itself changes its variable while it lasts. Said only where it is certain. `by_others`: what
    `changed_by_others` gives."""
    v = loop.variable
    if v.kind is VariableKind.VAR or v.outside or v in by_others or sets_back(loop):
        return False
    return isinstance(v.owner, Process) or not any(others_may_act(s) for s in statements(loop.body))


def others_may_act(s: typed.Statement) -> bool:
    calls = any(isinstance(e, typed.CallFunction) for whole in expressions_of(s) for e in subexpressions(whole))
    return calls or not isinstance(s, COMPUTING)


def sets_back(loop: typed.For) -> bool:
    """Whether its body changes its variable, by itself or where it passes it on."""
    for s in statements(loop.body):
        if isinstance(s, typed.For) and s.variable is loop.variable:
            return True
        if any(root_variable(t) is loop.variable for t in changed_in(s)):
            return True
    return False


def changed_in(s: typed.Statement) -> list[typed.Expr]:
    """What one statement changes by itself, but for what a FOR counts with."""
    match s:
        case typed.Assign() | typed.Step() | typed.ConsoleRead():
            return [s.target]
        case typed.Receive():
            return received(s)
        case typed.CallProcess() | typed.CreateProcess():
            return [a.value for a in s.arguments if a.formal.kind is VariableKind.VAR]
        case typed.Select():
            return [
                e for clause in s.clauses if isinstance(clause.event, typed.Receive) for e in received(clause.event)
            ]
    return []


def received(event: typed.Receive) -> list[typed.Expr]:
    return [t.designator for t in event.targets if t.designator is not None]


def changed_by_others(owners: Iterable[typed.Module | Process]) -> set[Variable]:
    """Variables of processes that processes inside them change."""
    found = set[Variable]()
    for owner in owners:
        for s in statements(owner.body):
            counts = [s.variable] if isinstance(s, typed.For) else []
            changed = [*counts, *(root_variable(e) for e in changed_in(s))]
            found |= {v for v in changed if v is not None and isinstance(v.owner, Process) and v.owner is not owner}
    return found
