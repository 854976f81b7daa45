"""A program's digest changes with whatever it computes, and with nothing else but the places in its text."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest

from lfc.actions.as_data import actions_as_data, as_json, composition_digest, layout_as_data, linked_digest
from lfc.actions.as_data import program_digest as digest_of_program
from lfc.actions.build import build_machine
from lfc.actions.model import identity
from lfc.actions.model.machine import Machine
from lfc.base.library_folder import LIBRARY
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.semantics.model import typed
from tests.actions.machines import machine_of_file, machine_of_text
from tests.conftest import ROOT

PROGRAM = """MODULE Main;
IMPORT SYSTEM, Clock;
CONST limit = 20;
TYPE Small = 0 .. 9; Colour = (red, green); Pair = RECORD a : INT16; b : UINT16 END;
  Line = [number(INT16), stop];
VAR n* : INT16; s : Small; c : Colour; p : Pair; word : ARRAY 4 OF CHAR; set : SET8; t : UINT32;
PORT q : Line;
PROCESS Add(x : INT16; VAR sum : INT16);
BEGIN sum := sum + x
END Add;
PROCESS Send(to : Line);
VAR i : INT16;
BEGIN
  FOR i := 1 TO 5 BY 2 DO to!number(i) END;
  Clock.Sleep(50); to!stop
