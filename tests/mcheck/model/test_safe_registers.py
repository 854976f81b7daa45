"""NONATOMIC variables that the program writes: a write is two actions, and what comes between reads any value."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.semantics.analyse import analyse_text
from tests.actions.machines import machine_and_diagnostics, machine_of_text
from tests.differential.stepwise import machine_of_source
from tests.naive.explorer import explore
from tests.naive.running import program_of

MODELS = Path(__file__).parents[3] / "examples" / "models"
BAKERY = (MODELS / "bakery.lf").read_text()


def checked(text: str, **more: object) -> CheckResult:
    return check(machine_of_text(text), request_from(threads=1).changed(**more))


TWO = """MODULE Two;
TYPE Color = (red, green, blue, grey);
VAR x NONATOMIC : T; y : T;
PROCESS W; BEGIN x := VALUE END W;
PROCESS R; BEGIN y := x; ASSERT(ORD(y) # BAD) END R;
BEGIN CREATE W; CREATE R END Two.
"""


def two(of: str, value: str, bad: int = 255) -> str:
    return (
        TWO.replace(": T;", f": {of};")
        .replace("VALUE", value)
        .replace("ORD(y) # BAD", f"{'y' if ' .. ' in of else 'ORD(y)'} # {bad}")
    )


@pytest.mark.parametrize(
    ("of", "value", "n"),
    [("0 .. 2", "1", 3), ("BOOLEAN", "TRUE", 2), ("Color", "blue", 4), ("-1 .. 3", "2", 5)],
)
def test_while_it_is_written_any_value_is_read_and_then_what_was_written(of: str, value: str, n: int) -> None:
    """1 initial state; 3 of W in which R has not read; R read the first value (1), any (n), or the new one or any
    before the end (n)."""
    text = two(of, value)
    result = checked(text)
    assert (result.verdict, result.states) == ("holds", 1 + 3 + 1 + n + n)
    assert result.transitions == 1 + 2 + (1 + n + 1) + (1 + n)
    found = explore(program_of(text, "Two.lf"))
    assert (len(found.states), len(found.transitions)) == (result.states, result.transitions)


def test_a_value_of_its_type_but_no_other() -> None:
    assert checked(two("0 .. 2", "1", 2)).verdict == "assertion"
    assert checked(two("0 .. 2", "1", 3)).verdict == "holds"
    assert checked(two("0 .. 2", "1", 2).replace(" NONATOMIC", "")).verdict == "holds"


def test_only_the_element_that_is_written() -> None:
    text = (
        two("0 .. 2", "1", 2)
        .replace("NONATOMIC : 0 .. 2", "NONATOMIC : ARRAY 2 OF 0 .. 2")
        .replace("y := x", "y := x[1]")
    )
    assert checked(text.replace("x := 1", "x[0] := 1")).verdict == "holds"
    assert checked(text.replace("x := 1", "x[1] := 1")).verdict == "assertion"


OVERLAP = """MODULE Overlap;
VAR x NONATOMIC : 0 .. 2; ended : 0 .. 2; y : 0 .. 2;
PROCESS W(v : UINT8) MAX 2; BEGIN x := v; INC(ended) END W;
PROCESS R; BEGIN WHILE ended < AFTER DO RESCHEDULE END; y := x; ASSERT(y # 0) END R;
BEGIN CREATE W(1); CREATE W(2); CREATE R END Overlap.
"""


@pytest.mark.parametrize(("after", "verdict"), [("1", "assertion"), ("2", "holds")])
def test_it_is_being_written_until_the_last_write_ends(after: str, verdict: str) -> None:
    assert checked(OVERLAP.replace("AFTER", after), allow_deadlocks=True).verdict == verdict


# Each write and each read of the bakery in other words: what a read finds comes from a register.
BY_HAND = (
    BAKERY.replace(
        "  choosing NONATOMIC : ARRAY N OF BOOLEAN;\n",
        "  choosing : ARRAY N OF BOOLEAN; cw : ARRAY N OF UINT8; anyBit AT 20H : UINT8;\n",
    )
    .replace(
        "  number NONATOMIC : ARRAY N OF 0 .. Most;\n",
        "  number : ARRAY N OF 0 .. Most; nw : ARRAY N OF UINT8; any AT 21H : UINT8;\n",
    )
    .replace("\nPROCESS", "\nASSUME any IN 0 .. Most;\nASSUME anyBit IN 0 .. 1;\n\nPROCESS", 1)
    .replace("choosing[me] := TRUE", "choosing[me] := TRUE; INC(cw[me]); RESCHEDULE; DEC(cw[me])")
    .replace("choosing[me] := FALSE", "choosing[me] := FALSE; INC(cw[me]); RESCHEDULE; DEC(cw[me])")
    .replace("number[me] := mine", "number[me] := mine; INC(nw[me]); RESCHEDULE; DEC(nw[me])")
    .replace("number[me] := 0", "number[me] := 0; INC(nw[me]); RESCHEDULE; DEC(nw[me])")
    .replace("other := number[j]", "IF nw[j] = 0 THEN other := number[j] ELSE other := any END")
    .replace("waits := choosing[j]", "IF cw[j] = 0 THEN waits := choosing[j] ELSE waits := anyBit = 1 END")
)


def test_the_bakery_excludes_each_other() -> None:
    result = checked(BAKERY, reductions=())
    assert (result.verdict, result.states, result.transitions) == ("holds", 1707, 4452)
    by_hand = checked(BY_HAND, reductions=())
    assert (by_hand.verdict, by_hand.states, by_hand.transitions) == ("holds", 1707, 4452)
    found = explore(program_of(BAKERY, "Bakery.lf"))
    assert (len(found.states), len(found.transitions), found.kinds) == (1707, 4452, set())


def test_the_bakery_of_three() -> None:
    result = checked(BAKERY.replace("N = 2", "N = 3"), reductions=("dead",))
    assert (result.verdict, result.states) == ("holds", 26512)


@pytest.mark.parametrize(
    ("whole", "broken"),
    [
        ("REPEAT waits := choosing[j]; RESCHEDULE UNTIL ~waits;", ""),
        ("((other = mine) & (j < me))", "FALSE"),
        ("    number[me] := mine;\n    choosing[me] := FALSE;", "    choosing[me] := FALSE;\n    number[me] := mine;"),
        ("INC(mine);", "mine := 1;"),
    ],
)
def test_a_fault_in_the_bakery_is_found(whole: str, broken: str) -> None:
    assert whole in BAKERY
    result = checked(BAKERY.replace(whole, broken))
    assert result.verdict == "assertion"


def test_peterson_needs_an_atomic_turn() -> None:
    text = (MODELS / "peterson_safe.lf").read_text()
    assert checked(text).verdict == "assertion"
    assert checked(text.replace("turn NONATOMIC", "turn")).verdict == "holds"
    assert checked(text.replace(" NONATOMIC", "")).verdict == "holds"


@pytest.mark.parametrize("reductions", [("por",), ("dead",), ("chains",), ("sym",), ("por", "dead", "chains", "sym")])
def test_with_reductions(reductions: tuple[str, ...]) -> None:
    assert checked(BAKERY, reductions=reductions).verdict == "holds"
    assert checked((MODELS / "peterson_safe.lf").read_text(), reductions=reductions).verdict == "assertion"


def test_what_a_slice_has_of_it() -> None:
    """The counter goes with its variable."""
    text = two("0 .. 2", "1", 2).replace("ASSERT", "z := 0; ASSERT").replace("y : 0", "z NONATOMIC : 0 .. 2; y : 0")
    machine = machine_of_source(Source("Two.lf", text))
    result = check(machine, request_from(threads=1, only=("assert",)))
    assert (result.verdict, result.findings[0].machine) == ("assertion", None)


SHOWN = """MODULE Shown;
VAR x* NONATOMIC : 0 .. 3;
PROCESS W; BEGIN RESCHEDULE; x := 1; x := 2 END W;
BEGIN CREATE W END Shown.
"""
LOOKS = """ENVIRONMENT MODULE Looks;
IMPORT Shown;
VAR y : 0 .. 3;
PROPERTY p = ALWAYS (y < LIMIT);
PROCESS R; BEGIN RESCHEDULE; y := Shown.x END R;
BEGIN CREATE R END Looks.
"""


@pytest.mark.parametrize(("limit", "verdict"), [("3", "property"), ("4", "holds")])
def test_an_environment_reads_it_as_the_program_does(limit: str, verdict: str) -> None:
    machine = machine_of_text(SHOWN, LOOKS.replace("LIMIT", limit))
    assert check(machine, request_from(threads=1, allow_deadlocks=True)).verdict == verdict


def test_what_nobody_assigns_is_not_the_programs_alone() -> None:
    """It would never be torn, and each read find what it began with: no proof of anything."""
    text = two("0 .. 2", "1", 1).replace("x := 1", "y := 1")
    assert [(d.code, d.message) for d in analyse_text(text)[1].items] == [
        ("LF0420", "nothing assigns `x`, and what changes from outside is a number, a CHAR or a set, not 0 .. 2")
    ]
    assert not analyse_text(text.replace("0 .. 2", "UINT8"))[1].has_errors


def test_nobody_is_warned_of_a_counter_of_writes() -> None:
    assert machine_and_diagnostics(SHOWN)[1].items == []
