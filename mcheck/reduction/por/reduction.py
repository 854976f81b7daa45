"""Partial order reduction: of independent steps only some orders are searched (stubborn sets, Valmari 1990; persistent
sets, Godefroid 1996). For which programs and properties; what is said of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.description import outside_slots
from lfc.mcheck.model.fairness import Fair
from lfc.mcheck.model.transitions import raises_interrupts, simple_statements
from lfc.mcheck.reduction.common.reduction import Choice, Question, Reduction, Sampling, Stage
from lfc.mcheck.reduction.por.partial_order import PartialOrder
from lfc.mcheck.reduction.por.visibility import asked_by_processes
from lfc.mcheck.request.property import Watch, Watched
from lfc.mcheck.request.world import Time, World
from lfc.mcheck.search.search import Attachable, Attached, Search
from lfc.semantics.model import typed

GIVES_UP = 20_000  # after so many states of which it left out nothing
SAMPLE = 10_000  # states, unless it leaves something out there: who has nothing to do with others is mostly seen soon


class Orders(Attached):
    """Partial order reduction in one search."""

    shortest = False

    def __init__(self, search: Search, tables: PartialOrder) -> None:
        self._search, self.tables = search, tables
        tables.begin(search.engine, search.library)

    def did(self) -> int:
        return self._search.reduced_states

    def identity(self) -> object:
        return sorted(self.tables.bound)


class PartialOrderReduction(Reduction):
    name = "por"
    sampling = Sampling(Stage.ALONE, first=SAMPLE, promises=lambda search, _: search.reduced_states > 0)

    def __init__(self, gives_up_after: int = GIVES_UP) -> None:
        """`gives_up_after`: so many states of which it left out nothing; 0: never."""
        self.gives_up_after = gives_up_after
        self._asked: list[typed.Expr] | None = None  # what properties ask that are looked for with it; None: all
        self._fair: Sequence[Fair] = ()  # who is treated fairly there

    def why_not(self, question: Question) -> str:
        why = why_no_orders(question.machine, question.request.world) or question.why_steps_count()
        saved = question.request.checkpoint.wanted  # ranks are not saved
        return why or ("a saved search explores all orders of steps" if saved else "")

    def not_for(self, question: Question) -> dict[str, str]:
        apart = counting_steps(question)
        looked_for = [w for w in question.watched.properties if w.of.name not in apart]
        self._asked = asked_by(looked_for, question.watched)
        self._fair = question.fair if looked_for else ()
        return apart

    def attach(self, search: Search, used: Sequence[Attachable]) -> Orders:
        model, ranked = search.model, not search.request.goes_by_states_alone
        gives_up = self.gives_up_after if ranked else 0

        def make() -> PartialOrder:
            asked = [*model.atoms, *asked_by_processes(model.watchers)] if self._asked is None else self._asked
            return PartialOrder(model.machine, model.description, asked, gives_up, self._fair, ranked)

        return Orders(search, model.cached((self.name, gives_up, ranked), make))

    def said(self, choice: Choice, states: str) -> str:
        return f"in {choice.told} of {states} only some processes' steps were explored{choice.apart}"


def why_no_orders(machine: Machine, world: World) -> str:
    """Why steps of its processes depend on each other beyond what is known; empty: they do not."""
    if world.rate:
        return "events from outside are counted between actions"
    if world.time != Time.FREE and any(outside_slots(machine)):
        return "time passes while environment processes are ready"
    if machine.environment is None:
        return ""
    blocks = {(body, block): None for body in machine.environment.bodies for block in body.blocks}
    if any(isinstance(s, typed.CreateProcess) for s in simple_statements(blocks)):
        return "processes of the environment create processes"
    return ""


def why_interwoven(machine: Machine) -> str:
    """Why an action may do more than its process and a partner do; empty if none does."""
    if machine.environment is not None:
        return "an environment answers within actions"
    if raises_interrupts(machine):
        return "processes raise interrupts"
    return ""


def counting_steps(q: Question) -> dict[str, str]:
    """Properties to which it may matter in which order steps come that have nothing to do with each other: what each
    does, by name."""
    timed = q.request.world.time != Time.FREE
    if q.fair and (timed or why_interwoven(q.machine)):
        why = "where time is counted" if timed else f"where {why_interwoven(q.machine)}"
        return {w.of.name: f"assumes fairness {why}" for w in q.watched.properties}
    if any(f.picks is not None for f in q.fair):
        return {w.of.name: "assumes fair choices" for w in q.watched.properties}
    return {
        w.of.name: "may count steps" if w.automaton is None else "counts steps"
        for w in q.watched.properties
        if not w.stutter_insensitive
    }


def asked_by(properties: Sequence[Watched], watched: Watch) -> list[typed.Expr]:
    """What they ask; nothing, if they are about which runs there are."""
    found: list[typed.Expr] = []
    for w in properties:
        found += [watched.atoms[n] for n in w.atoms]
        found += asked_by_processes([watched.watchers[w.watcher]] if w.automaton is None else [])
    return found
