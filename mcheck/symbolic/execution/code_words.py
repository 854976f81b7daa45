"""Decoded code as the engine reads it: an array of words (mcheck/engine/symbolic/machine.h says what they are). What it
does not know becomes an instruction that it hands over.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from lfc.mcheck.engine.abi import GLOBAL_PLACE, NULL_PLACE, IrOp, IrPolicy, TermOp, ValueKind
from lfc.mcheck.symbolic.execution.decode import BINARY, NULL, Function, IrInstruction, Module, Pointer
from lfc.mcheck.symbolic.execution.execute import by_label
from lfc.mcheck.symbolic.execution.policies import IGNORED
from lfc.mcheck.symbolic.values.terms import OPERATIONS

TERM_OPS = {name: TermOp[name.upper().replace(".", "_")] for name in OPERATIONS}
OF_LLVM = ("umin", "umax", "smin", "smax", "fshl", "fshr", "bswap", "ctpop")
NOTHING_DONE = ("lifetime", "assume", "experimental", "dbg", "donothing")
UNKNOWN = (IrOp.UNKNOWN, 0, 0, -1, -1, -1, -1, 0)
TOO_MANY_PHIS = 1 << 20  # nobody goes there but the caller
MASK = (1 << 64) - 1
Words = tuple[int, ...]


@dataclass(slots=True)
class SwitchCases:
    """`groups`: the numbers that lead to one label."""

    width: int
    groups: list[list[int]]


@dataclass(slots=True)
class CodeWords:
    words: array[int]
    functions: list[Function]
    first_block: list[int]  # of each function
    numbers: dict[str, int]
    pairs: list[dict[int, int]]  # of each function: where a result is a pair, the register of its second half
    globals: list[str]
    switches: list[SwitchCases]


def policy_words(name: str, wide: bool) -> tuple[int, int] | None:
    """Which one, and its bits."""
    short = name.removeprefix("@lf_policy_")
    if short in IGNORED:
        return IrPolicy.NOTHING, 0
    plain = {"alternative": IrPolicy.ALTERNATIVE, "choice": IrPolicy.CHOICE, "clock": IrPolicy.CLOCK}
    if name == "@lf_fault":
        return IrPolicy.FAULT, 0
    if short in plain:
        return plain[short], 0
    if short == "meet":
        return IrPolicy.MEET, 16 if wide else 8
    if short == "console_in":
        return IrPolicy.CONSOLE, 8
    for prefix, kind in (("in", IrPolicy.PORT), ("any", IrPolicy.ANY)):
        if short in (f"{prefix}8", f"{prefix}16", f"{prefix}32"):
            return kind, int(short.removeprefix(prefix))
    return None


@dataclass(slots=True)
class Writer:
    module: Module
    policies: Collection[str]
    wide: bool
    words: list[int] = field(default_factory=lambda: [0] * 4)
    functions: list[Function] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)
    blocks: dict[tuple[int, int], int] = field(default_factory=dict)  # of a function
    block_words: list[Words] = field(default_factory=list)
    pairs: list[dict[int, int]] = field(default_factory=list)
    globals: dict[str, int] = field(default_factory=dict)
    switches: list[SwitchCases] = field(default_factory=list)

    def write(self) -> CodeWords:
        self.functions = list(self.module.functions.values())
        self.numbers = {name: i for i, name in enumerate(self.module.functions)}
        self.globals = {name: i for i, name in enumerate(self.module.globals)}
        for i, f in enumerate(self.functions):
            for n in range(len(f.blocks)):
                self.blocks[i, n] = len(self.blocks)
        self.pairs = [pairs_of(f) for f in self.functions]
        heads = [self._function(i, f) for i, f in enumerate(self.functions)]
        places = [self._constant(cells) for cells in self.module.globals.values()]
        tables = [self._table(heads), self._table(self.block_words), self._table(places)]
        self.words[:4] = [*tables, len(places)]
        first = [self.blocks.get((i, 0), 0) for i in range(len(self.functions))]
        return CodeWords(
            array("q", self.words), self.functions, first, self.numbers, self.pairs, list(self.globals), self.switches
        )

    def _table(self, rows: list[Words]) -> int:
        return self._put([v for row in rows for v in row])

    def _put(self, words: list[int]) -> int:
        at = len(self.words)
        self.words += words
        return at

    def _constant(self, cells: list[object]) -> Words:
        return self._put([c if isinstance(c, int) else -1 for c in cells]), len(cells)

    def _held(self, v: object) -> Words:
        """What a register holds at first."""
        if v is None:
            return ValueKind.NOTHING, 0, 0
        if isinstance(v, int):
            return ValueKind.NUMBER, 0, as_signed(v)
        assert isinstance(v, Pointer) and isinstance(v.offset, int)
        return ValueKind.POINTER, self._place(v.place), as_signed(v.offset)

    def _place(self, name: int | str) -> int:
        if name == NULL.place:
            return NULL_PLACE
        assert isinstance(name, str)
        return GLOBAL_PLACE + self.globals.setdefault(name, len(self.globals))

    def _function(self, number: int, f: Function) -> Words:
        held = [w for v in f.registers for w in self._held(v)] + [0, 0, 0] * len(self.pairs[number])
        template = self._put(held)
        for n, (block, phis) in enumerate(zip(f.blocks, f.phis, strict=True)):
            instructions = [self._instruction(number, i) for i in block]
            at = self._put([v for i in instructions for v in i])
            rows = [
                [dest, len(ways), *(v for came, r in ways.items() for v in (self.blocks[number, came], r))]
                for dest, ways in phis
            ]
            assert self.blocks[number, n] == len(self.block_words)
            has_pairs = any(r in self.pairs[number] for _, ways in phis for r in ways.values())
            count = TOO_MANY_PHIS if has_pairs else len(rows)
            self.block_words.append((at, self._put([v for row in rows for v in row]), count))
        return len(held) // 3, template, self.blocks[number, 0]

    # --- instructions ----------------------------------------------------------------------------------------------

    def _instruction(self, number: int, i: IrInstruction) -> Words:
        pairs = self.pairs[number]
        if i.op != "extractvalue" and any(r in pairs for r in i.args):
            return UNKNOWN
        if i.op in ("jump", "branch", "switch"):
            return self._control(number, i)
        if i.op == "return":
            return IrOp.RETURN, 0, 0, -1, i.args[0] if i.args else -1, -1, -1, 0
        if i.op == "call":
            return self._call(number, i)
        if i.op == "extractvalue":
            if i.args[0] not in pairs or i.more not in (0, 1):
                return UNKNOWN
            return IrOp.COPY, 0, 0, i.dest, pairs[i.args[0]] if i.more else i.args[0], -1, -1, 0
        return self._plain(i)

    def _control(self, number: int, i: IrInstruction) -> Words:
        if i.op == "jump":
            return IrOp.JUMP, 0, 0, -1, -1, -1, -1, self.blocks[number, i.more]
        if i.op == "branch":
            yes, no = i.more
            return IrOp.BRANCH, 0, 0, -1, i.args[0], self.blocks[number, yes], self.blocks[number, no], 0
        cases, otherwise = i.more
        groups = {label: own for label, own in by_label(cases).items() if label != otherwise}
        self.switches.append(SwitchCases(i.width, list(groups.values())))
        of = [v for n, label in cases.items() for v in (as_signed(n), self.blocks[number, label])]
        head = [self.blocks[number, otherwise], len(groups), len(cases)]
        more = self._put([*head, *of, *(self.blocks[number, label] for label in groups)])
        return IrOp.SWITCH, i.width, 0, -1, i.args[0], len(self.switches) - 1, -1, more

    def _plain(self, i: IrInstruction) -> Words:
        args = (*i.args, -1, -1, -1)
        a, b, c = args[:3]
        if i.op in BINARY:
            return IrOp.OPERATION, i.width, i.width, i.dest, a, b, -1, TERM_OPS[i.op]
        if i.op in ("zext", "sext", "trunc"):
            return IrOp.OPERATION, i.width, i.of, i.dest, a, -1, -1, TERM_OPS[i.op]
        if i.op == "icmp" and i.more in TERM_OPS:
            return IrOp.OPERATION, 1, i.of, i.dest, a, b, -1, TERM_OPS[i.more]
        if i.op == "select":
            return IrOp.SELECT, i.width, 0, i.dest, a, b, c, 0
        if i.op == "load":
            return IrOp.LOAD, i.width, i.of, i.dest, a, int(i.more), -1, 0
        if i.op == "store":
            return IrOp.STORE, i.width, i.of, -1, a, b, -1, 0
        if i.op == "alloca":
            return IrOp.ALLOCA, 0, 0, i.dest, -1, -1, -1, i.more
        if i.op in ("freeze", "ptrtoint"):
            return IrOp.COPY, 0, 0, i.dest, a, -1, -1, 0
        if i.op == "getelementptr":
            constant, scales = i.more
            of = [v for r, (scale, bits) in zip(i.args[1:], scales, strict=True) for v in (r, scale, bits)]
            return IrOp.ADDRESS, 0, 0, i.dest, a, -1, -1, self._put([as_signed(constant & MASK), len(scales), *of])
        return UNKNOWN

    # --- calls -----------------------------------------------------------------------------------------------------

    def _call(self, number: int, i: IrInstruction) -> Words:
        name: str = i.more
        own = self.numbers.get(name)
        if own is not None:
            return IrOp.CALL, 0, 0, i.dest, -1, own, -1, self._put([len(i.args), *i.args])
        if name.startswith("@llvm."):
            return self._intrinsic(number, name, i)
        known = policy_words(name, self.wide) if name in self.policies else None
        if known is None:
            return UNKNOWN
        return IrOp.POLICY, 0, 0, i.dest, -1, -1, -1, self._put([*known, len(i.args), *i.args])

    def _intrinsic(self, number: int, name: str, i: IrInstruction) -> Words:
        parts = name.split(".")
        what, w = parts[1], i.width
        a, b, c = (*i.args, -1, -1, -1)[:3]
        if what in NOTHING_DONE:
            return IrOp.POLICY, 0, 0, -1, -1, -1, -1, self._put([IrPolicy.NOTHING, 0, 0])
        if what in ("memset", "memcpy", "memmove"):
            return IrOp.FILL if what == "memset" else IrOp.MOVE, 0, 0, -1, a, b, c, 0
        if i.dest < 0:
            return UNKNOWN
        if parts[2:4] == ["with", "overflow"]:
            both = TERM_OPS[what[1:]] | TERM_OPS[f"{what}.overflows"] << 8
            return IrOp.OVERFLOW, w, w, i.dest, a, b, self.pairs[number][i.dest], both
        if what in OF_LLVM:
            return IrOp.OPERATION, w, w, i.dest, a, b, c, TERM_OPS[what]
        if what == "abs":
            return IrOp.OPERATION, w, w, i.dest, a, -1, -1, TERM_OPS["abs"]
        if what == "usub" and parts[2] == "sat":
            return IrOp.OPERATION, w, w, i.dest, a, b, -1, TERM_OPS["usub.sat"]
        return UNKNOWN


def pairs_of(f: Function) -> dict[int, int]:
    """Registers with a result and whether it overflowed, each with the number of another one."""
    found: dict[int, int] = {}
    for block in f.blocks:
        for i in block:
            if i.op == "call" and ".with.overflow." in i.more:
                found.setdefault(i.dest, len(f.registers) + len(found))
    return found


def as_signed(v: int) -> int:
    v &= MASK
    return v - (1 << 64) if v >> 63 else v


def code_words(module: Module, policies: Mapping[str, Callable[..., object]], wide: bool) -> CodeWords:
    return Writer(module, policies, wide).write()
