"""The plugin of pytest, as a user has it: tests of programs on emulated boards behind pseudo-terminals."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import SimavrOnTerminal
from lfc.testing.places import BadPlaces, BoardPlace, chosen_places, places_of_options, read_places
from tests.boards.flash.boot_loaders import UNO_BOOT, optiboot
from tests.conftest import ROOT

ECHO = """MODULE Echo;
IMPORT In, Out;
VAR c : CHAR;
BEGIN
  Out.String("up"); Out.Ln;
  In.Char(c);
  WHILE c # "." DO Out.Char(CHR(ORD(c) + 1)); In.Char(c) END;
  Out.Ln; Out.String("bye"); Out.Ln
END Echo.
"""
FAULTY = """MODULE Faulty;
IMPORT Out;
VAR a : ARRAY 3 OF INTEGER; i : INTEGER;
BEGIN
  Out.String("so"); Out.Ln;
  FOR i := 0 TO 3 DO a[i] := i END
END Faulty.
"""
TALK = """
import re

def test_talk(board):
    board.flash("Echo.lf")
    board.expect("up\\n")
    board.send("HAL")
    assert board.expect(re.compile("I.M"))[0] == "IBM"
    board.send("x" * 40 + ".")
    board.expect("y" * 40 + "\\nbye\\n")
    assert board.output == "up\\nIBM" + "y" * 40 + "\\nbye\\n" and len(board.image) == 64

def test_fault(board):
    board.flash("Faulty.lf")
    board.expect("so")
    assert "Faulty.lf:6:" in board.expect_fault("index")

def test_trace(board):
    run = board.trace("Echo.lf", input="HAL.")
    said = bytes(i.operands[0] for step in run.trace for i in step if i.name == "write")
    assert (run.verdict, run.end, said) == ("agrees", "ended", b"up\\nIBM\\nbye\\n")
"""
FAILING = """
import pytest

def test_silent(board):
    board.flash("Echo.lf")
    board.expect("up")
    board.expect("never", timeout=0.2)

def test_faulted(board):
    board.flash("Faulty.lf")
    board.expect("never")

def test_not_built(board):
    board.flash("Bad.lf")

def test_too_early(board):
    board.expect("x")

@pytest.mark.board("uno", "pico")
def test_for_another(board):
    pass

@pytest.mark.board("mega2560")
def test_for_this(board):
    assert board.kind == board.name == "mega2560"

def test_without_a_board(tmp_path):
    pass
"""
TOGETHER = """
import pytest

def test_each(board):
    board.flash("Echo.lf")
    board.expect("up")

@pytest.mark.board("left", "bluepill")
def test_one(board):
    assert board.kind == "uno"

def test_one_hears_the_other(boards):
    left, right = boards["left"], boards["right"]
    left.flash("Echo.lf")
    right.flash("Echo.lf")
    left.expect("up\\n")
    right.expect("up\\n")
    left.send("A")
    right.send(left.expect("B")[0])
    right.expect("C")
"""

MAP = """
[left]
board = "uno"
emulated = true
boot_loader = "boot.hex"

