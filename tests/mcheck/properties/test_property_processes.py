"""Property processes: what their steps do, and the slow product that judges them."""

from __future__ import annotations

import pytest

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.module.target import HOST
from lfc.codegen.program import generate
from lfc.diagnostics.model import Diagnostics, Severity
from lfc.front_end.load import check_source
from lfc.mcheck.check import check
from lfc.mcheck.properties.monitor import Watcher
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from tests.mcheck.reference_product import explore_product


def machine_of(text: str) -> Machine:
    diagnostics = Diagnostics()
    program = check_source(Source("T.lf", text), diagnostics)
    assert program is not None and not diagnostics.has_errors, [(d.code, d.message) for d in diagnostics.items]
    return build_machine(program, diagnostics)


COUNTER = """MODULE T;
VAR x : UINT8;
PROCESS Count; BEGIN LOOP x := (x + 1) MOD {n}; RESCHEDULE END END Count;
PROPERTY p; {declarations} BEGIN {body} END p;
BEGIN CREATE Count END T.
"""


def violated(body: str, declarations: str = "", n: int = 4) -> bool:
    """By the slow product, and by both searches of the engine, which must agree."""
    machine = machine_of(COUNTER.format(body=body, declarations=declarations, n=n))
    product = explore_product(machine)
    assert product.complete and not product.faults
    for nested in (False, True):
        result = check(machine, request_from(nested=nested))
        assert result.verdict == ("property" if product.violated else "holds")
    return product.violated


@pytest.mark.parametrize(
    ("body", "accepted"),
    [
        # [] <> (x = 3): again and again
        ("LOOP IF x = 3 THEN ACCEPT END; RESCHEDULE END", True),
        ("LOOP IF x = 4 THEN ACCEPT END; RESCHEDULE END", False),
        # <> [] (x # 3): from a point that is guessed on
        ("LOOP CHOICE RESCHEDULE | EXIT END END; LOOP IF x = 3 THEN NOMOVE END; ACCEPT; RESCHEDULE END", False),
        ("LOOP CHOICE RESCHEDULE | EXIT END END; LOOP IF x = 4 THEN NOMOVE END; ACCEPT; RESCHEDULE END", True),
        # never x = 3
        ("WHILE x # 3 DO RESCHEDULE END; LOOP ACCEPT; RESCHEDULE END", True),
        ("WHILE x # 5 DO RESCHEDULE END; LOOP ACCEPT; RESCHEDULE END", False),
        # one that has ended accepts nothing more
        ("ACCEPT", False),
        ("", False),
        ("NOMOVE", False),
        # TAKEN of what never happens, and the status of processes
        ("LOOP IF READY(Count) THEN ACCEPT END; RESCHEDULE END", True),
        ("LOOP IF WAITING(Count) OR ENDED(Count) THEN ACCEPT END; RESCHEDULE END", False),
    ],
)
def test_what_they_accept(body: str, accepted: bool) -> None:
    assert violated(body) == accepted


def test_variables_of_a_property_are_its_state() -> None:
    body = "LOOP IF x # (last + 1) MOD 4 THEN ACCEPT END; last := x; RESCHEDULE END"
    assert not violated(body, "VAR last : UINT8;")
    assert violated(body, "VAR last : UINT8;", n=3)


def test_it_first_sees_the_state_after_the_first_action() -> None:
    text = "MODULE T; VAR x : 1 .. 9; PROPERTY p; BEGIN IF x = 1 THEN LOOP ACCEPT; RESCHEDULE END END END p;\n"
    assert not explore_product(machine_of(text + "BEGIN x := 2; RESCHEDULE; x := 1 END T.")).violated
    assert explore_product(machine_of(text + "BEGIN RESCHEDULE; x := 2 END T.")).violated


def test_a_run_that_ends_stays_in_its_last_state() -> None:
    text = "MODULE T; VAR x : UINT8; PROPERTY p; BEGIN LOOP IF x = 7 THEN ACCEPT END; RESCHEDULE END END p;\n"
    assert explore_product(machine_of(text + "BEGIN x := 7 END T.")).violated
    assert not explore_product(machine_of(text + "BEGIN x := 7; RESCHEDULE; x := 6 END T.")).violated


