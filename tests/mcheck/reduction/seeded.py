"""Faults that are put into the reductions while a test runs, so that the tests can show that they would see them.

    with seeded(Fault.PROVISO):
        ...  # the checker, with this fault

What ships is not touched and knows nothing of this: functions of it are replaced, and of the engine a copy is changed.
"""

from __future__ import annotations

import ctypes
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from enum import Enum
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

from lfc.actions.model.machine import Machine
from lfc.mcheck import check
from lfc.mcheck.engine import library as engine_library
from lfc.mcheck.model import footprints, local_states
from lfc.mcheck.model import transitions as action_steps
from lfc.mcheck.model.environment import Answers
from lfc.mcheck.model.footprints import Footprints
from lfc.mcheck.model.transitions import Step
from lfc.mcheck.reduction import chains
from lfc.mcheck.reduction.dead_variables.use_and_kill import BodyBytes
from lfc.mcheck.reduction.por import cycle_proviso as cycle_breakers
from lfc.mcheck.reduction.por import fairness as fair_orders
from lfc.mcheck.reduction.por import partial_order as reductions
from lfc.mcheck.reduction.por import visibility as visible
from lfc.mcheck.reduction.slicing import merging
from lfc.mcheck.reduction.slicing.dependence import _Slicer
from lfc.mcheck.reduction.slicing.lift_trace import FullWay
from lfc.mcheck.reduction.symmetry import scalarsets as names
from lfc.mcheck.reduction.symmetry import symmetry
from lfc.mcheck.reduction.symmetry.scalarset_flow import Reader
from lfc.semantics.model import typed
from lfc.toolchain import c_library

Replaced = tuple[object, str, object]  # of what, which name, by what


class Fault(Enum):
    """What is left out."""

    PROVISO = "nothing breaks cycles"
    DEPENDENCY = "actions write nothing"
    VISIBILITY = "no action changes what is asked"
    FAIRNESS = "whoever stays ready for ever may act in the place of others, whomever it lets go"
    FLAGS = "a flag keeps its value"
    DECIDED = "what decides nothing decides against"
    NEEDS = "what lies on some way lies on every way"
    BESIDE = "nothing is attempted together with something else"
    GIFTS = "no port comes in a message"
    ENTANGLED = "no attempt touches what is shared"
    ANSWERS = "nobody answers within actions"
    TOUCHED = "answers touch nothing"
    PASSED = "an answer brings nobody back to where he waits"
    RAISED = "interrupts let nobody go"
    LIVENESS = "conditions read nothing: what dies"
    CONTROL = "conditions read nothing: what stays in a slice"
    PARTNER = "nobody who receives what matters needs a partner"
    SEEN = "what a process does, only it sees"
    LIFTED = "each error of a slice is one of the program"
    COUNTS = "what counts may fall"
    CHAIN = "no chain ends, and of one that is too long no state is kept"
    LOOKED_AT = "no action that is passed changes what an invariant asks"
    REFERENCES = "a waiting process holds nothing"
    APART = "no property tells instances apart"
    NAMES = "a number that is computed with is a name"
    ORDER = "what is put in order is compared for equality"
    CONSTANTS = "names are constants of the program, too"
    SETTLED = "names are exchanged before they have been given out"


@contextmanager
def seeded(fault: Fault | None) -> Iterator[None]:
    with ExitStack() as stack:
        for of, name, by in replaced(fault) if fault is not None else ():
            stack.enter_context(patch.object(of, name, by))
        yield


