"""Dead variables: of each position, the bytes of a process's record that nothing will read before they are written.

A variable is dead at a position if on every way from there it is written whole before it is read, or not at all. Only
variables of processes that nobody calls are looked at, and none that is passed as a VAR argument, holds a port, or may
change by itself. May import: `layout`, `shared_places`, `lfc.actions`, `lfc.semantics`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lfc.actions.flow import targets
from lfc.actions.frames import place_of_variable
from lfc.actions.model import (
    Advance,
    Attempt,
    Block,
    Body,
    Branch,
    CallWaiting,
    Machine,
    Point,
    PointClause,
    Position,
    Suspend,
    Switch,
)
from lfc.actions.places import stands_for_another
from lfc.actions.statement_effects import holds_port
from lfc.mcheck.layout import Numbers
from lfc.mcheck.shared_places import statements_of
from lfc.semantics import typed
from lfc.semantics.checks.accesses import Kind, accesses, read
from lfc.semantics.typed import Variable
from lfc.semantics.walk import subexpressions

Live = frozenset[Variable]
NOTHING: Live = frozenset()


@dataclass(frozen=True, slots=True)
class DeadBytes:
    """In a record, relative to its begin."""

    offset: int
    size: int
    variable: Variable


def dead_bytes(machine: Machine, atoms: Sequence[typed.Expr], broken: bool = False) -> dict[int, list[DeadBytes]]:
    """By identity of each position. `atoms`: what formulas ask counts as read at all times."""
    asked = {
        e.variable for a in atoms for e in subexpressions(a) if isinstance(e, typed.SlotVariable | typed.VariableRef)
    }
    found: dict[int, list[DeadBytes]] = {}
    for r in machine.layout.records:
        body = r.body
        if body.process is None or body.called or body.frame is None or body.process in machine.function_of:
            continue
        if body.calls_waiting:
            continue  # where a call waits, the caller's variables would have to be looked at as well
        eligible = eligible_variables(body) - asked
        if not eligible:
            continue
        liveness = Liveness(body, broken)
        for position in body.positions:
            dead = eligible - liveness.at(position)
            found[id(position)] = sorted(
                (DeadBytes(r.frame0 + body.frame.variables[v], place_of_variable(v)[0], v) for v in dead),
                key=lambda d: d.offset,
            )
    return {p: d for p, d in found.items() if d}


def eligible_variables(body: Body) -> set[Variable]:
    assert body.frame is not None
    passed = {
        a.variable for s in statements_of(body) for a in accesses(s) if a.kind is Kind.ARGUMENT
    } | passed_as_open_arrays(body)
    return {
        v
        for v in body.frame.variables
        if v not in passed and not stands_for_another(v) and not v.outside and not holds_port(v.type)
    }


def passed_as_open_arrays(body: Body) -> set[Variable]:
    """What is read through another name as long as the call lasts."""
    found: set[Variable] = set()
    for call in body.callees:
        assert isinstance(call, typed.CallProcess | typed.CreateProcess)
        for argument in call.arguments:
            if stands_for_another(argument.formal):
                found |= {a.variable for a in read(argument.value)}
    return found


class Liveness:
    """Of the variables of one body: which may be read before they are written, at the begin of each block."""

    def __init__(self, body: Body, broken: bool = False) -> None:
        self.body = body
        self.broken = broken
        self.live: dict[Block, Live] = {b: NOTHING for b in body.blocks}
        changed = True
        while changed:
            changed = False
            for block in reversed(body.blocks):
                now = self._before(block)
                if now != self.live[block]:
                    self.live[block] = now
                    changed = True

    def at(self, position: Position) -> Live:
        if position.entry is not None:
            return self.live[position.entry]
        assert position.point is not None
        return self._while_waiting(position.point)

    def _before(self, block: Block) -> Live:
        live = self._after(block)
        for s in reversed(block.statements):
            live = (live - written_whole(s)) | used_by(s)
        return live

    def _after(self, block: Block) -> Live:
        end = block.end
        match end:
            case Attempt():
                live = self._while_waiting(end.point) | self._of(end.point.otherwise)
                return live | {v for c in end.point.clauses for v in used_by(c.event)}
            case Suspend():
                return self._of(end.position)
            case CallWaiting():
                return self._of(end.position) | used_by(end.call)
            case Branch():
                used = NOTHING if self.broken else frozenset(a.variable for a in read(end.condition))
            case Switch():
                used = frozenset(a.variable for a in read(end.selector))
            case _:
                used = NOTHING
        return used.union(*(self.live[b] for b in targets(end)))

    def _of(self, position: Position | None) -> Live:
        return NOTHING if position is None or position.entry is None else self.live[position.entry]

    def _while_waiting(self, point: Point) -> Live:
        """Guards, steady ports and the places of what is received are looked at when a partner comes."""
        found = NOTHING
        for clause in point.clauses:
            found |= (self._of(clause.resume) - received_whole(clause)) | used_by(clause.event)
            if clause.guard is not None:
                found |= {a.variable for a in read(clause.guard)}
        return found


def received_whole(clause: PointClause) -> set[Variable]:
    designators = [t.target.designator for t in clause.targets]
    return {d.variable for d in designators if isinstance(d, typed.VariableRef)}


def written_whole(s: typed.Statement) -> set[Variable]:
    """And not read."""
    if isinstance(s, typed.Assign) and isinstance(s.target, typed.VariableRef):
        return {s.target.variable} - {a.variable for a in read(s.value)}
    return set()


def used_by(s: typed.Statement) -> Live:
    """Whatever is not only written whole."""
    match s:
        case Advance():
            return frozenset(a.variable for a in read(s.target))
        case typed.AfterEvent():
            return frozenset(a.variable for a in read(s.milliseconds))
        case typed.Receive():
            whole = {t.designator.variable for t in s.targets if isinstance(t.designator, typed.VariableRef)}
            received = (a for a in accesses(s) if a.kind is not Kind.RECEIVE or a.variable not in whole)
            return frozenset(a.variable for a in received)
    whole = written_whole(s)
    return frozenset(a.variable for a in accesses(s) if a.variable not in whole)


class Reset:
    """The dead bytes of a program's states, for the engine and for blocks."""

    def __init__(self, machine: Machine, atoms: Sequence[typed.Expr] = (), broken: bool = False) -> None:
        """`broken`: what conditions read is forgotten, so that tests can show that they would see it."""
        self.machine = machine
        self.dead = dead_bytes(machine, atoms, broken)
        self.variables = len({d.variable for found in self.dead.values() for d in found})

    def block(self, block: bytes) -> bytes:
        """As the engine keeps it."""
        found = bytearray(block)
        for r in self.machine.layout.records:
            for i in range(r.slots):
                position = self.machine.position_at(block, r.first_slot + i)
                for d in self.dead.get(id(position), ()):
                    at = r.offset + i * r.stride + d.offset
                    found[at : at + d.size] = bytes(d.size)
        return bytes(found)

    def pieces(self, numbers: Numbers) -> tuple[list[int], list[tuple[int, int]]]:
        """By number of a position, and one more, where its pieces begin; of each its offset in the slot's component,
        and its size."""
        by_number = {numbers.of[id(p)]: p for p in self.machine.positions}
        sizes = {id(p): r.position_size for r in self.machine.layout.records for p in r.body.positions}
        first: list[int] = []
        found: list[tuple[int, int]] = []
        for n in range(numbers.count + 1):
            first.append(len(found))
            for d in self.dead.get(id(by_number.get(n)), ()):
                found.append((sizes[id(by_number[n])] + d.offset, d.size))
        return [*first, len(found)], found