END Send;
PROCESS Main;
VAR more : BOOLEAN;
BEGIN
  n := 200; word := "abc"; set := {1, 3}; more := TRUE;
  WHILE more DO
    SELECT
      WHEN q?number(p.a) & (n > limit) THEN Add(7, n)
      WHEN q?stop THEN more := FALSE
      WHEN Clock.After(90) THEN n := n - 1
    END
  END;
  CHOICE n := 1 | n := 2 END;
  CASE n OF 1 : c := red | 2 .. 3 : c := green ELSE s := 4 END;
  IF n < 3 THEN PORTOUT(40H, 1) ELSIF ~ODD(n) THEN INC(n, 2) END;
  WHILE n > 7 DO n := n DIV 2 END;
  ASSERT(n # 99); p.b := UINT16(n); t := PORTIN32(60H);
  SYSTEM.WRITE("x")
END Main;
BEGIN
  NEW(q); CREATE Send(q) DEADLINE 30; CREATE Main
END Main.
"""
# Of one length, so that nothing moves.
CHANGES = [
    ("n := 200", "n := 100"),
    ("limit = 20", "limit = 30"),
    ("n > limit", "n < limit"),
    ("n > limit", "s > limit"),
    ("sum + x", "sum - x"),
    ("Add(7, n)", "Add(8, n)"),
    ("a : INT16", "a : INT32"),
    ("(red, green)", "(green, red)"),
    ("0 .. 9", "0 .. 8"),
    ("0 .. 9", "1 .. 9"),
    ('"abc"', '"abd"'),
    ("{1, 3}", "{1, 4}"),
    ("TO 5 BY", "TO 7 BY"),
    ("BY 2", "BY 3"),
    ("to!number(i) END", "to!number(1) END"),
    ("Sleep(50)", "Sleep(60)"),
    ("DEADLINE 30", "DEADLINE 40"),
    ("After(90)", "After(80)"),
    ("more := FALSE", "more := TRUE "),
    ("n := n - 1", "n := n * 1"),
    ("n := 1 | n := 2 END", "n := 2 | n := 1 END"),
    ("1 : c := red", "9 : c := red"),
    ("2 .. 3", "2 .. 4"),
    ("s := 4", "s := 5"),
    ("c := green ", "c := red   "),
    ("n < 3", "n < 4"),
    ("n < 3 THEN", "3 < n THEN"),
    ("40H, 1", "41H, 1"),
    ("40H, 1", "40H, 2"),
    ("~ODD(n)", " ODD(n)"),
    ("INC(n, 2)", "DEC(n, 2)"),
    ("INC(n, 2)", "INC(n, 3)"),
    ("n > 7 DO", "n > 8 DO"),
    ("n # 99", "n # 98"),
    ("n DIV 2", "n DIV 3"),
    ("n DIV 2", "n MOD 2"),
    ("PORTIN32(60H)", "PORTIN32(64H)"),
    ('WRITE("x")', 'WRITE("y")'),
    ("p.b := UINT16(n)", "p.b := UINT16(7)"),
]


def digest(text: str) -> bytes:
    return digest_of_program(machine_of_text(text))


def changed(old: str, new: str, text: str = PROGRAM) -> str:
    assert text.count(old) >= 1 and len(old) == len(new)
    return text.replace(old, new, 1)


@pytest.mark.parametrize(("old", "new"), CHANGES, ids=lambda t: t)
def test_each_change_of_what_is_computed_changes_it(old: str, new: str) -> None:
    assert digest(changed(old, new)) != digest(PROGRAM)


def test_what_the_tables_of_layout_and_actions_do_not_show() -> None:
    """A digest of these alone takes the two for one program."""

    def tables(text: str) -> str:
        machine = machine_of_text(text)
        return as_json(layout_as_data(machine)) + as_json(actions_as_data(machine))

    other = changed("n := 200", "n := 100")
    assert tables(other) == tables(PROGRAM) and digest(other) != digest(PROGRAM)


def test_what_computes_nothing_and_moves_nothing_does_not_change_it() -> None:
    for old, new in [
        ("NEW(q); ", "NEW(q);\t"),
        ("more := FALSE\n", "more := FALSE (* out *)\n"),
        ("END Main.\n", "END Main.\n\n"),
    ]:
        assert digest(PROGRAM.replace(old, new, 1)) == digest(PROGRAM)
    assert digest(PROGRAM.replace("n* :", "n :")) != digest(PROGRAM)  # what stands behind it in the line has moved


def test_it_tells_two_types_apart_that_take_the_same_bytes() -> None:
    text = "MODULE M; VAR v, w : {}; b : BOOLEAN; BEGIN b := v < w END M."
    assert digest(text.format("UINT16")) != digest(text.format("INT16 "))


def test_the_environment_and_the_properties_are_of_the_composition_only() -> None:
    program = "MODULE Main; VAR x* : UINT8; PROPERTY p = ALWAYS (x < {});\nBEGIN x := PORTIN(10H) END Main."
    around = (
        "ENVIRONMENT MODULE Env; IMPORT SYSTEM; VAR a : UINT8; w : UINT32;\nPROCESS Port; BEGIN LOOP "
        "SYSTEM.IOPORT?PORTIN(a, w); SYSTEM.IOPORT!VALUE({}) END END Port;\nBEGIN CREATE Port END Env."
    )

    def both(bound: int, value: int | None) -> Machine:
        return machine_of_text(program.format(bound), None if value is None else around.format(value))

    machines = [both(7, 1), both(7, 2), both(8, 1), both(7, None)]
    assert len({composition_digest(m) for m in machines}) == 4
    assert len({digest_of_program(m) for m in machines}) == 1


def test_linked_c_is_part_of_an_image() -> None:
    own = digest(PROGRAM)
    assert linked_digest(own, []) == own
    assert len({linked_digest(own, c) for c in ([], ["a"], ["b"], ["a", "b"], ["b", "a"], ["ab"])}) == 6


@pytest.mark.parametrize("file", ["examples/philosophers.lf", "examples/prodcons.lf"])
def test_it_is_the_same_in_each_run_and_from_each_place(file: str, tmp_path: Path) -> None:
    copy = tmp_path / Path(file).name
    copy.write_bytes((ROOT / file).read_bytes())
    machine = machine_of_file(copy)
    assert machine is not None
    own = [digest_of_program(machine).hex(), composition_digest(machine).hex()]
    code = (
        "import sys; from pathlib import Path; from tests.actions.machines import machine_of_file as m\n"
        "from lfc.actions.as_data import *; x = m(Path(sys.argv[1]))\n"
        "print(program_digest(x).hex(), composition_digest(x).hex())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "77", "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", code, ROOT / file], env=environment, capture_output=True, text=True)
    assert done.stdout.split() == own, done.stderr
    assert [digest_of_program(machine).hex(), composition_digest(machine).hex()] == own  # done twice


def test_nothing_is_left_out_by_mistake() -> None:
    """The fields that are left out are fields; and of expressions, none but what only the typing asks for."""
    for kind, names in identity.LEFT_OUT.items():
        assert is_dataclass(kind) and names <= {f.name for f in fields(kind)}
        if issubclass(kind, typed.Expr | typed.Statement):
            assert kind is typed.Constant and names == {"free"}


USES_THE_LIBRARY = """MODULE Main;
IMPORT In, Out;
VAR c : CHAR; n : INTEGER;
PROCESS P; BEGIN LOOP In.Char(c); n := ORD(c); Out.Int(n) END END P;
BEGIN CREATE P END Main.
"""


def test_a_digest_does_not_depend_on_where_a_file_lies() -> None:
    """Whether its path stands before the library's or behind it."""
    found = []
    for path in ("/!/Main.lf", "/~/Main.lf"):
        assert (path < str(LIBRARY)) == (path == "/!/Main.lf")
        diagnostics = Diagnostics()
        program = check_source(Source(path, USES_THE_LIBRARY), diagnostics)
        assert program is not None and not diagnostics.has_errors
        found.append(digest_of_program(build_machine(program, diagnostics)))
    assert found[0] == found[1]
