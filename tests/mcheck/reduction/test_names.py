"""Symmetry with integers that name instances: which are exchanged, and why others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.checker.scaling import granted, owners
from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.reduction.symmetry.reduction import Exchanged
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.mcheck.searching import search_with


def searched(text: str, symmetry: bool = True, dead: bool = False) -> tuple[int, list[str]]:
    """How many states, and which numbers are no names."""
    request = request_from(keep_going=True, reductions=("sym",) * symmetry + ("dead",) * dead)
    search = search_with(machine_of_source(Source("Program.lf", text)), request)
    assert search.run() is Stop.COMPLETE
    states: int = search.statistics.states
    exchanged = search.find(Exchanged)
    notes = [] if exchanged is None else list(exchanged.notes)
    search.close()
    return states, notes


@pytest.mark.parametrize(("count", "kept"), [(2, 8), (5, 17), (100, 302)])
def test_owners_are_all_the_same(count: int, kept: int) -> None:
    """One is idle or first has tried, or is at one of its two places inside, and the others are counted only."""
    assert searched(owners(count)) == (kept, [])
    if count < 10:
        assert searched(owners(count), symmetry=False)[0] == 2**count + 2 ** (count - 1) * 2 * count + 1


def test_names_in_messages() -> None:
    full, kept = searched(granted(4), symmetry=False)[0], searched(granted(4))
    assert kept[1] == [] and kept[0] * 20 < full


USES = """MODULE Uses;
CONST N = 3;
TYPE Ch = [m(UINT8)];
PORT c : Ch;
VAR i, owner, last, sum : UINT8; flag : ARRAY 8 OF BOOLEAN; b : BOOLEAN;
PROCESS P(me : UINT8);
VAR k : UINT8;
BEGIN
  RESCHEDULE;
  %s
END P;
PROCESS Other(VAR x : UINT8); BEGIN x := x + 1 END Other;
BEGIN
  NEW(c);
  FOR i := 1 TO N DO CREATE P(i) END;
  CREATE Other(%s)
END Uses.
"""


@pytest.mark.parametrize(
    ("use", "why"),
    [
        ("sum := sum + me", "it is computed with (line 10)"),
        ("k := me; RESCHEDULE; INC(k)", "`k`, which shares values with it, is counted (line 10)"),
        ("b := me < owner", "it is put in order (line 10)"),
        (
            "b := (owner = me); RESCHEDULE; b := owner >= last",
            "`owner`, which shares values with it, is put in order (line 10)",
        ),
        ("flag[me] := TRUE", "it is an index (line 10)"),
        ("CASE me OF 1 : b := TRUE ELSE b := FALSE END", "it selects a CASE (line 10)"),
        (
            "c!m(me); c?m(k); FOR k := 1 TO 2 DO b := ~b END",
            "`k`, which shares values with it, is put in order (line 10)",
        ),
        (
            "c?m(k); b := (k = me); c!m(owner); c!m(2 * last)",
            "`m`, which shares values with it, is or meets what is computed (line 10)",
        ),
    ],
)
def test_numbers_that_are_no_names(use: str, why: str) -> None:
    text = USES % (use, "sum")
    states, notes = searched(text)
    assert notes == [f"`me` of `P` distinguishes instances: {why}"]


def test_where_it_is_a_number_may_be_another_module() -> None:
    text = (USES % ("Out.Int(me)", "sum")).replace("MODULE Uses;", "MODULE Uses; IMPORT Out;")
    (note,) = searched(text)[1]
    assert note.startswith("`me` of `P` distinguishes instances: `") and "(Out.lf:" in note


def test_what_has_another_name_is_the_same() -> None:
    """`owner` is counted under its other name, which only the initialisation gives it."""
    assert searched(USES % ("owner := me", "sum"))[1] == []
    assert searched(USES % ("owner := me", "owner"))[1] == [
        "`me` of `P` distinguishes instances: `x`, which shares values with it, is computed with (line 12)"
    ]


def test_whom_the_program_names_stays() -> None:
    """One of the three is not exchanged, so there are more states than with none."""
    text = USES % ("owner := me; RESCHEDULE; IF owner = {} THEN b := TRUE END", "sum")
    (nobody, _), (one, _), (full, _) = (
        searched(text.format(0)),
        searched(text.format(1)),
        searched(text.format(1), symmetry=False),
    )
    assert nobody < one < full


def test_names_that_are_dead_are_forgotten() -> None:
    text = USES % ("k := owner; RESCHEDULE; k := me; RESCHEDULE; owner := k", "sum")
    assert searched(text, dead=True)[0] < searched(text)[0] < searched(text, symmetry=False)[0]


STEPS = """MODULE Steps;
VAR owner, before : UINT8; x : BOOLEAN;
PROCESS P(me : UINT8);
BEGIN
  IF owner = 0 THEN owner := me END;
  before := me
