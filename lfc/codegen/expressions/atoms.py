"""The atoms of formulas, as one function of a state: `lf_atoms(b, taken, faults)` gives bit i for atom i.

`taken` names the meeting of the step that led to the state: its channel, and above it the number of its message
(from 1; see `message_numbers`); 0: there was none. Of an atom that faults the bit is 0, and set in what `faults`
points to.
"""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.model.machine import Machine, RecordLayout
from lfc.codegen.expressions.designators import Place
from lfc.codegen.expressions.initial import initialise
from lfc.codegen.expressions.values import value
from lfc.codegen.module.before_block import ROUNDS
from lfc.codegen.module.emit import FALSE, TRUE, Function, Value, number
from lfc.codegen.module.scope import Scope, is_signed
from lfc.codegen.module.unit import Unit
from lfc.semantics.model import typed
from lfc.semantics.model.types import size_and_alignment
from lfc.semantics.model.visit import functions_called

MOST_ATOMS = 63
ROUNDS_OF_ATOMS = 1_000_000  # of loops in what they call


def message_numbers(machine: Machine) -> dict[int, int]:
    """By identity of each message that the program's text sends or receives: its number, from 1."""
    found: dict[int, int] = {}
    for body in machine.composed_bodies:
        for point in body.points:
            for clause in point.clauses:
                if isinstance(clause.event, typed.Send | typed.Receive):
                    found.setdefault(id(clause.event.message), len(found) + 1)
    return found


def atoms_function(unit: Unit, atoms: Sequence[typed.Expr]) -> None:
    assert len(atoms) <= MOST_ATOMS
    f = Function(unit.target, "i64 @lf_atoms(ptr %b, i32 %taken, ptr %faults)")
    s = AtomScope(unit, f, unit.bodies[0], of_property=True)
    s.messages = message_numbers(unit.machine)
    found, faults = f.alloca("i64", 8), Value("ptr", "%faults")
    if functions_called(atoms):
        f.store(number(32, ROUNDS_OF_ATOMS), f.offset(s.b, ROUNDS), 4)
    for place in (found, faults):
        f.store(number(64, 0), place, 8)
    for i, e in enumerate(atoms):
        s.on_fault, after = f.label_name("faulted"), f.label_name("atom")
        bit = f.op("i64", f"zext {value(s, e)} to i64")
        put(f, found, f.arithmetic("shl", bit, number(64, i)))
        f.branch(after)
        f.label(s.on_fault)
        put(f, faults, number(64, 1 << i))
        f.branch(after)
        f.label(after)
    f.end(f"ret {f.load('i64', found, 8)}")
    unit.add(f)


def put(f: Function, place: Value, bits: Value) -> None:
    f.store(f.arithmetic("or", f.load("i64", place, 8), bits), place, 8)


class AtomScope(Scope):
    messages: dict[int, int]


def slot_index(s: Scope, r: RecordLayout, slot: typed.Expr | None) -> tuple[Value, Value]:
    """i16, of a slot that is there, and whether it is the one that is meant: beyond the slots there is no process."""
    if slot is None:
        return number(16, 0), TRUE
    f = s.f
    v = value(s, slot)
    wide = f.widen(v, 32, is_signed(slot.type))
    there = f.compare("ult", wide, number(32, r.slots))
    return f.widen(f.select(there, wide, number(32, 0)), 16), there


def position_at(s: Scope, r: RecordLayout, index: Value) -> Value:
    f = s.f
    size = r.position_size
    at = f.arithmetic("mul", index, number(16, size)) if size != 1 else index
    return f.widen(f.load(f"i{8 * size}", f.offset(f.offset(s.b, r.position_offset), at), size), 16)


def place_of_slot_variable(s: Scope, e: typed.SlotVariable) -> Place:
    f = s.f
    t = e.variable.type
    size, align = size_and_alignment(t)
    initial = f.alloca(f"[{size} x i8]", align)
    f.call("void", "@llvm.memset.p0.i32", [initial, number(8, 0), number(32, size), FALSE])
    initialise(s, initial, t)
    r = s.unit.machine.record_of(e.process)
    if r is None:
        return Place(t, initial)
    index, there = slot_index(s, r, e.slot)
    lives = f.arithmetic("and", there, f.compare("ne", position_at(s, r, index), number(16, 0)))
    record = f.offset(f.offset(s.b, r.offset), f.arithmetic("mul", index, number(16, r.stride)))
    assert r.body.frame is not None
    at = f.offset(record, r.frame0 + r.body.frame.variables[e.variable])
    return Place(t, f.select(lives, at, initial))


def status(s: Scope, e: typed.StatusAtom) -> Value:
    f = s.f
    machine = s.unit.machine
    r = machine.record_of(e.process)
    if e.status == "ENDED":
        lives = FALSE
        for i in range(r.slots if r is not None else 0):
            assert r is not None
            lives = f.arithmetic("or", lives, f.compare("ne", position_at(s, r, number(16, i)), number(16, 0)))
        return f.arithmetic("xor", lives, Value("i1", "true"))
    if r is None:
        return FALSE
    index, there = slot_index(s, r, e.slot)
    position = position_at(s, r, index)
    waits = f.arithmetic("and", there, f.compare("uge", position, number(16, s.unit.layout_of(r.body).first_waiting)))
    if e.status == "WAITING":
        return waits
    lives = f.arithmetic("and", there, f.compare("ne", position, number(16, 0)))
    return f.arithmetic("and", lives, f.arithmetic("xor", waits, Value("i1", "true")))


def taken(s: Scope, e: typed.TakenAtom) -> Value:
    assert isinstance(s, AtomScope)
    f = s.f
    channel = f.widen(value(s, e.port), 32)
    message = s.messages.get(id(e.message))
    if message is None:
        return FALSE
    wanted = f.arithmetic("or", channel, number(32, message << s.unit.port_bits))
    return f.compare("eq", Value("i32", "%taken"), wanted)
