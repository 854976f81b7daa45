"""Fairness of communications and actions: published models, what is refused, random programs against a slow judge."""

from __future__ import annotations

from typing import Any

import click
import pytest

from lfc.actions.model.machine import Machine
from lfc.cli.checking.check import command
from lfc.codegen.program import generate
from lfc.mcheck.check import check
from lfc.mcheck.model.fairness import NotUnderstood, assumed_fairness, fairness_of
from lfc.mcheck.properties.unfairness import MOST_ACTIONS, passed_over
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.run.events import actions_of, ready_slots
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.trace.items import Item
from tests.campaign.checking.fairness import campaign
from tests.mcheck.properties.literature import COLLEGE, OF_THE_LITERATURE, machine
from tests.support.compositions import composed


def college(n: int) -> Machine:
    """Who has both forks puts them back: so somebody eats again and again if forks are put back again and again."""
    return machine(COLLEGE.format(n=n, puts=" OR ".join(f"TAKEN(fork[{i}].put)" for i in range(n))))


def checked(m: Machine, *fair: str, fairness: str = "", **options: object) -> CheckResult:
    return check(m, request_from(fairness=fairness, fair=fair, allow_deadlocks=True, **options))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_somebody_eats_if_who_is_ready_for_the_first_fork_gets_it_and_forks_are_put_back(n: int) -> None:
    m = college(n)
    assert checked(m, *OF_THE_LITERATURE).verdict == "holds"
    assert checked(m).verdict == "property"
    assert checked(m, *(text.replace("-live", "") for text in OF_THE_LITERATURE), fairness="weak").verdict == "property"
    everything = [f"weak {p}" for p in ("Philosopher right!get", "Philosopher left!get", "Fork hand?put")]
    assert checked(m, *everything, fairness="strong").verdict == "property"


def test_marks_in_the_source_say_the_same() -> None:
    text = COLLEGE.format(n=3, puts=" OR ".join(f"TAKEN(fork[{i}].put)" for i in range(3)))
    text = text.replace("LOOP right!get;", "LOOP right!get WEAK LIVE;").replace(
        "hand?put END", "hand?put WEAK LIVE END"
    )
    marked = machine(text)
    assert [(f.slot, f.kind, f.resumes) for f in assumed_fairness(marked, "", [])] == [
        (f.slot, f.kind, f.resumes) for asked in reversed(OF_THE_LITERATURE) for f in fairness_of(college(3), asked)
    ]
    assert checked(marked).verdict == "holds"
    assert checked(marked, fairness="none").verdict == "property"
    assert checked(machine(text.replace(" LIVE", ""))).verdict == "property"
    assert checked(machine(text.replace("WEAK LIVE", "STRONG LIVE"))).verdict == "holds"


MARKED = """MODULE Marked;
TYPE C = [a];
PORT p : C;
PROCESS Giver WEAK; BEGIN LOOP p!a STRONG END END Giver;
PROCESS Taker SERVER; BEGIN LOOP p?a END END Taker;
BEGIN NEW(p); CREATE Giver; CREATE Taker END Marked.
"""


@pytest.mark.parametrize(
    ("option", "of_processes", "of_communications"),
    [
        ("", [("Marked.Giver", "weak")], ["strong"]),
        ("weak", [("init", "weak"), ("Marked.Giver", "weak"), ("Marked.Taker", "weak")], ["strong"]),
        ("strong", [("init", "strong"), ("Marked.Giver", "strong"), ("Marked.Taker", "strong")], ["strong"]),
        ("none", [], []),
    ],
)
def test_the_option_for_processes_leaves_marks_of_communications_but_none_takes_all(
    option: str, of_processes: list[tuple[str, str]], of_communications: list[str]
) -> None:
    found = assumed_fairness(machine(MARKED), option, [])
    assert sorted((f.name, f.kind) for f in found if f.of_process) == sorted(of_processes)
    assert [f.kind for f in found if not f.of_process] == of_communications
    told = next(p.help for p in command.params if p.name == "fairness" and isinstance(p, click.Option))
    assert told == (
        "Fairness of all processes, in place of their marks in the source; marks of communications stay, except "
        "with none."
    )


def test_a_deadlock_is_reported_unless_it_is_allowed() -> None:
    m = college(2)
    assert check(m, request_from()).verdict == "deadlock"
    assert check(m, request_from(allow_deadlocks=True, properties=("none",))).verdict == "holds"


UNSERVED = """MODULE Unserved;
TYPE C = [a, b];
PORT p : C;
VAR served : ARRAY 2 OF BOOLEAN;
PROPERTY first = ALWAYS EVENTUALLY served[0];
PROCESS Server SERVER;
BEGIN
  LOOP
    SELECT
      WHEN p?a THEN served[0] := TRUE
      WHEN p?b THEN served[0] := FALSE
    END;
    RESCHEDULE
  END
END Server;
PROCESS A; BEGIN LOOP p!a END END A;
PROCESS B; BEGIN LOOP p!b END END B;
BEGIN NEW(p); CREATE Server; CREATE A; CREATE B END Unserved.
"""


