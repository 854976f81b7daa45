"""Which NEW statements may have made the channel that a port holds, whatever the state: who can meet whom."""

from __future__ import annotations

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.analysis.statement_effects import holds_port
from lfc.actions.model.machine import Machine
from lfc.mcheck.model.indexed_effects import changes_by, statements_of
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.visit import root_variable

Sites = frozenset[int] | None  # of NEW statements, by identity; None: any channel


class ChannelSites:
    def __init__(self, machine: Machine) -> None:
        self.flows: list[tuple[Variable, Variable]] = []  # to, from
        self.found: dict[Variable, Sites] = {}
        for s in (s for body in machine.composed_bodies for s in statements_of(body)):
            self._look_at(s)
        changed = True
        while changed:
            changed = False
            for to, source in self.flows:
                joined = join(self.of_variable(to), self.of_variable(source))
                if joined != self.of_variable(to):
                    self.found[to] = joined
                    changed = True

    def of_variable(self, v: Variable) -> Sites:
        return None if v.outside else self.found.get(v, frozenset())

    def of_port(self, port: typed.Expr) -> Sites:
        root = root_variable(port)
        return None if root is None else self.of_variable(root)

    def _look_at(self, s: typed.Statement) -> None:
        if isinstance(s, typed.CallProcess | typed.CreateProcess):
            for argument in s.arguments:
                self._pass(argument)
            return
        for v, _ in changes_by(s):
            if not holds_port(v.type):
                continue
            source = root_variable(s.value) if isinstance(s, typed.Assign) else None
            if isinstance(s, typed.New):
                self.found[v] = join(self.of_variable(v), frozenset({id(s)}))
            elif source is not None:
                self.flows.append((v, source))
            elif not (isinstance(s, typed.Assign) and isinstance(s.value, typed.Constant)):
                self.found[v] = None

    def _pass(self, argument: typed.Argument) -> None:
        if not holds_port(argument.formal.type):
            return
        source = root_variable(argument.value)
        if source is None:
            self.found[argument.formal] = None
            return
        self.flows.append((argument.formal, source))
        if stands_for_another(argument.formal):
            self.flows.append((source, argument.formal))


def join(a: Sites, b: Sites) -> Sites:
    return None if a is None or b is None else a | b


def meet(a: Sites, b: Sites) -> bool:
    """May it be the same channel?"""
    return a is None or b is None or not a.isdisjoint(b)
