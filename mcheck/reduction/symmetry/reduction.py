"""Symmetry: of states that differ in slots, channels and names alone one is kept (scalarsets, Ip and Dill 1996). For
which programs; what is said of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lfc.mcheck.model.compiled_model import CompiledModel
from lfc.mcheck.reduction.common.reduction import Choice, Question, Reduction, Sampling, Stage
from lfc.mcheck.reduction.dead_variables.reduction import Dead
from lfc.mcheck.request.world import Time
from lfc.mcheck.search.search import Attachable, Attached, Search
from lfc.semantics.model.typed import Variable

if TYPE_CHECKING:
    from lfc.mcheck.reduction.symmetry.scalarsets import Names
    from lfc.mcheck.reduction.symmetry.symmetry import Symmetry


class Exchanged(Attached):
    """The reduction in one search."""

    exchanges = True

    def __init__(self, search: Search, tables: Symmetry) -> None:
        self._engine, self.tables = search.engine, tables
        self.notes = tables.notes
        tables.begin(search.engine, search.library)

    def did(self) -> int:
        """How many successors were kept as another state, which is like them."""
        return self.tables.moved(self._engine)

    def real_slot(self, slot: int) -> int:
        return self.tables.slot(self._engine, slot)

    def identity(self) -> object:
        return "symmetry"


class SymmetryReduction(Reduction):
    name = "sym"
    counts = "exchanged_states"
    exchanges = True
    sampling = Sampling(Stage.TOGETHER)

    def why_not(self, question: Question) -> str:
        return why_no_symmetry(question) or question.why_watched() or question.why_steps_count()

    def not_for(self, question: Question) -> dict[str, str]:
        if not question.watched.properties:
            return {}
        from lfc.mcheck.reduction.symmetry.asymmetric_properties import telling_apart

        return telling_apart(question.machine, question.watched, question.fair)

    def holds(self, model: CompiledModel) -> set[Variable]:
        return names_in(model).holders()

    def attach(self, search: Search, used: Sequence[Attachable]) -> Exchanged:
        """What is dead is no name: so after `Dead`."""
        from lfc.mcheck.reduction.symmetry.symmetry import Symmetry

        model, dead = search.model, search.find(Dead)
        reset = None if dead is None else dead.reset

        def make() -> Symmetry:
            return Symmetry(model.machine, model.description, names_in(model), model.atoms, reset)

        return Exchanged(search, model.cached((self.name, reset is not None), make))

    def said(self, choice: Choice, states: str) -> str:
        return f"{choice.told} times an equivalent (symmetric) state was already stored{choice.apart}"


def names_in(model: CompiledModel) -> Names:
    from lfc.mcheck.reduction.symmetry.scalarsets import names_of

    return model.cached("names", lambda: names_of(model.machine, model.atoms))


def why_no_symmetry(q: Question) -> str:
    """Why there is nothing that could be exchanged in a program, or it is not known; empty if there is."""
    machine = q.machine
    if not q.request.search.breadth_first:
        return "symmetry needs a breadth-first search"
    if q.request.world.time != Time.FREE:
        return "the remaining time of a wait belongs to a slot"
    if machine.environment is not None:
        return "an environment answers within actions"
    fixed = set(machine.constant_ports.values())
    if all(r.slots < 2 for r in machine.layout.records) and len(fixed) >= machine.layout.max_channels:
        return "no process has two instances, and every channel is distinct"
    return ""
