"""Which slot waits on which channel: where it is known, and what is in the way."""

from __future__ import annotations

import pytest

from lfc.actions.analysis.known_partners import channels_by_slot, known_formal
from lfc.actions.model.machine import Machine
from tests.differential.stepwise import compile_text

TEXT = """MODULE Ring;
TYPE L = [a(UINT8)];
VAR i, n : UINT8;
PORT c : ARRAY 3 OF L; p : L;

PROCESS Node(in, out : L; id : UINT8) MAX 5;
VAR v : UINT8;
BEGIN {body} END Node;

PROCESS Other(x : L);
BEGIN {other} END Other;

BEGIN
  NEW(p); {news};
  {creations};
  CREATE Other(p)
END Ring.
"""
NEWS = "FOR i := 0 TO 2 DO NEW(c[i]) END"
CREATIONS = "FOR i := 0 TO 2 DO CREATE Node(c[i], c[(i + 1) MOD 3], i) END"


def machine_of(body: str = "in?a(v)", other: str = "x!a(1)", news: str = NEWS, creations: str = CREATIONS) -> Machine:
    return compile_text(TEXT.format(body=body, other=other, news=news, creations=creations)).machine


def channels(machine: Machine) -> list[tuple[int | None, ...] | None]:
    """Of the communications of Node, in the order of the text."""
    record = next(r for r in machine.layout.records if r.body.name == "Ring.Node")
    points = [p for p in record.body.points if p.waiting is not None]
    return [channels_by_slot(machine, record, record.body, c) for p in points for c in p.clauses]


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("in?a(v)", (2, 3, 4)),
        ("out!a(1)", (3, 4, 2)),
        ("c[id]?a(v)", (2, 3, 4)),
        ("c[(id + 2) MOD 3]?a(v)", (4, 2, 3)),
        ("c[2 - id]?a(v)", (4, 3, 2)),
        ("c[1]?a(v)", (3, 3, 3)),
        ("p?a(v)", (1, 1, 1)),
        ("c[v]?a(v)", None),
        ("c[n]?a(v)", None),
        ("c[id + 1]?a(v)", None),  # a fault in the last
        ("in?a(v); id := 0; in?a(v)", (2, 3, 4)),
        ("c[id]?a(v); id := 0", None),
        ("in?a(v); in := out", None),
        ("in?a(id)", (2, 3, 4)),
        ("c[id]?a(id)", None),
    ],
)
def test_channels_of_slots(body: str, known: tuple[int, ...] | None) -> None:
    found = channels(machine_of(body))[0]
    assert (found if found is None else found[:3]) == known
    assert found is None or found[3:] == (None, None)  # nobody is ever there


@pytest.mark.parametrize(
    "creations",
    [
        f"{CREATIONS}; IF n = 0 THEN CREATE Node(p, p, 0) END",
        f"{CREATIONS}; RESCHEDULE; CREATE Node(p, p, 0)",
        "n := 2; FOR i := 0 TO n DO CREATE Node(c[i], p, i) END",
        "FOR i := 0 TO 2 DO LOOP CREATE Node(c[i], p, i); EXIT END END",
        "WHILE n < 2 DO CREATE Node(c[n], p, n); INC(n) END",
        "RESCHEDULE; CREATE Node(p, p, 0)",
    ],
)
def test_creations_that_are_not_known(creations: str) -> None:
    machine = machine_of(creations=creations)
    assert channels(machine) == [None]
    assert "Node" not in [p.name for p in machine.known_processes]


def test_a_process_that_others_make_too() -> None:
    assert channels(machine_of(other="CREATE Node(x, x, 1)")) == [None]


@pytest.mark.parametrize(
    ("news", "known"),
    [
        ("FOR i := 2 TO 0 BY -1 DO NEW(c[i]) END", (4, 3, 2)),
        ("NEW(c[1]); NEW(c[0]); NEW(c[2])", (3, 2, 4)),
        ("NEW(c[0]); NEW(c[1])", None),  # the last is never made
        (f"{NEWS}; IF n = 1 THEN NEW(c[0]) END", None),
        ("n := 1; NEW(c[n]); NEW(c[0]); NEW(c[2])", None),
    ],
)
def test_arrays_of_ports(news: str, known: tuple[int, ...] | None) -> None:
    found = channels(machine_of("c[id]?a(v)", news=news))[0]
    assert (found if found is None else found[:3]) == known


def test_who_is_alone_on_a_channel_needs_no_order_of_arrival() -> None:
    from lfc.codegen.module.target import AVR
    from lfc.codegen.program import generate

    alone = generate(machine_of("LOOP in?a(v) END"), AVR)
    together = generate(machine_of("LOOP p?a(v) END"), AVR)
    assert (alone.policies.arrivals_room, together.policies.arrivals_room) == (0, 5)


@pytest.mark.parametrize(
    ("creations", "slots"),
    [
        ("CREATE Node(p, p, 0); CREATE Node(p, p, 1)", [[0], [1]]),
        ("CREATE Node(p, p, 0); RESCHEDULE; CREATE Node(p, p, 1)", [[0]]),
        (f"{CREATIONS}; CREATE Node(p, p, 3)", [[0, 1, 2], [3]]),
        ("IF n = 0 THEN CREATE Node(p, p, 0) END; CREATE Node(p, p, 1)", []),
        ("WHILE n < 2 DO CREATE Node(p, p, n); INC(n) END; CREATE Node(p, p, 2)", []),
    ],
)
def test_slots_that_are_known(creations: str, slots: list[list[int]]) -> None:
    """Also of a process that others make too, later."""
    for other in ("x!a(1)", "CREATE Node(x, x, 1)"):
        machine = machine_of(creations=creations, other=other)
        assert [s for c, s in machine.known_slots.items() if c.process.name == "Node"] == slots


def test_what_a_call_creates_leaves_slots_unknown() -> None:
    text = (
        "MODULE Main;\nVAR n : UINT8;\nPROCESS W;\nBEGIN n := 1 END W;\nPROCESS Make;\nBEGIN CREATE W END Make;\n"
        "BEGIN {} CREATE W END Main.\n"
    )
    known = [compile_text(text.format(call)).machine.known_slots for call in ("", "Make; ")]
    assert [list(slots.values()) for slots in known] == [[[0]], []]


@pytest.mark.parametrize(
    ("creations", "body", "values"),
    [
        ("CREATE Node(p, p, 7); CREATE Node(p, p, 7)", "in?a(v)", (1, 1, 7)),
        ("CREATE Node(p, c[0], 1); CREATE Node(p, c[1], 2)", "in?a(v)", (1, None, None)),
        ("CREATE Node(p, p, n)", "in?a(v)", (1, 1, None)),
        ("CREATE Node(p, p, 7)", "INC(id); out := in", (1, None, None)),
        ("CREATE Node(p, p, 7); RESCHEDULE; CREATE Node(p, p, 7)", "in?a(v)", (None, None, None)),
    ],
)
def test_formals_with_one_value(creations: str, body: str, values: tuple[int | None, ...]) -> None:
    machine = machine_of(body, creations=creations)
    node = next(b for b in machine.bodies if b.name == "Ring.Node")
    assert node.process is not None
    assert tuple(known_formal(machine, node, v) for v in node.process.formals) == values