def test_who_can_be_passed_over_again_and_again_needs_strong_fairness_of_the_communication() -> None:
    m = machine(UNSERVED)
    assert checked(m).verdict == "property"
    assert checked(m, fairness="weak").verdict == "property"
    assert checked(m, fairness="strong").verdict == "property"  # A runs: it waits, and is passed over
    assert checked(m, "weak A p!a", fairness="weak").verdict == "property"
    assert checked(m, "strong A p!a", fairness="weak").verdict == "holds"
    assert checked(m, "weak-live A p!a").verdict == "holds"


DEVICE = """ENVIRONMENT MODULE Device;
IMPORT Main, SYSTEM;
PROCESS Registers SERVER;
BEGIN
  LOOP SYSTEM.IOPORT?PORTIN(8, Main.STATUS); CHOICE SYSTEM.IOPORT!VALUE(0) | SYSTEM.IOPORT!VALUE(1) END END
END Registers;
BEGIN CREATE Registers END Device.
"""
DRIVER = """MODULE Main;
CONST STATUS* = 40H;
TYPE C = [other, go];
PORT p : C;
VAR ready : UINT8;
PROPERTY told = EVENTUALLY TAKEN(p.go);
PROPERTY never = ALWAYS ~TAKEN(p.go);
PROPERTY mistaken = EVENTUALLY TAKEN(p.other);
PROCESS Told;
BEGIN
  p?go
END Told;
BEGIN
  NEW(p); CREATE Told;
  RESCHEDULE;
  REPEAT RESCHEDULE; ready := PORTIN(STATUS) UNTIL ready = 1;
  p!go
END Main.
"""


def test_communications_beside_an_environment() -> None:
    found = check(composed(DRIVER, DEVICE), request_from(keep_going=True, fairness="weak"))
    assert {p["name"]: p["verdict"] for p in found.properties} == {
        "told": "property",  # the device may never be ready
        "never": "property",
        "mistaken": "property",
    }
    found = check(composed(DRIVER, DEVICE), request_from(properties=("told",), fair=("weak-live Told p?go",)))
    assert found.verdict == "holds"


ACTIONS = """MODULE Actions;
VAR on, done : BOOLEAN;
PROPERTY ends = EVENTUALLY done;
PROCESS Blink;
BEGIN
  LOOP
    RESCHEDULE; on := TRUE;
    RESCHEDULE; on := FALSE;
    CHOICE RESCHEDULE
    OR done := TRUE END
  END
END Blink;
BEGIN CREATE Blink END Actions.
"""


def test_actions_by_their_line() -> None:
    m = machine(ACTIONS)
    assert checked(m, "strong Blink 9").verdict == "property"
    with pytest.raises(NotUnderstood, match="no action of `Actions.Blink` begins in line 3"):
        fairness_of(m, "weak Blink 3")


NEVER = """MODULE Never;
TYPE C = [a];
PORT p : C;
VAR x : BOOLEAN;
PROPERTY nothing = ALWAYS EVENTUALLY ~x;
PROCESS Waits SERVER; BEGIN p?a END Waits;
PROCESS Goes; BEGIN LOOP RESCHEDULE END END Goes;
BEGIN NEW(p); CREATE Waits; CREATE Goes END Never.
"""


def test_it_is_said_that_no_run_is_fair() -> None:
    m = machine(NEVER)
    assert checked(m).verdict == "holds"
    assert checked(m, "weak Waits p?a").verdict == "holds"
    found = checked(m, "weak-live Waits p?a")
    assert (found.verdict, found.reason) == ("inconclusive", "no run is fair, so the properties hold vacuously")


@pytest.mark.parametrize(
    "asked, message",
    [
        ("weakly Fork hand?put", "KIND PROCESS"),
        ("weak", "KIND PROCESS"),
        ("weak Spoon hand?put", "no process `Spoon`"),
        ("weak Fork[2] hand?put", "2 instances at most"),
        ("weak Fork hand!put", "it has: hand\\?get, hand\\?put"),
        ("weak Fork hand", "neither a communication"),
        ("weak-live Fork", "only to communications, which have partners"),
        ("weak-live Fork 9", "only to communications, which have partners"),
    ],
)
def test_what_is_asked_for_wrongly_is_refused(asked: str, message: str) -> None:
    with pytest.raises(NotUnderstood, match=message):
        fairness_of(college(2), asked)


def test_one_instance_or_each() -> None:
    m = college(3)
    assert [f.name for f in fairness_of(m, "strong Fork hand?get")] == [f"Fork[{i}] hand?get" for i in range(3)]
    assert [(f.name, f.kind) for f in fairness_of(m, "strong-live Fork[1] hand ? get")] == [
        ("Fork[1] hand?get", "strong-live")
    ]


# --- safety ----------------------------------------------------------------------------------------------------


def shortest(m: Machine) -> list[list[Item]]:
    found = check(m, request_from(allow_deadlocks=True)).findings
    assert found[0].run is not None and found[0].run.lost and found[0].run.cycle == len(found[0].steps)
    return found[0].steps


