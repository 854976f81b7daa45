"""What lies ahead of a process is told by its flags as well as by its position."""

from __future__ import annotations

import random

import pytest

from bench.checker.models import Model
from lfc.mcheck.model.local_states import flags_of
from tests.mcheck.reduction.outcomes import outcome
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.searched import machine_from


def test_a_sieve_that_creates_in_its_loop_has_as_few_states_as_one_that_does_so_before() -> None:
    """To 25 they were 14,406 as long as each filter could create one more for ever; to 60 there was no end."""
    for last, filters, states in ((25, 9, 142), (60, 17, 446)):
        for name in ("sieve_loop", "sieve"):
            machine = machine_from(Model(name, name, {"LAST": last, "FILTERS": filters}).lf())
            found = outcome(machine, "por")
            assert found is not None and found[1] == states


FLAGS = """MODULE Flags;
TYPE Kind = (a, b, c); C = [m(UINT8)];
PORT p : C;
PROCESS Changes(VAR x : BOOLEAN); BEGIN x := ~x END Changes;
PROCESS P(given : BOOLEAN; p : C);
VAR passed, set, untested : BOOLEAN; kind : Kind; n, few : UINT8; wide : 0..200;
BEGIN
  LOOP
    passed := FALSE; set := passed; untested := TRUE; kind := b; few := 7; wide := 3;
    Changes(passed);
    p?m(n);
    IF set OR passed OR given OR (n = 1) OR (wide = 3) THEN set := FALSE END;
    CASE kind OF a: few := 8 | b: kind := c | c: END;
    IF few = 7 THEN kind := a END
  END
END P;
BEGIN NEW(p); CREATE P(TRUE, p) END Flags.
"""


def test_flags_have_few_values_and_are_tested() -> None:
    machine = machine_from(FLAGS)
    [body] = [r.body for r in machine.records if r.body.process is not None and r.body.process.name == "P"]
    assert [v.name for v in flags_of(machine, body)] == ["passed", "set", "kind", "few"]


def test_what_a_call_or_a_message_gives_a_flag_is_not_known() -> None:
    """With the receiver's flag 1 lies ahead what it does then, though it is 0 now; likewise what a call may change."""
    text = """MODULE Given; TYPE C = [m(BOOLEAN), never]; PORT c : C; VAR v : UINT8;
PROCESS Read(c : C); VAR x : UINT8; BEGIN x := v; c?never END Read;
PROCESS Change(VAR b : BOOLEAN); BEGIN b := TRUE END Change;
PROCESS Write(c : C); VAR on : BOOLEAN; BEGIN {given}; RESCHEDULE; IF on THEN v := 1 END; c?never END Write;
PROCESS Give(c : C); BEGIN c!m(TRUE); c?never END Give;
BEGIN NEW(c); CREATE Read(c); CREATE Write(c); CREATE Give(c) END Given.
"""
    for given in ("c?m(on)", "Change(on)", "on := v = 0"):
        machine = machine_from(text.format(given=given))
        full, reduced = outcome(machine), outcome(machine, "por")
        assert full is not None and reduced is not None
        assert full[0] == reduced[0] and full[0][0] == 2


def random_program(r: random.Random) -> str:
    """One process reads, others write as far as their flags and what they read allow it. All wait for ever at the end:
    their deadlocks tell what they have seen."""
    text = ["MODULE Net; TYPE Kind = (k0, k1, k2); C = [m(UINT8), never]; PORT c : C; VAR v0, v1 : UINT8;"]
    text.append("PROCESS Child(c : C) MAX 3; BEGIN v0 := 2; IF v1 = 1 THEN c!m(1) END END Child;")
    reads = "; ".join(f"x := 2 * x + v{r.randrange(2)}; RESCHEDULE" for _ in range(r.randrange(1, 3)))
    text.append(f"PROCESS P0(c : C); VAR x : UINT8; BEGIN {reads}; c?never END P0;")
    for p in (1, 2):
        body = "; ".join(f"{random_statement(r)}; RESCHEDULE" for _ in range(r.randrange(2, 6)))
        body = body if r.random() < 0.7 else f"FOR j := 1 TO 2 DO {body} END"
        text.append(
            f"PROCESS P{p}(c : C); VAR x, j : UINT8; done, on : BOOLEAN; kind : Kind; BEGIN {body}; c?never END P{p};"
        )
    text.append("BEGIN NEW(c); CREATE P0(c); CREATE P1(c); CREATE P2(c) END Net.")
    return "\n".join(text)


CONDITIONS = (
    "done",
    "on",
    "kind = k1",
    "kind > k0",
    "done & (kind = k0)",
    "~on",
    "x = 0",
    "~(x = 1) & done",
    "on OR (x = 0)",
)
FLAG_SET = ("done := TRUE", "on := TRUE", "kind := k1", "kind := k2", "on := FALSE")
ALLOWED = ("v0 := 1", "v1 := 1", "x := v0", "IF ~done THEN CREATE Child(c); done := TRUE END", "c!m(1)", "c?m(x)")


def random_statement(r: random.Random) -> str:
    which = r.random()
    if which < 0.5:
        return f"IF {r.choice(CONDITIONS)} THEN {r.choice(ALLOWED)} END"
    return r.choice(FLAG_SET) if which < 0.9 else r.choice(ALLOWED)


def disagreements(seeds: range) -> tuple[int, int, int]:
    """Of random programs: how many were compared, have fewer states, and have another outcome."""
    compared = fewer = other = 0
    for seed in seeds:
        machine = machine_from(random_program(random.Random(seed)))
        full, reduced = outcome(machine), outcome(machine, "por")
        if full is None or reduced is None:
            continue
        compared += 1
        fewer += reduced[1] < full[1]
        other += full[0] != reduced[0]
    return compared, fewer, other


def test_random_programs_with_flags_have_the_same_ends_and_errors() -> None:
    compared, fewer, other = disagreements(range(100))
    assert compared == 100 and fewer >= 90 and other == 0


@pytest.mark.parametrize("fault", [Fault.FLAGS, Fault.DECIDED])
def test_flags_that_are_taken_wrong_are_seen(fault: Fault) -> None:
    with seeded(fault):
        assert disagreements(range(100))[2] > 0


MADE_ANEW = """MODULE MadeAnew;
TYPE C = [a]; D = [x(INTEGER)];
PORT c : C; q : D;
VAR g : INTEGER;
PROCESS Helper(p : C); BEGIN p?a END Helper;
PROCESS I(q : D); VAR v : INTEGER; BEGIN q?x(v); ASSERT(v = 2); q?x(v) END I;
PROCESS K(q : D); BEGIN q!x(2) END K;
PROCESS J(r : C; q : D);
PORT s : C;
BEGIN g := 1; NEW(s); CREATE Helper(s); r := s; r!a; q!x(1) END J;
PROCESS L; BEGIN RESCHEDULE; g := 2 END L;
BEGIN NEW(c); NEW(q); CREATE I(q); CREATE K(q); CREATE J(c, q); CREATE L END MadeAnew.
"""


def test_what_is_needed_may_come_on_a_channel_that_is_made_ahead() -> None:
    """`r` gets a new channel, by way of `s`: what it says before its next message is not said on the old one."""
    machine = machine_from(MADE_ANEW)
    full, reduced = outcome(machine), outcome(machine, "por")
    assert full is not None and reduced is not None
    assert full[0][2] == reduced[0][2] != frozenset()
