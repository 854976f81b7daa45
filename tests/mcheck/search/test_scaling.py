"""Milner's cyclic scheduler: seven states for each cell with partial order reduction, also of more than 64."""

from __future__ import annotations

import pytest

from lfc.mcheck.search.search import Stop
from tests.support.searched import machine_from, searched
from tests.support.sized_programs import milner


@pytest.mark.parametrize("n", [3, 8, 64, 65, 100])
def test_the_scheduler_grows_with_its_cells(n: int) -> None:
    with searched(machine_from(milner(n)), reductions=("por",), threads=1) as (search, stop):
        assert stop is Stop.COMPLETE
        assert search.statistics.states == 7 * n
        assert search.reduced_states > 4 * n


def test_without_reduction_it_grows_beyond_that() -> None:
    counts = []
    for n in (3, 5, 8):
        with searched(machine_from(milner(n))) as (search, _):
            counts.append(search.statistics.states)
    assert counts == [76, 976, 37717]
