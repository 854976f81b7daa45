"""Partial order reduction beside environments: how few states are left where it is plain which must be."""

from __future__ import annotations

import random

import pytest

from lfc.actions.analysis.effects import Table
from lfc.mcheck.check import check
from lfc.mcheck.reduction.por.reduction import Orders
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Stop
from tests.mcheck.searching import search_with
from tests.support.compositions import composed


def states(text: str, environment: str) -> tuple[int, int]:
    """Of the full search, and of the reduced one, which finds as many deadlocks and faults."""
    machine = composed(text, environment)
    found = []
    for reduced in (False, True):
        search = search_with(machine, request_from(keep_going=True, reductions=("por",) * reduced))
        assert search.run() is Stop.COMPLETE
        orders = search.find(Orders)
        assert orders is None or not orders.tables.failed
        s = search.statistics
        stuck = search.find_stuck() is not None
        sites = {(e.fault_kind, e.fault_site) for e in search.errors() if e.kind == 1}
        found.append((s.states, (s.deadlocks, sites, stuck)))
        search.close()
    (full, errors), (fewer, same) = found
    assert errors == same
    return full, fewer


def drivers(count: int, address: str) -> str:
    """Each reads a register twice, in two actions."""
    read = f"x := PORTIN({address}); RESCHEDULE; y := PORTIN({address})"
    processes = "\n".join(f"PROCESS P{i}; VAR x, y : UINT8; BEGIN {read.format(i=i)} END P{i};" for i in range(count))
    starts = "; ".join(f"CREATE P{i}" for i in range(count))
    return f"MODULE Main;\n{processes}\nBEGIN {starts} END Main.\n"


def devices(count: int, address: str, value: str) -> str:
    wait = f"SYSTEM.IOPORT?PORTIN(8, {address}); SYSTEM.IOPORT!VALUE({value})"
    processes = "\n".join(f"PROCESS D{i} SERVER; BEGIN LOOP {wait.format(i=i)} END END D{i};" for i in range(count))
    starts = "; ".join(f"CREATE D{i}" for i in range(count))
    return f"ENVIRONMENT MODULE Env; IMPORT SYSTEM, Main; VAR n : UINT32;\n{processes}\nBEGIN {starts} END Env.\n"


def test_drivers_of_different_devices_go_one_after_the_other() -> None:
    full, reduced = states(drivers(3, "{i}"), devices(3, "{i}", "{i}"))
    assert full == 3**3 + 1  # and the state before the initialisation
    assert reduced == 3 * 2 + 2


def test_drivers_of_one_device_wait_for_each_other() -> None:
    full, reduced = states(drivers(3, "0"), devices(1, "0", "1"))
    assert full == reduced == 3**3 + 1


def test_an_address_that_is_not_known_may_be_any_of_them() -> None:
    text = (
        drivers(2, "a")
        .replace("BEGIN CREATE", "BEGIN a := 1; CREATE")
        .replace("MODULE Main;", "MODULE Main; VAR a : UINT8;")
    )
    full, reduced = states(text, devices(2, "{i}", "{i}"))
    assert full == reduced


def test_a_variable_of_two_devices_is_shared() -> None:
    wait = "SYSTEM.IOPORT?PORTIN(8, {i}); n := (n + 1) MOD 2; SYSTEM.IOPORT!VALUE(n)"
    environment = devices(2, "{i}", "0").replace("SYSTEM.IOPORT?PORTIN(8, 0); SYSTEM.IOPORT!VALUE(0)", wait.format(i=0))
    full, reduced = states(drivers(2, "{i}"), environment)
    assert reduced < full
    environment = environment.replace("SYSTEM.IOPORT?PORTIN(8, 1); SYSTEM.IOPORT!VALUE(0)", wait.format(i=1))
    full, reduced = states(drivers(2, "{i}"), environment)
    assert reduced == full


HANDLERS = """MODULE Main;
IMPORT SYSTEM;
VAR seen : ARRAY 2 OF UINT8;
PROCESS First; BEGIN SYSTEM.INT[{first}]?INTERRUPT; seen[0] := 1; RESCHEDULE; seen[0] := 2 END First;
PROCESS Second; BEGIN SYSTEM.INT[{second}]?INTERRUPT; seen[1] := 1; RESCHEDULE; seen[1] := 2 END Second;
BEGIN CREATE First; CREATE Second END Main.
"""
SOURCES = """ENVIRONMENT MODULE Env;
IMPORT SYSTEM, Main;
PROCESS A; BEGIN RESCHEDULE; SYSTEM.INT[1]!INTERRUPT END A;
PROCESS B; BEGIN RESCHEDULE; SYSTEM.INT[{raised}]!INTERRUPT END B;
BEGIN CREATE A; CREATE B END Env.
"""


@pytest.mark.parametrize(
    ("first", "second", "raised", "wanted"),
    [
        (1, 2, 2, (101, 14)),
        (1, 1, 1, (169, 80)),  # either may take it, and what is pending already is not raised twice
        (1, 2, 3, (61, 11)),  # nobody waits for one of them
    ],
)
def test_who_waits_for_interrupts(first: int, second: int, raised: int, wanted: tuple[int, int]) -> None:
    assert states(HANDLERS.format(first=first, second=second), SOURCES.format(raised=raised)) == wanted


