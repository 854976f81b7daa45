"""Properties that measure time: verdicts at the bound and beside it, the times of counterexamples, who refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.certificates.certify import NotCertified, certify
from lfc.mcheck.check import check
from lfc.mcheck.model.clocks import ClockNotKept
from lfc.mcheck.properties.lasso import ViolatingRun
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.actions.machines import machine_of_text
from tests.cli.lfc import lfc

LAMP = """MODULE Lamp;
IMPORT Clock;
VAR pressed, lit : BOOLEAN;
PROPERTY p = FORMULA;
PROCESS P SERVER;
BEGIN
  LOOP
    Clock.Sleep(5); pressed := TRUE; Clock.Sleep(20); lit := TRUE; RESCHEDULE; pressed := FALSE;
    Clock.Sleep(31); lit := FALSE
  END
END P;
BEGIN CREATE P END Lamp.
"""


def checked(text: str, formula: str, mode: str = "ordered", environment: str | None = None) -> CheckResult:
    machine = machine_of_text(text.replace("FORMULA", formula), environment)
    return check(machine, request_from(time=mode, threads=1))


@pytest.mark.parametrize("mode", ["ordered", "discrete"])
@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        ("ALWAYS (pressed IMPLIES EVENTUALLY lit WITHIN 20 MS)", True),
        ("ALWAYS (pressed IMPLIES EVENTUALLY lit WITHIN 19 MS)", False),
        ("EVENTUALLY lit WITHIN 25 MS", True),
        ("EVENTUALLY lit WITHIN 24 MS", False),
        ("~(EVENTUALLY lit WITHIN 25 MS)", False),
        ("~(EVENTUALLY lit WITHIN 24 MS)", True),
        ("ALWAYS ~lit FOR 24 MS", True),
        ("ALWAYS ~lit FOR 25 MS", False),
        ("ALWAYS (pressed & lit IMPLIES ALWAYS lit FOR 30 MS)", True),
        ("ALWAYS (pressed & lit IMPLIES ALWAYS lit FOR 31 MS)", False),
        ("ALWAYS EVENTUALLY (ALWAYS ~lit FOR 24 MS)", True),
        ("ALWAYS EVENTUALLY (ALWAYS ~lit FOR 25 MS)", False),
        ("EVENTUALLY ALWAYS (EVENTUALLY lit WITHIN 25 MS)", True),
        ("EVENTUALLY ALWAYS (EVENTUALLY lit WITHIN 24 MS)", False),
        ("ALWAYS ((EVENTUALLY lit WITHIN 20 MS) IFF (pressed OR lit))", False),
    ],
)
def test_bounds_are_exact(formula: str, holds: bool, mode: str) -> None:
    assert checked(LAMP, formula, mode).verdict == ("holds" if holds else "property")


def run_of(found: CheckResult) -> ViolatingRun:
    (finding,) = found.findings
    assert finding.run is not None
    return finding.run


def test_a_counterexample_tells_the_times() -> None:
    run = run_of(checked(LAMP, "ALWAYS (pressed IMPLIES EVENTUALLY lit WITHIN 19 MS)"))
    assert (len(run.steps), run.lost, run.shortest) == (5, True, True)
    assert run.atoms == [["at 0 ms", "~pressed", "~lit"], [], ["at 5 ms"], ["pressed"], ["at 25 ms"]]
    assert run.automaton[-2].endswith(", 0 of 19 ms")


TIMELESS = """MODULE Timeless;
IMPORT Clock;
VAR lit : BOOLEAN;
PROPERTY p = FORMULA;
PROCESS Spins SERVER; BEGIN LOOP RESCHEDULE END END Spins;
PROCESS Lights; BEGIN Clock.Sleep(1); lit := TRUE END Lights;
BEGIN CREATE Spins; CREATE Lights END Timeless.
"""


def test_where_time_stands_still_nothing_comes_in_time() -> None:
    assert checked(TIMELESS, "EVENTUALLY lit WITHIN 100 MS").verdict == "property"
    assert checked(TIMELESS, "ALWAYS ~lit FOR 100 MS").verdict == "holds"


def test_a_run_that_has_ended_lasts() -> None:
    text = TIMELESS.replace("CREATE Spins; ", "")
    assert checked(text, "EVENTUALLY (ALWAYS lit FOR 1000 MS)").verdict == "holds"
    assert checked(text, "EVENTUALLY ~lit WITHIN 0 MS").verdict == "holds"
    assert checked(text, "ALWAYS (lit IMPLIES EVENTUALLY ~lit WITHIN 1000 MS)").verdict == "property"


BUTTON = """MODULE Button;
IMPORT Clock, SYSTEM;
VAR pressed, lit : BOOLEAN;
PROPERTY p = FORMULA;
PROCESS P SERVER;
BEGIN
  LOOP
    SYSTEM.INT[1]?INTERRUPT; pressed := TRUE;
    Clock.Sleep(10); lit := TRUE; RESCHEDULE; pressed := FALSE; Clock.Sleep(40); lit := FALSE
  END
