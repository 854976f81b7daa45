"""C that is linked in: on this machine, on boards, in a record, in the checker; and what goes wrong with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lfc.external.header import headers
from lfc.image.firmware import build_firmware
from lfc.run import executable
from lfc.toolchain.failure import ImageError
from tests.boards.cortexm import emulated
from tests.cli.lfc import ROOT, lfc
from tests.differential.stepwise import machine_of

EXAMPLE = ROOT / "examples" / "external" / "meter.lf"
DRIVER = EXAMPLE.with_suffix(".c")
# The CRC of "123456789" is known from the algorithm's catalogue: 29B1H.
OUTPUT = "41259\n10673\n10 quiet\n30 low\n60 high\n"

PROGRAM = """MODULE Test;
IMPORT Out;
TYPE
  Mode = (off, slow, fast);
  Point = RECORD x : INT8; y : INT16 END;
  Reading = RECORD mode : Mode; at : Point; raw : ARRAY 3 OF UINT32 END;
VAR
  small : INT8;
  before, last, after : UINT16;
  ok : BOOLEAN;
  r : Reading;
PROCESS Act(a : INT8; b : INT16; c : CHAR; VAR ok : BOOLEAN) EXTERNAL READS small WRITES last, r;
BEGIN
  small := -3; before := 11; after := 12;
  Act(-128, -2, 0FFX, ok);
  Out.Int(last); Out.Char(' '); Out.Int(r.at.y); Out.Char(' '); Out.Int(ORD(r.mode)); Out.Ln;
  ASSERT(ok & (r.raw[2] = 0FFFFFFFFH) & (before = 11) & (after = 12))
END Test.
"""
GOOD = """#include "Test.h"
void Test_Act(int8_t a, int16_t b, char c, bool *ok, int8_t small, uint16_t *last, Test_Reading *r)
{
    *ok = a == -128 && b == -2 && c == 255 && small == -3;
    *last = 4711;
    Test_Reading_set_mode(r, Test_Mode_fast);
    Test_Point_set_y(Test_Reading_write_at(r), -300);
    Test_Reading_write_raw(r)[2] = 0xFFFFFFFFu;
}
"""


def written(folder: Path, source: str, program: str = PROGRAM) -> tuple[Path, Path]:
    (folder / "Test.lf").write_text(program)
    (folder / "driver.c").write_text(source)
    return folder / "Test.lf", folder / "driver.c"


def changed(old: str, new: str) -> str:
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize("target", [[], ["-b", "uno", "--seconds", "5"], ["-b", "microbit", "--seconds", "5"]])
def test_the_example(target: list[str]) -> None:
    done = lfc("run", EXAMPLE, "--with", DRIVER, *target)
    assert (done.exit, done.out) == (0, OUTPUT), done.err


@pytest.mark.parametrize("target", [[], ["-b", "uno", "--seconds", "5"], ["-b", "microbit", "--seconds", "5"]])
def test_every_kind_of_parameter(target: list[str], tmp_path: Path) -> None:
    program, driver = written(tmp_path, GOOD)
    done = lfc("run", program, "--with", driver, *target)
    assert (done.exit, done.out) == (0, "4711 -300 2\n"), done.err


def test_the_header_of_the_example_is_up_to_date() -> None:
    made = headers(machine_of(EXAMPLE).program)
    assert {"Meter.h": (EXAMPLE.parent / "Meter.h").read_text()} == made


def test_executable(tmp_path: Path) -> None:
    import subprocess

    done = lfc("build", EXAMPLE, "--with", DRIVER, "-o", tmp_path / "meter")
    assert done.exit == 0, done.err
    assert subprocess.run([tmp_path / "meter"], capture_output=True, check=True).stdout.decode() == OUTPUT


@pytest.mark.parametrize("foreign", [False, True])
def test_only_others_c_is_linked_with_the_compilers_own_library(
    foreign: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once it is known to need it: that library is made from source."""
    asked: list[list[str]] = []

    def lacks(tool: str, arguments: list[str], folder: Path, failure: str) -> None:
        asked.append(arguments)
        if arguments[:2] == ["-nostdlib", "-lc"]:
            raise ImageError(failure, "undefined symbol: __udivti3")

    monkeypatch.setattr(executable, "run_tool", lacks)
    if foreign:
        executable.link(["program.o"], tmp_path, foreign)
    else:
        with pytest.raises(ImageError, match="__udivti3"):
            executable.link(["program.o"], tmp_path, foreign)
    assert asked == [["-nostdlib", "-lc", "program.o"], ["program.o"]][: 2 if foreign else 1]


