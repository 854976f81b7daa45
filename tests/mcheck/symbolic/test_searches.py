"""Searches over undetermined data: their counts are those of the explicit search, what they find is replayed."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck import data_beside, undetermined
from lfc.mcheck.check import check
from lfc.mcheck.progress import progress_text
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.request.request import request_from
from lfc.mcheck.request.world import World
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search import worker_thread
from lfc.mcheck.search.search import Stop
from lfc.mcheck.search.worker_thread import Progress
from lfc.mcheck.symbolic.explore import Exploration, Limits, SymbolicProgram
from lfc.mcheck.symbolic.widening import Places, by_widths, widened
from tests.actions.machines import machine_of_file, machine_of_text
from tests.mcheck.searching import search_with

ASSERT = 6  # as kind of a fault
PROGRAMS = Path(__file__).parent / "programs"


def program(name: str) -> Machine:
    machine = machine_of_file(PROGRAMS / f"{name}.lf")
    assert machine is not None
    return machine


def with_sets(machine: Machine, **options: object) -> CheckResult:
    return check(machine, request_from(data="symbolic", reductions=("auto",), **options))


@pytest.mark.parametrize(
    ("name", "states", "boxes"), [("lamp", 259, 4), ("thermostat", 133_392, 21), ("counters", 868_088, 3_226)]
)
def test_the_boxes_hold_exactly_the_states(name: str, states: int, boxes: int) -> None:
    machine = program(name)
    result = with_sets(machine)
    assert result.verdict == "holds" and result.symbolic is not None
    assert (result.symbolic.concrete, result.symbolic.states) == (states, boxes)
    search = search_with(machine, request_from(reductions=("dead",)))
    try:
        assert search.run() is Stop.COMPLETE
        assert search.statistics.states == states
    finally:
        search.close()


def thermostat(bits: int) -> str:
    read = {8: "PORTIN(78H)", 16: "PORTIN16(78H)"}.get(bits, f"PORTIN32(78H) MOD {1 << bits}")
    read = "PORTIN32(78H)" if bits == 32 else f"PORTIN16(78H) MOD {1 << bits}" if bits in (10, 12) else read
    text = (PROGRAMS / "thermostat.lf").read_text()
    kind = {8: "UINT8", 10: "UINT16", 12: "UINT16", 16: "UINT16"}.get(bits, "UINT32")
    return (
        text.replace("PORTIN(ADC)", read.replace("78H", "ADC")).replace("UINT8", kind).replace("HEATER, 1", "HEATER, 1")
    )


@pytest.mark.parametrize("bits", [8, 10, 12, 16, 24, 32])
def test_wider_samples_take_no_more_states(bits: int) -> None:
    result = with_sets(machine_of_text(thermostat(bits)))
    assert result.verdict == "holds" and result.symbolic is not None
    assert result.symbolic.states == 21


def executed(bits: int) -> int:
    """Instructions of its search."""
    machine = machine_of_text(thermostat(bits))
    program = SymbolicProgram(machine, request_from().world, Reset(machine).places)
    found = Exploration(program, Limits())
    found.run()
    assert found.complete
    return program.interpreter.executed


def test_wider_samples_take_no_more_work() -> None:
    narrow, *wider = (executed(bits) for bits in (8, 10, 12, 16, 24, 32))
    assert max(wider) <= 1.1 * narrow


def test_samples_fall_into_the_classes_that_are_asked_for() -> None:
    result = with_sets(program("thermostat"))
    assert result.symbolic is not None
    classes = {c.name: c.classes for c in result.symbolic.classes}
    assert classes["Control.x"] == [[(0, 17)], [(18, 22)], [(23, 255)]]


def test_a_stored_input_of_32_bits_shows_its_bug_by_itself() -> None:
    """One value of the input is tried first; then it is left undetermined."""
    result = check(program("wide"), request_from(reductions=("auto",)))
    assert result.verdict == "assertion" and result.symbolic is not None
    (finding,) = result.findings
    assert [i.operands for step in finding.steps for i in step if i.name == "in32"] == [(100_001,)] * 3
    assert len(finding.blocks) == len(finding.steps) == 5 and not finding.shortest


def wide_counters() -> Machine:
    """Three thousand million states, value by value."""
    text = (PROGRAMS / "counters.lf").read_text()
    return machine_of_text(text.replace("UINT8", "UINT16").replace("240", "60000").replace("200", "50000"))


@pytest.mark.parametrize("states", [0, 400_000])
def test_sets_answer_where_the_explicit_search_does_not_end(states: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside it; also when it has come to its limit before. On a busy machine the answer is waited for longer."""
    monkeypatch.setitem(data_beside.PATIENT, Stop.STATES, 600.0)
    monkeypatch.setattr(undetermined, "SECONDS", 1200.0)
    result = check(wide_counters(), request_from(reductions=("auto",), states=states))
    assert result.verdict == "holds" and result.symbolic is not None
    assert (result.symbolic.states, result.symbolic.wide) == (162, 61)
    assert result.symbolic.explicit_states > 200_000


