"""Certificates of invariants as files, and what validates them: the initial state lies in the boxes, and one step from
each box stays in them, without a fault, a failed assertion or (if that is claimed) a deadlock.

What is shared with the search is how the program's code is executed on sets of values, and which events there are. How
boxes are named, merged, widened and compared is not: coverage is decided here once more, by plain subtraction.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lfc.actions.as_data import composition_digest
from lfc.actions.model.machine import Machine
from lfc.certificates.files import BadCertificate, digest, unsealed
from lfc.mcheck.request.world import World
from lfc.mcheck.symbolic.execution import code
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.execution.paths import Path as Way
from lfc.mcheck.symbolic.execution.paths import Split
from lfc.mcheck.symbolic.explore import SymbolicProgram
from lfc.mcheck.symbolic.normal_form import Shape
from lfc.mcheck.symbolic.values.linear import Canonical
from lfc.mcheck.symbolic.values.preimages import TooMany, image, preimage
from lfc.mcheck.symbolic.values.ranges import Impossible, facts_of, range_of
from lfc.mcheck.symbolic.values.terms import Term, joined, symbol

FORMAT = "lf-invariant"
Intervals = list[tuple[int, int]]
Box = list[Intervals]
Places = tuple[tuple[int, int], ...]


@dataclass(slots=True)
class Listed:
    """Blocks that agree but for runs (offset, size, number of a symbol), and the boxes of the symbols."""

    explicit: bytes
    runs: list[tuple[int, int, int]]
    boxes: list[Box]

    @property
    def places(self) -> Places:
        return tuple((offset, size) for offset, size, _ in self.runs)


@dataclass(slots=True)
class Invariant:
    program: str
    assume: list[str]
    deadlocks_allowed: bool
    shapes: list[Listed] = field(default_factory=list)

    def content(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "version": 1,
            "program": self.program,
            "assume": self.assume,
            "deadlocks_allowed": self.deadlocks_allowed,
            "shapes": [{"explicit": s.explicit.hex(), "runs": s.runs, "boxes": s.boxes} for s in self.shapes],
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
            )
            for s in document["shapes"]
        ]
        found = Invariant(document["program"], list(document["assume"]), bool(document["deadlocks_allowed"]), shapes)
    except (KeyError, TypeError, ValueError):
        raise BadCertificate("it does not have the form of an invariant") from None
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


# --- the check -------------------------------------------------------------------------------------------------------


def verify_invariant(machine: Machine, invariant: Invariant) -> int:
    """How many boxes were validated. Raises BadCertificate."""
    if invariant.program != composition_digest(machine).hex():
        raise BadCertificate("it belongs to another program")
    try:
        return Validation(machine, invariant).check()
    except (TooMany, NotDecoded) as why:
        raise BadCertificate(f"a step cannot be executed on sets of values: {why}") from None


class Validation:
    def __init__(self, machine: Machine, invariant: Invariant) -> None:
        self.invariant = invariant
        self.program = SymbolicProgram(machine, World(assume=tuple(invariant.assume)), lambda _: [])
        self.program.interpreter.may_widen = True
        if any(len(s.explicit) != machine.block_size for s in invariant.shapes):
            raise BadCertificate("a state does not have the size of the block")
        self.layouts = {s.places for s in invariant.shapes}
        self.listed: dict[tuple[Places, bytes], list[Listed]] = {}
        for s in invariant.shapes:
            self.listed.setdefault((s.places, s.explicit), []).append(s)
        inside = {at for places in self.layouts for offset, size in places for at in range(offset, offset + size)}
        self.always_numbers = [at for at in range(machine.block_size) if at not in inside]

    def check(self) -> int:
        program, count = self.program, 0
        for end in program.interpreter.ends(code.INITIALISE, (), [0] * program.machine.block_size, {}, {}):
            self._lies_within(end.path, end.block, "the initial state is not listed")
        for s in self.invariant.shapes:
            widths = {i: 8 * size for _, size, i in s.runs}
            runs = tuple((offset, size, symbol(i, 8 * size)) for offset, size, i in s.runs)
            shape = Shape(s.explicit, runs, tuple(widths[i] for i in range(len(widths))), (), ())
            events, dead = program.events(shape)
            if dead and not self.invariant.deadlocks_allowed:
                raise BadCertificate("a listed state is a deadlock")
            for box in s.boxes:
                count += 1
                for event in events:
                    for end in program.ends(shape, tuple(map(tuple, box)), event):
                        if end.fault is not None:
                            raise BadCertificate("a step from a listed state may fault, or fail an assertion")
                        self._lies_within(end.path, end.block, "a step leads out of the listed states")
        return count

    def _lies_within(self, path: Way, block: list[int | Term], otherwise: str) -> None:
        stack = [path]
        while stack:
            path = stack.pop()
            own = list(block)
            try:
                narrow(path)
                for at in self.always_numbers:
                    own[at] = path.number(own[at])
                if not any(self._is_listed(path, own, places) for places in self.layouts):
                    raise BadCertificate(otherwise)
            except Impossible:
                continue
            except Split as split:
                stack += [path.gone(split, n) for n in range(len(split.ways))]

    def _is_listed(self, path: Way, block: list[int | Term], places: Places) -> bool:
        rest = list(block)
        for offset, size in places:
            rest[offset : offset + size] = [0] * size
        if any(isinstance(b, Term) for b in rest):
            return False
        for s in self.listed.get((places, bytes(rest)), ()):  # type: ignore[arg-type]
            box = self._box(path, block, s)
            if box is not None and not left_of([box], s.boxes):
                return True
        return False

    def _box(self, path: Way, block: list[int | Term], s: Listed) -> Box | None:
        """That holds what the path leads to. None: copies are none."""
        terms: dict[int, int | Term] = {}
        for offset, size, i in s.runs:
            t = joined(block[offset : offset + size])
            if terms.setdefault(i, t) != t:
                return None
        return [values_of(path, terms[i]) for i in range(len(terms))]


def narrow(path: Way) -> None:
    """By what is known of one value alone. Raises Impossible."""
    for t, answer in path.known.items():
        if len(t.symbols) != 1:
            continue
        (n,) = t.symbols
        try:
            found = common(list(path.box[n]), list(preimage(t, ((answer, answer),), path.box)))
        except TooMany:
            continue
        if not found:
            raise Impossible
        path.box[n] = tuple(found)


def values_of(path: Way, t: int | Term) -> Intervals:
    """All that it can be, and perhaps more. Raises Impossible."""
    t = Canonical(path.box).of(t) if isinstance(t, Term) else t  # as what is known of it is written
    if isinstance(t, int):
        return [(t, t)]
    found = list(range_of(t, path.box, facts_of(path.known)))
    if len(t.symbols) == 1:
        try:
            found = common(found, list(image(t, path.box)))
        except TooMany:
            pass
    if not found:
        raise Impossible
    return found


def left_of(boxes: Sequence[Box], listed: Sequence[Box]) -> list[Box]:
    """What is in none of those that are listed."""
    left = list(boxes)
    for other in listed:
        left = [piece for b in left for piece in without(b, other)]
        if not left:
            break
    return left


def without(box: Box, other: Box) -> Iterator[Box]:
    shared = [common(x, y) for x, y in zip(box, other, strict=True)]
    if not all(shared):
        yield box
        return
    for i, x in enumerate(box):
        rest = minus(x, other[i])
        if rest:
            yield [*shared[:i], rest, *box[i + 1 :]]


def common(a: Intervals, b: Intervals) -> Intervals:
    found = [(max(p, r), min(q, s)) for p, q in a for r, s in b]
    return sorted((low, high) for low, high in found if low <= high)


def minus(a: Intervals, b: Intervals) -> Intervals:
    left = list(a)
    for low, high in b:
        cut = [(p, min(q, low - 1)) for p, q in left] + [(max(p, high + 1), q) for p, q in left]
        left = [(p, q) for p, q in cut if p <= q]
    return sorted(left)
