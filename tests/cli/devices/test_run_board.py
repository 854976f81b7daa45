"""`lfc run -b`: output, input, ends and exit codes are those of a run on this machine, in both emulators."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.lfc import ROOT, lfc

EXAMPLES = ROOT / "examples"
both = pytest.mark.parametrize("emulator", ["simavr", "qemu"])

FAULT = """MODULE Wrong;
IMPORT Out;
VAR i : INTEGER; a : ARRAY 3 OF INTEGER;
BEGIN
  Out.String("before");
  i := 2;
  RESCHEDULE;
  a[i + 1] := 7
END Wrong.
"""
READER = """MODULE Reader;
IMPORT In, Out;
VAR c : CHAR;

PROCESS Upper;
BEGIN
  LOOP In.Char(c); Out.Char(c) END
END Upper;

BEGIN
  CREATE Upper
END Reader.
"""


@both
def test_input_and_output(emulator: str) -> None:
    given, expected = ((EXAMPLES / "expected" / name).read_bytes() for name in ("echo.in", "echo.out"))
    done = lfc("run", EXAMPLES / "echo.lf", "-b", "uno", "--emulator", emulator, stdin=given)
    assert (done.exit, done.out.encode(), done.err) == (0, expected, "")


@both
def test_the_end_of_the_input_ends_the_run(tmp_path: Path, emulator: str) -> None:
    (tmp_path / "Reader.lf").write_text(READER)
    done = lfc("run", "Reader.lf", "-b", "uno", "--emulator", emulator, cwd=tmp_path, stdin=b"abc")
    assert (done.exit, done.out) == (0, "abc")
    assert done.err == "stopped: the program waits for input, and standard input has ended\n"


@both
def test_a_fault_is_told_as_on_this_machine(tmp_path: Path, emulator: str) -> None:
    (tmp_path / "Wrong.lf").write_text(FAULT)
    here = lfc("run", "Wrong.lf", cwd=tmp_path)
    done = lfc("run", "Wrong.lf", "-b", "uno", "--emulator", emulator, cwd=tmp_path)
    assert (done.exit, done.out, done.err) == (here.exit, here.out, here.err) and done.exit == 4
    assert "Wrong.lf:8:3: fault: index 3 is out of bounds: the array has 3 elements" in done.err


@both
def test_a_deadlock_is_told_as_on_this_machine(emulator: str) -> None:
    here = lfc("run", EXAMPLES / "philosophers.lf")
    done = lfc("run", EXAMPLES / "philosophers.lf", "-b", "uno", "--emulator", emulator)
    assert (done.exit, done.out, done.err) == (here.exit, here.out, here.err) and done.exit == 3


@pytest.mark.parametrize("board", ["microbit", "stm32vldiscovery"])
def test_boards_with_a_cortex_m(tmp_path: Path, board: str) -> None:
    given, expected = ((EXAMPLES / "expected" / name).read_bytes() for name in ("echo.in", "echo.out"))
    done = lfc("run", EXAMPLES / "echo.lf", "-b", board, stdin=given)
    assert (done.exit, done.out.encode(), done.err) == (0, expected, "")
    (tmp_path / "Wrong.lf").write_text(FAULT)
    here = lfc("run", "Wrong.lf", cwd=tmp_path)
    done = lfc("run", "Wrong.lf", "-b", board, cwd=tmp_path)
    assert (done.exit, done.out, done.err) == (here.exit, here.out, here.err) and done.exit == 4


def test_json(tmp_path: Path) -> None:
    (tmp_path / "Wrong.lf").write_text(FAULT)
    done = lfc("run", "Wrong.lf", "-b", "uno", "--json", cwd=tmp_path)
    told = json.loads(done.err.splitlines()[-1])
    assert (told["end"], told["exit_code"], told["emulator"]) == ("fault", 4, "simavr") and told["cycles"] > 0
    assert (told["fault"]["line"], told["fault"]["column"], told["fault"]["values"]) == (8, 3, [3, 3])


def test_time_passes_at_once_with_a_virtual_clock() -> None:
    started = time.monotonic()
    done = lfc("run", EXAMPLES / "blink.lf", "-b", "uno", "--clock", "virtual", "--seconds", "60", "--json")
    assert time.monotonic() - started < 40
    assert done.exit == 0 and done.err.startswith("stopped: time limit reached (--seconds)\n")
    assert 0 <= json.loads(done.err.splitlines()[-1])["cycles"] - 60 * 16_000_000 < 16_000


@both
def test_ctrl_c(emulator: str) -> None:
    """Even if only `lfc` itself gets the signal."""
    command = [sys.executable, "-m", "lfc", "run", "examples/blink.lf", "-b", "uno", "--emulator", emulator]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    # A shell that runs the tests in the background has SIGINT ignored, and children inherit that.
    running = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        emulating = wait_for_emulator(running)
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=20)
    finally:
        running.kill()
    assert running.returncode == 130 and b"interrupted" in said
    assert not Path(f"/proc/{emulating}").exists()


def wait_for_emulator(running: subprocess.Popen[bytes]) -> int:
    """The child that has a folder of its own for the run on its command line."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for child in Path(f"/proc/{running.pid}/task/{running.pid}/children").read_text().split():
            line = Path(f"/proc/{child}/cmdline")
            if line.exists() and b"/lfc-" in line.read_bytes():
                return int(child)
        time.sleep(0.05)
    raise AssertionError("no emulator was started")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--emulator", "qemu"], "--emulator is for boards"),
        (["--seconds", "1"], "--seconds is for boards"),
        (["-b", "uno", "--max-actions", "2"], "--max-actions is not for boards"),
        (["-b", "uno", "-O", "2"], "-O is not for boards"),
        (["-b", "uno", "--scheduler", "random"], "scheduler is rr or edf"),
        (["-b", "uno", "--emulator", "qemu", "--clock", "virtual"], "not for qemu"),
        (["-b", "uno", "--seconds", "0"], "0 is not in the range 0<x<1e9; without --seconds there is no limit."),
        (["-b", "uno", "--seconds", "nan"], "nan is not in the range 0<x<1e9"),
        (["-b", "uno", "--seconds", "inf"], "inf is not in the range 0<x<1e9"),
        (["-b", "uno", "--emulator", "builtin", "--trace"], "A traced image does not run in builtin"),
    ],
)
def test_wrong_command_lines(arguments: list[str], message: str) -> None:
    done = lfc("run", EXAMPLES / "blink.lf", *arguments)
    assert done.exit == 2 and message in done.err


