"""What a solver for bit vectors is asked: whether terms can have given values together, and for which values of their
symbols. It is Bitwuzla (Niemetz and Preiner 2023), from the extra `solver`; nothing depends on its being there.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.terms import (
    BYTE,
    CONCAT,
    SELECT,
    SYMBOL,
    Term,
    evaluate,
    made,
    nodes,
    operand_width,
    operation,
)
from lfc.mcheck.symbolic.values.value_sets import ValueSet

MILLISECONDS = 2_000  # of one question
MOST_INTERVALS = 16  # of a set: given as they are
MOST_MODELS, MOST_NODES = 16, 200  # that are tried first, and of what is asked
MOST_SMALL, MOST_IN_ONE = 200, 300  # nodes of a question, and questions
MOST_ROUNDS = 200  # each cuts off a gap of a set that has more

Asked = Iterable[tuple[Term, int]]
Box = Mapping[int, ValueSet]
Widths = Mapping[int, int]


class Undecided(Exception):
    """The solver has not found out."""


def solver() -> Solver | None:
    """None: it is not installed."""
    try:
        import bitwuzla
    except ImportError:
        return None
    return Solver(bitwuzla)


def that_stays(terms: Any) -> Any:
    """A manager of terms is never given up: where garbage is collected it might go before its terms, which then use
    memory that is not theirs any more. Without terms it is small."""
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(terms))
    return terms


class Solver:
    def __init__(self, module: Any) -> None:
        self.module = module
        self.kinds = module.Kind
        self.terms = that_stays(module.TermManager())
        self.calls = 0
        self._options = module.Options()
        self._options.set(module.Option.PRODUCE_MODELS, True)
        self._options.set(module.Option.TIME_LIMIT_PER, MILLISECONDS)
        self._open: Any = None
        self._left = 0  # questions until there is another one
        self._known: dict[Term, Any] = {}
        self._answers: dict[object, dict[int, int] | None] = {}
        self._models: dict[frozenset[int], list[dict[int, int]]] = {}  # by their symbols, the last ones first

    # --- questions -------------------------------------------------------------------------------------------------

    def model(self, asked: Asked, box: Box) -> dict[int, int] | None:
        """Values for the symbols of these terms with which each has its value; None: there are none. Raises
        Undecided."""
        asked = frozenset(asked)
        symbols = {s for t, _ in asked for s in symbols_of(t)}
        key = asked, tuple(sorted((s.args[0], s.width, box[s.args[0]]) for s in symbols))  # type: ignore[index]
        if key not in self._answers:
            numbers = frozenset(s.args[0] for s in symbols)
            before = self._models.setdefault(numbers, [])  # type: ignore[arg-type]
            found = self._had_before(before, asked, box) or self._solve(asked, symbols, box)
            self._answers[key] = found
            if found is not None and found not in before:
                del before[MOST_MODELS - 1 :]
                before.insert(0, found)
        return self._answers[key]

    @staticmethod
    def _had_before(models: Iterable[dict[int, int]], asked: Asked, box: Box) -> dict[int, int] | None:
        """What has answered another question often answers this one (Cadar, Dunbar and Engler, KLEE, OSDI 2008)."""
        in_order = sorted(asked, key=lambda x: (x[0].weight, x[0].serial))
        if sum(t.weight for t, _ in in_order) > MOST_NODES:
            return None
        for v in models:
            if all(sets.contains(box[n], x) for n, x in v.items()) and all(evaluate(t, v) == x for t, x in in_order):
                return v
        return None

    def _solve(self, asked: Asked, symbols: Iterable[Term], box: Box) -> dict[int, int] | None:
        asked = list(asked)
        formulas = self._formulas(asked, symbols, box)
        return self._answer(self._opened(sum(t.weight for t, _ in asked)), formulas, symbols, box)

    def _opened(self, weight: int) -> Any:
        """Small questions follow each other in one solver, which knows their terms already."""
        if weight > MOST_SMALL:
            return self.module.Bitwuzla(self.terms, self._options)
        if self._left == 0:
            self._open, self._left = self.module.Bitwuzla(self.terms, self._options), MOST_IN_ONE
        self._left -= 1
        return self._open

    def _formulas(self, asked: Asked, symbols: Iterable[Term], box: Box) -> list[Any]:
        found = [self.is_value(self.written(t), value, t.width) for t, value in asked]
        return found + [f for s in symbols for f in self._bounds(s, box[s.args[0]])]  # type: ignore[index]

    def _answer(self, question: Any, formulas: list[Any], symbols: Iterable[Term], box: Box) -> dict[int, int] | None:
        """Of a question where these hold as well; None: there are no such values. Raises Undecided."""
        for _ in range(MOST_ROUNDS):
            self.calls += 1
            answer = question.check_sat(*formulas)
            if answer == self.module.Result.UNSAT:
                return None
            if answer != self.module.Result.SAT:
                raise Undecided
            found = {s: int(question.get_value(self.written(s)).value(10)) for s in symbols}
            outside = [s for s, v in found.items() if not sets.contains(box[s.args[0]], v)]  # type: ignore[index]
            if not outside:
                return {s.args[0]: v for s, v in found.items()}  # type: ignore[misc]
            for s in outside:
                low, high = gap(box[s.args[0]], found[s])  # type: ignore[index]
                formulas.append(self.either(s, ((0, low - 1), (high + 1, (1 << s.width) - 1))))
        raise Undecided

    def pleasant(
        self, asked: Asked, box: Box, tried: Callable[[int], Sequence[int]], until: float
    ) -> dict[int, int] | None:
        """As `model`; one symbol after the other has the first of the values that are tried with which there are
        others. `until`: of the thread's processor time; then those that there are. Raises Undecided where there is no
        model."""
        asked = list(dict.fromkeys(asked))
        symbols = sorted({s for t, _ in asked for s in symbols_of(t)}, key=lambda s: s.args[0])  # type: ignore[arg-type, return-value]
        found = self.model(asked, box)
        if found is None:
            return None
        question = self.module.Bitwuzla(self.terms, self._options)
        for f in self._formulas(asked, symbols, box):
            question.assert_formula(f)
        for s in symbols:
            n = s.args[0]
            assert isinstance(n, int)
            for value in tried(n):
                if value == found[n] or time.thread_time() > until:
                    break
                other = self._other(question, [self.is_value(self.written(s), value, s.width)], symbols, box)
                if other is not None:
                    found = other
                    break
            question.assert_formula(self.is_value(self.written(s), found[n], s.width))
        return found

    def _other(self, question: Any, formulas: list[Any], symbols: Iterable[Term], box: Box) -> dict[int, int] | None:
        try:
            return self._answer(question, formulas, symbols, box)
        except Undecided:
            return None

    def values(self, t: Term, asked: Sequence[tuple[Term, int]], box: Box, most: int) -> list[int] | None:
        """All that it can have; None: they are more than `most`. Raises Undecided."""
        found: list[int] = []
        others: list[tuple[Term, int]] = list(asked)
        while True:
            model = self.model([*others, (as_condition(t, found), 0)] if found else [*others, (truth_of(t), 1)], box)
            if model is None:
                return sorted(found)
            if len(found) == most:
                return None
            found.append(evaluate(t, model))

    # --- translation -----------------------------------------------------------------------------------------------

    def written(self, t: Term) -> Any:
        for node in nodes(t):
            if node not in self._known:
                self._known[node] = self._translated(node)
        return self._known[t]

    def _translated(self, t: Term) -> Any:
        if t.op == SYMBOL:
            return self.terms.mk_const(self.terms.mk_bv_sort(t.width), f"x{t.args[0]}_{t.width}")
        of = operand_width(t)
        if t.op == CONCAT:
            parts = [self.operand(a, 8) for a in reversed(t.args)]
            return self.terms.mk_term(self.kinds.BV_CONCAT, parts)
        if t.op == BYTE:
            whole, at = t.args
            assert isinstance(whole, Term) and isinstance(at, int)
            return self.part(self._known[whole], min(8 * at + 7, whole.width - 1), 8 * at)
        if t.op == SELECT:
            condition, a, b = t.args
            chosen = self.is_value(self.operand(condition, 1), 1, 1)
            return self.choice(chosen, self.operand(a, t.width), self.operand(b, t.width))
        found = TRANSLATED[t.op](self, of, *(self.operand(a, of) for a in t.args))
        if t.op in ("zext", "sext"):
            kind = self.kinds.BV_ZERO_EXTEND if t.op == "zext" else self.kinds.BV_SIGN_EXTEND
            return self.terms.mk_term(kind, [found], [t.width - of])
        return self.part(found, t.width - 1, 0) if t.op == "trunc" else found

    def operand(self, a: int | Term, w: int) -> Any:
        return self._known[a] if isinstance(a, Term) else self.number(a, w)

    def number(self, v: int, w: int) -> Any:
        return self.terms.mk_bv_value(self.terms.mk_bv_sort(w), v & (1 << w) - 1)

    def make(self, kind: str, *args: Any) -> Any:
        return self.terms.mk_term(getattr(self.kinds, kind), list(args))

    def part(self, a: Any, high: int, low: int) -> Any:
        return self.terms.mk_term(self.kinds.BV_EXTRACT, [a], [high, low])

    def choice(self, condition: Any, a: Any, b: Any) -> Any:
        return self.terms.mk_term(self.kinds.ITE, [condition, a, b])

    def bit(self, condition: Any) -> Any:
        return self.choice(condition, self.number(1, 1), self.number(0, 1))

    def is_value(self, a: Any, value: int, w: int) -> Any:
        return self.make("EQUAL", a, self.number(value, w))

    # --- sets ------------------------------------------------------------------------------------------------------

    def _bounds(self, s: Term, values: ValueSet) -> list[Any]:
        if values == sets.full(s.width):
            return []
        many = len(values) > MOST_INTERVALS
        return [self.either(s, ((values[0][0], values[-1][1]),) if many else values)]

    def either(self, s: Term, intervals: Iterable[tuple[int, int]]) -> Any:
        x, w = self.written(s), s.width
        ways = [
            self.make("AND", self.make("BV_ULE", self.number(low, w), x), self.make("BV_ULE", x, self.number(high, w)))
            for low, high in intervals
            if 0 <= low <= high < 1 << w
        ]
        if not ways:
            return self.terms.mk_false()
        return ways[0] if len(ways) == 1 else self.make("OR", *ways)


def symbols_of(t: Term) -> Iterable[Term]:
    return (node for node in nodes(t) if node.op == SYMBOL)


def gap(values: ValueSet, v: int) -> tuple[int, int]:
    """Between two intervals, where it lies."""
    low = max((b + 1 for _, b in values if b < v), default=0)
    return low, min((a - 1 for a, _ in values if a > v), default=1 << 64)


def as_condition(t: Term, among: Iterable[int]) -> Term:
    """1: it has one of these values."""
    found: int | Term = 0
    for v in among:
        found = operation("or", 1, 1, found, operation("eq", 1, t.width, t, v))
    assert isinstance(found, Term)
    return found


def truth_of(t: Term) -> Term:
    """Something of its symbols that is true."""
    return made("eq", 1, t, t)


def _shifted(s: Solver, w: int, high: Any, low: Any, by: Any, left: bool) -> Any:
    both = s.make("BV_CONCAT", high, low)
    rest = s.make("BV_UREM", by, s.number(w, w))
    wide = s.terms.mk_term(s.kinds.BV_ZERO_EXTEND, [rest], [w])
    moved = s.make("BV_SHL" if left else "BV_SHR", both, wide)
    return s.part(moved, 2 * w - 1, w) if left else s.part(moved, w - 1, 0)


def _ones(s: Solver, w: int, a: Any) -> Any:
    found = s.number(0, w)
    for i in range(w):
        bit = s.part(a, i, i)
        found = s.make("BV_ADD", found, s.terms.mk_term(s.kinds.BV_ZERO_EXTEND, [bit], [w - 1]) if w > 1 else bit)
    return found


def _unless_zero(kind: str) -> Callable[..., Any]:
    """Of division: what nobody asks for is 0, as in `terms`."""

    def make(s: Solver, w: int, a: Any, b: Any) -> Any:
        zero = s.number(0, w)
        return s.choice(s.make("EQUAL", b, zero), zero, s.make(kind, a, b))

    return make


def _lesser(kind: str) -> Callable[..., Any]:
    return lambda s, w, a, b: s.choice(s.make(kind, a, b), a, b)


def _plain(kind: str) -> Callable[..., Any]:
    return lambda s, w, a, b: s.make(kind, a, b)


def _asks(kind: str) -> Callable[..., Any]:
    return lambda s, w, a, b: s.bit(s.make(kind, a, b))


TRANSLATED: dict[str, Callable[..., Any]] = {
    "add": _plain("BV_ADD"),
    "sub": _plain("BV_SUB"),
    "mul": _plain("BV_MUL"),
    "udiv": _unless_zero("BV_UDIV"),
    "urem": _unless_zero("BV_UREM"),
    "sdiv": _unless_zero("BV_SDIV"),
    "srem": _unless_zero("BV_SREM"),
    "and": _plain("BV_AND"),
    "or": _plain("BV_OR"),
    "xor": _plain("BV_XOR"),
    "shl": _plain("BV_SHL"),
    "lshr": _plain("BV_SHR"),
    "ashr": _plain("BV_ASHR"),
    "umin": _lesser("BV_ULT"),
    "umax": _lesser("BV_UGT"),
    "smin": _lesser("BV_SLT"),
    "smax": _lesser("BV_SGT"),
    "usub.sat": lambda s, w, a, b: s.choice(s.make("BV_ULT", a, b), s.number(0, w), s.make("BV_SUB", a, b)),
    "eq": _asks("EQUAL"),
    "ne": _asks("DISTINCT"),
    "ult": _asks("BV_ULT"),
    "ule": _asks("BV_ULE"),
    "ugt": _asks("BV_UGT"),
    "uge": _asks("BV_UGE"),
    "slt": _asks("BV_SLT"),
    "sle": _asks("BV_SLE"),
    "sgt": _asks("BV_SGT"),
    "sge": _asks("BV_SGE"),
    "sadd.overflows": _asks("BV_SADD_OVERFLOW"),
    "ssub.overflows": _asks("BV_SSUB_OVERFLOW"),
    "smul.overflows": _asks("BV_SMUL_OVERFLOW"),
    "uadd.overflows": _asks("BV_UADD_OVERFLOW"),
    "usub.overflows": _asks("BV_USUB_OVERFLOW"),
    "umul.overflows": _asks("BV_UMUL_OVERFLOW"),
    "zext": lambda s, w, a: a,
    "sext": lambda s, w, a: a,
    "trunc": lambda s, w, a: a,
    "abs": lambda s, w, a: s.choice(s.make("BV_SLT", a, s.number(0, w)), s.make("BV_NEG", a), a),
    "bswap": lambda s, w, a: s.make("BV_CONCAT", *(s.part(a, 8 * i + 7, 8 * i) for i in range(w // 8))),
    "ctpop": _ones,
    "fshl": lambda s, w, a, b, by: _shifted(s, w, a, b, by, True),
    "fshr": lambda s, w, a, b, by: _shifted(s, w, a, b, by, False),
}
