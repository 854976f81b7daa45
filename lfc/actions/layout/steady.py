"""Which ports and targets are steady, so that a waiting process need not say again where they are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lfc.actions.model.machine import Body
from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Process, Variable, VariableKind
from lfc.semantics.model.types import OpenArrayType, is_port
from lfc.semantics.model.visit import bodies, statements


def steady_module_ports(modules: Iterable[Module], processes: Iterable[Process]) -> set[Variable]:
    """Module ports (no arrays) that are set at one place in the text only: a NEW outside of any loop in the
    initialisation. Once set they never change."""
    modules = list(modules)
    places: dict[Variable, int] = {}
    for body in [m.body for m in modules] + [p.body for p in processes]:
        for s in statements(body):
            for access in accesses(s):
                if access.kind in WRITES or access.kind is Kind.ARGUMENT:
                    places[access.variable] = places.get(access.variable, 0) + 1
    return {
        port.variable
        for m in modules
        for port in _news_outside_of_loops(m.body)
        if isinstance(port, typed.VariableRef)
        and isinstance(port.variable.owner, Module)
        and is_port(port.type)
        and places[port.variable] == 1
    }


def _news_outside_of_loops(body: Sequence[typed.Statement]) -> list[typed.Expr]:
    found: list[typed.Expr] = []
    for s in body:
        if isinstance(s, typed.New):
            found.append(s.port)
        if not isinstance(s, typed.While | typed.Repeat | typed.For | typed.Loop):
            for inner in bodies(s):
                found += _news_outside_of_loops(inner)
    return found


def is_steady_port(port: typed.Expr, body: Body, module_ports: set[Variable]) -> bool:
    """Also true of SYSTEM's own, which have no channel number."""
    if isinstance(port, typed.InterruptPort | typed.IoPort):
        return True
    if isinstance(port, typed.VariableRef) and port.variable in module_ports:
        return True
    return _is_in_own_frame(port, body)


def is_steady_target(target: typed.Target, body: Body) -> bool:
    """Its place in the frame or in the block is constant; so is that of a constant and of a device register."""
    if target.designator is None:
        return True
    root = _root_at_constant_place(target.designator)
    if root is None:
        return _is_register(target.designator)
    if root.variable.address is not None or isinstance(root.variable.owner, Module):
        return True
    return _is_in_own_frame(target.designator, body)


def _is_in_own_frame(designator: typed.Expr, body: Body) -> bool:
    root = _root_at_constant_place(designator)
    return (
        root is not None
        and root.variable.kind is not VariableKind.VAR
        and body.process is not None
        and root.variable.owner is body.process
        and root.variable.address is None
    )


def _root_at_constant_place(designator: typed.Expr) -> typed.VariableRef | None:
    """Fields and constant indices have a constant place; an open array's elements lie elsewhere."""
    while not isinstance(designator, typed.VariableRef):
        if isinstance(designator, typed.FieldRef):
            designator = designator.base
        elif isinstance(designator, typed.IndexRef) and isinstance(designator.index, typed.Constant):
            designator = designator.base
        else:
            return None
    return None if isinstance(designator.type, OpenArrayType) else designator


def _is_register(designator: typed.Expr) -> bool:
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        designator = designator.base
    return isinstance(designator, typed.VariableRef) and designator.variable.address is not None
