"""From the end of a path to symbolic states in their normal form: shapes and boxes. docs/theory/data.md defines it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lfc.mcheck.symbolic.cells import Cell, Cells, Frames
from lfc.mcheck.symbolic.execution.paths import Path, Split
from lfc.mcheck.symbolic.relations import Condition, conditions_of, image_of, new_roots, size_of, without_others
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.linear import Canonical
from lfc.mcheck.symbolic.values.preimages import TooMany, image
from lfc.mcheck.symbolic.values.ranges import Impossible, facts_of, range_of
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, byte_of, evaluate, joined, nodes, rewritten, symbol
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MOST_KEPT = 40  # nodes of a term in a state
MOST_RELATED = 3_000  # likewise, of terms and conditions of several symbols
MOST_TRIED = 1 << 16  # combinations of values
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
    conditions: tuple[Condition, ...] = ()  # what else is so in all its blocks
    beside: int = 0

    @property
    def plain(self) -> bool:
        """No aliases: a block is one valuation."""
        return (
            not self.conditions and len(self.runs) == len(self.widths) and all(t.op == SYMBOL for _, _, t in self.runs)
        )

    @property
    def countable(self) -> bool:
        """A block says what each symbol is."""
        if self.conditions or any(t.op != SYMBOL and not is_wider_symbol(t) for _, _, t in self.runs):
            return False
        return len(frozenset().union(*(t.symbols for _, _, t in self.runs))) == len(self.widths)

    def block(self, box: Box) -> list[int | Term]:
        """With terms; what has one value is a number."""
        found: list[int | Term] = list(self.explicit)
        known = {i: v for i, v in enumerate(map(sets.only_value, box)) if v is not None}
        for offset, size, t in self.runs:
            found[offset : offset + size] = spread(with_values(t, known, box), size)
        return found

    def known(self, box: Box) -> dict[Term, int]:
        """Its conditions in a box, where they are not certain."""
        values = {i: v for i, v in enumerate(map(sets.only_value, box)) if v is not None}
        found = {}
        for t, answer in self.conditions:
            left = with_values(t, values, box)
            if isinstance(left, Term):
                found[left] = answer
        return found

    def concrete(self, values: Sequence[int]) -> bytes:
        found = bytearray(self.explicit)
        valuation = dict(enumerate(values))
        for offset, size, t in self.runs:
            found[offset : offset + size] = evaluate(t, valuation).to_bytes(size, "little")
        return bytes(found)


def is_wider_symbol(t: Term) -> bool:
    return t.op == "zext" and isinstance(t.args[0], Term) and t.args[0].op == SYMBOL


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


@dataclass(slots=True)
class Placed:
    """The end of a path: numbers outside of cells, and what the cells hold."""

    path: Path
    explicit: bytes
    contents: list[tuple[Cell, int | Term]]
    frames: Frames
    dead: tuple[tuple[int, int], ...]


class Normaliser:
    def __init__(self, cells: Cells, dead_places: Callable[[bytes], Places]) -> None:
        """`dead_places`: of a block of which only explicit bytes matter."""
        self.cells, self.dead_places = cells, dead_places
        self._dead: dict[bytes, tuple[tuple[int, int], ...]] = {}
        self._shapes: dict[Shape, Shape] = {}
        self.forgets = False  # what is known of several values at once: states hold more then
        self.coarse = False  # likewise of which other variables elements of arrays are copies

    def of_end(self, path: Path, block: list[int | Term]) -> Iterator[Normal]:
        """Raises TooMany."""
        stack = [path]
        while stack:
            path = stack.pop()
            try:
                path.must_be_possible()
                yield self._normal(path, list(block))
            except Impossible:
                continue
            except Split as split:
                stack += [path.gone(split, n) for n in reversed(range(len(split.ways)))]

    def placed(self, path: Path, block: list[int | Term]) -> Iterator[Placed]:
        """What is where at the end of a path, before anything is made simpler."""
        stack = [path]
        while stack:
            path = stack.pop()
            try:
                yield self._placed(path, list(block))
            except Split as split:
                stack += [path.gone(split, n) for n in reversed(range(len(split.ways)))]

    def _placed(self, path: Path, block: list[int | Term]) -> Placed:
        self._settle(path, block)
        frames = self.cells.frames(block)
        cells = self.cells.of(frames)
        contents, explicit = self._contents(path, block, cells)
        dead = self.dead(explicit)
        if dead:
            contents = [(c, 0 if is_dead(c, dead) else v) for c, v in contents]
            explicit = without(explicit, dead)
        return Placed(path, explicit, contents, frames, dead)

    def _normal(self, path: Path, block: list[int | Term]) -> Normal:
        at = self._placed(path, block)
        contents = without_copies(path, at.contents) if self.coarse else at.contents
        conditions = conditions_of(path) if path.known else []
        if self.forgets:
            conditions = []
        known = {n: sets.only_value(values) for n, values in path.box.items()}
        values = {n: v for n, v in known.items() if v is not None}
        simple = Canonical(path.box)
        contents = [(c, in_order(simplified(v, values), simple)) for c, v in contents]
        named = Naming(path, rooted(path, contents, conditions))
        runs, staying = named.runs(), named.conditions()  # both name symbols
        shape = Shape(at.explicit, runs, tuple(named.widths), at.frames, at.dead, staying)
        shape = self._shapes.setdefault(shape, shape)
        return Normal(shape, tuple(named.box), tuple(named.was), path)

    def dead(self, explicit: bytes) -> tuple[tuple[int, int], ...]:
        """The places of it that nobody will read."""
        found = self._dead.get(explicit)
        if found is None:
            found = self._dead[explicit] = tuple(self.dead_places(explicit))
        return found

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

    def same(self, shape: Shape) -> Shape:
        """Equal shapes are one object."""
        return self._shapes.setdefault(shape, shape)


@dataclass(slots=True)
class Rooted:
    """The contents of cells, with the set of each term that is to be a symbol itself (None: it stays as it is);
    `roots`: parts of terms that are to be symbols; and conditions that stay."""

    contents: list[tuple[Cell, int | Term, ValueSet | None]]
    roots: dict[Term, ValueSet]
    conditions: list[Condition]


class Naming:
    """Symbols by number: those of cells first, in their order, then those within terms, then others."""

    def __init__(self, path: Path, of: Rooted) -> None:
        self.path, self.of = path, of
        self.box: list[ValueSet] = []
        self.widths: list[int] = []
        self.was: list[int | Term] = []
        self.names: dict[Term, Term] = {}

    def _name(self, width: int, values: ValueSet, source: int | Term) -> Term:
        self.box.append(values)
        self.widths.append(width)
        self.was.append(source)
        return symbol(len(self.box) - 1, width)

    def _named(self, t: Term, values: ValueSet) -> Term:
        if t not in self.names:
            self.names[t] = self._name(t.width, values, t)
        return self.names[t]

    def runs(self) -> tuple[tuple[int, int, Term], ...]:
        found: dict[Cell, Term] = {}
        for cell, v, values in self.of.contents:
            if isinstance(v, int):
                found[cell] = self._name(8 * cell.size, sets.single(v), v)
            elif values is not None:  # a term that has become a symbol
                found[cell] = self._named(v, values)
            elif v in self.of.roots:
                found[cell] = self._named(v, self.of.roots[v])
            elif v.op == SYMBOL:
                found[cell] = self._named(v, self.path.box[v.args[0]])  # type: ignore[index]
        for cell, v, _ in self.of.contents:
            if cell not in found:
                assert isinstance(v, Term)
                found[cell] = self.renamed(v)
        return tuple((c.offset, c.size, found[c]) for c, _, _ in self.of.contents)

    def renamed(self, t: Term) -> Term:
        for leaf in leaves(t, self.of.roots):
            own = self.of.roots.get(leaf)
            self._named(leaf, self.path.box[leaf.args[0]] if own is None else own)  # type: ignore[index]
        found = rewritten(t, self.names.get)
        assert isinstance(found, Term)
        simple = in_order(found, Canonical(dict(enumerate(self.box))))
        return simple if isinstance(simple, Term) else found  # it may be known only now

    def conditions(self) -> tuple[Condition, ...]:
        found = [(self.renamed(t), answer) for t, answer in self.of.conditions]
        return tuple(sorted(found, key=lambda c: (c[0].serial, c[1])))


def leaves(t: Term, roots: Mapping[Term, ValueSet]) -> list[Term]:
    """Symbols, and parts that are to be symbols, in the order of the term."""
    found: list[Term] = []
    seen: set[Term] = set()
    stack = [t]
    while stack:
        node = stack.pop()
        if node in seen:
            continue
        seen.add(node)
        if node in roots or node.op == SYMBOL:
            found.append(node)
        else:
            stack += [a for a in reversed(node.args) if isinstance(a, Term)]
    return found


def in_order(t: int | Term, simple: Canonical) -> int | Term:
    """Sums in their normal form."""
    return simple.of(t) if isinstance(t, Term) and len(t.symbols) > 1 else t


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


def without_copies(path: Path, contents: list[tuple[Cell, int | Term]]) -> list[tuple[Cell, int | Term]]:
    """Elements of arrays are copies of nothing."""
    times = Counter(v for _, v in contents)
    found: list[tuple[Cell, int | Term]] = []
    for cell, v in contents:
        if cell.element and isinstance(v, Term) and v.op == SYMBOL and times[v] > 1:
            times[v] -= 1
            number = 1 + max(path.box)
            path.box[number], path.widths[number] = path.box[v.args[0]], v.width  # type: ignore[index]
            v, path.wide = symbol(number, v.width), True
        found.append((cell, v))
    return found


def simplified(v: int | Term, values: dict[int, int]) -> int | Term:
    if isinstance(v, int) or not v.symbols & values.keys():
        return v
    if v.symbols <= values.keys():
        return evaluate(v, values)
    return rewritten(v, lambda node: values.get(node.args[0]) if node.op == SYMBOL else None)  # type: ignore[arg-type]


def rooted(path: Path, contents: list[tuple[Cell, int | Term]], conditions: list[Condition]) -> Rooted:
    """Raises Split, TooMany."""
    terms = {v for _, v in contents if isinstance(v, Term)}
    if conditions:
        conditions = without_others(path, conditions, frozenset().union(*(t.symbols for t in terms)))
    found: dict[Term, ValueSet | None] = {}
    roots: dict[Term, ValueSet] = {}
    left: list[Condition] = []
    for together in components(terms | {t for t, _ in conditions}):
        own = [t for t in together if t in terms]
        said = [(t, answer) for t, answer in conditions if t in together]
        if path.may_widen:
            found |= untied(path, own, said)
        else:
            found |= rooted_together(path, own, said)
            staying = [t for t in own if found[t] is None]
            if staying and (said or any(t.op != SYMBOL for t in staying)):
                left += said
                roots |= new_roots([*staying, *(t for t, _ in said)], path.box)
    return Rooted([(c, v, found[v] if isinstance(v, Term) else None) for c, v in contents], roots, left)


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


def rooted_together(path: Path, terms: list[Term], conditions: list[Condition]) -> dict[Term, ValueSet | None]:
    symbols = frozenset().union(*(t.symbols for t in (*terms, *(t for t, _ in conditions))))
    if len(terms) == 1:
        (t,) = terms
        if not conditions and t.op == SYMBOL:
            return {t: None}
        values = image_or_none(t, conditions, path.box)
        if values is not None:
            return {t: values}
    if not conditions and len(symbols) == 1 and all(t.weight <= MOST_KEPT for t in terms):
        return dict.fromkeys(terms)
    number = min(sorted(symbols), key=lambda n: (sets.size(path.box[n]) == 1, sets.size(path.box[n])))
    fewest = sets.size(path.box[number])
    if path.stays_tied(fewest):
        if size_of([*terms, *(t for t, _ in conditions)]) > MOST_RELATED:
            raise TooMany("values that are not determined are tied to each other in too many ways")
        return dict.fromkeys(terms)
    for t in terms:
        ask_within(path, t)
    if fewest > 4096:
        raise TooMany("values that are not determined are tied to each other")
    raise Split([{number: sets.single(v)} for v in sets.values(path.box[number])])


def image_or_none(t: Term, conditions: list[Condition], box: dict[int, ValueSet]) -> ValueSet | None:
    """None: it is out of reach."""
    if conditions or len(t.symbols) > 1:
        found = image_of(t, conditions, box, MOST_TRIED)
        if found is not None or conditions:
            return found
    try:
        return image(t, box)
    except TooMany:
        return None


def untied(path: Path, terms: list[Term], conditions: list[Condition]) -> dict[Term, ValueSet | None]:
    """Copies stay copies; whatever else is tied to another is forgotten."""
    if len(terms) == 1:
        (t,) = terms
        if t.op == SYMBOL and not conditions:
            return {t: None}
        values = image_or_none(t, conditions, path.box)
        if values is not None:
            return {t: values}
    path.wide = True
    facts = facts_of(path.known)
    return {t: None if t.op == SYMBOL else range_of(t, path.box, facts) for t in terms}


def ask_within(path: Path, t: Term) -> None:
    """A choice between terms is taken apart. Raises Split."""
    for node in nodes(t):
        if node.width == 1 and len(node.symbols) == 1 and len(t.symbols) > 1:
            path.truth(node)