def test_meetings_are_seen_in_the_step_after_them() -> None:
    text = """MODULE T; TYPE C = [a, b]; PORT c, d : C;
PROCESS P(c : C); BEGIN LOOP c!a; c!b END END P;
PROPERTY p; BEGIN LOOP IF TAKEN({}) THEN ACCEPT END; RESCHEDULE END END p;
BEGIN NEW(c); NEW(d); CREATE P(c); LOOP c?a; c?b END END T."""
    assert explore_product(machine_of(text.format("c.a"))).violated
    assert explore_product(machine_of(text.format("c.b"))).violated
    assert not explore_product(machine_of(text.format("d.a"))).violated


def test_a_fault_inside_a_property_is_a_fault() -> None:
    machine = machine_of(
        COUNTER.format(n=4, declarations="VAR a : ARRAY 3 OF UINT8;", body="LOOP a[x] := 1; RESCHEDULE END")
    )
    product = explore_product(machine)
    assert product.faults and {kind for _, kind, _ in product.faults} == {1}
    watcher = Watcher(machine, 0)
    assert {watcher.sites[site].text for _, _, site in product.faults} == {"index"}


def test_a_step_without_end_is_a_fault() -> None:
    machine = machine_of(COUNTER.format(n=2, declarations="", body="LOOP IF x = 9 THEN EXIT END END"))
    assert {kind for _, kind, _ in explore_product(machine).faults} == {12}


def test_the_program_is_the_same_beside_properties() -> None:
    """Its functions are, to the letter: a property is only watched where that is asked for."""
    text = COUNTER.format(n=4, declarations="", body="LOOP ACCEPT; RESCHEDULE END")
    with_it = generate(machine_of(text), HOST).ir
    start, end = text.index("PROPERTY"), text.index("END p;") + len("END p;")
    assert with_it == generate(machine_of(text[:start] + text[end:]), HOST).ir


CHANGES = {
    "x := 1": "assignment",
    "INC(x)": "step",
    "DEC(x)": "step",
    "INCL(s, 1)": "element",
    "EXCL(s, 1)": "element",
    "r.f := 1": "field",
    "a[0] := 1": "element of an array",
    "FOR x := 0 TO 2 DO END": "loop",
    "NEW(c)": "channel",
    "c := c": "port",
    "c!m": "send",
    "c?m": "receive",
    "PORTOUT(1, 2)": "port of the hardware",
    "Out.Int(1)": "console",
    "Help": "call",
    "CREATE Help": "creation",
    "d := 1": "device register",
    "In.Char(k)": "console input",
    "Clock.Sleep(1)": "time",
    "Change(x)": "VAR parameter",
    "Count.y := 1": "variable of a process",
}


@pytest.mark.parametrize("statement", CHANGES)
def test_a_property_changes_nothing_of_the_program(statement: str) -> None:
    text = f"""MODULE T; IMPORT Clock, In, Out; TYPE C = [m];
VAR x : UINT8; s : SET; r : RECORD f : UINT8 END; a : ARRAY 2 OF UINT8; d AT 25H : UINT8; k : CHAR; PORT c : C;
PROCESS Help; BEGIN END Help;
PROCESS Change(VAR y : UINT8); BEGIN y := 1 END Change;
PROCESS Count; VAR y : UINT8; BEGIN LOOP INC(y); RESCHEDULE END END Count;
PROPERTY p; BEGIN LOOP {statement}; RESCHEDULE END END p;
BEGIN NEW(c); CREATE Count; CREATE Help; Change(x); Out.Int(x); In.Char(k); INCL(s, 0); r.f := 0; a[0] := d END T."""
    diagnostics = Diagnostics()
    check_source(Source("T.lf", text), diagnostics)
    errors = [d for d in diagnostics.items if d.severity is Severity.ERROR]
    assert errors and all(d.span.line == 6 for d in errors if d.span is not None), [d.message for d in errors]


def test_a_lasso_says_where_the_property_process_is() -> None:
    body = "LOOP IF x = 3 THEN k := 1 - k END; IF k = 1 THEN ACCEPT END; RESCHEDULE END"
    machine = machine_of(COUNTER.format(body=body, declarations="VAR k : 0 .. 1;", n=4))
    for nested in (False, True):
        result = check(machine, request_from(nested=nested))
        run = result.findings[0].run
        assert run is not None and len(run.automaton) == len(run.blocks)
        assert set(run.automaton[1:]) == {"p at line 4 with k = 0", "p at line 4 with k = 1"}
        assert run.automaton[run.cycle] == run.automaton[-1]
        assert "p at line 4 with k = 1]" in tell(machine, result)