@pytest.mark.parametrize("count", [1, 3, 6])
def test_a_safety_property_is_violated_by_the_shortest_way(count: int) -> None:
    counters = f"""MODULE Counters;
VAR n, m : INTEGER;
PROPERTY few = ALWAYS (n < {count});
PROCESS Up; BEGIN LOOP n := (n + 1) MOD 8; RESCHEDULE END END Up;
PROCESS Other; BEGIN LOOP m := (m + 1) MOD 8; RESCHEDULE END END Other;
BEGIN CREATE Other; CREATE Up END Counters.
"""
    assert len(shortest(machine(counters))) == count + 1


def test_random_programs_under_random_fairness_agree_with_the_slow_judge() -> None:
    answers = campaign(3, 24)
    assert answers.count("violated") >= 3 and answers.count("holds by fairness") >= 1, answers


TWO_GIVERS = """MODULE M;
TYPE Hand = [get, put];
PORT a, b : Hand;
VAR n : UINT8;
PROPERTY seen = ALWAYS EVENTUALLY TAKEN(b.get);
PROCESS Giver(h : Hand) SERVER; BEGIN LOOP h?get; h?put END END Giver;
PROCESS Taker; BEGIN LOOP SELECT WHEN a!get THEN a!put WHEN b!get THEN b!put END END END Taker;
PROCESS Idle; BEGIN LOOP n := 1 - n; RESCHEDULE END END Idle;
BEGIN NEW(a); NEW(b); CREATE Giver(a); CREATE Giver(b); CREATE Taker; CREATE Idle END M.
"""


def test_it_is_said_which_communication_is_treated_unfairly_and_what_asks_for_it() -> None:
    m = machine(TWO_GIVERS)
    nobody = checked(m).findings[0].run
    assert nobody is not None and "Taker" in nobody.unfair  # a process that never runs says it all
    result = checked(m, fairness="weak")
    run = result.findings[0].run
    assert run is not None and run.unfair == []
    assert [(p.asked_for, p.partner) for p in run.passed_over] == [("strong Taker b!get", "Giver[1]")]
    assert "excluded by --fair 'strong Taker b!get'" in tell(m, result)
    assert checked(m, *(p.asked_for for p in run.passed_over), fairness="weak").verdict == "holds"


CHOOSER = """MODULE Choosers;
TYPE C = [m, n];
PORT c, d, e : C;
PROCESS Offer;
BEGIN SELECT WHEN c!m THEN WHEN d!m THEN END END Offer;
PROCESS Feeder SERVER;
BEGIN LOOP c!m; e!n END END Feeder;
PROCESS Taker SERVER;
BEGIN LOOP e?n; c?m END END Taker;
PROPERTY done = EVENTUALLY ENDED(Offer);
BEGIN NEW(c); NEW(d); NEW(e); CREATE Offer; CREATE Taker; CREATE Feeder; c?m END Choosers.
"""


def test_who_waits_in_a_select_is_passed_over_by_one_who_attempts_plainly() -> None:
    m = machine(CHOOSER)
    result = checked(m, fairness="weak")
    run = result.findings[0].run
    assert run is not None and run.unfair == []
    assert [(p.asked_for, p.partner) for p in run.passed_over] == [("strong Offer c!m", "Taker")]
    assert checked(m, "strong Offer c!m", fairness="weak").verdict == "holds"


def test_the_automaton_is_followed_and_the_summary_says_that_deadlocks_are_allowed() -> None:
    m = machine(TWO_GIVERS)
    result = checked(m, fairness="weak")
    run = result.findings[0].run
    assert run is not None and len(run.automaton) == len(run.blocks) and run.automaton[0] == "automaton in 0"
    assert run.automaton[run.cycle] == run.automaton[-1]
    assert "automaton in " in tell(m, result)
    held = tell(m, checked(m, "strong Taker b!get", fairness="weak"))
    assert "holds: no failed assertion and no fault in any state; processes may wait forever" in held
    assert "deadlock or partial" not in held


MANY_INPUTS = """MODULE Inputs;
VAR x, y, z : UINT8;
PROCESS P SERVER;
BEGIN LOOP x := PORTIN(1); y := PORTIN(2); z := PORTIN(3); RESCHEDULE END END P;
BEGIN CREATE P END Inputs.
"""


def test_who_is_passed_over_is_not_told_where_ports_give_millions_of_values(monkeypatch: pytest.MonkeyPatch) -> None:
    """The step of the cycle has 2^24 alternatives, of which each would be run."""
    runs = 0
    run_slot = HostRun.run_slot

    def counted(*args: Any) -> Any:
        nonlocal runs
        runs += 1
        assert runs <= MOST_ACTIONS + 2
        return run_slot(*args)

    monkeypatch.setattr(HostRun, "run_slot", counted)
    m = machine(MANY_INPUTS)
    run = HostRun(generate(m, host_target()), 1)
    block = next(actions_of(run, run.block, ready_slots(m, run.block)[0])).block
    (slot,) = ready_slots(m, block)
    assert passed_over(m, run, [[Item("run", (slot,))]], [block, block]) == []
    assert runs == MOST_ACTIONS + 2
