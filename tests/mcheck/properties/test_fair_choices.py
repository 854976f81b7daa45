"""A CHOICE that is treated fairly: in the program, by a device within the action that asks it, with levels, of each
instance; random programs against a slow judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.mcheck.check import check
from lfc.mcheck.model import fairness
from lfc.mcheck.model.fairness import Fair, assumed_fairness
from lfc.mcheck.request.request import request_from
from tests.campaign.checking.fair_choices import campaign
from tests.mcheck.properties.literature import machine
from tests.support.compositions import composed

ASKING = """MODULE Main;
CONST STATUS* = 40H; OTHER* = 41H;
VAR status : UINT8; done : ARRAY 2 OF BOOLEAN;
PROPERTY first = EVENTUALLY done[0];
PROPERTY both = EVENTUALLY (done[0] & done[1]);
PROCESS Ask(me : UINT8);
VAR got : UINT8;
BEGIN
  REPEAT RESCHEDULE; got := PORTIN(STATUS + UINT32(me)) UNTIL got = 1;
  done[me] := TRUE
END Ask;
BEGIN CREATE Ask(0); CREATE Ask(1) END Main.
"""
DEVICES = """ENVIRONMENT MODULE Device;
IMPORT Main, SYSTEM;
PROCESS Registers(address : UINT32) SERVER;
VAR at : UINT32;
BEGIN
  LOOP
    SELECT WHEN SYSTEM.IOPORT?PORTIN(8, at) & (at = address) THEN
      CHOICE {mark} SYSTEM.IOPORT!VALUE(0) | SYSTEM.IOPORT!VALUE(1) END
    END
  END
END Registers;
BEGIN CREATE Registers(Main.STATUS); CREATE Registers(Main.OTHER) END Device.
"""


def verdicts(m: Machine, **options: object) -> dict[str, str]:
    found = check(m, request_from(keep_going=True, **options))
    return {str(p["name"]): str(p["verdict"]) for p in found.properties}


@pytest.mark.parametrize(
    ("mark", "fairness", "expected"),
    [
        ("", "strong", ("property", "property")),  # the device may be busy for ever
        ("STRONG", "", ("holds", "holds")),  # who can ask it again and again does
        ("WEAK", "", ("holds", "holds")),  # as long as it is busy it can always be asked
        ("STRONG", "none", ("property", "property")),
    ],
)
def test_a_device_answers_each_way_again_and_again(mark: str, fairness: str, expected: tuple[str, str]) -> None:
    m = composed(ASKING, DEVICES.replace("{mark}", mark))
    assert tuple(verdicts(m, fairness=fairness).values()) == expected


def test_what_is_assumed_is_named_for_each_instance() -> None:
    m = composed(ASKING, DEVICES.replace("{mark}", "STRONG"))
    assert [(f.name, f.kind) for f in assumed_fairness(m, "", [])] == [
        (f"Device.Registers[{i}] CHOICE 8, branch {branch}", "strong") for i in (0, 1) for branch in (1, 2)
    ]


COIN = """MODULE Coin;
VAR heads, tails : BOOLEAN;
PROPERTY both = (ALWAYS EVENTUALLY heads) & (ALWAYS EVENTUALLY tails);
PROCESS Throws;
BEGIN
  LOOP
    heads := FALSE; tails := FALSE;
    CHOICE {mark} heads := TRUE | {level} tails := TRUE END;
    RESCHEDULE
  END
END Throws;
BEGIN CREATE Throws END Coin.
"""


@pytest.mark.parametrize(
    ("mark", "level", "verdict"),
    [("", "", "property"), ("WEAK", "", "property"), ("STRONG", "", "holds"), ("STRONG", "{faulty}", "property")],
)
def test_a_process_picks_each_normal_branch_again_and_again(mark: str, level: str, verdict: str) -> None:
    """Who comes to it again and again and is elsewhere meanwhile cannot always pick."""
    m = machine(COIN.replace("{mark}", mark).replace("{level}", level))
    assert verdicts(m) == {"both": verdict}
    assert len(assumed_fairness(m, "", [])) == {"": 0, "{faulty}": 1}.get(level or mark, 2)


def test_reductions_do_not_lose_it() -> None:
    m = machine(COIN.replace("{mark}", "STRONG").replace("{level}", ""))
    for names in (("por", "dead", "chains", "sym"), ("por",), ("dead", "chains")):
        found = check(m, request_from(reductions=names))
        assert found.verdict == "holds"
        assert all(not c.not_for or c.not_for == {"both": "assumes fair choices"} for c in found.reductions)


def test_beside_sets_of_values_it_is_left_to_the_search_value_by_value() -> None:
    m = machine(COIN.replace("{mark}", "STRONG").replace("{level}", ""))
    found = check(m, request_from(data="symbolic"))
    assert found.verdict == "inconclusive"
    assert "fair choices" in str(found.properties) + str(found.reason)


def test_a_property_process_has_no_fair_choice() -> None:
    diagnostics = Diagnostics()
    text = "MODULE M; VAR x : UINT8; PROPERTY P; BEGIN LOOP CHOICE STRONG RESCHEDULE | ACCEPT END END END P; END M."
    check_source(Source("M.lf", text), diagnostics)
    assert [(d.code, d.message) for d in diagnostics.items][:1] == [
        ("LF0802", "a property watches every run: it has no fair CHOICE")
    ]


def test_random_programs_agree_with_the_slow_judge() -> None:
    found = campaign(5, 16)
    assert found["holds by fairness"] + found["holds by fairness beside"] >= 2, found


def test_the_judge_tells_when_only_one_branch_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    of_choices = fairness.marked_choices

    def all_the_first(m: Machine) -> list[Fair]:
        found = of_choices(m)
        return [replace(f, picks=found[0].picks) for f in found]

    monkeypatch.setattr(fairness, "marked_choices", all_the_first)
    with pytest.raises(AssertionError):
        campaign(5, 60)
