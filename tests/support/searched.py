"""Searches of small programs, held against the reference explorer; and the programs that many tests search."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from tests.conftest import ROOT
from tests.differential.stepwise import ROUNDS, machine_of_source
from tests.generate.general.program import Profile, generate
from tests.mcheck.agreement import Expected, expectation
from tests.mcheck.searching import search_with
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions
from tests.naive.explorer import explore as explore_naively
from tests.naive.state import State

ASSERTION = """MODULE Race; VAR n, done : INTEGER;
PROCESS Add; VAR x, i : INTEGER;
BEGIN FOR i := 1 TO 3 DO x := n; RESCHEDULE; n := x + 1; RESCHEDULE END; INC(done) END Add;
PROCESS Look; BEGIN WHILE done < 2 DO RESCHEDULE END; ASSERT(n > 2) END Look;
BEGIN CREATE Add; CREATE Add; CREATE Look END Race.
"""
FAULT = """MODULE Index; VAR a : ARRAY 4 OF INTEGER; n : INTEGER;
PROCESS Up; VAR i : INTEGER; BEGIN FOR i := 1 TO 3 DO n := n + 1; RESCHEDULE END END Up;
PROCESS Use; VAR i : INTEGER; BEGIN FOR i := 1 TO 5 DO RESCHEDULE END; a[n] := 1 END Use;
BEGIN CREATE Up; CREATE Up; CREATE Use END Index.
"""


def philosophers(n: int) -> str:
    text, found = re.subn(r"\bN = \d+;", f"N = {n};", (ROOT / "examples" / "philosophers.lf").read_text())
    assert found == 1
    return text


def example(name: str) -> str:
    return (ROOT / "examples" / f"{name}.lf").read_text()


def machine_from(text: str) -> Machine:
    return machine_of_source(Source("Program.lf", text))


@contextmanager
def searched(machine: Machine, **limits: object) -> Iterator[tuple[Search, Stop]]:
    search = search_with(machine, request_from(**{"rounds": ROUNDS, **limits}))
    try:
        yield search, search.run(30)
    finally:
        search.close()


def naive_expectation(machine: Machine, most_states: int) -> Expected | None:
    start = State.initial(machine.program, bounds_of(machine))
    naive = explore_naively(machine.program, Conventions(most_states=most_states, rounds=ROUNDS), start)
    return expectation(machine, naive) if naive.complete else None


def random_machines(seeds: range, most_states: int) -> Iterator[tuple[int, Machine, Expected]]:
    for seed in seeds:
        profile = Profile(size=1, small=True, inputs=False, interrupts=seed % 3 == 0, time=True)
        machine = machine_from(generate(seed, profile).text)
        expected = naive_expectation(machine, most_states)
        if expected is not None:
            yield seed, machine, expected


def shortest_way(search: Search) -> int:
    """Steps to the first error, the faulting one included."""
    return min(len(search.blocks_to(e.state)) - 1 + int(e.kind == 1) for e in search.errors())
