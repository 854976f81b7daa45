"""What each operation makes of numbers, of sets and for the solver, compared with what LLVM makes of them on this
machine; and an operation that is wrong is noticed.
"""

from __future__ import annotations

import random

import pytest

from lfc.mcheck.symbolic.values import terms
from lfc.mcheck.symbolic.values.terms import apply
from tests.campaign.symbolic.operations import differences, of_engine
from tests.mcheck.symbolic.machine_operations import (
    NAMES,
    Native,
    compiled_operations,
    operands,
    random_pair,
    result_width,
)

TRIED = 300


@pytest.fixture(scope="module")
def native() -> dict[tuple[str, int], Native]:
    return compiled_operations()


def differing(native: dict[tuple[str, int], Native], op: str, w: int) -> list[tuple[int, int]]:
    r = random.Random(f"{op} {w}")
    found = []
    for _ in range(TRIED):
        a, b = random_pair(r, op, w)
        if apply(op, result_width(op, w), w, operands(op, a, b)) != native[op, w](a, b):
            found.append((a, b))
    return found


@pytest.mark.parametrize(("op", "w"), NAMES)
def test_an_operation_is_the_machine_s(native: dict[tuple[str, int], Native], op: str, w: int) -> None:
    assert differing(native, op, w) == []


@pytest.mark.parametrize(("op", "w"), NAMES)
def test_an_operation_of_the_engine_is_the_machine_s(native: dict[tuple[str, int], Native], op: str, w: int) -> None:
    r = random.Random(f"{op} {w}, engine")
    for _ in range(TRIED):
        a, b = random_pair(r, op, w)
        assert of_engine(op, result_width(op, w), w, operands(op, a, b)) == native[op, w](a, b), (a, b)


@pytest.mark.parametrize("op", sorted({op for op, _ in NAMES}))
def test_a_wrong_operation_is_noticed(
    native: dict[tuple[str, int], Native], op: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = terms.OPERATIONS[op]
    monkeypatch.setitem(terms.OPERATIONS, op, lambda w, a, *b: right(w, a, *b) ^ (b[:1] == (a,) or a & 7 == 3))
    assert differing(native, op, 16)


@pytest.mark.parametrize(("op", "w"), NAMES)
def test_sets_and_the_solver_mean_the_machine_s(native: dict[tuple[str, int], Native], op: str, w: int) -> None:
    assert differences(native[op, w], op, w, random.Random(f"{op} {w}, sets"), 6, 3, 2) == []
