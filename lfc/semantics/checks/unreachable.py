"""LF0702: statements that control never reaches. Conditions that are constant FALSE are taken for a switch left off."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.flow import GOES_ON
from lfc.semantics.model import typed
from lfc.semantics.model.visit import bodies


def check_unreachable(facts: Facts, diagnostics: Diagnostics) -> None:
    for body in facts.bodies.values():
        _check_sequence(facts, body.owner.body, diagnostics)
        for statement in body.statements:
            for inner in bodies(statement):
                _check_sequence(facts, inner, diagnostics)


def _check_sequence(facts: Facts, body: Sequence[typed.Statement], diagnostics: Diagnostics) -> None:
    for statement, following in zip(body, body[1:], strict=False):
        if not facts.flow.statement(statement) & GOES_ON:
            facts.report(
                diagnostics,
                "LF0702",
                following.span,
                "this statement is never reached",
                Note(_why(statement), statement.span),
            )
            return


def _why(statement: typed.Statement) -> str:
    match statement:
        case typed.Exit():
            return "EXIT leaves the loop before it"
        case typed.Return():
            return "RETURN ends the process before it"
        case typed.Loop():
            return "this LOOP has no EXIT that is reached"
        case typed.While():
            return "this WHILE never ends"
        case typed.Repeat():
            return "this REPEAT never ends"
        case typed.CallProcess():
            return f"`{statement.process.name}` never returns"
    return "no way through this statement goes on"
