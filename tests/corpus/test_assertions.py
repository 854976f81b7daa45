"""The right programs say with ASSERT what they compute. The naive evaluator runs them, in several orders, without a
fault: a second opinion on the programs, and on the language reference that they follow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.naive.evaluator import possible_events, step
from tests.naive.policies import DrawAtRandom, Policy, TakeFirst
from tests.naive.state import State
from tests.support.programs import Case, cases_in, check

# Their answers come from an environment, which the naive evaluator does not play; no body is at hand for EXTERNAL.
NOT_ALONE = {"environment_inputs", "environment_device", "environment_choice", "external_process", "external_effects"}
CASES = [c for c in cases_in(Path(__file__).resolve().parent / "right") if c.name not in NOT_ALONE]
STEPS = 1_000
POLICIES: dict[str, Callable[[], Policy]] = {
    "first": TakeFirst,
    "seed 1": lambda: DrawAtRandom(1),
    "seed 2": lambda: DrawAtRandom(2),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("case", CASES, ids=lambda c: c.name)
def test_assertions_hold(case: Case, policy: str) -> None:
    monitors = [f for f in case.environments if f.read_text(encoding="utf-8").find("\nMONITOR ") >= 0]
    program, _ = check(case.main, monitors)
    assert program is not None
    state = State.initial(program)
    decides = POLICIES[policy]()
    for _ in range(STEPS):
        if not possible_events(state):
            break
        step(state, decides)
        assert state.fault is None, f"{case.name}: fault {state.fault.kind} at {state.fault.span}"


def test_most_programs_assert_something() -> None:
    asserting = [c.name for c in CASES if any("ASSERT(" in f.read_text(encoding="utf-8") for f in c.files)]
    assert len(asserting) >= 40
