"""What an action touches of what processes share, told apart by element where the index is known for each instance.

The effects table counts an array whole if its index is a variable. Often that is a value parameter that is never
changed: then each instance touches its own elements. Here such an index is kept beside the place, and read off
where the instance is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lfc.actions.analysis.places import InBlock, Place, PlacesOf
from lfc.actions.analysis.statement_effects import EffectsOf
from lfc.actions.model.machine import Advance, Body, Machine
from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Variable, VariableKind
from lfc.semantics.model.types import ArrayType, ChannelType, EnumerationType, IntegerType, SubrangeType
from lfc.semantics.model.visit import root_variable

Constants = Mapping[Variable, int]


@dataclass(frozen=True, slots=True)
class AtIndex(InBlock):
    """One element of an array of a module. `offset` and `size` are those of the array."""

    index: typed.Expr
    length: int

    def whole(self) -> InBlock:
        return InBlock(self.offset, self.size, self.what)

    def resolved(self, constants: Constants) -> InBlock:
        value = value_of(self.index, constants)
        if value is None or not 0 <= value < self.length:
            return self.whole()
        element = self.size // self.length
        return InBlock(self.offset + value * element, element, self.what)


class PlacesByElement(PlacesOf):
    def designated(self, designator: typed.Expr) -> list[Place]:
        found = super().designated(designator)
        outer = outermost_index(designator)
        if outer is None or len(found) != 1 or not isinstance(found[0], InBlock):
            return found
        assert isinstance(outer.base, typed.VariableRef) and isinstance(outer.base.type, ArrayType)
        (place,) = self.variable(outer.base.variable)
        assert isinstance(place, InBlock)
        return [AtIndex(place.offset, place.size, place.what, outer.index, outer.base.type.length)]


def outermost_index(designator: typed.Expr) -> typed.IndexRef | None:
    """`a[i]` of `a[i].f[k]`, if `a` is an array of a module and `i` no constant."""
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        base = designator.base
        if isinstance(base, typed.VariableRef):
            known = isinstance(designator, typed.IndexRef) and isinstance(base.type, ArrayType)
            ours = isinstance(base.variable.owner, Module)
            if known and ours and isinstance(designator, typed.IndexRef):
                return None if isinstance(designator.index, typed.Constant) else designator
            return None
        designator = base
    return None


class EffectsByElement(EffectsOf):
    places_of = PlacesByElement

    def _elsewhere(self, place: Place, start: Body) -> list[Place]:
        """Of another process: its index says nothing here."""
        return super()._elsewhere(place.whole() if isinstance(place, AtIndex) else place, start)


def value_of(e: typed.Expr, constants: Constants) -> int | None:
    """Of an expression over parameters that are known. None: it is not known (or it is a fault)."""
    match e:
        case typed.Constant():
            return e.value if isinstance(e.value, int) else None
        case typed.VariableRef():
            return constants.get(e.variable)
        case typed.Convert():
            return value_of(e.operand, constants)
        case typed.Binary():
            left, right = value_of(e.left, constants), value_of(e.right, constants)
            return None if left is None or right is None else _computed(e.op, left, right)
    return None


def _computed(op: str, left: int, right: int) -> int | None:
    """Where the type is left, the value is not used: who is right is said by the code that is compiled."""
    match op:
        case "+":
            return _small(left + right)
        case "-":
            return _small(left - right)
        case "*":
            return _small(left * right)
        case "DIV":
            return left // right if right > 0 else None
        case "MOD":
            return left % right if right > 0 else None
    return None


def _small(value: int) -> int | None:
    """In 0..127, and so in every integer type: nothing has wrapped."""
    return value if 0 <= value <= 127 else None


def constant_formals(machine: Machine, body: Body) -> list[Variable]:
    """The value parameters of a created process that hold what they were created with as long as it lives: numbers and
    ports, at a place in its record that is always the same."""
    process = body.process
    if process is None or body.frame is None or body.called or is_called_too(machine, body):
        return []
    changed = changed_variables(body)
    return [
        v
        for v in body.formals
        if v.kind is VariableKind.VALUE
        and not v.outside
        and v not in changed
        and v in body.frame.variables
        and isinstance(v.type, ChannelType | IntegerType | SubrangeType)
    ]


def is_called_too(machine: Machine, body: Body) -> bool:
    """Its process is an ordinary function as well, for the program or for the environment."""
    others = {} if machine.environment is None else machine.environment.function_of
    return body.process in machine.function_of or body.process in others


def changed_variables(body: Body) -> set[Variable]:
    """Whatever its code may change itself, or lets others change."""
    return {v for s in statements_of(body) for v, _ in changes_by(s)}


def statements_of(body: Body) -> Iterable[typed.Statement]:
    for block in body.blocks:
        yield from block.statements
        call = getattr(block.end, "call", None)
        if call is not None:
            yield call
    for point in body.points:
        for clause in point.clauses:
            yield clause.event


def changes_by(s: typed.Statement) -> list[tuple[Variable, int]]:
    """The variables that a statement may change, each with the direction: 1 and -1 if it surely grows or shrinks and
    cannot wrap, else 0."""
    if isinstance(s, Advance):
        root = root_variable(s.target)
        return [] if root is None else [(root, 1 if s.amount > 0 else -1)]
    found = []
    for a in accesses(s):
        if a.kind in WRITES or a.kind is Kind.ARGUMENT:
            found.append((a.variable, _direction(s) if isinstance(s, typed.Step) else 0))
    return found


def _direction(s: typed.Step) -> int:
    """Types without a sign wrap."""
    amount = s.amount.value if isinstance(s.amount, typed.Constant) else None
    if not isinstance(amount, int) or amount == 0 or not isinstance(s.target, typed.VariableRef):
        return 0
    t = s.target.type
    if not isinstance(t, SubrangeType | EnumerationType) and not (isinstance(t, IntegerType) and t.signed):
        return 0
    return 1 if (amount > 0) is not s.down else -1
