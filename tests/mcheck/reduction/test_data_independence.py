"""Inputs of which few values stand for all: where, how many, and when they are used."""

from __future__ import annotations

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.reduction import choose
from lfc.mcheck.reduction.symmetry import data_independence
from lfc.mcheck.reduction.symmetry.data_independence import FewValues, independent_data
from lfc.mcheck.request.request import AUTO, request_from
from lfc.mcheck.result.finding import Verdict
from lfc.mcheck.result.result import CheckResult
from tests.actions.machines import machine_of_text
from tests.campaign.symbolic.data_independence import campaign
from tests.support.seeds import seed_of_this_run

STORES = """MODULE Stores;
IMPORT Clock;
TYPE Data = [put(UINT8)]; Small = 0 .. 100;
VAR a, b : UINT8;{declared}
PORT channel : Data;
PROCESS First;
VAR v : UINT8;
BEGIN
  v := PORTIN(40H); a := v; IF v = b THEN a := 7 END;
  {statement}
END First;
PROCESS Second;
VAR w : UINT8;
BEGIN channel?put(w); b := w END Second;
BEGIN NEW(channel); CREATE First; CREATE Second END Stores.
"""


def few_of(statement: str, declared: str = "") -> list[FewValues]:
    machine = machine_of_text(STORES.format(statement=statement, declared=declared))
    return list(independent_data(machine, ()).few)


@pytest.mark.parametrize(
    ("statement", "declared", "count", "places"),
    [
        ("b := a", "", 8, 4),  # a, b, v, w; 0 and 7 are constants, so 0 to 7 has six others
        ("channel!put(v)", "", 8, 5),  # and what waits to be sent
        ("channel!put(PORTIN(40H))", "", 8, 6),  # and what is read meanwhile
        ("ASSERT(PORTIN(40H) = a)", "", 8, 5),
        ("ring[2] := v", " ring : ARRAY 3 OF UINT8;", 9, 7),
        ("wide := v; n := INTEGER(v)", " wide : UINT16; n : INTEGER;", 8, 6),
        ("CASE v OF 1: a := 2 | 3: END", "", 9, 4),
        ("PORTOUT(50H, v)", "", 8, 4),
        ("a := 60", "", 61, 4),
    ],
)
def test_how_many_values(statement: str, declared: str, count: int, places: int) -> None:
    assert few_of(statement, declared) == [FewValues(8, 0x40, count, places, True)]


@pytest.mark.parametrize("statement", ["a := register", "a := PORTIN(42H)"])
def test_ports_and_registers_of_one_class(statement: str) -> None:
    found = few_of(statement, " register AT 42H : UINT8;" * ("register" in statement))
    assert [(f.address, f.count) for f in found] == [(0x40, 8), (0x42, 8)]


@pytest.mark.parametrize(
    ("statement", "declared"),
    [
        ("a := v + 1", ""),
        ("INC(a)", ""),
        ("a := LSL(v, 1)", ""),
        ("a := MAX(v, b)", ""),
        ("IF v < b THEN a := 1 END", ""),
        ("CASE v OF 1: a := 2 | 3..4: END", ""),
        ("b := ring[v]; b := v", " ring : ARRAY 3 OF UINT8;"),
        ("INCL(set, v)", " set : SET8;"),
        ("small := v", " small : Small;"),
        ("wide := PORTIN16(44H); wide := v", " wide : UINT16;"),  # its ports differ in width
        ("a := PORTIN(UINT32(n))", " n : INTEGER;"),
        ("a := PORTIN(40H) DIV 2", ""),  # of the same port
        ("set := pins", " set : SET8; pins AT 40H : SET8;"),
        ("Clock.Sleep(UINT32(v))", ""),
        ("a := 255", ""),  # there are not fewer values
        ("IF v = 70 THEN b := 0 END", ""),
    ],
)
def test_what_is_left_as_it_is(statement: str, declared: str) -> None:
    assert few_of(statement, declared) == []


