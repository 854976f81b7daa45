"""A check that leaves data undetermined: asked for, at once, beside the search value by value, or after it."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING

from lfc.mcheck.reduction.common.undetermined import NotPossible, why_not
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.search.worker_thread import time_left

if TYPE_CHECKING:
    from lfc.mcheck.reduction.common.reduction import Question
    from lfc.mcheck.result.result import CheckResult
    from lfc.mcheck.search.worker_thread import Shown

SECONDS_ALONE = 20.0  # while nothing else is done
SECONDS = 120.0  # in all, where there is no limit of time
PATIENCE = 1.0  # seconds; for these the search value by value goes on alone
SHORTLY = 0.02


class NotSymbolic(Exception):
    """Data cannot be left undetermined; says why."""


def asked_for(question: Question, shown: Shown) -> CheckResult:
    """Raises NotSymbolic."""
    from lfc.mcheck.symbolic.properties.attempt import attempt

    if question.request.image is not None and question.machine.environment is not None:
        raise NotSymbolic("what models answer to an image is known of states with values; omit --data or --image")
    seconds = time_left(question.request.limits.seconds, shown.begin)
    shown.phase = "leaving data undetermined"
    try:
        result = attempt(question, seconds, lambda: shown.interrupted, 0, shown.tell_symbolic)
    except NotPossible as why:
        raise NotSymbolic(str(why)) from None
    if question.request.image is not None and not result.interrupted:
        from lfc.mcheck.image_samples import execute_image

        execute_image(question, result, shown)
    return result


class UndeterminedSearch:
    """In a thread, while the engine searches value by value or nothing else is done: the first answer counts."""

    def __init__(self, question: Question, shown: Shown, states: int, patience: float) -> None:
        self.question, self.shown, self.states, self.patience = question, shown, states, patience
        self.result: CheckResult | None = None
        self._failed: Exception | None = None
        self._stopped = self._alone = False
        self._made = time.monotonic()
        self._thread: threading.Thread | None = None

    @property
    def has_begun(self) -> bool:
        return self._thread is not None

    @property
    def is_at_work(self) -> bool:
        """Or will be soon."""
        return not self._stopped and (self._thread is None or self._thread.is_alive())

    def has_answer(self) -> bool:
        """Begins when the search beside it takes long."""
        if self._thread is None and not self._stopped and time.monotonic() - self._made > self.patience:
            self._thread = threading.Thread(target=self._run, daemon=True)
            self._thread.start()
        return self.result is not None

    def _run(self) -> None:
        from lfc.mcheck.every_timing import clock_is_all
        from lfc.mcheck.symbolic.properties.attempt import attempt  # not before it is needed

        left = time_left(self.question.request.limits.seconds, self.shown.begin)
        try:
            result = attempt(self.question, left or SECONDS, self._interrupted, self.states, self._tell)
        except NotPossible:
            return
        except Exception as error:  # it is raised again where somebody can catch it
            self._failed = error
            return
        if result.verdict is not Verdict.INCONCLUSIVE or clock_is_all(result):  # value by value it would stand as well
            self.result = result

    def _interrupted(self) -> bool:
        return self._stopped or self.shown.interrupted

    def _tell(self, states: int, shapes: int, transitions: int, depth: int) -> None:
        if self._alone:
            self.shown.tell_symbolic(states, shapes, transitions, depth)

    def alone(self) -> CheckResult | None:
        """For some seconds nothing else is done. None: it goes on, or has come to no answer."""
        self.patience = 0.0
        return self._wait(time.monotonic() + SECONDS_ALONE)

    def wait(self, seconds: float) -> CheckResult | None:
        """The search has come to no answer: this may, in what is left of its time."""
        self.patience = 0.0
        found = self._wait(time.monotonic() + seconds)
        self.stop()
        return found

    def _wait(self, until: float) -> CheckResult | None:
        self._alone, self.shown.phase = True, "leaving data undetermined"
        while not (self.has_answer() or self.shown.interrupted) and self.is_at_work and time.monotonic() < until:
            time.sleep(SHORTLY)
        self._alone, self.shown.phase = False, ""
        if self._failed is not None:
            self.stop()
        return self.result

    def stop(self) -> None:
        """Raises what it failed with."""
        self._stopped = True
        if self._thread is not None:
            self._thread.join()
        failed, self._failed = self._failed, None
        if failed is not None:
            raise failed


def search_beside(question: Question, shown: Shown, states: int, patience: float | None) -> UndeterminedSearch | None:
    """`states`: how many have been found value by value; `patience`: seconds, for which that search goes on alone."""
    if why_not(question):
        return None
    return UndeterminedSearch(question, shown, states, PATIENCE if patience is None else patience)