[right]
board = "microbit"
emulated = true
"""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "Echo.lf").write_text(ECHO)
    (tmp_path / "Faulty.lf").write_text(FAULTY)
    (tmp_path / "Bad.lf").write_text("MODULE Bad;\nVAR x : INTEGR;\nEND Bad.\n")
    return tmp_path


def outcome(folder: Path, tests: str, *options: str) -> tuple[int, dict[str, str], str]:
    """Exit code, and from JUnit's file the end of each test with its properties; what was printed."""
    (folder / "test_board.py").write_text(tests)
    report = folder / "report.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "lfc.testing.plugin", "-p", "no:cacheprovider"]
    paths = os.pathsep.join([str(ROOT), *sys.path])
    environment = {**os.environ, "PYTHONPATH": paths, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}  # others take a second
    done = subprocess.run(
        [*command, f"--junit-xml={report}", *options],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    ends = {}
    for case in ET.parse(report).iter("testcase") if report.exists() else []:
        kinds = [child.tag for child in case if child.tag in ("failure", "error", "skipped")]
        properties = {p.get("name"): p.get("value") for p in case.iter("property")}
        ends[str(case.get("name"))] = (kinds or ["passed"])[0] + "".join(
            f" {k}={v}" for k, v in sorted(properties.items()) if k and not k.endswith("image")
        )
    return done.returncode, ends, done.stdout + done.stderr


def in_time(folder: Path, tests: str, *options: str) -> tuple[int, dict[str, str], str]:
    """A boot loader waits a second; a busy machine may be late."""
    for _ in range(3):
        found = outcome(folder, tests, *options)
        if "sync: the boot loader does not respond" not in found[2]:
            break
    return found


@pytest.mark.parametrize(("name", "emulator"), [("uno", "simavr"), ("microbit", "qemu"), ("mega2560", "qemu")])
def test_an_emulated_board(here: Path, name: str, emulator: str) -> None:
    code, ends, said = outcome(here, TALK, "--board", name, "--emulated", "--emulator", emulator)
    told = f"passed {name}.board={name} {name}.place=emulated"
    assert ends == {f"test_{t}[{name}]": told for t in ("talk", "fault", "trace")}, said
    assert code == 0 and f"boards: {name} (emulated)" not in said  # the header is not shown with -q


def test_failures_and_errors(here: Path) -> None:
    code, ends, said = outcome(here, FAILING, "--board", "mega2560", "--emulated")
    assert code == 1
    kinds = {name.partition("[")[0]: end.partition(" ")[0] for name, end in ends.items()}
    failing = dict.fromkeys(["test_silent", "test_faulted", "test_not_built", "test_too_early"], "failure")
    passing = dict.fromkeys(["test_for_this", "test_without_a_board"], "passed")
    assert kinds == {**failing, **passing, "test_for_another": "error"}, said
    for told in (
        "NotHeard: expected 'never' within 0.2 s, and heard '\\n'",
        "BoardFaulted: Faulty.lf:6:",
        "Bad.lf:2:9: error LF",
        "nothing was flashed yet",
        "BoardMissing: this test is for pico, uno, and the run has mega2560",
    ):
        assert told in said


def test_several_boards_one_of_them_through_its_boot_loader(here: Path) -> None:
    """The boot loader, the protocol and the port are those of a real board."""
    from intelhex import IntelHex

    loader = IntelHex()
    loader.puts(UNO_BOOT, optiboot()[UNO_BOOT:])
    loader.write_hex_file(str(here / "boot.hex"))
    (here / "map.toml").write_text(MAP)
    code, ends, said = in_time(here, TOGETHER, "--boards", "map.toml")
    assert code == 0, said
    assert sorted(n for n in ends) == [
        "test_each[left]",
        "test_each[right]",
        "test_one[left]",
        "test_one_hears_the_other",
    ]
    assert ends["test_one_hears_the_other"].startswith(
        "passed left.board=uno"
    ) and "right.board=microbit" in said + str(ends)


def test_a_board_at_a_port(here: Path) -> None:
    """Nothing in the run knows that it is an emulated one."""
    with SimavrOnTerminal(load_board("uno"), optiboot(), boot=UNO_BOOT) as chip:
        code, ends, said = in_time(here, TALK, "--board", "uno", "--port", chip.port)
    assert code == 0 and set(ends.values()) == {f"passed uno.board=uno uno.place={chip.port}"}, said


def test_a_board_at_a_port_must_be_there(here: Path) -> None:
    for options, told in (
        (("--board", "uno", "--port", "/dev/there-is-none"), "open: there is no port /dev/there-is-none"),
        (("--board", "lm3s6965evb"), "no port matches the board lm3s6965evb"),
        ((), "no board is named: --board NAME with --port or --emulated"),
    ):
        code, ends, said = outcome(here, "def test_it(board):\n    pass\n", *options)
        assert code == 1 and [e.partition(" ")[0] for e in ends.values()] == ["error"], said
        assert "skipped" not in said and told in said


def test_the_board_of_the_project(here: Path) -> None:
    (here / "lf.toml").write_text('main = "Echo.lf"\nboard = "uno"\n')
    code, ends, said = outcome(here, "def test_it(board):\n    assert board.kind == 'uno'\n", "--emulated")
    assert (code, list(ends)) == (0, ["test_it[uno]"]), said


def test_other_uses_of_the_name_board_are_left_alone(here: Path) -> None:
    tests = """
import pytest

@pytest.mark.parametrize("board", ["a", "b"])
def test_own(board):
    assert board in "ab"

class TestOwn:
    @pytest.fixture
    def board(self):
        return 1

    def test_it(self, board):
        assert board == 1
"""
    code, ends, said = outcome(here, tests)
    assert (code, len(ends)) == (0, 3), said


def test_wrong_options(here: Path) -> None:
    (here / "map.toml").write_text("")
    for options in (("--boards", "map.toml"), ("--boards", "x", "--board", "uno"), ("--emulated",)):
        code, _, said = outcome(here, "", *options)
        assert code == 4 and "ERROR: " in said and "Traceback" not in said


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x = 1", "must be a table"),
        ("[a]\nbord = 'uno'", "unknown key `bord`"),
        ("[a]\nboard = 1", "`board` must be a string"),
        ("[a]\nboard = 'uno'\nemulated = 'yes'", "`emulated` must be true or false"),
        ("[a]\nport = 'x'", "one of `board` and `board_file`"),
        ("[a]\nboard = 'uno'\nport = 'x'\nemulated = true", "has no port"),
        ("[a]\nboard = 'uno'\nprobe = 'x'\nemulated = true", "no probe"),
        ("[a]\nboard = 'uno'\nboot_loader = 'x'", "need `emulated`"),
        ("[a", "is not valid TOML"),
    ],
)
def test_wrong_maps(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "map.toml").write_text(text)
    with pytest.raises(BadPlaces, match=told):
        read_places(tmp_path / "map.toml")
    with pytest.raises(BadPlaces, match="cannot be read"):
        read_places(tmp_path / "none.toml")


