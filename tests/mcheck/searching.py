"""A search with the reductions that its request names."""

from __future__ import annotations

from typing import Any

from lfc.actions.model.machine import Machine
from lfc.mcheck.engine.abi import WalkCounts
from lfc.mcheck.reduction.chains import ChainReduction
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.reduction.por.reduction import PartialOrderReduction
from lfc.mcheck.reduction.registry import MAKE, OF_SEARCHES
from lfc.mcheck.request.request import Request
from lfc.mcheck.search.search import Search
from lfc.mcheck.search.strategies.walk import Walk


def search_with(
    machine: Machine,
    request: Request,
    gives_up: int | None = None,
    chains_stop: tuple[int, int] | None = None,
    **of: Any,
) -> Search:
    """As far as they can be used. `gives_up`, `chains_stop`: after how many states `por` and `chains` do."""
    made = [MAKE[name]() for name in OF_SEARCHES if name in request.reductions]
    for reduction in made:
        if isinstance(reduction, PartialOrderReduction) and gives_up is not None:
            reduction.gives_up_after = gives_up
        if isinstance(reduction, ChainReduction) and chains_stop is not None:
            reduction.stop = chains_stop
    question = Question(machine, request)
    return Search(machine, request, [r for r in made if r.name == "chains" or not r.why_not(question)], **of)


def counts_of(search: Search) -> WalkCounts:
    """Of a search that is not breadth-first."""
    assert isinstance(search.exploration, Walk)
    return search.exploration.counts
