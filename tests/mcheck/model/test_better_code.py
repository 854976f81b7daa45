"""A search begins with code that was made soon, and gets better code when executions take long."""

from __future__ import annotations

from contextlib import closing
from dataclasses import astuple

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.model import compiled_model as prepared
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of

NEVER = 1e9


def example(name: str) -> Machine:
    return machine_of(ROOT / "examples" / f"{name}.lf")


@pytest.fixture(autouse=True)
def not_in_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "is_cached", lambda name: False)


def searched(machine: Machine, after: float, threads: int = 1) -> tuple[bool, list[object]]:
    """Whether it got better code; what it found."""
    with closing(Search(machine, request_from(keep_going=True, improve_after=after, threads=threads))) as search:
        assert search.model.may_improve
        stop = search.run()
        s = search.statistics
        errors = [(e.kind, e.fault_kind, e.fault_site, e.slot, e.depth) for e in search.errors()]
        stuck = search.find_stuck()
        who = stuck if threads == 1 else stuck is not None  # with two, states have other numbers each time
        found = [stop, s.states, s.transitions, s.ends, s.deadlocks, s.faults, s.depth, errors, who]
        return not search.model.may_improve, [*found, astuple(search.seen())]


@pytest.mark.parametrize("name", ["philosophers", "leader", "prodcons", "window", "buffer"])
@pytest.mark.parametrize("threads", [1, 2])
def test_it_finds_the_same_with_both(name: str, threads: int) -> None:
    machine = example(name)
    improved, found = searched(machine, 0.0, threads)
    as_it_was, same = searched(machine, NEVER, threads)
    assert (improved, as_it_was) == (True, False)
    assert found == same


def test_a_second_search_has_the_better_code_from_the_start() -> None:
    machine = example("leader")
    with closing(Search(machine, request_from(improve_after=0.0, states=2_000))) as first:
        assert first.run() is Stop.STATES
        with closing(Search(machine, request_from(), model=first.model)) as second:
            assert not first.model.may_improve
            first.go_on_to(0)
            assert (first.run(), second.run()) == (Stop.COMPLETE, Stop.COMPLETE)
            assert first.statistics.states == second.statistics.states


def test_searches_that_cannot_change_it_begin_with_the_better_code() -> None:
    with closing(Search(example("prodcons"), request_from(strategy="depth"))) as search:
        assert not search.model.may_improve


def test_code_that_was_needed_before_is_taken_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prepared, "is_cached", lambda name: True)
    with closing(Search(example("prodcons"))) as search:
        assert not search.model.may_improve
        assert search.run() is Stop.COMPLETE
