"""What the atoms of a formula say of a step: a path is split until each says the same under all its values."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence

from lfc.actions.model.machine import Machine
from lfc.codegen.expressions.atoms import message_numbers
from lfc.codegen.module.before_block import ROOM_OF_POLICIES
from lfc.codegen.program import generate
from lfc.mcheck.symbolic.execution import code
from lfc.mcheck.symbolic.execution.decode import Pointer
from lfc.mcheck.symbolic.execution.execute import BLOCK, ROOM, ROUNDS, ROUNDS_AT, Interpreter
from lfc.mcheck.symbolic.execution.paths import Path, Split
from lfc.mcheck.symbolic.values.ranges import Impossible
from lfc.mcheck.symbolic.values.terms import Term, operation, select
from lfc.run.load_code import LoadedCode
from lfc.run.names import live_processes
from lfc.run.native import host_target
from lfc.run.quick import quick_objects
from lfc.run.wait_for_graph import channel_of_clause
from lfc.semantics.model import typed

FAULTS_AT = -56  # before the block: which atoms have faulted, 8 bytes


class AtomFaults(Exception):
    """Of some values an atom has none."""


class Letters:
    """Of the atoms with which a program was decoded: bit i for atom i."""

    def __init__(self, interpreter: Interpreter, atoms: Sequence[typed.Expr]) -> None:
        self.interpreter, self.count = interpreter, len(atoms)

    def of_path(self, path: Path, block: Sequence[object], taken: int) -> Iterator[tuple[Path, int]]:
        """The path on each of the ways that it is split into, and the letter there, when a step with this meeting has
        led to the block. Raises TooMany, AtomFaults."""
        if not self.count:
            yield path, 0
            return
        memory: list[object] = [0] * ROOM + list(block)
        memory[ROOM + ROUNDS_AT : ROOM] = ROUNDS.to_bytes(4, "little")
        asking = path.copy()
        asking.memory, asking.activations = {BLOCK: memory}, []
        for end in self.interpreter.ends_of(asking, code.ATOMS, (taken, Pointer(BLOCK, FAULTS_AT))):
            if end.fault is not None:
                raise AtomFaults
            for own, letter in self._decided(end.path, end.result):  # type: ignore[arg-type]
                own.memory.clear()  # it is the path itself, which now knows more
                yield own, letter

    def _decided(self, path: Path, result: int | Term) -> Iterator[tuple[Path, int]]:
        stack = [path]
        while stack:
            path = stack.pop()
            try:
                for byte in path.memory[BLOCK][ROOM + FAULTS_AT : ROOM + FAULTS_AT + 8]:
                    if path.number(byte):
                        raise AtomFaults
                yield path, sum(path.truth(bit(result, i)) << i for i in range(self.count))
            except Impossible:
                continue
            except Split as split:
                stack += [path.gone(split, n) for n in reversed(range(len(split.ways)))]


def bit(v: int | Term, n: int) -> int | Term:
    """Of a number that is put together of truths: the one that is its bit `n`."""
    if isinstance(v, int):
        return v >> n & 1
    if n >= v.width:
        return 0
    if v.width == 1:
        return v
    first = v.args[0]
    match v.op, v.args[-1]:
        case "or" | "and" | "xor", other:
            return operation(v.op, 1, 1, bit(first, n), bit(other, n))
        case "shl", int(by):
            return bit(first, n - by) if n >= by else 0
        case "lshr", int(by):
            return bit(first, n + by)
        case "zext" | "trunc", _:
            return bit(first, n)
        case "select", other:
            return select(first, bit(v.args[1], n), bit(other, n), 1)
    return operation("trunc", 1, v.width, operation("lshr", v.width, v.width, v, n))


def meeting_of(machine: Machine, before: bytes, items: Sequence[tuple[object, ...]]) -> int:
    """Channel and message of the communication in a step from a block whose explicit bytes are right; 0: none."""
    met = next((i for i in items if i[0] == "meet"), None)
    if met is None:
        return 0
    _, _, slot, number = met
    partner = next((p for p in live_processes(machine, before) if p.slot == slot), None)
    if partner is None or partner.position.point is None:
        return 0
    clause = partner.position.point.clauses[0 if number == 0xFF else number]  # type: ignore[call-overload]
    if not isinstance(clause.event, typed.Send | typed.Receive):
        return 0
    channel = channel_of_clause(machine, before, partner, clause)
    return (
        0 if channel is None else channel | message_numbers(machine)[id(clause.event.message)] << 8 * machine.port_size
    )


class NativeAtoms:
    """The same function, compiled for this machine: a second opinion on each letter that is shown."""

    def __init__(self, machine: Machine, atoms: Sequence[typed.Expr]) -> None:
        generated = generate(machine, host_target(), atoms=atoms)
        self._code = LoadedCode(quick_objects(generated.ir, wide=machine.wide), ("lf_atoms",))
        pointer, u32, u64 = ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint64
        self._atoms = ctypes.CFUNCTYPE(u64, pointer, u32, ctypes.POINTER(u64))(self._code["lf_atoms"])
        self._size = machine.block_size
        self._memory = ctypes.create_string_buffer(ROOM_OF_POLICIES + self._size + 64)
        self._block = (ctypes.addressof(self._memory) + ROOM_OF_POLICIES + 63) // 64 * 64

    def letter(self, block: bytes, taken: int) -> int:
        """Of atoms that do not fault."""
        faults = ctypes.c_uint64()
        ctypes.memmove(self._block, block, self._size)
        return int(self._atoms(self._block, taken, ctypes.byref(faults)))
