"""A check that leaves data undetermined: asked for, at once, beside the search value by value, or after it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.search.worker_thread import AGAIN, time_left
from lfc.mcheck.symbolic.attempt import NotPossible, why_not
from lfc.mcheck.symbolic.properties.attempt import attempt

if TYPE_CHECKING:
    from lfc.mcheck.reduction.common.reduction import Question
    from lfc.mcheck.result.result import CheckResult
    from lfc.mcheck.search.search import Search
    from lfc.mcheck.search.worker_thread import Shown

SECONDS_ALONE = 20.0  # while nothing else is done
SECONDS_BESIDE = 120.0
PATIENCE = 1.0  # seconds; for these the search value by value goes on alone


class NotSymbolic(Exception):
    """Data cannot be left undetermined; says why."""


def asked_for(question: Question, shown: Shown) -> CheckResult:
    """Raises NotSymbolic."""
    seconds = time_left(question.request.limits.seconds, shown.begin)
    shown.phase = "leaving data undetermined"
    try:
        result = attempt(question, seconds, lambda: shown.interrupted, 0, shown.tell_symbolic)
    except NotPossible as why:
        raise NotSymbolic(str(why)) from None
    if question.request.image is not None:
        from lfc.mcheck.image_samples import execute_image

        execute_image(question, result, shown)
    return result


def decided_alone(question: Question, shown: Shown, states: int) -> CheckResult | None:
    """For some seconds, where data may be left undetermined. None: that decides nothing."""
    if shown.interrupted:
        return None
    left = time_left(question.request.limits.seconds, shown.begin)
    shown.phase = "leaving data undetermined"
    try:
        seconds = min(left or SECONDS_ALONE, SECONDS_ALONE)
        result = attempt(question, seconds, lambda: shown.interrupted, states, shown.tell_symbolic)
    except NotPossible:
        return None
    finally:
        shown.phase = ""
    return None if result.verdict is Verdict.INCONCLUSIVE else result


class BesideSearch:
    """In a thread, while the engine searches value by value: the first answer counts."""

    def __init__(self, question: Question, shown: Shown, states: int) -> None:
        self.question, self.shown, self.states = question, shown, states
        self.result: CheckResult | None = None
        self._failed: Exception | None = None
        self._stopped = False
        self._begin = time.monotonic()
        self._thread: threading.Thread | None = None

    def has_answer(self) -> bool:
        """Asked again and again while the search goes on; begins when that takes long."""
        if self._thread is None and not self._stopped and time.monotonic() - self._begin > PATIENCE:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        return self.result is not None

    def _run(self) -> None:
        left = time_left(self.question.request.limits.seconds, self.shown.begin)
        seconds = min(left or SECONDS_BESIDE, SECONDS_BESIDE)
        try:
            result = attempt(self.question, seconds, lambda: self._stopped or self.shown.interrupted, self.states)
        except NotPossible:
            return
        except Exception as error:  # it is raised again where somebody can catch it
            self._failed = error
            return
        if result.verdict is not Verdict.INCONCLUSIVE:
            self.result = result

    def stop(self) -> None:
        """The search has its own answer, or is given up."""
        self._stopped = True
        if self._thread is not None:
            self._thread.join()
        if self._failed is not None:
            raise self._failed

    def wait(self) -> CheckResult | None:
        """The search has come to no answer: this may, in what is left of its time."""
        while not (self._stopped or self.has_answer() or self.shown.interrupted):
            ended = self._thread is not None and not self._thread.is_alive()
            if ended or time.monotonic() - self._begin > SECONDS_ALONE:
                break
            time.sleep(AGAIN)
        self.stop()
        return self.result


def beside(question: Question, search: Search, shown: Shown) -> BesideSearch | None:
    """Of a search that has found many states, of which many are of the values of one variable."""
    return None if why_not(question) else BesideSearch(question, shown, search.statistics.states)
