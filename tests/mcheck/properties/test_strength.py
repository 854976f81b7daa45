"""What the searches make of the parts of an automaton: terminal ones are only reached, rejecting ones only passed, and
weak ones need no second search."""

from __future__ import annotations

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.ltl.automaton import Automaton
from lfc.mcheck.ltl.scc import Strength
from lfc.mcheck.model.fairness import fairness_of
from lfc.mcheck.properties.emptiness import Found, How, Verdict
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search
from tests.differential.stepwise import machine_of_source

PROGRAM = """MODULE T;
VAR x, y : UINT8;
PROPERTY p = {formula};
PROCESS Up; BEGIN LOOP x := (x + 1) MOD 8; RESCHEDULE END END Up;
PROCESS Off; BEGIN LOOP y := (y + 1) MOD 8; RESCHEDULE END END Off;
BEGIN CREATE Up; CREATE Off END T."""


def searched(
    formula: str, how: How = How.COMPONENTS, fair: str = "", text: str = PROGRAM, **parts: str
) -> tuple[Found, Automaton]:
    m = machine_of_source(Source("T.lf", text.format(formula=formula, **parts)))
    watched = watch(m, m.program.main.properties)
    search = Search(m, atoms=watched.atoms)
    try:
        product = ProductSearch(m, search, watched, fairness_of(m, fair) if fair else [])
        automaton = watched.properties[0].automaton
        assert automaton is not None
        return product.run(watched.properties[0], how), automaton
    finally:
        search.close()


def strengths(a: Automaton) -> set[Strength]:
    return set(a.strength) - {Strength.TRANSIENT, Strength.REJECTING}


MIXED = "(ALWAYS (x < 7)) & (ALWAYS EVENTUALLY (y = 1))"


def test_a_terminal_part_beside_others_is_only_reached() -> None:
    found, automaton = searched(MIXED)
    assert strengths(automaton) == {Strength.TERMINAL, Strength.WEAK}
    assert found.verdict is Verdict.FOUND and found.lasso is not None
    # Either part may be met first. What is lost has no cycle, and the way there is a shortest one: the initialisation,
    # and seven steps of Up.
    assert found.lasso.prefix < len(found.lasso.steps) or (found.lasso.shortest and len(found.lasso.steps) == 9)
    found, automaton = searched("(ALWAYS (x < 7)) & (ALWAYS EVENTUALLY (y < 9))")
    assert found.lasso is not None and found.lasso.prefix == len(found.lasso.steps) == 9 and found.lasso.shortest


def test_what_is_lost_is_told_as_such() -> None:
    formula = "((ALWAYS (x < 7)) OR (ALWAYS (y < 3))) & ((EVENTUALLY ALWAYS (x < 9)) OR (ALWAYS EVENTUALLY (y = 1)))"
    m = machine_of_source(Source("T.lf", PROGRAM.format(formula=formula)))
    for nested in (False, True):
        result = check(m, request_from(nested=nested, threads=1))
        assert result.verdict == "property"
    result = check(m, request_from(threads=1))
    assert "violated after 11 steps, shortest counterexample" in tell(m, result)


def test_live_fairness_makes_of_a_terminal_part_a_weak_one() -> None:
    """Not every run can go on fairly then."""
    text = """MODULE T; TYPE C = [m]; PORT q : C; VAR bad : BOOLEAN;
PROPERTY p = (ALWAYS ~bad) & (ALWAYS EVENTUALLY TAKEN(q.m));
PROCESS P; BEGIN LOOP q!m; IF FALSE THEN bad := TRUE END END END P;
PROCESS Q; BEGIN LOOP CHOICE q?m | bad := TRUE; LOOP RESCHEDULE END END END END Q;
BEGIN NEW(q); CREATE P; CREATE Q END T."""
    m = machine_of_source(Source("T.lf", text))
    options = {"allow_deadlocks": True, "threads": 1}
    result = check(m, request_from(**options))
    assert result.verdict == "property"
    # P offers the message for ever then, and nobody takes it: no run through `bad` is fair.
    result = check(m, request_from(fair=("weak-live P q!m",), **options))
    assert result.verdict == "holds"


@pytest.mark.parametrize("formula", ["ALWAYS EVENTUALLY (y < 8)", "(ALWAYS (x < 8)) & (ALWAYS EVENTUALLY (y < 8))"])
def test_states_of_rejecting_parts_are_in_no_component(formula: str) -> None:
    found, automaton = searched(formula)
    assert found.verdict is Verdict.NONE
    accepting = [automaton.strength[automaton.component[q]] for q in range(automaton.states)]
    assert Strength.REJECTING in accepting
    assert found.components == 0 and found.states >= 64  # its other parts are never reached


ONCE = """MODULE T;
VAR x, y : UINT8;
PROPERTY p = {formula};
PROCESS Up; BEGIN x := 1; RESCHEDULE; RESCHEDULE; x := 2 END Up;
{off}
BEGIN CREATE Up{create} END T."""
OFF = {"off": "PROCESS Off; BEGIN LOOP y := 1 - y; RESCHEDULE END END Off;", "create": "; CREATE Off"}


@pytest.mark.parametrize(
    ("formula", "strength", "again"),
    [
        ("EVENTUALLY ALWAYS ~(x = 1)", Strength.STRONG, True),
        ("ALWAYS ((x = 1) IMPLIES EVENTUALLY (x = 2))", Strength.WEAK, False),
    ],
)
def test_weak_parts_need_no_second_search(formula: str, strength: Strength, again: bool) -> None:
    """In both, an accepting transition is passed once, and not on a cycle."""
    found, automaton = searched(formula, How.NESTED, text=ONCE, off="", create="")
    assert strengths(automaton) == {strength} and found.verdict is Verdict.NONE
    assert (found.again > 0) is again


def test_with_fairness_weak_parts_do() -> None:
    """A cycle that has the automaton's marks may miss the others."""
    found, automaton = searched("ALWAYS ((x = 1) IMPLIES EVENTUALLY (x = 2))", How.NESTED, "weak Up", ONCE, **OFF)
    assert strengths(automaton) == {Strength.WEAK} and found.verdict is Verdict.NONE
    assert found.again > 0