def test_a_record_is_followed_without_c(tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    assert lfc("run", EXAMPLE, "--with", DRIVER, "--record", record).exit == 0
    again = lfc("run", EXAMPLE, "--schedule", record)
    assert (again.exit, again.out) == (0, OUTPUT), again.err


@pytest.mark.parametrize("board", ["uno", "microbit"])
def test_the_image_does_not_depend_on_where_the_source_lies(board: str, tmp_path: Path) -> None:
    there = tmp_path / "there.c"
    there.write_bytes(DRIVER.read_bytes())
    moved = tmp_path / "deep" / "there.c"
    moved.parent.mkdir()
    moved.write_bytes(DRIVER.read_bytes())
    machine = machine_of(EXAMPLE)
    images = [build_firmware(emulated(board), machine, c_files=[str(f)]).image.elf for f in (there, moved)]
    assert images[0] == images[1]


def test_size_counts_the_stack_of_c(tmp_path: Path) -> None:
    hungry = changed("*last = 4711;", "volatile uint8_t room[200]; room[*last & 127] = 1; *last = room[*last & 63];")
    figures = []
    for source in (GOOD, hungry):
        program, driver = written(tmp_path, source)
        done = lfc("size", program, "-b", "uno", "--with", driver, "--json")
        assert done.exit == 0, done.err
        figures.append(json.loads(done.out)["stack"]["deepest"])
    assert 150 <= figures[1] - figures[0] < 260  # LF faults go deeper than the C that it had before


def test_a_project_names_its_sources(tmp_path: Path) -> None:
    written(tmp_path, GOOD)
    (tmp_path / "lf.toml").write_text('main = "Test.lf"\nboard = "uno"\nwith = ["driver.c"]\n')
    done = lfc("build", cwd=tmp_path)
    assert done.exit == 0, done.err
    (tmp_path / "lf.toml").write_text('main = "Test.lf"\nboard = "uno"\nwith = "driver.c"\n')
    assert "`with` must be a list of strings" in lfc("build", cwd=tmp_path).err


# --- what goes wrong ---------------------------------------------------------------------------------------------


def test_a_write_that_is_not_declared_is_a_fault(tmp_path: Path) -> None:
    program, driver = written(tmp_path, changed("*last = 4711;", "*last = 4711; last[1] = 1;"))
    done = lfc("run", program, "--with", driver)
    assert done.exit != 0
    assert "the C function of Act has written `after` of Test, which it does not declare" in done.err


@pytest.mark.parametrize("target", [[], ["-b", "uno", "--seconds", "5"]])
def test_a_value_outside_of_its_type_is_a_fault(target: list[str], tmp_path: Path) -> None:
    program, driver = written(tmp_path, changed("Test_Mode_fast", "3"))
    done = lfc("run", program, "--with", driver, *target)
    assert "the value 3 is out of the range of its type (Mode)" in done.err


def test_a_missing_function_names_its_declaration(tmp_path: Path) -> None:
    program, driver = written(tmp_path, "int nothing;\n")
    for target in ([], ["-b", "uno"]):
        done = lfc("build", program, "--with", driver, *target, cwd=tmp_path)
        assert done.exit != 0
        assert f"{program}:12:9: `Test.Act` is EXTERNAL, and there is no C function `Test_Act` in {driver}" in done.err


def test_an_error_of_c_is_told_with_its_place(tmp_path: Path) -> None:
    for source, said in (
        (changed("*last = 4711;", "*last = nowhere;"), "driver.c:5:13: error: use of undeclared identifier 'nowhere'"),
        (changed("int16_t b", "int32_t b"), "driver.c:2:6: error: conflicting types for 'Test_Act'"),
    ):
        program, driver = written(tmp_path, source)
        done = lfc("run", program, "--with", driver)
        assert done.exit != 0 and said in done.err, done.err


def test_what_nobody_defines_is_named(tmp_path: Path) -> None:
    program, driver = written(tmp_path, "void away(void);\n" + changed("*last = 4711;", "away();"))
    assert "`away` is called in C but not defined" in lfc("run", program, "--with", driver).err
    assert "away" in lfc("build", program, "--with", driver, "-b", "uno", cwd=tmp_path).err


# --- the checker -------------------------------------------------------------------------------------------------

CHECKED = """MODULE Checked;
TYPE Level = 2 .. 5;
VAR level : Level; ticks NONATOMIC : UINT8; seen : UINT8;
PROCESS Sample EXTERNAL WRITES level;
BEGIN
  Sample;
  seen := ticks;
  ASSERT(CONDITION)
END Checked.
"""


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("(level >= 2) & (level <= 5)", True),
        ("level < 5", False),
        ("level # 3", False),
        ("seen # 255", False),
    ],
)
def test_the_checker_tries_every_value(condition: str, holds: bool, tmp_path: Path) -> None:
    program = tmp_path / "Checked.lf"
    program.write_text(CHECKED.replace("CONDITION", condition))
    done = lfc("check", program)
    assert done.exit == (0 if holds else 4), done.out + done.err
    assert "Checked.Sample (EXTERNAL) writes any values to `level`, nothing else" in done.out


