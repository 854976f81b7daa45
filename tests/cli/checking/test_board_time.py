"""`lfc check --time board`: what it says, what it refuses, and how it ends."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.lfc import lfc
from tests.conftest import ROOT

STOP = ROOT / "examples" / "realtime" / "EmergencyStop.lf"
MISSES = """\
MODULE Misses;
IMPORT Clock;
VAR n, i : UINT8; done : BOOLEAN;
PROCESS Slow SERVER;
BEGIN LOOP done := FALSE; Clock.Sleep(3); done := TRUE; Clock.Sleep(1) END END Slow;
PROPERTY soon = ALWAYS EVENTUALLY done WITHIN 2 MS;
PROPERTY late = ALWAYS EVENTUALLY done WITHIN 4 MS;
PROPERTY twice = ALWAYS EVENTUALLY ALWAYS done;
BEGIN CREATE Slow DEADLINE 1 END Misses.
"""


@pytest.fixture
def misses(tmp_path: Path) -> Path:
    file = tmp_path / "Misses.lf"
    file.write_text(MISSES)
    return file


def test_what_is_violated_ends_with_5(misses: Path) -> None:
    done = lfc("check", misses, "-b", "uno", "--time", "board")
    said = [line for line in done.out.splitlines() if not line.startswith(" ")]
    assert done.exit == 5
    assert said[0].startswith("soon: violated, 48259 cycles (3.016 ms) in the simulator of 2 ms, at most 48756")
    assert said[1].startswith("late: holds, at most 48756 cycles (3.047 ms) of 4 ms")
    assert said[2].startswith("DEADLINE of Slow: holds, at most ") and said[2].endswith(" of 1 ms")
    assert said[3].startswith("twice: not judged: the board's time is for ALWAYS p")


def test_one_that_holds(misses: Path) -> None:
    done = lfc("check", misses, "-b", "uno", "--time", "board", "--property", "late", "--drift", "1%", "--json")
    document = json.loads(done.out)
    (claim,) = document["claims"]
    assert done.exit == 0 and document["verdict"] == claim["verdict"] == "holds"
    assert claim["limit"] == 63_360 and claim["simulated"] is None


def test_too_few_states(misses: Path) -> None:
    done = lfc("check", misses, "-b", "uno", "--time", "board", "--states", "2")
    assert done.exit == 6 and "nothing is known" in done.err


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("--time", "board"), "--time board is about the image of a board: name it with -b BOARD"),
        (("-b", "uno", "--time", "board", "--threads", "2"), "--threads and --time board exclude each other"),
        (("-b", "uno", "--drift", "5ppm"), "--drift is about the board's clock: add --time board"),
        (
            ("-b", "uno", "--interrupts", "everywhere"),
            "executes an image under its board's scheduler: add --time board",
        ),
        (("-b", "uno", "--time", "board", "--drift", "5"), "'5' is no drift such as 50ppm or 1%"),
        (("-b", "uno", "--time", "board", "--drift", "11%"), "11% is more than 10 %"),
        (("-b", "microbit", "--time", "board"), "not of nrf51822"),
        (("-b", "uno", "--time", "board", "--property", "never"), "There is no property `never`"),
    ],
)
def test_what_is_refused(more: tuple[str, ...], says: str, misses: Path) -> None:
    done = lfc("check", misses, *more)
    assert done.exit in (1, 2) and says in " ".join(done.err.split())


def test_a_program_that_claims_nothing(tmp_path: Path) -> None:
    done = lfc("check", STOP, "-b", "uno", "--time", "board")
    assert done.exit != 0 and "it has neither a property nor a process with a DEADLINE" in " ".join(done.err.split())


def test_interrupts_break_in_everywhere() -> None:
    done = lfc("check", STOP, "-b", "uno", "--time", "board", "--interrupts", "everywhere")
    assert done.exit == 0
    tried = "interrupts break in before 2076 instructions of 48 passes (41 followed to the end)"
    assert done.out.startswith(f"{tried}: as if each had come at a boundary\n")


def test_a_board_that_sleeps_deeply(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(
        "MODULE T;\nIMPORT Power;\nVAR n : UINT8;\nPROPERTY p = ALWAYS (n = 0 IMPLIES EVENTUALLY n = 1 WITHIN 1 MS);\n"
        "BEGIN\n  Power.Deep(TRUE);\n  n := 1\nEND T.\n"
    )
    done = lfc("check", "T.lf", "-b", "uno", "--time", "board", cwd=tmp_path)
    assert done.exit == 2 and "with `Power` the board's clock stands still at times" in " ".join(done.err.split())
