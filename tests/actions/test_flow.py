"""Flow graphs of small bodies, positions in the order of the text, bodies that can wait, hidden parameters."""

from __future__ import annotations

import textwrap

import pytest

from lfc.actions.model.machine import Machine
from tests.actions.flow_text import flow_text
from tests.actions.machines import body_named, machine_of_text


def in_process(statements: str, declarations: str = "") -> Machine:
    return machine_of_text(
        f"MODULE Main; VAR on* : BOOLEAN; {declarations}\nPROCESS P(n : INT8); VAR i : INT8; k : INTEGER; BEGIN\n"
        f"{statements}\nEND P; BEGIN CREATE P(3) END Main."
    )


def shows(machine: Machine, expected: str, process: str = "Main.P") -> None:
    assert flow_text(body_named(machine, process)) == textwrap.dedent(expected).strip()


def test_for_with_a_limit_that_is_no_constant() -> None:
    """The limit is set once and reset; the step is made only where INT8 has room for it."""
    machine = in_process("FOR i := 1 TO n BY 3 DO RESCHEDULE END; k := 1")
    text = flow_text(body_named(machine, "Main.P"))
    assert "i := 1; i'limit := n; to 1" in text
    assert "if i <= i'limit to" in text
    assert "if i <= 124 to" in text  # 127 - 3
    assert "i += 3; back to 1" in text
    assert text.count("i'limit := 0") == 1


def test_for_with_constants_needs_no_limit_and_no_check() -> None:
    shows(
        in_process("FOR i := 10 TO 1 BY -2 DO INC(k) END"),
        """
        0 (start): i := 10; to 1
        1: if i >= 1 to 2 else 4
        2: step; to 3
        3: i += -2; back to 1
        4: finish
        """,
    )


def test_for_up_to_the_end_of_the_type_stays_at_the_last_value() -> None:
    shows(
        in_process("FOR i := 126 TO 127 DO INC(k) END"),
        """
        0 (start): i := 126; to 1
        1: to 2
        2: step; if i <= 126 to 3 else 4
        3: i += 1; back to 1
        4: finish
        """,
    )


def test_exit_and_return_reset_the_limits_that_they_leave() -> None:
    machine = in_process(
        "LOOP FOR i := 1 TO n DO FOR k := 1 TO n DO RESCHEDULE; IF on THEN EXIT END; IF ~on THEN RETURN END END END END"
    )
    text = flow_text(body_named(machine, "Main.P"))
    leaving = [line for line in text.splitlines() if "k'limit := 0; i'limit := 0" in line]
    assert len(leaving) == 2
    assert leaving[1].endswith("finish")


def test_return_in_a_module_ends_only_its_initialisation() -> None:
    machine = machine_of_text(
        "MODULE Main; IMPORT Out; VAR x* : INTEGER; i : INTEGER; n : INTEGER;\n"
        "BEGIN n := 3; FOR i := 1 TO n DO RETURN END; x := 2 END Main."
    )
    shows(
        machine,
        """
        0 (start): n := 3; i := 1; i'limit := n; to 2
        1: finish
        2: if i <= i'limit to 3 else 4
        3: i'limit := 0; to 1
        4: i'limit := 0; x := 2; to 1
        """,
        "init",
    )


def test_loops_and_their_ways_back() -> None:
    shows(
        in_process("WHILE on DO INC(k) END; REPEAT INC(i) UNTIL on; LOOP RESCHEDULE; IF on THEN EXIT END END"),
        """
        0 (start): if on to 1 else 2
        1: step; back to 0
        2: step; if on to 4 else 3
        3: back to 2
        4: stop at reschedule
        5: finish
        6 (reschedule): if on to 5 else 7
        7: back to 4
        """,
    )


def test_a_choice_is_picked_by_the_next_action() -> None:
    shows(
        in_process("CHOICE k := 1 | k := 2 END; k := 3"),
        """
        0 (start): stop at choice
        1 (choice): choose 3, 4
        2: k := 3; finish
        3: k := 1; to 2
        4: k := 2; to 2
        """,
    )