def test_places() -> None:
    with pytest.raises(BadPlaces, match="needs a single"):
        places_of_options(["uno", "pico"], "/dev/x", False, None, None)
    with pytest.raises(BadPlaces, match="twice"):
        places_of_options(["uno", "uno"], None, True, None, None)
    left, right = BoardPlace("left", "uno"), BoardPlace("right", "pico")
    assert chosen_places([left, right], {"uno"}) == [left] == chosen_places([left, right], {"left"})
    assert chosen_places([left, right], set()) == [left, right]


def test_a_board_that_a_probe_flashes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The probe is none here; the console is a port, and the chip behind it, which has what the probe was given, starts
    where the probe would start it: nothing of what it says is lost."""
    from lfc.boards.emulators.simavr import flash_content
    from lfc.image.firmware import build_firmware
    from lfc.testing import board as of_a_test
    from tests.differential.stepwise import machine_of

    (tmp_path / "Echo.lf").write_text(ECHO)
    image = build_firmware(load_board("uno"), machine_of(tmp_path / "Echo.lf")).image
    given: list[object] = []
    with SimavrOnTerminal(load_board("uno"), flash_content(image.elf), held=True) as chip:

        def flash(board: object, content: object, probe: str, progress: Callable[[str, int, int], None]) -> None:
            given.append((probe, content))
            progress("start", 0, 1)
            chip.start()
            time.sleep(0.5)  # it says `up` meanwhile

        monkeypatch.setattr(of_a_test, "flash_by_probe", flash)
        board = of_a_test.Board(BoardPlace("uno", "uno", port=chip.port, probe="AB12"), tmp_path)
        board.flash("Echo.lf")
        board.expect("up")
        board.close()
    assert given == [("AB12", dict(image.flash))]


def test_a_board_that_is_gone(tmp_path: Path) -> None:
    from lfc.testing.board import Board
    from lfc.testing.hearing import BoardLost, NotHeard

    (tmp_path / "Echo.lf").write_text(ECHO)
    board = Board(BoardPlace("uno", "uno", emulated=True), tmp_path)
    try:
        board.flash("Echo.lf")
        board.expect("up")
        chip = board._emulated
        assert isinstance(chip, SimavrOnTerminal)
        chip.stop()
        with pytest.raises((BoardLost, NotHeard)):
            board.expect("more", timeout=1)
    finally:
        board.close()


def test_it_is_installed_with_the_toolchain() -> None:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]["pytest11"]
    assert list(stated) == list(stated.values())
    assert all(hasattr(import_module(m), "pytest_addoption") for m in stated.values())
