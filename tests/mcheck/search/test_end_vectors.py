"""Where processes can be in a deadlock, as A* takes it, against every deadlock that the naive explorer finds; and how
far A* looks for one.
"""

from __future__ import annotations

import ctypes
import random

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.model.description import Numbers
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.strategies.end_vectors import Ahead
from lfc.mcheck.search.strategies.heuristics import blocked_at, what_is_ahead
from lfc.run.events import positions
from lfc.run.report import ENDLESS, PORT
from tests.differential.stepwise import ROUNDS
from tests.naive.decode import bounds_of, encode
from tests.naive.explorer import Conventions
from tests.naive.explorer import explore as explore_naively
from tests.naive.state import State
from tests.support.searched import machine_from, philosophers, searched, shortest_way


def ahead(machine: Machine) -> tuple[Ahead | None, set[int]]:
    """And where processes may wait for ever."""
    search = Search(machine, request_from())
    try:
        room = ctypes.create_string_buffer(search.block_size + 8)
        settled = search.library.mc_settled(search.engine, 1000, room)
        blocked = blocked_at(search.description)
        found = what_is_ahead(machine, search.description, room.raw[: search.block_size]) if settled else None
        return found, blocked
    finally:
        search.close()


@pytest.mark.parametrize(("n", "expanded"), [(4, 17), (8, 33), (16, 65)])
def test_philosophers_deadlock_after_no_more_states_than_steps(n: int, expanded: int) -> None:
    for towards in ("any", "deadlock"):
        with searched(machine_from(philosophers(n)), strategy="astar", towards=towards) as (astar, stop):
            assert stop is Stop.ERROR
            assert (astar.statistics.expanded, shortest_way(astar)) == (expanded + 1, 4 * n + 1)


def test_only_one_vector_is_left_of_philosophers() -> None:
    found, blocked = ahead(machine_from(philosophers(3)))
    assert found is not None and len(blocked) == 6  # four waits of a philosopher, two of a fork
    assert len(found.blocked) == 2 and found.never == {PORT, ENDLESS}


def test_what_is_not_known_is_left() -> None:
    made_later = philosophers(3).replace("left!get;", "left!get; NEW(left);", 1)
    assert ahead(machine_from(made_later))[0] is None
    assert (
        ahead(machine_from(philosophers(3).replace("    left!get;", "    IF i = 9 THEN NEW(fork[0]) END; left!get;")))[
            0
        ]
        is None
    )
    loops = philosophers(3).replace("left!get;", "WHILE i < 3 DO i := i + 1 END; left!get;", 1)
    found, _ = ahead(machine_from(loops))
    assert found is not None and found.never == {PORT}


def random_talk(r: random.Random) -> str:
    """Processes that say and hear one thing after the other on channels that they were given."""
    channels, kinds = r.randrange(2, 4), r.randrange(2, 4)
    text = [f"MODULE Talk; TYPE C = [a, b]; PORT c : ARRAY {channels} OF C; VAR i : INTEGER;"]
    for k in range(kinds):
        said = [statement(r) for _ in range(r.randrange(1, 4))]
        body = "; ".join(said)
        loop = f"LOOP {body} END" if r.random() < 0.6 else f"FOR n := 1 TO {r.randrange(1, 3)} DO {body} END"
        text.append(f"PROCESS P{k}(x, y : C); VAR n : INTEGER; BEGIN {loop} END P{k};")
    text.append(f"BEGIN FOR i := 0 TO {channels - 1} DO NEW(c[i]) END;")
    pairs = [r.sample(range(channels), 2) for _ in range(r.randrange(2, 4))]
    created = "; ".join(f"CREATE P{r.randrange(kinds)}(c[{x}], c[{y}])" for x, y in pairs)
    return "\n".join([*text, created, "END Talk.\n"])


def statement(r: random.Random) -> str:
    def event() -> str:
        return f"{r.choice('xy')}{r.choice('!?')}{r.choice('ab')}"

    if r.random() < 0.7:
        return event()
    guard = " & (n < 1)" if r.random() < 0.4 else ""
    return f"SELECT WHEN {event()}{guard} THEN WHEN {event()} THEN n := 1 - n END"


def test_every_deadlock_of_random_programs_is_among_the_vectors() -> None:
    r, deadlocks, narrowed, shortest = random.Random(5), 0, 0, 0
    for _ in range(120):
        machine = machine_from(random_talk(r))
        found, blocked = ahead(machine)
        start = State.initial(machine.program, bounds_of(machine))
        naive = explore_naively(machine.program, Conventions(most_states=600, rounds=ROUNDS), start)
        if not naive.complete or found is None:
            continue
        narrowed += found.blocked < blocked
        numbers = Numbers(machine)
        for state in naive.deadlocks:
            deadlocks += 1
            at = {numbers.table[p] for p in positions(machine, encode(naive.states[state], machine)) if p}
            assert at <= found.blocked
        if naive.deadlocks:
            with searched(machine) as (breadth, _), searched(machine, strategy="astar") as (astar, _):
                assert shortest_way(astar) == shortest_way(breadth)
                shortest += 1
    assert deadlocks >= 100 and narrowed >= 5 and shortest >= 20


def test_the_default_error_of_a_star_is_a_shortest_one_too() -> None:
    assert len(check(machine_from(philosophers(4)), request_from(strategy="astar")).findings[0].steps) == 17
