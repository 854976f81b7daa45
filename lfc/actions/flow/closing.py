"""Closes nested processes: what they use of enclosing ones becomes hidden formals, passed on by every call."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from typing import Any, TypeVar

from lfc.semantics.checks.accesses import accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, Variable, VariableKind
from lfc.semantics.model.types import OpenArrayType
from lfc.semantics.model.visit import statements

Node = TypeVar("Node")
Hidden = dict[Variable, Variable]


def hidden_formals(processes: Iterable[Process]) -> dict[Process, Hidden]:
    """For each process the variables of enclosing processes that it or what it calls uses, with their stand-ins. The
    order is that of declaration: outer processes first, formals before locals."""
    free = {p: _free_variables(p) for p in processes}
    callees = {
        p: [s.process for s in statements(p.body) if isinstance(s, typed.CallProcess) and s.process in free]
        for p in free
    }
    changed = True
    while changed:
        changed = False
        for p in free:
            passed_on = {v for q in callees[p] for v in free[q] if v.owner is not p}
            if not passed_on <= free[p]:
                free[p] |= passed_on
                changed = True
    return {p: {v: _stand_in(v, p) for v in _in_order_of_declaration(p, free[p])} for p in free}


def _free_variables(process: Process) -> set[Variable]:
    """A device register is no variable of the activation: it needs no stand-in."""
    return {
        access.variable
        for s in statements(process.body)
        for access in accesses(s)
        if isinstance(access.variable.owner, Process)
        and access.variable.owner is not process
        and access.variable.address is None
    }


def _in_order_of_declaration(process: Process, free: set[Variable]) -> list[Variable]:
    chain: list[Process] = []
    outer = process.parent
    while outer is not None:
        chain.insert(0, outer)
        outer = outer.parent
    return [v for p in chain for v in p.formals + p.locals if v in free]


def _stand_in(variable: Variable, process: Process) -> Variable:
    """An open array value parameter is passed on as what it is: where the array lies."""
    by_value = isinstance(variable.type, OpenArrayType) and variable.kind is VariableKind.VALUE
    kind = VariableKind.VALUE if by_value else VariableKind.VAR
    return Variable(variable.name, variable.type, kind, process, variable.span)


def hidden_arguments(callee: Hidden, caller: Hidden, call: typed.Statement) -> list[typed.Argument]:
    """What a call passes for the hidden formals: the caller's own variable, or its own stand-in."""
    return [
        typed.Argument(stand_in, typed.VariableRef(call.span, v.type, caller.get(v, v)))
        for v, stand_in in callee.items()
    ]


def with_stand_ins(node: Node, hidden: Hidden) -> Node:
    """A copy of a tree in which stand-ins replace the variables of enclosing processes."""
    if not hidden:
        return node
    copied: Any = _copied(node, hidden)
    result: Node = copied
    return result


def _copied(node: Any, hidden: Hidden) -> Any:
    if isinstance(node, Variable):
        return hidden.get(node, node)
    if isinstance(node, list):
        return [_copied(x, hidden) for x in node]
    if isinstance(node, typed.Argument):  # its formal is the callee's, which may be an enclosing process
        return typed.Argument(node.formal, _copied(node.value, hidden))
    if isinstance(node, tuple):
        return tuple(_copied(x, hidden) for x in node)
    if is_dataclass(node) and isinstance(node, typed.Expr | typed.Statement | typed.Target | typed.Clause):
        return type(node)(**{f.name: _copied(getattr(node, f.name), hidden) for f in fields(node)})
    return node
