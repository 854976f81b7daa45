"""Executions tell which parts of the module variables they access: few are needed, and what they give is right."""

from __future__ import annotations

import pytest

from bench.checker.models import MODELS
from lfc.base.source import Source
from lfc.codegen.module.access_log import Tellings
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search, Stop
from tests.differential.stepwise import machine_of_source
from tests.mcheck.agreement import compare_with_the_naive_explorer

WAYS = """
MODULE Ways;
TYPE
  Cell = RECORD full : BOOLEAN; bytes : ARRAY 2 OF UINT8 END;
  Numbers = [number(UINT8)];
VAR
  cell, copy : ARRAY 3 OF Cell;
  table : ARRAY 2, 2 OF UINT8;
  got, kept : ARRAY 2 OF UINT8;
  i : UINT8;
PORT p : Numbers;

PROCESS Put(VAR c : Cell; VAR n : UINT8; value : UINT8);
BEGIN
  c.bytes[value MOD 2] := value;
  c.full := ~c.full;
  n := (n + value) MOD 3
END Put;

PROCESS Wait(VAR c : Cell; VAR n : UINT8);
BEGIN
  RESCHEDULE;
  n := c.bytes[1];
  c := copy[n MOD 3]
END Wait;

PROCESS Node(me : UINT8);
VAR k : UINT8;
BEGIN
  FOR k := 0 TO 1 DO
    Put(cell[(me + k) MOD 3], table[k][me], me);
    RESCHEDULE;
    IF table[k, me] > 0 THEN copy := cell ELSE table[me] := table[k] END;
    p!number(cell[me].bytes[k])
  END;
  Wait(cell[me], kept[me])
END Node;

PROCESS Taker SERVER;
VAR n : UINT8;
BEGIN
  LOOP
    p?number(got[n MOD 2]);
    n := (n + 1) MOD 2;
    ASSERT(got[0] + kept[n] < 3)
  END
END Taker;

BEGIN
  NEW(p);
  CREATE Taker;
  FOR i := 0 TO 1 DO CREATE Node(i) END
END Ways.
"""


def test_all_ways_to_access_agree_with_the_naive_explorer() -> None:
    assert compare_with_the_naive_explorer(WAYS, 20_000) is not None


def test_what_a_place_is_kept_of_is_not_told() -> None:
    """`kept` and `cell` stand behind formals of a process that waits; where `got` is received into is kept, too.
    The kernel looks at a port unless its channel is known."""
    machine = machine_of_source(Source("Ways.lf", WAYS))
    assert [v.name for v in Tellings(machine).variables] == ["copy", "table", "i", "p"]
    machine = machine_of_source(Source("Ways.lf", WAYS.replace("NEW(p)", "IF i = 0 THEN NEW(p) END")))
    assert [v.name for v in Tellings(machine).variables] == ["copy", "table", "i"]


@pytest.mark.parametrize(
    ("title", "executions"), [("philosophers 5", 100), ("Peterson 3", 400), ("sieve to 25, channels", 9_000)]
)
def test_executions_are_few(title: str, executions: int) -> None:
    """And what halves of the state do by themselves is what actions do in the whole state."""
    model = next(m for m in MODELS if m.title == title)
    machine = machine_of_source(Source("Model.lf", model.lf()))
    counts = []
    for remember in (True, False):
        search = Search(machine, request_from(keep_going=True, remember=remember))
        assert search.run() is Stop.COMPLETE
        s = search.statistics
        counts.append((s.states, s.transitions, s.ends, s.deadlocks, s.depth))
        assert (s.executions < executions) is remember
        search.close()
    assert counts[0] == counts[1]
