"""A clause that stands for several is as good as these, written one by one: the same graph, the same verdict."""

from __future__ import annotations

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from tests.support.searched import machine_from

ONE = "WHEN FOR i IN 0 .. 2 : in[i]?m(x) & (x # i) THEN {body}"
EACH = "\n".join(f"WHEN in[{i}]?m(x) & (x # {i}) THEN {{body{i}}}" for i in range(3))
BODY = "sum := sum + {i}; RESCHEDULE; ok!done({i}); last := {i}"


def program(clauses: str) -> str:
    return f"""MODULE Program;
TYPE Msg = [m(INTEGER)]; Ack = [done(INTEGER)]; Lines = ARRAY 3 OF Msg;
PORT lines : Lines; ok : Ack;
VAR sum, last : INTEGER;
PROCESS Speak(me : INTEGER; out : Msg!);
BEGIN out!m((me + 1) MOD 3); out!m((me + 2) MOD 3); out!m(me) END Speak;
PROCESS Hear(in : Lines?; ok : Ack!);
VAR x, rounds : INTEGER;
BEGIN
  FOR rounds := 1 TO 6 DO
    SELECT
      {clauses}
    END
  END
END Hear;
PROCESS Count(in : Ack?) SERVER;
VAR n : INTEGER;
BEGIN LOOP in?done(n) END END Count;
BEGIN
  NEW(ok);
  NEW(lines[0]); NEW(lines[1]); NEW(lines[2]);
  CREATE Speak(0, lines[0]); CREATE Speak(1, lines[1]); CREATE Speak(2, lines[2]);
  CREATE Count(ok);
  CREATE Hear(lines, ok)
END Program.
"""


@pytest.mark.parametrize("simple", [True, False])
def test_the_graph_is_the_same(simple: bool) -> None:
    body = "last := 7" if simple else BODY
    one = program(ONE.format(body=body.format(i="i")))
    each = program(EACH.format(**{f"body{i}": body.format(i=i) for i in range(3)}))
    found, expected = (check(machine_from(text), request_from(threads=1)) for text in (one, each))
    assert found.verdict == expected.verdict == "deadlock"
    assert found.states == expected.states > 300
    assert found.transitions == expected.transitions
