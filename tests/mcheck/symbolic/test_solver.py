"""What the solver is asked is what terms mean: its answers are those of trying all values, and a wrong translation is
noticed.
"""

from __future__ import annotations

import random
import subprocess
import sys
from itertools import product

import pytest

from lfc.mcheck.symbolic.values import solver as solving
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.solver import TRANSLATED, Solver, solver
from lfc.mcheck.symbolic.values.terms import (
    COMPARISONS,
    OPERATIONS,
    OVERFLOWS,
    Term,
    byte_of,
    evaluate,
    joined,
    made,
    operation,
    select,
    symbol,
)
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from tests.conftest import ROOT

WIDTH = 3
CONVERSIONS = ("zext", "sext", "trunc")
OF_ONE = ("abs", "ctpop")
OF_THREE = ("fshl", "fshr")
OF_TWO = sorted(OPERATIONS.keys() - {*CONVERSIONS, *OF_ONE, *OF_THREE, "bswap"})


def asked_solver() -> Solver:
    found = solver()
    assert found is not None, "the extra `solver` belongs to `test`"
    return found


def terms_of(op: str) -> list[Term]:
    """The operation as it is, with numbers, and of other operations."""
    x, y, z = (symbol(n, WIDTH) for n in range(3))
    width = 1 if op in COMPARISONS or op in OVERFLOWS else WIDTH
    if op in CONVERSIONS:
        return [made(op, 2 if op == "trunc" else WIDTH + 2, made("add", WIDTH, x, y))]
    if op in OF_ONE:
        return [made(op, WIDTH, x), made(op, WIDTH, made("xor", WIDTH, x, y))]
    if op in OF_THREE:
        return [made(op, WIDTH, x, y, z)]
    if op == "bswap":
        return [made(op, 16, made("zext", 16, made("add", WIDTH, x, y)))]
    first = made("add", WIDTH, x, z)
    return [made(op, width, x, y), made(op, width, x, 5), made(op, width, 6, y), made(op, width, first, y)]


def differing(s: Solver, t: Term, box: dict[int, ValueSet]) -> bool:
    """Whether the values that it may have are others."""
    rows = product(*(sets.values(box[n]) for n in range(3)))
    right = {evaluate(t, dict(enumerate(row))) for row in rows}
    for v in range(1 << min(t.width, 6)):
        model = s.model([(t, v)], box)
        if (model is not None) != (v in right):
            return True
        if model is not None and evaluate(t, model) != v:
            return True
    return False


BOX = {0: sets.full(WIDTH), 1: ((1, 2), (4, 7)), 2: ((0, 1), (6, 6))}


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_an_operation_means_the_same(op: str) -> None:
    assert not any(differing(asked_solver(), t, BOX) for t in terms_of(op))


@pytest.mark.parametrize("op", sorted(OPERATIONS))
def test_a_wrong_translation_is_noticed(op: str, monkeypatch: pytest.MonkeyPatch) -> None:
    right = TRANSLATED[op]

    def wrong(s: Solver, w: int, a: object, *others: object) -> object:
        """For one number only."""
        made_right = right(s, w, a, *others)
        size = 1 if op in COMPARISONS or op in OVERFLOWS else w
        return s.choice(s.make("EQUAL", a, s.number(3, w)), s.make("BV_NOT", made_right), made_right) if size else None

    monkeypatch.setitem(TRANSLATED, op, wrong)
    s = asked_solver()
    assert any(differing(s, t, BOX) or wrong_under(s, t) for t in terms_of(op))


def wrong_under(s: Solver, t: Term) -> bool:
    """Under some valuation of its own."""
    for row in product(range(1 << WIDTH), repeat=len(t.symbols)):
        valuation = dict(zip(sorted(t.symbols), row, strict=True))
        box = {n: sets.single(v) for n, v in valuation.items()}
        if s.model([(t, evaluate(t, valuation))], box) is None:
            return True
    return False


