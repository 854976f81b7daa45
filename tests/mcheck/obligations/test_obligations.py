"""`lfc cover`: which ways of decisions there are, against the naive evaluator, which looks at each condition itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.mcheck.obligations.decisions import atoms_of, conditions_of, split_decisions, texts_of
from lfc.mcheck.obligations.solve import solve_decisions, solve_properties, witness
from lfc.mcheck.request.request import request_from
from lfc.semantics.model import typed
from tests.campaign.checking.checker import profile_of
from tests.cli.lfc import lfc
from tests.differential.stepwise import machine_of_source
from tests.generate.general.program import generate
from tests.naive.decode import bounds_of
from tests.naive.explorer import Conventions, explore
from tests.naive.expressions import Evaluation
from tests.naive.state import State
from tests.support.seeds import seed_of_this_run

PROGRAM = """MODULE Dec;
TYPE L = [set(UINT8)];
PORT p : L;
VAR n, m : 0 .. 3; hot, cold : BOOLEAN;
PROPERTY safe {REQ: SYS-1} = ALWAYS (hot IMPLIES ~cold & (n < 3));
PROPERTY served = ALWAYS (hot IMPLIES EVENTUALLY (m > 0));
PROCESS P SERVER;
VAR x : UINT8;
BEGIN
  LOOP
    p?set(x);
    IF (x > 1) & (n < 3) OR cold THEN n := 2; hot := TRUE END;
    IF hot & (n > 2) THEN cold := TRUE END;
    CASE x OF 0: m := 1 | 1: m := 2 | 7: m := 3 ELSE m := 1 END
  END
END P;
BEGIN
  NEW(p); CREATE P; p!set(0); p!set(1); p!set(2); p!set(3)
END Dec.
"""
EXPECTED = """\
Dec.lf:12:8: (x > 1) & (n < 3) OR cold: true: covered
Dec.lf:12:8: (x > 1) & (n < 3) OR cold: false: covered
Dec.lf:12:8: (x > 1) & (n < 3) OR cold: x > 1 decides: covered by TT-=T and F-F=F
Dec.lf:12:8: (x > 1) & (n < 3) OR cold: n < 3 decides: no run, proved
Dec.lf:12:8: (x > 1) & (n < 3) OR cold: cold decides: no run, proved
Dec.lf:13:8: hot & (n > 2): true: no run, proved
Dec.lf:13:8: hot & (n > 2): false: covered
Dec.lf:13:8: hot & (n > 2): hot decides: no run, proved
Dec.lf:13:8: hot & (n > 2): n > 2 decides: no run, proved
Dec.lf:14:10: x: 0: covered
Dec.lf:14:10: x: 1: covered
Dec.lf:14:10: x: 7: no run, proved
Dec.lf:14:10: x: ELSE: covered
decisions: 6 of 8 outcomes; MC/DC: 1 of 5 conditions; 15 states; 6 cannot be met
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Dec.lf").write_text(PROGRAM)
    return tmp_path


def test_decisions_and_conditions(here: Path) -> None:
    done = lfc("cover", "Dec.lf", cwd=here)
    assert (done.exit, done.out) == (0, EXPECTED)


def test_a_trace_of_each_replays(here: Path) -> None:
    assert lfc("cover", "Dec.lf", "--save", "met", "--json", cwd=here).exit == 0
    traces = sorted((here / "met").iterdir())
    assert len(traces) == 6
    assert lfc("run", "Dec.lf", "--schedule", str(traces[-1]), cwd=here).exit == 0


def test_conditions_of_properties(here: Path) -> None:
    """`served` holds of all runs from where `hot` is true on, so whether something is hot never matters; nor does a
    bound that nothing comes near."""
    done = lfc("cover", "Dec.lf", "--properties", "--json", cwd=here)
    found = {(c["property"], c["condition"]): c["verdict"] for c in json.loads(done.out)["conditions"]}
    assert found == {
        ("safe", "hot"): "infeasible",
        ("safe", "cold"): "covered",
        ("safe", "n < 3"): "covered",
        ("served", "hot"): "infeasible",
        ("served", "m > 0"): "covered",
    }


def test_an_unknown_module_is_refused(here: Path) -> None:
    done = lfc("cover", "Dec.lf", "--module", "Dek", cwd=here)
    assert done.exit == 2
    assert "the program has no module `Dek`; there are: Dec." in done.err


# --- against the naive evaluator -----------------------------------------------------------------------------------

