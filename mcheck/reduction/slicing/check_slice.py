"""The check of a slice instead of the program, and errors told of the program."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass, replace

from lfc.actions.model.machine import Machine, Position
from lfc.base.source import Span
from lfc.mcheck.counterexample.replay import CannotReplay
from lfc.mcheck.reduction.common.reduction import Choice
from lfc.mcheck.reduction.slicing.claims import all_asserts, claims_of, why_properties_need_steps
from lfc.mcheck.reduction.slicing.dependence import WHOLE, Claims, Kept, fields_of, overlap, slice_of, variables_of
from lfc.mcheck.reduction.slicing.lift_trace import FullWay, key_of, passed_at
from lfc.mcheck.reduction.slicing.reduction import Slicing, why_no_slice
from lfc.mcheck.reduction.slicing.rounds import rounds_in_slice
from lfc.mcheck.reduction.slicing.sliced_program import machine_of_slice, owners_of
from lfc.mcheck.request.request import Request
from lfc.mcheck.result.finding import REPORTED, Finding, Verdict, in_order_of_kind
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.worker_thread import time_left
from lfc.run.native import host_target
from lfc.run.running import HostRun, Mode, Status
from lfc.semantics.model import typed
from lfc.semantics.model.visit import root_variable
from lfc.trace.items import encode

NOTHING_LEAVES = "every statement affects what is checked"
MOST_SLICES = 8  # with communications that pass
PASSING_STATES = 500_000  # of each of them
LONG = "what does not affect what is checked may have too many loop iterations and calls"
NO_WAY = "its counterexample, an infinite run, was searched for again in the full program"


@dataclass(slots=True)
class Slice:
    kept: Kept
    machine: Machine


def make_slice(machine: Machine, claims: Claims, back: Set[int] = frozenset()) -> Slice:
    kept = slice_of(machine.program, claims, back)
    return Slice(kept, machine_of_slice(kept))


def leaves_all(kept: Kept) -> bool:
    blanks = len(kept.blank_values) + len(kept.blank_arguments)
    return not blanks and not kept.passing and all(id(s) in kept.statements for s in kept.all_statements)


def leaves_variables_out(machine: Machine, request: Request) -> bool:
    """Whether a slice for all that is checked has fewer variables that change."""
    if why_no_slice(machine, request):
        return False
    kept = slice_of(machine.program, claims_of(machine, request))
    if kept.passing or kept.merged:
        return True
    return any(
        changes_nothing_relevant(s.set if isinstance(s, typed.Include) else s.target, kept)
        for s in kept.all_statements
        if id(s) not in kept.statements and isinstance(s, typed.Assign | typed.Step | typed.Include)
    )


def changes_nothing_relevant(target: typed.Expr, kept: Kept) -> bool:
    v, part = root_variable(target), fields_of(target)
    return v is not None and not v.outside and not any(overlap(part, other) for other in kept.variables.get(v, ()))


def check_slice(
    machine: Machine, request: Request, check: Callable[[Machine, Request], CheckResult]
) -> CheckResult | Request:
    """Where no slice may be made, what is to be checked instead. Raises UnknownClaim, and what the check raises."""
    only = request.claims.only
    if why_no_slice(machine, request):
        return request.changed(only=(), reductions=(Slicing.name, *request.reductions)) if only else request
    claims = claims_of(machine, request)
    whole = request.changed(reductions=tuple(r for r in request.reductions if r != Slicing.name), only=())
    coarse = SearchOfSlices(machine, whole, claims, check, bool(only), time.monotonic())
    return coarse.with_passing() or coarse.with_partners()


@dataclass(slots=True)
class SearchOfSlices:
    """The slices of one claim, the smallest first: what an error that the program does not have needs comes back."""

    machine: Machine
    whole: Request  # without slices
    claims: Claims
    check: Callable[[Machine, Request], CheckResult]
    alone: bool  # nothing else is looked for
    begin: float

    def with_passing(self) -> CheckResult | None:
        """None: slices in which communications pass do not tell."""
        back: set[int] = set()
        once = self.claims.passes and not self.whole.checkpoint.wanted  # one search is saved
        for _ in range(MOST_SLICES if once else 0):
            s = make_slice(self.machine, self.claims, back)
            if (not s.kept.passing and not s.kept.merged) or self.is_long(s):
                return None
            most = self.whole.limits.states
            few = self.request(s).changed(states=min(most or PASSING_STATES, PASSING_STATES))
            seconds = time_left(self.whole.limits.seconds, self.begin)
            try:
                result = self.check(s.machine, few.changed(seconds=seconds / 2))
            except CannotReplay:  # as below
                if not self.claims.faults:
                    raise
                return None
            if self.others(result):
                return None
            if result.verdict is Verdict.HOLDS or result.interrupted or (result.findings and self.lifts(s, result)):
                return self.told(s, result)
            if not result.findings:
                return None
            back |= brought_back(s, [f for f in result.findings if f.machine is not None])
        return None

    def with_partners(self) -> CheckResult:
        claims = replace(self.claims, passes=False)
        kept = slice_of(self.machine.program, claims)
        if not self.alone and leaves_all(kept):
            return without_slice(self.check(self.machine, self.in_time()), NOTHING_LEAVES)
        s = make_slice(self.machine, claims)
        if self.is_long(s):
            return self.without(LONG)
        try:
            result = self.check(s.machine, self.request(s))
        except (
            CannotReplay
        ):  # an action without end, of which the program can have more rounds than the slice was given
            if not claims.faults:
                raise
            return self.without(LONG)
        if not self.lifts(s, result) or self.others(result):
            if not self.alone:
                return self.without(NO_WAY)
            everything = self.of_everything()
            if self.claims.passes or everything.verdict is not Verdict.INCONCLUSIVE:
                return everything
        return self.told(s, result)

    def without(self, why: str) -> CheckResult:
        return self.of_everything() if self.alone else without_slice(self.check(self.machine, self.in_time()), why)

    def of_everything(self) -> CheckResult:
        """Of one claim, in the program with all that may end it before: what else fails is none of what is asked."""
        s = make_whole(self.machine, self.claims)
        past = bool(self.claims.properties) and not why_properties_need_steps(self.machine, self.claims.properties)
        result = self.check(s.machine, self.request(s).changed(keep_going=True, past_errors=past))
        others = self.others(result)
        result.findings = [f for f in result.findings if f not in others]
        result.findings = [followed(self.machine, f) or replace(f, machine=s.machine) for f in result.findings]
        if others and result.verdict is not Verdict.INCONCLUSIVE:
            only_claimed(result, self.claims, others)
        return self.told(s, result)

    def others(self, result: CheckResult) -> list[Finding]:
        """Errors that nobody asked for: they end runs, and of what is claimed they say nothing."""
        claimed = {a.span for a in all_asserts(self.machine.program) if id(a) in self.claims.asserts}
        return [f for f in result.findings if self.alone and not is_claimed(f, self.claims, claimed)]

    def in_time(self) -> Request:
        return self.whole.changed(seconds=time_left(self.whole.limits.seconds, self.begin))

    def request(self, s: Slice) -> Request:
        claimed = self.alone and not self.claims.deadlock
        allow = self.whole.claims.allow_deadlocks or claimed
        asked = self.in_time().changed(properties=(), allow_deadlocks=allow)
        return asked.changed(rounds=self.rounds(s)) if self.claims.faults else asked

    def is_long(self, s: Slice) -> bool:
        """What left counts, and cannot be counted."""
        return self.claims.faults and self.rounds(s) < 0

    def rounds(self, s: Slice) -> int:
        """That an action of the slice may have: one of the program then has no more than it may."""
        return rounds_in_slice(s.kept, self.whole.tuning.rounds)

    def lifts(self, s: Slice, result: CheckResult) -> bool:
        """Whether each error is one of the program; `result` tells them of it."""
        result.findings = [
            FullWay(s.kept, self.machine, s.machine, f).find() or replace(f, machine=s.machine) for f in result.findings
        ]
        return all(f.machine is None for f in result.findings)

    def told(self, s: Slice, result: CheckResult) -> CheckResult:
        say_of_slice(result, self.machine, s)
        gone = sum(id(x) not in s.kept.statements for x in s.kept.all_statements)
        why = self.claims.points_stay
        text = f"{gone} of {len(s.kept.all_statements)} statements do not affect {self.claims.text}"
        text += f"; all scheduling points stay, because {why}" if why else ""
        passing = len(s.kept.passing)
        text += f"; at {passing} no partner is needed" if passing else ""
        result.reductions = [Choice(Slicing(), told=gone, text=text), *result.reductions]
        if self.alone:
            result.only = self.claims.text
            result.assumptions = [a for a in result.assumptions if not a.startswith("processes may wait forever")]
        return result


def make_whole(machine: Machine, claims: Claims) -> Slice:
    """Nothing leaves but the properties that are not claimed."""
    kept = slice_of(machine.program, replace(claims, passes=False))
    kept.statements = {id(s) for s in kept.all_statements}
    kept.processes = set(kept.reached)
    kept.variables = {v: WHOLE for owner in owners_of(machine.program) for v in variables_of(owner)}
    kept.blank_values, kept.blank_arguments = [], []
    return Slice(kept, machine_of_slice(kept))


def followed(machine: Machine, f: Finding) -> Finding | None:
    """A way through all statements, as the program goes it: only variables that nothing names are more."""
    from lfc.codegen.program import generate

    run = HostRun(generate(machine, host_target()), 1, Mode.FOLLOW)
    blocks = [run.block]
    for step in f.steps[: len(f.blocks) - 1]:
        run.follow(encode(step, run.wide))
        if run.step() is not Status.RAN:
            return None
        blocks.append(run.block)
    return replace(f, blocks=blocks, run=None if f.run is None else replace(f.run, blocks=blocks))


def is_claimed(f: Finding, claims: Claims, asserts: Set[Span]) -> bool:
    match f.kind:
        case Verdict.ASSERTION:
            return f.span in asserts
        case Verdict.FAULT:
            return claims.faults
        case Verdict.DEADLOCK | Verdict.PARTIAL_DEADLOCK:
            return claims.deadlock
    return True


def only_claimed(result: CheckResult, claims: Claims, others: Sequence[Finding]) -> None:
    """The verdict, where the program has other errors."""
    if result.findings:
        result.verdict = in_order_of_kind(result.findings)[0].kind
        return
    told_of = {entry["name"]: entry["verdict"] for entry in result.properties}
    open_ones = [p.name for p in claims.properties if told_of.get(p.name) != Verdict.HOLDS]
    if (claims.properties and not open_ones) or not (claims.properties or claims.deadlock):
        if len(others) < REPORTED:
            result.verdict, result.reason = Verdict.HOLDS, ""
            return
    first = others[0]
    where = f"{first.span.source.path}:{first.span.line}"
    result.verdict = Verdict.INCONCLUSIVE
    result.reason = f"the program has another error ({first.kind} at {where}), after which it was not looked for"


def brought_back(s: Slice, findings: Sequence[Finding]) -> set[int]:
    """What passes on the ways to these errors; if nothing does there, all that passes or is merged."""
    places = {key_of(p) for f in findings for b in f.blocks for p in positions_at(s.machine, b)}
    met = {at for at, x in s.kept.passing.items() if any(k[1:4] == passed_at("", x)[1:4] for k in places)}
    return met or {*s.kept.passing, *s.kept.merged}


def positions_at(m: Machine, block: bytes) -> Iterator[Position]:
    for slot in range(m.slots):
        position = m.position_at(block, slot)
        if position is not None:
            yield position


def without_slice(result: CheckResult, why: str) -> CheckResult:
    result.reductions = [Choice(Slicing(), why), *result.reductions]
    return result


def say_of_slice(result: CheckResult, machine: Machine, s: Slice) -> None:
    """What is said beside the verdict must not seem to be of the program where it is not."""
    beside = result.beside
    beside.unreached.of_slice = True
    if not s.kept.claims.points_stay:
        beside.unreached.messages = []  # others may be exchanged where nobody looks
    if beside.bounds is not None:
        beside.bounds.block_bytes = machine.layout.size
