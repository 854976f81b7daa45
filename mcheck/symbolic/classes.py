"""Into which classes the values fell that were not determined: of each variable, by the sets that it had in states."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.layout.frames import place_of_variable
from lfc.actions.model.machine import Machine, RecordLayout
from lfc.mcheck.result.result import ValueClasses
from lfc.mcheck.symbolic.explore import Exploration
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import SYMBOL
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from lfc.run.names import short_name
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import ArrayType, BooleanType, OpenArrayType, RecordType, Type, size_and_signedness

Place = tuple[str, Type]


def classes_of(found: Exploration) -> list[ValueClasses]:
    """In the order of the block."""
    had = told_apart(found)
    by_name: dict[str, tuple[Type, set[ValueSet]]] = {}
    places = dict(named_places(found.program.machine))
    for offset, own in sorted(had.items()):
        if offset in places and any(sets.only_value(s) is None for s in own):
            name, t = places[offset]
            by_name.setdefault(name, (t, set()))[1].update(own)
    return [ValueClasses(name, [signed(c, t) for c in atoms(own)], is_boolean(t)) for name, (t, own) in by_name.items()]


def told_apart(found: Exploration) -> dict[int, set[ValueSet]]:
    """By offset of a variable, the sets with which actions went on where it had several values."""
    had: dict[int, set[ValueSet]] = {}
    for state in found.states:
        several = [
            (offset, t.args[0])
            for offset, _, t in state.shape.runs
            if t.op == SYMBOL and sets.only_value(state.box[t.args[0]]) is None  # type: ignore[index]
        ]
        if several:
            ways = [edge.of for edge in state.edges] or [state.box]
            for offset, number in several:
                had.setdefault(offset, set()).update(way[number] for way in ways)  # type: ignore[index]
    return had


def is_boolean(t: Type) -> bool:
    return isinstance(t, BooleanType)


def atoms(own: set[ValueSet]) -> list[ValueSet]:
    """The coarsest classes of which each set is made, each as intervals."""
    changes: dict[int, int] = {}  # by number: the sets that begin there, or have just ended, as bits
    for i, intervals in enumerate(own):
        for low, high in intervals:
            for at in (low, high + 1):
                changes[at] = changes.get(at, 0) ^ 1 << i
    cuts = sorted(changes)
    members = 0
    found: dict[int, list[tuple[int, int]]] = {}
    for low, after in zip(cuts, cuts[1:], strict=False):
        members ^= changes[low]
        if members:
            found.setdefault(members, []).append((low, after - 1))
    return sorted(map(sets.normal, found.values()))


def signed(s: ValueSet, t: Type) -> list[tuple[int, int]]:
    size, has_sign = size_and_signedness(t)
    if not has_sign:
        return list(s)
    half, width = 1 << 8 * size - 1, 8 * size
    return [(a - half, b - half) for a, b in sets.shifted(s, half, width)]


def named_places(machine: Machine, with_index: bool = False) -> Iterator[tuple[int, Place]]:
    """The first bytes of scalars: of module variables, and of the frames of processes that are created. The elements of
    an array have one name, or (`with_index`) each its own."""
    for layout, _ in machine.parts:
        for v, offset in layout.variables.items():
            assert v.owner is not None
            yield from of_variable(v, offset, f"{v.owner.name}.{v.name}", with_index)
    for r in machine.records:
        for i in range(r.slots):
            yield from of_record(machine, r, i, with_index)


def of_record(machine: Machine, r: RecordLayout, i: int, with_index: bool) -> Iterator[tuple[int, Place]]:
    start, frame = r.offset + i * r.stride + r.frame0, r.body.frame
    if frame is None:
        return
    for v, offset in frame.variables.items():
        yield from of_variable(v, start + offset, f"{short_name(machine, r, i)}.{v.name}", with_index)


def of_variable(v: Variable, offset: int, name: str, with_index: bool) -> Iterator[tuple[int, Place]]:
    t, lengths = v.type, list[int]()
    while isinstance(t, ArrayType):
        lengths.append(t.length)
        t = t.element
    if isinstance(t, RecordType | OpenArrayType) or stands_for_another(v):
        return
    indices = product(*map(range, lengths))
    for at, index in zip(range(0, place_of_variable(v)[0], size_and_signedness(t)[0]), indices, strict=True):
        yield offset + at, (f"{name}[{', '.join(map(str, index))}]" if index and with_index else name, t)