CREATES = "IF n > 9 THEN CREATE Later END; SYSTEM.IOPORT!VALUE"


@pytest.mark.parametrize(
    ("time", "rate", "does", "reason"),
    [
        ("free", 0, "SYSTEM.IOPORT!VALUE", ""),
        ("free", 1, "SYSTEM.IOPORT!VALUE", "events from outside are counted between actions"),
        ("free", 0, CREATES, "processes of the environment create processes"),
        ("ordered", 0, "SYSTEM.IOPORT!VALUE", "time passes while environment processes are ready"),
        ("discrete", 0, "SYSTEM.IOPORT!VALUE", "time passes while environment processes are ready"),
    ],
)
def test_what_is_refused_says_why(time: str, rate: int, does: str, reason: str) -> None:
    environment = devices(1, "0", "0").replace("SYSTEM.IOPORT!VALUE", does)
    environment = environment.replace("PROCESS D0", "PROCESS Later; BEGIN RESCHEDULE END Later;\nPROCESS D0")
    options = request_from(reductions=("por",), time=time, rate=rate)
    result = check(composed(drivers(1, "0"), environment), options)
    assert [r.why_not for r in result.reductions] == [reason]


# --- devices that run on -----------------------------------------------------------------------------------------


def test_devices_that_run_on_are_reduced_where_drivers_have_devices_of_their_own() -> None:
    """A driver waits for its interrupt, then reads; its device raises it, rests, and then answers."""
    read = "SYSTEM.INT[{i}]?INTERRUPT; x := PORTIN({i}); ASSERT(x = {i})"
    processes = "\n".join(f"PROCESS P{i} SERVER; VAR x : UINT8; BEGIN {read.format(i=i)} END P{i};" for i in range(3))
    program = f"MODULE Main; IMPORT SYSTEM;\n{processes}\nBEGIN CREATE P0; CREATE P1; CREATE P2 END Main.\n"
    does = "SYSTEM.INT[{i}]!INTERRUPT; RESCHEDULE; SYSTEM.IOPORT?PORTIN(8, {i}); SYSTEM.IOPORT!VALUE({i})"
    devices = "\n".join(f"PROCESS D{i}; BEGIN {does.format(i=i)} END D{i};" for i in range(3))
    environment = (
        f"ENVIRONMENT MODULE Env; IMPORT SYSTEM, Main;\n{devices}\nBEGIN CREATE D0; CREATE D1; CREATE D2 END Env.\n"
    )
    full, reduced = states(program, environment)
    assert reduced < full


def random_device(r: random.Random, number: int, slips: bool) -> str:
    """Says, in some order, what a driver needs of it, and something beside."""

    def statement() -> str:
        some = r.randrange(2)
        answer = f"SYSTEM.IOPORT?PORTIN(8, {some if slips else number}); SYSTEM.IOPORT!VALUE(n)"
        beside = [f"SYSTEM.INT[{some}]!INTERRUPT", "n := (n + 1) MOD 3", "RESCHEDULE", f"say!m{some}", f"say?m{some}"]
        choice = f"CHOICE n := {some} | RESCHEDULE END"
        written = "SYSTEM.IOPORT?PORTOUT(8, 4, n)"
        return r.choice([answer, answer, *beside, choice, written])

    body = "; ".join(statement() for _ in range(r.randrange(2, 5)))
    return f"PROCESS D{number}; BEGIN {f'LOOP {body}; RESCHEDULE END' if r.random() < 0.6 else body} END D{number};"


def random_driver(r: random.Random, number: int) -> str:
    def statement() -> str:
        return r.choice(
            [
                f"SYSTEM.INT[{r.randrange(2)}]?INTERRUPT",
                f"x := PORTIN({number}); ASSERT(x + seen < 4)",
                f"x := PORTIN({number})",
                f"PORTOUT(4, {number})",
                "RESCHEDULE",
                "seen := x MOD 2",
            ]
        )

    body = "; ".join(statement() for _ in range(r.randrange(2, 5)))
    body = f"LOOP {body}; RESCHEDULE END" if r.random() < 0.5 else body
    return f"PROCESS P{number} SERVER; VAR x : UINT8; BEGIN {body} END P{number};"


def random_composition(r: random.Random) -> tuple[str, str]:
    drivers = "\n".join(random_driver(r, i) for i in range(2))
    program = f"MODULE Main; IMPORT SYSTEM; VAR seen : UINT8;\n{drivers}\nBEGIN CREATE P0; CREATE P1 END Main.\n"
    devices = "\n".join(random_device(r, i, r.random() < 0.3) for i in range(2))
    environment = (
        "ENVIRONMENT MODULE Env; IMPORT SYSTEM, Main; TYPE Say = [m0, m1]; PORT say : Say; VAR n : UINT32;\n"
        f"{devices}\nBEGIN NEW(say); CREATE D0; CREATE D1 END Env.\n"
    )
    return program, environment


def test_random_devices_that_run_on_have_the_same_errors_reduced() -> None:
    r, fewer, compared = random.Random(3), 0, 0
    for _ in range(60):
        program, environment = random_composition(r)
        if not Table(composed(program, environment)).may_run_on():
            continue
        full, reduced = states(program, environment)
        compared += 1
        fewer += reduced < full
    assert compared >= 30 and fewer >= 5
