"""Environments on the command line: what they do while a program is checked or run here, and that a board has none."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.lfc import lfc

MAIN = """MODULE Main;
VAR x : UINT8;
BEGIN x := PORTIN(7); PORTOUT(7, x)
END Main.
"""
DEVICE = """ENVIRONMENT MODULE Dev;
IMPORT SYSTEM, Out;
VAR v : UINT32;
PROCESS D;
BEGIN
  LOOP
    SELECT
      WHEN SYSTEM.IOPORT?PORTIN(8, 7) THEN CHOICE SYSTEM.IOPORT!VALUE(42) | SYSTEM.IOPORT!VALUE(43) END
      WHEN SYSTEM.IOPORT?PORTOUT(8, 7, v) THEN Out.String("got "); Out.Int(INTEGER(v)); Out.Ln; ASSERT(v = 42)
    END
  END
END D;
BEGIN CREATE D END Dev.
"""


def test_checked_and_run_with_a_device(tmp_path: Path) -> None:
    program, device, trace = tmp_path / "Main.lf", tmp_path / "Dev.lf", tmp_path / "way.json"
    program.write_text(MAIN)
    device.write_text(DEVICE)
    checked = lfc("check", "--json", program, "--env", device, "--trace", trace)
    found = json.loads(checked.out)
    assert (checked.exit, found["verdict"], found["states"]) == (4, "assertion", 2)
    assert found["errors"][0]["trace"] == [
        [["run", 0], ["meet", None, 1, 0], ["choice", 1], ["meet", None, 1, 1], *written("got 43\n")]
    ]
    followed = lfc("run", program, "--env", device, "--schedule", trace)
    assert (followed.exit, followed.out) == (4, "got 43\n")
    alone = lfc("run", program, "--env", device)
    assert (alone.exit, alone.out) == (0, "got 42\n")
    told = lfc("check", program, "--env", device)
    assert "meets Dev.D; chooses branch 2; meets Dev.D; writes" in told.out


def written(text: str) -> list[list[object]]:
    return [["write", ord(c)] for c in text]


DRIVER = """MODULE Main;
IMPORT SYSTEM;
VAR x : UINT8;
PROCESS Driver SERVER;
BEGIN LOOP SYSTEM.INT[5]?INTERRUPT; x := PORTIN(7); ASSERT(x < 2) END END Driver;
BEGIN CREATE Driver END Main.
"""
RAISES_AND_ANSWERS = """ENVIRONMENT MODULE Dev;
IMPORT SYSTEM;
VAR v : UINT32;
PROCESS D;
BEGIN
  LOOP
    SYSTEM.INT[5]!INTERRUPT;
    SYSTEM.IOPORT?PORTIN(8, 7);
    v := (v + 1) MOD 3;
    SYSTEM.IOPORT!VALUE(v)
  END
END D;
BEGIN CREATE D END Dev.
"""


def test_a_device_of_one_process_raises_an_interrupt_and_then_answers(tmp_path: Path) -> None:
    """When the driver reads, the device may still be ready behind its interrupt: it runs on until it answers."""
    program, device, trace = tmp_path / "Main.lf", tmp_path / "Dev.lf", tmp_path / "way.json"
    program.write_text(DRIVER)
    device.write_text(RAISES_AND_ANSWERS)
    told = lfc("check", program, "--env", device, "--trace", trace, "--msc", tmp_path / "chart.txt")
    assert (told.exit, "assertion" in told.out) == (4, True)
    assert "Dev.D runs on; meets Dev.D; the assertion failed" in told.out
    followed = lfc("run", program, "--env", device, "--schedule", trace)
    assert followed.exit == 4
    assert "* Dev.D runs on" in (tmp_path / "chart.txt").read_text()
    program.write_text(DRIVER.replace("x < 2", "x < 3"))
    found = json.loads(lfc("check", "--json", program, "--env", device).out)
    assert found["verdict"] == "holds"
    found = json.loads(lfc("check", "--json", program, "--env", device, "--reductions", "por").out)
    assert found["verdict"] == "holds"
    assert [(r["name"], r["used"]) for r in found["reductions"]] == [("por", True)]


def test_without_it_the_same_program_reads_anything(tmp_path: Path) -> None:
    program = tmp_path / "Main.lf"
    program.write_text(MAIN)
    found = json.loads(lfc("check", "--json", program).out)
    assert (found["verdict"], found["states"], found["transitions"]) == ("holds", 257, 256)


def test_a_board_has_none(tmp_path: Path) -> None:
    program, device = tmp_path / "Main.lf", tmp_path / "Dev.lf"
    program.write_text(MAIN)
    device.write_text(DEVICE)
    done = lfc("run", program, "-b", "uno", "--env", device)
    assert done.exit == 2 and "--env is for runs on this machine" in done.err


READER = """MODULE Reader;
IMPORT In;
ASSUME console IN "0-9";
VAR c : CHAR;
PROCESS Reads SERVER;
BEGIN LOOP In.Char(c); ASSERT(c # 'x') END END Reads;
BEGIN CREATE Reads END Reader.
"""
TYPIST = """ENVIRONMENT MODULE Typist;
IMPORT EnvConsole;
PROCESS User; BEGIN EnvConsole.Type("1x") END User;
BEGIN CREATE User END Typist.
"""


def written_reader(folder: Path) -> tuple[Path, Path]:
    program, typist = folder / "Reader.lf", folder / "Typist.lf"
    program.write_text(READER)
    typist.write_text(TYPIST)
    return program, typist


def test_a_trace_is_followed_with_the_environment_that_it_was_recorded_with(tmp_path: Path) -> None:
    program, typist = written_reader(tmp_path)
    trace, chart = tmp_path / "t.json", tmp_path / "t.mmd"
    assert lfc("check", program, "--env", typist, "--trace", trace).exit == 4
    for alone in (("run", program, "--schedule", trace), ("trace", "show", trace, program)):
        done = lfc(*alone)
        assert done.exit == 2 and "was recorded with an environment: give the same --env here" in done.err
    assert "the assertion failed" in lfc("run", program, "--env", typist, "--schedule", trace).err
    assert "the assertion failed" in lfc("trace", "show", trace, program, "--env", typist).out
    assert lfc("trace", "convert", trace, program, "--env", typist, "-o", chart).out == f"{chart}: 5 steps\n"


def test_nothing_is_assumed_of_a_console_at_which_the_environment_types(tmp_path: Path) -> None:
    program, typist = written_reader(tmp_path)
    alone, typed = lfc("check", program), lfc("check", program, "--env", typist)
    assert alone.exit == 0 and 'assumed: console in "0-9" (ASSUME)' in alone.out
    assert typed.exit == 4 and "console in" not in typed.out
    done = lfc("check", program, "--env", typist, "--assume", 'console in "0-9"')
    assert done.exit == 2 and "EnvConsole types what the program reads" in done.err
