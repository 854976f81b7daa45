"""Properties of whole programs: verdicts against a naive product, published models, lassos that can be walked."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.campaign.checking.properties import campaign, compare
from tests.differential.stepwise import machine_of_source
from tests.support.turns import TURNS, machine


def checked(text: str, **options: object) -> CheckResult:
    return check(machine(text), request_from(keep_going=True, **options))


def verdicts(result: CheckResult) -> dict[str, str]:
    return {str(p["name"]): str(p["verdict"]) for p in result.properties}


def test_two_that_take_turns() -> None:
    result = checked(TURNS)
    assert verdicts(result) == {
        "exclusion": "holds",
        "progress": "holds",
        "alternate": "holds",
        "ready": "holds",
        "handed": "holds",
        "never": "property",
        "waits": "property",  # who gives the turn to one that waits may take it back without waiting
    }
    assert result.verdict == "property"
    run = result.findings[0].run
    assert run is not None and run.cycle < len(run.steps) and run.blocks[run.cycle] == run.blocks[-1]


@pytest.mark.parametrize("fairness", ["none", "weak"])
def test_the_naive_product_agrees_on_turns(fairness: str) -> None:
    found = compare(machine(TURNS), fairness, 2000)
    assert found is not None and found.count("property") == 2


def test_random_programs_and_formulas_agree_with_the_naive_product() -> None:
    answers = campaign(5, 10)
    assert min(answers.count("property"), answers.count("holds")) >= 2


BEYOND = """MODULE Slots;
VAR i : INTEGER; n : INT8;
PROPERTY beyond = ALWAYS (P[7].x = 0);
PROPERTY idle = ALWAYS ~READY(P[7]) & ~WAITING(P[2]);
PROPERTY negative = ALWAYS (n = -1 IMPLIES (P[n].x = 0));
PROPERTY moving = ALWAYS (P[i].x = 0);
PROPERTY inside = ALWAYS (P[i - 2].x = 0);
PROCESS P; VAR x : INTEGER; BEGIN x := 5; RESCHEDULE; n := -1; RESCHEDULE END P;
BEGIN FOR i := 0 TO 1 DO CREATE P END; i := 3 END Slots.
"""


TEXTS = """MODULE Texts;
VAR text, other : ARRAY 4 OF CHAR;
PROPERTY formula = ALWAYS ((text # "bye") OR (text = "hi"));
PROPERTY Automaton;
BEGIN LOOP CHOICE RESCHEDULE | IF text = "{word}" THEN ACCEPT; RESCHEDULE ELSE NOMOVE END END END END Automaton;
PROCESS P; BEGIN RESCHEDULE; text := "hi"; other := "bye"; RESCHEDULE; text[0] := "b" END P;
BEGIN CREATE P END Texts.
"""


def test_properties_compare_with_strings_that_the_program_does_not_have() -> None:
    found = checked(TEXTS.format(word="bi"))
    assert verdicts(found) == {"formula": "holds", "Automaton": "property"}
    assert verdicts(checked(TEXTS.format(word="be"))) == {"formula": "holds", "Automaton": "holds"}
    violated = TEXTS.format(word="be").replace('text = "hi"', 'text = "no"').replace('text # "bye"', 'text # "bi"')
    assert verdicts(checked(violated)) == {"formula": "property", "Automaton": "holds"}
    for text in (TEXTS, violated):
        alone = check(machine(text.format(word="be")), request_from(threads=1, only=("formula",)))
        assert alone.verdict == ("property" if text is violated else "holds")


def test_an_index_beyond_the_slots_means_a_slot_without_a_process() -> None:
    """Its variables have their initial values, and it neither waits nor is ready."""
    result = check(machine_of_source(Source("Slots.lf", BEYOND)), request_from(keep_going=True))
    verdicts = {str(p["name"]): p["verdict"] for p in result.properties}
    assert verdicts == {
        "beyond": "holds",
        "idle": "holds",
        "negative": "holds",
        "moving": "holds",
        "inside": "property",
    }


FAULTY = """MODULE Faulty;
VAR x : INTEGER;
PROPERTY faulty = ALWAYS (4 DIV (2 - x) >= 0);
PROPERTY ends = EVENTUALLY ALWAYS (x = 2);
PROPERTY returns = ALWAYS EVENTUALLY (x = 1);
PROCESS P; BEGIN x := 1; RESCHEDULE; x := 2 END P;
BEGIN CREATE P END Faulty.
"""
WATCHES = """PROPERTY watches;
VAR a : ARRAY 2 OF UINT8;
BEGIN LOOP a[x] := 1; RESCHEDULE END END watches;
"""


@pytest.mark.parametrize("nested", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_fault_of_one_property_is_not_one_of_another(nested: bool, threads: int) -> None:
    """The others are decided, and a violated one is told; where the fault is stands with its own."""
    machine = machine_of_source(Source("Faulty.lf", FAULTY.replace("PROCESS", WATCHES + "PROCESS", 1)))
    result = check(machine, request_from(nested=nested, threads=threads, keep_going=True))
    assert (result.verdict, [f.message for f in result.findings]) == ("property", ["`returns` does not hold"])
    of = {str(p["name"]): p for p in result.properties}
    verdicts = {name: p["verdict"] for name, p in of.items()}
    told = {"faulty": "inconclusive", "ends": "holds", "returns": "property", "watches": "inconclusive"}
    assert verdicts == told
    met = "the search for violations of `{}` met a fault in `{}` (Faulty.lf:{})"
    assert of["faulty"]["reason"] == met.format("faulty", "4 DIV (2 - x) >= 0", "3:27") + ", where x = 2"
    assert of["watches"]["reason"] == met.format("watches", "a[x]", "8:12")


def test_a_fault_of_a_property_alone_is_the_reason() -> None:
    holding = FAULTY.replace("PROPERTY returns = ALWAYS EVENTUALLY (x = 1);", "")
    result = checked(holding)
    assert result.verdict == "inconclusive" and "`faulty` met a fault in `4 DIV (2 - x) >= 0`" in result.reason
    alone = checked(holding.replace("PROPERTY faulty = ALWAYS (4 DIV (2 - x) >= 0);", ""))
    assert (alone.verdict, alone.reason) == ("holds", "")
