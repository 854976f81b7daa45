"""How many instances, calls and channels: stated, derived or assumed."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source
from lfc.semantics.bounds import channel_bound, instance_bounds, slot_count
from lfc.semantics.model import typed


def program(text: str) -> tuple[typed.Program, list[str]]:
    diagnostics = Diagnostics()
    found = check_source(Source("Test.lf", text), diagnostics)
    assert found is not None, [d.message for d in diagnostics.items]
    codes = [d.code for d in diagnostics.items if d.code[:5] == "LF072" or d.severity.value == "error"]
    return found, codes


def shown(text: str) -> str:
    """`P 2 derived` for each process that is created; ` calls 8 assumed` for what is recursive."""
    found = []
    for process, bound in instance_bounds(program(text)[0]).items():
        piece = f"{process.name} {bound.max_instances} {bound.instances_origin.name.lower()}"
        if bound.recursive:
            piece += f" calls {bound.max_calls} {bound.calls_origin.name.lower()}"
        else:
            assert bound.max_calls == 1
        if bound.max_instances or bound.recursive:
            found.append(piece)
    return ", ".join(found)


P = "PROCESS P; BEGIN END P;"
P3 = "PROCESS P MAX 3; BEGIN END P;"
Q = "PROCESS Q; BEGIN CREATE P END Q;"
I = "VAR i : INTEGER;"  # noqa: E741 - names as in the programs

INSTANCES = [
    (P, "CREATE P", "P 1 derived"),
    (P, "P", ""),
    (P, "CREATE P; CREATE P", "P 2 derived"),
    (f"{I} {P}", "FOR i := 1 TO 5 DO CREATE P END", "P 5 derived"),
    (f"{I} {P}", "FOR i := 9 TO 1 BY -2 DO CREATE P END", "P 5 derived"),
    (f"{I} {P}", "FOR i := 1 TO 0 DO CREATE P END", ""),
    (f"{I} VAR j : INTEGER; {P}", "FOR i := 1 TO 5 DO FOR j := 1 TO 2 DO CREATE P END; CREATE P END", "P 15 derived"),
    (f"{I} {P}", "FOR i := 1 TO i DO CREATE P END", "P 8 assumed"),
    (f"{I} {P}", "FOR i := 1 TO 5 DO CREATE P; DEC(i) END", "P 8 assumed"),
    (P, "LOOP CREATE P END", "P 8 assumed"),
    (P3, "LOOP CREATE P END", "P 3 stated"),
    (P3, "CREATE P", "P 3 stated"),
    (P3, "P", ""),
    (f"{I} {P}", "IF i = 0 THEN CREATE P ELSE CREATE P; CREATE P END", "P 2 derived"),
    (f"{I} {P}", "IF i = 0 THEN CREATE P END; CREATE P", "P 2 derived"),
    (f"{P} {Q}", "CREATE Q; CREATE Q", "P 2 derived, Q 2 derived"),
    (f"{P} {Q}", "Q; Q; CREATE Q", "P 3 derived, Q 1 derived"),
    (f"{P} {Q}", "LOOP CREATE Q END", "P 8 derived, Q 8 assumed"),
    (f"{P} {Q}", "LOOP Q END", "P 8 assumed"),
    (f"{P} PROCESS Q; BEGIN P; CREATE Q END Q;", "CREATE Q", "Q 8 assumed"),
    (f"{P} PROCESS Q MAX 4; BEGIN CREATE P; CREATE Q END Q;", "CREATE Q", "P 4 derived, Q 4 stated"),
    ("PROCESS P; BEGIN CREATE Q END P; PROCESS Q; BEGIN CREATE P END Q;", "CREATE P", "P 8 assumed, Q 8 assumed"),
    ("PROCESS P; BEGIN P END P;", "P", "P 0 derived calls 8 assumed"),
    ("PROCESS P MAX 4; BEGIN P END P;", "P", "P 0 derived calls 4 stated"),
    ("PROCESS P MAX 4; BEGIN P END P;", "CREATE P", "P 4 stated calls 4 stated"),
    (
        "PROCESS P; BEGIN Q END P; PROCESS Q; BEGIN P END Q;",
        "P",
        "P 0 derived calls 8 assumed, Q 0 derived calls 8 assumed",
    ),
    (f"{P} PROCESS R; BEGIN CREATE P; R END R;", "R", "P 8 assumed, R 0 derived calls 8 assumed"),
    (f"{P} PROCESS N; PROCESS In; BEGIN CREATE P END In; BEGIN In; In END N;", "CREATE N", "P 2 derived, N 1 derived"),
    (f"{P} PROCESS Unused; BEGIN LOOP CREATE P; RESCHEDULE END END Unused;", "CREATE P", "P 1 derived"),
]


@pytest.mark.parametrize(("declarations", "body", "expected"), INSTANCES)
def test_instances(declarations: str, body: str, expected: str) -> None:
    assert shown(f"MODULE Test; {declarations} BEGIN {body} END Test.") == expected


CHANNELS = [
    ("", "NEW(p)", 1),
    ("", "", 0),
    ("", "NEW(p); NEW(p); NEW(q[0])", 3),
    (I, "FOR i := 0 TO 2 DO NEW(q[i]) END", 3),
    ("", "LOOP NEW(p) END", 8),
    ("", "LOOP NEW(p); NEW(p) END", 16),
    ("", "LOOP NEW(r) END", 5),
    ("", "LOOP NEW(r) END; NEW(s); NEW(s); NEW(p)", 6),
    ("PROCESS P; PORT own : Line; BEGIN NEW(own) END P;", "CREATE P; CREATE P", 2),
    ("PROCESS P; PORT own : Line; BEGIN NEW(own) END P;", "P; CREATE P", 2),
    ("PROCESS P; PORT own : Line; BEGIN NEW(own) END P;", "LOOP CREATE P END", 8),
    ("PROCESS P; PORT own : Line MAX 3; BEGIN NEW(own) END P;", "CREATE P; CREATE P", 3),
    ("PROCESS P(VAR x : Line); BEGIN NEW(x) END P;", "P(p); P(q[0])", 2),
    ("PROCESS P; PORT own : Line; BEGIN NEW(own); P END P;", "P", 8),
    ("PROCESS P; PORT own : Line; BEGIN NEW(own) END P;", "", 0),
    (I, "IF i = 0 THEN NEW(p) ELSE NEW(p) END", 2),  # each NEW in the text counts
]


@pytest.mark.parametrize(("declarations", "body", "expected"), CHANNELS)
def test_channels(declarations: str, body: str, expected: int) -> None:
    ports = "TYPE Line = [go]; PORT p : Line; q : ARRAY 3 OF Line; r, s : Line MAX 5;"
    assert channel_bound(program(f"MODULE Test; {ports} {declarations} BEGIN {body} END Test.")[0]) == expected


def test_what_is_assumed_is_said() -> None:
    assert program(f"MODULE Test; {P} BEGIN LOOP CREATE P END END Test.")[1] == ["LF0720"]
    assert program(f"MODULE Test; {P3} BEGIN LOOP CREATE P END END Test.")[1] == []
    assert program("MODULE Test; PROCESS P; BEGIN P END P; BEGIN P END Test.")[1] == ["LF0721"]
    line = "TYPE Line = [go]; PORT p : Line"
    assert program(f"MODULE Test; {line}; BEGIN LOOP NEW(p) END END Test.")[1] == ["LF0722"]
    assert program(f"MODULE Test; {line} MAX 2; BEGIN LOOP NEW(p) END END Test.")[1] == []


@pytest.mark.parametrize(("count", "codes"), [(255, []), (1022, []), (1023, ["LF0723"])])
def test_room_for_processes(count: int, codes: list[str]) -> None:
    found, reported = program(f"MODULE Test; {I} {P} BEGIN FOR i := 1 TO {count} DO CREATE P END END Test.")
    assert slot_count(instance_bounds(found)) == count + 1
    assert reported == codes


@pytest.mark.parametrize(("count", "codes"), [(256, []), (1023, []), (1024, ["LF0724"])])
def test_room_for_channels(count: int, codes: list[str]) -> None:
    text = f"MODULE Test; {I} TYPE Line = [go]; PORT p : Line; BEGIN FOR i := 1 TO {count} DO NEW(p) END END Test."
    assert program(text)[1] == codes
