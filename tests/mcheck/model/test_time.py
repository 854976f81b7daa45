"""Time in the checker: which wake-ups come in which mode, how many states there are, and the clock in properties."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.mcheck.check import check
from lfc.mcheck.engine.abi import TimeMode
from lfc.mcheck.model.clocks import ClockNotKept
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.mcheck.search.search import Search, Stop
from tests.actions.machines import machine_of_file, machine_of_text

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def counts(file: str, mode: str, *environments: str) -> tuple[int, int, int]:
    """States, transitions, and how many different blocks the states have."""
    machine = machine_of_file(EXAMPLES / file, [EXAMPLES / e for e in environments])
    assert machine is not None
    search = Search(machine, request_from(time=mode, keep_going=True))
    try:
        assert search.run() is Stop.COMPLETE
        return search.statistics.states, search.statistics.transitions, len(set(search.all_blocks()))
    finally:
        search.close()


@pytest.mark.parametrize(
    ("file", "environments", "free", "ordered", "discrete"),
    [
        ("clockdemo.lf", (), (54, 80, 54), (22, 25, 22), (22, 25, 22)),
        ("traffic.lf", (), (152, 317, 152), (150, 276, 118), (150, 276, 118)),
        ("traffic.lf", ("traffic_env.lf",), (146, 367, 146), (146, 333, 114), (146, 333, 114)),
    ],
)
def test_counts_of_examples(
    file: str,
    environments: tuple[str, ...],
    free: tuple[int, int, int],
    ordered: tuple[int, int, int],
    discrete: tuple[int, int, int],
) -> None:
    assert counts(file, "free", *environments) == free
    assert counts(file, "ordered", *environments) == ordered
    assert counts(file, "discrete", *environments) == discrete


def checked(text: str, mode: str, wrap: int = 60_000, environment: str | None = None) -> CheckResult:
    return check(machine_of_text(text, environment), request_from(time=mode, clock_wrap=wrap, threads=1))


RACE = """MODULE Race;
IMPORT Clock;
VAR first : BOOLEAN;
PROCESS Short; BEGIN Clock.Sleep(10); first := TRUE END Short;
PROCESS Long; BEGIN Clock.Sleep(LONG); ASSERT(first) END Long;
BEGIN CREATE Short; CREATE Long END Race.
"""


@pytest.mark.parametrize(
    ("long", "mode", "verdict"),
    [("20", "free", "assertion"), ("20", "ordered", "holds"), ("20", "discrete", "holds"),
     ("10", "ordered", "assertion"), ("9", "ordered", "assertion"), ("4000000000", "ordered", "holds")],
)  # fmt: skip
def test_the_order_of_deadlines(long: str, mode: str, verdict: str) -> None:
    assert checked(RACE.replace("LONG", long), mode).verdict == verdict


def test_of_several_clauses_the_earliest() -> None:
    text = """MODULE Clauses;
IMPORT Clock;
VAR n : INTEGER;
PROCESS P;
BEGIN
  SELECT WHEN Clock.After(30) THEN n := 1
    WHEN Clock.After(20) & (n > 0) THEN n := 2
    WHEN Clock.After(25) THEN n := 3
  END;
  ASSERT(n = 3)
END P;
BEGIN CREATE P END Clauses.
"""
    assert checked(text, "free").verdict == "assertion"
    assert checked(text, "ordered").verdict == "holds"


PRESSED = """MODULE Pressed;
IMPORT Clock, SYSTEM;
VAR waits : BOOLEAN;
PROCESS Button SERVER;
BEGIN LOOP SYSTEM.INT[1]?INTERRUPT; waits := TRUE; Clock.Sleep(10); waits := FALSE END END Button;
PROCESS Other; BEGIN Clock.Sleep(PAUSE); ASSERT(~waits) END Other;
BEGIN CREATE Button; CREATE Other END Pressed.
"""
PRESSER = """ENVIRONMENT MODULE Finger;
IMPORT Clock, SYSTEM;
PROCESS Presses; BEGIN Clock.Sleep(5); SYSTEM.INT[1]!INTERRUPT END Presses;
BEGIN CREATE Presses END Finger.
"""


def test_interrupts_come_at_any_time() -> None:
    machine = machine_of_text(PRESSED.replace("PAUSE", "500000"))
    search = Search(machine, request_from(time="ordered"))
    assert search.timing.form is TimeMode.ZONES
    search.close()
    found = checked(PRESSED.replace("PAUSE", "500000"), "ordered")
    assert (found.verdict, found.states < 500) == ("assertion", True)


def test_an_environment_that_keeps_time() -> None:
    assert checked(PRESSED.replace("PAUSE", "16"), "free", environment=PRESSER).verdict == "assertion"
    assert checked(PRESSED.replace("PAUSE", "14"), "ordered", environment=PRESSER).verdict == "assertion"
    late = checked(PRESSED.replace("PAUSE", "4"), "ordered", environment=PRESSER)
    assert (late.verdict, late.findings) == ("holds", [])


def test_who_is_ready_is_not_outrun() -> None:
    """Between its steps no time passes, so a sleeper beside a process that never stops sleeps on, and is not stuck."""
    text = """MODULE Busy;