def test_the_built_in_simulator() -> None:
    given, expected = ((EXAMPLES / "expected" / name).read_bytes() for name in ("echo.in", "echo.out"))
    done = lfc("run", EXAMPLES / "echo.lf", "-b", "microbit", "--simulator", "builtin", stdin=given)
    assert (done.exit, done.out.encode(), done.err) == (0, expected, "")
    done = lfc("run", EXAMPLES / "echo.lf", "-b", "pico2", "--emulator", "rp2040js")
    assert done.exit == 2 and "pico2 is not emulated by rp2040js; it is by builtin" in done.err


@pytest.mark.parametrize("board", ["uno", "microbit", "hifive1"])
def test_output_that_nobody_reads_any_more_ends_the_simulation(board: str) -> None:
    """It ends as when a terminal is closed: no traceback from within a core."""
    command = f"{sys.executable} -m lfc.cli.main run examples/prodcons.lf -b {board} --emulator builtin --clock virtual"
    done = subprocess.run(["bash", "-c", f"{command} | head -c 3"], cwd=ROOT, capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"012", b"")


def test_the_built_in_simulator_tells_faults_and_stops_in_time(tmp_path: Path) -> None:
    (tmp_path / "Wrong.lf").write_text(FAULT)
    done = lfc("run", "Wrong.lf", "-b", "stm32vldiscovery", "--emulator", "builtin", cwd=tmp_path)
    assert done.exit == 4 and done.out == "before" and "Wrong.lf:8" in done.err
    file = EXAMPLES / "gpio_blink.lf"
    done = lfc("run", file, "-b", "bluepill", "--emulator", "builtin", "--clock", "virtual", "--seconds", "2")
    assert (done.exit, done.err) == (0, "stopped: time limit reached (--seconds)\n")
