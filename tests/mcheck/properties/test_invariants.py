"""Invariants on the fly: found when their state is, behind assertions and deadlocks that are as near, by every search;
and the search of the product, which shares nothing with that but the letters, says the same.
"""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from lfc.actions.model.machine import Machine
from lfc.mcheck.check import check
from lfc.mcheck.properties.emptiness import Found, Verdict
from lfc.mcheck.properties.invariants import invariant_of
from lfc.mcheck.properties.product import ProductSearch, watch
from lfc.mcheck.request.bounds import SearchBounds
from lfc.mcheck.request.property import Watched
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.finding import distance
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search
from tests.campaign.checking.properties import programs
from tests.cli.lfc import lfc
from tests.support.turns import TURNS, machine

COUNTERS = """MODULE Counters;
VAR n : ARRAY 3 OF UINT8;
{}
PROCESS Counter(me : UINT8);
BEGIN LOOP n[me] := (n[me] + 1) MOD 250; {} RESCHEDULE END END Counter;
BEGIN CREATE Counter(0); CREATE Counter(1); CREATE Counter(2) END Counters.
"""
BAD = "(n[0] + n[1] + n[2] = 9)"
NEVER = f"PROPERTY never = ALWAYS ~{BAD};"


def checked(text: str, **options: object) -> CheckResult:
    return check(machine(text), request_from(**options))


def test_an_invariant_of_large_counters_is_violated_within_few_states() -> None:
    found = checked(COUNTERS.format(NEVER, ""))
    asserted = checked(COUNTERS.format("", f"ASSERT(~{BAD});"))
    assert (found.verdict, asserted.verdict) == ("property", "assertion")
    assert found.states == 221 and asserted.states == 166  # and the 55 states of the next level, which fail there
    run = found.findings[0].run
    assert run is not None and run.lost and run.shortest and len(run.steps) == 10
    assert run.atoms[-1] == [BAD] and run.automaton[-2:] == ["automaton in 0", "automaton in 1"]


@pytest.mark.parametrize(
    "options",
    [
        {"strategy": "depth"},
        {"strategy": "best"},
        {"strategy": "astar"},
        {"strategy": "contexts"},
        {"strategy": "random", "bounds": SearchBounds(seed=3, steps=5000)},
        {"strategy": "swarm", "bounds": SearchBounds(seed=3, searches=4)},
        {"store": "hash"},
        {"store": "bitstate"},
        {"threads": 2, "least_shared": 1},
        {"reductions": ("auto",)},
        {"reductions": ("por", "dead")},
    ],
    ids=str,
)
def test_every_search_looks_at_invariants(options: dict[str, object]) -> None:
    found = checked(COUNTERS.format(NEVER, ""), states=100_000, memory=64 << 20, **options)
    assert found.verdict == "property" and [f.message for f in found.findings] == ["`never` does not hold"]
    run = found.findings[0].run
    assert run is not None and run.lost and len(run.steps) >= 10  # replayed when it is told


def test_beside_what_is_not_searched_for_yet() -> None:
    live = "PROPERTY live = ALWAYS EVENTUALLY (n[0] = 7);"
    found = checked(COUNTERS.format(live + NEVER, ""))
    assert [p["name"] for p in found.properties] == ["never"]
    whole = f"PROPERTY never = (ALWAYS ~{BAD}) & (ALWAYS EVENTUALLY (n[0] = 7));"
    found = checked(COUNTERS.format(whole, ""))
    assert (found.verdict, found.states) == ("property", 221)


RANKED = """MODULE Ranked;
VAR a, b : UINT8;
PROPERTY never = ALWAYS (b < 2);
PROCESS P; BEGIN a := 1; RESCHEDULE; {} a := 2; RESCHEDULE END P;
PROCESS Q; BEGIN b := 1; RESCHEDULE; b := 2; RESCHEDULE; b := 3 END Q;
BEGIN CREATE P; CREATE Q END Ranked.
"""


@pytest.mark.parametrize(
    ("statement", "kinds"),
    [
        ("", ["property"]),
        ("ASSERT(FALSE);", ["assertion", "property"]),  # as near
        ("RESCHEDULE; RESCHEDULE; ASSERT(FALSE);", ["property"]),  # farther
    ],
)
def test_an_assertion_as_near_comes_first(statement: str, kinds: list[str]) -> None:
    assert [f.kind for f in checked(RANKED.format(statement)).findings] == kinds


def test_a_deadlock_as_near_comes_first() -> None:
    text = """MODULE Both; TYPE C = [m]; PORT p : C; VAR done : BOOLEAN;
PROPERTY never = ALWAYS ~done;
BEGIN NEW(p); RESCHEDULE; done := TRUE; p?m END Both.
"""
    found = checked(text)
    assert [(f.kind, len(f.steps)) for f in found.findings] == [("deadlock", 2), ("property", 2)]
    assert found.states == 3
    found = checked(text.replace("p?m", "RESCHEDULE; p?m"))
    assert [(f.kind, len(f.steps)) for f in found.findings] == [("property", 2)]


