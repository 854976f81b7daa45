"""Where in the initialisation of the program its environment is initialised.

Hardware is there before the program touches it: the environment's initialisation comes before the first statement of a
module's body that may access a port or reach a scheduling point, by itself or by calls, or return; at the end if there
is none.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.model.reach import is_point
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Process
from lfc.semantics.model.visit import expressions_of, statements, subexpressions


def first_touch(modules: Sequence[Module]) -> typed.Statement | None:
    """The statement that the environment's initialisation comes before; None: it comes last."""
    known: dict[Process, bool] = {}
    for module in modules:
        for s in module.body:
            if _touches([s], known) or any(isinstance(inner, typed.Return) for inner in statements([s])):
                return s
    return None


def _touches(body: Sequence[typed.Statement], known: dict[Process, bool]) -> bool:
    for s in statements(body):
        if is_point(s) or isinstance(s, typed.PortOut):
            return True
        if any(_accesses_port(e) for outer in expressions_of(s) for e in subexpressions(outer)):
            return True
        if isinstance(s, typed.CallProcess):
            if s.process not in known:
                known[s.process] = False  # while it is looked at: a cycle of calls touches what one of them touches
                known[s.process] = _touches(s.process.body, known)
            if known[s.process]:
                return True
    return False


def _accesses_port(e: typed.Expr) -> bool:
    if isinstance(e, typed.FunctionCall):
        return e.name.startswith("PORTIN")
    return isinstance(e, typed.VariableRef) and e.variable.address is not None
