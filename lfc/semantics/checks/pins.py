"""LF0727: pins that the board does not have, where it is known when compiled which pin is meant."""

from __future__ import annotations

from collections.abc import Iterator

from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts, in_library
from lfc.semantics.model import typed
from lfc.semantics.model.types import Type
from lfc.semantics.model.visit import constant_of
from lfc.semantics.modules import BoardFacts

MODULE, TYPE = "GPIO", "Pin"


def check_pins(facts: Facts, board: BoardFacts | None, diagnostics: Diagnostics) -> None:
    """None: this machine, which has them all."""
    pin = pin_type(facts)
    if board is None or pin is None:
        return
    for body in facts.bodies.values():
        for statement in body.statements:
            for e in pins_given(statement, pin):
                value = constant_of(e.operand if isinstance(e, typed.Convert) else e)
                if value is None or value in board.pins:
                    continue
                # That it is outside of the type is the same complaint.
                diagnostics.items = [d for d in diagnostics.items if d.code != "LF0506" or d.span != e.span]
                facts.report(
                    diagnostics,
                    "LF0727",
                    e.span,
                    f"{board.name} has no pin {value}",
                    Note(
                        f"its pins are {board.pins_told}; the numbers printed on a board may be others than its chip's"
                    ),
                )


def pin_type(facts: Facts) -> Type | None:
    for module in facts.program.modules:
        if module.name == MODULE and in_library(module.source):
            return next((t.type for t in module.types if t.name == TYPE), None)
    return None


def pins_given(statement: typed.Statement, pin: Type) -> Iterator[typed.Expr]:
    """What a statement passes or assigns as a pin."""
    if isinstance(statement, typed.CallProcess | typed.CreateProcess):
        yield from (a.value for a in statement.arguments if a.formal.type is pin)
    elif isinstance(statement, typed.Assign) and statement.target.type is pin:
        yield statement.value
