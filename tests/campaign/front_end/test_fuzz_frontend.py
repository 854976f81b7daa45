"""CI's share of the fuzz campaign, and every input that ever failed."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.campaign.front_end.drive_frontend import seed_programs, write_modules
from tests.campaign.front_end.fuzz_frontend import CRASHES, campaign, failure_of
from tests.campaign.front_end.minimise import minimise
from tests.campaign.front_end.mutate import make_input
from tests.support.seeds import seed_of_this_run

SHARES = 3
INPUTS_OF_A_SHARE = 500


@pytest.mark.slow
@pytest.mark.parametrize("share", range(SHARES))
def test_share_of_the_campaign(share: int) -> None:
    seed = seed_of_this_run() * SHARES + share
    failures = campaign(seed, INPUTS_OF_A_SHARE, jobs=1)
    said = [f"input {f.index}: {f.signature}\n{f.detail}{f.content[:500]!r}" for f in failures]
    command = f"python -m tests.campaign.front_end.fuzz_frontend --seed {seed} --count {INPUTS_OF_A_SHARE}"
    assert not failures, "\n".join([*said, f"{command} minimises and stores them"])


@pytest.mark.parametrize("file", sorted(CRASHES.glob("*.lf")), ids=lambda f: f.stem)
def test_what_failed_once(file: Path, tmp_path: Path) -> None:
    write_modules(tmp_path)
    failure = failure_of(file.read_bytes(), tmp_path, 0, "_environment" in file.name)
    assert failure is None, failure.detail


def test_an_input_is_always_the_same_and_seeds_differ() -> None:
    pool = seed_programs()
    assert len(pool) > 50
    inputs = [make_input(pool, 1, i) for i in range(300)]
    assert inputs == [make_input(pool, 1, i) for i in range(300)]
    assert len(set(inputs)) > 250
    assert inputs != [make_input(pool, 2, i) for i in range(300)]


def test_a_failure_is_found_and_minimised(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def fragile(content: bytes, folder: Path, *, as_environment: bool = False) -> None:
        if b"IF" in content and b"END" in content:
            raise IndexError("fragile")

    monkeypatch.setattr("tests.campaign.front_end.fuzz_frontend.drive", fragile)
    failures = campaign(1, 60, jobs=1)
    assert [f.signature.split()[0] for f in failures] == ["IndexError"]

    def fails_alike(content: bytes) -> bool:
        again = failure_of(content, tmp_path, 0, False)
        return again is not None and again.signature == failures[0].signature

    assert sorted(minimise(failures[0].content, fails_alike)) == sorted(b"IFEND")
