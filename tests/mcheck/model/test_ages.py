"""Ages: which programs have them, that the states are few and the verdict a proof, and the times of counterexamples."""

from __future__ import annotations

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.counterexample.replay import Replayer
from lfc.mcheck.model.stamps import NoAges, most_clock, stamps_of
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.actions.machines import machine_of_text

NO_ASSUMPTION = ["actions take no time; sleeping processes wake in deadline order (--time discrete)"]
WRAPS = "no interval that the program measures lasts 2^32 ms (49 days) or longer, where Clock.Now wraps"


def checked(text: str, **asked: object) -> CheckResult:
    return check(machine_of_text(text), request_from(time="discrete", threads=1, **asked))


def bounds(text: str) -> dict[str, int]:
    found = stamps_of(machine_of_text(text), (), ())
    return {v.name: found.bound_of(v) for v in sorted(found.variables, key=lambda v: v.name)}


ENDLESS = """MODULE Endless;
IMPORT Clock;
VAR t0 : UINT32;
PROCESS P; BEGIN LOOP t0 := Clock.Now; Clock.Sleep(30); ASSERT(Clock.Now - t0 <= MOST) END END P;
BEGIN CREATE P END Endless.
"""


def test_an_endless_program_is_proved() -> None:
    """With the clock modulo 60,000 a correct interval was violated where it wraps."""
    found = checked(ENDLESS.replace("MOST", "30"))
    assert (found.verdict, found.states, found.transitions) == ("holds", 4, 4)
    assert found.assumptions == NO_ASSUMPTION  # no age comes to its bound: nothing is said of 49 days


@pytest.mark.parametrize("reductions", ["none", "all", "auto"])
def test_an_interval_that_is_too_long_is_shown_with_its_times(reductions: str) -> None:
    found = checked(ENDLESS.replace("MOST", "29"), reductions=(reductions,))
    assert (found.verdict, len(found.findings[0].steps), found.findings[0].doubt) == ("assertion", 4, "")
    assert readings(found) == [0, 30]


def readings(found: CheckResult) -> list[int | None]:
    return [i.operands[0] for step in found.findings[0].steps for i in step if i.name == "clock"]


LATER = """MODULE Later;
IMPORT Clock;
VAR rounds : 0 .. 3; since : UINT32;
PROCESS P;
BEGIN
  LOOP
    since := Clock.Now; Clock.Sleep(100000);
    IF Clock.Now - since > 20 THEN rounds := rounds + 1 END
  END
END P;
BEGIN CREATE P END Later.
"""


def test_the_times_of_a_counterexample_are_those_of_a_board() -> None:
    found = checked(LATER)
    assert found.verdict == "fault"
    assert readings(found) == [0, 100_000, 100_000, 200_000, 200_000, 300_000, 300_000, 400_000]
    machine = machine_of_text(LATER)
    Replayer(machine).confirm(found.findings[0].blocks, found.findings[0].steps[:-1])


DEBOUNCE = """MODULE Debounce;
IMPORT Clock, SYSTEM;
VAR on : BOOLEAN;
PROCESS Button SERVER;
VAR last : UINT32;
BEGIN
  LOOP SYSTEM.INT[1]?INTERRUPT; IF Clock.Now - last >= 50 THEN last := Clock.Now; on := ~on END END
END Button;
BEGIN CREATE Button END Debounce.
"""


def test_what_may_last_for_ever_is_an_assumption() -> None:
    found = checked(DEBOUNCE)
    assert (found.verdict, found.assumptions) == ("holds", [*NO_ASSUMPTION, WRAPS])
    assert (found.states, found.transitions) == (467, 4651)


def test_the_first_press_comes_after_the_zero_of_the_clock() -> None:
    """`last` is 0 at the start: a button that is pressed within 50 ms is not seen, later it is."""
    never = checked(DEBOUNCE.replace("on := ~on", "ASSERT(FALSE)"))
    assert never.verdict == "assertion"
    assert readings(never) == [50, 50]


def test_stamps_and_their_bounds() -> None:
    text = """MODULE Many;
IMPORT Clock;
TYPE Short = 0 .. 9;
VAR a, b, c, zero : UINT32; at : ARRAY 2 OF UINT32; i : Short; late : BOOLEAN;
PROCESS P(p : UINT32);
VAR q, r : UINT32;
BEGIN
  q := p; late := Clock.Now - q > 7; late := 12 >= Clock.Now - b; late := Clock.Now - at[i] = UINT32(i);
  r := Clock.Now; Clock.Sleep(1); late := Clock.Now - r # 500; zero := 0
END P;
BEGIN a := Clock.Now; b := Clock.Now; c := a; at[1] := Clock.Now; CREATE P(a) END Many.
"""
    assert bounds(text) == {"a": 8, "at": 10, "b": 13, "c": 8, "p": 8, "q": 8, "r": 501}
    machine = machine_of_text(text)
    assert most_clock(machine, stamps_of(machine, (), ())) == 0  # `q` and `r` are assigned before they are read


