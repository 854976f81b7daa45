"""Dead bytes: of each position, what nothing will read before it is overwritten; states keep it as zero.

In each frame of a process these are bytes of its own variables; at a position of a called process also bytes that
its VAR parameters stand for, as far as these lie in frames of the same process. Never a port, never what a formula
or a property process asks, nor what may change by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.layout.frames import aligned, frame_alignment
from lfc.actions.model.machine import Body, Machine, Position, PropertyMachine, RecordLayout
from lfc.mcheck.engine.abi import DEAD_OWN
from lfc.mcheck.model.description import Numbers
from lfc.mcheck.model.indexed_effects import statements_of
from lfc.mcheck.reduction.dead_variables.liveness import Livenesses, may_be_reset
from lfc.mcheck.reduction.dead_variables.use_and_kill import Bits, bits
from lfc.semantics.checks.accesses import accesses, read
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import ArrayType, RecordType, Type, contains_padding, record_layout, size_and_alignment
from lfc.semantics.model.visit import subexpressions


@dataclass(frozen=True, slots=True)
class Dead:
    """At one position. `own`: bytes of the frame; `referred`: for each VAR parameter bytes of what it stands for."""

    own: Bits = 0
    referred: dict[Variable, Bits] = field(default_factory=dict)
    variables: frozenset[Variable] = frozenset()


NOTHING = Dead()


class Reset:
    """The dead bytes of a program's states, for the engine and for blocks."""

    def __init__(
        self,
        machine: Machine,
        atoms: Sequence[typed.Expr] = (),
        watchers: Sequence[PropertyMachine] = (),
        kept: Set[Variable] = frozenset(),
    ) -> None:
        """What `atoms` of formulas and property processes ask counts as read at all times. `kept`: variables that are
        not to be reset under another name."""
        self.machine = machine
        self.dead = dead_at(machine, asked_by(atoms) | read_by(watchers), kept)
        self.variables = len({v for d in self.dead.values() for v in d.variables})
        self.align = frame_alignment(machine.bodies)

    def at(self, position: Position | None) -> Dead:
        """At a return: while the call lasts."""
        return self.dead.get(id(position), NOTHING)

    def block(self, block: bytes) -> bytes:
        """As the engine keeps it."""
        found = bytearray(block)
        for at, size in self.places(block):
            found[at : at + size] = bytes(size)
        return bytes(found)

    def places(self, block: bytes) -> list[tuple[int, int]]:
        """Offset and size of what is dead in a block."""
        records = [(r, i) for r in self.machine.layout.records for i in range(r.slots)]
        return [place for r, i in records for place in self._places_in(block, r, i)]

    def _places_in(self, block: bytes, r: RecordLayout, slot: int) -> Iterator[tuple[int, int]]:
        """Frame by frame, from the innermost."""
        position = self.machine.position_at(block, r.first_slot + slot)
        record = r.offset + slot * r.stride
        frame = record + r.frame0
        if r.frame_field_offset is not None:
            frame = record + number_at(block, record + r.frame_field_offset, r.frame_field_size)
        while position is not None and position.body.frame is not None:
            layout, dead = position.body.frame, self.at(position)
            for offset, size in ranges(dead.own):
                yield frame + offset, size
            for v, inside in dead.referred.items():
                begin = number_at(block, frame + layout.variables[v], 2)
                for offset, size in ranges(inside):
                    if record <= begin + offset and begin + offset + size <= record + r.stride:
                        yield begin + offset, size
            back = (
                0
                if layout.return_offset is None
                else number_at(block, frame + layout.return_offset, layout.return_size)
            )
            if not back:
                return
            position = self.machine.positions[back - 1]
            assert position.body.frame is not None
            frame -= aligned(position.body.frame.size, self.align)

    def tables(self, numbers: Numbers) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
        """By number of a position its shape: the first of its pieces, how many there are, where its frame holds the
        position to return to, and how far its frame is from the next. Pieces: offset, size, and the place of the VAR
        parameter that it is meant from."""
        by_number = {numbers.of[id(p)]: p for p in self.machine.positions}
        shapes: list[tuple[int, ...]] = []
        pieces: list[tuple[int, ...]] = []
        for n in range(numbers.count + 1):
            p = by_number.get(n)
            first = len(pieces)
            if p is None or p.body.frame is None:
                shapes.append((first, 0, 0, 0, 0))
                continue
            frame, dead = p.body.frame, self.at(p)
            pieces += [(offset, size, DEAD_OWN) for offset, size in ranges(dead.own)]
            for v, inside in dead.referred.items():
                pieces += [(offset, size, frame.variables[v]) for offset, size in ranges(inside)]
            back = frame.return_offset or 0, frame.return_size
            shapes.append((first, len(pieces) - first, *back, aligned(frame.size, self.align)))
        return shapes, pieces


