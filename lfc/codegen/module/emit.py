"""Writes LLVM IR as text: functions, blocks, names."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lfc.codegen.module.target import Instrument, Target


@dataclass(frozen=True, slots=True)
class Value:
    """A value of an IR type: `i16 %t3`, `i8 42`."""

    type: str
    ref: str

    def __str__(self) -> str:
        return f"{self.type} {self.ref}"


TRUE = Value("i1", "true")
FALSE = Value("i1", "false")


def number(bits: int, value: int) -> Value:
    """A constant; any representative modulo 2^bits."""
    if bits == 1:
        return TRUE if value & 1 else FALSE
    value &= (1 << bits) - 1
    if value >> (bits - 1):
        value -= 1 << bits
    return Value(f"i{bits}", str(value))


def bits_of(type_: str) -> int:
    return int(type_[1:])


class Function:
    """One function under construction. Allocas go to the entry block, whatever block is current."""

    def __init__(self, target: Target, signature: str, attributes: str = "nounwind", debug: str = "") -> None:
        self.target = target
        self.signature = signature  # "internal i1 @run.P(ptr %b, i8 %slot)"
        self.attributes = attributes
        self.debug = debug
        self.location = ""  # ", !dbg !5" on what is emitted now
        self.subprogram: int | None = None  # its node in the line table
        self.allocas: list[str] = []
        self.lines: list[str] = []
        self.counter = 0
        self.terminated = False
        self.instruments: dict[int, Instrument] = {}  # of each line that one of them has added, by its index
        self._instrument: Instrument | None = None
        self._instrument_names = 0

    @contextmanager
    def instrument(self, which: Instrument) -> Iterator[None]:
        """What is emitted meanwhile, straight on and without allocas, can be left out: all else is as if it were not
        there."""
        assert self._instrument is None
        self._instrument = which
        yield
        self._instrument = None

    def name(self, stem: str = "t") -> str:
        if self._instrument is not None:
            self._instrument_names += 1
            return f"%{self._instrument.name}{self._instrument_names}"
        self.counter += 1
        return f"%{stem}{self.counter}"

    def label_name(self, stem: str) -> str:
        self.counter += 1
        return f"{stem}.{self.counter}"

    def emit(self, text: str) -> None:
        assert not self.terminated, f"code after a terminator: {text}"
        if self._instrument is not None:
            self.instruments[len(self.lines)] = self._instrument
        self.lines.append(f"  {text}{self.location}")

    def op(self, type_: str, text: str) -> Value:
        ref = self.name()
        self.emit(f"{ref} = {text}")
        return Value(type_, ref)

    def alloca(self, type_: str, align: int = 1) -> Value:
        ref = self.name("a")
        self.allocas.append(f"  {ref} = alloca {type_}, align {min(align, self.target.max_align)}")
        return Value("ptr", ref)

    def label(self, label: str) -> None:
        if not self.terminated:
            self.branch(label)
        self.lines.append(f"{label}:")
        self.terminated = False

    def end(self, text: str) -> None:
        """Emits a terminator."""
        self.emit(text)
        self.terminated = True

    def branch(self, label: str) -> None:
        self.end(f"br label %{label}")

    def branch_if(self, condition: Value, then: str, otherwise: str) -> None:
        if condition.ref in ("true", "false"):
            self.branch(then if condition.ref == "true" else otherwise)
        else:
            self.end(f"br {condition}, label %{then}, label %{otherwise}")

    def switch(self, value: Value, cases: list[tuple[int, str]], default: str) -> None:
        bits = bits_of(value.type)
        body = " ".join(f"{number(bits, n)}, label %{label}" for n, label in cases)
        self.end(f"switch {value}, label %{default} [ {body} ]")

    def call(self, result: str, callee: str, arguments: list[Value | str], attributes: str = "") -> Value:
        """`callee` with its @ or %; small integers are passed zero-extended, as C does for unsigned ones."""
        passed = ", ".join(pass_argument(a) for a in arguments)
        extension = "zeroext " if result in ("i1", "i8", "i16") else ""
        head = f"call {extension}{self.target.call_space}{result} {callee}({passed}){attributes}"
        if result == "void":
            self.emit(head)
            return Value("void", "")
        return self.op(result, head)

    def load(self, type_: str, pointer: Value, size: int) -> Value:
        return self.op(type_, f"load {type_}, {pointer}, align {min(size, self.target.max_align)}")

    def store(self, value: Value, pointer: Value, size: int) -> None:
        self.emit(f"store {value}, {pointer}, align {min(size, self.target.max_align)}")

    def offset(self, pointer: Value, offset: int | Value) -> Value:
        """`pointer` plus a number of bytes (an i16 Value is unsigned)."""
        if isinstance(offset, int):
            if offset == 0:
                return pointer
            return self.op("ptr", f"getelementptr i8, {pointer}, i32 {offset}")
        return self.op("ptr", f"getelementptr i8, {pointer}, {self.widen(offset, 32)}")

    def widen(self, value: Value, bits: int, signed: bool = False) -> Value:
        have = bits_of(value.type)
        if have == bits:
            return value
        if value.ref.lstrip("-").isdigit():
            n = int(value.ref)
            return number(bits, n if signed else n & ((1 << have) - 1))
        if have > bits:
            return self.op(f"i{bits}", f"trunc {value} to i{bits}")
        return self.op(f"i{bits}", f"{'sext' if signed else 'zext'} {value} to i{bits}")

    def compare(self, predicate: str, left: Value, right: Value) -> Value:
        return self.op("i1", f"icmp {predicate} {left}, {right.ref}")

    def arithmetic(self, op: str, left: Value, right: Value) -> Value:
        return self.op(left.type, f"{op} {left}, {right.ref}")

    def select(self, condition: Value, then: Value, otherwise: Value) -> Value:
        return self.op(then.type, f"select {condition}, {then}, {otherwise}")

    def text(self, without: Collection[Instrument] = ()) -> str:
        assert self.terminated, f"{self.signature} does not end"
        head = f"define {self.signature}{self.target.define_space} {self.attributes}{self.debug} {{\nentry:"
        lines = self.lines
        if without:
            lines = [line for n, line in enumerate(lines) if self.instruments.get(n) not in without]
        return "\n".join([head, *self.allocas, *lines, "}", ""])


def pass_argument(argument: Value | str) -> str:
    if isinstance(argument, str):
        return argument
    mark = " zeroext" if argument.type in ("i1", "i8", "i16") else ""
    return f"{argument.type}{mark} {argument.ref}"
