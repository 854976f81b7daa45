"""Generated programs are accepted, show every production, and run the same way twice."""

from __future__ import annotations

import pytest

from lfc.semantics.bounds import channel_bound, instance_bounds
from tests.generate.coverage import count_productions, missing, programs
from tests.generate.general.program import PURPOSES, Profile, generate
from tests.generate.recipes import text_of
from tests.naive.bounds import Bounds
from tests.naive.evaluator import possible_events, step
from tests.naive.explorer import Conventions, explore
from tests.naive.policies import DrawAtRandom
from tests.naive.running import program_of
from tests.naive.state import State

COUNT = 500
SHARES = 5


@pytest.mark.parametrize("share", range(SHARES))
def test_all_are_accepted(share: int) -> None:
    """And the room for processes, calls and channels is what the compiler counts."""
    for seed in range(share, COUNT, SHARES):
        program = program_of(generate(seed, Profile(small=seed % 3 == 0, properties=seed % 5 == 0)).text, f"{seed}.lf")
        mine, theirs = Bounds.derived(program), instance_bounds(program)
        for p, instances in mine.instances.items():
            assert instances in (theirs[p].max_instances, 0), f"{seed}: {p.name}"
        assert {p.name: n for p, n in mine.calls.items()} == {p.name: theirs[p].max_calls for p in mine.calls}
        channels = channel_bound(program)
        assert mine.channels == channels, seed


def test_they_show_every_production() -> None:
    texts = [
        *programs(0, 200),
        *(text_of(name, seed) for name in ("computing", "drivers", "marked", "fixed", "choices") for seed in range(60)),
    ]
    assert missing(count_productions(texts)) == []


def test_a_program_is_always_the_same_and_seeds_differ() -> None:
    texts = [generate(seed).text for seed in range(50)]
    assert texts == [generate(seed).text for seed in range(50)]
    assert len(set(texts)) == 50


def test_a_share_goes_wrong_on_purpose() -> None:
    assert sum(p != "calm" for p in PURPOSES) / len(PURPOSES) >= 0.2
    drawn = [generate(seed).purpose for seed in range(300)]
    assert sum(p != "calm" for p in drawn) >= 60
    assert {"calm", "fault", "assertion", "deadlock", "partial-deadlock"} == set(drawn)


@pytest.mark.parametrize("share", range(3))
def test_a_recorded_run_can_be_followed(share: int) -> None:
    for seed in range(share, 60, 3):
        program = program_of(generate(seed, Profile(small=seed % 2 == 0)).text, f"{seed}.lf")
        state, again = State.initial(program), State.initial(program)
        policy = DrawAtRandom(seed)
        for _ in range(60):
            if not possible_events(state):
                break
            before = state.key()
            kept = state.copy()
            items = step(state, policy)
            assert kept.key() == before, f"{seed}: a copy changed with its original"
            step(again, items)
            assert (again.key(True), again.fault) == (state.key(True), state.fault), seed


@pytest.mark.parametrize("purpose", ["fault", "assertion", "deadlock", "partial-deadlock"])
def test_what_goes_wrong_on_purpose_is_found(purpose: str) -> None:
    """In most of the small programs whose states can all be seen."""
    met = complete = 0
    for seed in range(12):
        profile = Profile(size=1, small=True, inputs=False, interrupts=False, purpose=purpose)
        found = explore(program_of(generate(seed, profile).text, f"{seed}.lf"), Conventions(most_states=500))
        complete += found.complete
        met += found.complete and purpose in found.kinds
    assert complete >= 4
    assert met >= complete / 2 if "deadlock" in purpose else met >= 1
