"""Dead variables: by element and field, in frames of calls, under the names of VAR parameters, beside properties."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.reduction.dead_variables.use_and_kill import BodyBytes
from lfc.mcheck.request.request import request_from
from tests.campaign.reduction.dead_bytes import Disagreement, Result, judge, try_seeds
from tests.differential.stepwise import machine_of_source
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.seeds import seed_of_this_run

PICKS = """MODULE Picks;
TYPE Ch = [m(UINT8)]; Rec = RECORD u, v : UINT8 END; Three = ARRAY 3 OF UINT8;
PORT c : Ch;
{processes}
PROCESS Pick(c : Ch);
VAR a : Three; i, k, n : UINT8; r : Rec;
BEGIN
  CHOICE a[0] := 1; a[1] := 1; r.u := 1; k := 1 | RESCHEDULE; k := 2 END;
  RESCHEDULE;
  {body}
END Pick;
PROCESS Other(c : Ch); VAR x : UINT8; BEGIN LOOP c?m(x) END END Other;
BEGIN
  NEW(c); CREATE Pick(c); CREATE Other(c)
END Picks.
"""


def machine_of(body: str, processes: str = "") -> Machine:
    return machine_of_source(Source("Picks.lf", PICKS.format(processes=processes, body=body)))


def dead_behind_the_choice(body: str, processes: str = "") -> dict[str, set[int]]:
    """By variable, which of its bytes."""
    machine = machine_of(body, processes)
    pick = next(b for b in machine.bodies if b.name == "Picks.Pick")
    assert pick.frame is not None
    at = [p for p in pick.positions if p.kind == "reschedule"][1]
    own = Reset(machine).at(at).own
    found = {}
    for name in ("a", "i", "k", "n", "r"):
        v = next(v for v in pick.frame.variables if v.name == name)
        size = {"a": 3, "r": 2}.get(name, 1)
        found[name] = {i for i in range(size) if own >> pick.frame.variables[v] + i & 1}
    return found


ALL, NONE = {0, 1, 2}, set[int]()


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        ("k := 1", ALL),
        ("k := a[1]", {0, 2}),
        ("a[1] := 0; k := a[1]; k := a[0]", {1, 2}),
        ("a[1] := a[1] + 1", {0, 2}),
        ("k := a[k MOD 3]", NONE),
        ("a[0] := 0; k := a[k MOD 3]", {0}),
        ("a[k MOD 3] := 1; k := a[2]", {0, 1}),
        ("a[k MOD 3] := 1", ALL),
        ("c?m(a[2]); k := a[k MOD 3]", {2}),
        ("a[0] := 1; a[1] := 1; a[2] := 1; k := a[k MOD 3]", ALL),
        ("FOR i := 0 TO 2 DO a[i] := 1 END; k := a[k MOD 3]", ALL),
        ("FOR i := 2 TO 0 BY -1 DO IF k = 1 THEN k := 2 END; a[i] := k END; k := a[k MOD 3]", ALL),
        ("FOR i := 0 TO 1 DO a[i] := 1 END; k := a[k MOD 3]", {0, 1}),
        ("FOR i := 0 TO 2 BY 2 DO a[i] := 1 END; k := a[k MOD 3]", {0, 2}),
        ("FOR i := 0 TO k MOD 3 DO a[i] := 1 END; k := a[k MOD 3]", NONE),
        ("FOR i := 0 TO 2 DO IF k = 1 THEN a[i] := 1 END END; k := a[k MOD 3]", NONE),
        ("FOR i := 0 TO 2 DO a[i] := a[2 - i] END; k := a[k MOD 3]", NONE),
        ("FOR i := 0 TO 2 DO a[i] := 1; k := a[2] END; k := a[k MOD 3]", {0, 1}),
        ("LOOP FOR i := 0 TO 2 DO a[i] := 1; IF k = 1 THEN EXIT END END; EXIT END; k := a[k MOD 3]", NONE),
        ("FOR i := 0 TO 2 DO a[i] := 1; RESCHEDULE END; k := a[k MOD 3]", NONE),
    ],
)
def test_elements(body: str, elements: set[int]) -> None:
    assert dead_behind_the_choice(body)["a"] == elements
    judge(PICKS.format(processes="", body=body), Result())


@pytest.mark.parametrize(
    ("body", "fields"),
    [("k := r.v", {0}), ("r.u := 0; k := r.u", {0, 1}), ("r.v := r.u; r.u := 1", {1}), ("r.u := r.v", {0})],
)
def test_fields(body: str, fields: set[int]) -> None:
    assert dead_behind_the_choice(body)["r"] == fields


def test_what_was_sent_is_not_needed_while_its_sender_waits() -> None:
    machine = machine_of("c!m(k * 2); k := 0")
    waiting = next(p for p in machine.positions if p.kind == "waiting" and p.body.name == "Picks.Pick")
    assert "k" in {v.name for v in Reset(machine).at(waiting).variables}


def test_a_guard_is_needed_while_its_process_waits() -> None:
    machine = machine_of("SELECT WHEN c?m(n) & (n > k) THEN k := 0 END")
    waiting = next(p for p in machine.positions if p.kind == "waiting" and p.body.name == "Picks.Pick")
    assert "k" not in {v.name for v in Reset(machine).at(waiting).variables}


FUNCTIONS = """
PROCESS Clear(VAR v : UINT8); BEGIN v := 0 END Clear;
PROCESS Twice(VAR v : UINT8); BEGIN Clear(v); Clear(v) END Twice;
PROCESS Maybe(VAR v : UINT8; w : UINT8); BEGIN IF w = 1 THEN v := 2 END END Maybe;
PROCESS Bump(VAR v : UINT8); BEGIN v := v + 1 END Bump;
PROCESS Copy(VAR v, w : UINT8); BEGIN v := 1; v := w END Copy;
PROCESS Fill(VAR to : Three); VAR i : UINT8; BEGIN FOR i := 0 TO 2 DO to[i] := i END END Fill;
PROCESS Sum(of : ARRAY OF UINT8; VAR to : UINT8); BEGIN to := of[0] + of[1] END Sum;
PROCESS Get(c : Ch; VAR v : UINT8); BEGIN RESCHEDULE; c?m(v); RESCHEDULE END Get;
PROCESS Maybe2(VAR v : UINT8; w : UINT8); BEGIN RESCHEDULE; IF w = 1 THEN v := 2 END END Maybe2;
PROCESS Adds(c : Ch; VAR v : UINT8); VAR t : UINT8; BEGIN c?m(t); v := v + t END Adds;
PROCESS Deep(c : Ch; VAR v : UINT8); BEGIN Get(c, v) END Deep;
PROCESS Shows(VAR v : UINT8); BEGIN RESCHEDULE; ASSERT(v < 2) END Shows;
PROCESS Both(c : Ch; VAR v, w : UINT8); BEGIN RESCHEDULE; v := w END Both;
PROCESS Recurs(VAR v : UINT8; d : UINT8) MAX 4; BEGIN v := 1; IF d > 0 THEN Recurs(v, d - 1) END; RESCHEDULE END Recurs;
"""


@pytest.mark.parametrize(
    ("body", "dead"),
    [
        ("Clear(k); n := k", True),
        ("Twice(k); n := k", True),
        ("Maybe(k, 1)", True),  # nobody looks at it afterwards
        ("Maybe(k, 1); n := k", False),
        ("Bump(k)", False),
        ("Copy(k, n); n := k", True),
        ("Copy(n, k)", False),
        ("Copy(k, k)", False),
        ("Get(c, k); n := k", True),
        ("Get(c, k)", True),
        ("Deep(c, k); n := k", True),
        ("Maybe2(k, 1)", False),  # at whose positions nobody knows whether k will be read afterwards
        ("Adds(c, k)", False),
        ("Shows(k)", False),
        ("Both(c, k, n); n := k", True),
        ("Both(c, k, k)", False),
        ("Recurs(k, 1); n := k", True),
        ("n := 0; Get(c, n)", True),
        ("Get(c, n); n := k", False),
    ],
)
def test_a_variable_that_is_passed_on(body: str, dead: bool) -> None:
    assert bool(dead_behind_the_choice(body, FUNCTIONS)["k"]) is dead
    judge(PICKS.format(processes=FUNCTIONS, body=body), Result())


@pytest.mark.parametrize(
    ("body", "elements"),
    [
        ("Fill(a); k := a[k MOD 3]", ALL),
        ("Sum(a, k)", NONE),
        ("Clear(a[1]); k := a[k MOD 3]", {1}),
        ("Clear(a[k MOD 3]); n := a[0]", {1, 2}),
        ("Get(c, a[1]); k := a[k MOD 3]", {1}),
        ("Get(c, a[k MOD 3])", NONE),
    ],
)
def test_an_array_that_is_passed_on(body: str, elements: set[int]) -> None:
    assert dead_behind_the_choice(body, FUNCTIONS)["a"] == elements
    judge(PICKS.format(processes=FUNCTIONS, body=body), Result())


CALLS = """MODULE Calls;
TYPE Ch = [m(UINT8)];
PORT c : Ch;
PROCESS Get(c : Ch; VAR v : UINT8);
VAR t : UINT8;
BEGIN t := 1; RESCHEDULE; c?m(v); t := v; RESCHEDULE END Get;
PROCESS P(c : Ch);
VAR k, n : UINT8;
  PROCESS In; BEGIN RESCHEDULE; {inner} END In;