CARDS = """MODULE Cards;
CONST READER = 78H; N = 6;
VAR known : ARRAY N OF UINT16; n : UINT8; open* : BOOLEAN;
PROPERTY sometimes = ALWAYS EVENTUALLY open;
PROCESS Door SERVER;
VAR card : UINT16; i, j : UINT8; found : BOOLEAN;
BEGIN
  LOOP
    card := PORTIN16(READER);
    RESCHEDULE;
    found := FALSE;
    FOR i := 0 TO N - 1 DO IF (i < n) & (known[i] = card) THEN found := TRUE END END;
    open := found;
    IF {new} & (n < N) THEN known[n] := card; n := n + 1 END;
    FOR i := 0 TO N - 1 DO FOR j := 0 TO N - 1 DO
      ASSERT((i >= n) OR (j >= n) OR (i = j) OR (known[i] # known[j]))
    END END
  END
END Door;
BEGIN CREATE Door END Cards.
"""
EIGHT = "8 values of port 78H stand for all 65536: only copied, and compared for equality, in at most 7 places"


def checked(text: str, **more: object) -> CheckResult:
    return check(machine_of_text(text), request_from(reductions=(AUTO,)).changed(**more))


def test_identities_are_compared_with_each_other() -> None:
    """Neither value by value nor with sets of values is there an answer."""
    without = CARDS.replace("PROPERTY sometimes = ALWAYS EVENTUALLY open;\n", "").format(new="~found")
    result = checked(without)
    (data,) = [r for r in result.reductions if r.name == "data"]
    assert result.verdict is Verdict.HOLDS and data.as_text("").startswith(f"reduction data: {EIGHT} at once")


def test_an_error_is_a_run_of_the_program() -> None:
    result = checked(CARDS.format(new="(n # 3) & ~found OR (n = 3)"))
    assert result.verdict is Verdict.ASSERTION and "data" in {r.name for r in result.reductions}


def test_a_property_is_violated_by_such_values() -> None:
    result = checked(CARDS.replace("N = 6", "N = 3").format(new="~found"))
    assert result.verdict is Verdict.PROPERTY and "data" in {r.name for r in result.reductions}


def test_what_is_assumed_of_a_port_stays() -> None:
    machine = machine_of_text(STORES.format(statement="b := a", declared=""))
    assert independent_data(machine, (), ("40H in 0..20",)).few == ()
    assert [f.count for f in independent_data(machine, (), ("41H in 0..20",)).few] == [8]


@pytest.mark.parametrize(
    ("more", "is_used"),
    [
        ({}, True),
        ({"data": "explicit", "seconds": 1.0}, False),
        ({"reductions": ()}, False),
        ({"reductions": ("dead",)}, False),
        ({"strategy": "depth"}, False),
    ],
)
def test_only_where_the_checker_decides(
    more: dict[str, object], is_used: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choose, "IN_FULL", 1_000)
    small = CARDS.replace("N = 6", "N = 3").replace("UINT16", "UINT8").replace("PORTIN16", "PORTIN")
    small = small.replace("PROPERTY sometimes = ALWAYS EVENTUALLY open;\n", "").format(new="~found")
    result = checked(small, states=4_000, **more)
    assert ("data" in {r.name for r in result.reductions}) == is_used
    assert (result.verdict is Verdict.HOLDS) == is_used


# --- the campaign ----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_share_of_the_campaign() -> None:
    result = campaign(seed_of_this_run(), 32)
    assert result.failures == []
    assert result.kinds["needs each value"] >= 4
    assert min(result.kinds["compared"], result.kinds["with constants"]) >= 6
    assert result.kinds["as sets"] >= 20


def test_a_value_less_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    needed = data_independence.values_needed

    def one_less(constants: set[int], others: int) -> int:
        return needed(constants, others - 1)

    monkeypatch.setattr(data_independence, "values_needed", one_less)
    assert len(campaign(1, 24).failures) >= 3
