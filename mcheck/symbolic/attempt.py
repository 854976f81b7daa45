"""A check over undetermined data, without properties: whether it is possible for a request, and its result."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from lfc.external.calls import external_calls
from lfc.mcheck.counterexample.doubts import CLOCK_READ, doubt_about
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.reduction.common.undetermined import NotPossible, why_not
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import Request
from lfc.mcheck.request.world import Data
from lfc.mcheck.result import reasons
from lfc.mcheck.result.finding import ASSERT, REPORTED, Finding, Verdict
from lfc.mcheck.result.result import CheckResult, Symbolic
from lfc.mcheck.statistics.coverage import Unreached
from lfc.mcheck.statistics.details import Beside
from lfc.mcheck.symbolic.acceleration import accelerated
from lfc.mcheck.symbolic.classes import classes_of
from lfc.mcheck.symbolic.counterexamples import Replay
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.explore import Error, Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.invariant import invariant_of
from lfc.mcheck.symbolic.satisfy import NotFound
from lfc.mcheck.symbolic.stuck import find_stuck
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.run import report


class GivenUp(NotPossible):
    """It came out while states were searched."""

    def __init__(self, why: str, found: Exploration) -> None:
        super().__init__(why)
        self.found = found


Shows = Callable[[int, int, int, int], None]  # symbolic states, shapes, transitions, depth
Proves = Callable[[Exploration, float], list[str] | None]  # that errors which ranges allow cannot be, and why; seconds
Keeps = Callable[[Exploration], None]  # what has found nothing wrong, and nothing possible


def attempt(
    question: Question,
    seconds: float,
    interrupted: Callable[[], bool],
    explicit_states: int = 0,
    shows: Shows = lambda *_: None,
    proves: Proves = lambda *_: None,
    keeps: Keeps = lambda _: None,
) -> CheckResult:
    """`seconds`: 0: as many as it takes. Exactly at first; where that does not end soon, with ranges. What neither can
    tell is inconclusive. Raises NotPossible where it need not begin."""
    reason = why_not(question)
    if reason:
        raise NotPossible(reason)
    begin, compiling = time.monotonic(), time.thread_time()
    try:
        r = question.request
        program = SymbolicProgram(question.machine, r.world, Reset(question.machine).places, rounds=r.tuning.rounds)
    except NotDecoded as why:
        raise NotPossible(f"its code has {why}") from None
    tried = Attempt(
        question, program, interrupted, time.thread_time() - compiling, explicit_states, shows, proves, keeps
    )
    result: CheckResult | NotPossible | None = None
    for search, effort, share in EFFORTS:
        left = seconds - (time.monotonic() - begin) if seconds else 0.0
        if seconds and left < 0.1:
            break
        try:
            found = search(tried, left * share, effort)
        except NotPossible as why:
            if not isinstance(result, CheckResult) or result.reason == TIME:
                result = why  # more of the same search would not help
            continue
        if found.verdict is not Verdict.INCONCLUSIVE or found.interrupted:
            return found
        result = found
    if isinstance(result, GivenUp):
        return result_of(question, result.found, [], f"--data symbolic: {result}", tried.compiling, explicit_states)
    if isinstance(result, CheckResult):
        return result
    raise result or NotPossible("there is no time")


TIME = "time limit reached (--time)"
STATES = "state limit reached (--states)"


@dataclass(slots=True)
class Attempt:
    question: Question
    program: SymbolicProgram
    interrupted: Callable[[], bool]
    compiling: float
    explicit_states: int
    shows: Shows
    proves: Proves
    keeps: Keeps
    until: float = 0.0  # 0: as long as it takes
    exact: Exploration | None = None  # it goes on where it has stopped

    def exactly(self, seconds: float, effort: float) -> CheckResult:
        """Raises NotPossible."""
        limits = self._limits(seconds, effort)
        limits.foresees = effort == EFFORTS[0][1]
        if self.exact is None:
            self.exact = Exploration(self.program, limits)
        self.exact.limits = limits
        try:
            return self._result(self.exact, [])
        except NotPossible:
            self.exact = None  # it stopped in the middle of a step
            raise

    def coarsely(self, seconds: float, effort: float) -> CheckResult:
        """Raises NotPossible."""
        return self.widely(seconds, effort, coarse=True)

    def widely(self, seconds: float, effort: float, coarse: bool = False) -> CheckResult:
        """Raises NotPossible."""
        replay, told = Replay(self.program), list[Finding]()

        def confirms(error: Error) -> bool:
            try:
                told.append(replay.tell(error))
            except (CannotReplay, NotFound, TooMany):
                return False
            return True

        self.until = time.monotonic() + seconds if seconds else 0.0
        limits = self._limits(seconds, effort)
        limits.may_widen, limits.confirms, limits.must_pay, limits.coarse = True, confirms, False, coarse
        return self._result(Exploration(self.program, limits), told)

    def _limits(self, seconds: float, effort: float) -> Limits:
        request = self.question.request
        claims = request.claims
        by_itself = request.world.data is Data.AUTO
        return Limits(
            seconds,
            effort,
            request.limits.states,
            claims.keep_going,
            claims.allow_deadlocks,
            self.interrupted,
            self.shows,
            must_pay=by_itself,
        )

    def _result(self, found: Exploration, told: list[Finding]) -> CheckResult:
        request, lemmas = self.question.request, None
        try:
            found.run()
            findings, reason = (told[:REPORTED], "") if told else findings_of(found, request)
        except TooMany as why:
            raise GivenUp(f"{why}", found) from None
        except NotDecoded as why:
            raise GivenUp(f"its code has {why}", found) from None
        except (CannotReplay, NotFound) as why:
            raise GivenUp(f"a counterexample could not be replayed ({why})", found) from None
        if not found.complete and not findings:
            reason = ended_by(found, request)
        if found.unconfirmed and not findings:
            by_rounds = accelerated(found, found.unconfirmed)
            findings = [] if by_rounds is None else [by_rounds]
        if found.possible and not findings and found.complete:
            lemmas = self.proves(found, max(0.1, self.until - time.monotonic()) if self.until else 0.0)
            if lemmas is not None:
                found.refute()
                findings, reason = findings_of(found, request)
        if found.possible and not findings:
            reason = reason or not_ruled_out(found)
            if found.solver is None:
                reason += NO_SOLVER
        for f in findings:
            f.doubt = doubt_about(f, found.assumed)
        result = result_of(self.question, found, findings, reason, self.compiling, self.explicit_states)
        if lemmas and result.symbolic is not None and result.symbolic.invariant:
            result.symbolic.invariant += lemmas
        if result.verdict is Verdict.HOLDS and lemmas is None:
            self.keeps(found)
        return result


# In turn, for so many seconds of the processor, and at most this share of the time that is left.
EFFORTS = (
    (Attempt.exactly, 3.0, 0.35),
    (Attempt.widely, 3.0, 0.5),
    (Attempt.coarsely, 3.0, 0.5),
    (Attempt.exactly, 10.0, 0.5),
    (Attempt.widely, float("inf"), 1.0),
)


NO_SOLVER = "; what depends on several values needs a solver (pip install 'lf-toolchain[solver]')"


def not_ruled_out(found: Exploration) -> str:
    """Of what ranges allow, and no counterexample shows."""
    kind, site = min(found.possible)
    if not kind:
        return "ranges of values do not rule out a deadlock, and no counterexample was found"
    where = report.place(found.program.generated.sites[site].span)
    what = "a failed assertion" if kind == ASSERT else "a fault"
    return f"ranges of values do not rule out {what} at {where}, and no counterexample was found"


def findings_of(found: Exploration, request: Request) -> tuple[list[Finding], str]:
    """And why something is left open. Raises CannotReplay, NotFound, TooMany."""
    if found.errors:
        replay = Replay(found.program)
        errors = sorted(found.errors.values(), key=lambda e: e.state.depth)
        return [replay.tell(e) for e in errors[:REPORTED]], ""
    if not found.complete or not request.claims.partial_deadlocks:
        return [], ""
    stuck = find_stuck(found)
    if stuck.state is not None:
        try:
            return [Replay(found.program).tell_waiting(stuck.state, stuck.slots)], ""
        except (CannotReplay, NotFound, TooMany):
            if not stuck.state.wide:
                raise
            return [], reasons.STUCK_UNKNOWN
    return [], reasons.STUCK_UNKNOWN if stuck.unknown else ""


def ended_by(found: Exploration, request: Request) -> str:
    if found.interrupted:
        return "interrupted"
    most = request.limits.states
    return STATES if most and len(found.states) > most else TIME


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
    wide = sum(s.wide for s in found.states)
    concrete = found.count() if found.complete and not wide and not found.errors else None
    symbolic = Symbolic(len(found.states), len(found.of_shape), concrete, classes_of(found), wide, explicit_states)
    if verdict is Verdict.HOLDS and wide:
        symbolic.invariant = invariant_of(found)
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
    texts += reasons.of_arithmetic(question.machine.program)
    texts += reasons.of_environment(world, found.program.assume.texts)
    return list(dict.fromkeys(texts))
