"""A check of a program from start to verdict, as data. Text is made of it elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine
from lfc.external.sources import external_calls
from lfc.mcheck.choose_reductions import begin_as_asked, begin_by_itself, notes_of, time_left, told_of, with_reductions
from lfc.mcheck.counterexample.doubts import CLOCK_READ, WIDE_READ, WIDE_WRITE, doubt_about
from lfc.mcheck.counterexample.finding import DEADLOCK, REPORTED, Finding, Told, first_of_each
from lfc.mcheck.engine.abi import Error
from lfc.mcheck.model.compiled_model import Prepared
from lfc.mcheck.model.input_ranges import read_ranges
from lfc.mcheck.reduction.chains import why_no_chains
from lfc.mcheck.reduction.por.partial_order import why_no_symmetry
from lfc.mcheck.reduction.registry import (
    AUTO,
    DEAD_VARIABLES,
    OF_SEARCHES,
    PARTIAL_ORDER,
    SLICE,
    Reduction,
    asked_by,
    chosen_reductions,
    looked_for_with,
    without_which,
)
from lfc.mcheck.request.fairness import assumed_fairness
from lfc.mcheck.request.property import Watch
from lfc.mcheck.request.resources import processors
from lfc.mcheck.request.search_bounds import SearchBounds
from lfc.mcheck.request.world import SAYINGS, World
from lfc.mcheck.search.checkpoint import ON_TRUST, UNAUTHENTICATED, resume_from, save_to, saving_failed
from lfc.mcheck.search.search import Limits, Search, Stop
from lfc.mcheck.search.worker_thread import (
    Progress,
    Shown,
    bytes_per_state,
    ctrl_c,
    in_thread,
    in_time,
    memory_of,
    run_with_progress,
)
from lfc.mcheck.statistics.details import Beside, Depth, look_beside
from lfc.mcheck.statistics.incomplete_search import Walked, depth_reason, shorten_ways, walked, way_is_shortest
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Process, VariableKind

if TYPE_CHECKING:
    from lfc.mcheck.image.check_image import CheckedImage, ImageResult

ANY_NUMBER = 0xFFFFFFFF


@dataclass(slots=True)
class Disk:
    """Bytes that were there at most, and written in all; how often something had to go there."""

    bytes: int
    written: int
    times: int


@dataclass(slots=True)
class CheckResult:
    verdict: str
    states: int
    transitions: int
    depth: int
    seconds: float
    memory_bytes: int
    bytes_per_state: float | None  # None: of so few states it says nothing
    executions: int
    findings: list[Finding]
    counted: dict[str, int]
    assumptions: list[str]
    reason: str  # why the verdict is inconclusive
    properties: list[dict[str, object]]  # of each its verdict, and the size of the product
    beside: Beside
    walked: Walked | None  # of a search that is not breadth-first
    compile_seconds: float = 0.0  # before the search began; hardly any if all was in the cache
    disk: Disk | None = None  # what did not stay in memory
    image: ImageResult | None = None  # what the image did, if one was asked for
    resumed: str = ""  # from a checkpoint: authenticated, unauthenticated; empty: from the start
    not_saved: str = ""  # why the last checkpoint could not be written
    deadlocks_allowed: bool = False
    reductions: list[Reduction] = field(default_factory=list)
    sampled: int = 0  # states of a search in full, after which reductions were chosen
    only: str = ""  # what was looked for, if nothing else was
    not_looked_for: list[str] = field(default_factory=list)  # properties for which the search did not come far enough


@dataclass(slots=True)
class CheckOptions:
    seconds: float = 0.0
    memory: int = 0
    states: int = 0
    keep_going: bool = False
    find_stuck: bool = True
    properties: tuple[str, ...] = ()  # names of those to check; none: all
    fairness: str = ""  # none, weak, strong for all processes; empty: as the source marks them
    fair: tuple[str, ...] = ()  # further: of communications and actions, as fairness.py reads them
    allow_deadlocks: bool = False  # processes may wait for ever; a run that ends so is a run
    nested: bool = False  # search for cycles by nested depth-first search
    threads: int = 0  # 0: one for each processor that may be used
    compact: bool = False  # less memory, more time
    report: bool = False  # look into all that is said beside the verdict
    search: str = "breadth"  # depth, best, astar; contexts, random, swarm
    towards: str = "any"  # what best and astar look for: deadlock, assertion, fault
    lossy: str = ""  # hash, bitstate: states may be taken for others
    checkpoint: str = ""  # file in which the search is saved
    checkpoint_every: float = 60.0  # seconds
    resume: str = ""  # file of an earlier search to go on with
    unauthenticated: bool = False  # also if nobody vouches for that file
    world: World = field(default_factory=World)  # what is assumed of it
    spill: str = ""  # folder for what a breadth-first search has no room for in memory; empty: it stops
    image: CheckedImage | None = None  # to be executed in every state
    count_values: bool = False  # of it, at least how far bounds were used, and the values of variables
    bounds: SearchBounds = field(default_factory=SearchBounds)  # of a search that leaves something out
    reductions: tuple[str, ...] = ()  # names; see `reducing` and `auto`
    only: tuple[str, ...] = ()  # what is looked for, and nothing else; see `sliced`


def check_program(
    machine: Machine, options: CheckOptions, progress: Callable[[Progress], None] | None = None
) -> CheckResult:
    """Raises CheckpointError, SpillError, and KeyboardInterrupt never: an interrupted search is inconclusive."""
    called = time.monotonic()
    no_slice = ""
    if options.only or SLICE in options.reductions:
        from lfc.mcheck.check_slice import check_slice, why_no_slice

        no_slice = why_no_slice(machine, options)
        if not no_slice:
            return check_slice(machine, options, progress)
        if options.only:
            options = replace(options, only=(), reductions=(SLICE, *options.reductions))
    going = options.keep_going or options.allow_deadlocks
    limits = Limits(
        options.states, options.memory, going, threads=options.threads or processors(), compact=options.compact
    )
    if going:
        limits.most_errors = ANY_NUMBER  # of each place one is kept, so these need no room
    limits.search, limits.towards, limits.lossy = options.search, options.towards, options.lossy
    limits.time, limits.clock_wrap = options.world.time, options.world.clock_wrap
    limits.spill, limits.bounds = options.spill, options.bounds
    limits.rate = options.world.rate
    limits.open_messages, limits.outside = options.world.open_messages, options.world.outside
    limits.inputs, limits.assume = options.world.inputs, read_ranges(machine, options.world.assume)
    limits.find_stuck = options.find_stuck and not options.allow_deadlocks
    watched = watch_properties(machine, chosen_properties(machine, options))
    fair = assumed_fairness(machine, options.fairness, options.fair)
    name = options.lossy or options.search
    no_chains = why_no_chains(machine, name, limits.time, limits.rate, bool(watched.properties))
    by_itself = options.reductions == (AUTO,) and not needs_all_states(options)
    names = OF_SEARCHES if by_itself else options.reductions
    with_image = options.image is not None
    no_symmetry = why_no_symmetry(machine, limits)
    reductions = chosen_reductions(
        machine, names, watched, fair, limits.time, limits.rate, with_image, no_chains, no_slice, no_symmetry
    )
    for r in reductions:
        r.why_not = r.why_not or ("" if r.name == DEAD_VARIABLES else options.bounds.why_not(options.search))
        if r.name == PARTIAL_ORDER and (options.checkpoint or options.resume):  # ranks are not saved
            r.why_not = r.why_not or "a search that is saved is one of all orders of steps"

    prepared: list[Prepared] = []  # when it is needed first
    shown = Shown(None, options.memory, called, progress)
    compiling = 0.0  # seconds; no part of the search, and the longer the less was compiled before

    def make(limits: Limits, used: Sequence[Reduction]) -> Search:
        nonlocal compiling
        limits = with_reductions(limits, used)
        if not prepared:
            before = time.monotonic()
            with_orders = looked_for_with(reductions, PARTIAL_ORDER, watched)
            asked, treated = asked_by(with_orders, watched), fair if with_orders else ()
            atoms, watchers = watched.atoms, watched.watchers
            prepared.append(Prepared(machine, limits, atoms, watchers, asked, treated))
            compiling = time.monotonic() - before
            shown.begin += compiling
        return Search(machine, limits, prepared=prepared[0])

    def make_without(names: frozenset[str], beside: Iterable[Search]) -> Search:
        """For properties that are looked for without these, and for runs that cannot be shown with symmetry."""
        taken = sum(memory_of(s.statistics) for s in (search, *beside))
        left = max(1 << 20, options.memory - taken) if options.memory else 0
        return make(replace(limits, memory=left), [r for r in reductions if r.name not in names])

    if by_itself:
        begun = begin_by_itself(make, limits, reductions, shown, options.seconds)
    else:
        begun = begin_as_asked(make, limits, reductions)
    search, reductions = begun.search, begun.reductions
    shown.search = search
    with closing(search), ctrl_c(search, shown):
        if options.resume:
            resume_from(search, options.resume, options.unauthenticated)
        if options.checkpoint:
            save_to(search, options.checkpoint, options.checkpoint_every)
        stop = begun.stop
        if stop is None:
            stop = run_with_progress(search, time_left(options.seconds, shown.begin), shown)
        for r in reductions:
            r.told, r.notes = told_of(search, r), notes_of(search, r)
        shorten_ways(search, REPORTED)
        errors = [e for e in search.errors() if e.kind != DEADLOCK or not options.allow_deadlocks]
        findings = tell_errors(machine, search, first_of_each(errors))
        stuck = None
        if stop is Stop.COMPLETE and options.find_stuck and not options.allow_deadlocks and not findings:
            shown.phase = "looking for partial deadlocks"
            with in_time(search, shown.begin, options.seconds):
                stuck = in_thread(search.find_stuck, search, shown)
            if stuck is not None:
                from lfc.mcheck.counterexample.explain import tell_stuck

                findings.append(tell_stuck(machine, search, *stuck))
        told = Told(reason=STUCK_UNKNOWN if search.stuck_unknown else "")
        if stop is Stop.COMPLETE and not findings and watched.properties:
            from lfc.mcheck.properties.check_properties import PropertyChecks

            shown.phase = "looking for runs that violate properties"
            with in_time(search, shown.begin, options.seconds):
                checks = PropertyChecks(machine, search, watched, options, without_which(reductions), make_without)
                findings, told = in_thread(checks.check, search, shown)
            told.reason = told.reason or (STUCK_UNKNOWN if search.stuck_unknown else "")
        if options.allow_deadlocks:
            told.assumptions.append("processes may wait for ever (deadlocks are allowed)")
        for finding in findings:
            shortest = way_is_shortest(options.lossy or options.search, options.towards, finding.kind)
            finding.shortest = shortest and not search.limits.partial_order and not search.limits.chains
            finding.doubt = doubt_about(finding, search.statistics.assumed)
        if search.resumed == UNAUTHENTICATED:
            told.assumptions.append(ON_TRUST)
        told.walked = walked(search, stop, options.lossy or options.search)
        seconds = time.monotonic() - shown.begin
        visited = Stop.STATES if options.lossy else stop  # then not everything has been looked at
        depth = Depth.STATES if options.report else Depth.VALUES if options.count_values else Depth.NOTES
        shown.phase = "looking at values and queues"
        beside = in_thread(lambda: look_beside(machine, search, visited, depth, told.remarks), search, shown)
        result = result_of(search, stop, findings, seconds, told, beside)
        result.compile_seconds = compiling
        result.not_saved = saving_failed(search)
        result.resumed = search.resumed
        result.reductions, result.sampled = reductions, begun.sampled
        result.deadlocks_allowed = options.allow_deadlocks
        if result.verdict == "inconclusive" and stop is not Stop.COMPLETE:
            result.not_looked_for = [w.of.name for w in watched.properties]
        result.disk = disk_of(search)
        if options.image is not None and stop in (Stop.COMPLETE, Stop.ERROR):
            shown.phase = "executing the image"
            execute_image(search, options.image, result, shown)
        return result


def needs_all_states(options: CheckOptions) -> bool:
    """Then reductions are not chosen by themselves: they have to be asked for."""
    other = options.search != "breadth" or bool(options.lossy) or options.bounds.depth is not None
    return other or options.image is not None or options.report or bool(options.checkpoint or options.resume)


def execute_image(search: Search, image: CheckedImage, result: CheckResult, shown: Shown) -> None:
    """In every state that was reached; a program that holds is not enough if its image differs."""
    from lfc.mcheck.image.check_image import ImageCheck

    check = ImageCheck(search, image)
    try:
        in_thread(check.run, search, shown)
        result.image = check.result()
    finally:
        check.close()
    if result.verdict in ("holds", "inconclusive") and result.image.mismatches:
        result.verdict, result.reason = "image", ""
    elif result.verdict == "holds" and result.image.stopped:
        result.verdict, result.reason = "inconclusive", f"the image was not executed everywhere: {result.image.stopped}"


def watch_properties(machine: Machine, properties: list[typed.Property]) -> Watch:
    if not properties:
        return Watch()
    from lfc.mcheck.properties.product import watch  # not every program pays for automata

    return watch(machine, properties)


def chosen_properties(machine: Machine, options: CheckOptions) -> list[typed.Property]:
    found = [p for module in machine.program.modules for p in module.properties]
    return [p for p in found if not options.properties or p.name in options.properties]


def tell_errors(machine: Machine, search: Search, errors: list[Error]) -> list[Finding]:
    if not errors:
        return []
    from lfc.mcheck.counterexample.explain import tell_error

    return [tell_error(machine, search, e) for e in errors]


def why_stopped(search: Search, stop: Stop) -> str:
    """Why it is not known whether there are errors; empty: it is."""
    if stop in (Stop.COMPLETE, Stop.ERROR):
        return ""
    from lfc.mcheck.counterexample.oversized_action import crowded_reason

    return crowded_reason(search.machine, search, stop) or REASONS.get(stop, "")


STUCK_UNKNOWN = "it could not be found out whether there are partial deadlocks"
REASONS = {
    Stop.TIME: "the time is over (--time)",
    Stop.MEMORY: "the memory is used up (--memory)",
    Stop.STATES: "the limit of states is reached (--states)",
    Stop.INTERRUPTED: "interrupted",
    Stop.BROKEN: "an action asks for more decisions than the checker can number",
}


def disk_of(search: Search) -> Disk | None:
    s = search.statistics
    return Disk(s.disk_bytes, s.disk_written, s.spills) if s.disk_written else None


def declared_effects(process: Process) -> str:
    """What is taken of C on trust."""
    written = [f"`{f.name}`" for f in process.formals if f.kind is VariableKind.VAR]
    writes = f"any values to {', '.join(written)} and nothing else" if written else "nothing"
    return f"{process.qualified_name} (EXTERNAL) writes {writes}, and comes back"


RATE = "while the program has something to do, at most {} event{} from outside for each of its actions (--rate)"


def result_of(
    search: Search, stop: Stop, findings: list[Finding], seconds: float, told: Told, beside: Beside
) -> CheckResult:
    s = search.statistics
    memory = memory_of(s)
    assumptions = []
    if s.assumed & CLOCK_READ:
        assumptions.append("Clock.Now reads 0 (--time discrete keeps the clock)")
    if s.assumed & WIDE_READ:
        assumptions.append("one value of a port, where there are more than 65,536 to try")
    if s.assumed & WIDE_WRITE:
        assumptions.append("C leaves what it writes as it was, where there are more than 4,096 values")
    certain = next((f for f in findings if not f.doubt), None)
    verdict = certain.kind if certain is not None else "holds"
    reason = why_stopped(search, stop)
    if stop is Stop.DISK:
        reason = f"{search.limits.spill} cannot be written or read: {search.disk_error()} (--spill)"
    if stop is Stop.BOUND and told.walked is None:
        reason = depth_reason(search)
    if told.walked is not None and (told.walked.by_chance or not reason):
        reason = told.walked.reason
    reason = reason or told.reason
    if findings and certain is None:
        verdict, reason = "inconclusive", f"what was found may not come: {findings[0].doubt}"
    elif reason and not findings:
        verdict = "inconclusive"
    elif assumptions and not findings:
        verdict, reason = "inconclusive", "only one value of some inputs was tried"
    assumptions += [declared_effects(p) for p in external_calls(search.machine)]
    assumptions += [*SAYINGS[search.limits.time], *told.assumptions]
    assumptions += [f"{r} (--assume)" for r in dict.fromkeys(r.text for r in search.limits.assume)]
    if search.limits.rate:
        assumptions.append(RATE.format(search.limits.rate, "s" * (search.limits.rate > 1)))
    if search.limits.outside:
        assumptions.append(search.limits.outside)
    if search.timing.clock_component is not None:
        assumptions.append(f"Clock.Now wraps at {search.timing.wrap} ms (--clock)")
    counted = {"deadlocks": s.deadlocks, "faults": s.faults, "ends": s.ends}
    return CheckResult(
        verdict,
        s.states,
        s.transitions,
        s.depth,
        seconds,
        memory,
        bytes_per_state(memory, s.states),
        s.executions,
        findings,
        counted,
        assumptions,
        reason,
        told.properties,
        beside,
        told.walked,
    )
