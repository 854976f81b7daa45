"""When data is left undetermined beside the search value by value, and whose answer counts.

It begins where the states are many because of the values of a variable, where single actions have so many outcomes that
the search hardly gets on, and before it where an input is so wide that this is certain.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.search.search import Stop

if TYPE_CHECKING:
    from lfc.mcheck.reduction.common.reduction import Question
    from lfc.mcheck.result.result import CheckResult
    from lfc.mcheck.search.worker_thread import Shown
    from lfc.mcheck.undetermined import UndeterminedSearch

MANY_VALUES = 50  # of a variable; with fewer a search value by value is left to go on
WIDE_INPUT = re.compile(r"call [^\n]*@lf_policy_in(?:16|32)\(")
INPUT = re.compile(r"call [^\n]*@lf_(?:policy_(?:in|any|console_in)|split_(?:read|any))")
FOR_COUNTERS = 5.0  # seconds that a search goes on alone where nothing is read: most of these end before
HARDLY_ON = 1_000  # states in STUCK_FOR seconds, of which each is searched for some microseconds
STUCK_FOR = 2.0
# When the search has ended without an answer, so many seconds.
PATIENT = {Stop.TIME: 0.0, Stop.INTERRUPTED: 0.0, Stop.STATES: 20.0, Stop.BOUND: 20.0}
PATIENT_ELSE = 120.0


def reads_wide_input(ir: str) -> bool:
    """Of 16 bits or more."""
    return WIDE_INPUT.search(ir) is not None


def reads_input(ir: str) -> bool:
    return INPUT.search(ir) is not None


def decides(result: CheckResult | None) -> bool:
    """More than that the clock has stood."""
    return result is not None and result.verdict is not Verdict.INCONCLUSIVE


class DataBeside:
    """Of one check, also when it searches again, as a slice: the question that was asked first stays the one."""

    def __init__(self, question: Question, shown: Shown) -> None:
        self.asked, self.question, self.shown = question, question, shown
        self.search: UndeterminedSearch | None = None
        self._mark = (0.0, 0)  # a moment, and how many states there were
        self._ended = False
        shown.has_answer = self.has_answer

    def follow(self, question: Question, shown: Shown) -> None:
        """Another search is shown from now on."""
        from lfc.mcheck.reduction.common.undetermined import why_not  # a check that searches once does without it

        self.asked, self.shown = question, shown
        if self.search is not None and self.search.has_begun and self.search.is_at_work:
            self.search.shown = shown
        else:
            self.search = None
            if not why_not(question) or why_not(self.question):  # else sets of values decide the whole program, at best
                self.question = question
        self._mark, self._ended = (0.0, 0), False
        shown.has_answer = self.has_answer

    @property
    def may_begin(self) -> bool:
        return self.search is None and not self._ended and self.question.request.may_leave_data

    @property
    def result(self) -> CheckResult | None:
        return self.search.result if self.search is not None else None

    @property
    def is_of_another(self) -> bool:
        """Its answer is to what was asked before."""
        return self.question is not self.asked

    def has_answer(self) -> bool:
        """Asked again and again while the search goes on."""
        if self.may_begin and self._hardly_gets_on():
            self._begin(0.0)
        if self.search is None or not self.search.has_answer():
            return False
        return not self.is_of_another or decides(self.search.result)  # what was asked since may not read the clock

    def _hardly_gets_on(self) -> bool:
        now, states = time.monotonic(), self._states()
        then, before = self._mark
        if not then or states - before > HARDLY_ON or states < before:
            self._mark = now, states
            return False
        return now - then > STUCK_FOR

    def _states(self) -> int:
        return self.shown.search.statistics.states if self.shown.search is not None else 0

    def for_many_values(self, most: int, ir: str) -> None:
        """From a search at rest on, which has not come to its end soon. `most`: values that one variable has had."""
        if self.may_begin and most >= MANY_VALUES:
            self._begin(None if reads_input(ir) else FOR_COUNTERS)

    def at_once(self) -> CheckResult | None:
        """For inputs of 16 bits or more: value by value one action has thousands of outcomes. It has some seconds
        alone, then it goes on beside the search."""
        if not self.may_begin:
            return None
        self._begin(0.0)
        return self.search.alone() if self.search is not None else None

    def after(self, stop: Stop) -> CheckResult | None:
        """The search has come to no answer, or has its own: then None."""
        if stop in (Stop.COMPLETE, Stop.ERROR):
            return None
        if self.may_begin and stop in (Stop.MEMORY, Stop.BROKEN):
            self._begin(0.0)
        return self.search.wait(PATIENT.get(stop, PATIENT_ELSE)) if self.search is not None else None

    def instead_of_samples(self) -> CheckResult | None:
        """Of a search that has tried one value of some inputs."""
        if self.search is None and self.question.request.may_leave_data:
            self._begin(0.0)
            return self.search.alone() if self.search is not None else None
        return None

    def _begin(self, patience: float | None = None) -> None:
        from lfc.mcheck.undetermined import search_beside  # most programs do without it

        self.search = search_beside(self.question, self.shown, self._states(), patience)
        self._ended = self.search is None

    def end(self) -> None:
        """The search has its own answer, or is given up."""
        self._ended, self.shown.has_answer = True, bool
        if self.search is not None:
            self.search.stop()
