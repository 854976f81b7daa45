"""Variables of modules that count: where they come to a new value, whoever goes round in his text has got on.

Ranks of these are kept beside those of processes (docs/theory/partial-order.md). Which variables have them is a matter
of experience, for each step that lowers a rank goes back: here those that are only counted up, or only down, and set
anew, where this is done by actions that break rounds.
"""

from __future__ import annotations

from lfc.actions.model.machine import Advance, Machine
from lfc.mcheck.model.indexed_effects import statements_of
from lfc.mcheck.model.transitions import Step
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Variable
from lfc.semantics.model.visit import root_variable


class Counters:
    """Of a program, whichever positions break rounds."""

    def __init__(self, machine: Machine, steps: dict[int, Step]) -> None:
        variables = candidates(machine)
        self.at: dict[int, set[Variable]] = {}  # by position: what its action may count
        for n, step in steps.items():
            counted_there = {counted(s)[0] for _, block in step.blocks for s in block.statements}
            self.at[n] = {v for v in counted_there if v in variables}

    def of(self, breakers: set[int]) -> set[Variable]:
        return {v for n in breakers for v in self.at[n]}


def candidates(machine: Machine) -> set[Variable]:
    ways: dict[Variable, set[bool]] = {}
    for body in machine.composed_bodies:
        for s in statements_of(body):
            variable, up = counted(s)
            if variable is not None and isinstance(variable.owner, Module) and not variable.outside:
                ways.setdefault(variable, set()).add(up)
    return {v for v, directions in ways.items() if len(directions) == 1}


def counted(s: typed.Statement) -> tuple[Variable | None, bool]:
    """The variable that a statement counts, or an element of it, and whether up; None: it counts nothing."""
    match s:
        case typed.Step():
            return root_variable(s.target), not s.down
        case Advance():
            return root_variable(s.target), s.amount > 0
        case typed.Assign():
            variable = root_variable(s.target)
            direction = 0 if variable is None else direction_of(s.value, variable)
            return (variable, direction > 0) if direction else (None, False)
    return None, False


def direction_of(value: typed.Expr, variable: Variable) -> int:
    """Of `x + 1`, also in `(x + 1) MOD n`; 0: of anything else."""
    match value:
        case typed.Convert():
            return direction_of(value.operand, variable)
        case typed.Binary(op="MOD"):
            return direction_of(value.left, variable)
        case typed.Binary(op="+" | "-" as op) if isinstance(without_conversions(value.right), typed.Constant):
            is_it = root_variable(without_conversions(value.left)) is variable
            return 0 if not is_it else 1 if op == "+" else -1
    return 0


def without_conversions(e: typed.Expr) -> typed.Expr:
    return without_conversions(e.operand) if isinstance(e, typed.Convert) else e
