"""Single rules of the effects table, lengths, and loops that may be actions without end."""

from __future__ import annotations

import pytest

from lfc.actions.analysis.effects import Action, action_table, property_tables
from lfc.actions.model.machine import Machine
from tests.actions.machines import machine_of_text


def actions(machine: Machine, process: str) -> list[Action]:
    return [a for a in action_table(machine) if a.position.body.name == process]


def only(machine: Machine, process: str = "init") -> Action:
    found = actions(machine, process)
    assert len(found) == 1
    return found[0]


def names(action: Action, which: str, base: str) -> set[str]:
    regions = action.reads if which == "reads" else action.writes
    return {r.what for r in regions if r.base == base}


def test_parts_count_alone_where_indices_are_constant_and_whole_where_not() -> None:
    machine = machine_of_text(
        "MODULE Main; TYPE R = RECORD a : INTEGER; b : ARRAY 4 OF UINT8 END;\n"
        "VAR r, s : R; i : UINT8; x* : INTEGER;\nBEGIN r.b[2] := 1; s.b[i] := 2; x := r.a; r := s END Main."
    )
    action = only(machine)
    at = {v.name: offset for v, offset in machine.layout.variables.items()}
    # r as a whole covers r.b[2] and r.a.
    assert [(r.offset, r.size) for r in action.writes if r.base == "block"] == [
        (at["r"], 8),
        (at["s"] + 4, 4),
        (at["x"], 4),
    ]
    machine = machine_of_text(
        "MODULE Main; TYPE R = RECORD a : INTEGER; b : ARRAY 4 OF UINT8 END;\n"
        "VAR r* : R; x* : INTEGER;\nBEGIN r.b[2] := 1; x := r.a END Main."
    )
    action = only(machine)
    at = {v.name: offset for v, offset in machine.layout.variables.items()}
    assert [(r.offset, r.size) for r in action.writes if r.base == "block"] == [(at["r"] + 6, 1), (at["x"], 4)]
    assert [(r.offset, r.size) for r in action.reads if r.base == "block"] == [(at["r"], 4)]


def test_a_var_parameter_stands_for_all_that_may_be_passed_through_every_call() -> None:
    machine = machine_of_text(
        "MODULE Main; VAR a*, b*, c*, d* : INTEGER;\n"
        "PROCESS Low(VAR x : INTEGER); BEGIN x := 1 END Low;\n"
        "PROCESS High(VAR x : INTEGER; y : INTEGER); BEGIN Low(x) END High;\n"
        "PROCESS P; VAR mine : INTEGER; BEGIN High(mine, c); RESCHEDULE; High(b, 2) END P;\n"
        "BEGIN CREATE P; Low(a) END Main."
    )
    assert names(only(machine), "writes", "block") == {"Main.a", "Main.b"}
    first, second = actions(machine, "Main.P")
    # Which of the passed ones it is, is not looked into; but of another process's variables it can be none.
    assert names(first, "writes", "block") == names(second, "writes", "block") == {"Main.a", "Main.b"}
    assert names(first, "reads", "block") == {"Main.c"}
    assert "mine" in names(first, "writes", "record")
    assert not names(only(machine), "writes", "record") - {"record"}


def test_an_attempt_has_the_effects_on_every_possible_partner_and_on_no_other() -> None:
    machine = machine_of_text(
        "MODULE Main; TYPE L = [a(INTEGER), b(INTEGER)]; PORT l, m : L;\n"
        "VAR limit : INTEGER; kept : ARRAY 3 OF INTEGER;\n"
        "PROCESS Plain; VAR x : INTEGER; BEGIN m?a(x) END Plain;\n"
        "PROCESS Guarded; VAR y : INTEGER; BEGIN SELECT WHEN l?a(kept[0]) & (kept[0] < limit) THEN\n"
        "WHEN l?b(y) THEN END END Guarded;\n"
        "PROCESS Other; VAR z : INTEGER; BEGIN l?b(z) END Other;\n"
        "PROCESS Sender; BEGIN l!a(1) END Sender;\n"
        "BEGIN limit := 3; NEW(l); NEW(m); CREATE Plain; CREATE Guarded; CREATE Other; CREATE Sender; m!a(2);\n"
        "l!b(1); l!b(2) END Main."
    )
    start = actions(machine, "Main.Sender")[0]
    # A sender of `a` can meet Plain and Guarded (ports are not told apart), not Other.
    assert {r.base for r in start.writes} == {
        "position",
        "record",
        "positions:Main.Plain",
        "positions:Main.Guarded",
        "slots:Main.Plain",
        "block",
    }
    assert names(start, "writes", "slots:Main.Plain") == {"x"}
    assert names(start, "writes", "block") == {"Main.kept"}
    assert {"Main.kept", "Main.limit"} <= names(start, "reads", "block")
    assert start.asks == ["meet"]
    assert [(e.kind, e.next) for e in start.ends] == [("attempt", [a for a in start.ends[0].next])]


