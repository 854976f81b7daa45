"""Integers that name instances: numbers that processes of one kind got when they were created, and that are only
copied, sent, and compared for equality with each other and with constants. Exchanging them leads from states to states
with the same steps, from when the initialisation has given them out.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import Attempt, Block, Body, CallWaiting, Machine, Position, Suspend, Terminator
from lfc.mcheck.reduction.symmetry.scalarset_flow import (
    Flow,
    Place,
    Use,
    flow_of_aliases,
    flow_of_block,
    flow_of_formula,
    flow_of_point,
    is_number,
)
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable, VariableKind
from lfc.semantics.model.types import scalar_range

MOST = 3  # kinds of names
ALL = range(256)  # numbers that can be names


@dataclass(slots=True)
class Names:
    """`kind_of`: of each place that holds names, which kind of them, from 0; `settled`: by identity of a position of
    the initialisation: it has given them out."""

    kind_of: dict[Place, int] = field(default_factory=dict)
    exchanged: list[frozenset[int]] = field(default_factory=list)  # of each kind the numbers
    settled: dict[int, bool] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)  # which numbers are no names, and why

    def holders(self) -> set[Variable]:
        return {p.of for p in self.kind_of if isinstance(p.of, Variable)}


class Classes:
    """Places whose values come together."""

    def __init__(self, flow: Flow) -> None:
        self._above: dict[Place, Place] = {}
        for a, b in flow.together:
            self._above[self.of(a)] = self.of(b)

    def of(self, place: Place) -> Place:
        top = place
        while top in self._above and self._above[top] != top:
            top = self._above[top]
        while place != top:  # the next look is a short one
            self._above[place], place = top, self._above[place]
        self._above[top] = top
        return top

    def members(self) -> Iterable[Place]:
        return list(self._above)


def names_of(machine: Machine, atoms: Sequence[typed.Expr]) -> Names:
    """`atoms`: what formulas ask."""
    found = Names()
    given = formals_that_differ(machine)
    if not given:
        return found
    start = machine.bodies[0]
    flow = Flow()
    for body in machine.bodies:
        for block in body.blocks:
            flow.add(flow_of_aliases(block) if body is start else flow_of_block(block))
    for atom in atoms:
        flow.add(flow_of_formula(atom))
    classes = Classes(flow)
    why = first_use(classes, flow)
    kinds: dict[Place, int] = {}
    for formal, place in given:
        top = classes.of(place)
        flow.ranges.append((place, *scalar_range(formal.type)))
        numbers = exchanged_numbers(classes, flow, top)
        if top in why:
            use = why[top]
            what = (
                f"it {use.what}"
                if use.place == place
                else f"`{use.place.of.name}`, which shares values with it, {use.what}"
            )
            found.notes.append(f"{told(formal)}: {what} ({where(use, formal)})")
        elif top not in kinds and len(numbers) < 2:
            found.notes.append(f"{told(formal)}: its values are program constants")
        elif top not in kinds and len(kinds) == MOST:
            found.notes.append(f"{told(formal)}: there are {MOST} other scalarsets")
        elif top not in kinds:
            kinds[top] = len(kinds)
            found.exchanged.append(numbers)
    found.kind_of = {p: kinds[classes.of(p)] for p in classes.members() if classes.of(p) in kinds}
    if kinds:
        found.settled = settled_at(start, found, classes)
    return found


def told(formal: Variable) -> str:
    return f"`{formal.name}` of `{formal.owner.name}` distinguishes instances"


def where(use: Use, formal: Variable) -> str:
    """The line; with its file, if that is another one."""
    source, line = use.span.source, use.span.line
    return f"line {line}" if source is formal.span.source else f"{Path(source.path).name}:{line}"


def formals_that_differ(machine: Machine) -> list[tuple[Variable, Place]]:
    """Integers that instances of a process are not all created with the same of."""
    several = {r.body.process for r in machine.layout.records if r.slots > 1}
    values: dict[Variable, set[object]] = {}
    for body in machine.bodies:
        for s in (x for block in body.blocks for x in block.statements):
            if not isinstance(s, typed.CreateProcess) or s.process not in several:
                continue
            for argument in s.arguments:
                value, different = argument.value, values.setdefault(argument.formal, set())
                different |= {value.value} if isinstance(value, typed.Constant) else {"any", "other"}
    found = []
    for formal, different in values.items():
        if len(different) > 1 and formal.kind is VariableKind.VALUE and is_number(formal.type):
            found.append((formal, Place(formal)))
    return found


def first_use(classes: Classes, flow: Flow) -> dict[Place, Use]:
    """As a number, by class."""
    found: dict[Place, Use] = {}
    for use in flow.numbers:
        found.setdefault(classes.of(use.place), use)
    return found


def exchanged_numbers(classes: Classes, flow: Flow, top: Place) -> frozenset[int]:
    """All that each place of the class can hold, but for the constants that they meet."""
    low, high = ALL[0], ALL[-1]
    for place, least, most in flow.ranges:
        if classes.of(place) == top:
            low, high = max(low, least), min(high, most)
    met = {u.constant for u in flow.constants if classes.of(u.place) == top}
    return frozenset(n for n in range(low, high + 1) if n not in met)


# --- the initialisation ----------------------------------------------------------------------------------------------


def settled_at(start: Body, names: Names, classes: Classes) -> dict[int, bool]:
    """From where on all that it still does treats them as names, and it calls nobody who waits."""
    harmless = {id(b): is_harmless(flow_of_block(b), names, classes) for b in start.blocks}
    found: dict[int, bool] = {}
    for p in start.positions:
        point = None if p.ready else p.point
        begins = [] if p.entry is None else [p.entry]
        if point is not None:
            begins += [c.resume.entry for c in point.clauses if c.resume.entry is not None]
        blocks = reached(begins)
        found[id(p)] = all(harmless[id(b)] and not isinstance(b.end, CallWaiting) for b in blocks)
        if point is not None:
            found[id(p)] &= is_harmless(flow_of_point(point), names, classes)
    return found


def is_harmless(flow: Flow, names: Names, classes: Classes) -> bool:
    kind = names.kind_of.get
    if any(kind(u.place) is not None for u in flow.numbers):
        return False
    for a, b in flow.together:
        if kind(a) != kind(b) or (kind(a) is not None and classes.of(a) != classes.of(b)):
            return False
    for u in flow.constants:
        k = kind(u.place)
        if k is not None and u.constant in names.exchanged[k]:
            return False
    for place, low, high in flow.ranges:
        k = kind(place)
        if k is not None and not all(low <= n <= high for n in names.exchanged[k]):
            return False
    return True


def reached(begins: Sequence[Block]) -> list[Block]:
    """All that control may come to from these blocks, in later actions as well."""
    found: list[Block] = []
    seen: set[int] = set()
    work = list(begins)
    while work:
        block = work.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        found.append(block)
        work += targets(block.end) + later_blocks(block.end)
    return found


def later_blocks(end: Terminator | None) -> list[Block]:
    """Where control goes on in later actions."""
    positions: list[Position | None] = []
    if isinstance(end, Attempt):
        positions = [end.point.otherwise, *(c.resume for c in end.point.clauses)]
    elif isinstance(end, Suspend | CallWaiting):
        positions = [end.position]
    return [p.entry for p in positions if p is not None and p.entry is not None]
