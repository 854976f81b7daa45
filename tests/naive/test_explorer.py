"""The state graphs that the language reference fixes, and small programs of every verdict."""

from __future__ import annotations

from math import comb, factorial

import pytest

from tests.conftest import ROOT
from tests.naive.explorer import Conventions, explore
from tests.naive.queens import solutions
from tests.naive.running import program_of
from tests.naive.senders import senders
from tests.naive.stuck import components, let_go_later


@pytest.mark.parametrize(("n", "states", "transitions"), [(4, 113, 465), (5, 307, 1563), (6, 857, 5201)])
def test_the_figures_of_the_reference(n: int, states: int, transitions: int) -> None:
    found = explore(program_of(senders(n)))
    assert (len(found.states), len(found.transitions), found.kinds) == (states, transitions, set())
    assert states == 3**n + 2 ** (n + 1)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_queues_in_the_order_of_arrival_have_more_states(n: int) -> None:
    """Of k waiting senders there are k! orders; the others are ready at their start or after their send."""
    after = sum(comb(n, k) * factorial(k) * 2 ** (n - k) for k in range(n + 1)) - 1
    before = sum(comb(n, k) * factorial(k) for k in range(n + 1))
    found = explore(program_of(senders(n)), Conventions(fifo=True))
    assert len(found.states) == after + before + 2**n + 1


@pytest.mark.parametrize(("k", "n"), [(1, 1), (1, 4), (2, 3), (3, 3), (4, 2)])
def test_independent_processes(k: int, n: int) -> None:
    """(n + 1)^k, and the initial state in which only the initialisation is ready."""
    actions = "; ".join(["RESCHEDULE"] * (n - 1))
    text = f"""MODULE Independent;
VAR i : INTEGER;
PROCESS P; BEGIN {actions} END P;
BEGIN FOR i := 1 TO {k} DO CREATE P END
END Independent.
"""
    found = explore(program_of(text))
    assert len(found.states) == (n + 1) ** k + 1
    assert len(found.transitions) == k * n * (n + 1) ** (k - 1) + 1
    assert (found.kinds, len(found.ends)) == (set(), 1)


@pytest.mark.parametrize("n", [2, 3])
def test_the_philosophers_can_starve(n: int) -> None:
    text = (ROOT / "examples" / "philosophers.lf").read_text().replace("N = 5", f"N = {n}")
    found = explore(program_of(text))
    assert found.kinds == {"deadlock", "partial-deadlock"}  # the last steps before it lead nowhere else
    # Each holds its left fork and waits for the right one: forks 1 to n, then philosophers.
    assert len(found.deadlocks) == 1
    assert found.stuck[found.deadlocks[0]] == frozenset(range(1, 2 * n + 1))


def test_the_repaired_philosophers_do_not() -> None:
    text = (ROOT / "examples" / "philosophers_ok.lf").read_text().replace("N = 5", "N = 3")
    assert explore(program_of(text)).kinds == set()


@pytest.mark.parametrize(("n", "boards"), [(4, 2), (5, 10), (6, 4)])
def test_queens_by_choice(n: int, boards: int) -> None:
    assert solutions(n) == boards


PAIR = """
TYPE C = [a, b];
PORT c, d : C;
PROCESS Left(c, d : C); BEGIN c!a; d?b END Left;
PROCESS Right(c, d : C); BEGIN d!b; c?a END Right;
"""


def test_a_deadlock() -> None:
    text = f"MODULE T; {PAIR} BEGIN NEW(c); NEW(d); CREATE Left(c, d); CREATE Right(c, d) END T."
    found = explore(program_of(text))
    assert found.kinds == {"deadlock", "partial-deadlock"}
    assert [found.stuck[s] for s in found.deadlocks] == [frozenset({1, 2})]
    # A process that waits for the other, which will wait for it, is stuck already: not all is at rest yet.
    assert len(found.partial_deadlocks) == 2


def test_a_partial_deadlock() -> None:
    text = f"""MODULE T; {PAIR}
PROCESS Tick; BEGIN LOOP RESCHEDULE END END Tick;
BEGIN NEW(c); NEW(d); CREATE Left(c, d); CREATE Right(c, d); CREATE Tick END T."""
    found = explore(program_of(text))
    assert found.kinds == {"partial-deadlock"}
    assert {found.stuck[s] for s in found.partial_deadlocks} == {frozenset({1}), frozenset({2}), frozenset({1, 2})}