def test_positions_follow_the_text() -> None:
    """Ready ones of all bodies first, then waiting ones; a clause before what stands in it."""
    machine = machine_of_text(
        "MODULE Main; IMPORT Clock; TYPE L = [a, b]; PORT l : L;\nPROCESS W; BEGIN l!a END W;\n"
        "PROCESS P; BEGIN\nSELECT WHEN l?a THEN RESCHEDULE; l!b WHEN l?b THEN END;\n"
        "CHOICE W | Clock.Sleep(1) END;\nSELECT WHEN l?a THEN ELSE RESCHEDULE END\nEND P;\n"
        "BEGIN NEW(l); CREATE P; l!a; l!b END Main."
    )
    assert [(p.number, p.body.name, p.kind, p.clause) for p in machine.positions] == [
        (1, "init", "start", None),
        (2, "init", "after", None),
        (3, "init", "after", None),
        (4, "Main.W", "start", None),
        (5, "Main.W", "after", None),
        (6, "Main.P", "start", None),
        (7, "Main.P", "clause", 0),
        (8, "Main.P", "reschedule", None),
        (9, "Main.P", "after", None),
        (10, "Main.P", "clause", 1),
        (11, "Main.P", "choice", None),
        (12, "Main.P", "return", None),
        (13, "Main.P", "after", None),
        (14, "Main.P", "clause", 0),
        (15, "Main.P", "else", None),
        (16, "Main.P", "reschedule", None),
        (17, "init", "waiting", None),
        (18, "init", "waiting", None),
        (19, "Main.W", "waiting", None),
        (20, "Main.P", "waiting", None),
        (21, "Main.P", "waiting", None),
        (22, "Main.P", "waiting", None),
    ]
    assert machine.layout.first_waiting == 17


def test_what_is_not_reached_has_no_positions() -> None:
    machine = machine_of_text(
        "MODULE Main; PROCESS Unused*; BEGIN RESCHEDULE; Deep END Unused; PROCESS Deep; BEGIN RESCHEDULE END Deep;\n"
        "PROCESS P; BEGIN RETURN; RESCHEDULE END P; BEGIN P END Main."
    )
    assert [b.name for b in machine.bodies] == ["init", "Main.P"]
    # A statement that control does not reach has its position.
    assert [p.kind for p in body_named(machine, "Main.P").positions] == ["start", "reschedule"]


def test_a_process_that_cannot_wait_created_and_called_has_two_bodies() -> None:
    machine = machine_of_text(
        "MODULE Main; VAR x* : INTEGER; PROCESS P(n : INTEGER); BEGIN x := n END P; BEGIN P(1); CREATE P(2) END Main."
    )
    init, created, called = machine.bodies
    assert created.process is called.process and created.process is not None
    assert machine.body_of[created.process] is created and machine.function_of[created.process] is called
    assert (created.has_positions, created.frame is not None) == (True, True)
    assert (called.has_positions, called.frame, called.positions) == (False, None, [])
    assert list(init.callees.values()) == [called, created]
    assert created.blocks[0] is not called.blocks[0]


@pytest.mark.parametrize(
    ("statement", "waits"),
    [
        ("k := 1", False),
        ("RESCHEDULE", True),
        ("CHOICE k := 1 | k := 2 END", True),
        ("l!a", True),
        ("SELECT WHEN l?a THEN ELSE END", True),
        ("Clock.Sleep(1)", True),
        ("SYSTEM.READ(c)", True),
        ("Low", True),
        ("High", True),
        ("CREATE Low", False),
        ("k := INTEGER(Clock.Now MOD 2)", False),
    ],
)
def test_which_bodies_can_wait(statement: str, waits: bool) -> None:
    machine = machine_of_text(
        "MODULE Main; IMPORT Clock, SYSTEM; TYPE L = [a]; PORT l : L; VAR k* : INTEGER; c* : CHAR;\n"
        "PROCESS High; BEGIN Low END High; PROCESS Low; BEGIN RESCHEDULE END Low;\n"
        f"PROCESS P; BEGIN {statement} END P; PROCESS Q; BEGIN P END Q;\n"
        "BEGIN NEW(l); Q; Clock.Sleep(1) END Main."
    )
    assert body_named(machine, "Main.P").can_wait == waits
    assert body_named(machine, "Main.Q").can_wait == waits