BEGIN
  LOOP CHOICE k := 0 | k := 1 END; n := k; {body} END
END P;
PROCESS Sends(c : Ch); BEGIN LOOP c!m(3) END END Sends;
BEGIN NEW(c); CREATE P(c); CREATE Sends(c) END Calls.
"""


@pytest.mark.parametrize(
    ("inner", "body", "full", "kept", "in_calls"),
    [
        ("n := 0", "Get(c, k)", 27, 15, True),
        ("n := 0", "Get(c, k); ASSERT(n < 2)", 27, 24, True),  # k until it is received
        ("n := 0", "Get(c, n); ASSERT(k < 2)", 27, 24, True),
        ("n := 0", "In; ASSERT(k < 2)", 11, 9, True),  # n, which lies in the caller's frame
        ("n := k", "In; ASSERT(k + n < 4)", 11, 9, True),
        ("n := n + k", "In", 11, 9, False),
    ],
)
def test_frames_of_calls(inner: str, body: str, full: int, kept: int, in_calls: bool) -> None:
    """Whatever the call, k and n are dead where the loop begins."""
    result = Result()
    judge(CALLS.format(inner=inner, body=body), result)
    assert (result.states, result.kept, result.called > 0) == (full, kept, in_calls)


def test_which_bytes_are_reset_in_a_call() -> None:
    """The caller's n, and what Get's `v` stands for, until it is received."""
    machine = machine_of_source(Source("Calls.lf", CALLS.format(inner="n := 0", body="Get(c, k); n := 0")))
    get = next(b for b in machine.bodies if b.name == "Calls.Get")
    reset = Reset(machine)
    names = {p.kind: {v.name for v in reset.at(p).variables} for p in get.positions}
    assert names["start"] == names["waiting"] == {"v", "t"}
    assert [{v.name for v in reset.at(p).variables} for p in get.positions if p.kind == "reschedule"] == [
        {"v", "t"},
        {"t"},
    ]
    returns = next(p for b in machine.bodies for p in b.positions if p.kind == "return")
    assert {v.name for v in reset.at(returns).variables} == {"n"}


def test_a_liveness_that_forgets_conditions_is_seen() -> None:
    body = "IF k = 1 THEN n := 1 ELSE n := 2 END; ASSERT(n < 2)"
    judge(PICKS.format(processes="", body=body), Result())
    with pytest.raises(Disagreement), seeded(Fault.LIVENESS):
        judge(PICKS.format(processes="", body=body), Result())


@pytest.mark.parametrize(
    ("part", "forgets", "body"),
    [
        ("lent", lambda self, call: 0, "Shows(k)"),
        ("under_all_names", lambda self, e: self.meant(e)[0], "Both(c, k, k); n := k; ASSERT(n < 2)"),
        ("used_in", lambda self, block: 0, "FOR i := 0 TO 2 DO a[i] := a[2 - i] END; k := a[k MOD 3]; ASSERT(k < 1)"),
        ("to_find", lambda self, e: 0, "a[1] := 1; n := a[k MOD 2]; ASSERT(n < 1)"),
    ],
)
def test_what_else_is_forgotten_is_seen(
    part: str, forgets: Callable[..., int], body: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(PICKS.format(processes=FUNCTIONS, body=body), Result())
    monkeypatch.setattr(BodyBytes, part, forgets)
    with pytest.raises(Disagreement):
        judge(PICKS.format(processes=FUNCTIONS, body=body), Result())


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    first = seed_of_this_run() * 1_000_000
    result = try_seeds(range(first, first + 18))
    assert result.failures == []
    assert result.compared >= 5 and result.smaller and result.called, result.mix()


WATCHED = """MODULE Watched;
PROCESS Pick;
VAR k, n : UINT8;
BEGIN CHOICE k := 0 | k := 1 | k := 2 END; n := k; RESCHEDULE; RESCHEDULE END Pick;
PROPERTY p;
VAR i : UINT8;
BEGIN
  LOOP {watches}; RESCHEDULE END
