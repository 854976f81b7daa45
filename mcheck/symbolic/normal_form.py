"""From the end of a path to symbolic states in their normal form: shapes and boxes. docs/theory/data.md defines it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from lfc.mcheck.symbolic.cells import Cell, Cells, Frames
from lfc.mcheck.symbolic.execution.paths import Path, Split
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.preimages import TooMany, image
from lfc.mcheck.symbolic.values.ranges import Impossible, facts_of, range_of
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, byte_of, evaluate, joined, nodes, rewritten, symbol
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_KEPT = 40  # nodes of a term in a state
Box = tuple[ValueSet, ...]  # by number of the symbol
Places = Sequence[tuple[int, int]]  # offset and size


@dataclass(frozen=True, slots=True)
class Shape:
    """`explicit`: the block, with zeros in place of runs. `runs`: offset, size, term. `frames`: as `Cells` has it.
    `beside`: the state of a property's automaton."""

    explicit: bytes
    runs: tuple[tuple[int, int, Term], ...]
    widths: tuple[int, ...]
    frames: Frames
    dead: tuple[tuple[int, int], ...] = field(compare=False)
    beside: int = 0

    @property
    def plain(self) -> bool:
        """No aliases: a block is one valuation."""
        return len(self.runs) == len(self.widths) and all(t.op == SYMBOL for _, _, t in self.runs)

    def block(self, box: Box) -> list[int | Term]:
        """With terms; what has one value is a number."""
        found: list[int | Term] = list(self.explicit)
        known = {i: v for i, v in enumerate(map(sets.only_value, box)) if v is not None}
        for offset, size, t in self.runs:
            found[offset : offset + size] = spread(with_values(t, known, box), size)
        return found

    def concrete(self, values: Sequence[int]) -> bytes:
        found = bytearray(self.explicit)
        valuation = dict(enumerate(values))
        for offset, size, t in self.runs:
            found[offset : offset + size] = evaluate(t, valuation).to_bytes(size, "little")
        return bytes(found)


def with_values(t: Term, known: dict[int, int], box: Box) -> int | Term:
    if t.op == SYMBOL:
        return known.get(t.args[0], t)  # type: ignore[arg-type]
    if not t.symbols & known.keys():
        return t
    if t.symbols <= known.keys():
        return evaluate(t, known)
    return rewritten(t, lambda node: known.get(node.args[0]) if node.op == SYMBOL else None)  # type: ignore[arg-type]


def spread(v: int | Term, size: int) -> list[int | Term]:
    if isinstance(v, int):
        return list(v.to_bytes(size, "little"))
    return [byte_of(v, i) if 8 * i < v.width else 0 for i in range(size)]


@dataclass(slots=True)
class Normal:
    """A symbolic state, and what its symbols were at the end of the path: numbers or terms over that one's box."""

    shape: Shape
    box: Box
    was: tuple[int | Term, ...]
    path: Path


class Normaliser:
    def __init__(self, cells: Cells, dead_places: Callable[[bytes], Places]) -> None:
        """`dead_places`: of a block of which only explicit bytes matter."""
        self.cells, self.dead_places = cells, dead_places
        self._dead: dict[bytes, tuple[tuple[int, int], ...]] = {}
        self._shapes: dict[Shape, Shape] = {}

    def of_end(self, path: Path, block: list[int | Term]) -> Iterator[Normal]:
        """Raises TooMany."""
        stack = [path]
        while stack:
            path = stack.pop()
            try:
                yield self._normal(path, list(block))
            except Impossible:
                continue
            except Split as split:
                stack += [path.gone(split, n) for n in reversed(range(len(split.ways)))]

    def _normal(self, path: Path, block: list[int | Term]) -> Normal:
        self._settle(path, block)
        frames = self.cells.frames(block)
        cells = self.cells.of(frames)
        contents, explicit = self._contents(path, block, cells)
        dead = self._dead.get(explicit)
        if dead is None:
            dead = self._dead[explicit] = tuple(self.dead_places(explicit))
        if dead:
            contents = [(c, 0 if is_dead(c, dead) else v) for c, v in contents]
            explicit = without(explicit, dead)
        known = {n: sets.only_value(values) for n, values in path.box.items()}
        values = {n: v for n, v in known.items() if v is not None}
        contents = [(c, simplified(v, values)) for c, v in contents]
        return self._named(path, explicit, frames, dead, rooted(path, contents))

    def _settle(self, path: Path, block: list[int | Term]) -> None:
        """Where the processes are must be known."""
        for offset, size in self.cells.control:
            settle(path, block, range(offset, offset + size))
        try:
            self.cells.frames(block)
        except TypeError:  # where a called process returns to
            settle(path, block, range(len(block)))

    def _contents(
        self, path: Path, block: list[int | Term], cells: Sequence[Cell]
    ) -> tuple[list[tuple[Cell, int | Term]], bytes]:
        """Of what may be undetermined; and the rest."""
        found: list[tuple[Cell, int | Term]] = []
        for c in cells:
            content = block[c.offset : c.offset + c.size]
            try:
                v: int | Term = int.from_bytes(content, "little")  # type: ignore[arg-type]
                if not c.lifted:
                    continue
            except TypeError:
                v = joined(content)
            found.append((c, v))
            block[c.offset : c.offset + c.size] = ZEROS[c.size]
        settle(path, block, range(len(block)))
        return found, bytes(block)  # type: ignore[arg-type]

    def _named(
        self,
        path: Path,
        explicit: bytes,
        frames: Frames,
        dead: tuple[tuple[int, int], ...],
        contents: list[tuple[Cell, int | Term, ValueSet | None]],
    ) -> Normal:
        names: dict[int | Term, Term] = {}
        runs: list[tuple[int, int, Term]] = []
        box: list[ValueSet] = []
        widths: list[int] = []
        was: list[int | Term] = []

        def name(width: int, values: ValueSet, source: int | Term) -> Term:
            box.append(values)
            widths.append(width)
            was.append(source)
            return symbol(len(box) - 1, width)

        for cell, v, values in contents:
            if isinstance(v, int):
                runs.append((cell.offset, cell.size, name(8 * cell.size, sets.single(v), v)))
            elif values is not None:  # a term that has become a symbol
                if v not in names:
                    names[v] = name(v.width, values, v)
                runs.append((cell.offset, cell.size, names[v]))
            else:
                for node in nodes(v):
                    if node.op == SYMBOL and node not in names:
                        names[node] = name(node.width, path.box[node.args[0]], node)  # type: ignore[index]
                renamed = rewritten(v, lambda node: names[node] if node.op == SYMBOL else None)
                assert isinstance(renamed, Term)
                runs.append((cell.offset, cell.size, renamed))
        shape = self.same(Shape(explicit, tuple(runs), tuple(widths), frames, dead))
        return Normal(shape, tuple(box), tuple(was), path)

    def same(self, shape: Shape) -> Shape:
        """Equal shapes are one object."""
        return self._shapes.setdefault(shape, shape)


