"""Properties in the debugger: it stops where the checker's counterexample ends, both ways."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.debugger.driver import Driver, at_once, never
from lfc.debugger.program import Launch, load
from lfc.debugger.stops import Stop
from tests.cli.lfc import lfc
from tests.debugger.client import Client
from tests.debugger.programs import CROSSING, PRODCONS


@pytest.fixture
def crossing(tmp_path: Path) -> Path:
    file = tmp_path / "Crossing.lf"
    file.write_text(CROSSING)
    return file


def driver_of(file: Path, trace: str = "") -> Driver:
    return Driver(load(Launch(str(file), trace)), lambda _: None)


def told(stop: Stop) -> tuple[str, str, str]:
    return stop.reason, stop.exception, stop.text


ALONE = ("exception", "property", "property `alone` violated")
OPENS = ("exception", "property", "property `opens` violated: the program stays in this state")


def test_where_the_counterexample_of_the_checker_ends(crossing: Path) -> None:
    command = ("check", crossing, "--property", "alone", "--trace", "alone.trace")
    assert lfc(*command, cwd=crossing.parent).exit == 5
    d = driver_of(crossing, str(crossing.parent / "alone.trace"))
    assert d.stepper.trace_end == 3
    stop = d.forwards(never)
    assert told(stop) == ALONE and d.stepper.at == 3
    assert stop.details == ["alone: ~(inside < 2)", "the trace ends here; from here on the scheduler decides"]


def test_both_ways_and_past_it(crossing: Path) -> None:
    d = driver_of(crossing)
    assert told(d.forwards(never)) == ALONE
    at = d.stepper.at
    assert d.backwards(at_once).exception == ""
    assert told(d.forwards(at_once)) == ALONE and d.stepper.at == at
    assert told(d.forwards(never)) == OPENS and d.stepper.at > at + 2
    assert told(d.backwards(never)) == ALONE and d.stepper.at == at
    assert d.backwards(never).text == "the start of the program"


def test_another_way_is_judged_anew(crossing: Path) -> None:
    """One walker goes through before the other begins."""
    d = driver_of(crossing)
    assert told(d.forwards(never)) == ALONE
    while d.stepper.at > 1:
        d.stepper.back()
    first = next(e for e in d.stepper.choices() if e.items[0].name == "run")
    for _ in range(3):
        event = next(e for e in d.stepper.choices() if e.items[0].operands == first.items[0].operands)
        assert d.take(event).reason == "step"
    assert told(d.forwards(never)) == OPENS


def test_an_editor_is_told(crossing: Path) -> None:
    with Client() as c:
        c.launch(crossing)
        assert c.start() == "exception: property `alone` violated (step 3)"
        assert c.ask("exceptionInfo", threadId=c.thread)["exceptionId"] == "property"
        assert c.go("continue").startswith("exception: property `opens` violated")
        c.ask("continue", threadId=c.thread)
        assert c.wait("exited") == {"exitCode": 5}


def test_what_is_not_watched_is_said(tmp_path: Path) -> None:
    file = tmp_path / "Timed.lf"
    file.write_text(CROSSING.replace("EVENTUALLY open", "EVENTUALLY open WITHIN 5 MS").replace("Crossing", "Timed"))
    d = driver_of(file)
    assert d.properties.left_out == ["property `opens` is not watched: it measures time"]
    assert driver_of(PRODCONS).properties.watched is None
