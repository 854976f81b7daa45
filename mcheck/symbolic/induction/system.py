"""The transition system behind a search with ranges that has ended: locations with cells, and all steps between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce

from lfc.mcheck.symbolic.execution.execute import FaultEnd
from lfc.mcheck.symbolic.explore import Exploration
from lfc.mcheck.symbolic.normal_form import Box, Placed, Shape
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.ranges import range_of
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, operation, symbol
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_STEPS = 4_000
Key = tuple[bytes, tuple[tuple[int, int], ...], int]  # explicit bytes, places of cells, what is beside the program
Literal = tuple[Term, int]  # a question of cells, and its answer
Cube = tuple[Literal, ...]


class NotTried(Exception):
    """Says why there is no such system."""


@dataclass(slots=True)
class Part:
    """Of what can be at a location: by cell, its values; and which cells are copies of which."""

    box: Box
    copies: list[tuple[int, int]]


@dataclass(slots=True)
class Location:
    """Cell `i` is symbol `i`."""

    number: int
    shape: Shape
    parts: list[Part] = field(default_factory=list)
    box: Box = ()

    @property
    def cells(self) -> list[Term]:
        return [t for _, _, t in self.shape.runs]


@dataclass(slots=True)
class Transition:
    """Symbols from the number of cells on are inputs. `cells`: what those of the location behind it hold."""

    number: int
    source: Location
    box: dict[int, ValueSet]
    known: list[Literal]
    target: Location | None = None  # None: an error
    cells: tuple[int | Term, ...] = ()
    error: FaultEnd | None = None
    widths: dict[int, int] = field(default_factory=dict)

    @property
    def inputs(self) -> list[int]:
        return [n for n in self.box if n >= len(self.source.box)]


@dataclass(slots=True)
class System:
    locations: dict[Key, Location]
    initial: Location
    values: tuple[int, ...]  # of the cells, initially
    transitions: list[Transition] = field(default_factory=list)
    into: dict[int, list[Transition]] = field(default_factory=dict)
    errors: list[Transition] = field(default_factory=list)


def system_of(found: Exploration) -> System:
    """Of a complete search. Raises NotTried, TooMany, NotDecoded, OutOfTime."""
    locations: dict[Key, Location] = {}
    for shape, of in found.of_shape.items():
        places = tuple((offset, size) for offset, size, _ in shape.runs)
        key = (shape.explicit, places, shape.beside)
        if key not in locations:
            locations[key] = Location(len(locations), with_cells(shape))
        locations[key].parts += parts_of(shape, of.known)
    for location in locations.values():
        location.box = tuple(
            reduce(sets.union, values) for values in zip(*(p.box for p in location.parts), strict=True)
        )
    first = found.first()
    key = (first.shape.explicit, tuple((offset, size) for offset, size, _ in first.shape.runs), first.shape.beside)
    block = first.shape.concrete([s[0][0] for s in first.box])
    values = tuple(int.from_bytes(block[at : at + size], "little") for at, size in key[1])
    if any(sets.only_value(s) is None for s in first.box):
        raise NotTried("the initial state is not one state")
    system = System(locations, locations[key], values)
    for location in locations.values():
        add_steps(system, found, location)
    return system


def with_cells(shape: Shape) -> Shape:
    runs = tuple((offset, size, symbol(i, 8 * size)) for i, (offset, size, _) in enumerate(shape.runs))
    widths = tuple(8 * size for _, size, _ in runs)
    return Shape(shape.explicit, runs, widths, shape.frames, shape.dead, (), shape.beside)


def parts_of(shape: Shape, known: Sequence[Box]) -> list[Part]:
    first: dict[Term, int] = {}
    copies = []
    for i, (_, _, t) in enumerate(shape.runs):
        if t in first:
            copies.append((first[t], i))
        first.setdefault(t, i)
    return [Part(tuple(values_of(t, box) for _, _, t in shape.runs), copies) for box in known]


def values_of(t: Term, box: Box) -> ValueSet:
    if t.op == SYMBOL:
        return box[t.args[0]]  # type: ignore[index]
    return range_of(t, dict(enumerate(box)))


def add_steps(system: System, found: Exploration, location: Location) -> None:
    for step in found.moves(location.shape, location.box):
        if step.error is not None:
            add(
                system,
                Transition(0, location, step.path.box, list(step.path.known.items()), error=step.error),
                step.path.widths,
            )
            continue
        for at in found.program.normaliser.placed(step.path, step.block):
            if any(not c.lifted for c, _ in at.contents):
                raise NotTried("an array of many elements is undetermined")
            target = system.locations.get((at.explicit, tuple((c.offset, c.size) for c, _ in at.contents), step.beside))
            if target is not None:  # from no reachable state, otherwise
                known = list(at.path.known.items())
                add(system, Transition(0, location, at.path.box, known, target, cells_of(at)), at.path.widths)


def cells_of(at: Placed) -> tuple[int | Term, ...]:
    found: list[int | Term] = []
    for c, v in at.contents:
        wide = isinstance(v, Term) and v.width < 8 * c.size
        found.append(operation("zext", 8 * c.size, v.width, v) if wide else v)  # type: ignore[union-attr]
    return tuple(found)


def add(system: System, t: Transition, widths: dict[int, int]) -> None:
    if len(system.transitions) >= MOST_STEPS:
        raise NotTried("there are too many steps")
    t.number, t.widths = len(system.transitions), dict(widths)
    system.transitions.append(t)
    if t.target is None:
        system.errors.append(t)
    else:
        system.into.setdefault(t.target.number, []).append(t)
