"""Property processes read off as automata: they accept what the processes do, and what is said of stuttering."""

from __future__ import annotations

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.ltl.automaton import Kind, as_automaton
from lfc.mcheck.properties.emptiness import Verdict
from lfc.mcheck.properties.monitor_automaton import NotReadOff, automaton_of_process
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.request.property import Watch, Watched
from lfc.mcheck.search.search import Search
from tests.differential.stepwise import machine_of_source

PROGRAM = """MODULE T; TYPE C = [m]; PORT q : C; VAR x : UINT8;
PROCESS Count; BEGIN LOOP x := (x + 1) MOD 4; RESCHEDULE; q!m END END Count;
PROPERTY p {};
BEGIN NEW(q); CREATE Count; LOOP q?m END END T."""

BODIES = [  # insensitive?
    ("LOOP IF x = 3 THEN ACCEPT END; RESCHEDULE END", True),
    ("LOOP IF x = 4 THEN ACCEPT END; RESCHEDULE END", True),
    ("LOOP CHOICE RESCHEDULE | EXIT END END; LOOP IF x = 3 THEN NOMOVE END; ACCEPT; RESCHEDULE END", True),
    ("LOOP CHOICE RESCHEDULE | EXIT END END; LOOP IF x > 3 THEN NOMOVE END; ACCEPT; RESCHEDULE END", True),
    ("WHILE x # 3 DO RESCHEDULE END; LOOP ACCEPT; RESCHEDULE END", True),
    ("RESCHEDULE; IF x = 1 THEN LOOP ACCEPT; RESCHEDULE END END", False),
    ("RESCHEDULE; RESCHEDULE; IF x = 1 THEN LOOP ACCEPT; RESCHEDULE END END", False),
    ("LOOP IF (x = 3) & READY(Count) THEN ACCEPT END; RESCHEDULE; RESCHEDULE END", False),
    ("LOOP IF TAKEN(q.m) THEN ACCEPT END; RESCHEDULE END", True),
    ("LOOP IF TAKEN(q.m) & ((x = 2) OR (x = 5)) THEN ACCEPT END; RESCHEDULE END", True),
    ("LOOP IF ~TAKEN(q.m) THEN ACCEPT END; RESCHEDULE END", False),
    ("WHILE ~TAKEN(q.m) DO RESCHEDULE END; RESCHEDULE; IF TAKEN(q.m) THEN LOOP ACCEPT; RESCHEDULE END END", False),
    ("ACCEPT", True),
    ("", True),
]


def program(body: str) -> Machine:
    return machine_of_source(Source("T.lf", PROGRAM.format(f"; BEGIN {body} END p")))


@pytest.mark.parametrize(("body", "insensitive"), BODIES)
def test_what_is_read_off_accepts_the_same(body: str, insensitive: bool) -> None:
    m = program(body)
    watched = watch(m, m.program.main.properties)
    assert watched.properties[0].stutter_insensitive is insensitive
    read = automaton_of_process(m.properties[0])
    automaton = as_automaton(read.graph, Kind.OTHER, False)
    atoms = list(read.atoms.values())
    as_formula = Watched(m.program.main.properties[0], automaton, list(range(len(atoms))))
    verdicts = []
    for w, beside in ((watched.properties[0], watched), (as_formula, Watch([as_formula], atoms))):
        search = Search(m, atoms=beside.atoms, watchers=beside.watchers)
        try:
            verdicts.append(ProductSearch(m, search, beside, []).run(w).verdict)
        finally:
            search.close()
    assert verdicts[0] is verdicts[1]
    assert verdicts[0] in (Verdict.FOUND, Verdict.NONE)


@pytest.mark.parametrize(
    "text",
    [
        "; VAR n : UINT8; BEGIN LOOP n := x; IF n = 3 THEN ACCEPT END; RESCHEDULE END END p",
        "; BEGIN LOOP IF x + 1 = 3 THEN ACCEPT END; RESCHEDULE END END p",  # may overflow, for all that is known
        "; BEGIN LOOP WHILE x = 3 DO END; RESCHEDULE END END p",
        "; BEGIN LOOP CASE x OF 1: ACCEPT | ELSE END; RESCHEDULE END END p",
    ],
)
def test_what_cannot_be_read_off_is_said_to_be_sensitive(text: str) -> None:
    m = machine_of_source(Source("T.lf", PROGRAM.format(text)))
    with pytest.raises(NotReadOff):
        automaton_of_process(m.properties[0])
    assert not watch(m, m.program.main.properties).properties[0].stutter_insensitive


@pytest.mark.parametrize(
    ("formula", "insensitive"),
    [
        ("ALWAYS (TAKEN(q.m) IMPLIES EVENTUALLY x = 1)", True),
        ("ALWAYS EVENTUALLY ~TAKEN(q.m)", False),  # without NEXT
        ("ALWAYS ((x = 1) OR TAKEN(q.m))", False),
        ("ALWAYS EVENTUALLY ((x = 1) & TAKEN(q.m))", True),
        ("EVENTUALLY ((x > 1) & (TAKEN(q.m) & (4 DIV x = 1)))", False),  # one atom: the division may fault
        ("NEXT x = 1", False),
        ("EVENTUALLY (x = 1)", True),
    ],
)
def test_formulas_with_communications(formula: str, insensitive: bool) -> None:
    m = machine_of_source(Source("T.lf", PROGRAM.format(f"= {formula}")))
    assert watch(m, m.program.main.properties).properties[0].stutter_insensitive is insensitive
