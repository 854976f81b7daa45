"""Counterexamples as people read them: places by line and column, what changed and nothing more, servers folded, guards
that were false, what each property comes to.
"""

from __future__ import annotations

import json

from lfc.mcheck.check import check
from lfc.mcheck.report.json_document import as_json
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


ONE_LINE = """MODULE OneLine;
VAR n, m : 0 .. 3;
PROCESS Up; VAR seen : 0 .. 3; BEGIN seen := n; RESCHEDULE; n := seen + 1; RESCHEDULE; m := n END Up;
BEGIN CREATE Up; RESCHEDULE; ASSERT(n # 1); RESCHEDULE; ASSERT(m # 1)
END OneLine.
"""


def test_statements_of_one_line_are_told_apart() -> None:
    lines = steps_of(ONE_LINE)
    assert [" ".join(line.split()) for line in lines[4:8]] == [
        "1 initialisation 1:8 reaches 4:18",
        "2 Up 3:9 reaches 3:49",
        "3 Up 3:49 reaches 3:76 n = 1",
        "4 initialisation 4:18 the assertion failed",
    ]


def test_the_document_has_the_steps_with_their_places() -> None:
    machine = machine_of_text(ONE_LINE)
    (error,) = json.loads(as_json(machine, check(machine, request_from(threads=1))))["errors"]
    assert [(s["process"], s["line"], s["column"], s["deed"], s["changed"]) for s in error["steps"]] == [
        ("initialisation", 1, 8, "reaches 4:18", {}),
        ("Up", 3, 9, "reaches 3:49", {}),
        ("Up", 3, 49, "reaches 3:76", {"n": "1"}),
        ("initialisation", 4, 18, "the assertion failed", {}),
    ]
    assert len(error["trace"]) == 4


ONE_SERVER = """MODULE OneServer;
TYPE Line = [put(UINT8)];
PORT c : Line;
VAR a : ARRAY 8 OF UINT8;
FORMULA
PROCESS Serve SERVER;
VAR x : UINT8;
BEGIN
  LOOP
    c?put(x);
    a[x] := x;
    ASSERT(x # 2)
  END
END Serve;
PROCESS Ask;
VAR i : UINT8;
BEGIN
  FOR i := 0 TO 2 DO c!put(i) END;
  LOOP RESCHEDULE; a[0] := 1 - a[0] END
END Ask;
BEGIN NEW(c); CREATE Serve; CREATE Ask END OneServer.
"""


def test_a_single_server_that_begins_to_wait_stands_behind_the_step_before() -> None:
    text = ONE_SERVER.replace("FORMULA", "")
    lines = [" ".join(line.split()) for line in steps_of(text)[4:10]]
    assert lines == [
        "1-2 initialisation 1:8 ends; Serve begins to wait c = channel 1",
        "3-4 Ask 15:9 sends put to Serve; Serve begins to wait",
        "5 Ask 18:22 sends put to Serve Serve.x = 1, Ask.i = 1",
        "6 Serve 10:5 waits at 10:5: c?put(x) a[1] = 1",  # it does more than wait
        "7 Ask 18:22 sends put to Serve Serve.x = 2, Ask.i = 2",
        "8 Serve 10:5 the assertion failed",
    ]
    machine = machine_of_text(text)
    whole = tell(machine, check(machine, request_from(threads=1)), all_steps=True).splitlines()
    assert [line[:8].strip() for line in whole[4:12]] == [str(n) for n in range(1, 9)]  # --full unfolds


def test_in_runs_without_end_too_but_not_across_the_begin_of_the_cycle() -> None:
    formula = "PROPERTY quiet = EVENTUALLY ALWAYS (a[0] = 1);"
    lines = steps_of(ONE_SERVER.replace("FORMULA", formula).replace("ASSERT(x # 2)", "ASSERT(x # 3)"))
    begin = next(n for n, line in enumerate(lines) if "repeats forever" in line)
    assert any("; Serve begins to wait" in line for line in lines[:begin])
    numbers = [line[:8].strip() for line in lines[:begin] if line[:8].strip()[:1].isdecimal()]
    last = int(numbers[-1].split("-")[-1])
    assert lines[begin + 1][:8].strip().split("-")[0] == str(last + 1)