IMPORT Clock;
VAR n : UINT8;
PROCESS Spins; BEGIN LOOP RESCHEDULE END END Spins;
PROCESS Sleeps; BEGIN Clock.Sleep(1); n := 1; ASSERT(FALSE) END Sleeps;
BEGIN CREATE Spins; CREATE Sleeps END Busy.
"""
    assert checked(text, "free").verdict == "assertion"
    found = checked(text, "ordered")
    assert (found.verdict, found.states) == ("holds", 5)


CLOCKED = """MODULE Clocked;
IMPORT Clock;
VAR lit : BOOLEAN; since : UINT32;
PROPERTY rhythm = ALWAYS (lit IMPLIES Clock.Now MOD 1000 < LIMIT);
PROCESS Light SERVER;
BEGIN
  LOOP
    lit := TRUE; since := Clock.Now; Clock.Sleep(450);
    lit := FALSE; ASSERT(Clock.Now - since = 450); Clock.Sleep(550)
  END
END Light;
BEGIN CREATE Light END Clocked.
"""


def test_properties_of_the_clock() -> None:
    found = checked(CLOCKED.replace("LIMIT", "451"), "discrete", 4000)
    assert (found.verdict, found.states) == ("holds", 2 + 4 * 4)
    assert found.assumptions == [
        "actions take no time; sleeping processes wake in deadline order (--time discrete)",
        "no interval that Clock.Now measures is longer than 4000 ms, where it wraps (--clock); "
        "ages would do without that, but for the use at Main.lf:4",
    ]
    wrong = checked(CLOCKED.replace("LIMIT", "450"), "discrete", 4000)
    assert wrong.verdict == "property"
    with pytest.raises(ClockNotKept):
        checked(CLOCKED.replace("LIMIT", "500"), "ordered")


def test_the_wrap_is_seen_by_the_program() -> None:
    found = checked(CLOCKED.replace("LIMIT", "1000"), "discrete", 1300)
    assert (found.verdict, found.findings[0].kind) == ("inconclusive", "assertion")  # no board wraps there
    readings = [i.operands[0] for step in found.findings[0].steps for i in step if i.name == "clock"]
    assert readings == [0, 450, 1000, 150]


PROPERTY_PROCESS = """MODULE Watched;
IMPORT Clock;
VAR lit : BOOLEAN;
PROPERTY Late; (* accepts: lit for more than LIMIT ms *)
VAR since : UINT32;
BEGIN
  LOOP
    WHILE ~lit DO RESCHEDULE END;
    since := Clock.Now;
    WHILE lit DO
      WHILE Clock.Now > since + LIMIT DO ACCEPT; RESCHEDULE END;
      RESCHEDULE
    END
  END
END Late;
PROCESS Light SERVER;
BEGIN Clock.Sleep(7); lit := TRUE; Clock.Sleep(450); Clock.Sleep(10) END Light;
BEGIN CREATE Light END Watched.
"""


@pytest.mark.parametrize(("limit", "verdict"), [("460", "holds"), ("459", "property")])
def test_property_processes_read_the_clock(limit: str, verdict: str) -> None:
    assert checked(PROPERTY_PROCESS.replace("LIMIT", limit), "discrete", 2000).verdict == verdict


def test_without_readers_there_is_no_clock() -> None:
    machine = machine_of_text(RACE.replace("LONG", "20"))
    search = Search(machine, request_from(time="discrete"))
    assert search.timing.clock_component is None
    search.close()


def test_a_device_that_waits_for_the_clock_fails_later() -> None:
    text = """MODULE Main;
IMPORT Clock;
PROCESS P; BEGIN Clock.Sleep(50) END P;
BEGIN CREATE P END Main.
"""
    environment = """ENVIRONMENT MODULE Env;