def test_the_state_before_the_first_step_does_not_count() -> None:
    text = "MODULE First; VAR a : UINT8; PROPERTY p = ALWAYS (a = {}); BEGIN a := 1; RESCHEDULE END First.\n"
    assert checked(text.format(1)).verdict == "holds" and checked(text.format(0)).verdict == "property"


def test_what_is_said_is_looked_at_too() -> None:
    text = """MODULE Says; TYPE C = [m]; PORT c : C;
PROPERTY silent = ALWAYS ~TAKEN(c.m);
PROCESS P; BEGIN c!m END P;
BEGIN NEW(c); CREATE P; c?m END Says.
"""
    found = checked(text)
    assert found.verdict == "property" and len(found.findings[0].steps) == 2
    found = checked(text.replace("~TAKEN(c.m)", "(READY(P) OR WAITING(P) OR TAKEN(c.m))"))
    assert found.verdict == "property" and len(found.findings[0].steps) == 3  # when P has ended


def test_a_fault_in_an_atom_leaves_the_property_open() -> None:
    text = """MODULE Open; VAR a : ARRAY 2 OF UINT8; i : UINT8;
PROPERTY p = ALWAYS (a[i] = 0);
BEGIN i := 1; RESCHEDULE; i := 2; RESCHEDULE; i := 0 END Open.
"""
    found = checked(text)
    assert found.verdict == "inconclusive" and "met a fault" in found.reason


def test_what_the_search_decides_is_not_searched_again(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = {w: (p["verdict"], p["states"], p["transitions"]) for w, p in products_of(TURNS).items()}
    searched = list[str]()
    run = ProductSearch.run

    def noted(product: ProductSearch, w: Watched, *more: Any) -> Found:
        searched.append(w.of.name)
        return run(product, w, *more)

    monkeypatch.setattr(ProductSearch, "run", noted)
    found = checked(TURNS, keep_going=True)
    assert {str(p["name"]): (p["verdict"], p["states"], p["transitions"]) for p in found.properties} == expected
    assert "exclusion" not in searched and "ready" not in searched and "progress" in searched


def products_of(text: str) -> dict[str, dict[str, object]]:
    """Of each property what its own search says, as the report has it."""
    m = machine(text)
    watched = watch(m, m.program.main.properties)
    search = Search(m, atoms=watched.atoms, watchers=watched.watchers)
    search.run()
    product = ProductSearch(m, search, watched, ())
    found = {w.of.name: product.run(w) for w in watched.properties}
    search.close()
    names = {Verdict.FOUND: "property", Verdict.NONE: "holds"}
    return {
        name: {"verdict": names[f.verdict], "states": f.states, "transitions": f.edges} for name, f in found.items()
    }


def test_vacuity_is_told_of_what_was_not_searched_again() -> None:
    text = """MODULE Vacuous; VAR a, b : UINT8;
PROPERTY p = ALWAYS ((a = 5) IMPLIES (b = 1));
BEGIN a := 1; RESCHEDULE; a := 2 END Vacuous.
"""
    found = checked(text)
    assert found.verdict == "holds" and found.beside.remarks["p"].never == [("a = 5", "(a = 5) IMPLIES (b = 1)")]


def test_all_violated_ones_and_all_others_are_told_when_it_goes_on() -> None:
    text = COUNTERS.replace("250", "3").format(
        "PROPERTY one = ALWAYS (n[0] < 2); PROPERTY two = ALWAYS (n[0] < 3);"
        "PROPERTY three = ALWAYS (n[1] + n[2] < 4); PROPERTY four = EVENTUALLY (n[0] = 2);",
        "",
    )
    found = checked(text, keep_going=True)
    verdicts = {p["name"]: p["verdict"] for p in found.properties}
    assert verdicts == {"one": "property", "two": "holds", "three": "property", "four": "property"}
    assert [len(f.steps) for f in found.findings][:2] == [3, 5]


@pytest.mark.parametrize("memory", [0, 1])
def test_from_disk_and_from_a_checkpoint(memory: int, tmp_path: Path) -> None:
    text = COUNTERS.replace("250", "40").format("PROPERTY p = ALWAYS (n[0] + n[1] + n[2] < 117);", "")
    options = {"spill": str(tmp_path), "spill_at": 2000} if memory else {}
    if memory:
        found = checked(text, **options)
        assert found.disk is not None
    else:
        file = str(tmp_path / "saved")
        found = checked(text, states=20_000, file=file)
        assert found.verdict == "inconclusive" and found.not_looked_for == ["p"]
        found = checked(text, resume=file, unauthenticated=True)
    assert found.verdict == "property" and len(found.findings[0].steps) == 118


def test_walks_by_chance_take_properties(tmp_path: Path) -> None:
    file = tmp_path / "counters.lf"
    file.write_text(COUNTERS.format(NEVER + "PROPERTY live = EVENTUALLY (n[0] = 200);", ""))
    done = lfc("check", str(file), "--search", "random", "--steps", "2000", "--seed", "5", "--property", "never")
    assert done.exit == 5 and "`never` does not hold" in done.out
    done = lfc("check", str(file), "--search", "random", "--steps", "2000", "--seed", "5", "--property", "live")
    assert done.exit == 6 and "properties not checked, because not all states were visited: live" in done.out


# --- beside the search ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("formula", "steps"),
    [
        ("ALWAYS EVENTUALLY (n[0] = 7)", None),
        ("ALWAYS ((n[0] = 3) IMPLIES NEXT (n[0] = 4))", 5),
        ("((n[0] < 8) UNTIL (n[1] = 5)) & (ALWAYS EVENTUALLY (n[2] = 1))", 9),
    ],
)
@pytest.mark.parametrize("reductions", [("auto",), ()])
def test_other_properties_are_looked_for_before_the_search_ends(
    formula: str, steps: int | None, reductions: tuple[str, ...]
) -> None:
    found = checked(COUNTERS.format(f"PROPERTY p = {formula};", ""), states=30_000, reductions=reductions)
    assert found.verdict == "property" and found.states < 30_000
    run = found.findings[0].run
    assert run is not None and run.lost == (steps is not None) and steps in (None, len(run.steps))