def test_the_first_answer_counts() -> None:
    """A search value by value of about a second is not kept from ending by sets that take longer."""
    result = check(program("counters"), request_from(reductions=("auto",)))
    assert result.verdict == "holds" and result.symbolic is None
    assert result.states == 1_300_088


def test_only_the_whole_question_is_answered_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Properties of more than 63 atoms are searched in groups: nothing answers for the later ones alone."""
    asked: list[int] = []

    def counted(question: Question, *_: object) -> None:
        asked.append(len(question.later))

    monkeypatch.setattr("lfc.mcheck.undetermined.search_beside", counted)
    claims = "".join(f"PROPERTY p{n} = ALWAYS (shown <= {n});\n" for n in range(240, 310))
    text = (PROGRAMS / "counters.lf").read_text().replace("\nPROCESS Fast", f"\n{claims}\nPROCESS Fast")
    result = check(machine_of_text(text), request_from(reductions=("auto",)))
    assert result.verdict == "holds" and len(result.properties) == 70
    assert asked == [1]


MANY_OUTCOMES = """MODULE Many;
VAR r AT 78H : UINT8; sum : UINT32;
PROCESS P;
VAR i : UINT8; one : UINT8;
BEGIN
  LOOP
    sum := 0; i := 0;
    WHILE i < 12 DO one := r; sum := sum + one MOD 16; i := i + 1 END;
    ASSERT(sum <= 180);
    RESCHEDULE
  END
