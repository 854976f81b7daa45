"""The check of an image beside undetermined data: it is executed in some of the states, and in all if these are few."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING

from lfc.mcheck.conclude import compare_bytes, judge_image
from lfc.mcheck.image.check_image import ImageCheck
from lfc.mcheck.search.search import Search
from lfc.mcheck.search.worker_thread import in_thread, in_time, time_left
from lfc.mcheck.symbolic import boxes
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.samples import Samples, samples_of
from lfc.mcheck.symbolic.values.preimages import TooMany

if TYPE_CHECKING:
    from lfc.mcheck.reduction.common.reduction import Question
    from lfc.mcheck.result.result import CheckResult
    from lfc.mcheck.search.worker_thread import Shown

SECONDS = 20.0  # for the states to be known
SOME = "{} of {} states were tried"
NOT_KNOWN = "{} states were tried, and not all states are known"


def execute_image(question: Question, result: CheckResult, shown: Shown) -> None:
    """Where that is not all there is, it is no proof."""
    request = question.request
    assert request.image is not None
    shown.phase = "choosing states for the image"
    found = states_of(question, time_left(request.limits.seconds, shown.begin), lambda: shown.interrupted)
    if shown.interrupted:
        return
    until = shown.begin + request.limits.seconds if request.limits.seconds else float("inf")
    samples = samples_of(found, is_over=lambda: shown.interrupted or time.monotonic() > until)
    shown.phase = "executing the image"
    with closing(Search(question.machine, request.changed(reductions=("none",), data="explicit"))) as search:
        check = ImageCheck(search, request.image)
        try:
            with in_time(search, shown.begin, request.limits.seconds):
                in_thread(lambda: check.run_in(samples.blocks), search, shown)
            result.image = check.result()
        finally:
            check.close()
    shown.phase = ""
    if not samples.whole:
        result.image.stopped = result.image.stopped or tried(found, samples)
    judge_image(result)
    compare_bytes(request.image, result)


def states_of(question: Question, seconds: float = 0.0, interrupted: Callable[[], bool] = lambda: False) -> Exploration:
    """With dead variables: an image has them, too. `seconds`: that are left; 0: no limit is asked for."""
    program = SymbolicProgram(question.machine, question.request.world, lambda _: ())
    limits = Limits(min(seconds or SECONDS, SECONDS), states=question.request.limits.states, is_over=interrupted)
    limits.goes_on = limits.allow_deadlocks = True
    found = Exploration(program, limits)
    try:
        found.run()
    except (TooMany, NotDecoded):
        pass  # what was found before is there
    return found


def tried(found: Exploration, samples: Samples) -> str:
    """Of how many states: boxes of several shapes may share some, and wide ones hold more than can be reached."""
    if not found.complete:
        return NOT_KNOWN.format(len(samples.blocks))
    count = None if any(s.wide for s in found.states) else found.count()
    most = sum(boxes.volume(b) for of in found.of_shape.values() for b in of.known)
    return SOME.format(len(samples.blocks), f"at most {most}" if count is None else count)