@pytest.mark.parametrize("waits", ["Clock.Sleep(1)", "SYSTEM.INT[3]?INTERRUPT", ""])
def test_time_and_interrupts_keep_a_program_going(waits: str) -> None:
    text = f"""MODULE T; IMPORT Clock, SYSTEM; TYPE C = [m]; PORT c : C;
PROCESS Lone(c : C); BEGIN c!m END Lone;
PROCESS Busy; BEGIN LOOP {waits or "EXIT"} END END Busy;
BEGIN NEW(c); CREATE Lone(c); CREATE Busy END T."""
    found = explore(program_of(text))
    assert found.kinds == ({"partial-deadlock"} if waits else {"deadlock", "partial-deadlock"})


def test_servers_may_wait_for_ever() -> None:
    text = """MODULE T; TYPE C = [m]; PORT c : C;
PROCESS Serve(c : C) SERVER; BEGIN LOOP c?m END END Serve;
PROCESS Use(c : C); BEGIN c!m END Use;
BEGIN NEW(c); CREATE Serve(c); CREATE Use(c) END T."""
    found = explore(program_of(text))
    assert (found.kinds, found.ends) == (set(), [])
    assert any(stuck == frozenset({1}) for stuck in found.stuck.values())


def test_what_ends_in_a_fault_lets_all_go() -> None:
    text = """MODULE T; TYPE C = [m]; PORT c : C; VAR x : 0 .. 1;
PROCESS Lone(c : C); BEGIN c!m END Lone;
PROCESS Bad; BEGIN RESCHEDULE; x := x + 2 END Bad;
BEGIN NEW(c); CREATE Lone(c); CREATE Bad END T."""
    found = explore(program_of(text))
    assert found.kinds == {"fault"}
    assert {(t.fault.kind, t.fault.values, t.fault.span.line) for t in found.faults if t.fault} == {(2, (2,), 3)}
    assert all(t.target is None for t in found.faults)


def test_alternatives_that_lead_to_one_state_are_two_transitions() -> None:
    text = """MODULE T; VAR x : INTEGER;
BEGIN CHOICE x := 1 | x := 1 | x := 2 END END T."""
    found = explore(program_of(text))
    # initial -> at the CHOICE -> three branches to two end states
    assert (len(found.states), len(found.transitions)) == (4, 4)


def test_inputs_give_every_value() -> None:
    text = "MODULE T; IMPORT SYSTEM; VAR x : UINT8; BEGIN x := PORTIN(5) MOD 4 END T."
    found = explore(program_of(text))
    assert (len(found.states), len(found.transitions)) == (1 + 4, 256)
    text = "MODULE T; IMPORT SYSTEM; VAR c : CHAR; BEGIN SYSTEM.READ(c) END T."
    found = explore(program_of(text), Conventions(console=(65, 66, 67)))
    assert (len(found.states), len(found.transitions)) == (1 + 3 + 3, 3 + 3)


def test_an_interrupt_may_come_between_any_two_actions() -> None:
    text = "MODULE T; IMPORT SYSTEM; BEGIN RESCHEDULE; SYSTEM.INT[2]?INTERRUPT END T."
    found = explore(program_of(text))
    # start, after RESCHEDULE, after the receive: each with and without a pending interrupt; waiting; ended.
    assert (len(found.states), found.kinds) == (3 * 2 + 1 + 2, set())


def test_components_and_what_they_let_go() -> None:
    targets = [[1], [2], [0, 3], [4], [3], []]
    numbers, count = components(targets)
    assert count == 3
    assert numbers[0] == numbers[1] == numbers[2] != numbers[3] == numbers[4] != numbers[5]
    edges: list[list[tuple[int | None, int]]] = [[(1, 1)], [(2, 0)], [(0, 0), (3, 2)], [(4, 4)], [(3, 0)], [(None, 0)]]
    assert let_go_later(edges, 7) == [7, 7, 7, 4, 4, 7]
