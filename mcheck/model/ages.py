"""Ages: where the components of a state hold stamps, for an engine that keeps how old they are. docs/theory/time.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lfc.actions.layout.frames import aligned, frame_alignment
from lfc.actions.model.machine import Body, Machine, PropertyMachine
from lfc.codegen.module.composition import composed_layout
from lfc.mcheck.model.description import Ages, Component, Description
from lfc.mcheck.model.stamps import NoAges, Stamps, most_clock, stamps_of
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import size_and_alignment


def find_ages(
    machine: Machine, d: Description, atoms: Sequence[typed.Expr], watchers: Sequence[PropertyMachine]
) -> Ages | str:
    """Else the place for which the clock must be counted as it is."""
    try:
        stamps = stamps_of(machine, atoms, watchers)
    except NoAges as why:
        return str(why)
    return tables(machine, d, stamps)


def tables(machine: Machine, d: Description, stamps: Stamps) -> Ages:
    found = Ages(most_clock=most_clock(machine, stamps))
    variables = {v: at for layout, _ in machine.parts for v, at in layout.variables.items()}
    places = [(at, stamps.bound_of(v)) for v in stamps.variables if v in variables for at in cells(v, variables[v])]
    for number, c in enumerate(d.components):
        if c.slot < 0:
            inside = [(at, bound) for offset, bound in places if (at := within(c, offset)) is not None]
            if inside:
                found.components.append((number, tuple(sorted(inside))))
    in_frames = shapes(machine, d, stamps, found)
    found.components += [(d.slot_component[slot], ()) for slot in in_frames]
    return found


def cells(v: Variable, offset: int) -> Iterable[int]:
    return range(offset, offset + size_and_alignment(v.type)[0], 4)


def within(c: Component, offset: int) -> int | None:
    """Where a component has these bytes."""
    at = 0
    for begin, size in c.pieces:
        if begin <= offset < begin + size:
            if offset + 4 > begin + size:
                raise AssertionError(f"a part of a variable ends within an element: {c.name}")
            return at + offset - begin
        at += size
    return None


def shapes(machine: Machine, d: Description, stamps: Stamps, found: Ages) -> list[int]:
    """By position what its frame holds, and where the next one lies. Gives the slots that may hold some."""
    holders: set[Body] = set()
    found.shapes = [((), 0, 0, 0)] * len(d.actions)
    bodies = [machine.bodies, [] if machine.environment is None else machine.environment.bodies]
    first = 0
    for (_, positions), of_part in zip(machine.parts, bodies, strict=False):
        align = frame_alignment(of_part)
        for p in positions:
            frame = p.body.frame
            if frame is None:
                continue
            inside = [
                (at, stamps.bound_of(v))
                for v, offset in frame.variables.items()
                if v in stamps.variables
                for at in cells(v, offset)
            ]
            if inside:
                holders.add(p.body)
            back = (frame.return_offset or 0, 0 if frame.return_offset is None else frame.return_size)
            shape = (tuple(inside), *back, aligned(frame.size, align))
            found.shapes[d.numbers[first + p.number]] = shape
        first += len(positions) + 1
    slots = []
    for r in composed_layout(machine).records:
        if holders & reachable(r.body):
            slots += list(range(r.first_slot, r.first_slot + r.slots))
    return slots


def reachable(body: Body) -> set[Body]:
    found = {body}
    work = [body]
    while work:
        for called in work.pop().calls_waiting:
            if called not in found:
                found.add(called)
                work.append(called)
    return found
