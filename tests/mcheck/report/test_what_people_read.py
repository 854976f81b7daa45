"""Counterexamples as people read them: what changed and nothing more, servers folded, guards that were false."""

from __future__ import annotations

from lfc.mcheck.check import check
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from tests.actions.machines import machine_of_text

TABLE = """MODULE Table;
TYPE Pair = RECORD x, y : UINT8 END;
VAR a : ARRAY 8 OF UINT8; p : ARRAY 2 OF Pair; text : ARRAY 6 OF CHAR; big : ARRAY 6 OF UINT8;
PROCESS P;
VAR own : ARRAY 3 OF BOOLEAN; i : INTEGER;
BEGIN
  a[3] := 5; p[1].y := 2; own[2] := TRUE; text := "hi";
  RESCHEDULE;
  FOR i := 0 TO 5 DO big[i] := UINT8(i) + 1 END; i := 0;
  RESCHEDULE;
  ASSERT(a[3] = 0)
END P;
BEGIN CREATE P END Table.
"""


def steps_of(text: str) -> list[str]:
    machine = machine_of_text(text)
    return tell(machine, check(machine, request_from(threads=1))).splitlines()


def test_of_arrays_and_records_only_what_changed_is_shown() -> None:
    lines = steps_of(TABLE)
    first = next(line for line in lines if "a[3] = 5" in line)
    assert first.split("   ")[-1] == 'a[3] = 5, p[1].y = 2, text = "hi", P.own[2] = TRUE'


def test_of_what_changed_all_over_the_whole_is_shown() -> None:
    line = next(line for line in steps_of(TABLE) if "big" in line and "reaches" in line)
    assert line.split("   ")[-1] == "big = [1, 2, 3, 4, 5, 6]"


SERVERS = """MODULE Servers;
TYPE Line = [ask(UINT8), answer];
PORT a, b, c : Line;
VAR full : BOOLEAN;
PROCESS Serve(line : Line) SERVER;
VAR n : UINT8;
BEGIN
  LOOP SELECT WHEN line?ask(n) & (n > 3) THEN full := TRUE WHEN line!answer & (full) THEN full := FALSE END END
END Serve;
PROCESS Client;
BEGIN
  a!ask(2)
END Client;
BEGIN
  NEW(a); NEW(b); NEW(c);
  CREATE Serve(a); CREATE Serve(b); CREATE Serve(c); CREATE Client
END Servers.
"""


def test_servers_that_begin_to_wait_share_a_line() -> None:
    lines = steps_of(SERVERS)
    assert "   2-4  Serve[0], Serve[1], Serve[2]: begin to wait" in lines
    assert any(line.startswith("     5  Client") for line in lines)


def test_clauses_that_their_guards_close_are_named() -> None:
    lines = steps_of(SERVERS)
    at = next(i for i, line in enumerate(lines) if line.startswith("  Serve[0] (a server) waits"))
    assert lines[at + 1 : at + 3] == [
        "    `line?ask(n)` cannot go: its guard `n > 3` was FALSE when it was tried",
        "    `line!answer` cannot go: its guard `full` was FALSE when it was tried",
    ]
    at = next(i for i, line in enumerate(lines) if line.startswith("  Serve[1] (a server) waits"))
    assert lines[at + 1] == "    `line!answer` cannot go: its guard `full` was FALSE when it was tried"
    assert not lines[at + 2].startswith("    ")


LONG = """MODULE Long;
VAR n : UINT16; lit : BOOLEAN;
PROPERTY p = FORMULA;
PROCESS P; BEGIN LOOP n := n + 1; RESCHEDULE; ASSERT(n < MOST); IF n = 400 THEN n := 0 END END END P;
BEGIN CREATE P END Long.
"""


def told_of(formula: str, most: int, all_steps: bool) -> list[str]:
    machine = machine_of_text(LONG.replace("FORMULA", formula).replace("MOST", str(most)))
    return tell(machine, check(machine, request_from(threads=1)), all_steps=all_steps).splitlines()


def test_of_a_long_counterexample_the_ends_are_shown() -> None:
    short = told_of("ALWAYS n < 1000", 250, all_steps=False)
    found = [n for n, line in enumerate(short) if "lines left out" in line]
    assert [short[n] for n in found] == ["   ...  152 lines left out: --full shows them"]
    assert short[found[0] - 1].startswith("    40  P") and short[found[0] + 1].startswith("   193  P")
    whole = told_of("ALWAYS n < 1000", 250, all_steps=True)
    assert len(whole) == len(short) - 1 + 152
    assert not any("left out" in line for line in told_of("ALWAYS n < 1000", 195, all_steps=False))


def test_of_a_long_cycle_too() -> None:
    short, whole = (told_of("EVENTUALLY lit", 500, all_steps) for all_steps in (False, True))
    assert [line for line in short if "left out" in line] == ["   ...  300 lines left out: --full shows them"]
    assert [line for line in short if "repeats forever" in line] == [
        line for line in whole if "repeats forever" in line
    ]
    assert len(whole) - len(short) == 299