def test_recursion_is_seen_in_circles() -> None:
    machine = machine_of_text(
        "MODULE Main; PROCESS A(n : INTEGER) MAX 5; BEGIN IF n > 0 THEN B(n) END END A;\n"
        "PROCESS B(n : INTEGER); BEGIN C(n - 1) END B; PROCESS C(n : INTEGER); BEGIN RESCHEDULE; A(n); D END C;\n"
        "PROCESS D; BEGIN RESCHEDULE END D; BEGIN A(3) END Main."
    )
    assert {b.name: (b.recursive, b.max_calls) for b in machine.bodies} == {
        "init": (False, 1),
        "Main.A": (True, 5),
        "Main.B": (True, 8),
        "Main.C": (True, 8),
        "Main.D": (False, 1),
    }
    counts = machine.layout.records[0].call_counts
    assert {b.name: place for b, place in counts.items()} == {
        "Main.A": (1, 1),
        "Main.B": (2, 1),
        "Main.C": (3, 1),
    }


def test_nested_processes_get_hidden_parameters_for_what_they_use_through_calls() -> None:
    machine = machine_of_text(
        "MODULE Main; VAR out* : INTEGER;\nPROCESS Outer(a : INTEGER; VAR r : INTEGER; t : ARRAY OF CHAR);\n"
        "VAR b, c : INTEGER;\n"
        "  PROCESS Low; BEGIN INC(b, a); RESCHEDULE; r := LEN(t) END Low;\n"
        "  PROCESS High(c : INTEGER); BEGIN Low; IF c > 0 THEN High(c - 1) END END High;\n"
        'BEGIN b := 1; c := 2; High(c); out := b END Outer;\nBEGIN Outer(1, out, "text") END Main.'
    )
    low, high = body_named(machine, "Main.Outer.Low"), body_named(machine, "Main.Outer.High")
    for body, own in ((low, []), (high, ["c"])):
        assert [v.name for v in body.formals] == [*own, "a", "r", "t", "b"]
        assert [v.kind.value for v in body.formals[len(own) :]] == [
            "VAR parameter",
            "VAR parameter",
            "value parameter",  # an open array is passed on as what it is
            "VAR parameter",
        ]
    # The call in Outer passes its own variables, the one in High what it was given.
    assert "enter High(c, a, r, t, b)" in flow_text(body_named(machine, "Main.Outer"))
    passed = [a.value for call in high.callees for a in call.arguments]  # type: ignore[attr-defined]
    hidden = set(high.hidden.values())
    assert all(v.variable in hidden for v in passed if getattr(v, "variable", None) is not None)
    # No expression in Low names a variable of Outer itself.
    assert all(s.target.variable in low.formals for b in low.blocks for s in b.statements)  # type: ignore[attr-defined]


def test_a_property_picks_at_its_first_choice_and_stops_at_the_next() -> None:
    machine = machine_of_text(
        "MODULE Main; VAR x* : INTEGER;\nPROPERTY p; VAR n : INTEGER; BEGIN\n"
        "LOOP CHOICE n := 1 | RESCHEDULE | NOMOVE END END END p;\nBEGIN x := 1 END Main."
    )
    body = machine.properties[0].body
    assert flow_text(body) == textwrap.dedent(
        """\
        0 (start): to 2
        1: stop at choice
        2 (choice): choose 5, 6, 7
        3 (reschedule): back to 2
        4: back to 1
        5: n := 1; to 4
        6: stop at reschedule
        7: cannotmove"""
    )


def test_known_channels() -> None:
    machine = machine_of_text(
        "MODULE Main; TYPE L = [a]; PORT p, q, r, s : L; many : ARRAY 2 OF L; VAR x* : INTEGER;\n"
        "PROCESS W(l : L); BEGIN l?a END W;\n"
        "BEGIN NEW(q); x := 1; CREATE W(q); NEW(p); NEW(many[1]); NEW(r); s := r; p!a; q!a; r!a; s!a; many[0] := p\n"
        "END Main."
    )
    assert {v.name: n for v, n in machine.constant_ports.items()} == {"q": 1, "p": 2}
