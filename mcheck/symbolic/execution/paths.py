"""One way through an action: memory, registers, what has been asked so far, and the values that are left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lfc.mcheck.symbolic.execution.decode import Function
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.columns import column, evaluate
from lfc.mcheck.symbolic.values.linear import canonical
from lfc.mcheck.symbolic.values.preimages import TooMany, bounds, image, preimage, true_for
from lfc.mcheck.symbolic.values.ranges import Impossible, facts_of, narrowed, range_of
from lfc.mcheck.symbolic.values.solver import Solver, Undecided
from lfc.mcheck.symbolic.values.terms import Term, nodes, rewritten
from lfc.mcheck.symbolic.values.value_sets import ValueSet

FEW = 4  # values of a symbol that are taken one by one
MOST_VALUES = 4096  # likewise, where nothing else helps
FEW_WIDE = 16  # likewise, where it may be widened
MOST_SOLVED = 256  # values of a term of several symbols
MOST_LOOKED_INTO = 60  # nodes of a condition

Cell = "int | Term | tuple[object, int]"  # a byte: a number, a term, or one of those of a pointer
Item = tuple[object, ...]  # as in a record of decisions, with terms for what was read


class Split(Exception):
    """A question has several answers: the path goes on with each of these in place of what its box had. `about`: what
    was asked, where boxes cannot say the answer, which is then one of `answers`; `witnesses`: for each, values with
    which it is so, where some were found."""

    def __init__(
        self,
        ways: list[dict[int, ValueSet]],
        about: Term | None = None,
        answers: Sequence[int] = (),
        witnesses: Sequence[dict[int, int] | None] = (),
    ) -> None:
        self.ways, self.about, self.answers, self.witnesses = ways, about, answers, witnesses


@dataclass(slots=True)
class Activation:
    function: Function
    registers: list[object]
    block: int = 0
    at: int = 0
    result: int = -1  # register of the caller


@dataclass(slots=True)
class Path:
    memory: dict[int, list[object]]
    box: dict[int, ValueSet]
    widths: dict[int, int]  # of each symbol
    activations: list[Activation] = field(default_factory=list)
    items: list[Item] = field(default_factory=list)
    alternatives: list[tuple[int, int, int]] = field(default_factory=list)  # of the attempt that is under way
    decided: int | None = None  # which alternative is taken, where that was split
    steps: int = 0
    assumed: int = 0  # what was taken for granted, as bits
    next_piece: int = 1
    may_widen: bool = False  # what is tied together may be taken as if it were not
    wide: bool = False  # it was: some of what the path does may be impossible
    known: dict[Term, int] = field(default_factory=dict)  # answers that were taken so
    solver: Solver | None = None
    witness: dict[int, int] | None = None  # values with which all is so that is known

    def copy(self) -> Path:
        activations = [Activation(a.function, list(a.registers), a.block, a.at, a.result) for a in self.activations]
        return Path(
            {n: list(piece) for n, piece in self.memory.items()},
            dict(self.box),
            dict(self.widths),
            activations,
            list(self.items),
            list(self.alternatives),
            self.decided,
            self.steps,
            self.assumed,
            self.next_piece,
            self.may_widen,
            self.wide,
            dict(self.known),
            self.solver,
            self.witness,
        )

    def gone(self, split: Split, number: int) -> Path:
        """The path on one of the ways."""
        other = self.copy()
        for symbol_number, values in split.ways[number].items():
            if symbol_number < 0:
                other.decided = values[0][0]
            else:
                other.box[symbol_number] = values
        if split.about is not None:
            other.known[split.about] = split.answers[number]
            other.wide = other.wide or self.solver is None
        if split.witnesses and split.witnesses[number] is not None:
            other.witness = split.witnesses[number]
        if not other.is_witnessed():
            other.witness = None
        return other

    # --- what is known ---------------------------------------------------------------------------------------------

    @property
    def may_relate(self) -> bool:
        """What is tied together may stay so, or be taken as if it were not."""
        return self.may_widen or self.solver is not None

    def stays_tied(self, fewest: int) -> bool:
        """Rather than be split by the values of the symbol that has the fewest."""
        return self.solver is not None and fewest > FEW_WIDE

    def is_witnessed(self) -> bool:
        """By the values that were found for what was known before."""
        v = self.witness
        if v is None:
            return False
        for t, answer in self.known.items():
            if not t.symbols <= v.keys() or evaluate(t, v) != answer:
                return False
        return all(n not in self.box or sets.contains(self.box[n], x) for n, x in v.items())

    def must_be_possible(self) -> None:
        """Raises Impossible where nothing has all that is known. What nobody finds out makes it wide."""
        if not self.known or self.solver is None or self.witness is not None:
            return
        try:
            self.witness = self.solver.model(self.known.items(), self.box)
        except Undecided:
            self.wide = True
            return
        if self.witness is None:
            raise Impossible

    def _witness(self, condition: Term, answer: int) -> dict[int, int] | None:
        """With which it has this answer, and all is so that is known. None: nobody knows. Raises Impossible."""
        if self.solver is None:
            return None
        v = self.witness
        if v is not None and condition.symbols <= v.keys() and evaluate(condition, v) == answer:
            return v
        try:
            v = self.solver.model([*self.known.items(), (condition, answer)], self.box)
        except Undecided:
            self.wide = True
            return None
        if v is None:
            raise Impossible
        return v

    # --- questions -------------------------------------------------------------------------------------------------

    def truth(self, condition: int | Term) -> bool:
        """Raises Split, TooMany."""
        while isinstance(condition, Term):
            if condition in self.known:
                return bool(self.known[condition])
            if len(condition.symbols) == 1:
                return self._truth_of_one(condition)
            low, high = bounds(condition, self.box)
            if low == high:
                return bool(low)
            simple = canonical(condition, self.box)
            if simple is not condition and (isinstance(simple, int) or len(simple.symbols) < 2 or simple in self.known):
                condition = simple
                continue
            condition = self._simpler(simple)
        return bool(condition)

    def _truth_of_one(self, condition: Term) -> bool:
        (number,) = condition.symbols
        values = self.box[number]
        try:
            true = true_for(condition, self.box)
        except TooMany:
            if not self.may_relate:
                raise
            return self._guessed(condition)
        if not true:
            return False
        false = sets.difference(values, true)
        if not false:
            return True
        raise Split([{number: true}, {number: false}])

    def _simpler(self, condition: Term) -> int | Term:
        """Raises Split, in the end by single values."""
        found = nodes(condition)
        if len(found) <= MOST_LOOKED_INTO:
            known: dict[Term, int] = {}
            for node in found:
                if node.width == 1 and len(node.symbols) == 1:
                    known[node] = int(self._truth_of_one(node))
            if known:
                return rewritten(condition, known.get)
        left = {n: sets.only_value(self.box[n]) for n in condition.symbols}
        if all(v is not None for v in left.values()):
            return evaluate(condition, left)  # type: ignore[arg-type]
        unknown = [n for n, v in left.items() if v is None]
        if self.may_relate and min(sets.size(self.box[n]) for n in unknown) > FEW_WIDE:
            return int(self._guessed(condition))
        self.split_by_value(condition, unknown)
        raise AssertionError

    def _guessed(self, condition: Term) -> bool:
        """Both answers, where neither is impossible."""
        if condition in self.known:
            return bool(self.known[condition])
        facts, possible, witnesses = facts_of(self.known), [], []
        for truth in (True, False):
            way = narrowed(condition, truth, self.box, facts)
            if way is None:
                continue
            try:
                witnesses.append(self._witness(condition, int(truth)))
            except Impossible:
                continue
            possible.append((truth, way))
        if not possible:
            raise Impossible
        if len(possible) == 1:
            return possible[0][0]
        raise Split([way for _, way in possible], condition, [int(truth) for truth, _ in possible], witnesses)

    def split_by_value(self, t: Term, among: Iterable[int] = ()) -> None:
        """By the values of that unknown of the term (of `among`, if it says any) that has the fewest."""
        number = min(sorted(among or t.symbols), key=lambda n: sets.size(self.box[n]))
        if sets.size(self.box[number]) > MOST_VALUES:
            raise TooMany(f"a question about {len(t.symbols)} undetermined values at once")
        raise Split([{number: sets.single(v)} for v in sets.values(self.box[number])])

    def number(self, t: object) -> int:
        """Its value; raises Split if it has several, TooMany if these are too many."""
        if isinstance(t, int):
            return t
        assert isinstance(t, Term), t
        known = {n: sets.only_value(self.box[n]) for n in t.symbols}
        left = [n for n, v in known.items() if v is None]
        if not left:
            return evaluate(t, known)  # type: ignore[arg-type]
        if t in self.known:
            return self.known[t]
        if len(t.symbols) > 1:
            simple = canonical(t, self.box)
            if simple is not t:
                return self.number(simple)
            if self.may_relate and min(sets.size(self.box[n]) for n in left) > FEW_WIDE:
                return self._guessed_number(t)
            self.split_by_value(t, left)
        values = image(t, self.box)
        if sets.size(values) > MOST_VALUES:
            raise TooMany("an address or index with more than 4,096 values")
        first = sets.only_value(values)
        if first is not None:
            return first
        (number,) = t.symbols
        by_value = self._by_value(t, number, values)
        raise Split([{number: by_value[v]} for v in self._possible(t, values)])

    def _possible(self, t: Term, values: ValueSet) -> Iterable[int]:
        """Without values that what is known of several symbols rules out, where they are many."""
        if not self.known or not FEW_WIDE < sets.size(values) <= MOST_SOLVED:
            return sets.values(values)
        try:
            found = (
                None if self.solver is None else self.solver.values(t, list(self.known.items()), self.box, MOST_SOLVED)
            )
        except Undecided:
            found = None
        if found is not None and not found:
            raise Impossible
        return sets.values(values) if found is None else found

    def _guessed_number(self, t: Term) -> int:
        numbers = self._solved_numbers(t)
        if numbers is None:
            values = range_of(t, self.box, facts_of(self.known))
            if sets.size(values) > MOST_VALUES:
                raise TooMany("an address or index with more than 4,096 values")
            numbers = list(sets.values(values))
        if len(numbers) == 1:
            return numbers[0]
        raise Split([{} for _ in numbers], t, numbers)

    def _solved_numbers(self, t: Term) -> list[int] | None:
        if self.solver is None:
            return None
        try:
            found = self.solver.values(t, list(self.known.items()), self.box, MOST_SOLVED)
        except Undecided:
            found = None
        if found is None:
            self.wide = True
        elif not found:
            raise Impossible
        return found

    def _by_value(self, t: Term, number: int, values: ValueSet) -> dict[int, ValueSet]:
        own = self.box[number]
        if sets.size(own) > 1 << 16:
            return {v: sets.intersection(own, preimage(t, sets.single(v), self.box)) for v in sets.values(values)}
        places = list(sets.values(own))
        found: dict[int, list[int]] = {}
        for x, v in zip(places, column(t, places), strict=True):
            found.setdefault(v, []).append(x)
        return {v: sets.of_values(xs) for v, xs in found.items()}
