"""Partial-order reduction of processes with mixed SELECTs on channels that have one process at each end."""

from __future__ import annotations

import random

import pytest

from bench.checker.models import Model
from tests.mcheck.reduction.outcomes import outcome
from tests.mcheck.reduction.seeded import Fault, seeded
from tests.support.searched import machine_from

MILNER = """MODULE Milner;
CONST N = {n};
TYPE Token = [go]; Work = [start, done];
PORT link : ARRAY N OF Token; task : ARRAY N OF Work;
VAR i : INTEGER;
PROCESS Worker(w : Work) SERVER;
BEGIN LOOP w?start; RESCHEDULE; w!done END END Worker;
PROCESS Cell(from, to : Token; w : Work; first : BOOLEAN);
BEGIN
  IF first THEN to!go END;
  LOOP
    from?go;
    w!start;
    SELECT
      WHEN to!go THEN w?done
      WHEN w?done THEN to!go
    END
  END
END Cell;
BEGIN
  FOR i := 0 TO N - 1 DO NEW(link[i]); NEW(task[i]); CREATE Worker(task[i]) END;
  FOR i := 0 TO N - 1 DO CREATE Cell(link[i], link[(i + 1) MOD N], task[i], i = N - 1) END
END Milner.
"""


def test_milners_scheduler_with_workers() -> None:
    """They were 11,706 when a SELECT that offers more than one communication hindered all who wait for it, and 10,052
    when each round counted as progress."""
    found = outcome(machine_from(MILNER.format(n=6)), "por")
    assert found is not None and found[1] == 400


def random_network(r: random.Random) -> str:
    """A ring of processes, and perhaps a channel across; each speaks plainly and by SELECTs on all of its channels."""
    count = r.randrange(3, 5)
    ends = [(p, (p + 1) % count) for p in range(count)] + [(0, 2)] * r.randrange(2)
    text = [f"MODULE Net; TYPE C = [a, b]; PORT c : ARRAY {len(ends)} OF C; VAR i, shared : INTEGER;"]
    created = []
    for p in range(count):
        own = [k for k, e in enumerate(ends) if p in e]
        events = [f"p{k}{'!' if ends[k][0] == p else '?'}{m}" for k in own for m in "ab"]
        body = "; ".join(random_statement(r, events) for _ in range(r.randrange(2, 4)))
        body = f"LOOP {body}; RESCHEDULE END" if r.random() < 0.5 else f"FOR j := 1 TO 2 DO {body} END"
        ports = ", ".join(f"p{k}" for k in own)
        text.append(f"PROCESS P{p}({ports} : C); VAR x, j : INTEGER; BEGIN {body} END P{p};")
        created.append(f"CREATE P{p}({', '.join(f'c[{k}]' for k in own)})")
    text.append(f"BEGIN FOR i := 0 TO {len(ends) - 1} DO NEW(c[i]) END; {'; '.join(created)} END Net.")
    return "\n".join(text)


def random_statement(r: random.Random, events: list[str], within: bool = False) -> str:
    which = r.random()
    if which < 0.45 or (within and which < 0.85):
        return r.choice(events)
    if which < 0.85:
        then = [random_statement(r, events, True) if r.random() < 0.5 else f"x := {r.randrange(3)}" for _ in "12"]
        return f"SELECT {' '.join(f'WHEN {r.choice(events)} THEN {t}' for t in then)} END"
    if which < 0.95:
        return f"ASSERT((x # {r.randrange(3)}) OR (x = 0))"
    return "shared := shared + 1; RESCHEDULE; shared := 0"


def test_random_networks_have_the_same_ends_and_errors() -> None:
    r, compared, fewer = random.Random(2), 0, 0
    while compared < 25:
        machine = machine_from(random_network(r))
        full, reduced = outcome(machine), outcome(machine, "por")
        if full is None or reduced is None:
            continue
        compared += 1
        assert full[0] == reduced[0]
        fewer += reduced[1] < full[1]
    assert fewer >= 20


def random_crowd(r: random.Random) -> str:
    """Processes that all speak on the same two channels, and note with whom."""
    text = ["MODULE Crowd; TYPE C = [a(UINT8), b(UINT8)]; PORT c, d : C;"]
    for p in range(4):
        events = [f"{r.choice('cd')}{r.choice('!?')}{r.choice('ab')}" for _ in range(r.randrange(2, 5))]
        body = "; ".join(f"{e}({p})" if "!" in e else f"{e}(x); s := 4 * s + x" for e in events)
        text.append(f"PROCESS P{p}(c, d : C); VAR x, s : UINT8; BEGIN {body}; LOOP c?a(x) END END P{p};")
    return "\n".join([*text, f"BEGIN NEW(c); NEW(d); {'; '.join(f'CREATE P{p}(c, d)' for p in range(4))} END Crowd."])


def disagreements(seeds: range) -> tuple[int, int]:
    """Of random crowds: how many were compared, and have another outcome with the reduction."""
    compared = other = 0
    for seed in seeds:
        machine = machine_from(random_crowd(random.Random(seed)))
        full, reduced = outcome(machine), outcome(machine, "por")
        if full is not None and reduced is not None:
            compared += 1
            other += full[0] != reduced[0]
    return compared, other


def test_random_crowds_have_the_same_ends_and_errors() -> None:
    compared, other = disagreements(range(30))
    assert compared >= 25 and other == 0


@pytest.mark.parametrize("seed", [7, 19])
def test_what_lies_on_some_way_only_and_is_taken_to_come_before_is_seen(seed: int) -> None:
    with seeded(Fault.NEEDS):
        assert disagreements(range(seed, seed + 1)) == (1, 1)


def test_philosophers_whose_forks_are_processes_need_a_fork_before_they_put_it_down() -> None:
    """They were 840 and 4,061 when whoever may ever put down a fork hindered those who do."""
    for n, states in ((4, 398), (5, 1270)):
        machine = machine_from(Model("keepers", "keepers", {"N": n}).lf())
        found = outcome(machine, "por")
        assert found is not None and found[1] == states


TOGETHER = """MODULE Together;
TYPE C = [a]; D = [b(UINT8)]; E = [never];
PORT c : C; d : D; e : E;
VAR v : UINT8;
PROCESS Asks(c : C); BEGIN c!a END Asks;
PROCESS Serves(c : C; d : D; e : E); VAR x : UINT8;
BEGIN
  SELECT
    WHEN c?a THEN
    WHEN d?b(x) THEN
  END;
  e?never
END Serves;
PROCESS Takes(d : D; e : E); VAR x : UINT8; BEGIN v := 1; d?b(x); e?never END Takes;
PROCESS Gives(d : D); VAR x : UINT8; BEGIN x := v + 1; d!b(x) END Gives;
BEGIN
  NEW(c); NEW(d); NEW(e);
  CREATE Asks(c); CREATE Serves(c, d, e); CREATE Takes(d, e); CREATE Gives(d)
END Together.
"""


def test_what_a_server_attempts_together_with_what_a_client_waits_for_is_looked_at() -> None:
    """`Takes` waits with the same as `Serves`. Had `Asks` come first, `Serves` would not wait, and `Gives`, which saw
    that `Takes` was there, would always meet that one."""
    machine = machine_from(TOGETHER)
    full, reduced = outcome(machine), outcome(machine, "por")
    assert full is not None and reduced is not None
    assert (full[0][0], reduced[0][0]) == (4, 4)
    with seeded(Fault.BESIDE):
        found = outcome(machine_from(TOGETHER), "por")
    assert found is not None and found[0][0] == 3
