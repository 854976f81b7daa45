"""Exact layouts: of whole programs (golden), and of single rules, with offsets worked out by hand from the paper."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.actions.as_data import actions_as_data, as_json, layout_as_data, program_digest
from lfc.actions.layout.fields import block_fields, pictures
from lfc.actions.model.machine import Machine
from tests.actions.machines import PROGRAMS, body_named, machine_of_file, machine_of_text
from tests.conftest import Golden

GOLDEN = Path(__file__).parent / "golden"
NAMES = sorted(p.stem for p in PROGRAMS.glob("*.lf"))


@pytest.mark.parametrize("name", NAMES)
def test_whole_layout(name: str, golden: Golden) -> None:
    machine = machine_of_file(PROGRAMS / f"{name}.lf")
    assert machine is not None
    golden(GOLDEN / f"{name}.layout.json", as_json(layout_as_data(machine)) + "\n")


@pytest.mark.parametrize("name", NAMES)
def test_whole_action_table(name: str, golden: Golden) -> None:
    machine = machine_of_file(PROGRAMS / f"{name}.lf")
    assert machine is not None
    golden(GOLDEN / f"{name}.actions.json", as_json(actions_as_data(machine)) + "\n")


def places(machine: Machine) -> dict[str, tuple[int, int]]:
    """owner.name -> offset, size"""
    return {f"{f.owner}.{f.name}": (f.offset, f.size) for f in block_fields(machine.layout)}


def waits(machine: Machine, process: str) -> list[list[tuple[str, int, int]]]:
    """The pictures of a body in the order of its waiting positions."""
    return [[(f.name, f.offset, f.size) for f in p.fields] for p in pictures(machine.bodies) if p.body.name == process]


def test_variables_by_falling_alignment() -> None:
    machine = machine_of_text(
        "MODULE Main; TYPE R = RECORD a : CHAR; b : INT16 END;\n"
        "VAR a* : CHAR; b* : INT16; c* : INTEGER; d* : ARRAY 3 OF CHAR; e* : R; f* : SET16; g* : 300 .. 301;\n"
        "lamp* AT 25H : SET8; h* : -1 .. 127; i* : SET; END Main."
    )
    # One position comes first. c and i need 4; b, e, f, g need 2; a, d, h need 1; the lamp is no part of the block.
    assert places(machine) == {
        "init.position": (0, 1),
        "Main.c": (4, 4),
        "Main.i": (8, 4),
        "Main.b": (12, 2),
        "Main.e": (14, 4),
        "Main.f": (18, 2),
        "Main.g": (20, 2),
        "Main.a": (22, 1),
        "Main.d": (23, 3),
        "Main.h": (26, 1),
    }
    assert machine.layout.size == 27


def test_modules_in_the_order_of_initialisation(tmp_path: Path) -> None:
    (tmp_path / "Low.lf").write_text("MODULE Low; VAR x* : INT16; END Low.\n")
    (tmp_path / "Main.lf").write_text("MODULE Main; IMPORT Low; VAR y* : INTEGER; BEGIN y := Low.x END Main.\n")
    machine = machine_of_file(tmp_path / "Main.lf")
    assert machine is not None
    assert places(machine) == {"init.position": (0, 1), "Low.x": (2, 2), "Main.y": (4, 4)}


LINE = "MODULE Main; TYPE Line = [put(INTEGER), pair(UINT8, INT16), stop]; PORT line : Line;\n"


def test_pending_bits_take_whole_bytes_after_the_positions() -> None:
    receives = "; ".join(f"SYSTEM.INT[{n}]?INTERRUPT" for n in (40, 3, 11, 2, 5, 6, 7, 8, 9))
    machine = machine_of_text(f"MODULE Main; IMPORT SYSTEM; VAR x* : UINT8; BEGIN {receives} END Main.")
    assert machine.layout.interrupts == [2, 3, 5, 6, 7, 8, 9, 11, 40]
    assert (machine.layout.pending_offset, machine.layout.pending_size) == (1, 2)
    assert places(machine)["Main.x"] == (3, 1)


def test_positions_are_two_bytes_wide_when_there_are_more_than_255() -> None:
    text = "MODULE Main; BEGIN {} END Main."
    narrow = machine_of_text(text.format("; ".join(["RESCHEDULE"] * 254)))
    wide = machine_of_text(text.format("; ".join(["RESCHEDULE"] * 255)))
    assert (len(narrow.positions), narrow.layout.position_size, narrow.layout.size) == (255, 1, 1)
    assert (len(wide.positions), wide.layout.position_size, wide.layout.size) == (256, 2, 2)


def test_steady_ports_and_targets_take_no_bytes() -> None:
    machine = machine_of_text(
        LINE + "VAR a : ARRAY 2 OF INTEGER; PROCESS P(p : Line); VAR x : INTEGER; q : UINT8; r : INT16; BEGIN\n"
        "p?put(x); line?pair(q, r); p?put(a[1]); line!stop END P;\n"
        "BEGIN NEW(line); CREATE P(line); line!put(1); line!pair(2, 3); line!put(4); line?stop END Main."
    )
    assert waits(machine, "Main.P") == [[], [], [], []]
    frame = body_named(machine, "Main.P").frame
    assert frame is not None and (frame.wait_size, frame.size) == (0, 8)
    # The initialisation sends on a steady module port: only values.
    assert waits(machine, "init") == [
        [("value 0", 0, 4)],
        [("value 0", 0, 1), ("value 1", 2, 2)],
        [("value 0", 0, 4)],
        [],
    ]


@pytest.mark.parametrize(
    ("set_again", "steady"),
    [
        ("", True),
        ("IF on THEN on := FALSE END;", True),
        ("NEW(line);", False),
        ("line := other;", False),
        ("Make(line);", False),
    ],
)
def test_a_module_port_is_steady_when_it_is_set_once(set_again: str, steady: bool) -> None:
    machine = machine_of_text(
        LINE + "PORT other : Line; VAR on : BOOLEAN; x : INTEGER; PROCESS Make(VAR p : Line); BEGIN NEW(p) END Make;\n"
        f"PROCESS P; BEGIN line!put(1) END P; BEGIN NEW(line); NEW(other); {set_again}\n"
        "CREATE P; line?put(x); Make(other); ASSERT(on) END Main."
    )
    assert waits(machine, "Main.P") == [[("value 0", 0, 4)] if steady else [("port", 0, 1), ("value 0", 4, 4)]]


def test_a_module_port_set_in_a_loop_is_not_steady() -> None:
    machine = machine_of_text(
        LINE + "VAR x : INTEGER; PROCESS P; BEGIN line!stop END P;\n"
        "BEGIN FOR x := 1 TO 1 DO NEW(line) END; CREATE P; line?stop END Main."
    )
    assert waits(machine, "Main.P") == [[("port", 0, 1)]]


def test_closed_clauses_grow_with_the_number_of_clauses() -> None:
    def machine_with(clauses: int) -> Machine:
        sends = " ".join("WHEN line!stop & (on) THEN" for _ in range(clauses))
        return machine_of_text(
            LINE + f"PROCESS P(on : BOOLEAN); BEGIN SELECT {sends} END END P;\n"
            "BEGIN NEW(line); CREATE P(TRUE); line?stop END Main."
        )

    for clauses, size in ((1, 1), (8, 1), (9, 2), (16, 2), (17, 4), (32, 4)):
        assert waits(machine_with(clauses), "Main.P") == [[("closed clauses", 0, size)]], clauses


def test_guards_of_receives_close_nothing() -> None:
    machine = machine_of_text(
        LINE + "PROCESS P(on : BOOLEAN); BEGIN SELECT WHEN line?stop & (on) THEN END END P;\n"
        "BEGIN NEW(line); CREATE P(TRUE); line!stop END Main."
    )
    assert waits(machine, "Main.P") == [[]]


def test_a_select_with_else_never_waits() -> None:
    machine = machine_of_text(
        LINE + "PROCESS P(p : ARRAY OF CHAR); VAR i : INTEGER; BEGIN\n"
        "SELECT WHEN line!put(i) THEN ELSE i := LEN(p) END END P;\n"
        'VAR x : INTEGER; BEGIN NEW(line); P("text"); SELECT WHEN line?put(x) THEN ELSE END END Main.'
    )
    frame = body_named(machine, "Main.P").frame
    assert frame is not None and frame.wait_size == 0
    assert [o for _, o in sorted((v.name, o) for v, o in frame.variables.items())] == [4, 8]  # i, then p: 4 bytes
    assert machine.layout.constant_pool == b"text\0"


def test_equal_strings_lie_once_in_the_pool_in_the_order_of_use() -> None:
    machine = machine_of_text(
        "MODULE Main; IMPORT Out;\nPROCESS P; BEGIN Out.String('one'); Out.String(\"three\") END P;\n"
        'BEGIN Out.String("two"); P; Out.String("one"); Out.String("two") END Main.'.replace("'one'", '"one"')
    )
    assert machine.layout.constant_pool == b"two\0one\0three\0"
    assert machine.layout.constant_offsets == {b"two\0": 0, b"one\0": 4, b"three\0": 8}


def test_slots_lie_process_by_process_as_the_bounds_say() -> None:
    machine = machine_of_text(
        LINE + "PROCESS B(n : INT16); BEGIN line!stop END B;\nPROCESS A MAX 2; BEGIN line?stop; CREATE B(1) END A;\n"
        "VAR i : INTEGER; BEGIN NEW(line); FOR i := 1 TO 3 DO CREATE A END; CREATE B(2) END Main."
    )
    records = [(r.body.name, r.first_slot, r.slots, r.position_offset) for r in machine.layout.records]
    assert records == [("init", 0, 1, 0), ("Main.B", 1, 3, 1), ("Main.A", 4, 2, 4)]


def test_the_record_of_a_process_is_empty_when_it_has_nothing() -> None:
    machine = machine_of_text("MODULE Main; PROCESS P; BEGIN RESCHEDULE END P; BEGIN CREATE P; CREATE P END Main.")
    assert machine.layout.size == 3
    assert [r.stride for r in machine.layout.records] == [0, 0]


def test_two_bytes_for_the_frame_when_the_record_is_longer_than_255() -> None:
    text = "MODULE Main; PROCESS P; VAR a : ARRAY {} OF CHAR; BEGIN a[0] := 'x'; RESCHEDULE END P; BEGIN P END Main."
    # frame field, return position, array: 1 + 1 + 253 = 255 bytes; with one more the field needs two bytes.
    short, long = machine_of_text(text.format(253)), machine_of_text(text.format(254))
    assert (short.layout.records[0].stride, short.layout.records[0].frame_field_size) == (255, 1)
    assert (long.layout.records[0].stride, long.layout.records[0].frame_field_size) == (258, 2)


def test_the_program_lies_the_same_with_and_without_environment() -> None:
    program = (
        "MODULE Main; IMPORT SYSTEM; VAR x* : UINT8;\nPROCESS P; BEGIN LOOP SYSTEM.INT[4]?INTERRUPT;\n"
        "x := PORTIN(10H) END END P;\nBEGIN CREATE P END Main."
    )
    environment = (
        "ENVIRONMENT MODULE Env; IMPORT SYSTEM, Main; VAR n : INTEGER; a : UINT8; w : UINT32;\n"
        "PROCESS World; BEGIN LOOP SYSTEM.INT[4]!INTERRUPT; SYSTEM.INT[9]!INTERRUPT; n := Main.x END END World;\n"
        "PROCESS Port; BEGIN LOOP SYSTEM.IOPORT?PORTIN(a, w); SYSTEM.IOPORT!VALUE(7) END END Port;\n"
        "BEGIN n := 1; CREATE World; CREATE Port END Env."
    )
    alone, both = machine_of_text(program), machine_of_text(program, environment)
    without = machine_of_text(program, environment, with_environment=False)
    assert both.environment is not None and without.environment is None
    for machine in (both, without):
        assert [(p.number, p.kind) for p in machine.positions] == [(p.number, p.kind) for p in alone.positions]
        assert places(machine) == places(alone)
    assert program_digest(alone) == program_digest(both)
    part = both.environment.layout
    # Positions and bits of the environment follow the program's block; interrupt 4 has its bit in the program's part.
    assert [r.first_slot for r in part.records] == [2, 3]
    assert part.positions_offset == both.layout.size and part.interrupts == [9]
    assert [p.number for p in both.environment.positions] == list(range(1, len(both.environment.positions) + 1))


def test_the_digest_tells_programs_apart() -> None:
    text = "MODULE Main; VAR x* : INTEGER; BEGIN x := 1{} END Main."
    digests = {program_digest(machine_of_text(text.format(more))) for more in ("", "; x := 2", "; RESCHEDULE")}
    assert len(digests) == 3 and all(len(d) == 32 for d in digests)