END P;
BEGIN CREATE P END Many.
"""


def test_sets_answer_where_the_explicit_search_hardly_gets_on() -> None:
    """One action has more outcomes than can be tried: no state after it is ever reached value by value."""
    result = check(machine_of_text(MANY_OUTCOMES), request_from(reductions=("auto",), seconds=60.0))
    assert result.verdict == "holds" and result.symbolic is not None
    assert result.symbolic.explicit_states < 1000


def test_what_fails_beside_a_search_is_not_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> CheckResult:
        raise ZeroDivisionError

    monkeypatch.setattr("lfc.mcheck.symbolic.properties.attempt.attempt", fails)
    with pytest.raises(ZeroDivisionError):
        check(wide_counters(), request_from(reductions=("auto",), states=400_000))


def test_sets_are_tried_at_once_where_wide_inputs_are_kept() -> None:
    result = check(program("latch"), request_from(reductions=("auto",)))
    assert result.verdict == "holds" and result.symbolic is not None
    assert (result.symbolic.states, result.symbolic.concrete) == (30, 12_885_753_880)
    assert result.symbolic.explicit_states == 0


def test_what_only_ranges_prove() -> None:
    result = with_sets(program("gauge"))
    assert result.verdict == "holds" and result.symbolic is not None
    assert result.symbolic.wide and result.symbolic.concrete is None


def test_a_fault_behind_a_checksum_is_found() -> None:
    result = with_sets(program("frame"))
    assert result.verdict == "fault"
    read = [i.operands[0] or 0 for step in result.findings[0].steps for i in step if i.name == "read"]
    start, command, value, total = read
    assert start == 0xAA and command % 16 >= 8 and (command + value) % 256 == total


def test_a_sum_is_no_greater_than_what_was_added() -> None:
    """A moving average: what is taken away was added before, so that the sum is one of what is there."""
    result = with_sets(program("average"))
    assert result.verdict == "holds" and result.symbolic is not None
    assert (result.symbolic.states, result.symbolic.wide) == (17, 0)


SQUARES = """MODULE Squares;
VAR x, y : UINT32;
PROCESS P SERVER;
BEGIN
  LOOP
    x := PORTIN32(78H) MOD 65536; y := PORTIN32(79H) MOD 65536; RESCHEDULE;
    ASSERT(x * y # 4294049777)
  END
END P;
BEGIN CREATE P END Squares.
"""


def test_a_fault_that_only_ranges_allow_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """The number has no two factors of 16 bits: nobody but a solver says so."""
    monkeypatch.setitem(sys.modules, "bitwuzla", None)
    result = with_sets(machine_of_text(SQUARES))
    assert result.verdict == "inconclusive" and not result.findings
    assert "do not rule out a failed assertion" in result.reason and "lf-toolchain[solver]" in result.reason


def test_explicit_data_is_explicit() -> None:
    result = check(program("wide"), request_from(reductions=("auto",), data="explicit"))
    assert result.verdict == "inconclusive" and result.symbolic is None
    plain = check(program("wide"), request_from())
    assert plain.symbolic is None


DEADLOCK = """MODULE Main;
TYPE Msg = [m(UINT8)];
PORT c, d : Msg;
PROCESS P;
VAR v : UINT16;
BEGIN v := PORTIN16(78H); RESCHEDULE; IF v = 777 THEN c?m(v8) END; d!m(1) END P;
PROCESS Q;
VAR w : UINT8;
BEGIN d?m(w) END Q;
BEGIN NEW(c); NEW(d); CREATE P; CREATE Q END Main.
""".replace("VAR v : UINT16;", "VAR v : UINT16; v8 : UINT8;")


def test_a_deadlock_of_one_value_is_found() -> None:
    result = with_sets(machine_of_text(DEADLOCK))
    assert result.verdict == "deadlock"
    assert [i.operands for step in result.findings[0].steps for i in step if i.name == "in16"] == [(777,)]


PARTIAL = """MODULE Main;
TYPE Msg = [m(UINT8)];
PORT c : Msg;
PROCESS P;
VAR v : UINT16;
BEGIN v := PORTIN16(78H); RESCHEDULE; IF v # 777 THEN c!m(1) END; LOOP RESCHEDULE END END P;
PROCESS Q;
VAR w : UINT8;
BEGIN c?m(w) END Q;
BEGIN NEW(c); CREATE P; CREATE Q END Main.
"""


def test_a_partial_deadlock_of_one_value_is_found() -> None:
    result = with_sets(machine_of_text(PARTIAL))
    assert result.verdict == "partial-deadlock"
    assert [i.operands for step in result.findings[0].steps for i in step if i.name == "in16"] == [(777,)]


RETRIES = """MODULE Main;
TYPE Msg = [m(UINT8)];
PORT c : Msg;
PROCESS P;
VAR v : UINT16;
BEGIN LOOP v := PORTIN16(78H); RESCHEDULE; IF v = 777 THEN c!m(1); EXIT END END; LOOP RESCHEDULE END END P;
PROCESS Q;
VAR w : UINT8;
BEGIN c?m(w) END Q;
BEGIN NEW(c); CREATE P; CREATE Q END Main.
"""


def test_who_is_let_go_after_some_rounds_is_not_stuck() -> None:
    """Each value leads back to where all can come, and one of them lets it go."""
    assert with_sets(machine_of_text(RETRIES)).verdict == "holds"


FALLING = """MODULE Main;
TYPE Msg = [m(UINT8)];
PORT c : Msg;
VAR n : UINT8;
PROCESS P;
BEGIN
  n := PORTIN(78H) MOD 200;
  WHILE (n # 10) & (n # 50) DO RESCHEDULE; IF n > 10 THEN n := n - 1 ELSE n := n + 1 END END;
  IF n = 10 THEN c!m(1) END;
  LOOP RESCHEDULE END
END P;
PROCESS Q;
VAR w : UINT8;
BEGIN c?m(w) END Q;
BEGIN NEW(c); CREATE P; CREATE Q END Main.
"""


def test_values_that_come_to_where_it_is_stuck_are_told_from_others() -> None:
    """n = 50 is the end of all above it; those below come to 10."""
    result = with_sets(machine_of_text(FALLING))
    assert result.verdict == "partial-deadlock"
    (read,) = [i.operands[0] for step in result.findings[0].steps for i in step if i.name == "in8"]
    assert read is not None and read % 200 >= 50


def test_its_progress_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not in its first second, and then as often as that of other searches."""
    monkeypatch.setattr(worker_thread, "SOON", 0)
    told: list[Progress] = []
    result = check(program("thermostat"), request_from(data="symbolic", reductions=("auto",)), told.append)
    assert result.verdict == "holds" and told
    assert progress_text(told[0]).startswith("1 symbolic state of ")
    assert progress_text(told[0]).endswith("0 s: leaving data undetermined")


def test_a_search_that_is_stopped_again_and_again_is_the_same_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lfc.mcheck.symbolic.explore.BETWEEN_LOOKS", -1.0)  # at the clock: after each state
    machine = program("thermostat")
    found = []
    for effort in (float("inf"), 0.0):  # the second one stops after each state
        symbolic = SymbolicProgram(machine, request_from().world, Reset(machine).places)
        search = Exploration(symbolic, Limits(effort=effort))
        runs = 0
        while not search.complete:
            search.run()
            runs += 1
        found.append((len(search.states), search.transitions, search.depth, search.count()))
        assert runs == (1 if effort else 22)
    assert found == [(21, 52, 10, 133_392)] * 2


@pytest.mark.parametrize("room", [4, 5])
def test_elements_of_arrays_need_not_tell_states_apart(room: int) -> None:
    """A ring of records with channels is proved by a coarse search; if it runs over, that is not left out."""
    text = (PROGRAMS / "records.lf").read_text().replace("(write + 1) MOD N", f"(write + 1) MOD {room}")
    machine = machine_of_text(text.replace("N = 8", "N = 4"))
    program = SymbolicProgram(machine, request_from().world, Reset(machine).places)
    found = Exploration(program, Limits(may_widen=True, coarse=True, goes_on=True, confirms=lambda error: False))
    found.run()
    assert found.complete and len(found.states) < 1_000
    assert bool(found.possible) == (room == 5)


@pytest.mark.parametrize(("limit", "seen"), [("FASTEST", []), ("255", [ASSERT])])
def test_what_bytes_are_compared_with_holds_up_no_wider_counter(limit: str, seen: list[int]) -> None:
    """Of a dispatcher of frames with two counters of 16 bits, which once took 9,227 states."""
    text = (PROGRAMS / "dispatcher.lf").read_text().replace("MIN(value, FASTEST)", f"MIN(value, {limit})")
    machine = machine_of_text(text)
    program = SymbolicProgram(machine, request_from().world, Reset(machine).places)
    found = Exploration(program, Limits(may_widen=True, coarse=True, goes_on=True, confirms=lambda error: False))
    found.run()
    assert (found.complete, len(found.states), len(found.of_shape)) == (True, 1720, 225)
    assert [kind for kind, _ in found.possible] == seen


def test_limits_are_those_of_a_width() -> None:
    limits = {1: [0, 7], 8: [0, 165, 166], 16: [0, 65535]}
    known = [(((0, 20),), ((0, 20),))]
    of_each = by_widths((8, 16), limits)
    assert widened((((5, 30),), ((5, 30),)), known, (8, 16), of_each) == (((0, 165),), ((0, 65535),))
    assert by_widths((24,), limits) == [[0, 7]]


def test_a_variable_has_the_limits_of_those_that_it_is_compared_with() -> None:
    """The latch's `rounds` knows nothing of what `low` and `high` are asked for."""
    machine = machine_of_file(PROGRAMS.parents[3] / "bench/checker/data/latch.lf")
    assert machine is not None
    program = SymbolicProgram(machine, World(), Reset(machine).places)
    of = [set(own) for own in Places(program.foresight.module).limits().values()]
    assert [100 in own for own in of if 4_000_000_000 in own] == [False]
    assert [50 in own for own in of if 100 in own] == [True, True]
