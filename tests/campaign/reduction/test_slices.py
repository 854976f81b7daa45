"""CI's share of the campaign of slicing; and that it would see a control dependence that is missing."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from tests.campaign.reduction.slices import Disagreement, Result, compare, try_seeds
from tests.differential.stepwise import machine_of_source
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.seeds import seed_of_this_run


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    first = seed_of_this_run() * 1_000_000
    result = try_seeds(range(first, first + 8))
    assert result.failures == []
    assert result.smaller["safe"] >= 2, result.mix()


DECIDES = """MODULE Decides;
VAR a, b : UINT8;
PROCESS P; BEGIN IF b = 1 THEN a := 3 END END P;
PROCESS Q; BEGIN b := 1 END Q;
PROPERTY safe = ALWAYS (a # 3);
BEGIN CREATE P; CREATE Q END Decides.
"""


def test_a_control_dependence_that_is_missing_is_seen() -> None:
    machine = machine_of_source(Source("Decides.lf", DECIDES))
    result = Result()
    compare(machine, result)
    assert result.smaller["all"] == 0
    with pytest.raises(Disagreement, match="instead of"), seeded(Fault.CONTROL):
        compare(machine, result)


TAKES = """MODULE Takes;
TYPE T = [m, k(UINT8)];
PORT p, q : T; VAR a : UINT8;
PROCESS P; BEGIN p!m; q?k(a); ASSERT(a # 7) END P;
PROCESS Q; BEGIN p?m END Q;
PROCESS R; BEGIN q!k(7) END R;
PROPERTY safe = ALWAYS (a # 6);
BEGIN NEW(p); NEW(q); CREATE P; CREATE Q; CREATE R END Takes.
"""
WAITS = """MODULE Waits;
TYPE T = [m];
PORT p : T; VAR a : UINT8;
PROCESS P; BEGIN a := 3; p!m; a := 0 END P;
PROCESS Q; BEGIN ASSERT(a # 3); p?m; ASSERT(a # 4) END Q;
PROPERTY safe = ALWAYS (a # 4);
BEGIN NEW(p); CREATE P; CREATE Q END Waits.
"""
NEEDS = """MODULE Needs;
TYPE T = [m];
PORT p : T; VAR a : UINT8;
PROCESS P; BEGIN RESCHEDULE; a := 3; p!m END P;
PROCESS Q; BEGIN p?m; ASSERT(a = 3) END Q;
PROPERTY safe = ALWAYS (a # 4);
BEGIN NEW(p); CREATE P; CREATE Q END Needs.
"""


@pytest.mark.parametrize(
    ("text", "fault", "why"),
    [
        (TAKES, Fault.PARTNER, "nothing is found|without some of"),
        (WAITS, Fault.SEEN, "nothing is found|without some of"),
        (NEEDS, Fault.LIFTED, "where there are"),
    ],
)
def test_slices_in_which_communications_pass(text: str, fault: Fault, why: str) -> None:
    machine, result = machine_of_source(Source("Program.lf", text)), Result()
    compare(machine, result)
    assert result.exact == result.passing > 0
    with pytest.raises(Disagreement, match=why), seeded(fault):
        compare(machine, Result())


CALLS = """MODULE Calls;
TYPE T = [m(UINT8)];
PORT p : T; VAR g, d : UINT8;
PROCESS Get(VAR x : UINT8; VAR y : UINT8); BEGIN p?m(x); y := x; d := 1; RESCHEDULE; d := 2 END Get;
PROCESS P; VAR x, y : UINT8; BEGIN Get(x, y); g := x; Get(y, d); d := y END P;
PROCESS Q; BEGIN p!m(3); d := 7; RESCHEDULE; p!m(4) END Q;
PROPERTY safe = ALWAYS (g # 3);
BEGIN NEW(p); CREATE P; CREATE Q END Calls.
"""
PARTS = """MODULE Parts;
TYPE R = RECORD a : UINT8; b : ARRAY 2 OF UINT8 END; T = [m(R), n(BOOLEAN)];
PORT ps : ARRAY 2 OF T; VAR g, d : UINT8;
PROCESS S(VAR to : R; x : ARRAY OF UINT8); BEGIN to.a := x[1]; d := x[0] END S;
PROCESS P(q : T; w : UINT8); VAR r, l : R; BEGIN r.b[1] := w; S(l, r.b); q!m(l); q!n(w = 2) END P;
PROCESS Q(q : T);
VAR r : R; f : BOOLEAN;
BEGIN
  q?m(r); g := r.a;
  SELECT WHEN q?n(f) & (f) THEN g := 3 WHEN q?n(FALSE) THEN d := 2 END;
  ASSERT(~f)
END Q;
PROPERTY safe = ALWAYS (g # 3);
BEGIN NEW(ps[0]); NEW(ps[1]); CREATE P(ps[0], 1); CREATE P(ps[1], 2); CREATE Q(ps[0]); CREATE Q(ps[1]) END Parts.
"""


@pytest.mark.parametrize("text", [CALLS, PARTS])
def test_calls_that_wait_and_parts_of_variables(text: str) -> None:
    result = Result()
    compare(machine_of_source(Source("Program.lf", text)), result)
    assert result.compared == 1
    assert result.sliced_states < result.states
