"""The static checks: small programs with what is reported, as `line code`, and near misses that are not."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.semantics.checks.shared import shared_variables
from lfc.semantics.model import typed

# What most cases need: a channel that both sides use.
LINE = "TYPE Line = [go, stop, data(INTEGER)]; PORT line : Line;"


def analysed(text: str) -> tuple[typed.Program, Diagnostics]:
    diagnostics = Diagnostics()
    program = check_source(Source("Test.lf", text), diagnostics)
    assert program is not None, [d.message for d in diagnostics.items]
    return program, diagnostics


def reported(text: str, *codes: str) -> list[str]:
    """What is reported, restricted to some codes; errors count always."""
    _, diagnostics = analysed(text)
    return [f"{d.span.line} {d.code}" for d in diagnostics.items if d.code in codes or d.severity.value == "error"]


def main(body: str, declarations: str = "", processes: str = "") -> str:
    """A module whose initialisation starts on line 2."""
    return f"MODULE Test; {declarations} {processes} BEGIN\n{body}\nEND Test."


def process(body: str, declarations: str = "", head: str = "P", local: str = "") -> str:
    """A module with one created process whose body starts on line 2."""
    return f"MODULE Test; {declarations} PROCESS {head}; {local} BEGIN\n{body}\nEND P; BEGIN CREATE P END Test."


PORTS = [
    ("line!go", ["2 LF0701"]),
    ("line?go", ["2 LF0701"]),
    ("NEW(line); line!go", []),
    ("line := other; line!go", []),
    ("other?port(line); line!go", []),
    ("Make(line); line!go", []),
    ("IF x THEN NEW(line) END; line!go", []),
    ("IF x THEN NEW(line); line!go ELSE\nline!go END", ["3 LF0701"]),
    ("WHILE x DO\nline!go; NEW(line) END", []),
    ("WHILE x DO NEW(line) END; line!go", []),
    ("LOOP IF x THEN line!go;\nEXIT END; RESCHEDULE END; NEW(line)", ["2 LF0701"]),
    ("SELECT WHEN line?go THEN END", ["2 LF0701"]),
    ("SELECT WHEN other?port(line) THEN line!go ELSE\nline!go END", ["3 LF0701"]),
    ("CREATE Q(line)", ["2 LF0701"]),
    ("Q(line)", ["2 LF0701"]),
    ("many[1]!go", ["2 LF0701"]),
    ("NEW(many[0]); many[1]!go", []),
    ("IF line = other THEN END", []),
    ("CASE x OF TRUE: NEW(line) | FALSE: END; line!go", []),
    ("CHOICE NEW(line)\nOR line!go END", ["3 LF0701"]),
]


@pytest.mark.parametrize(("body", "expected"), PORTS)
def test_local_ports(body: str, expected: list[str]) -> None:
    declarations = "TYPE Line = [go, port(Line)]; PORT other : Line;"
    others = "PROCESS Make(VAR p : Line); BEGIN NEW(p) END Make; PROCESS Q(p : Line); BEGIN p?go END Q;"
    local = "VAR x : BOOLEAN; PORT line : Line; many : ARRAY 3 OF Line;"
    text = (
        f"MODULE Test; {declarations} {others} PROCESS P; {local} BEGIN\n{body}\nEND P; BEGIN NEW(other); P END Test."
    )
    assert reported(text, "LF0701") == expected


def test_a_nested_process_may_set_a_port() -> None:
    nested = "PORT line : Line; PROCESS Set; BEGIN NEW(line) END Set;"
    text = f"MODULE Test; TYPE Line = [go]; PROCESS P; {nested} BEGIN Set; line!go END P; BEGIN P END Test."
    assert reported(text, "LF0701") == []


MODULE_PORTS = [
    ("CREATE P; line!go", ["3 LF0701"]),
    ("CREATE P", ["2 LF0701"]),
    ("NEW(line); CREATE P; line!go", []),
    ("CREATE P; line!go; NEW(line)", []),  # the order is not judged: P may run between
]


@pytest.mark.parametrize(("body", "expected"), MODULE_PORTS)
def test_module_ports(body: str, expected: list[str]) -> None:
    text = main(body, LINE, "PROCESS P; BEGIN\nline?go END P;")
    assert reported(text, "LF0701") == expected


UNREACHABLE = [
    ("RETURN;\nx := 1", ["3 LF0702"]),
    ("LOOP RESCHEDULE END;\nx := 1", ["3 LF0702"]),
    ("LOOP RESCHEDULE; IF x = 1 THEN EXIT END END;\nx := 1", []),
    ("LOOP EXIT;\nRESCHEDULE END", ["3 LF0702"]),
    ("WHILE TRUE DO RESCHEDULE END;\nx := 1", ["3 LF0702"]),
    ("LOOP WHILE TRUE DO RESCHEDULE; IF x = 1 THEN EXIT END END END;\nx := 1", []),
    ("REPEAT RESCHEDULE UNTIL FALSE;\nx := 1", ["3 LF0702"]),
    ("REPEAT RESCHEDULE UNTIL x = 1;\nx := 1", []),
    ("IF x = 1 THEN RETURN ELSE RETURN END;\nx := 1", ["3 LF0702"]),
    ("IF x = 1 THEN RETURN END;\nx := 1", []),
    ("IF FALSE THEN\nx := 1 END;\nx := 2", []),
    ("CASE x OF 1: RETURN | 2: RETURN END;\nx := 1", ["3 LF0702"]),
    ("CASE x OF 1: RETURN ELSE END;\nx := 1", []),
    ("SELECT WHEN line?go THEN RETURN WHEN line?stop THEN RETURN END;\nx := 1", ["3 LF0702"]),
    ("SELECT WHEN line?go THEN RETURN ELSE END;\nx := 1", []),
    ("CHOICE RETURN | RETURN END;\nx := 1", ["3 LF0702"]),
    ("FOR x := 1 TO 3 DO RETURN END;\nx := 1", ["3 LF0702"]),
    ("FOR x := 3 TO 1 DO RETURN END;\nx := 1", []),
    ("Ends;\nx := 1", []),
    ("Never;\nx := 1", ["3 LF0702"]),
    ("Forever;\nx := 1", ["3 LF0702"]),
    ("ASSERT(FALSE);\nx := 1", []),
    ("RETURN;\nx := 1;\nx := 2;\nx := 3", ["3 LF0702"]),
]


@pytest.mark.parametrize(("body", "expected"), UNREACHABLE)
def test_unreachable_statements(body: str, expected: list[str]) -> None:
    others = (
        "PROCESS Ends; BEGIN RETURN END Ends; PROCESS Never; BEGIN LOOP RESCHEDULE END END Never; "
        "PROCESS Forever; BEGIN Never; Forever END Forever;"
    )
    assert reported(process(body, f"{LINE} {others}", local="VAR x : INTEGER;"), "LF0702") in (
        expected,
        ["1 LF0702", *expected],  # what Forever calls never returns either
    )


LOOPS = [
    ("LOOP END", True),
    ("LOOP x := x + 1 END", True),
    ("LOOP RESCHEDULE END", False),
    ("LOOP INC(x); IF x = 9 THEN EXIT END END", False),
    ("LOOP INC(x); IF x = 9 THEN RETURN END END", False),
    ("LOOP IF flag THEN EXIT END END", True),
    ("LOOP IF flag THEN line?go END END", True),
    ("LOOP IF flag THEN line?go ELSE RESCHEDULE END END", False),
    ("LOOP IF flag THEN line?go END; flag := ~flag END", False),
    ("WHILE flag DO END", True),
    ("WHILE flag DO RESCHEDULE END", False),
    ("WHILE x < 9 DO INC(x) END", False),
    ("WHILE x < 9 DO INC(y) END", True),
    ("WHILE TRUE DO INC(x) END", True),
    ("WHILE FALSE DO END", False),
    ("REPEAT INC(x) UNTIL x = 9", False),
    ("REPEAT INC(y) UNTIL x = 9", True),
    ("REPEAT UNTIL FALSE", True),
    ("REPEAT UNTIL TRUE", False),
    ("WHILE register = 0 DO END", False),
    ("WHILE PORTIN(5) = 0 DO END", False),
    ("REPEAT UNTIL Clock.Now > 5", False),
    ("LOOP Talk END", False),
    ("LOOP Silent END", True),
    ("LOOP MayTalk(x) END", True),
    ("LOOP MayTalk(x); INC(x) END", False),
    ("WHILE x < 9 DO Change(x) END", False),
    ("WHILE x < 9 DO Look(x) END", True),
    ("LOOP SELECT WHEN line?go THEN ELSE END END", False),
    ("LOOP CHOICE x := 1 | x := 2 END END", False),
    ("LOOP FOR y := 1 TO 3 DO line?go END END", False),
    ("LOOP FOR y := 3 TO 1 DO line?go END END", True),
    ("LOOP FOR y := 1 TO x DO line?go END END", True),
    ("LOOP CASE x OF 1: RESCHEDULE | 2: line?go END END", False),
    ("LOOP CASE x OF 1: RESCHEDULE ELSE END END", True),
    ("LOOP Clock.Sleep(1) END", False),
    ("LOOP LOOP IF flag THEN EXIT END; RESCHEDULE END END", True),
    ("LOOP CREATE Silent END", True),
    ("FOR x := 1 TO 9 DO END", False),
    ("LOOP ASSERT(FALSE) END", False),
]


@pytest.mark.parametrize(("body", "warned"), LOOPS)
def test_loops_without_a_scheduling_point(body: str, warned: bool) -> None:
    others = (
        "VAR flag : BOOLEAN; register AT 25H : UINT8; "
        "PROCESS Talk; BEGIN line?go END Talk; PROCESS Silent; BEGIN flag := flag END Silent; "
        "PROCESS MayTalk(n : INTEGER); BEGIN IF n > 3 THEN line?go END END MayTalk; "
        "PROCESS Change(VAR n : INTEGER); BEGIN INC(n) END Change; "
        "PROCESS Look(VAR n : INTEGER); BEGIN ASSERT(n > 0) END Look;"
    )
    text = process(body, f"IMPORT Clock; {LINE} {others}", local="VAR x, y : INTEGER;")
    assert reported(text, "LF0703") == (["2 LF0703"] if warned else [])


def test_what_an_external_process_does_is_not_known() -> None:
    sensor = "PROCESS Sense(VAR n : INTEGER) EXTERNAL; VAR m : INTEGER;"
    assert reported(main("WHILE m = 0 DO Sense(m) END", sensor), "LF0703", "LF0714") == []


def test_a_loop_sees_through_a_parameter() -> None:
    others = "VAR m : INTEGER; PROCESS Less; BEGIN DEC(m) END Less;"
    waits = "PROCESS Wait(VAR n : INTEGER); BEGIN\nWHILE n > 0 DO Less END END Wait;"
    assert reported(f"MODULE Test; {others} {waits} BEGIN m := 3; Wait(m) END Test.", "LF0703") == []
    other = "VAR k : INTEGER;"
    assert reported(f"MODULE Test; {other} {others} {waits} BEGIN m := 3; Wait(k) END Test.", "LF0703") == ["2 LF0703"]


LOOKS = "PROCESS Look(VAR yes : BOOLEAN); BEGIN yes := ODD(PORTIN(7)) END Look;"
READS = "PROCESS Read(VAR n : INTEGER); BEGIN n := PORTIN(8) END Read;"

WAYS_ROUND = [
    # A way that an input may choose for ever.
    ("LOOP Look(a); IF a THEN line!go END END", True),
    ("LOOP a := ODD(PORTIN(7)); IF a THEN line!go END END", True),
    ("LOOP IF ODD(PORTIN(7)) THEN line!go END END", True),
    ("LOOP Look(a); IF a & ~b THEN line!go END; b := a END", True),
    ("LOOP Look(a); IF a & ~b THEN line!go END; IF ~a & b THEN line!stop END; b := a END", True),
    ("LOOP Read(x); IF x < 10 THEN line!go ELSIF x > 12 THEN line!stop END END", True),
    ("LOOP Read(x); IF x < 10 THEN line!go END; IF x > 12 THEN line!stop END END", True),
    ("LOOP Read(x); CASE x OF 0: line!go | 1: line!stop ELSE END END", True),
    ("LOOP Look(a); IF a THEN line!go; IF b THEN EXIT END END END", True),
    ("WHILE TRUE DO Look(a); IF a THEN line!go END END", True),
    ("WHILE b DO Look(a); IF a THEN line!go END END", True),
    ("REPEAT Look(a); IF a THEN line!go END UNTIL FALSE", True),
    ("LOOP Look(a); INC(y); IF a THEN line!go END END", True),
    ("LOOP FOR y := 0 TO 3 DO Look(w[y]) END; IF w[0] & w[1] THEN line!go END END", True),
    ("LOOP CASE y OF 0: Look(a); IF a THEN y := 1 END | 1: line!go; y := 0 ELSE y := 0 END END", True),
    # None: every way has a scheduling point,
    ("LOOP Look(a); IF a THEN line!go ELSE RESCHEDULE END END", False),
    ("LOOP Look(a); IF a THEN line!go END; IF ~a THEN RESCHEDULE END END", False),
    ("LOOP Read(x); IF x < 10 THEN line!go END; IF x >= 10 THEN line!stop END END", False),
    ("LOOP Look(a); b := FALSE; IF a THEN line!go; b := TRUE END; IF ~b THEN RESCHEDULE END END", False),
    ("LOOP Look(a); b := a; IF a THEN line!go END; IF ~b THEN RESCHEDULE END END", False),
    # or it is not taken twice, or not for ever,
    ("LOOP IF ~b THEN b := TRUE ELSE line!go END END", False),
    ("LOOP CASE y OF 0: y := 1 | 1: line!go; y := 0 ELSE y := 0 END END", False),
    ("LOOP Look(a); INC(y); IF y = 10 THEN y := 0; line!go END END", False),
    ("LOOP Look(a); IF a THEN INC(y) END; IF y > 10 THEN y := 0; line!go END END", False),
    ("LOOP IF Clock.Now - t > 30 THEN t := Clock.Now; line!go END END", False),
    ("LOOP t := Clock.Now; IF t > 30 THEN line!go END END", False),
    # or it is a wait for a device, without any scheduling point.
    ("REPEAT Look(a) UNTIL a", False),
    ("LOOP Look(a); IF a THEN EXIT END END", False),
    ("LOOP REPEAT Look(a) UNTIL a; line!go END", False),
]


@pytest.mark.parametrize(("body", "warned"), WAYS_ROUND)
def test_ways_round_without_a_scheduling_point(body: str, warned: bool) -> None:
    local = "VAR a, b : BOOLEAN; x, y : INTEGER; t : UINT32; w : ARRAY 4 OF BOOLEAN;"
    text = process(body, f"IMPORT Clock; {LINE} {LOOKS} {READS}", local=local)
    assert reported(text, "LF0703") == (["2 LF0703"] if warned else [])
    _, diagnostics = analysed(text)
    fixes = [d.fix for d in diagnostics.items if d.code == "LF0703" and d.fix is not None]
    assert len(fixes) == warned
    for fix in fixes:
        mended = text[: fix.span.start] + fix.replacement + text[fix.span.end :]
        assert reported(mended, "LF0703") == []


BUSY = [
    ("FOR x := 0 TO 1000 DO END", True),
    ("FOR x := 0 TO 100 DO FOR y := 0 TO 100 DO END; FOR y := 0 TO 9 DO END END", True),
    ("x := 0; WHILE x < 1000 DO x := x + 1 END", True),
    ("x := 1000; WHILE x > 0 DO DEC(x) END", True),
    ("x := 0; REPEAT INC(x) UNTIL x = 1000", True),
    ("FOR x := 0 TO y DO END", True),
    ("FOR x := 0 TO 9 DO FOR y := 0 TO 9 DO END END", True),
    ("FOR x := 0 TO 8 DO FOR y := 0 TO 9 DO END END", False),
    ("x := 0; WHILE x < 99 DO INC(x) END", False),
    ("x := 5; REPEAT DEC(x) UNTIL x = 0", False),
    ("FOR x := 0 TO 1000 DO INC(y) END", False),
    ("FOR x := 0 TO 1000 DO RESCHEDULE END", False),
    ("x := 0; WHILE x < 1000 DO x := x + 7 END", False),
    ("x := 0; WHILE x * x < y DO INC(x) END", False),
    ("WHILE x < y DO INC(x) END", False),
    ("WHILE x < 1000 DO INC(x); INC(y) END", False),
    ("WHILE r < 10 DO r := r + 1 END", False),
]


@pytest.mark.parametrize(("body", "warned"), BUSY)
def test_loops_that_only_count(body: str, warned: bool) -> None:
    text = process(body, "VAR r AT 0F0H : UINT8;", local="VAR x, y : INTEGER;")
    assert reported(text, "LF0719") == (["2 LF0719"] if warned else [])


WRAPS = [
    ("x := r * 5000 DIV 1023", "INTEGER(r)"),
    ("x := 5000 * r DIV 1023", "INTEGER(r)"),
    ("l := r * 5000", "UINT32(r)"),
    ("r := b * c", "UINT16(b)"),
    ("s := r * 100", "INTEGER(r)"),
    ("x := b + c", "INTEGER(b)"),
    ("x := (b + c) DIV 2", "INTEGER(b)"),
    ("x := b + 200", "INTEGER(b)"),
    ("r := LSL(b, 8)", "UINT16(b)"),
    ("r := LSL(b, 8) + c", "UINT16(b)"),
    ("x := INTEGER(r * 2)", "INTEGER(r)"),
    ("ASSERT(r * 4 < 100000)", "INTEGER(r)"),
    ("Take(r * 4)", "INTEGER(r)"),
    ("line!data(r * 4)", "INTEGER(r)"),
    ("x := MIN(r * 2, r)", "INTEGER(r)"),
    ("x := r * 2 - r", "INTEGER(r)"),
    ("x := b * b MOD 10", "INTEGER(b)"),
    ("x := (r - b) * 2", "INTEGER(r - b)"),
    ("k := b; x := k * 2", "INTEGER(k)"),
    ("INC(k); x := k * 200", "INTEGER(k)"),
    # It is wide enough,
    ("x := INTEGER(r) * 5000 DIV 1023", ""),
    ("x := s * 30000", ""),
    ("x := b DIV 2 * 2", ""),
    ("x := b MOD 5 * 63", ""),
    ("x := b MOD 5 * 64", "INTEGER(b MOD 5)"),
    ("x := LSL(b DIV 16, 4)", ""),
    ("x := MIN(b, 10) * 25", ""),
    ("x := b DIV 2 + c DIV 2", ""),
    ("FOR k := 1 TO 9 DO x := k * 25 END", ""),
    ("FOR k := 1 TO 9 DO x := k * 26 END", "INTEGER(k)"),
    ("k := 5; x := k * 51", ""),
    # or nothing is widened,
    ("r := r * 5000", ""),
    ("b := b + c", ""),
    ("ASSERT(r * 4 < 1000)", ""),
    ("a[b + c] := 1", ""),
    # or it is meant so,
    ("x := r - q", ""),
    ("x := (b + c) MOD 16", ""),
    ("x := (b * c) MOD 256", ""),
    ("x := r + 1", ""),
    # or written so,
    ("x := SYSTEM.VAL(UINT16, r * 5000)", ""),
    ("x := BAND(b * c, 0FFH)", ""),
    ("x := INTEGER(SETBITS(b, 0, 3, b MOD 16) * 2)", "INTEGER(SETBITS(b, 0, 3, b MOD 16))"),
    # or it is a fault instead.
    ("x := x * 5000", ""),
]


@pytest.mark.parametrize(("body", "converted"), WRAPS)
def test_arithmetic_that_wraps_before_it_is_widened(body: str, converted: str) -> None:
    others = f"{LINE} PROCESS Take(n : INTEGER); BEGIN ASSERT(n > 0) END Take;"
    variables = "VAR r, q : UINT16; b, c, k : UINT8; l : UINT32; x : INTEGER; s : 0..70000; a : ARRAY 600 OF UINT8;"
    start = "r := PORTIN16(7); q := PORTIN16(8); b := PORTIN(9); c := PORTIN(10); s := PORTIN16(11); x := PORTIN(12);"
    text = process(f"{start}\n{body}", others, local=variables)
    _, diagnostics = analysed(text)
    found = [d for d in diagnostics.items if d.code == "LF0726"]
    assert [d.fix.replacement for d in found if d.fix is not None] == ([converted] if converted else [])
    for d in found:
        assert d.fix is not None and d.span.line == 3
        mended = text[: d.fix.span.start] + d.fix.replacement + text[d.fix.span.end :]
        assert reported(mended, "LF0726") == []


def two_sides(taker: str, giver: str) -> str:
    takes = f"PROCESS T; VAR x : INTEGER; BEGIN\n{taker}\nEND T;"
    return f"MODULE Test; {LINE} {takes} BEGIN NEW(line); CREATE T;\n{giver}\nEND Test."


MEETINGS = [
    ("line?go", "line!go", []),
    ("SELECT WHEN line?go THEN END", "line!go", []),
    ("SELECT WHEN line?go THEN END", "SELECT WHEN line!go THEN END", ["4 LF0704"]),
    ("SELECT WHEN line?go THEN END", "SELECT WHEN line!go THEN END; line!go", []),
    ("line?go", "line!go; line!stop", ["4 LF0705"]),
    ("line?go; line?stop", "line!go", ["2 LF0706"]),
    ("line?data(x)", "line!data(1)", []),
    ("line?data(3)", "line!data(1)", []),
]


@pytest.mark.parametrize(("taker", "giver", "expected"), MEETINGS)
def test_messages_that_cannot_meet(taker: str, giver: str, expected: list[str]) -> None:
    assert reported(two_sides(taker, giver), "LF0704", "LF0705", "LF0706") == expected


def test_messages_of_a_library_are_for_others() -> None:
    text = "MODULE Test; TYPE Line* = [go]; PROCESS Give*(p : Line); BEGIN p!go END Give; END Test."
    assert reported(text, "LF0705", "LF0712", "LF0713") == []
    assert reported(text.replace("Line*", "Line").replace("Give*", "Give"), "LF0712") == ["1 LF0712"]


def test_messages_of_what_never_runs() -> None:
    text = f"MODULE Test; {LINE} PROCESS Give; BEGIN line!stop END Give; BEGIN NEW(line) END Test."
    assert reported(text, "LF0705", "LF0712") == ["1 LF0712"]


SHARED = [
    ("CREATE A; CREATE B", "x := 1", "x := 2", "x: reads - writes A B"),
    ("CREATE A; CREATE B", "ASSERT(x = 1)", "x := 2", "x: reads A writes B"),
    ("x := 1; CREATE A; CREATE B", "ASSERT(x = 1)", "ASSERT(x = 1)", "x: reads A B writes -"),
    ("x := 1; CREATE A", "INC(x)", "", ""),
    ("CREATE A; x := 1", "ASSERT(x = 1)", "", ""),  # A runs after this action
    ("CREATE A; RESCHEDULE; x := 1", "ASSERT(x = 1)", "", "x: reads A writes init"),
    ("CREATE A; CREATE A", "INC(x)", "", "x: reads A* writes A*"),
    ("CREATE A; CREATE B", "Set(x)", "ASSERT(x = 1)", "x: reads B writes A"),
    ("CREATE A; CREATE B", "Bump", "ASSERT(x = 1)", "x: reads A B writes A"),
    ("CREATE A; B", "INC(x)", "INC(x)", ""),
    ("LOOP CREATE A; RESCHEDULE; INC(x) END", "ASSERT(x = 1)", "", "x: reads A* init writes init"),
]


@pytest.mark.parametrize(("start", "a", "b", "expected"), SHARED)
def test_shared_variables(start: str, a: str, b: str, expected: str) -> None:
    others = "PROCESS Set(VAR v : INTEGER); BEGIN v := 1 END Set; PROCESS Bump; BEGIN INC(x) END Bump;"
    both = f"PROCESS A; BEGIN {a} END A; PROCESS B; BEGIN {b} END B;"
    program, diagnostics = analysed(f"MODULE Test; VAR x : INTEGER; {others} {both} BEGIN {start} END Test.")
    assert not diagnostics.has_errors, [d.message for d in diagnostics.items]
    found = []
    for s in shared_variables(program):
        sides = [
            " ".join(sorted(("init" if a.process is None else a.process.name) + "*" * a.several for a in side)) or "-"
            for side in (s.readers, s.writers)
        ]
        found.append(f"{s.variable.name}: reads {sides[0]} writes {sides[1]}")
    assert "".join(found) == expected
    noted = [d.code for d in diagnostics.items if d.code == "LF0707"]
    assert noted == (["LF0707"] if expected and not expected.endswith("writes -") else [])


GUARDS = [
    ("open", "open := TRUE", "", ["2 LF0716"]),
    ("open", "ASSERT(open)", "", []),
    ("n > 3", "open := TRUE", "", []),
    ("own", "open := TRUE", "own := open;", []),
]


@pytest.mark.parametrize(("guard", "other", "before", "expected"), GUARDS)
def test_guards_that_read_shared_variables(guard: str, other: str, before: str, expected: list[str]) -> None:
    select = f"SELECT WHEN line?data(n) & ({guard}) THEN END"
    door = f"PROCESS D; VAR n : INTEGER; own : BOOLEAN; BEGIN {before}\n{select} END D;"
    key = f"PROCESS K; BEGIN {other} END K;"
    text = f"MODULE Test; {LINE} VAR open : BOOLEAN; {door} {key}"
    assert reported(f"{text} BEGIN NEW(line); CREATE D; CREATE K; line!data(1) END Test.", "LF0716") == expected


def test_a_guard_sees_through_a_parameter() -> None:
    door = "PROCESS D(VAR open : BOOLEAN); BEGIN\nSELECT WHEN line?go & (open) THEN END END D;"
    key = "PROCESS K; BEGIN free := TRUE END K;"
    text = f"MODULE Test; {LINE} VAR free : BOOLEAN; {door} {key}"
    assert reported(f"{text} BEGIN NEW(line); CREATE D(free); CREATE K; line!go END Test.", "LF0716") == ["2 LF0716"]


UNUSED = [
    ("VAR x : INTEGER;", "", ["1 LF0708"]),
    ("VAR x* : INTEGER;", "", []),
    ("VAR x AT 25H : UINT8;", "x := 1", []),
    ("VAR x : INTEGER;", "x := 1", ["1 LF0715"]),
    ("VAR x : INTEGER;", "INC(x)", ["1 LF0715"]),
    ("VAR x : INTEGER;", "ASSERT(x = 0)", []),
    ("VAR x : INTEGER;", "FOR x := 1 TO 3 DO RESCHEDULE END", []),
    ("VAR x : ARRAY 3 OF INTEGER;", "ASSERT(LEN(x) = 3)", []),
    ("VAR x : ARRAY 3 OF INTEGER; i : INTEGER;", "x[i] := 1", ["1 LF0715"]),
    ("VAR x : INTEGER; PROPERTY p = ALWAYS (x = 1);", "x := 1", []),
    ("VAR x : INTEGER; PROCESS P(VAR v : INTEGER); BEGIN v := 1 END P;", "P(x)", []),
    ("CONST c = 1;", "", ["1 LF0709"]),
    ("CONST c* = 1;", "", []),
    ("CONST c = 1; VAR x : ARRAY c OF INTEGER;", "ASSERT(x[0] = 0)", []),
    ("TYPE T = 0 .. 3;", "", ["1 LF0710"]),
    ("TYPE T* = 0 .. 3;", "", []),
    ("TYPE T = (red, blue); VAR x : INTEGER;", "x := ORD(red); ASSERT(x = 0)", []),
    ("TYPE T = (red, blue);", "", ["1 LF0710"]),
    ("IMPORT Out;", "", ["1 LF0711"]),
    ("IMPORT Out;", "Out.Ln", []),
    ("IMPORT O := Out;", "", ["1 LF0711"]),
    ("PROCESS P; BEGIN END P;", "", ["1 LF0712"]),
    ("PROCESS P; BEGIN P END P;", "", ["1 LF0712"]),
    ("PROCESS P*; BEGIN END P;", "", []),
    ("PROCESS P; BEGIN END P;", "P", []),
    ("PROCESS P(x : INTEGER); BEGIN END P;", "P(1)", ["1 LF0714"]),
    ("PROCESS P(x : INTEGER); BEGIN ASSERT(x = 1) END P;", "P(1)", []),
    ("PROCESS P; VAR x : INTEGER; CONST c = 1; TYPE T = 0 .. 3; BEGIN END P;", "P", ["LF0708", "LF0709", "LF0710"]),
    ("TYPE L = [a, b]; PORT l : L;", "NEW(l)", ["1 LF0715"]),
    ("TYPE L = [a, b]; PORT l : L; PROCESS P; BEGIN l?a END P;", "NEW(l); CREATE P; l!a", ["1 LF0713"]),
]


@pytest.mark.parametrize(("declarations", "body", "expected"), UNUSED)
def test_unused_names(declarations: str, body: str, expected: list[str]) -> None:
    codes = [f"LF07{n:02}" for n in range(8, 16)]
    found = reported(main(body, declarations), *codes)
    assert [f if " " in e else f.split()[1] for f, e in zip(found, expected, strict=True)] == expected


CASES = [
    ("red: | blue:", ["LF0717"]),
    ("red: | blue .. black:", []),
    ("red: | black: | blue: ", []),
    ("red: ELSE", []),
]


@pytest.mark.parametrize(("branches", "expected"), CASES)
def test_cases_that_miss_values(branches: str, expected: list[str]) -> None:
    text = main(f"CASE c OF {branches} END", "TYPE C = (red, blue, black); VAR c : C;")
    assert [f.split()[1] for f in reported(text, "LF0717")] == expected


def test_a_case_over_a_part_of_an_enumeration() -> None:
    declarations = "TYPE C = (red, blue, black); VAR c : blue .. black;"
    assert reported(main("CASE c OF blue: | black: END", declarations), "LF0717") == []
    _, diagnostics = analysed(main("CASE c OF blue: END", declarations))
    assert [d.message for d in diagnostics.items if d.code == "LF0717"] == ["this CASE has no branch for `black`"]


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("CASE 3 OF 1: | 4 .. 5: END", ["this CASE has no branch for 3: it faults when it is executed"]),
        ("CASE red OF blue: | black: END", ["this CASE has no branch for red: it faults when it is executed"]),
        ("CASE n OF END", ["this CASE has no branches, and no ELSE: it faults when it is executed"]),
        ("CASE 3 OF 1: ELSE END", []),
        ("CASE red OF red: END", []),
        ("CASE n OF 1: END", []),
    ],
)
def test_a_case_that_is_certain_to_fault(statement: str, expected: list[str]) -> None:
    text = main(statement, "TYPE C = (red, blue, black); VAR n : INTEGER;")
    _, diagnostics = analysed(text)
    assert [d.message for d in diagnostics.items if d.code == "LF0717"] == expected


FOR_BODIES = [
    ("i := 3", True),
    ("INC(i)", True),
    ("line?data(i)", True),
    ("FOR i := 1 TO 2 DO END", True),
    ("Set(i)", True),
    ("Look(i)", False),
    ("Outer", True),
    ("x[i] := i", False),
]


@pytest.mark.parametrize(("body", "warned"), FOR_BODIES)
def test_for_variables_that_change(body: str, warned: bool) -> None:
    others = (
        "VAR i : INTEGER; x : ARRAY 9 OF INTEGER; PROCESS Set(VAR v : INTEGER); BEGIN v := 1 END Set; "
        "PROCESS Look(VAR v : INTEGER); BEGIN ASSERT(v > 0) END Look; PROCESS Outer; BEGIN i := 1 END Outer;"
    )
    found = reported(main(f"FOR i := 1 TO 3 DO {body} END", f"{LINE} {others}"), "LF0718")
    assert found == (["2 LF0718"] if warned else [])


def test_deep_programs() -> None:
    loops = "WHILE x > 0 DO " * 150 + "DEC(x) " + "END " * 150
    assert reported(process(loops, "VAR x : INTEGER;"), "LF0703", "LF0702") == []


def test_the_library_is_not_the_users_to_mend() -> None:
    _, diagnostics = analysed("MODULE Test; IMPORT Out; BEGIN Out.Ln END Test.")
    assert diagnostics.items == []
