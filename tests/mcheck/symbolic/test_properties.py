"""Properties over undetermined data: proofs, counterexamples that are replayed, and what stays open."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.model.fairness import assumed_fairness
from lfc.mcheck.properties.product import watch
from lfc.mcheck.reduction.common.reduction import Question
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.finding import Finding
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.symbolic.normal_form import Normal
from lfc.mcheck.symbolic.properties import ranking
from lfc.mcheck.symbolic.properties.check_property import Answer, Budget, answers
from lfc.mcheck.symbolic.properties.letters import NativeAtoms
from lfc.mcheck.symbolic.properties.product import Product
from tests.actions.machines import machine_of_text

PROGRAMS = Path(__file__).parent / "programs"


def with_sets(machine: Machine, **options: object) -> CheckResult:
    return check(machine, request_from(data="symbolic", reductions=("auto",), **options))


def latch(formula: str) -> Machine:
    text = (PROGRAMS / "latch.lf").read_text()
    return machine_of_text(text.replace("PROCESS Sensor", f"PROPERTY asked = {formula};\nPROCESS Sensor", 1))


def inputs(finding: Finding, name: str) -> list[int | None]:
    return [i.operands[0] for step in finding.steps for i in step if i.name == name]


@pytest.mark.parametrize(
    ("formula", "states"),
    [
        ("ALWAYS (off IMPLIES ALWAYS off)", 34),  # no invariant of one state
        ("ALWAYS (off IMPLIES ~heating)", 30),
        ("ALWAYS (TAKEN(samples.value) IMPLIES READY(Sensor))", 30),
        ("ALWAYS EVENTUALLY READY(Control)", 38),
    ],
)
def test_what_holds_of_all_samples_is_proved(formula: str, states: int) -> None:
    result = with_sets(latch(formula))
    assert result.verdict == "holds"
    assert result.properties == [
        {"name": "asked", "verdict": "holds", "states": states, "transitions": result.properties[0]["transitions"]}
    ]


@pytest.mark.parametrize(
    ("formula", "searches"),
    [
        ("ALWAYS (off IMPLIES ~heating)", 0),
        ("ALWAYS (TAKEN(samples.value) IMPLIES READY(Sensor))", 1),  # which no state tells
        ("ALWAYS (off IMPLIES (Control.x < 65535))", 1),  # which is dead where nothing asks it
        ("ALWAYS EVENTUALLY READY(Control)", 1),
    ],
)
def test_what_the_states_tell_is_not_searched_again(
    formula: str, searches: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, first = list[Product](), Product.first

    def counted(product: Product) -> Normal:
        begun.append(product)
        return first(product)

    monkeypatch.setattr(Product, "first", counted)
    with_sets(latch(formula))
    assert min(len(begun), 1) == searches


def test_one_value_in_thousands_violates_it() -> None:
    result = with_sets(latch("ALWAYS (off IMPLIES (Control.x # 54321))"))
    assert result.verdict == "property"
    (finding,) = result.findings
    assert inputs(finding, "in16")[-1] == 54_321
    assert finding.run is not None and finding.run.lost and len(finding.blocks) == len(finding.steps) + 1
    assert finding.run.atoms[-1] == ["off"] and not finding.shortest


def test_an_atom_cuts_what_the_program_does_not() -> None:
    """The program asks for 18, 22 and 90; the formula for 40."""
    result = with_sets(latch("ALWAYS ((Control.x > 40) IMPLIES NEXT ~heating)"))
    assert result.verdict == "property"
    assert inputs(result.findings[0], "in16") == [0, 41]


def test_who_stays_where_it_ended() -> None:
    """The last state of a run goes on for ever, without a meeting."""
    text = """MODULE Main;
VAR v : UINT16;
PROPERTY asked = ALWAYS EVENTUALLY (v < 1000);
PROCESS P;
BEGIN v := PORTIN16(78H) END P;
BEGIN CREATE P END Main.
"""
    result = with_sets(machine_of_text(text))
    assert result.verdict == "property"
    (finding,) = result.findings
    assert finding.run is not None and finding.run.cycle == len(finding.steps) and not finding.run.lost
    assert inputs(finding, "in16") == [1000]


LIVE = """MODULE Live;
VAR n*, m* : UINT32; v* : UINT16;
PROPERTY asked = FORMULA;
PROCESS Count;
BEGIN
  LOOP
    n := 70000; RESCHEDULE;
    WHILE n > 0 DO DEC(n); RESCHEDULE END
  END
