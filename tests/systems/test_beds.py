"""A greenhouse on one line: three sensors and a pump. A sensor that falls silent is noticed, and its bed stays dry."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.network import Network
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from tests.conftest import ROOT
from tests.systems.following import follower
from tests.systems.loading import machine_of

BEDS = ROOT / "examples" / "systems" / "beds"
CHOICE = "SELECT WHEN tells!is(~wet) THEN ELSE END"


def copied(folder: Path, into: str = CHOICE) -> Path:
    for file in BEDS.iterdir():
        (folder / file.name).write_text(file.read_text().replace(CHOICE, into))
    return folder / "two.toml"


@pytest.mark.slow
def test_two_beds() -> None:
    result = check(machine_of(BEDS / "two.toml"), request_from(reductions="por,dead", threads=1))
    assert (result.verdict, result.states, result.transitions) == ("holds", 86_956, 203_595)
    assert {p["name"]: p["verdict"] for p in result.properties} == {
        "onlyForDryBeds": "holds",
        "silenceIsSeen": "holds",
        "staysDry": "holds",
    }


@pytest.mark.slow
def test_a_sensor_that_waits_for_its_line_hangs(tmp_path: Path) -> None:
    two = copied(tmp_path, "tells!is(~wet)")
    result = check(machine_of(two), request_from(reductions="por,dead", threads=1))
    assert result.verdict == "partial-deadlock"
    assert result.findings[0].message == "north.Look waits forever while other processes continue"


class Pulled(Network):
    """The line of the board `north` is cut after a second and a half."""

    CUT = 7500  # steps

    def _said(self, name: str, data: bytes) -> None:
        if self.now < self.CUT or name != "north":
            super()._said(name, data)


@pytest.mark.slow
def test_images_on_one_line() -> None:
    """Nothing drives the probes, so they are low: dry. What the pump knows before the cut, and three seconds later."""
    run = follower(BEDS / "beds.toml", network=Pulled)
    for seconds, known in ((1.4, [2, 2, 2]), (3.4, [0, 2, 2])):
        told = run.run(seconds)
        assert (told.verdict, told.lines) == ("agrees", [])
        assert [list(content) for name, _, content in run.watched["pump"].seen if name == "pump.known"] == [known]
