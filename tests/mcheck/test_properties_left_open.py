"""What is said of properties never goes beyond what was shown: where states may be missing none is said to hold."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.differential.stepwise import machine_of_source

MEASURES = """MODULE Measures;
IMPORT Clock;
VAR t : UINT32; bad : BOOLEAN; n : 0 .. 3;
PROPERTY never = ALWAYS ~bad;
PROPERTY again = ALWAYS ((n = 0) IMPLIES EVENTUALLY (n = 1));
BEGIN
  LOOP
    Clock.Sleep(3);
    n := (n + 1) MOD 4;
    IF Clock.Now - t > 30 THEN bad := TRUE END
  END
END Measures.
"""
NO_CLOCK = MEASURES.replace("Clock.Now - t > 30", "t > 30")


def checked(text: str, **asked: object) -> tuple[CheckResult, list[str]]:
    machine = machine_of_source(Source(f"{text.split()[1][:-1]}.lf", text))
    result = check(machine, request_from(threads=1, **asked))
    return result, tell(machine, result).splitlines()


@pytest.mark.parametrize("asked", [{}, {"data": "symbolic"}, {"strategy": "depth"}], ids=["", "symbolic", "depth"])
def test_as_the_clock_stands_nothing_holds(asked: dict[str, object]) -> None:
    result, lines = checked(MEASURES, **asked)
    assert lines[0] == "inconclusive: only one value of some inputs was tried"
    assert [p["verdict"] for p in result.properties] == ["inconclusive", "inconclusive"]
    assert [line for line in lines if line.startswith("property never")] == [
        f"property never: inconclusive, product of {result.properties[0]['states']} states"
    ]
    assert not any("holds" in line or "never reached" in line for line in lines)
    result, lines = checked(NO_CLOCK, **asked)
    assert [p["verdict"] for p in result.properties] == ["holds", "holds"] and lines[0].startswith("holds: ")


def test_a_violation_is_one_whatever_else_is_open() -> None:
    text = MEASURES.replace("(n = 1));", "(n = 1));\nPROPERTY low = ALWAYS (n < 2);")
    text = text.replace("BEGIN\n", "BEGIN\n  n := 2;\n  RESCHEDULE;\n")
    result, lines = checked(text, keep_going=True)
    told = {p["name"]: p["verdict"] for p in result.properties}
    assert told == {"never": "inconclusive", "again": "inconclusive", "low": "property"}
    assert result.verdict == "property"
    assert "  only one value of some inputs was tried" in lines


@pytest.mark.parametrize("store", ["hash", "bitstate"])
def test_what_may_have_omitted_states_says_of_nothing_that_it_holds(store: str) -> None:
    result, _ = checked(NO_CLOCK, strategy="depth", store=store, memory=1 << 22)
    assert result.verdict == "inconclusive" and result.reason.startswith("not a proof: states are distinguished by")
    assert {(p["verdict"], p["reason"]) for p in result.properties} == {("inconclusive", result.reason)}
