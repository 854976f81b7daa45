"""LF0727 and LF0728: pins and device registers that the board does not have, where it is known when compiled which are
meant. LF0729: the clock is asked what time it is, in a program that lets it stand still.
"""

from __future__ import annotations

from collections.abc import Iterator

from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.semantics.checks.facts import Facts, in_library
from lfc.semantics.checks.wraps import expressions_of
from lfc.semantics.model import typed
from lfc.semantics.model.types import Type
from lfc.semantics.model.visit import constant_of, subexpressions
from lfc.semantics.modules import BoardFacts

MODULE, TYPE = "GPIO", "Pin"
SLEEPS = "Power"
ASKING = {("Micros", "Now"), ("Timer", "OnTheBeat")}  # of the library, how late it is


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


def check_registers(facts: Facts, board: BoardFacts | None, diagnostics: Diagnostics) -> None:
    """None: this machine, on which a register is an input or an output of the run."""
    if board is None:
        return
    seen: set[int] = set()
    for address, span in addresses(facts):
        if address in seen:
            continue
        seen.add(address)  # one complaint is enough
        if not any(first <= address <= last for first, last in board.registers):
            facts.report(
                diagnostics,
                "LF0728",
                span,
                f"{board.chip}, the chip of {board.name}, has no register at {hexadecimal(address)}",
                Note(f"its devices lie at {told(board)}; was this written for another chip?"),
            )


def addresses(facts: Facts) -> Iterator[tuple[int, Span]]:
    for module in facts.program.modules:
        if not module.environment:
            yield from ((v.address, v.span) for v in module.variables if v.address is not None)
    for owner, body in facts.bodies.items():
        module = owner.module if isinstance(owner, typed.Process) else owner
        if module.environment:
            continue
        for statement in body.statements:
            accessed = [statement.address] if isinstance(statement, typed.PortOut) else []
            for whole in expressions_of(statement):
                accessed += [
                    e.arguments[0]
                    for e in subexpressions(whole)
                    if isinstance(e, typed.FunctionCall) and e.name.startswith("PORTIN")
                ]
            for e in accessed:
                address = constant_of(e)
                if address is not None:
                    yield address, e.span


def told(board: BoardFacts) -> str:
    areas = [f"{hexadecimal(first)} to {hexadecimal(last)}" for first, last in board.registers]
    return " and ".join(filter(None, [", ".join(areas[:-1]), areas[-1]]))


def hexadecimal(address: int) -> str:
    """As a number of the language, which begins with a digit."""
    digits = f"{address:X}"
    return f"{'' if digits[0].isdigit() else '0'}{digits}H"


def check_standing_clock(facts: Facts, diagnostics: Diagnostics) -> None:
    if not any(m.name == SLEEPS and in_library(m.source) for m in facts.program.modules):
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
                    f"`{name}` beside `{SLEEPS}`: the clock stands still while the board sleeps deeply, so it does "
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
