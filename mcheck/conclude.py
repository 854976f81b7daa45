"""From a search that has run to the result of the check."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from lfc.external.calls import external_calls
from lfc.mcheck.counterexample.doubts import AGE_READ, CLOCK_READ, WIDE_READ, WIDE_WRITE, WRAP_OF_BOARDS, doubt_about
from lfc.mcheck.result import reasons
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.result.result import CheckResult, Disk, Growth
from lfc.mcheck.search.search import Resumed, Stop
from lfc.mcheck.search.worker_thread import bytes_per_state, in_thread, in_time, memory_of
from lfc.mcheck.statistics.details import Depth, look_beside
from lfc.mcheck.statistics.incomplete_search import depth_reason, path_is_shortest, walked

if TYPE_CHECKING:
    from lfc.mcheck.image.check_image import CheckedImage
    from lfc.mcheck.reduction.choose import Begun
    from lfc.mcheck.reduction.common.reduction import Question
    from lfc.mcheck.result.finding import Finding
    from lfc.mcheck.result.result import Told
    from lfc.mcheck.search.search import Search
    from lfc.mcheck.search.worker_thread import Shown
    from lfc.mcheck.statistics.details import Beside
    from lfc.mcheck.statistics.incomplete_search import Walked


def conclude(
    question: Question, begun: Begun, stop: Stop, findings: list[Finding], told: Told, shown: Shown
) -> CheckResult:
    search, request = begun.search, question.request
    for finding in findings:
        finding.shortest = path_is_shortest(request.search, finding.kind) and search.finds_shortest
        finding.doubt = doubt_about(finding, search.statistics.assumed, clock_wrap(search))
    told.reason = told.reason or (reasons.STUCK_UNKNOWN if search.stuck_unknown else "")
    incomplete = walked(search, stop)
    if why := why_not_shown(search, incomplete):
        told.leave_open(why)
    seconds = time.monotonic() - shown.begin
    shown.phase = "collecting values and queue lengths"
    with in_time(search, shown.begin, request.limits.seconds):
        beside = in_thread(lambda: details_of(search, stop, told), search, shown)
    s, memory = search.statistics, memory_of(search.statistics)
    verdict, reason = verdict_of(search, stop, findings, told, incomplete)
    result = CheckResult(
        verdict=verdict,
        states=s.states,
        transitions=s.transitions,
        depth=s.depth,
        seconds=seconds,
        memory_bytes=memory,
        bytes_per_state=bytes_per_state(memory, s.states),
        executions=s.executions,
        findings=findings,
        counted={"deadlocks": s.deadlocks, "faults": s.faults, "ends": s.ends},
        assumptions=assumptions_of(search, told),
        reason=reason,
        properties=told.properties,
        beside=beside,
        walked=incomplete,
        compile_seconds=shown.compiling,
        disk=Disk(s.disk_bytes, s.disk_written, s.spills) if s.disk_written else None,
        resumed=search.resumed,
        not_saved=search.saving_error(),
        deadlocks_allowed=request.claims.allow_deadlocks,
        reductions=begun.choices,
        sampled=begun.sampled,
        interrupted=shown.was_interrupted and not is_rank_lost(search),
        ended_at_error=stop is Stop.ERROR,
        ranks=list(getattr(search.exploration, "ranks", [])),
        growth=growth_at_end(search, stop, verdict),
    )
    if verdict is Verdict.INCONCLUSIVE and stop is not Stop.COMPLETE:
        told_of = {entry["name"] for entry in told.properties}
        result.not_looked_for = [name for name in question.property_names() if name not in told_of]
    elif findings:
        decided = {entry["name"] for entry in told.properties}
        result.undecided = [name for name in question.property_names() if name not in decided]
    if stop in (Stop.COMPLETE, Stop.ERROR):
        execute_image(search, result, shown)
    compare_bytes(request.image, result)
    return result


def compare_bytes(image: CheckedImage | None, result: CheckResult) -> None:
    """What a file has in other places than the build is not executed in every way that a board may (interrupts, times,
    what stands before the first state), so that it is not shown to be harmless."""
    if image is None or not (differing := image.differing):
        return
    how_many = f"{len(differing)} byte{'s differ' if len(differing) > 1 else ' differs'}"
    result.other_bytes = reasons.OTHER_BYTES.format(image.name, how_many, differing[0])
    if result.verdict in (Verdict.HOLDS, Verdict.INCONCLUSIVE):
        result.verdict, result.reason = Verdict.IMAGE, ""


def growth_at_end(search: Search, stop: Stop, verdict: Verdict) -> Growth:
    if verdict is not Verdict.INCONCLUSIVE or stop not in MANY_STATES:
        return Growth()
    from lfc.mcheck.growth import growth_of

    return growth_of(search.machine, search)


MANY_STATES = (Stop.TIME, Stop.MEMORY, Stop.STATES, Stop.INTERRUPTED, Stop.DISK)


def details_of(search: Search, stop: Stop, told: Told) -> Beside:
    request = search.request
    all_seen = not request.search.store.lossy and not not_all_tried(search)
    visited = stop if all_seen else Stop.STATES  # then not everything has been looked at
    values = Depth.VALUES if request.details.count_values else Depth.NOTES
    depth = Depth.STATES if request.details.report else values
    return look_beside(search.machine, search, visited, depth, told.remarks)


def verdict_of(
    search: Search, stop: Stop, findings: list[Finding], told: Told, incomplete: Walked | None
) -> tuple[Verdict, str]:
    """And why it is inconclusive, or why something was left open."""
    certain = next((f for f in findings if not f.doubt), None)
    reason = why_stopped(search, stop)
    if stop is Stop.BOUND and incomplete is None:
        reason = depth_reason(search)
    if incomplete is not None and (incomplete.by_chance or not reason):
        reason = incomplete.reason
    reason = reason or told.reason
    if certain is not None:
        return certain.kind, reason
    if findings:
        return Verdict.INCONCLUSIVE, reasons.MAY_NOT_COME.format(findings[0].doubt)
    if reason:
        return Verdict.INCONCLUSIVE, reason
    return (Verdict.INCONCLUSIVE, reasons.FEW_INPUTS) if not_all_tried(search) else (Verdict.HOLDS, "")


def not_all_tried(search: Search) -> bool:
    return bool(search.statistics.assumed & ~AGE_READ)


def why_not_shown(search: Search, incomplete: Walked | None) -> str:
    """Why what no state has violated may still be violated; empty: no state is missing."""
    if incomplete is not None and search.request.search.store.lossy:
        return incomplete.reason
    return reasons.FEW_INPUTS if not_all_tried(search) else ""


def why_stopped(search: Search, stop: Stop) -> str:
    """Why it is not known whether there are errors; empty: it is."""
    if stop in (Stop.COMPLETE, Stop.ERROR):
        return ""
    if is_rank_lost(search):
        return reasons.RANK_LOST
    if stop is Stop.DISK:
        return reasons.DISK.format(search.request.limits.spill, search.disk_error())
    from lfc.mcheck.counterexample.oversized_action import crowded_reason

    return crowded_reason(search.machine, search, stop) or reasons.STOPPED.get(stop, "")


def is_rank_lost(search: Search) -> bool:
    return search.request.search.distributed and bool(getattr(search.exploration, "lost", False))


def assumptions_of(search: Search, told: Told) -> list[str]:
    request, s = search.request, search.statistics
    texts = {CLOCK_READ: reasons.CLOCK_READS_0, WIDE_READ: reasons.ONE_VALUE, WIDE_WRITE: reasons.LEFT_BY_C}
    found = [text for bit, text in texts.items() if s.assumed & bit]
    found += [reasons.declared_effects(p) for p in external_calls(search.machine)]
    found += [*reasons.of_time(request.world), *told.assumptions]
    if request.claims.allow_deadlocks:
        found.append(reasons.MAY_WAIT)
    found += reasons.of_arithmetic(search.machine.program)
    if search.resumed is Resumed.UNAUTHENTICATED:
        found.append(reasons.ON_TRUST)
    from lfc.mcheck.model.input_ranges import devices_without_board

    devices = devices_without_board(search.machine)
    if devices:
        found.append(reasons.NO_BOARD.format("; ".join(devices)))
    found += reasons.of_environment(request.world, search.model.assume.texts)
    return list(dict.fromkeys([*found, *of_clock(search)]))


def clock_wrap(search: Search) -> int:
    counted = search.timing.clock_component is not None and search.timing.ages is None
    return search.timing.wrap if counted else WRAP_OF_BOARDS


def of_clock(search: Search) -> list[str]:
    if search.timing.clock_component is None:
        return []
    if search.timing.ages is not None:
        asked = search.generated.properties_read_clock
        return [reasons.NO_AGE_WRAPS] if asked or search.statistics.assumed & AGE_READ else []
    if search.timing.wrap == WRAP_OF_BOARDS:
        return [reasons.CLOCK_WRAPS.format(search.timing.wrap)]
    return [reasons.CLOCK_WRAPS.format(search.timing.wrap) + reasons.WHY_NO_AGES.format(search.timing.why_no_ages)]


def execute_image(search: Search, result: CheckResult, shown: Shown) -> None:
    """In every state that was reached; a program that holds is not enough if its image differs."""
    if search.request.image is None:
        return
    from lfc.mcheck.image.check_image import ImageCheck

    shown.phase = "executing the image"
    if search.machine.environment is not None:
        from lfc.mcheck.image_with_model import executed_with_model

        result.image = executed_with_model(search, shown)
        judge_image(result)
        return
    check = ImageCheck(search, search.request.image)
    try:
        with in_time(search, shown.begin, search.request.limits.seconds):
            in_thread(check.run, search, shown)
        result.image = check.result()
    finally:
        check.close()
    judge_image(result)


def judge_image(result: CheckResult) -> None:
    assert result.image is not None
    if result.verdict in (Verdict.HOLDS, Verdict.INCONCLUSIVE) and result.image.mismatches:
        result.verdict, result.reason = Verdict.IMAGE, ""
    elif result.verdict is Verdict.HOLDS and result.image.stopped:
        result.verdict = Verdict.INCONCLUSIVE
        result.reason = reasons.NOT_EXECUTED.format(result.image.stopped)
