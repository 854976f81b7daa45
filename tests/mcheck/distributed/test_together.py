"""What several processes find together is what one finds, and the naive explorer."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.checker.models import MODELS
from tests.mcheck.distributed.in_ranks import Task
from tests.mcheck.distributed.started import ORDERED, random_tasks, together
from tests.support.seeds import seed_of_this_run

EXAMPLES = ("blink", "buffer", "calls", "clockdemo", "hanoi", "pingpong", "prodcons", "peterson2", "queens")
ONE_COMPONENT = "MODULE Nothing; BEGIN END Nothing.\n"
INVARIANTS = """MODULE Meter;
VAR n, m : 0 .. 9;
PROPERTY below = ALWAYS (n < 9);
PROPERTY never = ALWAYS (m < {});
PROCESS Up; BEGIN WHILE n < 8 DO n := n + 1; RESCHEDULE END END Up;
PROCESS Also; BEGIN WHILE m < 5 DO m := m + 1; RESCHEDULE END END Also;
BEGIN CREATE Up; CREATE Also END Meter.
"""
LATER = """MODULE Later;
TYPE T = [go];
PORT a, b : T;
VAR x : 0 .. 99;
PROCESS Count; BEGIN LOOP x := (x + 1) MOD 30; RESCHEDULE END END Count;
PROCESS Left; BEGIN RESCHEDULE; b?go; a!go END Left;
PROCESS Right; BEGIN a?go; b!go END Right;
BEGIN NEW(a); NEW(b); CREATE Count; CREATE Left; CREATE Right END Later.
"""
SLEEPING = """MODULE Sleeping;
IMPORT Clock;
VAR n : 0 .. 9;
PROCESS A; BEGIN LOOP Clock.Sleep(20); n := (n + 1) MOD 4 END END A;
PROCESS B; BEGIN LOOP Clock.Sleep(30); ASSERT(n < {}) END END B;
BEGIN CREATE A; CREATE B END Sleeping.
"""
COUNTING = """MODULE Counting;
VAR a : ARRAY 3 OF 0 .. 9;
PROCESS Count(me : 0 .. 2);
BEGIN LOOP WHILE a[me] < 5 DO INC(a[me]); RESCHEDULE END; a[me] := 0; RESCHEDULE END END Count;
BEGIN CREATE Count(0); CREATE Count(1); CREATE Count(2) END Counting.
"""
RANDOM = 50


def fixed() -> list[Task]:
    found = [Task(f"examples/{name}.lf") for name in EXAMPLES]
    found += [Task(INVARIANTS.format(n)) for n in (6, 5, 3)]
    found.append(Task(INVARIANTS.format(3), {"keep_going": True}))
    found += [Task(LATER), Task(LATER, {"allow_deadlocks": True}), Task(ONE_COMPONENT, naive=True)]
    found += [Task(SLEEPING.format(n), {"time": "discrete"}) for n in (3, 4)]
    found += [Task("examples/blink.lf", {"reductions": ("dead",)}), Task("examples/queens.lf", depth=4)]
    found += [Task("examples/traffic.lf"), Task("examples/blink.lf", {"reductions": ("sym",)})]
    return found


def ordered() -> list[Task]:
    """With partial order reduction, which leaves states out in some of them."""
    found = [Task(f"examples/{name}.lf", ORDERED) for name in ("buffer", "queens")]
    found += [Task(LATER, {**ORDERED, "allow_deadlocks": True}), Task(COUNTING, ORDERED)]
    found.append(Task(INVARIANTS.format(3), ORDERED))
    small = {m.title: m.lf() for m in MODELS if m.small}
    found.append(Task(small["philosophers 5"], ORDERED | {"reductions": ("por", "dead")}))
    found.append(Task(small["leader election 6"], ORDERED))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [2, 3, 4])
def test_many_processes_find_what_one_finds(ranks: int, tmp_path: Path) -> None:
    """In each run a third of the random programs, and of the fixed ones those that the others leave."""
    of_all = [t for i, t in enumerate(fixed() + ordered()) if ranks == 3 or i % 3 == ranks % 3]
    first = seed_of_this_run() * 1_000_000 + 1000 * ranks
    found = together(ranks, of_all + random_tasks(first, 200), tmp_path, RANDOM // 3 + 1)
    assert [(f.what, f.difference) for f in found if f.difference] == []
    assert all(len(f.of_ranks) == ranks for f in found if not (f.refused or f.too_large))
    assert sum(f.naive for f in found) >= 4 and sum(f.handed_over for f in found) > 1000
    busy = [f.of_ranks for f in found if f.states > 500]
    assert busy and all(min(of) * 2 > max(of) for of in busy)  # each has its share
    if ranks == 3:
        refused = {f.what: f.refused for f in found if f.refused}
        assert refused == {
            "examples/traffic.lf": "property served is no invariant (choose others with --property)",
            "examples/blink.lf": "the reduction sym depends on what one process has found (dead and por do not)",
        }
        assert [f.states for f in found if "Leader election" in f.what] == [14_515]  # of 16,793
        kinds = {k for f in found for k in f.kinds}
        assert {"property", "partial-deadlock", "assertion"} <= kinds