def replaced(fault: Fault) -> Sequence[Replaced]:
    match fault:
        case Fault.PROVISO:
            return [(cycle_breakers, "cycle_breakers", nothing)]
        case Fault.DEPENDENCY:
            return [with_steps(lambda step: step.writes.clear())]
        case Fault.VISIBILITY:
            return [(visible, "visible_positions", nothing)]
        case Fault.FAIRNESS:
            return [(fair_orders, "positions_of_fairness", nothing)]
        case Fault.FLAGS:
            return [(local_states, "after_statements", lambda block, values, flags: values)]
        case Fault.DECIDED:
            return [(local_states, "possible_targets", lambda block, known: follow(block, known)[-1:])]
        case Fault.NEEDS:
            return [(local_states.LocalStates, "before", on_some_way)]
        case Fault.BESIDE:
            return [(reductions, "filled", lambda f, bound: fill(replace(f, later_beside=0), bound))]
        case Fault.GIFTS:
            return [(footprints, "Footprints", WithoutGifts)]
        case Fault.ENTANGLED:
            return [(Footprints, "_touches_shared", lambda *_: False)]
        case Fault.ANSWERS:
            return [(action_steps, "Answers", answers_of_nobody)]
        case Fault.TOUCHED:
            return [with_steps(touches_nothing)]
        case Fault.PASSED:
            return [with_steps(lambda step: step.answered.clear())]
        case Fault.RAISED:
            return [with_steps(lets_nobody_go)]
        case Fault.LIVENESS:
            return [(BodyBytes, "condition", lambda *_: 0)]
        case Fault.CONTROL:
            return [(_Slicer, "_condition", nothing)]
        case Fault.PARTNER:
            return [(_Slicer, "_receives", lambda *_: False)]
        case Fault.SEEN:
            return [(merging, "is_its_own", lambda *_: True)]
        case Fault.LIFTED:
            return [(FullWay, "find", lambda self: self.finding)]
        case Fault.COUNTS:
            return [(engine_library, "library", lambda wide=False: engine_with("partial_order.c", FALLS, STAYS, wide))]
        case Fault.CHAIN:
            return [(chains, "breakers_of", nothing), (engine_library, "library", forgetful_engine)]
        case Fault.LOOKED_AT:
            return [(chains, "looked_at", nothing)]
        case Fault.REFERENCES:
            return [(symmetry, "places_in_frame", places_of_nobody_waiting)]
        case Fault.APART:
            return [(check, "without_which", lambda _: {})]
        case Fault.NAMES:
            return [(names, "first_use", lambda *_: {})]
        case Fault.ORDER:
            return [(Reader, "use", use_as_equal)]
        case Fault.CONSTANTS:
            return [(names, "exchanged_numbers", all_numbers)]
        case Fault.SETTLED:
            return [(names, "settled_at", lambda start, *_: {id(p): True for p in start.positions})]


fill = reductions.filled
follow = local_states.possible_targets


def on_some_way(self: Any, at: Any) -> dict[Any, frozenset[Any]]:
    ahead = self.ahead(at)
    spoken = {here: frozenset(s for _, s in self._of(here)[2] if s is not None) for here in ahead}
    everything = frozenset(s for found in spoken.values() for s in found)
    return {here: frozenset() if here == at else everything for here in ahead}


def nothing(*_: object) -> set[Any]:
    return set()


# --- steps, of which footprints are made


def with_steps(change: Callable[[Step], None]) -> Replaced:
    make = action_steps.steps_of

    def steps_of(machine: Machine) -> object:
        steps, numbers = make(machine)
        for step in steps.values():
            change(step)
        return steps, numbers

    return reductions, "steps_of", steps_of


def touches_nothing(step: Step) -> None:
    if step.answers:
        step.reads.clear()
        step.writes.clear()


def lets_nobody_go(step: Step) -> None:
    step.gives -= {s for s in step.gives if isinstance(s.of, int)}


make_answers = Answers


def answers_of_nobody(_: Machine, table: Any) -> object:
    return make_answers(cast(Machine, SimpleNamespace(environment=None)), table)


class WithoutGifts(Footprints):
    def __init__(self, *of: Any) -> None:
        super().__init__(*of)
        for moves in self.flow.moves.values():
            moves.assigned = [a for a in moves.assigned if not a.any]


# --- symmetry

make_places, use, make_numbers = symmetry.places_in_frame, Reader.use, names.exchanged_numbers


def places_of_nobody_waiting(position: Any, *more: Any) -> object:
    return make_places(replace(position, point=None), *more)


def use_as_equal(self: Reader, e: typed.Expr, what: str) -> None:
    use(self, replace(e, op="=") if isinstance(e, typed.Relation) else e, what)


def all_numbers(classes: Any, flow: Any, top: Any) -> object:
    return make_numbers(classes, replace(flow, constants=[]), top)


# --- the engine

VISITS = "        enough = !visit(w, s, context);\n"
FORGETS = "        if (!s->fault && s->passed == options_of(w->space)->longest) continue;\n"


FALLS, STAYS = "return x.counts_down || (x.leaves", "return (x.leaves"


def forgetful_engine(wide: bool = False) -> ctypes.CDLL:
    """Of a chain that is too long no state is visited."""
    return engine_with("chains.c", VISITS, FORGETS + VISITS, wide)


@cache
def engine_with(file: str, text: str, other: str, wide: bool) -> ctypes.CDLL:
    """One in which a file has another text in one place."""
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        copy = Path(folder) / "engine"
        shutil.copytree(engine_library.FOLDER, copy)
        [found] = copy.rglob(file)
        before = found.read_text()
        assert before.count(text) == 1
        found.write_text(before.replace(text, other))
        include = (copy, engine_library.CORES)
        flags = (*c_library.FLAGS, "-O0")  # what is tried with it is small: most of the time goes to the compiler
        places = patch.multiple(engine_library, FOLDER=copy, INCLUDE=include)
        with places, patch.object(c_library, "FLAGS", flags):
            return engine_library._library.__wrapped__(wide)
