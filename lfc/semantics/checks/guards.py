"""LF0716: guards that read variables which another process changes: they are not evaluated again when it does."""

from __future__ import annotations

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts
from lfc.semantics.checks.shared import SharedVariable
from lfc.semantics.model import typed
from lfc.semantics.model.visit import subexpressions


def check_guards(facts: Facts, shared: list[SharedVariable], diagnostics: Diagnostics) -> None:
    by_variable = {s.variable: s for s in shared}
    for body in facts.bodies.values():
        for select in body.statements:
            if isinstance(select, typed.Select):
                for clause in select.clauses:
                    if clause.guard is not None:
                        _check_guard(facts, body.owner, clause.guard, by_variable, diagnostics)


def _check_guard(
    facts: Facts,
    owner: typed.Module | typed.Process,
    guard: typed.Expr,
    shared: dict[typed.Variable, SharedVariable],
    diagnostics: Diagnostics,
) -> None:
    reported: set[typed.Variable] = set()
    for e in subexpressions(guard):
        if not isinstance(e, typed.VariableRef) or e.variable in reported:
            continue
        others = {
            writer.name: None
            for variable in (e.variable, *facts.aliases.get(e.variable, ()))
            if variable in shared
            for writer in shared[variable].writers
            if writer.process is not owner or writer.several
        }
        if others:
            reported.add(e.variable)
            facts.report(
                diagnostics,
                "LF0716",
                e.span,
                f"this guard reads `{e.variable.name}`, which {_listed(list(others))} can change meanwhile",
                Note(
                    "a guard is evaluated when its SELECT is tried and for each later partner, not as variables change"
                ),
            )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
