"""The interpreter of decoded code: every path of a call, from a block with terms to its ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lfc.mcheck.symbolic.execution.decode import NULL, Function, IrInstruction, Module, NotDecoded, Pointer
from lfc.mcheck.symbolic.execution.paths import Activation, Item, Path, Split
from lfc.mcheck.symbolic.values.preimages import TooMany
from lfc.mcheck.symbolic.values.ranges import Impossible
from lfc.mcheck.symbolic.values.solver import Solver
from lfc.mcheck.symbolic.values.terms import Term, byte_of, joined, operation, select
from lfc.mcheck.symbolic.values.value_sets import ValueSet

NOTHING: Mapping[Term, int] = {}
BLOCK = 0  # the piece of memory
ROOM = 64  # before the block
ROUNDS_AT, ROUNDS = -4, 1_000_000
MOST_STEPS = 3_000_000  # instructions of one path
MOST_PATHS = 20_000  # of one action
TOO_MANY_CASES = "one action asks so much of undetermined values that it has too many cases"


@dataclass(slots=True)
class FaultEnd:
    kind: int
    site: int


@dataclass(slots=True)
class ActionEnd:
    """Of a path. `block`: bytes, with terms; `box`: the values that are left of all symbols."""

    path: Path
    fault: FaultEnd | None = None
    result: object = None

    @property
    def block(self) -> list[int | Term]:
        return self.path.memory[BLOCK][ROOM:]  # type: ignore[return-value]

    @property
    def items(self) -> list[Item]:
        return self.path.items


class OutOfTime(Exception):
    """Within an action."""


class Ended(Exception):
    """A path does not go on."""

    def __init__(self, fault: FaultEnd | None) -> None:
        self.fault = fault


Policy = Callable[["Interpreter", Path, list[object]], object]


class Interpreter:
    def __init__(self, module: Module, policies: Mapping[str, Policy], rounds: int = ROUNDS) -> None:
        """`rounds`: that an action may have."""
        self.module, self.policies, self.rounds = module, policies, rounds
        self.may_widen = False
        self.solver: Solver | None = None
        self.is_over: Callable[[], bool] = lambda: False  # somebody asks it to end
        self.executed = 0  # instructions
        self._doing = {name[4:]: getattr(self, name) for name in dir(self) if name.startswith("_do_")}

    def ends(
        self,
        name: str,
        arguments: Sequence[object],
        block: Sequence[int | Term],
        box: Mapping[int, ValueSet],
        widths: Mapping[int, int],
        known: Mapping[Term, int] = NOTHING,
    ) -> list[ActionEnd]:
        """Of a call with the block and these arguments. `known`: answers that hold. Raises TooMany, NotDecoded,
        OutOfTime."""
        memory: list[object] = [0] * ROOM + list(block)
        memory[ROOM + ROUNDS_AT : ROOM] = self.rounds.to_bytes(4, "little")
        path = Path({BLOCK: memory}, dict(box), dict(widths), may_widen=self.may_widen)
        path.known, path.solver = dict(known), self.solver
        return self.ends_of(path, name, arguments)

    def ends_of(self, path: Path, name: str, arguments: Sequence[object]) -> list[ActionEnd]:
        """Of a call with the block of this path. Raises TooMany, NotDecoded, OutOfTime."""
        f = self.module.functions[name]
        path.activations.append(self._activation(f, [Pointer(BLOCK, 0), *arguments]))
        return self.ends_from(path)

    def ends_from(self, path: Path, paths: int = 0) -> list[ActionEnd]:
        """Of a path that is on its way, where its call has split into so many before."""
        found: list[ActionEnd] = []
        stack = [path]
        while stack:
            path = stack.pop()
            if self.is_over():
                raise OutOfTime
            try:
                path.must_be_possible()
                found.append(ActionEnd(path, None, self._run(path)))
            except Ended as end:
                found.append(ActionEnd(path, end.fault))
            except Impossible:
                continue
            except Split as split:
                paths += len(split.ways)
                if paths > MOST_PATHS:
                    raise TooMany(TOO_MANY_CASES) from None
                stack += [path.gone(split, n) for n in reversed(range(len(split.ways)))]
        return found

    @staticmethod
    def _activation(f: Function, arguments: Sequence[object], result: int = -1) -> Activation:
        registers = list(f.registers)
        registers[: len(arguments)] = arguments
        return Activation(f, registers, 0, 0, result)

    def _run(self, path: Path) -> object:
        """To the return of its first function; gives the result."""
        doing = self._doing
        a = path.activations[-1]
        while True:
            instruction = a.function.blocks[a.block][a.at]
            path.steps += 1
            self.executed += 1
            if path.steps > MOST_STEPS:
                raise TooMany("one action takes too many instructions")
            if not path.steps & 0xFFF and self.is_over():
                raise OutOfTime
            op = instruction.op
            if op == "return":
                result = a.registers[instruction.args[0]] if instruction.args else None
                path.activations.pop()
                if not path.activations:
                    return result
                to = a.result
                a = path.activations[-1]
                if to >= 0:
                    a.registers[to] = result
                a.at += 1
                continue
            if op == "call":
                self._call(path, a, instruction)
                a = path.activations[-1]
                continue
            if op not in doing:
                raise NotDecoded(f"the instruction `{op}`")
            doing[op](path, a, instruction)

    # --- control ---------------------------------------------------------------------------------------------------

    @staticmethod
    def _go(a: Activation, to: int) -> None:
        phis = a.function.phis[to]
        if phis:
            values = [a.registers[ways[a.block]] for _, ways in phis]
            for (register, _), v in zip(phis, values, strict=True):
                a.registers[register] = v
        a.block, a.at = to, 0

    def _do_jump(self, path: Path, a: Activation, i: IrInstruction) -> None:
        self._go(a, i.more)

    def _do_branch(self, path: Path, a: Activation, i: IrInstruction) -> None:
        condition = a.registers[i.args[0]]
        yes, no = i.more
        self._go(a, yes if path.truth(condition) else no)  # type: ignore[arg-type]

    def _do_switch(self, path: Path, a: Activation, i: IrInstruction) -> None:
        v = a.registers[i.args[0]]
        cases, otherwise = i.more
        if isinstance(v, int):
            self._go(a, cases.get(v, otherwise))
            return
        for label, numbers in by_label(cases).items():
            if label == otherwise:
                continue
            asked: int | Term = 0
            for n in numbers:
                asked = operation("or", 1, 1, asked, operation("eq", 1, i.width, v, n))  # type: ignore[arg-type]
            if path.truth(asked):
                self._go(a, label)
                return
        self._go(a, otherwise)

    def _do_unreachable(self, path: Path, a: Activation, i: IrInstruction) -> None:
        raise NotDecoded("a place that the compiler takes for unreachable is reached")

    # --- memory ----------------------------------------------------------------------------------------------------

    def located(self, path: Path, pointer: object) -> tuple[list[object], int]:
        """The piece of memory and where in it."""
        if not isinstance(pointer, Pointer):
            raise NotDecoded("an address that is a number")
        offset = pointer.offset if type(pointer.offset) is int else path.number(pointer.offset)
        if pointer.place == BLOCK:
            return path.memory[BLOCK], (offset + ROOM) & (1 << 64) - 1
        if isinstance(pointer.place, int):
            return path.memory[pointer.place], offset & (1 << 64) - 1
        piece = self.module.globals.get(pointer.place)
        if piece is None:
            raise NotDecoded(f"the memory of {pointer.place}")
        return piece, offset & (1 << 64) - 1

    def load(self, path: Path, pointer: object, size: int) -> object:
        piece, at = self.located(path, pointer)
        if at + size > len(piece):
            raise NotDecoded("a load outside of the state")
        if size == 1 and not isinstance(piece[at], tuple):
            return piece[at]
        cells = piece[at : at + size]
        try:
            return int.from_bytes(cells, "little")  # type: ignore[arg-type]
        except TypeError:
            pass
        first = cells[0]
        if isinstance(first, tuple):  # of a pointer
            if size == 8 and all(c == (first[0], i) for i, c in enumerate(cells)):
                return first[0]
            raise NotDecoded("a part of an address")
        return joined(cells)  # type: ignore[arg-type]

    def store(self, path: Path, pointer: object, v: object, size: int) -> None:
        piece, at = self.located(path, pointer)
        if isinstance(pointer, Pointer) and isinstance(pointer.place, str):
            raise NotDecoded(f"a store to {pointer.place}")
        if at + size > len(piece):
            raise NotDecoded("a store outside of the state")
        if type(v) is int:
            if size == 1:
                piece[at] = v
            else:
                piece[at : at + size] = v.to_bytes(size, "little")
        elif isinstance(v, Pointer):
            piece[at : at + size] = [(v, n) for n in range(size)]
        else:
            assert isinstance(v, Term)
            piece[at : at + size] = [byte_of(v, n) if 8 * n < v.width else 0 for n in range(size)]

    def _do_load(self, path: Path, a: Activation, i: IrInstruction) -> None:
        v = self.load(path, a.registers[i.args[0]], i.of)
        if not i.more and i.width != 8 * i.of and not isinstance(v, Pointer):
            v = operation("trunc", i.width, 8 * i.of, v)  # type: ignore[arg-type]
        a.registers[i.dest] = v
        a.at += 1

    def _do_store(self, path: Path, a: Activation, i: IrInstruction) -> None:
        self.store(path, a.registers[i.args[1]], a.registers[i.args[0]], i.of)
        a.at += 1

    def _do_getelementptr(self, path: Path, a: Activation, i: IrInstruction) -> None:
        base = a.registers[i.args[0]]
        if not isinstance(base, Pointer):
            raise NotDecoded("an address that is a number")
        constant, scales = i.more
        if not scales and type(base.offset) is int:
            a.registers[i.dest] = Pointer(base.place, base.offset + constant)
            a.at += 1
            return
        offset: int | Term = operation("add", 64, 64, base.offset, constant & (1 << 64) - 1)  # type: ignore[arg-type]
        for register, (scale, bits) in zip(i.args[1:], scales, strict=True):
            index = a.registers[register]
            if bits < 64:
                index = operation("sext", 64, bits, index)  # type: ignore[arg-type]
            offset = operation("add", 64, 64, offset, operation("mul", 64, 64, index, scale))  # type: ignore[arg-type]
        a.registers[i.dest] = Pointer(base.place, offset)
        a.at += 1

    def _do_alloca(self, path: Path, a: Activation, i: IrInstruction) -> None:
        number = path.next_piece
        path.next_piece += 1
        path.memory[number] = list[object](bytes(i.more))
        a.registers[i.dest] = Pointer(number, 0)
        a.at += 1

    # --- numbers ---------------------------------------------------------------------------------------------------

    def _do_arithmetic(self, path: Path, a: Activation, i: IrInstruction) -> None:
        x, y = a.registers[i.args[0]], a.registers[i.args[1]]
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            a.registers[i.dest] = of_addresses(i.op, x, y)
        else:
            a.registers[i.dest] = operation(i.op, i.width, i.width, x, y)  # type: ignore[arg-type]
        a.at += 1

    _do_add = _do_sub = _do_mul = _do_udiv = _do_urem = _do_sdiv = _do_srem = _do_arithmetic
    _do_and = _do_or = _do_xor = _do_shl = _do_lshr = _do_ashr = _do_arithmetic

    def _do_zext(self, path: Path, a: Activation, i: IrInstruction) -> None:
        v = a.registers[i.args[0]]
        if isinstance(v, Pointer):
            raise NotDecoded("a part of an address")
        a.registers[i.dest] = operation(i.op, i.width, i.of, v)  # type: ignore[arg-type]
        a.at += 1

    _do_sext = _do_trunc = _do_zext

    def _do_freeze(self, path: Path, a: Activation, i: IrInstruction) -> None:
        a.registers[i.dest] = a.registers[i.args[0]]
        a.at += 1

    def _do_ptrtoint(self, path: Path, a: Activation, i: IrInstruction) -> None:
        """An address stays one: what is left of it in the end is a distance."""
        a.registers[i.dest] = a.registers[i.args[0]]
        a.at += 1

    def _do_icmp(self, path: Path, a: Activation, i: IrInstruction) -> None:
        x, y = a.registers[i.args[0]], a.registers[i.args[1]]
        predicate: str = i.more
        if isinstance(x, Pointer) or isinstance(y, Pointer):
            a.registers[i.dest] = compared_addresses(predicate, x, y)
        else:
            a.registers[i.dest] = operation(predicate, 1, i.of, x, y)  # type: ignore[arg-type]
        a.at += 1

    def _do_select(self, path: Path, a: Activation, i: IrInstruction) -> None:
        condition, x, y = (a.registers[r] for r in i.args)
        if isinstance(condition, Term) and (isinstance(x, Pointer | tuple) or isinstance(y, Pointer | tuple)):
            condition = int(path.truth(condition))
        if isinstance(condition, int):
            a.registers[i.dest] = x if condition else y
        else:
            a.registers[i.dest] = select(condition, x, y, i.width)  # type: ignore[arg-type]
        a.at += 1

    def _do_extractvalue(self, path: Path, a: Activation, i: IrInstruction) -> None:
        a.registers[i.dest] = a.registers[i.args[0]][i.more]  # type: ignore[index]
        a.at += 1

    # --- calls -----------------------------------------------------------------------------------------------------

    def _call(self, path: Path, a: Activation, i: IrInstruction) -> None:
        name: str = i.more
        f = self.module.functions.get(name)
        arguments = [a.registers[r] for r in i.args]
        if f is not None:
            path.activations.append(self._activation(f, arguments, i.dest))
            return
        if name.startswith("@llvm."):
            result = self._intrinsic(path, name, i, arguments)
        else:
            policy = self.policies.get(name)
            if policy is None:
                raise NotDecoded(f"a call of {name[1:]}")
            result = policy(self, path, arguments)
        if i.dest >= 0:
            a.registers[i.dest] = result
        a.at += 1

    def _intrinsic(self, path: Path, name: str, i: IrInstruction, x: list[object]) -> object:
        parts = name.split(".")
        what = parts[1]
        if what in ("lifetime", "assume", "experimental", "dbg", "donothing"):
            return None
        if what in ("memset", "memcpy", "memmove"):
            size = path.number(x[2])
            if size:
                cells = [x[1]] * size if what == "memset" else self._cells(path, x[1], size)
                piece, at = self.located(path, x[0])
                if at + size > len(piece):
                    raise NotDecoded("a store outside of the state")
                piece[at : at + size] = cells
            return None
        w = i.width
        if len(parts) > 3 and parts[2:4] == ["with", "overflow"]:
            result = operation(what[1:], w, w, *x)  # type: ignore[arg-type]
            return result, operation(f"{what}.overflows", 1, w, *x)  # type: ignore[arg-type]
        if what in ("umin", "umax", "smin", "smax", "fshl", "fshr", "bswap", "ctpop"):
            return operation(what, w, w, *x)  # type: ignore[arg-type]
        if what == "abs":
            return operation("abs", w, w, x[0])  # type: ignore[arg-type]
        if what == "usub" and parts[2] == "sat":
            return operation("usub.sat", w, w, *x)  # type: ignore[arg-type]
        raise NotDecoded(f"the intrinsic {name[1:]}")

    def _cells(self, path: Path, pointer: object, size: int) -> list[object]:
        piece, at = self.located(path, pointer)
        if at + size > len(piece):
            raise NotDecoded("a load outside of the state")
        return piece[at : at + size]


def by_label(cases: Mapping[int, int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for n, label in cases.items():
        found.setdefault(label, []).append(n)
    return found


def of_addresses(op: str, x: object, y: object) -> object:
    if op == "sub" and isinstance(x, Pointer) and isinstance(y, Pointer) and x.place == y.place:
        return operation("sub", 64, 64, x.offset, y.offset)  # type: ignore[arg-type]
    if op in ("add", "sub") and isinstance(x, Pointer) and not isinstance(y, Pointer):
        return Pointer(x.place, operation(op, 64, 64, x.offset, y))  # type: ignore[arg-type]
    if op == "add" and isinstance(y, Pointer) and not isinstance(x, Pointer):
        return Pointer(y.place, operation(op, 64, 64, y.offset, x))  # type: ignore[arg-type]
    raise NotDecoded(f"`{op}` of addresses")


def compared_addresses(predicate: str, x: object, y: object) -> int | Term:
    x = NULL if x == 0 else x
    y = NULL if y == 0 else y
    if not isinstance(x, Pointer) or not isinstance(y, Pointer):
        raise NotDecoded("an address compared with a number")
    if x.place == y.place:
        return operation(predicate, 1, 64, x.offset, y.offset)  # type: ignore[arg-type]
    if predicate in ("eq", "ne"):
        return int(predicate == "ne")
    raise NotDecoded("an order of addresses")
