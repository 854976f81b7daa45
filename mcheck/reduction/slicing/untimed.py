"""The program in which each comparison of the clock with an earlier reading may come out either way: it has all runs of
the program, however long anything takes. docs/theory/time.md has the argument.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from lfc.actions.analysis.may_fault import Ranges
from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.model.indexed_effects import statements_of
from lfc.mcheck.model.stamps import NoAges, Stamps, age_of, conditions, is_absolute, is_clock, stamps_of
from lfc.mcheck.reduction.slicing.dependence import Kept
from lfc.mcheck.reduction.slicing.sliced_program import NotBuilt, copied, owners_of
from lfc.semantics.bounds import channel_bound
from lfc.semantics.model import typed
from lfc.semantics.model.types import BOOLEAN, UINT8, UINT32
from lfc.semantics.model.visit import expressions_of, reads_clock, subexpressions

ROUND = 1 << 32  # milliseconds, in which the clock comes round
UNUSED = 0xFFFFFFFD  # an address that stands for nothing
OLD = frozenset({">", ">=", "#"})  # so a great age compares with less
TURNED = {"=": "=", "#": "#", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def asks_only_how_long(machine: Machine) -> Stamps | None:
    """The stamps of a program that compares how long ago something was, outside of guards and functions; None: it
    does something else with the clock, or its ages cannot all be great at once."""
    try:
        stamps = stamps_of(machine, (), ())
    except NoAges:
        return None
    asked = [e for body in machine.functions.values() for s in statements_of(body) for e in expressions_of(s)]
    asked += [e for body in machine.functions.values() for e in conditions(body)]
    asked += [c.guard for b in machine.bodies for p in b.points for c in p.clauses if c.guard is not None]
    if any(map(reads_clock, asked)) or machine.properties:
        return None
    formulas = [p.formula for m in machine.program.modules for p in m.properties if p.formula is not None]
    if any(is_absolute(stamps, x) for e in formulas for x in subexpressions(e)):
        return None  # stamps are 0 in the other program
    most = max((stamps.bound_of(v) for v in stamps.variables), default=0)
    return stamps if most * (machine.block_size // 4 + 1) < ROUND else None


def untimed(kept: Kept, stamps: Stamps) -> Machine:
    """`kept`: of everything."""
    channels = channel_bound(kept.program)
    program, memo = copied(kept)
    first = program.modules[0]
    late = flag(first)
    there = {memo[id(v)] for v in stamps.variables if id(v) in memo}
    rewriting = Rewriting(Stamps(variables={v for v in there if isinstance(v, typed.Variable)}), late)
    for owner in [*owners_of(program), *program.all_functions()]:
        owner.body = [rewriting.of(s) for s in owner.body]  # type: ignore[misc]
    first.variables.append(late)
    first.processes.append(process := setter(first, late))
    first.body.insert(0, typed.CreateProcess(process.span, process, [], None))
    diagnostics = Diagnostics()
    machine = build_machine(program, diagnostics, with_environment=False, channels=channels)
    if diagnostics.has_errors:
        raise NotBuilt("; ".join(d.message for d in diagnostics.items))
    return machine


def flag(module: typed.Module) -> typed.Variable:
    """From when on each age is great."""
    return typed.Variable("late ages", BOOLEAN, typed.VariableKind.MODULE, module, start_of(module))


def setter(module: typed.Module, late: typed.Variable) -> typed.Process:
    at = start_of(module)
    yes = typed.Assign(at, typed.VariableRef(at, BOOLEAN, late), typed.Constant(at, BOOLEAN, 1))
    return typed.Process("late ages", module, None, at, body=[yes], end_span=at, max_stated=1)


def start_of(module: typed.Module) -> Span:
    return module.span or Span(module.source, 0, 0)


class Rewriting:
    """Of a copy, in place."""

    def __init__(self, stamps: Stamps, late: typed.Variable) -> None:
        self.stamps, self.late = stamps, late

    def of(self, x: object) -> object:
        if isinstance(x, list | tuple):
            return type(x)(self.of(part) for part in x)
        if isinstance(x, typed.Relation):
            op = next(self.compared(x), None)
            if op is not None:
                either = self.either(x.span, op in OLD)
                return typed.Logical(x.span, BOOLEAN, "&", self.evaluated(x), either) if self.may_fault(x) else either
        if isinstance(x, typed.Expr) and is_clock(x):
            return typed.Constant(x.span, UINT32, 0)
        if isinstance(x, typed.Expr | typed.Statement | typed.Clause | typed.Argument | typed.Target):
            for f in fields(x):
                value = getattr(x, f.name)
                if isinstance(value, list | tuple | typed.Expr | typed.Statement):
                    setattr(x, f.name, self.of(value))
        return x

    def may_fault(self, x: typed.Relation) -> bool:
        """What is compared, or the index of the stamp."""
        return Ranges(within_types=False).may_fault(x)

    def evaluated(self, x: typed.Relation) -> typed.Expr:
        """True, or the fault that it is in the program."""
        kept = typed.Relation(x.span, x.type, x.op, self.parts(x.left), self.parts(x.right))
        return typed.Logical(x.span, BOOLEAN, "OR", kept, typed.Constant(x.span, BOOLEAN, 1))

    def parts(self, x: typed.Expr) -> typed.Expr:
        found = self.of(x)
        assert isinstance(found, typed.Expr)
        return found

    def compared(self, x: typed.Relation) -> Iterator[str]:
        """How, if an age is compared: as if it stood on the left."""
        if age_of(self.stamps, x.left) is not None:
            yield x.op
        elif age_of(self.stamps, x.right) is not None:
            yield TURNED[x.op]

    def either(self, at: Span, if_old: bool) -> typed.Expr:
        late: typed.Expr = typed.VariableRef(at, BOOLEAN, self.late)
        read = typed.FunctionCall(at, UINT8, "PORTIN", [typed.Constant(at, UINT32, UNUSED)])
        any_answer = typed.FunctionCall(at, BOOLEAN, "ODD", [read])
        if if_old:
            return typed.Logical(at, BOOLEAN, "OR", late, any_answer)
        return typed.Logical(at, BOOLEAN, "&", typed.Unary(at, BOOLEAN, "~", late), any_answer)