def test_what_only_constants_get_into_is_a_bound() -> None:
    text = """MODULE Waits;
IMPORT Clock;
CONST long = 70000;
VAR most, other : UINT32; late : BOOLEAN;
PROCESS Raise(VAR x : UINT32); BEGIN x := 3 END Raise;
PROCESS Wait(timeout : UINT32);
VAR since : UINT32;
BEGIN
  since := Clock.Now;
  WHILE Clock.Now - since < timeout DO Clock.Sleep(1) END
END Wait;
PROCESS P;
VAR begun : UINT32;
BEGIN
  begun := Clock.Now; most := 90000; other := most; Wait(5); Wait(long); Wait(most);
  late := Clock.Now - begun > other; CHANGE
END P;
BEGIN CREATE P END Waits.
"""
    assert bounds(text.replace("CHANGE", "other := 7")) == {"begun": 90_001, "since": 90_001}
    for change in (
        "Raise(most)",
        "most := most + 1",
        "INC(other)",
        "other := PORTIN32(4)",
        "FOR most := 1 TO 9 DO END",
    ):
        with pytest.raises(NoAges):
            bounds(text.replace("CHANGE", change))


@pytest.mark.parametrize(
    "use",
    [
        "late := Clock.Now > 5",
        "late := Clock.Now MOD 2 = 0",
        "late := t > 5",
        "late := Clock.Now - t < 80000000H",
        "late := Clock.Now - t < u",
        "late := t - Clock.Now > 5",
        "u := Clock.Now - t",
        "t := t + 1",
        "t := 5",
        "INC(t)",
        "Clock.Sleep(Clock.Now - t)",
        "Change(t)",
        "out!at(t)",
        "out?at(t)",
        "late := Clock.Now - u > 3; u := 7",
        "late := t = Clock.Now",
        "r.t := Clock.Now",
        "all := both",
    ],
)
def test_other_uses_have_no_ages(use: str) -> None:
    text = f"""MODULE Other;
IMPORT Clock;
TYPE T = [at(UINT32)]; R = RECORD t : UINT32 END; A = ARRAY 2 OF UINT32;
VAR t, u : UINT32; late : BOOLEAN; r : R; all, both : A;
PORT out : T;
PROCESS Change(VAR x : UINT32); BEGIN x := 3 END Change;
PROCESS P; BEGIN t := Clock.Now; both[0] := t; late := Clock.Now - t > 2; {use} END P;
BEGIN NEW(out); CREATE P END Other.
"""
    with pytest.raises(NoAges) as found:
        stamps_of(machine_of_text(text), (), ())
    assert found.value.span.line in (4, 7)


PROPERTY = """MODULE Properties;
IMPORT Clock;
VAR since : UINT32; lit : BOOLEAN;
PROPERTY short = ALWAYS (lit IMPLIES Clock.Now - since <= MOST);
PROPERTY again = ALWAYS EVENTUALLY (Clock.Now - since > MOST);
PROCESS Light SERVER;
BEGIN LOOP since := Clock.Now; lit := TRUE; Clock.Sleep(450); lit := FALSE; Clock.Sleep(550) END END Light;
BEGIN CREATE Light END Properties.
"""


def test_formulas_ask_for_ages() -> None:
    """What a formula sees is the state after each action: lit from 0 on, and when it goes out."""
    found = checked(PROPERTY.replace("MOST", "450"))
    verdicts = {p["name"]: p["verdict"] for p in found.properties}
    assert verdicts == {"short": "holds", "again": "holds"}
    assert WRAPS in found.assumptions
    wrong = checked(PROPERTY.replace("MOST", "1000"))
    verdicts = {p["name"]: p["verdict"] for p in wrong.properties}
    assert verdicts == {"short": "holds", "again": "property"}
    run = next(f.run for f in wrong.findings if f.run is not None)
    assert [i.operands[0] for step in run.steps for i in step if i.name == "clock"][:2] == [0, 1000]


def test_a_fresh_zero_is_as_old_as_it_is() -> None:
    """A local of a called process begins with 0, which may be older than any bound; the way is replayed like this."""
    text = """MODULE Fresh;
IMPORT Clock;
PROCESS Work(s : UINT32); VAR v : UINT32; BEGIN RESCHEDULE; Clock.Sleep(11); v := Clock.Now END Work;
PROCESS P1(s : UINT32);
VAR u : UINT32; i : INTEGER;
BEGIN FOR i := 1 TO 2 DO Work(u); IF Clock.Now - u = 9 THEN END END; Clock.Sleep(3); ASSERT(FALSE) END P1;
BEGIN CREATE P1(0) END Fresh.
"""
    found = check(machine_of_text(text), request_from(time="discrete", reductions=()))
    assert found.verdict == "assertion"
