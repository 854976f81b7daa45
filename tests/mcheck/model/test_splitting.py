"""Inputs that are not tried value by value: how many alternatives questions make, and that what is told of an error can
be replayed."""

from __future__ import annotations

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.model.input_ranges import NotUnderstood, read_assumptions
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from tests.actions.machines import machine_of_text

ONE = """MODULE One;
IMPORT SYSTEM;
VAR s AT 40H : SET8; r AT 41H : UINT16; w AT 44H : UINT32; c AT 48H : CHAR; n : UINT8; flag : BOOLEAN;
PROCESS Kept(VAR result : UINT8);
VAR x, y : UINT16;
BEGIN
  x := PORTIN16(60H);
  IF x < 100 THEN result := 0
  ELSIF x DIV 4 < 200 THEN result := 1
  ELSIF ODD(x) THEN y := x DIV 16384; IF y = 3 THEN result := 2 ELSE result := 3 END
  ELSE result := 4
  END
END Kept;
BEGIN
  RESCHEDULE;
  QUESTION
END One.
"""


@pytest.mark.parametrize(
    ("question", "alternatives", "states"),
    [
        ("flag := 3 IN s", 2, 2),
        ("flag := n IN s", 2, 2),  # at a place that is known when it runs
        ("flag := n + 9 IN s", 1, 1),  # no such element: nothing is asked
        ("n := 31; flag := n IN SYSTEM.VAL(SET32, w)", 2, 2),
        ("flag := r MOD 256 * 3 > 9", 256, 2),  # eight of its bits
        ("n := UINT8(r DIV 4096)", 16, 16),
        ("flag := s * {1, 6} = {6}", 3, 2),  # bit 6 clear; set, and bit 1 set, clear
        ("flag := s * {7} # {1}", 1, 1),  # never equal: nothing is asked
        ("flag := s = {}", 2, 2),  # equal, above
        ("flag := r > 700", 2, 2),
        ("flag := 700 = r", 3, 2),  # below, equal, above
        ("flag := r + 10 > 700", 65536, 2),  # it may wrap: the value is asked for
        ("flag := UINT32(r) + 10 > 700", 2, 2),
        ("flag := ODD(r DIV 8)", 2, 2),
        ("flag := r DIV 256 MOD 4 = 2", 3, 2),
        ("flag := ASR(r, 15) # 0", 2, 2),
        ("flag := (w > 5) & (w < 4000000000)", 2, 2),  # of two reads: all that is small; the rest, and what follows
        ("flag := PORTIN32(80H) DIV 65536 = 1", 3, 2),
        ("flag := c >= 'a'", 2, 2),
        ("n := UINT8(r MOD 4)", 4, 4),  # only two bits are asked for
        ("CASE r OF 0: n := 1 | 1 .. 9: n := 2 | 500: n := 3 ELSE n := 4 END", 5, 4),
        ("IF (r < 10) OR (r > 20) THEN n := 1 END", 3, 2),
        ("Kept(n)", 5, 5),
        ("PORTOUT(1, PORTIN(1))", 1, 1),  # what is written is no part of a state
        ("PORTOUT16(2, UINT16(SYSTEM.VAL(UINT8, SYSTEM.VAL(SET8, PORTIN(1)) + {3} - s)))", 1, 1),
        ("PORTOUT(1, PORTIN(1) MOD 3)", 256, 1),
        ("s := s - {2} + {n}; INCL(s, 5); EXCL(s, n)", 1, 1),
        ("INC(r)", 65536, 1),
    ],
)
def test_alternatives_of_one_action(question: str, alternatives: int, states: int) -> None:
    machine = machine_of_text(ONE.replace("QUESTION", question))
    search = Search(machine, request_from(inputs=Inputs.SPLIT))
    assert search.run() is Stop.COMPLETE
    counted = {"flag := (w > 5) & (w < 4000000000)": 3}.get(question, alternatives)
    assert search.statistics.transitions == 1 + counted
    # the end of a program has no variables left of a process, but those of modules
    assert len(set(search.all_blocks())) == 2 + states
    search.close()


def checked(text: str, **world: object) -> CheckResult:
    return check(machine_of_text(text), request_from(**world, threads=1))


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("w # 123456789", "assertion"),
        ("PORTIN32(9) <= 4294967294", "assertion"),
        ("~(31 IN SYSTEM.VAL(SET32, w)) OR (w >= 2147483648)", "assertion"),  # two reads
        ("(w DIV 2 < 2147483648)", "holds"),
        ("(r MOD 1024 < 1024) & (r DIV 16 <= 4095)", "holds"),
        ("(s * {0 .. 3} # {0, 3}) OR flag", "assertion"),
        ("(UINT8(ORD(s)) DIV 16 # 7)", "assertion"),
        ("TRUE); PORTOUT(1, UINT8(PORTIN(1) + 250)", "holds"),
        ("TRUE); PORTOUT(1, UINT8(r)", "fault"),  # whether it fits depends on what was read
        ("TRUE); PORTOUT(1, SYSTEM.VAL(UINT8, {n + 8} + SYSTEM.VAL(SET8, PORTIN(1)))", "fault"),
        ("TRUE); n := 9; s := s + ({n}", "fault"),
        ("TRUE); n := 9; EXCL(s, n); INC(n, 2 * (1)", "fault"),
    ],
)
def test_errors_are_found_and_replayed(condition: str, verdict: str) -> None:
    text = ONE.replace("QUESTION", f"ASSERT({condition})")
    found = checked(text)
    assert (found.verdict, found.assumptions) == (verdict, [])


