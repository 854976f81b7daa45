"""The check of a slice instead of the program: what it is for, why it may not be made, and errors told of the
program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Machine
from lfc.mcheck.reduction.registry import SLICE, Reduction
from lfc.mcheck.reduction.slicing.dependence import Claims, Kept, Owner, UnknownClaim, slice_of
from lfc.mcheck.reduction.slicing.lift_trace import FullWay
from lfc.mcheck.reduction.slicing.sliced_program import machine_of_slice
from lfc.mcheck.request.fairness import assumed_fairness
from lfc.mcheck.search.worker_thread import Progress
from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements

if TYPE_CHECKING:
    from lfc.mcheck.check import CheckOptions, CheckResult

ASSERTS, FAULTS, DEADLOCK = "assert", "faults", "deadlock"


@dataclass(slots=True)
class Slice:
    kept: Kept
    machine: Machine


def why_no_slice(machine: Machine, options: CheckOptions) -> str:
    if machine.environment is not None:
        return "an environment may look at everything"
    if options.world.outside:
        return "others use the module's channels"
    return "the image is executed in every state" if options.image is not None else ""


def all_asserts(program: typed.Program) -> list[typed.Assert]:
    owners: list[Owner] = [*program.modules, *program.all_processes()]
    return [s for owner in owners for s in statements(owner.body) if isinstance(s, typed.Assert)]


def claims_of(machine: Machine, options: CheckOptions) -> Claims:
    """What `options.only` names; of nothing, all that a check looks for. Raises UnknownClaim."""
    program = machine.program
    properties = [p for module in program.modules for p in module.properties]
    asserts = all_asserts(program)
    if not options.only:
        chosen = [p for p in properties if not options.properties or p.name in options.properties]
        why = "faults and deadlocks are looked for" if not options.allow_deadlocks else "faults are looked for"
        text = "what is looked for"
        return Claims(chosen, {id(s) for s in asserts}, True, why, text)
    found = Claims(text=", ".join(f"line {n}" if n.isdigit() else n for n in options.only))
    deadlock = False
    for name in options.only:
        named = [p for p in properties if p.name == name]
        on_line = [s for s in asserts if name.isdigit() and s.span.line == int(name)]
        if named:
            found.properties += named
        elif name == ASSERTS and asserts:
            found.asserts |= {id(s) for s in asserts}
        elif on_line:
            found.asserts |= {id(s) for s in on_line}
        elif name == FAULTS:
            found.faults = True
        elif name == DEADLOCK:
            deadlock = True
        else:
            names = ", ".join(p.name for p in properties)
            lines = ", ".join(str(s.span.line) for s in asserts)
            there = [FAULTS, DEADLOCK]
            there += [f"the properties {names}"] * bool(names) + [f"ASSERT on the lines {lines}"] * bool(lines)
            raise UnknownClaim(
                f"there is nothing to claim by the name of `{name}`; there are {', '.join(there[:-1])} and {there[-1]}"
            )
    found.points_stay = why_points_stay(machine, options, found, deadlock)
    return found


def why_points_stay(machine: Machine, options: CheckOptions, claims: Claims, deadlock: bool) -> str:
    if deadlock:
        return "whoever waits may be in a deadlock"
    if claims.faults:
        return "an action that does not end, and a port that was never set, are faults"
    if options.world.time != "free" or options.world.rate:
        return "whoever is ready holds up the time"
    if not claims.properties:
        return ""
    if assumed_fairness(machine, options.fairness, options.fair):
        return "fairness speaks of every process"
    return why_properties_need_steps(machine, claims.properties)


def why_properties_need_steps(machine: Machine, properties: Sequence[typed.Property]) -> str:
    from lfc.mcheck.properties.product import told_by_prefix, watch

    for w in watch(machine, properties).properties:
        if w.automaton is None:
            return f"`{w.of.name}` is a process, which looks at every step"
        if not w.stutter_insensitive:
            return f"`{w.of.name}` counts steps"
        if not told_by_prefix(w.automaton):
            return f"`{w.of.name}` speaks of runs without end, which those who have left could make"
    return ""


def make_slice(machine: Machine, claims: Claims) -> Slice:
    kept = slice_of(machine.program, claims)
    return Slice(kept, machine_of_slice(kept))


NOTHING_LEAVES = "all has to do with what is looked for"
NO_WAY = "what it found, a run without end, was looked for once more in the whole program"


def leaves_all(kept: Kept) -> bool:
    blanks = len(kept.blank_values) + len(kept.blank_arguments)
    return not blanks and all(id(s) in kept.statements for s in kept.all_statements)


def check_slice(
    machine: Machine, options: CheckOptions, progress: Callable[[Progress], None] | None = None
) -> CheckResult:
    """Of a program whose slice may be made. Raises UnknownClaim, and what the check raises."""
    from lfc.mcheck.check import check_program

    claims = claims_of(machine, options)
    whole = replace(options, reductions=tuple(r for r in options.reductions if r != SLICE), only=())
    if not options.only and leaves_all(slice_of(machine.program, claims)):
        result = check_program(machine, whole, progress)
        result.reductions = [Reduction(SLICE, NOTHING_LEAVES), *result.reductions]
        return result
    s = make_slice(machine, claims)
    deadlocks = options.allow_deadlocks or bool(options.only and DEADLOCK not in options.only)
    result = check_program(s.machine, replace(whole, properties=(), allow_deadlocks=deadlocks), progress)
    result.findings = [
        FullWay(s.kept, machine, s.machine, f).find() or replace(f, machine=s.machine) for f in result.findings
    ]
    if not options.only and any(f.machine is not None for f in result.findings):
        result = check_program(machine, whole, progress)
        result.reductions = [Reduction(SLICE, NO_WAY), *result.reductions]
        return result
    say_of_slice(result, machine, s)
    gone = sum(id(x) not in s.kept.statements for x in s.kept.all_statements)
    why = f"; all scheduling points stay, since {claims.points_stay}" if claims.points_stay else ""
    text = f"{gone} of {len(s.kept.all_statements)} statements have nothing to do with {claims.text}{why}"
    result.reductions = [Reduction(SLICE, "", gone, text), *result.reductions]
    if options.only:
        result.only = claims.text
        result.assumptions = [a for a in result.assumptions if not a.startswith("processes may wait for ever")]
    return result


def say_of_slice(result: CheckResult, machine: Machine, s: Slice) -> None:
    """What is said beside the verdict must not seem to be of the program where it is not."""
    beside = result.beside
    beside.unreached.of_slice = True
    if not s.kept.claims.points_stay:
        beside.unreached.messages = []  # others may be exchanged where nobody looks
    if beside.bounds is not None:
        beside.bounds.block_bytes = machine.layout.size
