"""Which obligations a run meets, which none can meet, and runs that do."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from lfc.actions.model.machine import Body, Machine
from lfc.base.source import Span
from lfc.codegen.module.passed_blocks import numbered_blocks
from lfc.mcheck.check import check
from lfc.mcheck.conclude import not_all_tried
from lfc.mcheck.obligations.decisions import Decision, Way, pair_for, split_decisions
from lfc.mcheck.request.request import Request
from lfc.mcheck.result import reasons
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty

COVERED, INFEASIBLE, UNKNOWN = "covered", "infeasible", "unknown"
VERDICTS = {"property": COVERED, "holds": INFEASIBLE}  # of "the property implies itself with the condition flipped"


@dataclass(slots=True)
class Obligation:
    """`ways`: those that meet it; one, or a pair."""

    decision: Decision
    what: str
    verdict: str
    ways: tuple[Way, ...] = ()


@dataclass(slots=True)
class Solved:
    states: int
    complete: bool  # so what was not met cannot be
    reason: str  # why it is not
    obligations: list[Obligation] = field(default_factory=list)
    assumed: bool = False


Make = Callable[[], Machine]
Wanted = Callable[[Body, Span], bool]


def solve_decisions(make: Make, wanted: Wanted, request: Request, seconds: float) -> Solved:
    """One search in full: every way of every decision is a block of its own, and the engine notes which it passes.
    `make` gives a machine that nobody else has."""
    machine = make()
    decisions = split_decisions(machine, wanted)
    search = Search(machine, request.changed(keep_going=True, reductions="none"))
    try:
        stop = search.run(seconds)
        passed = search.seen().blocks
        statistics = search.statistics
        partly = not_all_tried(search)  # the clock has stood, or of an input one value was tried
        complete = stop is Stop.COMPLETE and not partly
        reason = "" if complete else reasons.FEW_INPUTS if stop is Stop.COMPLETE else stop.name.lower()
        solved = Solved(statistics.states, complete, reason, assumed=bool(statistics.assumed))
    finally:
        search.close()
    number = {id(block): n for n, (_, block) in enumerate(numbered_blocks(machine))}

    def reached(way: Way) -> bool:
        return passed[number[id(way.block)]]

    missing = INFEASIBLE if solved.complete else UNKNOWN
    for d in decisions:
        solved.obligations += list(_outcomes(d, reached, missing)) + list(_conditions(d, reached, missing))
    return solved


def _outcomes(d: Decision, reached: Callable[[Way], bool], missing: str) -> list[Obligation]:
    found = []
    names = [w.label for w in d.ways] if d.ways and d.ways[0].label else ["true", "false"]
    for name in dict.fromkeys(names):
        ways = [w for w in d.ways if (w.label or ("true" if w.outcome else "false")) == name]
        met = next((w for w in ways if reached(w)), None)
        found.append(Obligation(d, name, COVERED if met else missing, (met,) if met else ()))
    return found


def _conditions(d: Decision, reached: Callable[[Way], bool], missing: str) -> list[Obligation]:
    """Of a decision of one condition its outcomes say the same."""
    found = []
    for i, e in enumerate(d.conditions if len(d.conditions) > 1 else []):
        if isinstance(e, typed.Constant):
            continue
        pair = pair_for(d, i, reached)
        text = e.span.source.text[e.span.start : e.span.end]
        found.append(Obligation(d, f"{text} decides", COVERED if pair else missing, pair or ()))
    return found


def witness(make: Make, wanted: Wanted, way: Way, request: Request) -> Finding | None:
    """A shortest run that evaluates a decision in this way: an assertion that fails there."""
    machine = make()
    span = way.decision.span
    for w in [w for d in split_decisions(machine, wanted) for w in d.ways if w.same_as(way)]:
        w.block.statements.append(typed.Assert(span, typed.Constant(span, ty.BOOLEAN, 0)))
    result = check(machine, request.changed(reductions="none", keep_going=True))
    return next((f for f in result.findings if (f.span.start, f.span.end) == (span.start, span.end)), None)


# --- conditions of properties ------------------------------------------------------------------------------------


@dataclass(slots=True)
class Matter:
    """Whether a condition of a property matters in some run: the property holds there, and would not with the condition
    the other way round."""

    property: typed.Property
    condition: typed.Expr
    verdict: str
    result: CheckResult


def solve_properties(make: Make, request: Request, names: tuple[str, ...] = ()) -> list[Matter]:
    found = []
    machine = make()
    for p in [p for m in machine.program.modules for p in m.properties]:
        if p.formula is None or (names and p.name not in names):
            continue
        for at, condition in enumerate(atoms_of_formula(p.formula)):
            fresh = make()
            own = next(
                q
                for m in fresh.program.modules
                for q in m.properties
                if q.name == p.name and q.span.start == p.span.start
            )
            assert own.formula is not None
            other = flipped(own.formula, atoms_of_formula(own.formula)[at])
            for m in fresh.program.modules:
                m.properties = [q for q in m.properties if q is own]
            fresh.properties = []
            own.formula = typed.Temporal(own.formula.span, ty.BOOLEAN, "IMPLIES", own.formula, other)
            result = check(fresh, request.changed(allow_deadlocks=True))
            verdict = str(result.properties[0]["verdict"]) if result.properties else ""
            found.append(Matter(p, condition, VERDICTS.get(verdict, UNKNOWN), result))
    return found


def atoms_of_formula(f: typed.Expr) -> list[typed.Expr]:
    """From left to right: what is no operator of logic or of time."""
    if isinstance(f, typed.Temporal | typed.Logical):
        right = [] if f.right is None else atoms_of_formula(f.right)
        return atoms_of_formula(f.left) + right
    if isinstance(f, typed.Unary) and f.op == "~":
        return atoms_of_formula(f.operand)
    return [] if isinstance(f, typed.Constant) else [f]


def flipped(f: typed.Expr, atom: typed.Expr) -> typed.Expr:
    """With this atom the other way round, everywhere in the run."""
    if f is atom:
        return typed.Unary(f.span, ty.BOOLEAN, "~", f)
    if isinstance(f, typed.Temporal | typed.Logical):
        made = copy.copy(f)
        made.left = flipped(f.left, atom)
        made.right = None if f.right is None else flipped(f.right, atom)
        return made
    if isinstance(f, typed.Unary) and f.op == "~":
        return typed.Unary(f.span, f.type, "~", flipped(f.operand, atom))
    return f
