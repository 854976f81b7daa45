"""A check of a program from start to verdict."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from lfc.mcheck.conclude import conclude, of_clock
from lfc.mcheck.counterexample.doubts import WIDE_READ, WIDE_WRITE, doubt_about
from lfc.mcheck.data_beside import DataBeside, decides, reads_wide_input
from lfc.mcheck.model.compiled_model import CompiledModel
from lfc.mcheck.model.fairness import assumed_fairness
from lfc.mcheck.reduction.choose import Begun, SliceIsBetter, begin_as_asked, begin_by_itself
from lfc.mcheck.reduction.common.reduction import Question, used
from lfc.mcheck.reduction.registry import OF_SEARCHES, SLICE, choices, in_order, without_which
from lfc.mcheck.request.request import AUTO
from lfc.mcheck.request.world import Data
from lfc.mcheck.result.finding import (
    DEADLOCK,
    REPORTED,
    VIOLATION,
    Verdict,
    first_of_each,
    in_order_of_kind,
    in_order_of_rank,
)
from lfc.mcheck.result.result import CheckResult, Told
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.worker_thread import (
    AnsweredBeside,
    Shown,
    ctrl_c,
    in_thread,
    in_time,
    memory_of,
    run_with_progress,
    time_left,
)
from lfc.mcheck.statistics.incomplete_search import shorten_ways

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.mcheck.engine.abi import Error
    from lfc.mcheck.properties.beside import Beside
    from lfc.mcheck.properties.invariants import Invariants
    from lfc.mcheck.reduction.common.reduction import Choice
    from lfc.mcheck.reduction.symmetry.data_independence import Independent
    from lfc.mcheck.request.property import Watch
    from lfc.mcheck.request.request import Claims, Request
    from lfc.mcheck.result.finding import Finding
    from lfc.mcheck.search.worker_thread import Progress
    from lfc.semantics.model import typed


AT_LEAST_AGAIN = 10.0  # seconds, for a second attempt where the first has ended in doubt


def check(machine: Machine, request: Request, progress: Callable[[Progress], None] | None = None) -> CheckResult:
    """Raises CheckpointError, SpillError, NotSymbolic, and KeyboardInterrupt never: an interrupted search is
    inconclusive."""
    begin = time.monotonic()
    result = check_as_asked(machine, request, progress)
    if result.verdict is not Verdict.INCONCLUSIVE:
        return result
    from lfc.mcheck.every_timing import holds_with_any_intervals

    seconds = max(AT_LEAST_AGAIN, 2 * result.seconds)
    left = request.changed(seconds=min(seconds, time_left(request.limits.seconds, begin) or seconds))
    return holds_with_any_intervals(machine, left, result, lambda m: check_as_asked(m, left, progress)) or result


def check_as_asked(machine: Machine, request: Request, progress: Callable[[Progress], None] | None) -> CheckResult:
    begin = time.monotonic()
    if request.claims.only or SLICE in request.reductions:
        sliced = checked_slice(machine, request, progress)
        if isinstance(sliced, CheckResult):
            return sliced
        request = sliced
    try:
        return check_in_full(machine, request, progress, may_slice=True)
    except Sliced as many:
        data, left = many.data, request.changed(seconds=time_left(request.limits.seconds, begin))
        try:
            sliced = checked_slice(machine, left.changed(reductions=(SLICE, AUTO)), progress, data)
        except AnsweredBeside:
            assert data.result is not None
            return data.result
        finally:
            data.end()
        assert isinstance(sliced, CheckResult)
        sliced.sampled = max(many.states, sliced.sampled)
        return sliced


MANY_INPUTS = 8  # values that a variable has had: few values that stand for fewer bring little


class Sliced(Exception):
    """A slice is to be checked instead, beside what goes on with undetermined data."""

    def __init__(self, states: int, data: DataBeside) -> None:
        super().__init__(states)
        self.states, self.data = states, data


def checked_slice(
    machine: Machine,
    request: Request,
    progress: Callable[[Progress], None] | None,
    data: DataBeside | None = None,
) -> CheckResult | Request:
    """Raises AnsweredBeside: of what was asked before."""
    from lfc.mcheck.reduction.slicing.check_slice import check_slice

    return check_slice(machine, request, lambda m, r: check_in_full(m, r, progress, may_slice=False, data=data))


def check_in_full(
    machine: Machine,
    request: Request,
    progress: Callable[[Progress], None] | None,
    may_slice: bool,
    data: DataBeside | None = None,
) -> CheckResult:
    """`may_slice`: raises Sliced where that is better. `data`: of what was asked before; if that is answered raises
    AnsweredBeside. Few values of some inputs are searched where they stand for all."""
    begin = time.monotonic()
    try:
        return check_once(machine, request, progress, may_slice, data)
    except FewValuesDo as why:
        found = why
    from lfc.mcheck.reduction.symmetry.data_independence import with_few_told

    left = request.changed(seconds=time_left(request.limits.seconds, begin), few=found.data.as_request())
    result = check_once(machine, left, progress, may_slice, found.beside)
    return with_few_told(result, found.data, found.states)


class FewValuesDo(Exception):
    """Of some inputs few values stand for all."""

    def __init__(self, data: Independent, states: int) -> None:
        super().__init__(states)
        self.data, self.states = data, states  # `states`: that were searched in full
        self.beside: DataBeside | None = None


def check_once(
    machine: Machine,
    request: Request,
    progress: Callable[[Progress], None] | None,
    may_slice: bool,
    data: DataBeside | None,
) -> CheckResult:
    """As `check_in_full`. Raises FewValuesDo as well."""
    shown = Shown(None, request.limits.memory, time.monotonic(), progress)
    with ctrl_c(shown):
        shown.growth = growth_lines
        question = question_of(machine, request)
        if request.search.distributed:
            from lfc.mcheck.together import first_before_others, refuse_what_needs_all_states

            refuse_what_needs_all_states(question)
            alone = Searches(question, shown)
            first_before_others(alone.compile)
            return searched(alone, may_slice=False)
        if request.world.data is Data.SYMBOLIC:
            from lfc.mcheck.undetermined import asked_for

            return asked_for(question, shown)
        if data is None:
            data = DataBeside(question, shown)
        else:
            data.follow(question, shown)
        searches = Searches(question, shown, data)
        try:
            return at_once(searches, may_slice) or searched(searches, may_slice)
        except AnsweredBeside:
            if data.is_of_another:
                raise
            assert data.result is not None
            return data.result
        except SliceIsBetter as many:
            handed, data = data, None
            raise Sliced(many.states, handed) from None
        except FewValuesDo as few:
            few.beside, data = data, None
            raise
        finally:
            if data is not None:
                data.end()


def searched(searches: Searches, may_slice: bool) -> CheckResult:
    """Raises AnsweredBeside, SliceIsBetter."""
    question, shown = searches.question, searches.shown
    begun = begin(searches, may_slice)
    with closing(begun.search) as search:
        stop = run(begun, searches)
        if question.request.search.distributed:
            from lfc.mcheck.together import serve_unless_first

            serve_unless_first(search)
        if searches.data is not None and searches.data.after(stop) is not None:
            raise AnsweredBeside
        findings, told = errors_found(searches, begun)
        if stop is Stop.COMPLETE and not others_than_properties(findings):
            findings = stuck_for_ever(search, shown) + findings
        if stop is Stop.COMPLETE and (question.request.claims.past_errors or not others_than_properties(findings)):
            more, also = properties_violated(searches, begun)
            findings += more
            told.take_over(also)
        if question.request.claims.keep_going:
            findings = in_order_of_kind(findings)
        result = conclude(question, begun, stop, findings, told, shown)
        return without_samples(searches, search, result) or result


class Searches:
    """Those of one check: they share one compiled program."""

    def __init__(self, question: Question, shown: Shown, data: DataBeside | None = None) -> None:
        """`data`: None: of a part of the question, so nothing beside it answers."""
        self.question, self.shown, self.data = question, shown, data
        self.model: CompiledModel | None = None  # when it is needed first
        self.invariants: dict[Search, Invariants] = {}  # those that are watched there
        self.beside: dict[Search, Beside] = {}  # what is looked for beside it

    def make(self, request: Request, choices: Sequence[Choice]) -> Search:
        self.compile()
        search = Search(self.question.machine, request, in_order(used(choices)), model=self.model)
        if self.question.watched.properties:
            self.watch(search, without_which(choices))
        return search

    def compile(self) -> None:
        if self.model is None:
            before, q = time.monotonic(), self.question
            soon = q.request.search.breadth_first
            self.model = CompiledModel(q.machine, q.request.world, q.watched.atoms, q.watched.watchers, soon)
            self.shown.compiling = time.monotonic() - before
            self.shown.begin += self.shown.compiling

    def watch(self, search: Search, apart: Collection[str]) -> None:
        from lfc.mcheck.properties.beside import look_beside
        from lfc.mcheck.properties.invariants import watch_invariants

        watched = watch_invariants(self.question, search, apart)
        if watched is not None:
            self.invariants[search] = watched
        beside = look_beside(self.question, search, apart, watched.names_of_all if watched is not None else ())
        if beside is not None:
            self.beside[search] = beside

    def without(self, begun: Begun, names: frozenset[str], siblings: Iterable[Search]) -> Search:
        """For properties that are looked for without these reductions, and for runs that cannot be shown with some."""
        taken = sum(memory_of(s.statistics) for s in (begun.search, *siblings))
        memory = self.question.request.limits.memory
        left = max(1 << 20, memory - taken) if memory else 0
        request = self.question.request.changed(memory=left, distributed=False)
        return self.make(request, [c for c in begun.choices if c.name not in names])

    def go_on_beside(self, search: Search) -> None:
        """From a search at rest on: it has not come to its end soon. Raises FewValuesDo."""
        from lfc.mcheck.statistics.usage import most_values

        most = most_values(search)
        few = self.independent_data() if most >= MANY_INPUTS else None
        if few is not None and few.few:
            raise FewValuesDo(few, search.statistics.states)
        if self.data is not None and self.model is not None:
            self.data.for_many_values(most, self.model.generated.ir)

    def independent_data(self) -> Independent | None:
        """None: it was looked for before, or every value is asked for."""
        q = self.question
        if self.data is None or q.request.world.few or not q.request.may_leave_data or q.request.needs_all_states:
            return None
        if q.too_wide or any(group.watchers for group in (q.watched, *q.later)):
            return None
        from lfc.mcheck.reduction.symmetry.data_independence import independent_data

        atoms = [a for group in (q.watched, *q.later) for a in group.atoms]
        return independent_data(q.machine, atoms, q.request.world.assume)


def question_of(machine: Machine, request: Request) -> Question:
    fair = assumed_fairness(machine, request.claims.fairness, request.claims.fair)
    properties = chosen_properties(machine, request.claims)
    if not properties:
        return Question(machine, request, fair=fair)
    from lfc.mcheck.properties.product import watch_in_groups  # not every program pays for automata

    (first, *later), too_wide = watch_in_groups(machine, properties)
    if later:
        refuse_clock([atom for group in later for atom in group.atoms], request)
    return Question(machine, request, first, fair, later, too_wide)


def refuse_clock(atoms: Iterable[typed.Expr], request: Request) -> None:
    """As the search of these would, which comes late. Raises ClockNotKept."""
    from lfc.mcheck.model.clocks import CLOCK_OF_PROPERTY, TIME_OF_PROPERTY, ClockNotKept
    from lfc.mcheck.request.world import Time
    from lfc.semantics.model import typed
    from lfc.semantics.model.visit import reads_clock

    atoms = list(atoms)
    if request.world.time != Time.DISCRETE and any(map(reads_clock, atoms)):
        raise ClockNotKept(CLOCK_OF_PROPERTY)
    if request.world.time == Time.FREE and any(isinstance(a, typed.TimerAtom) for a in atoms):
        raise ClockNotKept(TIME_OF_PROPERTY)


def chosen_properties(machine: Machine, claims: Claims) -> list[typed.Property]:
    found = [p for module in machine.program.modules for p in module.properties]
    return [p for p in found if not claims.properties or p.name in claims.properties]


def growth_lines(search: Search) -> list[str]:
    from lfc.mcheck.growth import growth_of

    return growth_of(search.machine, search).lines()


def begin(searches: Searches, may_slice: bool = False) -> Begun:
    """With the reductions that were asked for, or with those that are chosen by themselves."""
    question, shown = searches.question, searches.shown
    request = question.request
    if request.reductions == (AUTO,) and not request.needs_all_states:
        possible = partial(choices, question, tuple(OF_SEARCHES))
        left, slices = time_left(request.limits.seconds, shown.begin), partial(leaves_variables, question)
        if not may_slice:
            slices = partial(bool)
        begun = begin_by_itself(searches.make, request, possible, shown, left, slices, searches.go_on_beside)
    else:
        left = time_left(request.limits.seconds, shown.begin)
        begun = begin_as_asked(searches.make, request, choices(question, request.reductions), shown, left)
    shown.search = begun.search
    return begun


def at_once(searches: Searches, may_slice: bool) -> CheckResult | None:
    """With data left undetermined, where the program shows that this is better. Raises FewValuesDo, SliceIsBetter."""
    if searches.data is None or not searches.data.may_begin:
        return None
    searches.compile()
    assert searches.model is not None
    if not reads_wide_input(searches.model.generated.ir):
        return None
    few = searches.independent_data()
    if few is not None and few.at_once:
        raise FewValuesDo(few, 0)
    found = None if searches.question.request.world.few else searches.data.at_once()
    if found is not None and not decides(found) and may_slice and leaves_variables(searches.question):
        raise SliceIsBetter(0)  # it may not read the clock
    return found


def without_samples(searches: Searches, search: Search, result: CheckResult) -> CheckResult | None:
    """What only one value of some inputs was tried for. None: it stays as it is."""
    few = search.statistics.assumed & (WIDE_READ | WIDE_WRITE)
    certain = result.verdict not in (Verdict.HOLDS, Verdict.INCONCLUSIVE)
    if not few or certain or result.interrupted or searches.data is None:
        return None
    return searches.data.instead_of_samples()


def leaves_variables(question: Question) -> bool:
    """Whether a slice for all that is checked has fewer variables."""
    from lfc.mcheck.reduction.slicing.check_slice import leaves_variables_out

    return not question.why_steps_count() and leaves_variables_out(question.machine, question.request)


def run(begun: Begun, searches: Searches) -> Stop:
    search, shown, request = begun.search, searches.shown, searches.question.request
    checkpoint = request.checkpoint
    if checkpoint.wanted:
        from lfc.mcheck.search.checkpoint import resume_or_save

        resume_or_save(search, checkpoint)
    stop = ended(begun, shown)
    if stop in (Stop.COMPLETE, Stop.ERROR) and searches.data is not None:
        searches.data.end()
    for c in begun.choices:
        attached = search.attached.get(c.of)
        if attached is not None:
            c.told, c.notes = attached.did(), attached.notes
    with in_time(search, shown.begin, request.limits.seconds):
        in_thread(lambda: shorten_ways(search, REPORTED), search, shown)
    return stop


def ended(begun: Begun, shown: Shown) -> Stop:
    """How its search ends: it may have when reductions were chosen."""
    if begun.stop is not None:
        return begun.stop
    seconds = begun.search.request.limits.seconds
    return run_with_progress(begun.search, time_left(seconds, shown.begin), shown)


def errors_found(searches: Searches, begun: Begun) -> tuple[list[Finding], Told]:
    """What the search of the states has come across."""
    search, told = begun.search, Told()
    allowed = search.request.claims.allow_deadlocks
    errors = [e for e in search.errors() if e.kind != DEADLOCK or not allowed]
    beside = found_beside(searches, search, told)
    if not errors:
        return beside, told
    from lfc.mcheck.counterexample.explain import tell_error

    findings = []
    for e in first_of_each(in_order_of_rank(errors)):
        if e.kind == VIOLATION:
            findings.append(tell_violation(searches, search, e, told))
        else:
            findings.append(tell_error(search.machine, search, e))
    return findings + beside, told


def found_beside(searches: Searches, search: Search, told: Told) -> list[Finding]:
    beside = searches.beside.get(search)
    if beside is None or not beside.found:
        return []
    from lfc.mcheck.properties.check_properties import told_beside

    return told_beside(beside, told)


def tell_violation(searches: Searches, search: Search, error: Error, told: Told) -> Finding:
    from lfc.mcheck.properties.check_properties import told_on_the_fly

    return told_on_the_fly(searches.invariants[search], error, told)


def others_than_properties(findings: Sequence[Finding]) -> bool:
    return any(f.kind is not Verdict.PROPERTY for f in findings)


def stuck_for_ever(search: Search, shown: Shown) -> list[Finding]:
    if not search.request.claims.partial_deadlocks:
        return []
    shown.phase = "searching for partial deadlocks"
    with in_time(search, shown.begin, search.request.limits.seconds):
        stuck = in_thread(search.find_stuck, search, shown)
    if stuck is None:
        return []
    from lfc.mcheck.counterexample.explain import tell_stuck

    return [tell_stuck(search.machine, search, *stuck)]


def properties_violated(searches: Searches, begun: Begun) -> tuple[list[Finding], Told]:
    """Those that are watched in the search, then the others: a group of them in each of its own searches."""
    question = searches.question
    findings, told = violated_of_group(searches, begun)
    for group in question.later:
        certain = any(not doubt_about(f, begun.search.statistics.assumed) for f in findings)
        if certain and not question.request.claims.keep_going:
            break
        more, also = violated_in_search_of(group, searches, begun.search)
        findings += more
        told.take_over(also)
    if question.too_wide and not findings:
        from lfc.mcheck.properties.check_properties import leave_too_wide

        leave_too_wide(question.too_wide, told)
    order = [p.name for p in chosen_properties(question.machine, question.request.claims)]
    told.properties.sort(key=lambda entry: order.index(str(entry["name"])))
    told.remarks = {name: told.remarks[name] for name in order if name in told.remarks}
    return findings, told


def violated_in_search_of(group: Watch, searches: Searches, first: Search) -> tuple[list[Finding], Told]:
    question, shown = searches.question, searches.shown
    limits = question.request.limits
    memory = max(1 << 20, limits.memory - memory_of(first.statistics)) if limits.memory else 0
    request = question.request.changed(memory=memory)
    own = Searches(replace(question, request=request, watched=group, later=(), too_wide=()), shown)
    compiled = shown.compiling
    begun = begin(own)
    shown.compiling += compiled
    with closing(begun.search) as search:
        stop = ended(begun, shown)
        shown.search = first
        if stop in (Stop.COMPLETE, Stop.ERROR):
            told = Told()
            findings = found_beside(own, search, told)
            for e in first_of_each([e for e in search.errors() if e.kind == VIOLATION]):
                findings.append(tell_violation(own, search, e, told))
            if stop is Stop.COMPLETE:
                more, also = violated_of_group(own, begun)
                findings += more
                told.take_over(also)
            told.assumptions += of_clock(search)
            return findings, told
    from lfc.mcheck.properties.check_properties import leave_open_all

    return [], leave_open_all(group.properties, stop)


def violated_of_group(searches: Searches, begun: Begun) -> tuple[list[Finding], Told]:
    search, question, shown = begun.search, searches.question, searches.shown
    if not question.watched.properties:
        return [], Told()
    from lfc.mcheck.properties.check_properties import PropertyChecks

    shown.phase = "searching for violations of properties"
    with in_time(search, shown.begin, question.request.limits.seconds):
        apart, other = without_which(begun.choices), partial(searches.without, begun)
        checks = PropertyChecks(question, search, apart, other, searches.invariants.get(search))
        return in_thread(checks.check, search, shown)