END P;
BEGIN
  CREATE P(2);
  RESCHEDULE;
  CREATE P(1);
  RESCHEDULE;
  x := TRUE
END Steps.
"""


def test_names_are_exchanged_when_all_have_been_given_out() -> None:
    machine = machine_of_source(Source("Steps.lf", STEPS))
    search = search_with(machine, request_from(keep_going=True, reductions=("sym",)))
    assert search.run() is Stop.COMPLETE
    exchanged = search.find(Exchanged)
    assert exchanged is not None
    start, first, second = machine.bodies[0].positions
    settled = exchanged.tables.names.settled
    assert [settled[id(p)] for p in (start, first, second)] == [False, False, True]
    search.close()
    assert searched(STEPS)[0] < searched(STEPS, symmetry=False)[0]


def test_a_property_may_name_an_instance() -> None:
    """The third of them is not exchanged then, so that it is found: among those that are, the first is kept."""
    text = owners(3).replace("BEGIN\n  FOR", "PROPERTY third = ALWAYS ~(owner = 3);\nBEGIN\n  FOR")
    machine = machine_of_source(Source("Owners.lf", text))
    for reductions in ((), ("sym",), ("sym", "por", "dead", "chains")):
        found = check(machine, request_from(reductions=reductions, threads=1))
        assert [p["verdict"] for p in found.properties] == ["property"]


def test_a_property_may_put_names_in_order() -> None:
    text = owners(3).replace("BEGIN\n  FOR", "PROPERTY few = ALWAYS (owner < 3);\nBEGIN\n  FOR")
    machine = machine_of_source(Source("Owners.lf", text))
    found = check(machine, request_from(reductions=("sym",), threads=1))
    assert [p["verdict"] for p in found.properties] == ["property"]
    assert found.reductions[0].notes == [
        "`me` of `Worker` distinguishes instances: `owner`, which shares values with it, is put in order (line 21)"
    ]


FAILING = """MODULE Failing;
TYPE Ch = [give(UINT8), gone];
PORT c : Ch;
VAR i, owner, count : UINT8;
PROCESS P(me : UINT8) SERVER;
VAR from : UINT8;
BEGIN
  RESCHEDULE;
  owner := me;
  RESCHEDULE;
  IF owner # me THEN c!give(me) ELSE c?give(from); INC(count); ASSERT((from = me) OR (count < 2)) END
END P;
BEGIN
  NEW(c);
  FOR i := 4 TO 7 DO CREATE P(i) END
END Failing.
"""


def test_a_way_has_the_names_of_the_program(tmp_path: Path) -> None:
    (tmp_path / "Failing.lf").write_text(FAILING)
    for reductions in ("none", "sym", "all"):
        found = lfc("check", "Failing.lf", "--reductions", reductions, "--trace", "way.json", cwd=tmp_path)
        assert found.exit == 4, found.out
        run = lfc("run", "Failing.lf", "--schedule", "way.json", cwd=tmp_path)
        assert run.exit == 4 and "ASSERT((from = me) OR (count < 2))" in run.out + run.err


def test_the_report_says_which_are_no_names() -> None:
    machine = machine_of_source(Source("Uses.lf", USES % ("flag[me] := TRUE", "sum")))
    (reduction,) = check(machine, request_from(reductions=("sym",), threads=1)).reductions
    note = "`me` of `P` distinguishes instances: it is an index (line 10)"
    assert reduction.as_data()["notes"] == [note]
    assert reduction.as_text("0 states").splitlines()[1:] == [f"  {note}"]
