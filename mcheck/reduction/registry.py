"""Which reductions there are: a class each, whose room is entered when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lfc.mcheck.reduction.common.reduction import Choice, used
from lfc.mcheck.request.request import AUTO

if TYPE_CHECKING:
    from lfc.mcheck.reduction.common.reduction import Question, Reduction


def slicing() -> Reduction:
    from lfc.mcheck.reduction.slicing.reduction import Slicing

    return Slicing()


def partial_order() -> Reduction:
    from lfc.mcheck.reduction.por.reduction import PartialOrderReduction

    return PartialOrderReduction()


def dead_variables() -> Reduction:
    from lfc.mcheck.reduction.dead_variables.reduction import DeadVariables

    return DeadVariables()


def chains() -> Reduction:
    from lfc.mcheck.reduction.chains import ChainReduction

    return ChainReduction()


def symmetry() -> Reduction:
    from lfc.mcheck.reduction.symmetry.reduction import SymmetryReduction

    return SymmetryReduction()


OF_SEARCHES: dict[str, Callable[[], Reduction]] = {  # in the order in which they are attached
    "por": partial_order,
    "dead": dead_variables,
    "chains": chains,
    "sym": symmetry,
}
SLICE = "slice"  # another program is searched
MAKE = {SLICE: slicing, **OF_SEARCHES}
REDUCTIONS = tuple(MAKE)


def named_reductions(text: str) -> tuple[str, ...] | None:
    """`auto`, `all`, `none`, or names between commas; None: there is no such reduction."""
    names = [n.strip() for n in text.split(",")]
    if names == [AUTO]:
        return (AUTO,)
    if names in (["all"], ["none"]):
        return REDUCTIONS if names == ["all"] else ()
    return tuple(dict.fromkeys(names)) if all(n in REDUCTIONS for n in names) else None


def choices(question: Question, names: Sequence[str]) -> list[Choice]:
    """What the request makes of each of these."""
    if question.request.image is not None:
        return [Choice(MAKE[n](), "the image is executed in every state") for n in REDUCTIONS if n in names]
    made = [MAKE[n]() for n in REDUCTIONS if n in names]
    found = [Choice(r, r.why_not(question), not_for=r.not_for(question)) for r in made]
    if question.watched.properties and any(c.of.exchanges for c in used(found)):
        for c in used(found):  # the run that violates one is told step by step, with instances exchanged in each
            c.why_not = BESIDE_EXCHANGES if c.name == "chains" else ""
    return found


BESIDE_EXCHANGES = "with `sym` properties observe every state"


def in_order(choices: Sequence[Choice]) -> list[Reduction]:
    """As they are attached to a search."""
    return sorted((c.of for c in choices), key=lambda r: REDUCTIONS.index(r.name))


def without_which(choices: Sequence[Choice]) -> dict[str, frozenset[str]]:
    """Of each property that is not looked for with all that are used, by name: those that it is looked for without."""
    there = used(choices)
    apart = {name for c in there for name in c.not_for}
    return {name: frozenset(c.name for c in there if name in c.not_for) for name in apart}