ZEROS = {n: [0] * n for n in (1, 2, 4)}


def settle(path: Path, block: list[int | Term], where: range) -> None:
    """These bytes become numbers. Raises Split."""
    for at in where:
        if type(block[at]) is not int:
            block[at] = path.number(block[at])


def without(explicit: bytes, dead: Places) -> bytes:
    found = bytearray(explicit)
    for offset, size in dead:
        found[offset : offset + size] = bytes(size)
    return bytes(found)


def is_dead(c: Cell, dead: Places) -> bool:
    return any(offset <= c.offset and c.offset + c.size <= offset + size for offset, size in dead)


def simplified(v: int | Term, values: dict[int, int]) -> int | Term:
    if isinstance(v, int) or not v.symbols & values.keys():
        return v
    if v.symbols <= values.keys():
        return evaluate(v, values)
    return rewritten(v, lambda node: values.get(node.args[0]) if node.op == SYMBOL else None)  # type: ignore[arg-type]


def rooted(path: Path, contents: list[tuple[Cell, int | Term]]) -> list[tuple[Cell, int | Term, ValueSet | None]]:
    """With the set of each term that is to be a symbol itself; None: it stays as it is. Raises Split, TooMany."""
    found: dict[Term, ValueSet | None] = {}
    for terms in components({v for _, v in contents if isinstance(v, Term)}):
        found |= untied(path, terms) if path.may_widen else rooted_together(path, terms)
    return [(c, v, found[v] if isinstance(v, Term) else None) for c, v in contents]


def components(terms: set[Term]) -> list[list[Term]]:
    """Those that have a symbol in common, also by way of others."""
    found: list[tuple[set[int], list[Term]]] = []
    for t in sorted(terms, key=lambda t: (sorted(t.symbols), t.weight)):
        mine, joined_terms = set(t.symbols), [t]
        rest = []
        for symbols, others in found:
            if symbols & mine:
                mine |= symbols
                joined_terms = others + joined_terms
            else:
                rest.append((symbols, others))
        found = [*rest, (mine, joined_terms)]
    return [terms for _, terms in found]


def rooted_together(path: Path, terms: list[Term]) -> dict[Term, ValueSet | None]:
    symbols = frozenset().union(*(t.symbols for t in terms))
    if len(terms) == 1:
        (t,) = terms
        if t.op == SYMBOL:
            return {t: None}
        try:
            return {t: image(t, path.box)}
        except TooMany:
            pass
    if len(symbols) == 1 and all(t.weight <= MOST_KEPT for t in terms):
        return dict.fromkeys(terms)
    for t in terms:
        ask_within(path, t)
    number = min(sorted(symbols), key=lambda n: sets.size(path.box[n]))
    if sets.size(path.box[number]) > 4096:
        raise TooMany("values that are not determined are tied to each other")
    raise Split([{number: sets.single(v)} for v in sets.values(path.box[number])])


def untied(path: Path, terms: list[Term]) -> dict[Term, ValueSet | None]:
    """Copies stay copies; whatever else is tied to another is forgotten."""
    if len(terms) == 1:
        (t,) = terms
        if t.op == SYMBOL:
            return {t: None}
        try:
            return {t: image(t, path.box)} if len(t.symbols) == 1 or not path.known else within_facts(path, t)
        except TooMany:
            pass
    path.wide = True
    facts = facts_of(path.known)
    return {t: None if t.op == SYMBOL else range_of(t, path.box, facts) for t in terms}


def within_facts(path: Path, t: Term) -> dict[Term, ValueSet | None]:
    path.wide = True
    found = sets.intersection(image(t, path.box), range_of(t, path.box, facts_of(path.known)))
    if not found:
        raise Impossible
    return {t: found}


def ask_within(path: Path, t: Term) -> None:
    """A choice between terms is taken apart. Raises Split."""
    for node in nodes(t):
        if node.width == 1 and len(node.symbols) == 1 and len(t.symbols) > 1:
            path.truth(node)
