"""Symmetry: which slots and numbers of channels can be exchanged, and the engine's tables for it.

No program sees the slot of a process or the number of a channel. So what must be known is where such numbers are:
ports and offsets, in the frames of each position, in what a waiting process waits with, and in module variables. So
it is with integers that are names of instances (`names`).
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.layout.frames import aligned, frame_alignment
from lfc.actions.model.machine import Attempt, Block, Body, Machine, Position
from lfc.codegen.bodies.marking import is_stored, picture
from lfc.mcheck.engine import abi
from lfc.mcheck.engine.abi import SYM_SPACES, SymGroup, SymHeld, SymKind, SymOptions, SymPlace, SymShape
from lfc.mcheck.model.description import Description, Numbers
from lfc.mcheck.model.indexed_effects import statements_of
from lfc.mcheck.reduction.dead_variables.dead_variables import NOTHING, Dead, Reset
from lfc.mcheck.reduction.symmetry.scalarset_flow import Place, offsets_in
from lfc.mcheck.reduction.symmetry.scalarsets import Names, reached
from lfc.semantics.checks.accesses import accesses, read
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import OpenArrayType, Type, is_port, port_offsets
from lfc.semantics.model.visit import subexpressions

OFFSET, OPEN, TOKEN = SymKind
CHANNELS, FIRST_NAMES = 0, 1  # spaces of numbers
U8 = ctypes.c_uint8


@dataclass(slots=True)
class Tables:
    """What the engine gets, as numbers."""

    groups: list[tuple[int, ...]] = field(default_factory=list)
    shapes: list[tuple[int, ...]] = field(default_factory=list)
    places: list[tuple[int, ...]] = field(default_factory=list)
    held: list[tuple[int, ...]] = field(default_factory=list)
    over: bytearray = field(default_factory=bytearray)
    fixed: bytearray = field(default_factory=bytearray)
    settled: bytearray = field(default_factory=bytearray)


class Symmetry:
    """Symmetry reduction of a program's searches."""

    def __init__(
        self,
        machine: Machine,
        description: Description,
        names: Names,
        atoms: Sequence[typed.Expr] = (),
        reset: Reset | None = None,
    ) -> None:
        """`atoms`: what formulas ask; `reset`: what is dead is no name."""
        self.names = names
        self.notes = self.names.notes
        self.tables = tables_of(machine, description, self.names, atoms, reset)

    def begin(self, engine: int, library: ctypes.CDLL) -> None:
        self._library = library
        if not self._library.mc_symmetry_begin(engine, ctypes.byref(self._options)):
            raise MemoryError("the checker cannot reserve its tables")

    @cached_property
    def _options(self) -> SymOptions:
        """With what it points to, for each engine that it is begun with."""
        t = self.tables
        arrays = (
            (SymGroup * len(t.groups))(*(SymGroup(*x) for x in t.groups)),
            (SymShape * len(t.shapes))(*(SymShape(*x) for x in t.shapes)),
            (SymPlace * max(1, len(t.places)))(*(SymPlace(*x) for x in t.places)),
            (SymHeld * max(1, len(t.held)))(*(SymHeld(*x) for x in t.held)),
            *((U8 * len(x)).from_buffer_copy(x) for x in (t.over, t.fixed, t.settled)),
        )
        return SymOptions(len(t.groups), len(t.held), *arrays)

    def moved(self, engine: int) -> int:
        return int(self._library.mc_symmetry_moved(engine))

    def slot(self, engine: int, slot: int) -> int:
        """Of the last way's last state: which slot it is on the real way."""
        return int(self._library.mc_symmetry_slot(engine, slot))


def tables_of(
    machine: Machine,
    d: Description,
    names: Names,
    atoms: Sequence[typed.Expr],
    reset: Reset | None,
) -> Tables:
    t = Tables()
    for r in machine.layout.records:
        t.groups.append((r.first_slot, r.slots, r.offset, r.stride))
    put_shapes(machine, t, names, reset)
    numbers = abi.MOST_SLOTS[machine.wide]
    t.fixed = bytearray(SYM_SPACES * numbers)
    for number in (0, *machine.constant_ports.values()):
        t.fixed[CHANNELS * numbers + number] = 1
    for kind, exchanged in enumerate(names.exchanged, FIRST_NAMES):
        for number in range(numbers):
            t.fixed[kind * numbers + number] = number not in exchanged
    put_variables(machine, d, t, names, atoms)
    put_settled(machine, t, names)
    return t


def put_settled(machine: Machine, t: Tables, names: Names) -> None:
    numbers = Numbers(machine)
    t.settled = bytearray(len(t.shapes))
    t.settled[0] = 1  # the initialisation is over
    for p in machine.bodies[0].positions:
        t.settled[numbers.of[id(p)]] = names.settled.get(id(p), False)


# --- frames ----------------------------------------------------------------------------------------------------------


def put_shapes(machine: Machine, t: Tables, names: Names, reset: Reset | None) -> None:
    numbers = Numbers(machine)
    align = frame_alignment(machine.bodies)
    t.shapes = [(0, 0, 0, 0, 0)] * (numbers.count + 1)
    for p in machine.positions:
        frame = p.body.frame
        if frame is None:
            continue
        dead = reset.at(p) if reset is not None else NOTHING
        found = places_in_frame(p, names, dead, machine.port_size)
        back = (0, 0) if frame.return_offset is None else (frame.return_offset, frame.return_size)
        t.shapes[numbers.of[id(p)]] = (len(t.places), len(found), *back, aligned(frame.size, align))
        t.places += found