def test_parts_and_choices() -> None:
    x, y = symbol(0, 8), symbol(1, 16)
    both = joined([x, byte_of(y, 1), 7, byte_of(y, 0)])
    assert isinstance(both, Term)
    s = asked_solver()
    model = s.model([(both, 0x12073456)], {0: sets.full(8), 1: sets.full(16)})
    assert model == {0: 0x56, 1: 0x3412}
    chosen = select(operation("ult", 1, 8, x, 10), byte_of(y, 0), operation("add", 8, 8, x, 1))
    assert isinstance(chosen, Term)
    model = s.model([(chosen, 9)], {0: sets.interval(8, 20), 1: sets.full(16)})
    assert model is not None and evaluate(chosen, model) == 9


def test_sets_of_many_intervals_are_kept() -> None:
    """They are no formula: what lies in a gap is cut off, again and again."""
    odd = sets.normal((v, v) for v in range(1, 256, 2))
    x, y = symbol(0, 8), symbol(1, 8)
    total = operation("add", 8, 8, x, y)
    assert isinstance(total, Term)
    s = asked_solver()
    assert s.values(total, [], {0: sets.interval(4, 6), 1: odd}, 256) == list(range(256))
    small = sets.normal((v, v) for v in range(1, 64, 3))
    assert s.values(total, [], {0: sets.single(0), 1: small}, 100) == list(range(1, 64, 3))
    assert s.values(total, [], {0: sets.single(0), 1: small}, 5) is None


def test_a_second_solver_agrees() -> None:
    """Z3, on what was written for Bitwuzla; of wide terms, where trying all is out of reach."""
    z3 = pytest.importorskip("z3")
    r = random.Random(4)
    answers = []
    for _ in range(60):
        x, y = symbol(0, 16), symbol(1, 16)
        a = operation(r.choice(["add", "and", "mul", "sub", "urem", "xor"]), 16, 16, x, y)
        t = operation(r.choice(sorted(COMPARISONS)), 1, 16, a, r.randrange(1 << 16))
        if not isinstance(t, Term) or not isinstance(a, Term) or a.width != 16 or a.op in COMPARISONS | OVERFLOWS:
            continue
        s = asked_solver()
        low = r.randrange(1 << 16)
        box = {0: sets.interval(low, min(low + 300, 65_535)), 1: sets.interval(0, 50)}
        found = s.model([(t, 1)], box) is not None
        question = s.module.Bitwuzla(s.terms, s._options)
        question.assert_formula(s.is_value(s.written(t), 1, 1))
        for n, own in ((x, box[0]), (y, box[1])):
            for f in s._bounds(n, own):
                question.assert_formula(f)
        other = z3.Solver()
        other.from_string(question.print_formula("smt2"))
        assert (other.check() == z3.sat) == found
        answers.append(found)
    assert True in answers and False in answers


def test_without_it_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "bitwuzla", None)
    assert solving.solver() is None


COLLECTED = """
import gc
from lfc.mcheck.symbolic.values.solver import solver
from lfc.mcheck.symbolic.values.terms import operation, symbol

class Cycle:
    pass

for _ in range(20):
    s = solver()
    sum_of_two = operation("add", 8, 8, symbol(0, 8), symbol(1, 8))
    s.model([(operation("eq", 1, 8, sum_of_two, 7), 1)], {0: ((0, 255),), 1: ((0, 255),)})
    kept, opened = list(s._known.values()), s._open
    del s
    c = Cycle()  # younger than what it keeps
    c.own, c.kept, c.opened = c, kept, opened
    del c, kept, opened
    gc.collect()
print("alive")
"""


def test_what_the_solver_leaves_can_be_collected_in_any_order() -> None:
    """Terms whose manager has gone before them ended the process."""
    ran = subprocess.run([sys.executable, "-c", COLLECTED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.returncode) == ("alive\n", 0), ran.stderr
