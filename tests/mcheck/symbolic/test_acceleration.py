"""Faults after very many rounds: how many follows by division, and what cannot be repeated is not told."""

from __future__ import annotations

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.symbolic import acceleration
from lfc.mcheck.symbolic.acceleration import rounds_until
from lfc.mcheck.symbolic.attempt import EFFORTS
from tests.actions.machines import machine_of_text

PROGRAM = """MODULE Main;
IMPORT SYSTEM;
VAR n : INTEGER; v : UINT8;
PROCESS Tick SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; BODY END END Tick;
BEGIN CREATE Tick END Main.
"""


@pytest.fixture(autouse=True)
def _hardly_any_exact_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of these ends."""
    monkeypatch.setattr("lfc.mcheck.symbolic.attempt.EFFORTS", EFFORTS[:2])


def with_body(body: str) -> CheckResult:
    request = request_from(data="symbolic", reductions=("auto",))
    return check(machine_of_text(PROGRAM.replace("BODY", body)), request)


def finding_of(result: CheckResult) -> Finding:
    assert result.verdict == "fault"
    (finding,) = result.findings
    return finding


@pytest.mark.parametrize(
    ("body", "rounds"),
    [
        ("INC(n)", "steps 4 to 5 are gone 2147483647 times"),
        ("n := n - 3", "steps 4 to 5 are gone 715827882 times"),
        ("v := PORTIN(78H); RESCHEDULE; IF v = 5 THEN n := n + 7 END", "are gone 306783378 times"),
        ("IF n < 100000 THEN INC(n) ELSE n := n DIV (n - 100000) END", "steps 4 to 5 are gone 100000 times"),
    ],
)
def test_the_fault_comes_after_so_many_rounds(body: str, rounds: str) -> None:
    assert rounds in finding_of(with_body(body)).rounds


CYCLE = "INC(n); IF v = 9 THEN v := 0; w := w + 2 ELSE INC(v) END"


def test_a_round_of_rounds_goes_back_to_where_all_but_sums_are_as_they_were() -> None:
    """Ten pulses, each of two steps: one variable counts them, one counts to ten, one counts the tens."""
    text = PROGRAM.replace("v : UINT8", "v : UINT8; w : INTEGER").replace("BODY", CYCLE)
    finding = finding_of(check(machine_of_text(text), request_from(data="symbolic", reductions=("auto",))))
    assert "are gone 214748364 times" in finding.rounds
    assert len(finding.steps) == 3 + 2 * 10 + 2 * 7 + 1


def test_it_is_told_so() -> None:
    machine = machine_of_text(PROGRAM.replace("BODY", "INC(n)"))
    text = tell(machine, check(machine, request_from(data="symbolic", reductions=("auto",))))
    assert "the operands are 2147483647 and 1" in text
    assert "one round can follow another (proved); the first and the last were replayed" in text


def test_what_is_set_back_is_not_repeated() -> None:
    result = with_body("INC(n); IF n >= 1000000 THEN n := 0 END")
    assert result.verdict == "holds"


def test_a_round_that_forgets_its_guard_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last round is replayed: past the guard it does something else."""
    monkeypatch.setattr(acceleration, "is_repeatable", lambda rounds: True)
    monkeypatch.setattr(acceleration, "rounds_until", lambda wanted, begin, by: 77)
    monkeypatch.setattr(acceleration, "long_rounds_to", lambda found, error: iter(()))
    assert with_body("INC(n)").verdict == "inconclusive"


def test_a_long_round_that_forgets_its_guard_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows the rounds is executed: the fault does not come."""
    monkeypatch.setattr(acceleration, "rounds_to", lambda found, error: iter(()))
    monkeypatch.setattr(acceleration, "times", lambda rounds: 77)
    monkeypatch.setattr(acceleration, "is_near", lambda *_: True)
    monkeypatch.setattr(acceleration, "MOST_LONG", 4)
    assert with_body("INC(n)").verdict == "inconclusive"


@pytest.mark.parametrize("seed", range(200))
def test_division_agrees_with_counting(seed: int) -> None:
    import random

    r = random.Random(seed)
    by = r.choice([-7, -3, -1, 1, 2, 5])
    begin, low = r.randint(-40, 40), r.randint(-60, 60)
    wanted = ((low, low + r.randint(0, 4)), (low + 20, low + 22))
    counted = next((k for k in range(200) if any(a <= begin + k * by <= b for a, b in wanted)), 0)
    assert rounds_until(wanted, begin, by) == counted