TYPED = """MODULE Typed;
IMPORT Clock, In;
TYPE Colour = (red, green);
VAR lamp : Colour; ch : CHAR;
PROCESS Lamp(VAR c : Colour; first : Colour);
BEGIN
  In.Char(ch);
  Clock.Sleep(5);
  c := green;
  RESCHEDULE;
  ASSERT(ch # 'x')
END Lamp;
BEGIN CREATE Lamp(lamp, red) END Typed.
"""


def test_characters_are_shown_and_names_of_the_same_variable_are_not() -> None:
    lines = [" ".join(line.split()) for line in steps_of(TYPED)]
    assert any(line.startswith("2 Lamp 5:9 reads 'x' from the console; reaches In.lf:16:5") for line in lines)
    (changed,) = [line for line in lines if "lamp = green" in line]
    assert changed.endswith(
        "reaches 10:3 lamp = green"
    )  # not Lamp.c as well; nor is red, as it begins, news at the start
    assert not any("= red" in line for line in lines)


def test_where_a_sleep_ends_in_a_counterexample_the_order_of_deadlines_is_offered() -> None:
    machine = machine_of_text(TYPED)
    told = tell(machine, check(machine, request_from(threads=1)))
    assert told.count("sleeps end at any time here; --time ordered: in the order of their deadlines") == 1
    ordered = tell(machine, check(machine, request_from(threads=1, time="ordered")))
    assert "any time here" not in ordered and "--time ordered" in ordered
    assert "any time here" not in "\n".join(steps_of(ONE_LINE))


SEVERAL = """MODULE Several;
VAR x, y : UINT8;
PROPERTY a = ALWAYS (x < 2);
PROPERTY b = ALWAYS (y < 2);
PROPERTY c = ALWAYS (x + y < 6);
PROPERTY d = ALWAYS (x < 200);
PROCESS P;
BEGIN
  LOOP
    x := 2; y := 2; RESCHEDULE; x := 3; RESCHEDULE; y := 3; RESCHEDULE; x := 0; y := 0; RESCHEDULE
  END
END P;
BEGIN CREATE P END Several.
"""


def test_each_property_has_its_verdict_or_is_told_to_have_none() -> None:
    machine = machine_of_text(SEVERAL)
    first = check(machine, request_from(threads=1))
    assert [f.message for f in first.findings] == ["`a` does not hold", "`b` does not hold"]  # in the same step
    assert "properties not decided, because of the error above: c, d" in tell(machine, first).splitlines()
    assert json.loads(as_json(machine, first))["undecided"] == ["c", "d"]
    on = check(machine, request_from(threads=1, keep_going=True))
    assert [f.message for f in on.findings] == [f"`{name}` does not hold" for name in "abc"]
    assert {p["name"]: p["verdict"] for p in on.properties} == {
        **dict.fromkeys("abc", "property"),
        "d": "holds",
    }
    assert not on.undecided and "not decided" not in tell(machine, on)


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


SAYS = """MODULE Says;
IMPORT Out;
VAR n : INTEGER;
BEGIN
  Out.String("it is "); Out.Int(3); Out.Ln;
  RESCHEDULE;
  Out.Char('x');
  ASSERT(n = 1)
END Says.
"""


def test_what_is_written_in_a_row_is_one_text() -> None:
    lines = [line for line in steps_of(SAYS) if "writes" in line]
    assert [line[line.index("writes") :] for line in lines] == [
        r"writes 'it is 3\n'; reaches 6:3",
        "writes 'x'; the assertion failed",
    ]