def number_at(block: bytes, at: int, size: int) -> int:
    return int.from_bytes(block[at : at + size], "little")


def ranges(found: Bits) -> Iterator[tuple[int, int]]:
    """Offset and size of each row of bits."""
    at = 0
    while found:
        skipped = (found & -found).bit_length() - 1
        found >>= skipped
        size = (~found & found + 1).bit_length() - 1
        found >>= size
        yield at + skipped, size
        at += skipped + size


def dead_at(machine: Machine, asked: Set[Variable], kept: Set[Variable]) -> dict[int, Dead]:
    """By identity of each position of the program."""
    livenesses = Livenesses(machine, asked | kept)
    found: dict[int, Dead] = {}
    for body in machine.bodies:
        if body.frame is None or body.process in machine.function_of:
            continue
        own = {v for v in body.frame.variables if not stands_for_another(v) and v not in asked and may_be_reset(v)}
        own -= lent_for_ever(body)
        referred = livenesses.reset_by(body)
        if not own and not referred:
            continue
        liveness = livenesses.of(body)
        for position in body.positions:
            dead = dead_here(body, own, referred, liveness.bytes.place, ~liveness.at(position))
            if dead.own or dead.referred:
                found[id(position)] = dead
    return found


def dead_here(
    body: Body,
    own: Iterable[Variable],
    referred: Iterable[Variable],
    place: dict[Variable, tuple[int, int]],
    dead: Bits,
) -> Dead:
    frame: Bits = 0
    variables: set[Variable] = set()
    for v in own:
        mine = content(v.type) << place[v][0] & dead
        frame |= mine
        if mine:
            variables.add(v)
    inside = {v: dead >> place[v][0] & content(v.type) for v in referred}
    inside = {v: b for v, b in inside.items() if b}
    return Dead(frame, inside, frozenset(variables | set(inside)))


def lent_for_ever(body: Body) -> set[Variable]:
    """To a process that is created. (None, by the rules of the language.)"""
    return {
        a.variable
        for s in statements_of(body)
        if isinstance(s, typed.CreateProcess)
        for argument in s.arguments
        if stands_for_another(argument.formal)
        for a in read(argument.value)
    }


def content(t: Type) -> Bits:
    """The bytes of a value, without padding, which is always zero."""
    if not contains_padding(t):
        return bits(0, size_and_alignment(t)[0])
    found = 0
    if isinstance(t, ArrayType):
        size, inside = size_and_alignment(t.element)[0], content(t.element)
        for i in range(t.length):
            found |= inside << i * size
    elif isinstance(t, RecordType):
        for f, offset in zip(t.fields, record_layout(t)[0], strict=True):
            found |= content(f.type) << offset
    return found


# --- what is asked from outside --------------------------------------------------------------------------------------


def asked_by(atoms: Iterable[typed.Expr]) -> set[Variable]:
    return {
        e.variable for a in atoms for e in subexpressions(a) if isinstance(e, typed.SlotVariable | typed.VariableRef)
    }


def read_by(watchers: Iterable[PropertyMachine]) -> set[Variable]:
    """Anywhere in their text, of whichever slot."""
    found: set[Variable] = set()
    for w in watchers:
        found |= {a.variable for s in statements_of(w.body) for a in accesses(s)}
        for block in w.body.blocks:
            for name in ("condition", "selector"):
                e = getattr(block.end, name, None)
                if e is not None:
                    found |= {a.variable for a in read(e)}
        for point in w.body.points:
            found |= {a.variable for c in point.clauses if c.guard is not None for a in read(c.guard)}
    return found
