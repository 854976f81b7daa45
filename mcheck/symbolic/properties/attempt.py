"""A check over undetermined data, properties included."""

from __future__ import annotations

import time
from collections.abc import Callable
from itertools import chain

from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.request.property import Watched
from lfc.mcheck.result import reasons
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.result.result import CheckResult, leave_open
from lfc.mcheck.symbolic import attempt as of_states
from lfc.mcheck.symbolic.explore import Exploration
from lfc.mcheck.symbolic.induction.prove import proof_of
from lfc.mcheck.symbolic.induction.words import lines_of
from lfc.mcheck.symbolic.properties.check_property import (
    FOR_EXACT,
    SOON,
    Answer,
    Budget,
    answers,
    told_by_states,
)


def attempt(
    question: Question,
    seconds: float,
    interrupted: Callable[[], bool],
    explicit_states: int = 0,
    shows: of_states.Shows = lambda *_: None,
) -> CheckResult:
    """`seconds`: 0: as many as it takes. What holds while the clock stands is inconclusive. Raises NotPossible."""
    result = attempt_as_the_clock_stands(question, seconds, interrupted, explicit_states, shows)
    if reasons.CLOCK_READS_0 in result.assumptions:
        leave_open(result.properties, reasons.FEW_INPUTS)
        if result.verdict is Verdict.HOLDS:
            result.verdict, result.reason = Verdict.INCONCLUSIVE, reasons.FEW_INPUTS
    return result


def attempt_as_the_clock_stands(
    question: Question, seconds: float, interrupted: Callable[[], bool], explicit_states: int, shows: of_states.Shows
) -> CheckResult:
    begin = time.monotonic()
    kept: list[Exploration] = []
    result = of_states.attempt(question, seconds, interrupted, explicit_states, shows, lemmas_for, kept.append)
    if not question.property_names() or result.findings or result.interrupted:
        result.not_looked_for = question.property_names() if result.verdict is Verdict.INCONCLUSIVE else []
        return result
    ends = result.verdict is Verdict.HOLDS and not (result.symbolic and result.symbolic.wide)
    budget = Budget(begin + seconds if seconds else 0.0, interrupted, FOR_EXACT if ends else SOON, shows)
    goes_on = question.request.claims.keep_going
    found: list[tuple[Watched, Answer]] = []
    groups = (question.watched, *question.later)
    known = told_by_states(kept.pop(), groups, budget) if kept else {}
    for group in groups:
        found += answers(question, group, budget, goes_on, known)
        if any(a.verdict is Verdict.PROPERTY for _, a in found) and not goes_on or interrupted():
            break
    take_over(question, result, found)
    result.seconds = time.monotonic() - begin
    return result


def lemmas_for(found: Exploration, seconds: float) -> list[str] | None:
    """With which nothing of what ranges allow can be."""
    proof = proof_of(found, seconds)
    return None if proof is None else lines_of(found, proof)


def take_over(question: Question, result: CheckResult, found: list[tuple[Watched, Answer]]) -> None:
    if question.fair:
        result.assumptions.append("fairness: " + ", ".join(f"{f.name} {f.kind}" for f in question.fair))
    for w, a in found:
        entry: dict[str, object] = {"name": w.of.name, "verdict": a.verdict, "states": a.states}
        entry["transitions"] = a.transitions
        if a.verdict is Verdict.HOLDS and a.wide:
            entry["by_induction"] = True
        if a.finding is not None:
            result.findings.append(a.finding)
            if a.finding.doubt:
                entry["verdict"] = Verdict.INCONCLUSIVE
        if a.verdict is Verdict.INCONCLUSIVE:
            entry["reason"] = f"the search for violations of `{w.of.name}` {a.reason}"
            result.reason = result.reason or str(entry["reason"])
        result.properties.append(entry)
    told = {str(p["name"]) for p in result.properties}
    result.not_looked_for = [n for n in question.property_names() if n not in told]
    certain = [f for f in result.findings if not f.doubt]
    if certain:
        result.verdict = certain[0].kind
        result.not_looked_for = []
    elif result.findings:
        result.verdict, result.reason = Verdict.INCONCLUSIVE, reasons.MAY_NOT_COME.format(result.findings[0].doubt)
    elif result.reason or result.not_looked_for:
        result.reason = result.reason or f"`{result.not_looked_for[0]}` has too many atoms: split it"
        result.verdict = Verdict.INCONCLUSIVE
    order = list(chain(question.property_names()))
    result.properties.sort(key=lambda entry: order.index(str(entry["name"])))
