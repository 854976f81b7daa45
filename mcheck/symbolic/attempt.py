"""A check over undetermined data: whether it is possible for a request, and its result."""

from __future__ import annotations

import time
from collections.abc import Callable

from lfc.external.sources import external_calls
from lfc.mcheck.counterexample.doubts import CLOCK_READ, doubt_about
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import Request
from lfc.mcheck.request.world import Data, Time
from lfc.mcheck.result import reasons
from lfc.mcheck.result.finding import REPORTED, Finding, Verdict
from lfc.mcheck.result.result import CheckResult, Symbolic
from lfc.mcheck.statistics.coverage import Unreached
from lfc.mcheck.statistics.details import Beside
from lfc.mcheck.symbolic.classes import classes_of
from lfc.mcheck.symbolic.counterexamples import Replay
from lfc.mcheck.symbolic.execution.decode import NotUnderstood
from lfc.mcheck.symbolic.explore import Exploration, Limits, Program
from lfc.mcheck.symbolic.stuck import find_stuck
from lfc.mcheck.symbolic.values.preimages import TooMany


class NotPossible(Exception):
    """Says why data cannot be left undetermined."""


def why_not(question: Question) -> str:
    """Why it cannot be tried; empty: it can."""
    r = question.request
    if r.world.time is not Time.FREE:
        return "time is modelled (--time ordered, discrete)"
    if r.world.rate:
        return "events from outside are bounded (--rate)"
    if question.property_names():
        return "the program has properties"
    if r.image is not None:
        return "the image is executed in every state (--image)"
    if not r.search.breadth_first or r.search.bounds.depth is not None:
        return "another search order is asked for (--search, --store, --depth)"
    if r.checkpoint.wanted:
        return "the search is saved (--checkpoint)"
    if r.details.report:
        return "a report of every state is asked for (--report)"
    return ""


def attempt(
    question: Question, seconds: float, interrupted: Callable[[], bool], explicit_states: int = 0
) -> CheckResult:
    """`seconds`: 0: as many as it takes. Raises NotPossible."""
    reason = why_not(question)
    if reason:
        raise NotPossible(reason)
    machine, request = question.machine, question.request
    begin = time.monotonic()
    try:
        program = Program(machine, request.world, Reset(machine).places)
        compiled = time.monotonic()
        found = Exploration(program, limits_of(request, seconds, interrupted))
        found.run()
        findings, reason = findings_of(found, request)
    except TooMany as why:
        raise NotPossible(f"{why}") from None
    except NotUnderstood as why:
        raise NotPossible(f"its code has {why}") from None
    except CannotReplay as why:
        raise NotPossible(f"a counterexample could not be replayed ({why})") from None
    if not found.complete and not findings:
        reason = ended_by(found, request)
    for f in findings:
        f.doubt = doubt_about(f, found.assumed)
    return result_of(question, found, findings, reason, compiled - begin, explicit_states)


def limits_of(request: Request, seconds: float, interrupted: Callable[[], bool]) -> Limits:
    claims = request.claims
    by_itself = request.world.data is Data.AUTO
    return Limits(
        seconds, request.limits.states, claims.keep_going, claims.allow_deadlocks, interrupted, must_pay=by_itself
    )


def findings_of(found: Exploration, request: Request) -> tuple[list[Finding], str]:
    """And why something is left open. Raises CannotReplay, TooMany."""
    if found.errors:
        replay = Replay(found.program)
        errors = sorted(found.errors.values(), key=lambda e: e.state.depth)
        return [replay.tell(e) for e in errors[:REPORTED]], ""
    if not found.complete or not request.claims.partial_deadlocks:
        return [], ""
    stuck = find_stuck(found)
    if stuck.state is not None:
        return [Replay(found.program).tell_waiting(stuck.state, stuck.slots)], ""
    return [], reasons.STUCK_UNKNOWN if stuck.unknown else ""


def ended_by(found: Exploration, request: Request) -> str:
    if found.interrupted:
        return "interrupted"
    most = request.limits.states
    return "state limit reached (--states)" if most and len(found.states) > most else "time limit reached (--time)"


def result_of(
    question: Question,
    found: Exploration,
    findings: list[Finding],
    reason: str,
    compiling: float,
    explicit_states: int,
) -> CheckResult:
    certain = next((f for f in findings if not f.doubt), None)
    if certain is not None:
        verdict = certain.kind
    elif findings:
        verdict, reason = Verdict.INCONCLUSIVE, reasons.MAY_NOT_COME.format(findings[0].doubt)
    else:
        verdict = Verdict.INCONCLUSIVE if reason else Verdict.HOLDS
    concrete = found.count() if found.complete else None
    symbolic = Symbolic(len(found.states), len(found.of_shape), concrete, classes_of(found), explicit_states)
    kinds = [e.fault.kind for e in found.errors.values()]
    return CheckResult(
        verdict=verdict,
        states=len(found.states),
        transitions=found.transitions,
        depth=found.depth,
        seconds=found.seconds,
        memory_bytes=0,
        bytes_per_state=None,
        executions=found.transitions,
        findings=findings,
        counted={"deadlocks": kinds.count(0), "faults": len(kinds) - kinds.count(0), "ends": found.ended},
        assumptions=assumptions_of(question, found),
        reason=reason,
        properties=[],
        beside=Beside(Unreached(False)),
        walked=None,
        compile_seconds=compiling,
        deadlocks_allowed=question.request.claims.allow_deadlocks,
        interrupted=found.interrupted,
        symbolic=symbolic,
    )


def assumptions_of(question: Question, found: Exploration) -> list[str]:
    world = question.request.world
    texts = [reasons.CLOCK_READS_0] if found.assumed & CLOCK_READ else []
    texts += [reasons.declared_effects(p) for p in external_calls(question.machine)]
    if question.request.claims.allow_deadlocks:
        texts.append(reasons.MAY_WAIT)
    texts += reasons.of_environment(world, [r.text for r in found.program.assume])
    return list(dict.fromkeys(texts))
