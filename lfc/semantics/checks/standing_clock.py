"""LF0729: the clock is asked what time it is, in a program that lets it stand still."""

from __future__ import annotations

from collections.abc import Iterator

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts, in_library
from lfc.semantics.checks.wraps import expressions_of
from lfc.semantics.model import typed
from lfc.semantics.model.visit import subexpressions

MODULE = "Power"
ASKING = {("Micros", "Now"), ("Timer", "OnTheBeat")}  # of the library


def check_standing_clock(facts: Facts, diagnostics: Diagnostics) -> None:
    if not any(m.name == MODULE and in_library(m.source) for m in facts.program.modules):
        return
    for owner, body in facts.bodies.items():
        module = owner.module if isinstance(owner, typed.Process) else owner
        if module.environment or in_library(module.source):
            continue
        for statement in body.statements:
            for span, name in looks_at_the_clock(statement):
                facts.report(
                    diagnostics,
                    "LF0729",
                    span,
                    f"`{name}` beside `{MODULE}`: the clock stands still while the board sleeps deeply, so it does "
                    "not say how long something took",
                    Note("wait with `Clock.After` in a SELECT, or leave the module out"),
                )


def looks_at_the_clock(statement: typed.Statement) -> Iterator[tuple[Span, str]]:
    if isinstance(statement, typed.CallProcess | typed.CreateProcess):
        process = statement.process
        if (process.module.name, process.name) in ASKING and in_library(process.module.source):
            yield statement.span, f"{process.module.name}.{process.name}"
    for whole in expressions_of(statement):
        for e in subexpressions(whole):
            if isinstance(e, typed.FunctionCall) and e.name == "Clock.Now":
                yield e.span, e.name