def test_what_has_too_many_values_is_inconclusive(tmp_path: Path) -> None:
    program = tmp_path / "Checked.lf"
    program.write_text(CHECKED.replace("2 .. 5", "0 .. 99999").replace("CONDITION", "TRUE"))
    done = lfc("check", "--data", "explicit", program)
    assert done.exit == 6 and "more than 4,096 values" in done.out
    assert lfc("check", program).exit == 0  # as sets they are not too many


def test_the_example_in_the_checker() -> None:
    """Its checksum has too many values to try one by one; nothing that is tried is wrong. As sets none is."""
    assert lfc("check", "--data", "explicit", EXAMPLE).exit == 6
    done = lfc("check", EXAMPLE)
    assert done.exit == 0 and "Meter.Count (EXTERNAL) writes any values to `count`, `state`" in done.out


@pytest.mark.parametrize("target", [[], ["-b", "uno"], ["-b", "microbit"]])
def test_names_of_the_kernel_are_refused(target: list[str], tmp_path: Path) -> None:
    """C does not know where the state block lies, and may not take the place of a part of the port."""
    for more in ("extern uint8_t lf_memory[];", "void lf_port_idle(void);", "void lf_more(void) { }"):
        name = next(n for n in ("lf_memory", "lf_port_idle", "lf_more") if n in more)
        call = "" if name == "lf_more" else "lf_memory[0] = 1;" if name == "lf_memory" else "lf_port_idle();"
        program, driver = written(tmp_path, changed("*last = 4711;", f"{call} *last = 4711;") + more)
        driver.write_text(f"#include <stdint.h>\n{more}\n{driver.read_text().removesuffix(more)}")
        done = lfc("build", program, "--with", driver, *target, "-o", tmp_path / "made")
        assert done.exit == 1 and f"names `{name}`" in done.err, done.err


@pytest.mark.parametrize(
    "source", ['asm(".global foo\\nfoo: nop");', 'void f(void) { asm goto("rjmp %l[out]" :::: out); out: ; }']
)
def test_every_inline_assembler_is_refused_for_a_board(source: str, tmp_path: Path) -> None:
    program, driver = written(tmp_path, GOOD + source)
    done = lfc("build", program, "--with", driver, "-b", "uno", "-o", tmp_path / "made.elf")
    assert done.exit == 1 and "inline assembler" in done.err


def test_a_source_whose_name_looks_like_an_option(tmp_path: Path) -> None:
    written(tmp_path, GOOD)
    (tmp_path / "driver.c").rename(tmp_path / "-x.c")
    done = lfc("run", "Test.lf", "--with=-x.c", cwd=tmp_path)
    assert (done.exit, done.out) == (0, "4711 -300 2\n"), done.err
