"""Tables of terms, and which boxes are covered, as the engine has them: compared with what is written in Python."""

from __future__ import annotations

import random

import pytest

from lfc.mcheck.symbolic.boxes import Coverage, uncovered
from lfc.mcheck.symbolic.normal_form import Box
from lfc.mcheck.symbolic.values import columns, terms
from lfc.mcheck.symbolic.values import value_sets as sets
from lfc.mcheck.symbolic.values.ranges import signed_bounds
from lfc.mcheck.symbolic.values.terms import Term, byte_of, forget_all, joined, made, operation, select, signed, symbol
from lfc.mcheck.symbolic.values.value_sets import ValueSet
from tests.mcheck.symbolic.machine_operations import NAMES, term_of


def random_set(r: random.Random, limit: int) -> ValueSet:
    places = [r.randrange(limit) for _ in range(r.randrange(1, 5))]
    return sets.normal((p, min(limit - 1, p + r.randrange(1 + limit // 4))) for p in places)


def random_term(r: random.Random, symbols: int) -> Term:
    """Of all operations, over symbols of 16 bits."""
    held: list[int | Term] = [symbol(n, 16) for n in range(symbols)]
    while len(held) < 20:
        op, _ = r.choice(NAMES)
        a = r.choice([x for x in held if isinstance(x, Term)])
        other = r.choice([x for x in held if isinstance(x, int) or x.width == a.width] + [r.randrange(1 << a.width)])
        if a.width in (8, 16, 32) and (op, a.width) != ("bswap", 8):
            held.append(term_of(op, a.width, a, other))
        held.append(byte_of(a, 0))
        held.append(joined([byte_of(x, 0) for x in r.sample(held, 2)]))
        held.append(select(operation("ult", 1, a.width, a, other), a, other, a.width))
    last = [x for x in held if isinstance(x, Term)][-1]
    return made(
        "xor", 16, *(operation("trunc" if x.width > 16 else "zext", 16, x.width, x) for x in (last, whole(symbols)))
    )


def whole(symbols: int) -> Term:
    found: int | Term = 0
    for n in range(symbols):
        found = operation("add", 16, 16, operation("mul", 16, 16, found, 3), symbol(n, 16))
    assert isinstance(found, Term)
    return found


@pytest.mark.parametrize("seed", range(40))
def test_tables_are_those_of_terms(seed: int) -> None:
    r = random.Random(seed)
    t = random_term(r, 1)
    own = random_set(r, 1 << 12)
    domain = list(sets.values(own))
    expected = terms.column(t, domain)
    assert columns.column(t, domain) == expected
    assert columns.values_of(t, own) == sets.of_values(expected)
    wanted = random_set(r, 1 << min(t.width, 8))
    inside = sets.of_values(x for x, v in zip(domain, expected, strict=True) if sets.contains(wanted, v))
    assert columns.fitting(t, own, wanted) == inside
    forget_all()


@pytest.mark.parametrize("seed", range(40))
def test_values_of_several_symbols_are_those_of_terms(seed: int) -> None:
    r = random.Random(seed)
    t = random_term(r, 2)
    for _ in range(20):
        valuation = {n: r.randrange(1 << 16) for n in (0, 1)}
        assert columns.evaluate(t, valuation) == terms.evaluate(t, valuation)
    forget_all()


def test_a_term_of_more_bits_than_a_word_is_left_to_python() -> None:
    x = symbol(0, 64)
    wide = terms.made("add", 100, terms.made("zext", 100, x), 1 << 90)
    for _ in range(12):
        wide = terms.made("add", 100, wide, 3)
    assert columns.evaluate(wide, {0: 5}) == (1 << 90) + 41
    assert columns.column(wide, list(range(30))) == [v + (1 << 90) + 36 for v in range(30)]
    forget_all()


@pytest.mark.parametrize("symbols", [1, 2, 5])
def test_the_same_boxes_are_covered(symbols: int) -> None:
    r = random.Random(symbols)
    coverage = Coverage()
    kinds = {"covered": 0, "cut": 0, "whole": 0}
    for _ in range(300):
        pool = [((0, 39),), ((0, 38),), ((0, 9), (20, 39)), ((5, 9),), ((20, 30),), random_set(r, 40)]
        known: list[Box] = [tuple(r.choice(pool[:4]) for _ in range(symbols)) for _ in range(r.randrange(1, 8))]
        rest = coverage.of(known)
        for _ in range(4):
            box = tuple(r.choice(pool) for _ in range(symbols))
            expected = uncovered(box, known)
            assert rest(box) == expected
            kinds["covered" if expected is None else "whole" if expected == box else "cut"] += 1
    assert min(kinds.values()) >= 10, kinds


@pytest.mark.parametrize("width", [1, 4, 8])
def test_bounds_with_a_sign_are_those_of_all_values(width: int) -> None:
    r = random.Random(width)
    for _ in range(500):
        s = random_set(r, 1 << width) if width > 1 else r.choice([((0, 0),), ((1, 1),), ((0, 1),)])
        numbers = [signed(v, width) for v in sets.values(s)]
        assert signed_bounds(s, width) == (min(numbers), max(numbers))
