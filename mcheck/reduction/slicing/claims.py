"""What a slice is for: the claims that a request names, and whether scheduling points may leave."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.fairness import assumed_fairness
from lfc.mcheck.reduction.slicing.dependence import Claims, Owner, UnknownClaim
from lfc.mcheck.request.request import Request
from lfc.mcheck.request.world import Time
from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements

ASSERTS, FAULTS, DEADLOCK = "assert", "faults", "deadlock"


def all_asserts(program: typed.Program) -> list[typed.Assert]:
    owners: list[Owner] = [*program.modules, *program.all_processes()]
    return [s for owner in owners for s in statements(owner.body) if isinstance(s, typed.Assert)]


def claims_of(machine: Machine, request: Request) -> Claims:
    """What `claims.only` names; of nothing, all that a check looks for. Raises UnknownClaim."""
    program, asked = machine.program, request.claims
    properties = [p for module in program.modules for p in module.properties]
    asserts = all_asserts(program)
    found: Claims
    if not asked.only:
        chosen = [p for p in properties if not asked.properties or p.name in asked.properties]
        why = "faults are checked" if asked.allow_deadlocks else "faults and deadlocks are checked"
        text = "what is checked"
        found = Claims(chosen, {id(s) for s in asserts}, True, not asked.allow_deadlocks, why, text=text)
        found.passes = asked.allow_deadlocks and not why_partners_stay(machine, request, found)
        found.known_ports = frozenset(machine.constant_ports)
        return found
    found = Claims(text=", ".join(f"line {n}" if n.isdigit() else n for n in asked.only))
    for name in asked.only:
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
            found.deadlock = True
        else:
            names = ", ".join(p.name for p in properties)
            lines = ", ".join(str(s.span.line) for s in asserts)
            there = [FAULTS, DEADLOCK]
            there += [f"the properties {names}"] * bool(names) + [f"ASSERT on lines {lines}"] * bool(lines)
            raise UnknownClaim(f"unknown claim `{name}`; claims are {', '.join(there[:-1])} and {there[-1]}")
    found.points_stay = why_points_stay(machine, request, found)
    found.passes = not found.deadlock and not why_partners_stay(machine, request, found)
    found.known_ports = frozenset(machine.constant_ports)
    return found


def why_points_stay(machine: Machine, request: Request, claims: Claims) -> str:
    if claims.deadlock:
        return "a waiting process may be deadlocked"
    if claims.faults:
        return "a nonterminating action and an unset port are faults"
    return why_partners_stay(machine, request, claims)


def why_partners_stay(machine: Machine, request: Request, claims: Claims) -> str:
    """Of claims that are not of deadlocks: why what is claimed of more runs is not claimed of these."""
    if request.world.time != Time.FREE or request.world.rate:
        return "a ready process delays time"
    if not claims.properties:
        return ""
    if assumed_fairness(machine, request.claims.fairness, request.claims.fair):
        return "fairness concerns every process"
    return why_properties_need_steps(machine, claims.properties)


def why_properties_need_steps(machine: Machine, properties: Sequence[typed.Property]) -> str:
    from lfc.mcheck.properties.product import told_by_prefix, watch_in_groups

    groups, too_wide = watch_in_groups(machine, properties)
    if too_wide:
        return f"`{too_wide[0].name}` has more atoms than can be watched"
    for w in (w for group in groups for w in group.properties):
        if w.automaton is None:
            return f"`{w.of.name}` is a monitor process, which observes every step"
        if not w.stutter_insensitive:
            return f"`{w.of.name}` counts steps"
        if not told_by_prefix(w.automaton):
            return f"`{w.of.name}` concerns infinite runs, which removed processes could produce"
    return ""
