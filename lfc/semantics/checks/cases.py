"""LF0717: a CASE without ELSE over an enumeration that misses values, or over a constant that it misses."""

from __future__ import annotations

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts
from lfc.semantics.expressions.conversions import shown
from lfc.semantics.model import typed, types


def check_cases(facts: Facts, diagnostics: Diagnostics) -> None:
    for body in facts.bodies.values():
        for statement in body.statements:
            if isinstance(statement, typed.Case) and statement.otherwise is None:
                _check_case(facts, statement, diagnostics)
                _check_certain_fault(facts, statement, diagnostics)


def _takes(case: typed.Case, value: int) -> bool:
    return any(low <= value <= high for labels, _ in case.branches for low, high in labels)


def _check_certain_fault(facts: Facts, case: typed.Case, diagnostics: Diagnostics) -> None:
    selector = case.selector
    if not case.branches and not isinstance(selector.type, types.EnumerationType):
        message = "this CASE has no branches, and no ELSE: it faults when it is executed"
    elif isinstance(selector, typed.Constant) and isinstance(selector.value, int) and not _takes(case, selector.value):
        message = f"this CASE has no branch for {shown(selector)}: it faults when it is executed"
    else:
        return
    facts.report(diagnostics, "LF0717", selector.span, message)


def _check_case(facts: Facts, case: typed.Case, diagnostics: Diagnostics) -> None:
    # A subrange selector computes as its base; what it cannot hold need not be covered.
    selector = case.selector
    if isinstance(selector, typed.Constant):
        return
    while isinstance(selector, typed.Convert) and not selector.checked:
        selector = selector.operand
    low, high = 0, -1
    enumeration: types.Type = selector.type
    if isinstance(enumeration, types.SubrangeType):
        low, high, enumeration = enumeration.low, enumeration.high, enumeration.base
    elif isinstance(enumeration, types.EnumerationType):
        high = len(enumeration.values) - 1
    if not isinstance(enumeration, types.EnumerationType):
        return
    missing = [enumeration.values[value] for value in range(low, high + 1) if not _takes(case, value)]
    if missing:
        facts.report(
            diagnostics,
            "LF0717",
            case.selector.span,
            f"this CASE has no branch for {', '.join(f'`{name}`' for name in missing)}",
            Note("a value without a branch is a fault; an ELSE says what to do with all others"),
        )
