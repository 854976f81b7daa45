"""Partial order reduction: how few states are left of programs in which it is plain which must be."""

from __future__ import annotations

import pytest

from lfc.mcheck.search import Limits, Search, Stop
from lfc.source import Source
from tests.differential.stepwise import machine_of_source


def states(text: str, **limits: object) -> tuple[int, int]:
    """Of the full search, and of the reduced one."""
    found = []
    for partial_order in (False, True):
        chosen = Limits(keep_going=True, partial_order=partial_order)
        for name, value in limits.items():
            setattr(chosen, name, value)
        search = Search(machine_of_source(Source("Program.lf", text)), chosen)
        assert search.run() is Stop.COMPLETE
        found.append(search.statistics.states)
        search.close()
    return found[0], found[1]


COUNTERS = """MODULE Counters;
VAR i : UINT8; a : ARRAY 4 OF UINT8;
PROCESS Count(me : UINT8);
BEGIN
  {first};
  RESCHEDULE;
  {second}
END Count;
BEGIN
  FOR i := 0 TO 3 DO CREATE Count(i) END
END Counters.
"""


@pytest.mark.parametrize("search", ["breadth", "depth"])
def test_processes_that_share_nothing_go_one_after_the_other(search: str) -> None:
    full, reduced = states(COUNTERS.format(first="a[me] := 1", second="a[me] := 2"), search=search)
    assert full == 3**4 + 1  # and the state before the initialisation
    assert reduced == 4 * 2 + 2


def test_elements_that_may_be_the_same_are_shared() -> None:
    full, reduced = states(COUNTERS.format(first="a[a[0]] := 1", second="a[me] := 2"))
    assert reduced > full // 2


def test_a_variable_of_all_is_shared() -> None:
    full, reduced = states(COUNTERS.format(first="INC(i)", second="i := 2 * i"))
    assert reduced == full


PAIRS = """MODULE Pairs;
TYPE Ch = [m(UINT8)];
PORT c : ARRAY 3 OF Ch;
VAR i : UINT8;
PROCESS Sends(c : Ch; {formal});
VAR k : UINT8;
BEGIN
  LOOP c!m(k); k := 1 - k END
END Sends;
PROCESS Receives(c : Ch);
VAR k : UINT8;
BEGIN
  LOOP c?m(k) END
END Receives;
BEGIN
  FOR i := 0 TO 2 DO
    NEW(c[i]); CREATE Sends(c[i], c[{other}]); CREATE Receives(c[i])
  END
END Pairs.
"""


def test_pairs_on_channels_of_their_own() -> None:
    full, reduced = states(PAIRS.format(formal="d : Ch", other="0"))
    assert reduced * 8 < full


def test_two_threads_find_as_many() -> None:
    text = PAIRS.format(formal="d : Ch", other="0")
    assert states(text, threads=2, least_shared=1) == states(text)


ROUND = """MODULE Round;
VAR bad : BOOLEAN;
PROCESS Turns;
VAR k : UINT8;
BEGIN
  LOOP RESCHEDULE; k := 1 - k END
END Turns;
PROCESS Fails;
BEGIN
  RESCHEDULE;
  ASSERT(bad)
END Fails;
BEGIN
  CREATE Turns;
  CREATE Fails
END Round.
"""


@pytest.mark.parametrize("search", ["breadth", "depth", "best", "astar"])
def test_who_goes_round_for_ever_does_not_keep_others_from_failing(search: str) -> None:
    machine = machine_of_source(Source("Round.lf", ROUND))
    found = Search(machine, Limits(search=search, partial_order=True))
    assert found.run() is Stop.ERROR
    found.close()


STARTED_ANEW = """MODULE Anew;
TYPE Ch = [m];
PORT c : Ch;
VAR bad : BOOLEAN;
PROCESS Worker MAX 1;
BEGIN
  c!m
END Worker;
PROCESS Boss;
BEGIN
  LOOP CREATE Worker; c?m; RESCHEDULE END
END Boss;
PROCESS Fails;
BEGIN
  RESCHEDULE;
  ASSERT(bad)
END Fails;
BEGIN
  NEW(c);
  CREATE Boss;
  CREATE Fails
END Anew.
"""


def test_a_round_of_processes_that_end_and_are_created_anew() -> None:
    machine = machine_of_source(Source("Anew.lf", STARTED_ANEW))
    search = Search(machine, Limits(keep_going=True, partial_order=True))
    assert search.run() is Stop.COMPLETE
    assert [e.fault_kind for e in search.errors() if e.fault_kind == 6] == [6]
    search.close()
