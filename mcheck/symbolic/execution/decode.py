"""LLVM IR as text, decoded once into tables: of each function its blocks, of each block its instructions, with
registers and constants by number. Only what optimised code of programs has; whatever else comes up is named and
refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


class NotDecoded(Exception):
    """An instruction or type that is not decoded."""


class Pointer:
    """`place`: the number of a piece of memory, or the name of a global. `offset`: a number or a term."""

    __slots__ = ("offset", "place")

    def __init__(self, place: int | str, offset: object) -> None:
        self.place, self.offset = place, offset

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pointer) and self.place == other.place and self.offset == other.offset

    def __hash__(self) -> int:
        return hash((self.place, self.offset))

    def __repr__(self) -> str:
        return f"{self.place}+{self.offset}"


NULL = Pointer("null", 0)


@dataclass(slots=True)
class IrInstruction:
    op: str
    dest: int  # register; -1: none
    args: tuple[int, ...]  # registers
    width: int = 0  # bits of the result, of what is stored, or of what is compared
    of: int = 0  # bits of the operands, where they differ
    more: Any = None  # what else there is to know, by operation


@dataclass(slots=True)
class Function:
    name: str
    parameters: int
    registers: list[object] = field(default_factory=list)  # as a call begins: constants are there
    blocks: list[list[IrInstruction]] = field(default_factory=list)
    phis: list[list[tuple[int, dict[int, int]]]] = field(default_factory=list)  # register, from block -> register


@dataclass(slots=True)
class Module:
    functions: dict[str, Function] = field(default_factory=dict)
    globals: dict[str, list[object]] = field(default_factory=dict)  # constants, byte by byte


TOKEN = re.compile(
    r"""\s*(?:(?P<local>%(?:"[^"]*"|[-\w.$]+))|(?P<global>@(?:"[^"]*"|[-\w.$]+))|(?P<text>c?"[^"]*")
    |(?P<number>-?\d+(?![\w.]))|(?P<word>[A-Za-z_][\w.]*)|(?P<meta>[!#][\w."]*)|(?P<mark>\.\.\.|[][(){}<>,=*:]))""",
    re.VERBOSE,
)
FLAGS = frozenset(
    "nuw nsw exact disjoint nneg samesign inbounds nusw volatile tail musttail notail fastcc inreg "
    "noundef nonnull zeroext signext returned captures none writeonly readonly readnone noalias nocapture "
    "dead_on_return fast local_unnamed_addr unnamed_addr ccc internal private external dso_local constant "
    "global align tailcc coldcc".split()
)
BRACKETED = frozenset(("captures",))
CONSTANTS = frozenset(("getelementptr", "ptrtoint", "inttoptr"))  # expressions
BINARY = frozenset("add sub mul udiv urem sdiv srem and or xor shl lshr ashr".split())
POINTER_BITS = 64


class IrLine:
    """One instruction, token by token."""

    def __init__(self, text: str) -> None:
        self.text, self.tokens, at = text, [], 0
        while at < len(text) and text[at:].strip():
            m = TOKEN.match(text, at)
            if m is None:
                raise NotDecoded(f"the text `{text[at : at + 40]}`")
            at = m.end()
            assert m.lastgroup is not None
            self.tokens.append((m.lastgroup, m.group(m.lastgroup)))
        self.at = 0

    def peek(self, ahead: int = 0) -> str:
        return self.tokens[self.at + ahead][1] if self.at + ahead < len(self.tokens) else ""

    def kind(self) -> str:
        return self.tokens[self.at][0] if self.at < len(self.tokens) else ""

    def next(self) -> str:
        found = self.peek()
        self.at += 1
        return found

    def take(self, wanted: str) -> bool:
        if self.peek() != wanted:
            return False
        self.at += 1
        return True

    def expect(self, wanted: str) -> None:
        if not self.take(wanted):
            raise NotDecoded(f"`{self.peek()}` in place of `{wanted}` in `{self.text.strip()[:80]}`")

    def skip_flags(self) -> None:
        """And what stands in brackets behind them."""
        while True:
            token, opens = self.peek(), self.peek(1) == "("
            if token in FLAGS and not (opens and token in BRACKETED):
                if self.next() == "align" and self.kind() == "number":
                    self.next()
            elif self.kind() == "word" and opens and token not in CONSTANTS:
                self.next()
                self._skip_brackets()
            else:
                return

    def _skip_brackets(self) -> None:
        depth = 0
        while True:
            token = self.next()
            depth += (token == "(") - (token == ")")
            if depth == 0:
                return


@dataclass(frozen=True, slots=True)
class Type:
    """`bits` of a number; `parts` of a structure; `count` elements of `element` of an array."""

    name: str
    size: int = 0  # bytes
    align: int = 1
    bits: int = 0
    parts: tuple[Type, ...] = ()
    element: Type | None = None
    count: int = 0

    def offset(self, part: int) -> int:
        if self.element is not None:
            return part * self.element.size
        at = 0
        for i, p in enumerate(self.parts):
            at = -(-at // p.align) * p.align
            if i == part:
                return at
            at += p.size
        raise NotDecoded(f"part {part} of {self.name}")


POINTER = Type("ptr", 8, 8, POINTER_BITS)
VOID = Type("void")


def structure(parts: tuple[Type, ...], name: str = "{}") -> Type:
    align = max((p.align for p in parts), default=1)
    end = 0
    for p in parts:
        end = -(-end // p.align) * p.align + p.size
    return Type(name, -(-end // align) * align, align, parts=parts)


def number_type(bits: int) -> Type:
    size = 1 << max(0, (bits + 7) // 8 - 1).bit_length()
    return Type(f"i{bits}", size, min(size, 8), bits)


class Decoder:
    def __init__(self, text: str) -> None:
        self.lines = text.splitlines()
        self.types: dict[str, Type] = {}
        self.module = Module()

    def decode(self) -> Module:
        body: list[str] | None = None
        head = ""
        for line in self.lines:
            if body is not None:
                if line == "}":
                    self._function(head, body)
                    body = None
                else:
                    body.append(line)
            elif line.startswith("define "):
                head, body = line, []
            elif line.startswith("%") and " = type " in line:
                name, _, rest = line.partition(" = type ")
                self.types[name] = self._type(IrLine(rest))
            elif line.startswith("@"):
                self._global(line)
        return self.module

    # --- types, constants ------------------------------------------------------------------------------------------

    def _type(self, line: IrLine) -> Type:
        token = line.next()
        if token == "ptr":
            return POINTER
        if token == "void":
            return VOID
        if token[0] == "i" and token[1:].isdigit():
            return number_type(int(token[1:]))
        if token == "[":
            count = int(line.next())
            line.expect("x")
            element = self._type(line)
            line.expect("]")
            return Type("[]", count * element.size, element.align, element=element, count=count)
        if token == "{":
            parts = []
            while not line.take("}"):
                parts.append(self._type(line))
                line.take(",")
            return structure(tuple(parts))
        if token in self.types:
            return self.types[token]
        raise NotDecoded(f"the type `{token}`")

    def _global(self, text: str) -> None:
        name, _, rest = text.partition(" = ")
        m = re.search(r"\b(constant|global) (.*)$", rest)
        if m is None or rest.startswith("external"):
            return
        line = IrLine(
            re.sub(r'c"((?:[^"])*)"', lambda s: "[" + ", ".join(f"i8 {b}" for b in unescaped(s[1])) + "]", m[2])
        )
        try:
            t = self._type(line)
            self.module.globals[name] = list(self._constant_bytes(line, t))
        except NotDecoded:
            return  # whoever uses it says so

    def _constant_bytes(self, line: IrLine, t: Type) -> list[object]:
        if line.take("zeroinitializer") or line.take("null") or line.take("undef") or line.take("poison"):
            return [0] * t.size
        if t.element is not None or t.parts:
            found: list[object] = [0] * t.size
            closing = {"[": "]", "{": "}"}[line.next()]
            number = 0
            while not line.take(closing):
                own = self._type(line)
                at = t.offset(number)
                found[at : at + own.size] = self._constant_bytes(line, own)
                number += 1
                line.take(",")
            return found
        if t is POINTER:
            pointer = self._constant(line, t)
            return [(pointer, i) for i in range(8)]
        token = line.next()
        value = {"true": 1, "false": 0}.get(token)
        value = int(token) if value is None else value
        return list((value % (1 << 8 * t.size)).to_bytes(t.size, "little"))

    def _constant(self, line: IrLine, t: Type) -> object:
        kind, token = line.kind(), line.next()
        if kind == "number":
            return int(token) % (1 << t.bits)
        if token in ("true", "false"):
            return int(token == "true")
        if token in ("undef", "poison", "zeroinitializer"):  # nothing depends on it
            return NULL if t is POINTER else 0
        if token == "null":
            return NULL
        if kind == "global":
            return Pointer(token, 0)
        if token == "getelementptr":
            line.skip_flags()
            line.expect("(")
            element = self._type(line)
            line.expect(",")
            self._type(line)
            base = self._constant(line, POINTER)
            offset, of, first = 0, element, True
            while line.take(","):
                index_type = self._type(line)
                index = self._constant(line, index_type)
                assert isinstance(index, int)
                index -= (1 << index_type.bits) * (index >> index_type.bits - 1)
                offset += index * of.size if first else of.offset(index)
                of = of if first else (of.element or of.parts[index])
                first = False
            line.expect(")")
            assert isinstance(base, Pointer) and isinstance(base.offset, int)
            return Pointer(base.place, base.offset + offset)
        if token == "ptrtoint":  # an address stays one, whatever it is called
            line.expect("(")
            self._type(line)
            address = self._constant(line, POINTER)
            line.expect("to")
            self._type(line)
            line.expect(")")
            return address
        raise NotDecoded(f"the constant `{token}` in `{line.text.strip()[:80]}`")

    # --- functions -------------------------------------------------------------------------------------------------

    def _function(self, head: str, body: list[str]) -> None:
        name = re.search(r'@("[^"]*"|[-\w.$]+)\(', head)
        assert name is not None
        f = FunctionDecoder(self, f"@{name[1]}", head[name.end() - 1 :], list(joined_lines(body)))
        try:
            self.module.functions[f"@{name[1]}"] = f.decode()
        except NotDecoded as why:
            raise NotDecoded(f"{why} in {name[1]}") from None


def unescaped(text: str) -> bytes:
    found, at = bytearray(), 0
    while at < len(text):
        if text[at] == "\\":
            found.append(int(text[at + 1 : at + 3], 16))
            at += 3
        else:
            found.append(ord(text[at]))
            at += 1
    return bytes(found)


OUTSIDE_OF_COMMENT = re.compile(r'(?:"[^"]*"|[^";])*')


def joined_lines(body: list[str]) -> Iterator[str]:
    """A switch stands on several."""
    open_switch = ""
    for text in body:
        text = OUTSIDE_OF_COMMENT.match(text)[0] if ";" in text else text  # type: ignore[index]
        if open_switch:
            open_switch += " " + text.strip()
            if text.strip().startswith("]"):
                yield open_switch
                open_switch = ""
        elif text.strip().startswith("switch ") and not text.rstrip().endswith("]"):
            open_switch = text
        elif text.strip():
            yield text


class FunctionDecoder:
    def __init__(self, outer: Decoder, name: str, head: str, body: list[str]) -> None:
        self.outer, self.body = outer, body
        self.f = Function(name, 0)
        self.registers: dict[str, int] = {}
        self.constants: dict[object, int] = {}
        self.labels: dict[str, int] = {}
        self.head = head

    def decode(self) -> Function:
        implicit = self._parameters()
        first = self.body[0]
        entry = first.split(":")[0] if is_label(first) else str(implicit)
        self.labels[label_name(entry)] = 0
        rest = self.body[1:] if is_label(first) else self.body
        for text in rest:
            if is_label(text):
                self.labels[label_name(text[: text.rindex(":")])] = len(self.labels)
        self._begin_block()
        for text in rest:
            if is_label(text):
                self._begin_block()
            else:
                self._instruction(IrLine(re.sub(r", (?:!\w[\w.]* ![\w.]+|!dbg .*)", "", text)))
        return self.f

    def _begin_block(self) -> None:
        self.f.blocks.append([])
        self.f.phis.append([])

    def _parameters(self) -> int:
        """The number of the first block, where it has no name."""
        line = IrLine(self.head[: closing_bracket(self.head) + 1])
        line.expect("(")
        unnamed = 0
        while not line.take(")"):
            self.outer._type(line)
            line.skip_flags()
            while line.kind() != "local":
                line.next()
            name = line.next()
            self._register(name)
            self.f.parameters += 1
            unnamed += name[1:].isdigit()
            line.take(",")
        return unnamed

    def _register(self, name: str) -> int:
        found = self.registers.get(name)
        if found is None:
            found = self.registers[name] = len(self.f.registers)
            self.f.registers.append(None)
        return found

    def _held(self, constant: object) -> int:
        key = (type(constant), constant)
        found = self.constants.get(key)
        if found is None:
            found = self.constants[key] = len(self.f.registers)
            self.f.registers.append(constant)
        return found

    def _operand(self, line: IrLine, t: Type) -> int:
        if line.kind() == "local":
            return self._register(line.next())
        return self._held(self.outer._constant(line, t))

    def _add(self, op: str, dest: int, args: tuple[int, ...], width: int = 0, of: int = 0, more: object = None) -> None:
        self.f.blocks[-1].append(IrInstruction(op, dest, args, width, of, more))

    def _label(self, line: IrLine) -> int:
        line.expect("label")
        return self.labels[label_name(line.next()[1:])]

    def _instruction(self, line: IrLine) -> None:
        dest = -1
        if line.kind() == "local":
            dest = self._register(line.next())
            line.expect("=")
        while line.peek() in ("tail", "musttail", "notail"):
            line.next()
        op = line.next()
        handler = getattr(self, f"_{op}", None)
        if op in BINARY:
            line.skip_flags()
            t = self.outer._type(line)
            if not t.bits:
                raise NotDecoded(f"`{op}` of `{t.name}`")
            a = self._operand(line, t)
            line.expect(",")
            self._add(op, dest, (a, self._operand(line, t)), t.bits, t.bits)
        elif op in ("zext", "sext", "trunc", "ptrtoint", "freeze", "bitcast"):
            line.skip_flags()
            t = self.outer._type(line)
            a = self._operand(line, t)
            to = self.outer._type(line) if line.take("to") else t
            self._add(op, dest, (a,), to.bits, t.bits)
        elif handler is not None:
            handler(line, dest)
        else:
            raise NotDecoded(f"the instruction `{op}`")

    def _load(self, line: IrLine, dest: int) -> None:
        line.skip_flags()
        t = self.outer._type(line)
        line.expect(",")
        pointer = self._typed(line)
        self._add("load", dest, (pointer,), t.bits, t.size, t is POINTER)
        if not t.bits:
            raise NotDecoded(f"a load of `{t.name}`")

    def _store(self, line: IrLine, dest: int) -> None:
        line.skip_flags()
        t = self.outer._type(line)
        v = self._operand(line, t)
        line.expect(",")
        if not t.bits:
            raise NotDecoded(f"a store of `{t.name}`")
        self._add("store", dest, (v, self._typed(line)), t.bits, t.size)

    def _typed(self, line: IrLine) -> int:
        t = self.outer._type(line)
        line.skip_flags()
        return self._operand(line, t)

    def _getelementptr(self, line: IrLine, dest: int) -> None:
        line.skip_flags()
        of = self.outer._type(line)
        line.expect(",")
        args = [self._typed(line)]
        constant, scales = 0, []
        first = True
        while line.take(","):
            index = self.outer._type(line)
            scale = of.size if first else of.element.size if of.element is not None else 0
            if line.kind() == "number":
                n = int(line.next())
                constant += n * of.size if first else of.offset(n)
                if not first:
                    of = of.element or of.parts[n]
            else:
                if not scale and not first:
                    raise NotDecoded("a structure with a part by number")
                args.append(self._operand(line, index))
                scales.append((scale, index.bits))
                if not first:
                    assert of.element is not None
                    of = of.element
            first = False
        self._add("getelementptr", dest, tuple(args), 0, 0, (constant, tuple(scales)))

    def _icmp(self, line: IrLine, dest: int) -> None:
        line.skip_flags()
        predicate = line.next()
        t = self.outer._type(line)
        a = self._operand(line, t)
        line.expect(",")
        self._add("icmp", dest, (a, self._operand(line, t)), 1, t.bits, predicate)

    def _select(self, line: IrLine, dest: int) -> None:
        c = self._typed(line)
        line.expect(",")
        t = self.outer._type(line)
        a = self._operand(line, t)
        line.expect(",")
        self._add("select", dest, (c, a, self._typed(line)), t.bits)

    def _phi(self, line: IrLine, dest: int) -> None:
        t = self.outer._type(line)
        ways: dict[int, int] = {}
        while line.take("["):
            v = self._operand(line, t)
            line.expect(",")
            ways[self.labels[label_name(line.next()[1:])]] = v
            line.expect("]")
            line.take(",")
        self.f.phis[-1].append((dest, ways))

    def _br(self, line: IrLine, dest: int) -> None:
        if line.peek() == "label":
            self._add("jump", -1, (), more=self._label(line))
            return
        condition = self._typed(line)
        line.expect(",")
        yes = self._label(line)
        line.expect(",")
        self._add("branch", -1, (condition,), more=(yes, self._label(line)))

    def _switch(self, line: IrLine, dest: int) -> None:
        t = self.outer._type(line)
        v = self._operand(line, t)
        line.expect(",")
        otherwise = self._label(line)
        line.expect("[")
        cases: dict[int, int] = {}
        while not line.take("]"):
            own = self.outer._type(line)
            n = self.outer._constant(line, own)
            line.expect(",")
            assert isinstance(n, int)
            cases[n] = self._label(line)
        self._add("switch", -1, (v,), t.bits, t.bits, (cases, otherwise))

    def _ret(self, line: IrLine, dest: int) -> None:
        t = self.outer._type(line)
        self._add("return", -1, () if t is VOID else (self._operand(line, t),))

    def _unreachable(self, line: IrLine, dest: int) -> None:
        self._add("unreachable", -1, ())

    def _alloca(self, line: IrLine, dest: int) -> None:
        t = self.outer._type(line)
        count = 1
        if line.take(",") and line.peek() != "align":
            self.outer._type(line)
            if line.kind() != "number":
                raise NotDecoded("an alloca of a size that is not known")
            count = int(line.next())
        self._add("alloca", dest, (), more=t.size * count)

    def _extractvalue(self, line: IrLine, dest: int) -> None:
        a = self._typed(line)
        line.expect(",")
        self._add("extractvalue", dest, (a,), more=int(line.next()))

    def _call(self, line: IrLine, dest: int) -> None:
        line.skip_flags()
        t = self.outer._type(line)
        if line.peek() == "(":
            line._skip_brackets()
        if line.kind() != "global":
            raise NotDecoded("a call by a pointer")
        name = line.next()
        line.expect("(")
        args: list[int] = []
        widths: list[int] = []
        while not line.take(")"):
            own = self.outer._type(line)
            line.skip_flags()
            widths.append(own.bits)
            args.append(self._operand(line, own))
            line.take(",")
        bits = t.bits or (t.parts[0].bits if t.parts else 0)
        self._add("call", dest, tuple(args), bits, widths[0] if widths else 0, name)


def is_label(text: str) -> bool:
    return not text.startswith(" ") and text.rstrip().endswith(":")


def label_name(text: str) -> str:
    return text.strip().strip('"')


def closing_bracket(text: str) -> int:
    depth = 0
    for i, c in enumerate(text):
        depth += (c == "(") - (c == ")")
        if depth == 0:
            return i
    raise NotDecoded("a function without an end of its parameters")


def decode(text: str) -> Module:
    return Decoder(text).decode()