def test_what_is_looked_for_beside_gets_a_small_share(monkeypatch: pytest.MonkeyPatch) -> None:
    from lfc.mcheck.properties.beside import Beside

    shares, look = list[int](), Beside.__call__

    def noted(beside: Beside, states: int, seconds: float) -> bool:
        shares.append(states)
        return look(beside, states, seconds)

    monkeypatch.setattr(Beside, "__call__", noted)
    text = COUNTERS.replace("250", "70").format("PROPERTY p = ALWAYS ((n[0] = 3) IMPLIES EVENTUALLY (n[0] = 4));", "")
    found = checked(text, fairness="weak", find_stuck=False)
    assert found.verdict == "holds" and found.states == 357_912
    assert shares == [2_500, 10_000, 40_000]


# --- the second opinion -----------------------------------------------------------------------------------------


def nearest_error(m: Machine) -> int | None:
    """In steps, without properties."""
    search = Search(m)
    search.run()
    found = min((distance(e) for e in search.errors()), default=None)
    search.close()
    return found


def compare(m: Machine) -> str | None:
    """What the check finds first; None: nothing that could be compared."""
    watched = watch(m, m.program.main.properties)
    looked_at = {w.of.name for w in watched.properties if w.automaton is not None and invariant_of(w) is not None}
    search = Search(m, atoms=watched.atoms)
    product = ProductSearch(m, search, watched, ())
    found = {w.of.name: product.run(w, most_states=3000) for w in watched.properties}
    search.close()
    if not looked_at or not {f.verdict for f in found.values()} <= {Verdict.FOUND, Verdict.NONE}:
        return None
    near = [len(f.lasso.steps) - 1 for n, f in found.items() if f.lasso is not None and n in looked_at]
    violated, error = min(near, default=None), nearest_error(m)
    result = check(m, request_from(find_stuck=False, states=3000))
    first = result.findings[0] if result.findings else None
    if violated is not None and (error is None or violated < error):
        assert first is not None and first.kind == "property" and len(first.steps) == violated
        return "violated"
    if error is not None:
        assert first is not None and first.kind != "property"
        return "error"
    verdicts = {str(p["name"]): p["verdict"] == "property" for p in result.properties}
    assert verdicts == {n: found[n].verdict is Verdict.FOUND for n in verdicts} and verdicts
    return "holds"


def test_random_programs_agree_with_the_search_of_the_product(monkeypatch: pytest.MonkeyPatch) -> None:
    import tests.campaign.checking.properties as drawn
    from tests.generate.fair.formulas import random_formula as once

    seen = Counter[str]()

    def invariant(r: random.Random, atoms: list[str], depth: int) -> str:
        state = f"{r.choice(['', '~'])}({r.choice(atoms)}) {r.choice(['OR', '&'])} ({r.choice(atoms)})"
        return f"(ALWAYS ({state}))" + (f" & {once(r, atoms, 1)}" if r.random() < 0.3 else "")

    monkeypatch.setattr(drawn, "random_formula", invariant)
    for m in programs(random.Random(11), 4_000, time=False):
        seen[compare(m) or ""] += 1
        if seen["violated"] >= 8 and seen["holds"] + seen["error"] >= 4:
            break
    assert seen["violated"] >= 8