IMPORT Clock, SYSTEM;
PROCESS E; BEGIN RESCHEDULE; ASSERT(Clock.Now # 33) END E;
BEGIN CREATE E END Env.
"""
    found = checked(text, "discrete", 100, environment)
    assert found.verdict == "assertion"
    assert ("clock", (33,)) in [(i.name, i.operands) for i in found.findings[0].steps[-1]]


READS = """MODULE Reads;
IMPORT Clock;
VAR t0 : UINT32; on : BOOLEAN;
TYPE T = [go];
PORT c : T;
PROPERTY settles = EVENTUALLY on;
PROCESS P; BEGIN BODY END P;
BEGIN NEW(c); CREATE P END Reads.
"""


@pytest.mark.parametrize("mode", ["free", "ordered"])
@pytest.mark.parametrize(
    ("body", "verdict", "kind", "exact"),
    [
        # read at the start only: 0 is what a board whose actions take no time reads
        ("t0 := Clock.Now; ASSERT(t0 > 0)", "assertion", "assertion", "assertion"),
        ("t0 := Clock.Now; Clock.Sleep(10); ASSERT(FALSE)", "assertion", "assertion", "assertion"),
        # read after a wait that time has ended
        ("t0 := Clock.Now; Clock.Sleep(10); ASSERT(Clock.Now - t0 >= 10)", "inconclusive", "assertion", "property"),
        ("Clock.Sleep(9); IF Clock.Now < 9 THEN c!go END; on := TRUE", "inconclusive", "deadlock", "holds"),
        ("LOOP Clock.Sleep(10); on := Clock.Now > 5 END", "inconclusive", "property", "holds"),
        # the clock has nothing to do with it
        ("IF Clock.Now > 0 THEN on := TRUE END; c!go", "deadlock", "deadlock", "deadlock"),
    ],
)
def test_what_is_found_where_the_clock_reads_0(mode: str, body: str, verdict: str, kind: str, exact: str) -> None:
    """A violation that no board has is not told as one."""
    found = checked(READS.replace("BODY", body), mode)
    assert (found.verdict, found.findings[0].kind) == (verdict, kind)
    assert bool(found.findings[0].doubt) == (verdict == "inconclusive")
    if verdict == "inconclusive":
        assert "may be spurious" in found.reason and "--time discrete" in found.reason
    assert checked(READS.replace("BODY", body), "discrete").verdict == exact


def test_who_is_stuck_while_the_clock_reads_0_need_not_be() -> None:
    """The other one polls the clock, and would come to speak."""
    text = """MODULE Polls; IMPORT Clock; TYPE T = [go]; PORT c : T;
PROCESS P; BEGIN REPEAT RESCHEDULE UNTIL Clock.Now > 3; c!go END P;
PROCESS Q; BEGIN c?go END Q;
BEGIN NEW(c); CREATE P; CREATE Q END Polls.
"""
    found = checked(text, "free")
    assert (found.verdict, [f.kind for f in found.findings]) == ("inconclusive", ["partial-deadlock"])
    assert "not every continuation was explored" in found.reason
    certain = checked(text.replace("Clock.Now > 3", "FALSE"), "free")
    assert (certain.verdict, certain.findings[0].doubt) == ("partial-deadlock", "")


def test_a_doubtful_run_does_not_hide_another_property() -> None:
    text = READS.replace("EVENTUALLY on;", "EVENTUALLY on;\nPROPERTY never = (t0 = 0) WEAKUNTIL on;")
    found = checked(text.replace("BODY", "t0 := 1; LOOP Clock.Sleep(10); on := Clock.Now > 5 END"), "free")
    assert found.verdict == "property"
    verdicts = {p["name"]: p["verdict"] for p in found.properties}
    assert (verdicts["settles"], verdicts["never"]) == ("inconclusive", "property")


AGE = """MODULE Age;
IMPORT Clock;
VAR t0 : UINT32;
PROCESS P;
BEGIN
  LOOP
    t0 := Clock.Now + 1;
    Clock.Sleep(30);
    ASSERT(Clock.Now + 1 - t0 <= MOST)
  END
END P;
BEGIN CREATE P END Age.
"""


def test_an_error_that_only_the_wrap_of_the_clock_brings_may_be_spurious() -> None:
    def found(most: int, wrap: int) -> CheckResult:
        machine = machine_of_text(AGE.replace("MOST", str(most)))
        return check(machine, request_from(threads=1, time="discrete", clock_wrap=wrap))

    right = found(30, 100)
    assert right.verdict == "inconclusive"
    assert right.reason.startswith("the error may be spurious: Clock.Now wraps at 100 ms on its path")
    assert found(29, 100).verdict == "assertion"  # before the clock has come round
    assert "no interval that Clock.Now measures is longer than 100 ms, where it wraps (--clock)" in right.assumptions[1]


LONGER_THAN_THE_CLOCK = """MODULE Longer;
IMPORT Clock, SYSTEM;
VAR pd, u : BOOLEAN; t : UINT32;
PROCESS P; BEGIN Clock.Sleep(150); pd := TRUE; t := Clock.Now MOD 2 END P;
PROCESS Q SERVER;
BEGIN SYSTEM.INT[1]?INTERRUPT; Clock.Sleep(15); u := ~pd; Clock.Sleep(15); ASSERT(~u OR ~pd) END Q;
BEGIN CREATE P; CREATE Q END Longer.
"""


@pytest.mark.parametrize("wrap", [100, 300])
def test_interrupts_come_as_late_as_a_sleep_is_long(wrap: int) -> None:
    """Also where that is longer than the clock counts."""
    assert checked(LONGER_THAN_THE_CLOCK, "discrete", wrap).verdict == "assertion"
