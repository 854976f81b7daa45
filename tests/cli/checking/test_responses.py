"""`lfc timing --from --to`: what it says, what it refuses, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT

STOP = ROOT / "examples" / "realtime" / "EmergencyStop.lf"
SAID = """\
from SYSTEM.INT[1] to motor = 0: at most 390 cycles (24.4 µs)
once a process waits for it: at most 261 cycles (16.3 µs)
   cycles    in all
       55        55  initialisation runs, line 5  (the interrupt comes in it)
                     line 34: 1, line 35: 3, line 36: 2, line 38: 4, line 39: 8
       33        88  routine of interrupt 1
       38       126  interrupt 1 is delivered
       61       187  Guard runs, line 14
                     line 14: 3, line 17: 17
"""


def test_the_run_that_takes_longest_is_shown() -> None:
    done = lfc("timing", STOP, "-b", "uno", "--from", "SYSTEM.INT[1]", "--to", "motor=0")
    assert done.exit == 0
    assert done.out.startswith(SAID) and "over 87 board states and 135 moves; a bound" in done.out


@pytest.mark.parametrize(("limit", "code"), [("390cycles", 0), ("24us", 5)])
def test_a_limit(limit: str, code: int) -> None:
    assert lfc("timing", STOP, "-b", "uno", "--from", "1", "--to", "D13=0", "--max-latency", limit).exit == code


def test_no_bound_ends_with_5() -> None:
    done = lfc("timing", STOP, "-b", "uno", "--from", "1", "--to", "D13", "--json")
    (told,) = json.loads(done.out)["responses"]
    assert done.exit == 5 and told["cycles"] is None and told["repeats"] == 4


def test_every_interrupt() -> None:
    done = lfc("timing", STOP, "-b", "uno", "--responses")
    assert done.exit == 0
    assert done.out.startswith("from SYSTEM.INT[1] to the end of the action that takes it: at most 456 cycles")


def test_too_few_states() -> None:
    done = lfc("timing", STOP, "-b", "uno", "--responses", "--states", "10")
    assert done.exit == 6 and "no response time is known" in done.err


@pytest.mark.parametrize(
    ("begin", "end", "says"),
    [
        ("2", "25H", "does not wait for interrupt 2; it waits for: SYSTEM.INT[1]"),
        ("button", "25H", "--from takes an interrupt such as SYSTEM.INT[4], not `button`"),
        ("1", "xx", "`xx` is no register"),
    ],
)
def test_what_is_not_there(begin: str, end: str, says: str) -> None:
    done = lfc("timing", STOP, "-b", "uno", "--from", begin, "--to", end)
    assert done.exit == 2 and says in done.err


def test_both_ends_are_named() -> None:
    assert lfc("timing", STOP, "-b", "uno", "--from", "1").exit == 2


def test_a_file_that_is_not_what_is_built_is_refused(tmp_path: Path) -> None:
    """With earliest deadlines another process runs first, and code lies elsewhere."""
    image = tmp_path / "stop.hex"
    for scheduler, code in (("rr", 0), ("edf", 2)):
        made = lfc("build", STOP, "-b", "uno", "--scheduler", scheduler, "-o", tmp_path / "stop.elf")
        assert made.exit == 0
        done = lfc("timing", STOP, "-b", "uno", "--responses", "--image", image)
        assert done.exit == code
    assert "is not what `lfc build` makes of the program" in done.err


def test_what_changes_between_the_schedulers() -> None:
    done = lfc("timing", STOP, "-b", "uno", "--from", "1", "--to", "motor=0", "--scheduler", "both")
    lines = done.out.splitlines()
    assert done.exit == 0 and "\n".join(lines).startswith("round robin:\n" + SAID)
    other = lines.index("earliest deadline:")
    assert lines[other + 1] == "from SYSTEM.INT[1] to motor = 0: at most 1458 cycles (91.1 µs)"
    assert lines[-1].endswith("at most 390 cycles (24.4 µs) with rr; at most 1458 cycles (91.1 µs) with edf")


@pytest.mark.parametrize(("scheduler", "code"), [("rr", 0), ("edf", 5), ("both", 5)])
def test_a_limit_under_each_scheduler(scheduler: str, code: int) -> None:
    asked = ("--from", "1", "--to", "motor=0", "--max-latency", "500cycles", "--scheduler", scheduler, "--json")
    done = lfc("timing", STOP, "-b", "uno", *asked)
    told = json.loads(done.out)
    assert done.exit == code and [r["scheduler"] for r in told["responses"]] == [*told["graphs"]]


TABLE = """\
at most                                                  round robin
SYSTEM.INT[1] to the end of the action that takes it     81727 cycles (5.108 ms)
  once a process waits for it                            646 cycles (40.4 µs)
Debounce.Button, from its time to the end of its action  667 cycles (41.7 µs)
Debounce.Blink, from its time to the end of its action   1081 cycles (67.6 µs)
longest pass                                             352 cycles (22.0 µs): Blink runs, line 41
pin D13, from rise to rise                               no bound
  jitter                                                 -
pin A0, from rise to rise                                63205 to 64742 cycles (4.046 ms)
  jitter                                                 1537 cycles (96.1 µs)
processor awake, without interrupts                      2.64 %
  with as many as can come                               4.06 %
over 806 board states; a bound: """


def test_a_table_of_everything() -> None:
    done = lfc("timing", STOP.parent / "Debounce.lf", "-b", "uno")
    passes, table = done.out.split("\n\n")
    assert done.exit == 0 and "over all 262 states" in passes and table.startswith(TABLE)


@pytest.mark.parametrize(("most", "code"), [("663cycles", 0), ("662cycles", 5)])
def test_a_table_of_the_other_scheduler(most: str, code: int) -> None:
    asked = ("--scheduler", "edf", "--json", "--max-latency", most)
    done = lfc("timing", STOP.parent / "Debounce.lf", "-b", "uno", *asked)
    told = json.loads(done.out)["tables"]["edf"]
    assert done.exit == code and told["longest_pass"] == 663
    assert [t["cycles"] for t in told["times"]] == [1720, 3790]


def test_why_there_is_no_table(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text("MODULE T;\nIMPORT In;\nVAR c : CHAR;\nBEGIN In.Char(c) END T.\n")
    told = lfc("timing", "T.lf", "-b", "uno", cwd=tmp_path)
    assert told.exit == 0 and "\nno response times: it is not known how often interrupt 18 comes" in told.out
    alone = lfc("timing", "T.lf", "-b", "uno", "--scheduler", "edf", cwd=tmp_path)
    assert alone.exit == 2 and "No response times: it is not known how often" in " ".join(alone.err.split())


def test_a_table_of_too_few_states() -> None:
    done = lfc("timing", STOP, "-b", "uno", "--scheduler", "edf", "--states", "10")
    assert done.exit == 6 and done.err.startswith("not every board state was followed, but 11 (--states, --time)")