END P;
BEGIN CREATE P END Button.
"""


def test_open_programs_are_explored_by_the_millisecond() -> None:
    """An interrupt that nobody waits for stays pending: the light is on again at once."""
    assert checked(BUTTON, "ALWAYS (pressed IMPLIES EVENTUALLY lit WITHIN 10 MS)").verdict == "holds"
    found = checked(BUTTON, "ALWAYS (lit & ~pressed IMPLIES EVENTUALLY ~lit WITHIN 39 MS)")
    assert found.verdict == "property"
    never = checked(BUTTON, "EVENTUALLY pressed WITHIN 1000 MS")  # it need not come
    assert never.verdict == "property"


def test_modes_without_time_refuse() -> None:
    with pytest.raises(ClockNotKept, match="needs --time ordered or --time discrete"):
        checked(LAMP, "EVENTUALLY lit WITHIN 25 MS", "free")


def test_the_command_says_which_mode_is_needed(tmp_path: Path) -> None:
    file = tmp_path / "Lamp.lf"
    file.write_text(LAMP.replace("FORMULA", "EVENTUALLY lit WITHIN 25 MS"))
    refused = lfc("check", str(file))
    assert refused.exit == 2
    assert "a property measures time (WITHIN, FOR), which needs --time ordered or --time discrete" in refused.err
    assert lfc("check", str(file), "--time", "ordered").exit == 0


def test_there_are_no_certificates_of_it() -> None:
    machine = machine_of_text(LAMP.replace("FORMULA", "EVENTUALLY lit WITHIN 25 MS"))
    with pytest.raises(NotCertified, match="measures time"):
        certify(machine, "p", [], 1000)


COUNTED = """MODULE Counted;
IMPORT Clock, SYSTEM;
VAR lit : BOOLEAN; t : UINT32;
PROPERTY p = FORMULA;
PROCESS P SERVER;
BEGIN BODY END P;
BEGIN CREATE P END Counted.
"""
LIT = "lit := TRUE; t := Clock.Now MOD 2"  # a clock that is counted: its value is kept in part


@pytest.mark.parametrize("clock", [100, 300])
@pytest.mark.parametrize(
    ("formula", "body"),
    [
        ("EVENTUALLY lit WITHIN 150 MS", f"SYSTEM.INT[1]?INTERRUPT; {LIT}"),
        (
            "(EVENTUALLY lit WITHIN 120 MS) OR (ALWAYS ~lit)",
            f"SELECT WHEN SYSTEM.INT[1]?INTERRUPT THEN {LIT} WHEN Clock.After(160) THEN END",
        ),
    ],
)
def test_what_comes_after_the_wrap_of_the_clock_is_tried(formula: str, body: str, clock: int) -> None:
    machine = machine_of_text(COUNTED.replace("FORMULA", formula).replace("BODY", body))
    found = check(machine, request_from(time="discrete", threads=1, clock_wrap=clock, allow_deadlocks=True))
    assert found.properties[0]["verdict"] != "holds", found.properties
