"""Which bytes of the block an expression reads and a designator means, before it is known whose action it is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from lfc.actions.layout.frames import place_of_variable
from lfc.actions.model.machine import BlockLayout, Body, Machine
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Variable, VariableKind
from lfc.semantics.model.types import (
    ArrayType,
    OpenArrayType,
    RecordType,
    record_layout,
    scalar_range,
    size_and_alignment,
)
from lfc.semantics.model.visit import operands, root_variable


@dataclass(frozen=True, slots=True)
class InBlock:
    offset: int
    size: int
    what: str


@dataclass(frozen=True, slots=True)
class InFrame:
    """Bytes of a frame of `body` in the record of whoever it is about."""

    body: Body
    offset: int
    size: int
    what: str


@dataclass(frozen=True, slots=True)
class AroundFrame:
    """The record of the one it is about without the frame of `body`: frame field, counts, frames of calls."""

    body: Body


@dataclass(frozen=True, slots=True)
class FrameField:
    """Where the record of the one it is about, in which `body` runs, says which frame runs; if it has to."""

    body: Body


@dataclass(frozen=True, slots=True)
class WholeRecord:
    """The record of the one it is about, in which `body` runs."""

    body: Body


@dataclass(frozen=True, slots=True)
class OfPosition:
    """The position of the one it is about, in which `body` runs."""

    body: Body


@dataclass(frozen=True, slots=True)
class AnySlot:
    """Bytes of the record of every slot of a process."""

    body: Body
    offset: int
    size: int
    what: str


@dataclass(frozen=True, slots=True)
class AnyPosition:
    """The positions of every slot of a process."""

    body: Body


Place = InBlock | InFrame | AroundFrame | FrameField | WholeRecord | OfPosition | AnySlot | AnyPosition


class Passed:
    """Which variables each VAR formal and open array may stand for, anywhere in the program, whatever the order."""

    def __init__(self, bodies: Iterable[Body]) -> None:
        self.variables: dict[Variable, set[Variable]] = {}
        flows: list[tuple[Variable, Variable]] = []  # from a formal to a formal
        for body in bodies:
            for call in body.callees:
                assert isinstance(call, typed.CallProcess | typed.CreateProcess)
                for argument in call.arguments:
                    if not stands_for_another(argument.formal):
                        continue
                    root = root_variable(argument.value)
                    if root is None:  # a string: no bytes of the block
                        continue
                    if stands_for_another(root):
                        flows.append((root, argument.formal))
                    else:
                        self.variables.setdefault(argument.formal, set()).add(root)
        changed = True
        while changed:
            changed = False
            for source, goal in flows:
                into = self.variables.setdefault(goal, set())
                before = len(into)
                into |= self.variables.get(source, set())
                changed |= len(into) != before

    def by(self, formal: Variable) -> list[Variable]:
        """By module and place, wherever its file lies."""
        return sorted(self.variables.get(formal, ()), key=lambda v: (_module_of(v), v.span.start, v.name))


def _module_of(variable: Variable) -> str:
    owner = variable.owner
    return owner.module.name if isinstance(owner, typed.Process) else owner.name


def stands_for_another(variable: Variable) -> bool:
    return variable.kind is VariableKind.VAR or isinstance(variable.type, OpenArrayType)


class PlacesOf:
    """Turns typed designators and expressions of one body into places."""

    def __init__(self, machine: Machine, passed: Passed, body: Body) -> None:
        self.machine = machine
        self.passed = passed
        self.body = body

    def reads(self, e: typed.Expr) -> list[Place]:
        """All that the value of an expression is made of."""
        if isinstance(e, typed.VariableRef | typed.FieldRef | typed.IndexRef):
            return self.to_find(e) + self.designated(e)
        if isinstance(e, typed.FunctionCall) and e.name == "LEN":
            return self.to_find(e.arguments[0])
        found = [place for operand in operands(e) for place in self.reads(operand)]
        if isinstance(e, typed.SlotVariable | typed.StatusAtom):
            found += self._of_slots(e)
        return found

    def _of_slots(self, e: typed.SlotVariable | typed.StatusAtom) -> list[Place]:
        """What a property looks at in the slots of a process."""
        found: list[Place] = []
        for record in (r for layout in layouts_of(self.machine) for r in layout.records):
            frame = record.body.frame
            if record.body.process is not e.process or frame is None:
                continue
            found.append(AnyPosition(record.body))
            if isinstance(e, typed.SlotVariable) and e.variable in frame.variables:
                size = place_of_variable(e.variable)[0]
                offset = record.frame0 + frame.variables[e.variable]
                found.append(AnySlot(record.body, offset, size, e.variable.name))
        return found

    def to_find(self, designator: typed.Expr) -> list[Place]:
        """What is read to find the place of a designator: indices, and the offset that a VAR formal holds."""
        found: list[Place] = []
        while isinstance(designator, typed.FieldRef | typed.IndexRef):
            if isinstance(designator, typed.IndexRef):
                found += self.reads(designator.index)
            designator = designator.base
        if isinstance(designator, typed.VariableRef) and stands_for_another(designator.variable):
            found += self.own_variable(designator.variable)
        return found

    def designated(self, designator: typed.Expr) -> list[Place]:
        """The bytes that a designator means, whole arrays where an index is no constant. Of a register: none."""
        root = root_variable(designator)
        if root is None or root.address is not None:
            return []
        if stands_for_another(root):
            return [place for v in self.passed.by(root) for place in self.variable(v)]
        offset, size, _ = extent_of(designator)
        return [_moved(place, offset, size) for place in self.variable(root)]

    def variable(self, variable: Variable) -> list[Place]:
        """Where a variable that stands for itself lies; nowhere if it is one of an ordinary function."""
        size = place_of_variable(variable)[0]
        if isinstance(variable.owner, Module):
            for layout in layouts_of(self.machine):
                if variable in layout.variables:
                    return [InBlock(layout.variables[variable], size, f"{variable.owner.name}.{variable.name}")]
            return []
        return [
            InFrame(body, body.frame.variables[variable], size, variable.name)
            for body in self._bodies_of(variable)
            if body.frame is not None and variable in body.frame.variables
        ]

    def own_variable(self, formal: Variable) -> list[Place]:
        """The bytes of a VAR formal or open array itself."""
        frame = self.body.frame
        if frame is None or formal not in frame.variables:
            return []
        return [InFrame(self.body, frame.variables[formal], place_of_variable(formal)[0], formal.name)]

    def _bodies_of(self, variable: Variable) -> list[Body]:
        if variable.owner is self.body.process:
            return [self.body]
        return [b for b in self.machine.all_bodies() if b.process is variable.owner]


def layouts_of(machine: Machine) -> list[BlockLayout]:
    return [machine.layout] + ([] if machine.environment is None else [machine.environment.layout])


def _moved(place: Place, offset: int, size: int) -> Place:
    if isinstance(place, InBlock):
        return InBlock(place.offset + offset, size, place.what)
    assert isinstance(place, InFrame)
    return InFrame(place.body, place.offset + offset, size, place.what)


NOTHING_KNOWN: Mapping[Variable, int] = {}


def extent_of(designator: typed.Expr, known: Mapping[Variable, int] = NOTHING_KNOWN) -> tuple[int, int, bool]:
    """Offset and size of a designator in its root variable; whether they are exact (no index was unknown). `known`:
    values of variables that are indices."""
    match designator:
        case typed.FieldRef():
            offset, size, exact = extent_of(designator.base, known)
            record = designator.base.type
            if not exact or not isinstance(record, RecordType):
                return offset, size, False
            places, _, _ = record_layout(record)
            return offset + places[record.fields.index(designator.field)], size_and_alignment(designator.type)[0], True
        case typed.IndexRef():
            offset, size, exact = extent_of(designator.base, known)
            index = _known_index(designator.index, known)
            array = designator.base.type
            if not exact or index is None or not isinstance(array, ArrayType) or not 0 <= index < array.length:
                return offset, size, False
            element = size_and_alignment(designator.type)[0]
            return offset + index * element, element, True
    return 0, size_and_alignment(designator.type)[0], True


def _known_index(e: typed.Expr, known: Mapping[Variable, int]) -> int | None:
    """Conversions count as far as they keep the value."""
    ranges = []
    while isinstance(e, typed.Convert):
        ranges.append(scalar_range(e.type))
        e = e.operand
    value = known.get(e.variable) if isinstance(e, typed.VariableRef) else getattr(e, "value", None)
    return value if isinstance(value, int) and all(low <= value <= high for low, high in ranges) else None
