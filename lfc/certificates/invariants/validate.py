"""What validates a certificate of an invariant: the initial state lies in the boxes, and one step from each box stays
in them, without a fault, a failed assertion or (if that is claimed) a deadlock. Where boxes allow such an error, what
the certificate says beside them must rule it out: each question of that is written for a solver.

What is shared with the search is how the program's code is executed on sets of values, and which events there are. How
boxes are named, merged, widened and compared is not: coverage is decided here once more, by plain subtraction. Nor is
how questions are put to a solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lfc.actions.as_data import composition_digest
from lfc.actions.model.machine import Machine
from lfc.certificates.files import BadCertificate
from lfc.certificates.invariants.form import STANDS, Box, Intervals, Invariant, Listed, Never, Places
from lfc.certificates.invariants.progress import LOST, Monitor, NoMonitor, monitor_of
from lfc.certificates.invariants.questions import Question, is_refuted
from lfc.certificates.tableau import MeasuresTime
from lfc.certificates.verify import formula_named
from lfc.mcheck.counterexample.doubts import CLOCK_READ
from lfc.mcheck.request.world import World
from lfc.mcheck.symbolic.events import Event
from lfc.mcheck.symbolic.execution import code
from lfc.mcheck.symbolic.execution.decode import NotDecoded
from lfc.mcheck.symbolic.execution.execute import BLOCK, ROOM, ROUNDS, ROUNDS_AT, ActionEnd
from lfc.mcheck.symbolic.execution.paths import Path as Way
from lfc.mcheck.symbolic.execution.paths import Split
from lfc.mcheck.symbolic.explore import SymbolicProgram
from lfc.mcheck.symbolic.normal_form import Shape
from lfc.mcheck.symbolic.properties.letters import AtomFaults, Letters, meeting_of
from lfc.mcheck.symbolic.values.linear import Canonical
from lfc.mcheck.symbolic.values.preimages import TooMany, image, preimage
from lfc.mcheck.symbolic.values.ranges import Impossible, facts_of, range_of
from lfc.mcheck.symbolic.values.terms import SYMBOL, Term, joined, operation, rewritten, symbol
from lfc.semantics.model.visit import reads_clock

Refutes = Callable[[str], bool]  # whether a text in SMT-LIB 2 is unsatisfiable

# --- the check -------------------------------------------------------------------------------------------------------


def verify_invariant(machine: Machine, invariant: Invariant, refutes: Refutes = is_refuted) -> int:
    """How many boxes were validated. Raises BadCertificate."""
    if invariant.program != composition_digest(machine).hex():
        raise BadCertificate("it belongs to another program")
    try:
        return Validation(machine, invariant, refutes).check()
    except (TooMany, NotDecoded) as why:
        raise BadCertificate(f"a step cannot be executed on sets of values: {why}") from None


def monitor_named(machine: Machine, name: str) -> Monitor:
    """Raises BadCertificate."""
    try:
        found = monitor_of(formula_named(machine, name))
    except NoMonitor as why:
        raise BadCertificate(f"`{name}` cannot be claimed: {why}") from None
    except MeasuresTime:
        raise BadCertificate(f"`{name}` measures time") from None
    if any(map(reads_clock, found.atoms)):
        raise BadCertificate(f"`{name}` reads the clock")
    return found


class Validation:
    def __init__(self, machine: Machine, invariant: Invariant, refutes: Refutes) -> None:
        self.invariant, self.refutes = invariant, refutes
        self.monitor = monitor_named(machine, invariant.property) if invariant.property else None
        atoms = self.monitor.atoms if self.monitor is not None else []
        self.program = SymbolicProgram(machine, World(assume=tuple(invariant.assume)), lambda _: [], atoms)
        self.letters = Letters(self.program.interpreter, atoms)
        self.program.interpreter.may_widen = True
        if any(len(s.explicit) != machine.block_size for s in invariant.shapes):
            raise BadCertificate("a state does not have the size of the block")
        self.layouts = {s.places for s in invariant.shapes}
        self.listed: dict[tuple[Places, bytes, int], list[Listed]] = {}
        for s in invariant.shapes:
            self.listed.setdefault((s.places, s.explicit, s.beside), []).append(s)
        inside = {at for places in self.layouts for offset, size in places for at in range(offset, offset + size)}
        self.always_numbers = [at for at in range(machine.block_size) if at not in inside]

    def check(self) -> int:
        program, count = self.program, 0
        for end in program.interpreter.ends(code.INITIALISE, (), [0] * program.machine.block_size, {}, {}):
            self._lies_within(end.path, end.block, "the initial state is not listed", None)
            if self.invariant.k > 1:
                self._no_error_soon(end.path, end.block, self.invariant.k, None)
        for s in self.invariant.shapes:
            shape = shape_of(s)
            for box in s.boxes:
                count += 1
                source = Source(s, box, self._never(s.explicit, s.places, s.beside))
                if self.monitor is None:
                    self._check_box(source, shape)
                elif 0 <= s.beside < len(self.monitor.after):
                    self._check_monitored(source, shape, self.monitor.after[s.beside])
                else:
                    raise BadCertificate("a listed state has no state of the property's monitor")
        return count

    def _check_box(self, source: Source, shape: Shape) -> None:
        program = self.program
        events, dead = program.events(shape)
        standing = Way({}, *in_box(shape, source.box))
        if dead and not self.invariant.deadlocks_allowed:
            self._is_ruled_out(source, standing, "a listed state is a deadlock", 1)
        for event in events:
            for end in self._ends(shape, source, event):
                if end.fault is not None:
                    self._is_ruled_out(
                        source, end.path, "a step from a listed state may fault, or fail an assertion", 1
                    )
                    continue
                self._lies_within(end.path, end.block, "a step leads out of the listed states", source)
                if self.invariant.k > 1:
                    self._no_error_after(end.path, end.block, 2, source)

    def _check_monitored(self, source: Source, shape: Shape, after: Sequence[int]) -> None:
        """What the property says of one step, after which the monitor is in another state. What faults is no run."""
        program, block = self.program, shape.block(tuple(map(tuple, source.box)))
        events, _ = program.events(shape)
        if not events:  # a run that has ended stays where it is
            standing = Way({}, *in_box(shape, source.box))
            standing.may_widen = True
            self._lies_beside(source, standing, block, 0, after)
        for event in events:
            for end in self._ends(shape, source, event):
                if end.fault is None:
                    taken = meeting_of(program.machine, shape.explicit, end.items)
                    self._lies_beside(source, end.path, end.block, taken, after)

    def _ends(self, shape: Shape, source: Source, event: Event) -> Iterator[ActionEnd]:
        for end in self.program.ends(shape, tuple(map(tuple, source.box)), event):
            if end.path.assumed & CLOCK_READ:
                raise BadCertificate(STANDS)
            yield end

    def _lies_beside(self, source: Source, way: Way, block: list[int | Term], taken: int, after: Sequence[int]) -> None:
        try:
            for path, letter in self.letters.of_path(way, block, taken):
                if after[letter] == LOST:
                    self._is_ruled_out(source, path, "a step from a listed state may violate the property", 1)
                else:
                    self._lies_within(path, block, "a step leads out of the listed states", source, after[letter])
        except AtomFaults:
            raise BadCertificate("the formula faults for some values") from None

    def _never(self, explicit: bytes, places: Places, beside: int) -> list[Never]:
        never = self.invariant.never
        return [n for n in never if (n.explicit, n.places, n.beside) == (explicit, places, beside)]

    # --- what boxes alone do not say -------------------------------------------------------------------------------

    def _is_ruled_out(self, source: Source | None, way: Way, otherwise: str, steps: int) -> None:
        """An error after so many steps from a box. Raises BadCertificate."""
        if source is not None and steps < self.invariant.k:
            return  # what comes before it is not known yet
        if not self.refutes(self._question(source, way, otherwise).text()):
            raise BadCertificate(otherwise)

    def _question(self, source: Source | None, way: Way, what: str) -> Question:
        """A way from a box in which nothing is that never is."""
        q = Question(what)
        for n, values in way.box.items():
            q.lies_in(symbol(n, way.widths[n]), values)
        for t, answer in way.known.items():
            q.is_so(t, answer)
        if source is not None:
            for x in source.never:
                q.are_not_all((in_runs(t, source.runs), answer) for t, answer in x.cube)
        return q

    def _no_error_soon(self, way: Way, block: list[int | Term], left: int, source: Source | None) -> None:
        """Within so many steps from the initial state."""
        for path, own in self._settled(way, block):
            self._go_on(path, own, self.invariant.k - left + 1, source, left > 1)

    def _no_error_after(self, way: Way, block: list[int | Term], steps: int, source: Source) -> None:
        """In the steps from number `steps` to the last."""
        for path, own in self._settled(way, block):
            self._go_on(path, own, steps, source, steps < self.invariant.k)

    def _go_on(self, path: Way, own: list[int | Term], steps: int, source: Source | None, further: bool) -> None:
        program = self.program
        explicit = bytes(b if isinstance(b, int) else 0 for b in own)
        events, dead = program.events(Shape(explicit, (), (), (), ()))
        if dead and not self.invariant.deadlocks_allowed:
            self._is_ruled_out(source, path, "a deadlock may be reached", steps)
        for event in events:
            name, arguments = program.call(event)
            way = path.copy()
            memory: list[object] = [0] * ROOM + list(own)
            memory[ROOM + ROUNDS_AT : ROOM] = ROUNDS.to_bytes(4, "little")
            way.memory, way.activations, way.steps, way.items = {BLOCK: memory}, [], 0, []
            for end in program.interpreter.ends_of(way, name, arguments):
                if end.fault is not None:
                    self._is_ruled_out(source, end.path, "some steps may lead to a fault, or a failed assertion", steps)
                elif further and source is None:
                    self._no_error_soon(end.path, end.block, self.invariant.k - steps, None)
                elif further and source is not None:
                    self._no_error_after(end.path, end.block, steps + 1, source)

    def _settled(self, way: Way, block: list[int | Term]) -> Iterator[tuple[Way, list[int | Term]]]:
        stack = [way]
        while stack:
            path = stack.pop()
            own = list(block)
            try:
                for at in self.always_numbers:
                    own[at] = path.number(own[at])
                yield path, own
            except Impossible:
                continue
            except Split as split:
                stack += [path.gone(split, n) for n in range(len(split.ways))]

    # --- coverage --------------------------------------------------------------------------------------------------

    def _lies_within(
        self, path: Way, block: list[int | Term], otherwise: str, source: Source | None, beside: int = 0
    ) -> None:
        stack = [path]
        while stack:
            path = stack.pop()
            own = list(block)
            try:
                narrow(path)
                for at in self.always_numbers:
                    own[at] = path.number(own[at])
                listed = (self._is_listed(path, own, places, beside) for places in self.layouts)
                found = [key for key in listed if key is not None]
                if not found:
                    found = [self._as_solved(path, own, source, otherwise, beside)]
                self._stays_true(path, own, source, *found[0], beside)
            except Impossible:
                continue
            except Split as split:
                stack += [path.gone(split, n) for n in range(len(split.ways))]

    def _as_solved(
        self, path: Way, block: list[int | Term], source: Source | None, otherwise: str, beside: int
    ) -> tuple[Places, bytes]:
        """Where ranges do not show that it is listed. Raises BadCertificate."""
        for places in self.layouts:
            rest = list(block)
            for offset, size in places:
                rest[offset : offset + size] = [0] * size
            if any(isinstance(b, Term) for b in rest):
                continue
            explicit = bytes(rest)  # type: ignore[arg-type]
            question = self._question(source, path, otherwise)
            for s in self.listed.get((places, explicit, beside), ()):
                cells = [(widened(joined(block[at : at + size]), 8 * size), i) for at, size, i in s.runs]
                first = {i: t for t, i in cells[::-1]}
                boxes = [[(first[i], values) for i, values in enumerate(box)] for box in s.boxes]
                question.is_not_within(boxes, [(first[i], t) for t, i in cells if t is not first[i]])
            if (places, explicit, beside) in self.listed and self.refutes(question.text()):
                return places, explicit
        raise BadCertificate(otherwise)

    def _stays_true(
        self, path: Way, block: list[int | Term], source: Source | None, places: Places, explicit: bytes, beside: int
    ) -> None:
        for x in self._never(explicit, places, beside):
            question = self._question(source, path, "what is never so does not begin")
            values = [joined(block[at : at + size]) for at, size in places]
            for t, answer in x.cube:
                question.is_so(in_cells(t, values), answer)
            if not self.refutes(question.text()):
                raise BadCertificate("what it says is never so may be so after a step")

    def _is_listed(
        self, path: Way, block: list[int | Term], places: Places, beside: int
    ) -> tuple[Places, bytes] | None:
        rest = list(block)
        for offset, size in places:
            rest[offset : offset + size] = [0] * size
        if any(isinstance(b, Term) for b in rest):
            return None
        for s in self.listed.get((places, bytes(rest), beside), ()):  # type: ignore[arg-type]
            box = self._box(path, block, s)
            if box is not None and not left_of([box], s.boxes):
                return places, bytes(rest)  # type: ignore[arg-type]
        return None

    def _box(self, path: Way, block: list[int | Term], s: Listed) -> Box | None:
        """That holds what the path leads to. None: copies are none."""
        terms: dict[int, int | Term] = {}
        for offset, size, i in s.runs:
            t = as_it_is(joined(block[offset : offset + size]), path)
            if terms.setdefault(i, t) != t:
                return None
        return [values_of(path, terms[i]) for i in range(len(terms))]


class Source:
    """A box from which steps are looked at, and what is never so there. `runs`: the symbols of its runs, in order."""

    def __init__(self, s: Listed, box: Box, never: list[Never]) -> None:
        self.box, self.never = box, never
        self.runs: list[int | Term] = [
            symbol(i, 8 * size) if (only := only_of(box[i])) is None else only for _, size, i in s.runs
        ]


def shape_of(s: Listed) -> Shape:
    widths = {i: 8 * size for _, size, i in s.runs}
    runs = tuple((offset, size, symbol(i, 8 * size)) for offset, size, i in s.runs)
    return Shape(s.explicit, runs, tuple(widths[i] for i in range(len(widths))), (), ())


def in_box(shape: Shape, box: Box) -> tuple[dict[int, tuple[tuple[int, int], ...]], dict[int, int]]:
    return {i: tuple(x) for i, x in enumerate(box)}, dict(enumerate(shape.widths))


def in_runs(t: Term, runs: Sequence[int | Term]) -> int | Term:
    return rewritten(t, lambda node: runs[node.args[0]] if node.op == SYMBOL else None)  # type: ignore[index]


def widened(v: int | Term, width: int) -> int | Term:
    return operation("zext", width, v.width, v) if isinstance(v, Term) and v.width < width else v


def in_cells(t: Term, values: Sequence[int | Term]) -> int | Term:
    """Of what the cells hold, in as many bits as they have."""

    def leaf(node: Term) -> int | Term | None:
        if node.op != SYMBOL:
            return None
        return widened(values[node.args[0]], node.width)  # type: ignore[index]

    return rewritten(t, leaf)


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


def as_it_is(t: int | Term, path: Way) -> int | Term:
    """With numbers for what has one value, so that copies are seen to be the same."""
    if isinstance(t, int):
        return t
    found = rewritten(t, lambda node: only_of(path.box[node.args[0]]) if node.op == SYMBOL else None)  # type: ignore[index]
    return Canonical(path.box).of(found) if isinstance(found, Term) else found


def only_of(values: Sequence[tuple[int, int]]) -> int | None:
    return values[0][0] if len(values) == 1 and values[0][0] == values[0][1] else None


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
