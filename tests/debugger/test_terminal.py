"""`lfc debug` on a pipe: lines in, lines out."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.codegen.program import generate
from lfc.run.names import possible_names, values
from lfc.run.native import host_target
from lfc.run.running import HostRun, Status
from lfc.run.stepper import Stepper
from tests.actions.machines import machine_of_file
from tests.cli.lfc import ROOT, lfc
from tests.debugger.programs import COUNTING, PHILOSOPHERS, PRODCONS


def debug(file: Path, folder: Path, *commands: str, options: tuple[str, ...] = ()) -> list[str]:
    done = lfc("debug", *options, file, cwd=folder, stdin=("\n".join(commands) + "\n").encode())
    assert (done.exit, done.err) == (0, "")
    return done.out.splitlines()


def test_there_and_back_and_the_change_that_is_to_blame(tmp_path: Path) -> None:
    file = tmp_path / "Counting.lf"
    file.write_text(COUNTING)
    lines = debug(file, tmp_path, "run", "break change last", "back", "last", "", "last", "undo 2", "n", "run 2", "n")
    steps = [line for line in lines if line.startswith("step ")]
    assert steps == [
        "step 0: the start",
        "step 5: the assertion failed",
        "step 2: the next step: last: 0 to 7",
        "step 3: last: 0 to 7",
        "step 2: the next step: last: 0 to 7",
        "step 3: last: 0 to 7",
    ]
    assert [line for line in lines if " = " in line and "step" not in line and line[0] != " "] == [
        "last = 0",
        "last = 7",
        "n = 2",
        "n = 3",
    ]


def test_conditions_stop_both_ways_where_they_come_to_hold(tmp_path: Path) -> None:
    lines = debug(PRODCONS, tmp_path, "break Producer.i >= 3", "run", "Producer.i", "run 3", "back", "delete", "back")
    told = [line for line in lines if line.startswith("step ")]
    assert told[1].endswith(": Producer.i >= 3") and told[3] == told[1]
    assert told[4] == "step 0: the start of the program" and "Producer.i = 3" in lines


def test_choices_are_those_of_explore_and_their_numbers_too(tmp_path: Path) -> None:
    explored = lfc("explore", PRODCONS, cwd=tmp_path, stdin=b"1\n2\n1\nq\n").out.splitlines()
    debugged = debug(PRODCONS, tmp_path, "1", "2", "1", "q")
    listed = [[line[5:] for line in found if line[:5].strip("> ").isdecimal()] for found in (explored, debugged)]
    assert listed[0] == listed[1] and len(listed[0]) > 4


def test_a_trace_is_played_left_and_written(tmp_path: Path) -> None:
    assert lfc("check", PHILOSOPHERS, "--trace", "dead.json", cwd=tmp_path).exit == 3
    commands = ("run", "run", "go 12", "2", "trace own.json", "q")
    lines = debug(PHILOSOPHERS, tmp_path, *commands, options=("--schedule", "dead.json"))
    told = [line for line in lines if line.startswith("step ")]
    end = told[1].split()[1]
    assert told[0] == f"step 0 of {end}: the start" and told[1].endswith(
        ": the trace ends here, in a deadlock: every process waits for another"
    )
    assert told[2] == f"step {end} of {end}: deadlock: every process waits for another"
    assert told[3].startswith(f"step 12 of {end}") and told[4] == "step 13"
    assert "the trace is left at step 12: from here on it is yours" in lines
    assert sum(line.startswith(" >") for line in lines) >= 2
    assert lfc("run", "--schedule", "own.json", PHILOSOPHERS, cwd=tmp_path).exit == 0


def test_the_same_lines_on_an_emulated_board(tmp_path: Path) -> None:
    commands = ("run", "undo 5", "way", "break message get", "back", "1", "run")
    here = debug(PHILOSOPHERS, tmp_path, *commands)
    assert here == debug(PHILOSOPHERS, tmp_path, *commands, options=("-b", "uno", "--emulated"))
    assert any("deadlock" in line for line in here)


def test_what_cannot_be_done_is_said(tmp_path: Path) -> None:
    lines = debug(
        PRODCONS, tmp_path, "frob", "99", "undo x", "break line 5000", "break message nothing", "break i", "help"
    )
    assert "`frob` is neither a command nor a variable; `help` lists the commands, `state` the names" in lines
    assert "there is no choice 99 here" in lines and "`x` is not a number" in lines
    assert "no process ever stands behind this line" in lines
    assert any("is no message of this program" in line for line in lines)
    assert any("is not a condition" in line for line in lines)
    for options, said in (
        (("-b", "uno", "--emulator", "simavr"), "--emulator needs --emulated."),
        (("--emulated",), "Which board?"),
        (("--emulated", "-b", "abacus"), "abacus"),
    ):
        done = lfc("debug", *options, PRODCONS, cwd=tmp_path)
        assert done.exit == 2 and said in done.err
    assert lfc("debug", ROOT / "none.lf", cwd=tmp_path).exit == 1


def test_a_name_that_one_process_has_needs_no_owner(tmp_path: Path) -> None:
    lines = debug(PRODCONS, tmp_path, "x", "Consumer.x", "break change x", "run", "delete", "break x >= 2", "run")
    assert lines[2:4] == [
        "`x` is neither a command nor a variable; `help` lists the commands, `state` the names",
        "`Consumer.x` does not exist at this step",
    ]
    assert "breakpoint at changes of Consumer.x; it does not exist yet" in lines
    assert any(line.endswith("Consumer.x: nothing to 0") for line in lines)
    assert any(line.startswith("step ") and line.endswith(": x >= 2") for line in lines)
    lines = debug(PHILOSOPHERS, tmp_path, "break change left", "break lost = 1")
    assert lines[-2:] == [
        "whose `left`? There are Philosopher[0].left, Philosopher[1].left, Philosopher[2].left and 2 more",
        "there is no variable `lost` in this program; `state` shows those that live",
    ]


@pytest.mark.parametrize("name", ["prodcons", "calls", "hanoi", "philosophers", "sieve"])
def test_all_names_are_known_before(name: str) -> None:
    machine = machine_of_file(ROOT / "examples" / f"{name}.lf")
    assert machine is not None
    stepper, seen = Stepper(HostRun(generate(machine, host_target()), 1)), set[str]()
    while stepper.at < 200 and stepper.forward()[0] is Status.RAN:
        seen |= values(machine, stepper.block).keys()
    assert seen and seen <= possible_names(machine)