def test_two_selects_never_meet() -> None:
    machine = machine_of_text(
        "MODULE Main; TYPE L = [a]; PORT l : L;\nPROCESS P; BEGIN SELECT WHEN l!a THEN END END P;\n"
        "PROCESS Q; BEGIN SELECT WHEN l?a THEN END END Q; PROCESS R; BEGIN l?a; l!a END R;\n"
        "BEGIN NEW(l); CREATE P; CREATE Q; CREATE R END Main."
    )
    start = actions(machine, "Main.P")[0]
    assert "positions:Main.R" in {r.base for r in start.writes}
    assert "positions:Main.Q" not in {r.base for r in start.writes + start.reads}


def test_create_new_and_end() -> None:
    machine = machine_of_text(
        "MODULE Main; TYPE L = [a]; PORT l : L; PROCESS P(p : L; n : INTEGER); BEGIN p?a END P;\n"
        "PROCESS Q; PORT own : L; BEGIN NEW(own); own!a END Q;\nBEGIN NEW(l); CREATE P(l, 1); CREATE Q; l!a END Main."
    )
    start = actions(machine, "Main.Q")[0]
    assert {r.base for r in start.reads if r.what in ("p", "own")} == {"slots:Main.P", "slots:Main.Q", "record"}
    assert names(start, "reads", "block") == {"Main.l"}
    init = actions(machine, "init")[0]
    assert ("slots:Main.P", 0, 8) in {(r.base, r.offset, r.size) for r in init.writes}
    end = actions(machine, "Main.P")[1]
    assert [(r.base, r.offset, r.size) for r in end.writes] == [("position", 0, 1), ("record", 0, 8)]
    assert [(e.kind, e.next) for e in end.ends] == [("end", [])]
    assert end.reads == []


def test_asks() -> None:
    machine = machine_of_text(
        "MODULE Main; IMPORT Clock, SYSTEM; VAR lamp AT 25H : SET8; wide AT 30H : UINT16; x* : UINT32; c* : CHAR;\n"
        "PROCESS P; BEGIN x := Clock.Now; RESCHEDULE; x := PORTIN32(4); PORTOUT16(5, 6); RESCHEDULE; wide := 2;\n"
        "RESCHEDULE; SYSTEM.WRITE('x'); SYSTEM.READ(c); CHOICE | INCL(lamp, 1) END; SYSTEM.INT[3]?INTERRUPT END P;\n"
        "BEGIN CREATE P END Main."
    )
    assert [a.asks for a in actions(machine, "Main.P")] == [
        ["clock"],
        ["in32", "out"],
        ["in16", "out"],
        ["read", "write"],
        [],
        ["choice", "in8", "out", "take"],
        [],
    ]


def test_an_action_that_ends_a_call_goes_on_where_it_was_made() -> None:
    machine = machine_of_text(
        "MODULE Main; VAR a*, b*, c* : INTEGER; PROCESS Pause; BEGIN RESCHEDULE END Pause;\n"
        "PROCESS P; BEGIN Pause; a := 1; RESCHEDULE; Pause; b := 2 END P; PROCESS Q; BEGIN Pause; c := 3 END Q;\n"
        "BEGIN CREATE P; CREATE Q END Main."
    )
    after = [a for a in actions(machine, "Main.Pause")]
    assert len(after) == 1  # its start is no action: nobody creates it
    assert names(after[0], "writes", "block") == {"Main.a", "Main.b", "Main.c"}
    assert {e.kind for e in after[0].ends} == {"end", "reschedule"}
    assert names(actions(machine, "Main.P")[0], "writes", "block") == set()