def places_in_frame(p: Position, names: Names, dead: Dead, port_size: int) -> list[tuple[int, int, int]]:
    """Offset, kind, size."""
    frame = p.body.frame
    assert frame is not None
    found: list[tuple[int, int, int]] = []
    for v, offset in frame.variables.items():
        if isinstance(v.type, OpenArrayType):
            found.append((offset, OPEN, 4))
        elif stands_for_another(v):
            found.append((offset, OFFSET, 2))
        elif is_port(v.type) and is_stored(v):
            found += [(offset + i, TOKEN + CHANNELS, port_size) for i in port_offsets(v.type)]
        else:
            found += [n for n in names_in(Place(v), v.type, offset, names) if not dead.own >> n[0] & 1]
    if p.point is not None and not p.ready:
        found += [(offset, TOKEN + CHANNELS, port_size) for offset in picture(p)]
        for clause in p.point.clauses:
            found += [(target.offset, OFFSET, 2) for target in clause.targets if target.offset is not None]
            if isinstance(clause.event, typed.Send):
                message = clause.event.message
                for i, offset in enumerate(clause.value_offsets):
                    found += names_in(Place(message, i), message.types[i], offset, names)
    return found


def names_in(place: Place, t: Type, offset: int, names: Names) -> list[tuple[int, int, int]]:
    kinds = [(names.kind_of.get(place.within(way)), offset + at, size) for way, at, size in offsets_in(t)]
    return [(at, TOKEN + FIRST_NAMES + kind, size) for kind, at, size in kinds if kind is not None]


# --- module variables ------------------------------------------------------------------------------------------------


def put_variables(machine: Machine, d: Description, t: Tables, names: Names, atoms: Sequence[typed.Expr]) -> None:
    """Ports and names of modules; and where the initialisation is when a port is asked for no more."""
    width = len(t.shapes)
    t.over = bytearray(width)  # never empty
    rows: dict[Variable, int] = {}
    ports = [v for v in machine.layout.variables if is_port(v.type)]
    asked = {e.variable for atom in atoms for e in subexpressions(atom) if isinstance(e, typed.VariableRef)}
    for v in ports:
        over = over_at(machine, v)
        if any(over) and v not in asked:
            rows[v] = len(t.over) // width
            t.over += over
    t.over = t.over[width:] + t.over[:width]
    found = []
    for v in ports:
        for i in port_offsets(v.type):
            component, offset = component_at(d, machine.layout.variables[v] + i)
            found.append((component, offset, TOKEN + CHANNELS, machine.port_size, rows.get(v, 0)))
    for v, first in machine.layout.variables.items():
        for at, kind, size in names_in(Place(v), v.type, first, names):
            component, offset = component_at(d, at)
            found.append((component, offset, kind, size, 0))
    t.held = sorted(found)


def component_at(d: Description, place: int) -> tuple[int, int]:
    """Arrays are cut between their elements, so an integer lies in one."""
    for number, c in enumerate(d.components):
        at = 0
        for offset, size in c.pieces:
            if c.slot < 0 and offset <= place < offset + size:
                return number, at + place - offset
            at += size
    raise LookupError(place)


def over_at(machine: Machine, v: Variable) -> bytearray:
    """By position of the initialisation (0: it is over): whether nobody names the variable any more."""
    numbers = Numbers(machine)
    over = bytearray(numbers.count + 1)
    start = machine.bodies[0]
    if any(v in named_in(body) for body in machine.bodies if body is not start) or is_passed_on(machine, v):
        return over
    over[0] = 1
    for p in start.positions:
        begins = [p.entry] if p.entry is not None else []
        clauses = [] if p.ready or p.point is None else p.point.clauses
        begins += [c.resume.entry for c in clauses if c.resume.entry is not None]
        named = {x for c in clauses for a in accesses(c.event) for x in (a.variable,)}
        named |= {x.variable for c in clauses if c.guard is not None for x in read(c.guard)}
        over[numbers.of[id(p)]] = v not in named | named_from(begins)
    return over


def named_in(body: Body) -> set[Variable]:
    return named_from(body.blocks)


def named_from(begins: Sequence[Block]) -> set[Variable]:
    """Of all that control may come to from these blocks."""
    found: set[Variable] = set()
    for block in reached(begins):
        end = block.end
        for s in block.statements:
            found |= {a.variable for a in accesses(s)}
        for name in ("condition", "selector"):
            e = getattr(end, name, None)
            if e is not None:
                found |= {a.variable for a in read(e)}
        call = getattr(end, "call", None)
        if call is not None:
            found |= {a.variable for a in accesses(call)}
        if isinstance(end, Attempt):
            for c in end.point.clauses:
                found |= {a.variable for a in accesses(c.event)}
                found |= {a.variable for a in read(c.guard)} if c.guard is not None else set()
    return found


def is_passed_on(machine: Machine, v: Variable) -> bool:
    """Under another name, as a VAR or open array argument."""
    for body in machine.bodies:
        for s in statements_of(body):
            if not isinstance(s, typed.CallProcess | typed.CreateProcess):
                continue
            for argument in s.arguments:
                if stands_for_another(argument.formal) and any(a.variable is v for a in read(argument.value)):
                    return True
    return False
