"""Which bytes of a body's own variables each piece of its code reads, and which it surely overwrites, as sets of bits.

A bit is a byte of the frame; behind these come the bytes that each VAR parameter stands for, wherever they lie.
Reading under one name counts for all names that may stand for the same.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lfc.actions.analysis.places import NOTHING_KNOWN, Passed, extent_of, stands_for_another
from lfc.actions.layout.frames import is_closable, place_of_variable
from lfc.actions.model.machine import Advance, Block, Body, Branch, PointClause, Switch
from lfc.semantics.checks.accesses import accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import OpenArrayType, size_and_alignment
from lfc.semantics.model.visit import operands, root_variable

Bits = int
Known = Mapping[Variable, int]
DESIGNATORS = (typed.VariableRef, typed.FieldRef, typed.IndexRef)


@dataclass(frozen=True, slots=True)
class Effect:
    """What is read before anything is overwritten, and what is surely overwritten."""

    used: Bits
    killed: Bits = 0

    def before(self, live: Bits) -> Bits:
        return live & ~self.killed | self.used


NO_EFFECT = Effect(0)
# Of a call, for each VAR parameter: the effect on the bytes that it stands for, from bit 0 on. None: it is not known.
Summary = Mapping[Variable, Effect]
SummaryOf = Callable[[Body], Summary | None]


def bits(offset: int, size: int) -> Bits:
    return ((1 << size) - 1) << offset


class BodyBytes:
    def __init__(self, body: Body, passed: Passed, summary_of: SummaryOf) -> None:
        self.body = body
        self.summary_of = summary_of
        self.place: dict[Variable, tuple[int, int]] = {}  # begin and size
        end = 0
        if body.frame is not None:
            end = body.frame.size
            for v, offset in body.frame.variables.items():
                if not stands_for_another(v):
                    self.place[v] = offset, place_of_variable(v)[0]
        self.referred: list[Variable] = []  # VAR parameters, but for open arrays
        for v in body.formals:
            if stands_for_another(v) and not isinstance(v.type, OpenArrayType):
                size = size_and_alignment(v.type)[0]
                self.referred.append(v)
                self.place[v] = end, size
                end += size
        self.others: dict[Variable, Bits] = {}  # of a parameter: what is the same under other names
        roots = {v: passed.variables.get(v, set()) for v in body.formals if stands_for_another(v)}
        for v, own in roots.items():
            same = [w for w in self.referred if w is not v and own & roots[w]]
            self.others[v] = sum(self.whole(w) for w in same)

    def whole(self, v: Variable) -> Bits:
        return bits(*self.place[v]) if v in self.place else 0

    @property
    def all_referred(self) -> Bits:
        return sum(self.whole(v) for v in self.referred)

    # --- expressions -------------------------------------------------------------------------------------------------

    def meant(self, designator: typed.Expr, known: Known = NOTHING_KNOWN) -> tuple[Bits, bool]:
        """By a designator, without other names for it; whether that is exact. Nothing where it lies elsewhere."""
        root = root_variable(designator)
        if root is None or root not in self.place:
            return 0, False
        offset, size, exact = extent_of(designator, known)
        return bits(self.place[root][0] + offset, size), exact

    def overwritten(self, designator: typed.Expr, known: Known = NOTHING_KNOWN) -> Bits:
        found, exact = self.meant(designator, known)
        return found if exact else 0

    def under_all_names(self, designator: typed.Expr) -> Bits:
        root = root_variable(designator)
        return self.meant(designator)[0] | (self.others.get(root, 0) if root is not None else 0)

    def to_find(self, designator: typed.Expr) -> Bits:
        """What its indices read."""
        found = 0
        while isinstance(designator, typed.FieldRef | typed.IndexRef):
            if isinstance(designator, typed.IndexRef):
                found |= self.read(designator.index)
            designator = designator.base
        return found

    def read(self, e: typed.Expr) -> Bits:
        if isinstance(e, DESIGNATORS):
            return self.to_find(e) | self.under_all_names(e)
        if isinstance(e, typed.FunctionCall) and e.name == "LEN":
            return self.to_find(e.arguments[0])
        found = 0
        for operand in operands(e):
            found |= self.read(operand)
        return found

    # --- statements --------------------------------------------------------------------------------------------------

    def statement(self, s: typed.Statement, known: Known = NOTHING_KNOWN) -> Effect:
        match s:
            case typed.Assign():
                return Effect(self.read(s.value) | self.to_find(s.target), self.overwritten(s.target, known))
            case Advance():
                return Effect(self.read(s.target))
            case typed.Step():
                return Effect(self.read(s.amount) | self.read(s.target))
            case typed.Include():
                return Effect(self.read(s.element) | self.read(s.set))
            case typed.CallProcess():
                return self.call(s, known)
        found = 0
        for a in accesses(s):
            found |= self.whole(a.variable) | self.others.get(a.variable, 0)
        return Effect(found)

    def call(self, call: typed.CallProcess, known: Known = NOTHING_KNOWN) -> Effect:
        """Where the called process can wait, what it surely overwrites is dead at its own positions until then; all
        else that it may look at counts as used, since it is live there."""
        callee = self.body.callees[call]
        summary = self.summary_of(callee)
        used = killed = 0
        for argument in call.arguments:
            if not stands_for_another(argument.formal):
                used |= self.read(argument.value)
                continue
            used |= self.to_find(argument.value)
            inside = None if summary is None else summary.get(argument.formal)
            if inside is None:
                used |= self.under_all_names(argument.value)
                continue
            found, exact = self.meant(argument.value, known)
            if exact and found:
                first = (found & -found).bit_length() - 1
                used |= inside.used << first
                killed |= inside.killed << first
            elif inside.used or callee.can_wait:
                used |= found
            if inside.used:
                used |= self.under_all_names(argument.value) & ~found
        return Effect(used, killed)

    def lent(self, call: typed.CallProcess) -> Bits:
        """What the called process may look at under its own names, as long as the call lasts."""
        found = 0
        for argument in call.arguments:
            if stands_for_another(argument.formal):
                found |= self.under_all_names(argument.value)
        return found

    # --- scheduling points -------------------------------------------------------------------------------------------

    def received(self, clause: PointClause) -> Bits:
        found = 0
        for t in clause.targets:
            if t.target.designator is not None:
                found |= self.overwritten(t.target.designator)
        return found

    def used_waiting(self, clause: PointClause) -> Bits:
        """By whoever comes: values, and guards of what is not received, were looked at by the attempt."""
        event = clause.event
        found = 0
        if isinstance(event, typed.Send | typed.Receive):
            found |= self.read(event.port)
        for t in clause.targets:
            if t.target.designator is not None:
                found |= self.to_find(t.target.designator)
        if clause.guard is not None and not is_closable(event, clause.guard):
            found |= self.read(clause.guard)
        return found

    def used_attempting(self, clause: PointClause) -> Bits:
        found = self.used_waiting(clause) | (self.read(clause.guard) if clause.guard is not None else 0)
        match clause.event:
            case typed.Send() as event:
                for value in event.values:
                    found |= self.read(value)
            case typed.AfterEvent() | typed.Sleep() as event:
                found |= self.read(event.milliseconds)
        return found

    # --- blocks ------------------------------------------------------------------------------------------------------

    def condition(self, block: Block) -> Bits:
        """What decides where control goes on."""
        match block.end:
            case Branch() as end:
                return self.read(end.condition)
            case Switch() as end:
                return self.read(end.selector)
        return 0

    def used_in(self, block: Block) -> Bits:
        """Anywhere in one in which no action ends."""
        found = self.condition(block)
        for s in block.statements:
            found |= self.statement(s).used
        return found

    def overwritten_in(self, block: Block, known: Known) -> Bits:
        """Surely, before control is past it; the same."""
        found = 0
        for s in block.statements:
            found |= self.statement(s, known).killed
        return found
