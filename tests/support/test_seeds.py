"""Which seed the tests and the campaigns have."""

from __future__ import annotations

import argparse
from datetime import date

import pytest

from tests.conftest import ROOT
from tests.support import seeds
from tests.support.seeds import add_seed, parsed, seed_of_this_run


def on_day(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    class Calendar(date):
        @classmethod
        def today(cls) -> Calendar:
            return cls.fromordinal(day.toordinal())

    monkeypatch.setattr(seeds, "date", Calendar)


DAYS = [date(2026, 1, 1), date(2031, 12, 24)]


def test_the_seed_of_the_tests_is_the_same_every_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LF_SEED", raising=False)
    for day in DAYS:
        on_day(monkeypatch, day)
        assert seed_of_this_run() == seeds.PINNED


def test_another_seed_by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LF_SEED", "7")
    assert seed_of_this_run() == 7
    monkeypatch.setenv("LF_SEED", "today")
    found = []
    for day in DAYS:
        on_day(monkeypatch, day)
        found.append(seed_of_this_run())
    assert found == [day.toordinal() for day in DAYS]


def test_ci_takes_no_seed_from_where_it_runs() -> None:
    assert "\nexec env -u LF_SEED ./test\n" in (ROOT / ".ci" / "run").read_text()


@pytest.mark.parametrize(("given", "seed"), [([], 1), (["--seed", "5"], 5), (["--seed", "today"], 739_252)])
def test_a_campaign_says_its_seed(
    given: list[str], seed: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    on_day(monkeypatch, date.fromordinal(739_252))
    monkeypatch.setattr("sys.argv", ["campaign", *given])
    parser = argparse.ArgumentParser()
    add_seed(parser)
    assert parsed(parser).seed == seed
    assert capsys.readouterr().out == f"seed {seed}\n"


def test_every_campaign_takes_its_seed_in_the_same_way() -> None:
    with_own = [
        file.name
        for file in (ROOT / "tests" / "campaign").rglob("*.py")
        if '"--seed", type=' in file.read_text() and file.name not in ("seeds.py", "test_seeds.py")
    ]
    assert with_own == []
