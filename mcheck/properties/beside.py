"""Properties that are looked for beside the search of the states: with a small share of its states, now and then.

So what is violated soon is found although the states have no end; what holds is only known afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Collection

from lfc.mcheck.properties.emptiness import Found, How, Verdict
from lfc.mcheck.properties.product import MOST_MARKS, ProductSearch, has_lost_states
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.request.property import Watched
from lfc.mcheck.search.search import Search


class Beside:
    def __init__(self, question: Question, search: Search, apart: Collection[str], watched: Collection[str]) -> None:
        """`apart`: names of properties that the search leaves out too much for; `watched`: of those that it decides."""
        self._closed = not any(f.live for f in question.fair)
        self._how = How.NESTED if question.request.claims.nested else How.COMPONENTS
        self.search = search
        self.product = ProductSearch(question.machine, search, question.watched, question.fair)
        most = MOST_MARKS - 1 - len(question.fair)
        self.looked_for = [
            w for w in question.watched.properties if w.of.name not in {*apart, *watched} and w.sets <= most
        ]
        self.found: list[tuple[Watched, Found]] = []

    def __call__(self, states: int, seconds: float) -> bool:
        if seconds <= 0 or self.search.interrupted:
            return False
        clock = threading.Timer(seconds, self.search.stop)
        clock.daemon = True
        clock.start()
        try:
            return any(self._is_violated(w, states // len(self.looked_for)) for w in self.looked_for)
        finally:
            clock.cancel()

    def _is_violated(self, w: Watched, states: int) -> bool:
        prefix = self._closed and w.automaton is not None and has_lost_states(w.automaton)
        for by_prefix in (True, False) if prefix else (False,):
            found = self.product.run(w, self._how, states, by_prefix)
            if found.verdict is Verdict.FOUND and found.lasso is not None:
                self.found.append((w, found))
                return True
        return False


def look_beside(question: Question, search: Search, apart: Collection[str], watched: Collection[str]) -> Beside | None:
    request = question.request
    if not request.search.breadth_first or request.search.bounds.depth is not None or request.checkpoint.wanted:
        return None
    if request.claims.keep_going:
        return None  # it goes on after a violation, and tells all of them at its end
    beside = Beside(question, search, apart, watched)
    if not beside.looked_for:
        return None
    search.beside = beside
    return beside
