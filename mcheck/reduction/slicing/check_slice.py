"""The check of a slice instead of the program, and errors told of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from lfc.actions.model.machine import Machine
from lfc.mcheck.reduction.common.reduction import Choice
from lfc.mcheck.reduction.slicing.claims import DEADLOCK, claims_of
from lfc.mcheck.reduction.slicing.dependence import Claims, Kept, slice_of
from lfc.mcheck.reduction.slicing.lift_trace import FullWay
from lfc.mcheck.reduction.slicing.reduction import Slicing, why_no_slice
from lfc.mcheck.reduction.slicing.sliced_program import machine_of_slice
from lfc.mcheck.request.request import Request
from lfc.mcheck.result.result import CheckResult
from lfc.semantics.model import typed
from lfc.semantics.model.visit import root_variable

NOTHING_LEAVES = "every statement affects what is checked"
NO_WAY = "its counterexample, an infinite run, was searched for again in the full program"


@dataclass(slots=True)
class Slice:
    kept: Kept
    machine: Machine


def make_slice(machine: Machine, claims: Claims) -> Slice:
    kept = slice_of(machine.program, claims)
    return Slice(kept, machine_of_slice(kept))


def leaves_all(kept: Kept) -> bool:
    blanks = len(kept.blank_values) + len(kept.blank_arguments)
    return not blanks and all(id(s) in kept.statements for s in kept.all_statements)


def leaves_variables_out(machine: Machine, request: Request) -> bool:
    """Whether a slice for all that is checked has fewer variables that change."""
    if why_no_slice(machine, request):
        return False
    kept = slice_of(machine.program, claims_of(machine, request))
    written = {
        v
        for s in kept.all_statements
        if id(s) not in kept.statements and isinstance(s, typed.Assign | typed.Step | typed.Include)
        for v in [root_variable(s.target if not isinstance(s, typed.Include) else s.set)]
    }
    return any(v is not None and not v.outside and v not in kept.variables for v in written)


def check_slice(
    machine: Machine, request: Request, check: Callable[[Machine, Request], CheckResult]
) -> CheckResult | Request:
    """Where no slice may be made, what is to be checked instead. Raises UnknownClaim, and what the check raises."""
    only = request.claims.only
    if why_no_slice(machine, request):
        return request.changed(only=(), reductions=(Slicing.name, *request.reductions)) if only else request
    claims = claims_of(machine, request)
    whole = request.changed(reductions=tuple(r for r in request.reductions if r != Slicing.name), only=())
    if not only and leaves_all(slice_of(machine.program, claims)):
        return without_slice(check(machine, whole), NOTHING_LEAVES)
    s = make_slice(machine, claims)
    deadlocks = request.claims.allow_deadlocks or bool(only and DEADLOCK not in only)
    result = check(s.machine, whole.changed(properties=(), allow_deadlocks=deadlocks))
    result.findings = [
        FullWay(s.kept, machine, s.machine, f).find() or replace(f, machine=s.machine) for f in result.findings
    ]
    if not only and any(f.machine is not None for f in result.findings):
        return without_slice(check(machine, whole), NO_WAY)
    say_of_slice(result, machine, s)
    gone = sum(id(x) not in s.kept.statements for x in s.kept.all_statements)
    why = f"; all scheduling points stay, because {claims.points_stay}" if claims.points_stay else ""
    text = f"{gone} of {len(s.kept.all_statements)} statements do not affect {claims.text}{why}"
    result.reductions = [Choice(Slicing(), told=gone, text=text), *result.reductions]
    if only:
        result.only = claims.text
        result.assumptions = [a for a in result.assumptions if not a.startswith("processes may wait forever")]
    return result


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
