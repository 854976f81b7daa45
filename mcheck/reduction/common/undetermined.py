"""Whether data can be left undetermined for a request: asked before anything of it is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.mcheck.request.world import Data, Time

if TYPE_CHECKING:
    from lfc.mcheck.reduction.common.reduction import Question


class NotPossible(Exception):
    """Says why data cannot be left undetermined."""


def why_not(question: Question) -> str:
    """Why it cannot be tried; empty: it can."""
    r = question.request
    if question.machine.monitors:
        return question.why_watched()
    if r.world.time is not Time.FREE:
        return "time is modelled (--time ordered, discrete)"
    if r.world.rate:
        return "events from outside are bounded (--rate)"
    if r.claims.only:
        return "a slice is searched (--for)"
    if r.image is not None and r.world.data is not Data.SYMBOLIC:
        return "the image is executed in every state (--image)"
    if not r.search.breadth_first or r.search.bounds.depth is not None:
        return "another search order is asked for (--search, --store, --depth)"
    if r.checkpoint.wanted:
        return "the search is saved (--checkpoint)"
    if r.details.report:
        return "a report of every state is asked for (--report)"
    return ""
