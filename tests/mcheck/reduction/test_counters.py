"""Variables of modules that count have ranks, beside processes."""

from __future__ import annotations

import random

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.model.transitions import steps_of
from lfc.mcheck.reduction.por.counters import Counters, candidates
from lfc.mcheck.reduction.por.cycle_proviso import cycle_breakers
from tests.mcheck.reduction.outcomes import outcome
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.searched import machine_from

LOOPS = """MODULE Loops;
CONST N = {n};
VAR a : ARRAY N OF UINT8; i : UINT8;
PROCESS Loop(me : UINT8);
BEGIN
  LOOP
    WHILE a[me] < 4 DO {step}; RESCHEDULE END;
    {after}
  END
END Loop;
BEGIN
  FOR i := 0 TO N - 1 DO CREATE Loop(i) END
END Loops.
"""
AGAIN = "a[me] := 0; RESCHEDULE"


@pytest.mark.parametrize("step", ["INC(a[me])", "a[me] := a[me] + 1"])
@pytest.mark.parametrize(("after", "states"), [("EXIT", 27), (AGAIN, 39)])
def test_loops_over_an_array_of_the_module_are_reduced(step: str, after: str, states: int) -> None:
    """Where only processes had ranks they were 2,310 and 3,131."""
    machine = machine_from(LOOPS.format(n=5, step=step, after=after))
    full, reduced = outcome(machine), outcome(machine, "por")
    assert full is not None and reduced is not None
    assert (full[0], full[1], reduced[1]) == (reduced[0], 6**5 + 1, states)


def test_nine_loops_over_an_array_of_the_module() -> None:
    """Of ten million states. Who is enough alone is tried before any other, however many there are: 5,416 when only six
    were."""
    machine = machine_from(LOOPS.format(n=9, step="INC(a[me])", after=AGAIN))
    found = outcome(machine, "por", "chains")
    assert found is not None and found[1] == 62


def names_of(machine: Machine) -> tuple[list[str], list[str]]:
    """Variables that count, and those that do so where cycles are broken."""
    steps, _ = steps_of(machine)
    counted = Counters(machine, steps).of(cycle_breakers(machine, steps))
    return sorted(v.name for v in candidates(machine)), sorted(v.name for v in counted)


def test_what_goes_both_ways_does_not_count() -> None:
    text = """MODULE Both;
VAR up, down, both, set, other, round : UINT8; a : ARRAY 3 OF INT8;
PROCESS P;
VAR own : UINT8;
BEGIN
  LOOP
    INC(up); DEC(down, 2); INC(both); INC(own); a[0] := a[0] - 1; round := (round + 1) MOD 3; RESCHEDULE;
    DEC(both); set := other + 1; IF up > 3 THEN up := 0 END
  END
END P;
BEGIN CREATE P END Both.
"""
    assert names_of(machine_from(text)) == (["a", "down", "round", "up"], ["a", "down", "round", "up"])


STARVED = """MODULE Starved;
VAR n : UINT8;
PROCESS Rounds;
BEGIN
  LOOP INC(n); RESCHEDULE; IF n = 3 THEN n := 0 END; RESCHEDULE END
END Rounds;
PROCESS Last; BEGIN RESCHEDULE; RESCHEDULE; ASSERT(FALSE) END Last;
BEGIN CREATE Rounds; CREATE Last END Starved.
"""


def test_a_counter_that_is_set_anew_goes_back() -> None:
    """Else nobody but the one that counts would ever act."""
    machine = machine_from(STARVED)
    full, found = outcome(machine), outcome(machine, "por")
    assert full is not None and found is not None and found[0] == full[0] and len(found[0][2]) == 1
    with seeded(Fault.COUNTS):
        wrong = outcome(machine, "por")
    assert wrong is not None and not wrong[0][2]


def program(r: random.Random) -> str:
    """Processes that count in variables of a module, their own elements and others', and set them anew."""
    element = ["a[me]", "a[me]", "a[(me + 1) MOD 3]", "x", "b[me]"]

    def action() -> str:
        v, w = r.choice(element), r.choice(element)
        limit = r.randint(1, 3)
        return r.choice(
            [
                f"IF {v} < {limit} THEN INC({v}) END",
                f"{v} := ({v} + 1) MOD {limit + 1}",
                f"IF {v} > 0 THEN DEC({v}) END",
                f"{v} := 0",
                f"IF {v} = {w} THEN {w} := {limit} END",
                f"ASSERT(~(({v} = {limit}) & ({w} = {r.randint(0, 3)})))",
                f"IF {v} = {limit} THEN EXIT END",
            ]
        )

    def loop() -> str:
        body = "; ".join(x for _ in range(r.randint(1, 3)) for x in (action(), "RESCHEDULE")[: r.randint(1, 2)])
        return f"LOOP {body}; RESCHEDULE END"

    kinds = [
        f"PROCESS P{k}(me : UINT8);\nBEGIN\n  {loop()}; {action().replace('EXIT', 'x := 1')}\nEND P{k};"
        for k in range(2)
    ]
    created = "; ".join(f"CREATE P{r.randrange(2)}({k})" for k in range(3))
    head = "MODULE Counts;\nVAR a : ARRAY 3 OF UINT8; b : ARRAY 3 OF INT8; x : UINT8;\n"
    return head + "\n".join(kinds) + f"\nBEGIN {created} END Counts.\n"


SETS = [("por",), ("por", "chains"), ("por", "dead", "chains")]


def agree(seed: int) -> int:
    """How many states fewer `por` leaves."""
    machine = machine_from(program(random.Random(seed)))
    full = outcome(machine)
    if full is None:
        return 0
    found = [outcome(machine, *names) for names in SETS]
    for names, reduced in zip(SETS, found, strict=True):
        assert reduced is not None
        deadlocks, ends, faults, stuck = reduced[0]
        exact = "dead" not in names
        assert (faults, stuck) == full[0][2:], (seed, names)
        assert not exact or (deadlocks, ends) == full[0][:2], (seed, names)
    return full[1] - (found[0] or full)[1]


def test_random_programs_that_count_have_the_same_errors() -> None:
    assert sum(agree(seed) > 0 for seed in range(20)) > 7
