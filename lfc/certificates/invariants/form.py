"""Certificates of invariants as files: boxes, what beside them is never so, and of how many steps the induction is."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lfc.certificates.files import BadCertificate, digest, unsealed
from lfc.mcheck.symbolic.values.terms import (
    COMPARISONS,
    OVERFLOWS,
    SELECT,
    SYMBOL,
    Term,
    made,
    operand_width,
    symbol,
)
from lfc.mcheck.symbolic.values.terms import (
    OPERATIONS as NUMERIC,
)

FORMAT = "lf-invariant"
MOST_K = 4
OPERATIONS = {*NUMERIC, SELECT} - {"bswap"}
ARGUMENTS = {"abs": 1, "ctpop": 1, "fshl": 3, "fshr": 3}
Intervals = list[tuple[int, int]]
Box = list[Intervals]
Places = tuple[tuple[int, int], ...]
STANDS = "a step reads the clock, which stands here"


@dataclass(slots=True)
class Listed:
    """Blocks that agree but for runs (offset, size, number of a symbol), and the boxes of the symbols."""

    explicit: bytes
    runs: list[tuple[int, int, int]]
    boxes: list[Box]
    beside: int = 0  # the state of the property's monitor

    @property
    def places(self) -> Places:
        return tuple((offset, size) for offset, size, _ in self.runs)


@dataclass(slots=True)
class Never:
    """No reachable block with these bytes and runs has all of these answers. Symbol `i` is run `i`."""

    explicit: bytes
    places: Places
    cube: list[tuple[Term, int]]
    beside: int = 0

    def content(self) -> dict[str, Any]:
        return {
            "explicit": self.explicit.hex(),
            "places": self.places,
            "cube": [[as_list(t), answer] for t, answer in self.cube],
            "beside": self.beside,
        }


@dataclass(slots=True)
class Invariant:
    program: str
    assume: list[str]
    deadlocks_allowed: bool
    shapes: list[Listed] = field(default_factory=list)
    never: list[Never] = field(default_factory=list)
    k: int = 1  # steps of the induction
    property: str = ""  # what is claimed; empty: that nothing fails

    def content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": 1,
            "program": self.program,
            "assume": self.assume,
            "deadlocks_allowed": self.deadlocks_allowed,
            "property": self.property,
            "shapes": [
                {"explicit": s.explicit.hex(), "runs": s.runs, "boxes": s.boxes, "beside": s.beside}
                for s in self.shapes
            ],
            "never": [n.content() for n in self.never],
            "k": self.k,
        }

    def write(self, path: Path) -> None:
        content = json.loads(json.dumps(self.content()))
        path.write_text(json.dumps({**content, "hash": digest(content)}) + "\n", encoding="utf-8")


def invariant_from(document: dict[str, Any]) -> Invariant:
    """Raises BadCertificate."""
    document = unsealed(document)
    try:
        shapes = [
            Listed(
                bytes.fromhex(s["explicit"]),
                [(int(o), int(n), int(i)) for o, n, i in s["runs"]],
                [[[(int(low), int(high)) for low, high in x] for x in b] for b in s["boxes"]],
                int(s.get("beside", 0)),
            )
            for s in document["shapes"]
        ]
        found = Invariant(document["program"], list(document["assume"]), bool(document["deadlocks_allowed"]), shapes)
        found.never = [never_from(n) for n in document.get("never", [])]
        found.k = int(document.get("k", 1))
        found.property = str(document.get("property", ""))
    except (KeyError, TypeError, ValueError):
        raise BadCertificate("it does not have the form of an invariant") from None
    if not 1 <= found.k <= MOST_K or found.k > 1 and (found.never or found.property):
        raise BadCertificate("its induction is of no such number of steps")
    for s in found.shapes:
        refuse_malformed(s)
    return found


def refuse_malformed(s: Listed) -> None:
    numbers = {i for _, _, i in s.runs}
    places = [at for offset, size, _ in s.runs for at in range(offset, offset + size)]
    if numbers != set(range(len(numbers))) or len(set(places)) < len(places):
        raise BadCertificate("its runs overlap, or its symbols are not numbered")
    if any(not 0 <= at < len(s.explicit) or s.explicit[at] for at in places):
        raise BadCertificate("a run lies outside of the block, or is not zero there")
    if len({(size, i) for _, size, i in s.runs}) > len(numbers) or any(size not in (1, 2, 4) for _, size, _ in s.runs):
        raise BadCertificate("a symbol has runs of several sizes")
    most = {i: (1 << 8 * size) - 1 for _, size, i in s.runs}
    for box in s.boxes:
        if len(box) != len(numbers) or any(not x or not is_sorted(x, most[i]) for i, x in enumerate(box)):
            raise BadCertificate("a box does not have sorted intervals for each symbol")


def is_sorted(x: Intervals, most: int) -> bool:
    bounds = [b for pair in x for b in pair]
    apart = all(high < low for (_, high), (low, _) in zip(x, x[1:], strict=False))
    return apart and all(low <= high for low, high in x) and bounds[0] >= 0 and bounds[-1] <= most


def as_list(t: int | Term) -> int | list[Any]:
    if isinstance(t, int):
        return t
    if t.op == SYMBOL:
        return ["cell", *t.args]
    return [t.op, t.width, *map(as_list, t.args)]


def never_from(document: dict[str, Any]) -> Never:
    """Raises KeyError, TypeError, ValueError."""
    places = tuple((int(at), int(size)) for at, size in document["places"])
    cube = [(term_from(t, places), int(answer)) for t, answer in document["cube"]]
    if any(not 0 <= answer < 1 << t.width for t, answer in cube):
        raise ValueError("answer")
    return Never(bytes.fromhex(document["explicit"]), places, cube, int(document.get("beside", 0)))


def term_from(x: Any, places: Places) -> Term:
    """Raises TypeError, ValueError."""
    op, *rest = x
    if op == "cell":
        (number,) = rest
        return symbol(int(number), 8 * places[range(len(places)).index(number)][1])
    if op not in OPERATIONS or not rest:
        raise ValueError(op)
    width, *parts = rest
    args = [p if type(p) is int else term_from(p, places) for p in parts]
    t = made(op, int(width), *args)
    if not any(isinstance(a, Term) for a in args) or not 1 <= t.width <= 128 or not fits(t):
        raise ValueError(op)
    return t


def fits(t: Term) -> bool:
    """Its operands have the widths that it asks for."""
    if t.op in ("zext", "sext", "trunc"):
        (a,) = t.args
        return isinstance(a, Term) and (a.width > t.width if t.op == "trunc" else a.width < t.width)
    if t.op == SELECT:
        return len(t.args) == 3 and all(has_width(a, w) for a, w in zip(t.args, (1, t.width, t.width), strict=True))
    of = operand_width(t)
    to = 1 if t.op in COMPARISONS or t.op in OVERFLOWS else of
    return len(t.args) == ARGUMENTS.get(t.op, 2) and to == t.width and all(has_width(a, of) for a in t.args)


def has_width(a: int | Term, w: int) -> bool:
    return 0 <= a < 1 << w if isinstance(a, int) else a.width == w
