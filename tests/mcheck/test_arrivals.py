"""Queues in the order of arrival: the counts of the naive explorer, and a formula."""

from __future__ import annotations

from math import comb, factorial

import pytest

from lfc.mcheck.arrivals import count_in_order_of_arrival
from lfc.source import Source
from tests.conftest import ROOT
from tests.differential.stepwise import ROUNDS, machine_of, machine_of_source
from tests.mcheck.test_engine import EXPLORED, senders
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions, explore
from tests.naive.generate import generate
from tests.naive.state import State


@pytest.mark.parametrize(("n", "states"), [(4, 249), (5, 1230), (6, 7317)])
def test_of_k_waiting_senders_there_are_k_orders(n: int, states: int) -> None:
    counted = count_in_order_of_arrival(machine_of_source(Source("Senders.lf", senders(n))))
    after = sum(comb(n, k) * factorial(k) * 2 ** (n - k) for k in range(n + 1)) - 1
    before = sum(comb(n, k) * factorial(k) for k in range(n + 1))
    assert counted.states == states == after + before + 2**n + 1


@pytest.mark.parametrize("name", ["semaphore", "prodcons", "pingpong"])
def test_examples_have_the_naive_explorers_counts(name: str) -> None:
    machine = machine_of(ROOT / "examples" / f"{name}.lf")
    naive = explore(machine.program, Conventions(fifo=True), State.initial(machine.program, bounds_of(machine)))
    counted = count_in_order_of_arrival(machine)
    assert (counted.states, counted.transitions) == (len(naive.states), len(naive.transitions))


def test_random_programs_have_the_naive_explorers_counts() -> None:
    compared = 0
    for seed in range(300, 320):
        machine = machine_of_source(Source("Program.lf", generate(seed, EXPLORED).text))
        start = State.initial(machine.program, bounds_of(machine))
        naive = explore(machine.program, Conventions(fifo=True, most_states=200, rounds=ROUNDS), start)
        if naive.complete:
            counted = count_in_order_of_arrival(machine)
            assert (counted.states, counted.transitions) == (len(naive.states), len(naive.transitions)), seed
            compared += 1
    assert compared >= 3


def test_a_limit_stops_the_count() -> None:
    counted = count_in_order_of_arrival(machine_of_source(Source("Senders.lf", senders(5))), most_states=100)
    assert not counted.complete and counted.states >= 100
