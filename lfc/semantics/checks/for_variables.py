"""LF0718: the variable of a FOR that its body changes."""

from __future__ import annotations

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.checks.facts import Facts
from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements


def check_for_variables(facts: Facts, diagnostics: Diagnostics) -> None:
    for body in facts.bodies.values():
        for statement in body.statements:
            if isinstance(statement, typed.For):
                span = _first_change(facts, statement)
                if span is not None:
                    facts.report(
                        diagnostics,
                        "LF0718",
                        span,
                        f"`{statement.variable.name}` counts a FOR and is changed in its body",
                        Note("the FOR is here; a WHILE says such a loop clearly", statement.span),
                    )


def _first_change(facts: Facts, loop: typed.For) -> Span | None:
    for statement in statements(loop.body):
        for access in accesses(statement):
            if access.variable is loop.variable and access.kind in WRITES:
                return access.span
            if (
                access.variable is loop.variable
                and access.kind is Kind.ARGUMENT
                and _is_changed_by(facts, access.formal)
            ):
                return access.span
        if isinstance(statement, typed.CallProcess) and loop.variable in facts.effects_of_call(statement)[1]:
            return statement.span
    return None


def _is_changed_by(facts: Facts, formal: typed.Variable | None) -> bool:
    return (
        formal is not None
        and isinstance(formal.owner, typed.Process)
        and (formal.owner not in facts.effects or formal in facts.effects[formal.owner].writes)
    )