Seen = set[tuple[int, tuple[bool | None, ...]]]


def ways_naively(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> Seen | None:
    """By the beginning of a decision, the values of its conditions; None: the program is too large."""
    decisions = {id(e): e for text in texts_of(machine.program) for e in conditions_of(text)}
    seen: Seen = set()
    plain = Evaluation.integer

    def way(here: Evaluation, e: typed.Expr, values: dict[int, bool]) -> bool:
        if isinstance(e, typed.Logical):
            left = way(here, e.left, values)
            return left if left is (e.op == "OR") else way(here, e.right, values)
        if isinstance(e, typed.Unary) and e.op == "~":
            return not way(here, e.operand, values)
        if isinstance(e, typed.Constant):
            return bool(e.value)
        values[id(e)] = bool(plain(here, e))
        return values[id(e)]

    def integer(here: Evaluation, e: typed.Expr) -> int:
        if id(e) in decisions and e.type.__class__.__name__ == "BooleanType":
            values: dict[int, bool] = {}
            outcome = way(here, e, values)
            seen.add((e.span.start, tuple(values.get(id(a)) for a in atoms_of(e))))
            return int(outcome)
        return plain(here, e)

    monkeypatch.setattr(Evaluation, "integer", integer)
    start = State.initial(machine.program, bounds_of(machine))
    found = explore(machine.program, Conventions(most_states=400), start)
    monkeypatch.undo()
    return seen if found.complete else None


def agree(text: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many ways were compared."""
    machine = machine_of_source(Source("Program.lf", text))
    naive = ways_naively(machine, monkeypatch)
    if naive is None:
        return 0
    made: list[Machine] = []

    def make() -> Machine:
        made.append(machine_of_source(Source("Program.lf", text)))
        return made[-1]

    solved = solve_decisions(make, lambda body, span: span.source.path == "Program.lf", request_from(), 60)
    assert solved.complete
    ways = {(w.decision.span.start, w.values) for o in solved.obligations for w in o.ways if w.values}
    assert ways <= naive
    outcomes = {
        (o.decision.span.start, o.what)
        for o in solved.obligations
        if o.verdict == "covered" and o.what in ("true", "false")
    }
    starts = {o.decision.span.start for o in solved.obligations if o.what in ("true", "false")}
    machine = machine_of_source(Source("Program.lf", text))
    known = {(d.span.start, w.values): w.outcome for d in split_decisions(machine, lambda *_: True) for w in d.ways}
    assert outcomes == {(s, "true" if known[s, v] else "false") for s, v in naive if s in starts}
    return len(naive)


def test_the_ways_of_random_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    first = seed_of_this_run() * 1000
    compared = [agree(generate(n, profile_of(n)).text, monkeypatch) for n in range(first, first + 5)]
    assert sum(compared) > 5


def test_the_example_in_the_naive_evaluator(monkeypatch: pytest.MonkeyPatch) -> None:
    assert agree(PROGRAM, monkeypatch) == 4


def test_a_condition_of_a_property_that_never_matters() -> None:
    source = Source(
        "P.lf", "MODULE P;\nVAR a, b : BOOLEAN;\nPROPERTY p = ALWAYS ~(a & b);\nBEGIN RESCHEDULE; a := TRUE END P.\n"
    )
    found = solve_properties(lambda: machine_of_source(source), request_from())
    assert [m.verdict for m in found] == ["infeasible", "covered"]


def test_a_witness_is_shortest() -> None:
    def make() -> Machine:
        return machine_of_source(Source("Dec.lf", PROGRAM))

    solved = solve_decisions(make, lambda *_: True, request_from(), 60)
    hot = next(o for o in solved.obligations if o.what == "true")
    found = witness(make, lambda *_: True, hot.ways[0], request_from())
    assert found is not None and len(found.steps) == 7


def test_nothing_is_proved_where_the_clock_has_stood() -> None:
    text = """MODULE Dec;
IMPORT Clock;
VAR t : UINT32; on : BOOLEAN;
BEGIN
  LOOP Clock.Sleep(5); IF Clock.Now - t > 10 THEN on := ~on; t := Clock.Now END END
END Dec.
"""
    request = request_from(threads=1)
    solved = solve_decisions(lambda: machine_of_source(Source("Dec.lf", text)), lambda *_: True, request, 10)
    assert (solved.complete, [o.verdict for o in solved.obligations]) == (False, ["unknown", "covered"])