END p;
BEGIN
  CREATE Pick; CREATE Pick
END Watched.
"""


@pytest.mark.parametrize(
    "watches",
    [
        "IF Pick[i].k = 2 THEN LOOP ACCEPT; RESCHEDULE END END; i := 1 - i",
        "CASE Pick[1].k OF 2 : LOOP ACCEPT; RESCHEDULE END ELSE END",
        "i := Pick[0].k; IF i = 2 THEN LOOP ACCEPT; RESCHEDULE END END",
    ],
)
def test_what_a_property_process_reads_is_kept(watches: str) -> None:
    machine = machine_of_source(Source("Watched.lf", WATCHED.format(watches=watches)))
    names = {v.name for d in Reset(machine, (), machine.properties).dead.values() for v in d.variables}
    assert names == {"n"}
    full = check(machine, request_from(threads=1, reductions=()))
    reduced = check(machine, request_from(threads=1, reductions=("dead",)))
    assert full.verdict == reduced.verdict == "property"
    assert [(r.name, r.why_not) for r in reduced.reductions] == [("dead", "")]


def test_beside_a_property_process_that_holds_there_are_fewer_states() -> None:
    machine = machine_of_source(Source("Watched.lf", WATCHED.format(watches="IF Pick[i].k = 3 THEN ACCEPT END")))
    full = check(machine, request_from(threads=1, reductions=()))
    machine = machine_of_source(Source("Watched.lf", WATCHED.format(watches="IF ENDED(Pick) THEN NOMOVE END")))
    reduced = check(machine, request_from(threads=1, reductions=("dead",)))
    assert full.verdict == reduced.verdict == "holds"
    assert reduced.states < full.states