def test_the_value_that_is_told_leads_to_the_error() -> None:
    found = checked(ONE.replace("QUESTION", "ASSERT((w # 123456789) OR ~(3 IN s))"))
    read = [(i.name, i.operands[0]) for i in found.findings[0].steps[-1] if i.name.startswith("in")]
    assert read == [("in32", 123456789), ("in8", 8)]


def test_a_value_that_is_kept_counts() -> None:
    text = ONE.replace("QUESTION", "n := PORTIN(1)")
    for inputs in (Inputs.SPLIT, Inputs.ALL):
        assert checked(text, inputs=inputs).states == 2 + 256
    wide = checked(ONE.replace("QUESTION", "w := PORTIN32(1); flag := PORTIN32(1) MOD 3 = 1"))
    assert (wide.verdict, wide.reason) == ("inconclusive", "only one value of some inputs was tried")
    assert wide.assumptions == ["one value is tried for a port read that has more than 65,536"]


def test_ranges_that_are_assumed() -> None:
    text = ONE.replace("QUESTION", "n := UINT8(r); ASSERT(PORTIN32(80H) MOD 10 < 5)")
    assert checked(text).verdict == "fault"
    found = checked(text, assume=("r in 0..99", "80H in 20..24"))
    assert (found.verdict, found.states) == ("holds", 2 + 100)
    assert found.assumptions == ["r in 0..99 (--assume)", "80H in 20..24 (--assume)"]
    assert checked(text, assume=("One.r in 0..99", "128 in 20..25")).verdict == "assertion"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("r = 5", "not of the form"),
        ("q in 0..5", "no device register `q`; what PORTIN reads is named by its address"),
        ("r in 5..4", "is an empty range"),
        ("s in 0..300", "does not fit"),
        ("r in 0..zz", "not of the form"),
    ],
)
def test_ranges_that_make_no_sense(text: str, said: str) -> None:
    with pytest.raises(NotUnderstood, match=said):
        read_assumptions(machine_of_text(ONE.replace("QUESTION", "n := 1")), (text,))


LOOP = """MODULE Loop;
VAR n, i : INTEGER; any NONATOMIC : UINT8;
PROCESS Sample;
VAR w, v : UINT8; k : INTEGER;
BEGIN
  BODY
END Sample;
PROCESS P;
BEGIN LOOP Sample; RESCHEDULE END END P;
BEGIN CREATE P END Loop.
"""


def checked_loop(body: str, inputs: Inputs = Inputs.SPLIT, assume: tuple[str, ...] = ()) -> CheckResult:
    options = request_from(threads=1, inputs=inputs, assume=assume)
    return check(machine_of_text(LOOP.replace("BODY", body)), options)


def test_a_loop_may_ask_the_same_part_as_often_as_it_likes() -> None:
    body = (
        "w := PORTIN(1); FOR i := 1 TO 300 DO IF w DIV 16 = 3 THEN INC(k) END END; ASSERT((k = 0) OR (k = 300)); n := k"
    )
    assert checked_loop(body).verdict == checked_loop(body, Inputs.ALL).verdict == "holds"


@pytest.mark.parametrize(("read", "verdict"), [("PORTIN(1)", "assertion"), ("any", "inconclusive")])
def test_past_the_room_for_reads_a_port_gives_what_it_gave_last(read: str, verdict: str) -> None:
    """A hundred and thirty reads above 250: a port may give one of them again and again. Of a variable that others
    write nothing is remembered."""
    body = f"i := 0; WHILE ({read} > 250) & (i < 130) DO INC(i) END; ASSERT(i < 130); i := 0"
    assert checked_loop(body).verdict == verdict


@pytest.mark.parametrize(("assume", "verdict"), [((), "assertion"), (("1 in 2..90",), "inconclusive")])
def test_reads_past_the_room_are_of_what_a_port_may_give(assume: tuple[str, ...], verdict: str) -> None:
    body = "FOR i := 1 TO 134 DO v := PORTIN(1); ASSERT((i < 130) OR (v # 1)) END; i := 0"
    assert checked_loop(body, assume=assume).verdict == verdict
    body = "FOR i := 1 TO 134 DO ASSERT(PORTIN(1) DIV 16 + 5 >= 5) END; i := 0"
    assert checked_loop(body, assume=assume).verdict == "inconclusive"


def test_a_loop_that_waits_for_another_value_of_a_port_may_not_end() -> None:
    """What keeps it going is not 0: it is told with the counterexample, which is replayed before it is shown."""
    result = checked_loop("REPEAT v := PORTIN(1) UNTIL v # 7")
    assert result.verdict == "fault"
    finding = result.findings[0]
    assert "does not end" in finding.message
    reads = [item.operands[0] for item in finding.steps[-1] if item.name == "in8"]
    assert len(reads) == 1_000_000
    assert set(reads) == {7}


def test_a_loop_that_waits_for_a_port_may_not_end() -> None:
    result = checked_loop("REPEAT UNTIL ODD(PORTIN(1))")
    assert result.verdict == "fault"
    assert "does not end" in result.findings[0].message


def test_a_step_that_reads_the_console_is_told_at_its_first_try(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not after a try of each character."""
    text = """MODULE Reads; IMPORT In; VAR n : UINT8; c : CHAR;
BEGIN LOOP In.Char(c); IF c = 'x' THEN n := n + 1; ASSERT(n < 7) ELSE n := 0 END END END Reads.
"""
    monkeypatch.setattr("lfc.mcheck.counterexample.replay.actions_of", lambda *_: pytest.fail("one was not enough"))
    found = check(machine_of_text(text), request_from())
    assert (found.verdict, len(found.findings[0].steps)) == ("assertion", 8)
