"""What a formula is: immutable nodes, each kept once, over atoms that are only names.

`normal form` means: no `IMPLIES`, no `IFF`, and `NOT` only before atoms.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum


class Op(Enum):
    TRUE = "TRUE"
    FALSE = "FALSE"
    ATOM = "atom"
    NOT = "~"
    AND = "&"
    OR = "OR"
    IMPLIES = "IMPLIES"
    IFF = "IFF"
    NEXT = "NEXT"
    EVENTUALLY = "EVENTUALLY"
    ALWAYS = "ALWAYS"
    UNTIL = "UNTIL"
    WEAKUNTIL = "WEAKUNTIL"
    RELEASE = "RELEASE"
    STRONGRELEASE = (
        "STRONGRELEASE"  # f and g together, and g until then; no word of the language, the dual of WEAKUNTIL
    )


class Formula:
    """Equal formulas are one object; `number` is the order in which they were first made."""

    __slots__ = ("op", "parts", "name", "number", "eventual", "universal")

    op: Op
    parts: tuple[Formula, ...]
    name: str  # of an atom
    number: int
    eventual: bool  # certain to be the same as EVENTUALLY of itself
    universal: bool  # certain to be the same as ALWAYS of itself

    def __hash__(self) -> int:
        return self.number

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        return text_of(self)

    @property
    def left(self) -> Formula:
        return self.parts[0]

    @property
    def right(self) -> Formula:
        return self.parts[1]

    @property
    def suspendable(self) -> bool:
        """Whether it holds at every position of a word, or at none."""
        return self.eventual and self.universal

    @property
    def is_literal(self) -> bool:
        return self.op is Op.ATOM or (self.op is Op.NOT and self.parts[0].op is Op.ATOM)


_KNOWN: dict[tuple[Op, tuple[Formula, ...], str], Formula] = {}
_BOTH = (Op.TRUE, Op.FALSE)


def node(op: Op, *parts: Formula, name: str = "") -> Formula:
    """The formula of that shape, as it stands: nothing is simplified."""
    key = (op, parts, name)
    known = _KNOWN.get(key)
    if known is None:
        known = Formula()
        known.op, known.parts, known.name, known.number = op, parts, name, len(_KNOWN)
        keeps = op in (Op.AND, Op.OR, Op.NEXT)
        known.eventual = (
            op in _BOTH
            or op is Op.EVENTUALLY
            or ((keeps or op is Op.ALWAYS) and all(p.eventual for p in parts))
            or (op is Op.UNTIL and parts[1].eventual)
        )
        known.universal = (
            op in _BOTH
            or op is Op.ALWAYS
            or ((keeps or op is Op.EVENTUALLY) and all(p.universal for p in parts))
            or (op is Op.RELEASE and parts[1].universal)
        )
        _KNOWN[key] = known
    return known


TRUE = node(Op.TRUE)
FALSE = node(Op.FALSE)


def atom(name: str) -> Formula:
    return node(Op.ATOM, name=name)


def negation(f: Formula) -> Formula:
    return node(Op.NOT, f)


def atoms_of(f: Formula) -> list[str]:
    """The names of its atoms, in the order of the text."""
    found: dict[str, None] = {}
    for g in subformulas(f):
        if g.op is Op.ATOM:
            found.setdefault(g.name)
    return list(found)


def subformulas(f: Formula) -> Iterator[Formula]:
    """Each one once, outer before inner, left before right."""
    seen = {f}
    stack = [f]
    while stack:
        g = stack.pop()
        yield g
        for part in reversed(g.parts):
            if part not in seen or part.op is Op.ATOM:
                seen.add(part)
                stack.append(part)


def size_of(f: Formula) -> int:
    """How many operators and atoms its text has; of huge ones that share parts, a huge number."""
    sizes: dict[Formula, int] = {}
    for g in bottom_up(f):
        sizes[g] = 1 + sum(sizes[p] for p in g.parts)
    return sizes[f]


def bottom_up(f: Formula) -> list[Formula]:
    """Each subformula once, inner before outer."""
    order: list[Formula] = []
    done: set[Formula] = set()
    stack: list[tuple[Formula, bool]] = [(f, False)]
    while stack:
        g, parts_done = stack.pop()
        if g in done:
            continue
        if parts_done:
            done.add(g)
            order.append(g)
        else:
            stack.append((g, True))
            stack.extend((p, False) for p in reversed(g.parts) if p not in done)
    return order


# How tight an operator binds, as in the language: LF's own operators tighter than the temporal ones.
_BINDING = {
    Op.IFF: 1,
    Op.IMPLIES: 2,
    Op.UNTIL: 3,
    Op.WEAKUNTIL: 3,
    Op.RELEASE: 3,
    Op.STRONGRELEASE: 3,
    Op.ALWAYS: 4,
    Op.EVENTUALLY: 4,
    Op.NEXT: 4,
    Op.OR: 5,
    Op.AND: 6,
    Op.NOT: 7,
}


# A designator or a relation between two; the name of any other atom stands in quotes.
_OPERAND = r"(?:[0-9]\w*|[A-Za-z_]\w*(?:\.\w+|\[[^\]\"]*\]|\([^)\"]*\))*)"
_PLAIN = re.compile(rf"{_OPERAND}(?: (?:=|#|<|<=|>|>=) {_OPERAND})?")
_RELATION = re.compile(r"^[^\"]* (?:=|#|<|<=|>|>=) ")


def text_of(f: Formula) -> str:
    """In the syntax of the language, with no more parentheses than it asks for."""
    texts: dict[Formula, str] = {}
    for g in bottom_up(f):
        match g.op:
            case Op.ATOM:
                texts[g] = g.name if _PLAIN.fullmatch(g.name) else f'"{g.name}"'
            case Op.TRUE | Op.FALSE:
                texts[g] = g.op.value
            case Op.NOT:
                texts[g] = "~" + _operand(g.left, 7, texts)
            case Op.NEXT | Op.ALWAYS | Op.EVENTUALLY:
                texts[g] = f"{g.op.value} {_operand(g.left, 4, texts)}"
            case Op.AND | Op.OR:
                level = _BINDING[g.op] + 1
                texts[g] = f" {g.op.value} ".join(_operand(p, level, texts) for p in g.parts)
            case _:
                level = _BINDING[g.op]
                left = level if g.op is Op.IFF else level + 1
                right = level + 1 if g.op is Op.IFF else level
                texts[g] = f"{_operand(g.left, left, texts)} {g.op.value} {_operand(g.right, right, texts)}"
    return texts[f]


def _operand(f: Formula, level: int, texts: dict[Formula, str]) -> str:
    binding = _BINDING.get(f.op, 8)
    if f.op is Op.ATOM and _RELATION.search(texts[f]):
        binding = 0
    return texts[f] if binding >= level else f"({texts[f]})"