END Count;
PROCESS Sensor;
BEGIN LOOP v := PORTIN16(78H); RESCHEDULE END END Sensor;
BEGIN CREATE Count; CREATE Sensor END Live.
"""


def answer_with_ranges(formula: str, fairness: str) -> Answer:
    machine = machine_of_text(LIVE.replace("FORMULA", formula))
    watched = watch(machine, [p for m in machine.program.modules for p in m.properties])
    question = Question(machine, request_from(), watched, assumed_fairness(machine, fairness, ()))
    ((_, answer),) = answers(question, watched, Budget(time.monotonic() + 30, lambda: False, 0), False)
    return answer


@pytest.mark.parametrize("fairness", ["weak", "strong"])
def test_a_long_countdown_comes_to_its_end(fairness: str) -> None:
    """By a ranking: 70,000 rounds are never gone one by one."""
    assert answer_with_ranges("ALWAYS EVENTUALLY (n = 0)", fairness).verdict == "holds"


def test_a_countdown_that_nobody_runs_does_not() -> None:
    answer = answer_with_ranges("ALWAYS EVENTUALLY (n = 0)", "none")
    assert answer.verdict == "property" and answer.finding is not None and answer.finding.run is not None
    assert answer.finding.run.unfair == ["Count"]


WRAPS = """MODULE Main;
VAR n : UINT8; v : UINT16;
PROPERTY asked = EVENTUALLY (v = 7);
PROCESS P;
BEGIN LOOP n := n + 1; v := PORTIN16(78H); RESCHEDULE END END P;
BEGIN CREATE P END Main.
"""


def test_a_counter_that_wraps_ranks_nothing() -> None:
    """It only grows, and comes round: the cycle has 256 steps."""
    result = with_sets(machine_of_text(WRAPS))
    assert result.verdict == "property" and result.findings[0].run is not None
    run = result.findings[0].run
    assert (len(run.steps) - run.cycle) % 256 == 0


def test_a_ranking_that_forgets_to_ask_whether_it_wraps_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranking, "change", lambda edge, begins, offset, with_sign: 1)
    assert with_sets(machine_of_text(WRAPS)).verdict == "holds"


def test_a_cycle_of_numbers_is_shown() -> None:
    text = LIVE.replace("FORMULA", "ALWAYS EVENTUALLY (v < 1000)").replace("CREATE Count; ", "")
    result = with_sets(machine_of_text(text), fairness="strong")
    assert result.verdict == "property"
    run = result.findings[0].run
    assert run is not None and run.cycle < len(run.steps)
    assert run.blocks[run.cycle] == run.blocks[-1]


def test_atoms_that_fault_leave_it_open() -> None:
    result = with_sets(latch("ALWAYS (100 DIV Control.x < 200)"))
    assert result.verdict == "inconclusive"
    assert result.reason == "the search for violations of `asked` met values for which the formula faults"


def test_live_fairness_leaves_it_open() -> None:
    result = with_sets(latch("ALWAYS off"), fair=("weak-live Sensor out!value",))
    assert result.verdict == "inconclusive" and "live fairness" in result.reason


def test_a_process_is_an_automaton() -> None:
    text = (PROGRAMS / "latch.lf").read_text()
    for condition, verdict in (("off & heating", "holds"), ("Control.x = 777", "property")):
        asked = (
            f"PROPERTY asked;\nBEGIN WHILE ~({condition}) DO RESCHEDULE END; LOOP ACCEPT; RESCHEDULE END END asked;\n"
        )
        result = with_sets(machine_of_text(text.replace("PROCESS Sensor", asked + "PROCESS Sensor", 1)))
        assert result.verdict == verdict


def test_by_itself_a_program_with_wide_samples_and_properties_is_decided() -> None:
    result = check(latch("ALWAYS (off IMPLIES ALWAYS off)"), request_from(reductions=("auto",)))
    assert result.verdict == "holds" and result.symbolic is not None


def test_letters_are_confirmed_by_compiled_atoms(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that misreads an atom shows nothing."""
    right = NativeAtoms.letter
    monkeypatch.setattr(NativeAtoms, "letter", lambda self, block, taken: right(self, block, taken) ^ 1)
    result = with_sets(latch("ALWAYS (off IMPLIES (Control.x # 54321))"))
    assert result.verdict == "inconclusive" and not result.findings