@pytest.mark.parametrize(
    ("statements", "length", "endless"),
    [
        ("x := 1; x := 2", 3, 0),
        ("IF x > 1 THEN x := 1 ELSE x := 2; x := 3 END", 4, 0),
        ("FOR i := 1 TO 10 DO x := i END", 1 + 11 * (1 + 2) + 1, 0),
        ("FOR i := 1 TO 3 DO FOR j := 1 TO 4 DO x := i END END", 1 + 4 * (1 + 1 + 5 * 3 + 1) + 1, 0),
        ("FOR i := 1 TO 255 DO x := 1 END", 1 + 256 * 3 + 1, 0),
        ("F(1)", 1 + 3 + 1, 0),
        ("FOR i := 1 TO j DO x := 1 END", None, 1),
        ("FOR i := 1 TO 3 DO i := 1 END", None, 1),
        ("WHILE x > 0 DO DEC(x) END", None, 1),
        ("LOOP RESCHEDULE; x := 1 END", 1, 0),
        ("LOOP IF x > 1 THEN RESCHEDULE END END", None, 1),
        ("R(3)", None, 0),
    ],
)
def test_lengths(statements: str, length: int | None, endless: int) -> None:
    machine = machine_of_text(
        "MODULE Main; VAR x* : INTEGER; i*, j* : UINT8; PROCESS F(n : INTEGER); BEGIN x := n; x := 2 END F;\n"
        "PROCESS R(n : INTEGER); BEGIN IF n > 0 THEN R(n - 1) END END R;\n"
        f"BEGIN {statements} END Main."
    )
    action = action_table(machine)[0]
    assert (action.length, len(action.endless)) == (length, endless)


def test_the_length_of_an_action_includes_what_the_callers_go_on_with() -> None:
    machine = machine_of_text(
        "MODULE Main; VAR x* : INTEGER; PROCESS W; BEGIN RESCHEDULE; x := 1 END W;\n"
        "PROCESS P; BEGIN W; x := 2; x := 3; RESCHEDULE; W; x := 4 END P; BEGIN CREATE P END Main."
    )
    after = actions(machine, "Main.W")[0]
    assert after.length == (1 + 1) + (2 + 1)  # x := 1 and the end; x := 2, x := 3 and the RESCHEDULE
    assert actions(machine, "Main.P")[0].length == 1 + 1  # the call, the RESCHEDULE in W


def test_a_property_reads_what_it_watches_and_writes_only_its_own() -> None:
    machine = machine_of_text(
        "MODULE Main; VAR x* : INTEGER; PROCESS P; VAR own : INTEGER; BEGIN own := 1; RESCHEDULE; x := own END P;\n"
        "PROPERTY p; VAR n : INTEGER; BEGIN LOOP IF (P.own > 1) & (x > 2) THEN n := 1; ACCEPT END; RESCHEDULE END\n"
        "END p; BEGIN CREATE P END Main."
    )
    start = property_tables(machine)["p"][0]
    assert {r.base for r in start.writes} == {"position", "record"}
    assert {r.base for r in start.reads} == {"block", "positions:Main.P", "slots:Main.P"}


def test_an_environment_answers_inside_the_action_that_accesses_a_port() -> None:
    program = (
        "MODULE Main; VAR x* : UINT8; PROCESS P; BEGIN RESCHEDULE; x := PORTIN(5) END P;\nBEGIN CREATE P END Main."
    )
    environment = (
        "ENVIRONMENT MODULE Env; IMPORT SYSTEM; VAR asked : INTEGER; w : UINT8; a : UINT32;\n"
        "PROCESS World; BEGIN LOOP SYSTEM.IOPORT?PORTIN(w, a); INC(asked); CHOICE SYSTEM.IOPORT!VALUE(1)\n"
        "| SYSTEM.IOPORT!VALUE(2) END END END World;\nBEGIN CREATE World END Env."
    )
    machine = machine_of_text(program, environment)
    before, reading = actions(machine, "Main.P")
    assert names(before, "writes", "block") == set()
    assert names(reading, "writes", "block") >= {"Main.x", "Env.asked", "Env.w", "Env.a"}
    assert "positions:Env.World" in {r.base for r in reading.writes}
    assert "in8" in reading.asks and "choice" in reading.asks
