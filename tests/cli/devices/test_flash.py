"""`lfc flash` and `lfc monitor`, against the real boot loaders in simavr behind a pseudo-terminal."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board
from lfc.cli.common.progress import Bar
from tests.cli.devices.chips import LOADERS, UNO, chip
from tests.cli.lfc import ROOT, lfc

ECHO = """MODULE Up;
IMPORT In, Out;
VAR c : CHAR;
BEGIN
  Out.String("up"); Out.Ln;
  LOOP In.Char(c); Out.Char(CHR(ORD(c) + 1)) END
END Up.
"""
FAULTY = """MODULE Faulty;
IMPORT Out;
VAR a : ARRAY 3 OF INTEGER; i : INTEGER;
BEGIN
  Out.String("so"); Out.Ln;
  FOR i := 0 TO 3 DO a[i] := i END
END Faulty.
"""


def content_of(board: Board, elf: Path) -> bytes:
    from lfc.boards.emulators.simavr import flash_content

    return flash_content(elf.read_bytes())


@pytest.mark.parametrize("name", LOADERS)
def test_a_program_is_built_flashed_and_watched(name: str, tmp_path: Path) -> None:
    (tmp_path / "Up.lf").write_text(ECHO)
    assert lfc("build", "Up.lf", "-b", name, cwd=tmp_path).exit == 0
    with chip(name) as running:
        done = lfc("flash", "Up.lf", "-b", name, "-p", running.port, cwd=tmp_path)
        assert done.exit == 0, done.err
        assert re.search(r"write: \d+ bytes\nverify: \d+ bytes\n", done.err) and "read back and compared" in done.err
        options = ("-p", running.port, "--seconds", "3", "--log", "log")
        watched = lfc("monitor", "Up.elf", *options, cwd=tmp_path)
        assert watched.exit == 0, watched.err
    assert watched.out.startswith("up\n") and (tmp_path / "log").read_text() == watched.out
    expected = content_of(LOADERS[name][0], tmp_path / "Up.elf")
    assert running.flash[: len(expected)] == expected


@pytest.mark.parametrize("suffix", ["elf", "hex"])
def test_a_file_that_was_built_before(suffix: str, tmp_path: Path) -> None:
    (tmp_path / "Up.lf").write_text(ECHO)
    lfc("build", "Up.lf", "-b", "uno", cwd=tmp_path)
    with chip("uno") as running:
        board = () if suffix == "elf" else ("-b", "uno")
        done = lfc("flash", f"Up.{suffix}", *board, "--json", cwd=tmp_path, LFC_PORT=running.port)
    assert done.exit == 0 and done.err == ""
    told = json.loads(done.out)
    expected = content_of(UNO, tmp_path / "Up.elf")
    assert told["at"] == running.port and told["bytes"] == -(-len(expected) // 128) * 128
    assert running.flash[: len(expected)] == expected


@contextmanager
def started(*arguments: str, cwd: Path) -> Iterator[subprocess.Popen[bytes]]:
    """`lfc`, until Ctrl-C, which is its regular end."""
    command = [sys.executable, "-m", "lfc", *arguments]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=cwd, env=environment, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        try:
            yield process
            process.send_signal(signal.SIGINT)
            process.communicate(timeout=10)
            assert process.returncode == 0
        finally:
            process.kill()


@contextmanager
def linked(place: Path, port: str) -> Iterator[None]:
    """A name that stays when the board gets another port."""
    place.symlink_to(port)
    yield


def test_what_is_sent_is_answered(tmp_path: Path) -> None:
    """Flashed and watched in one go: the port stays open, so nothing that the program says is missed."""
    (tmp_path / "Up.lf").write_text(ECHO)
    with (
        chip("uno") as running,
        started("flash", "Up.lf", "-b", "uno", "-p", running.port, "--monitor", cwd=tmp_path) as process,
    ):
        assert process.stdin and process.stdout
        assert process.stdout.readline() == b"up\n"
        process.stdin.write(b"HAL\n")
        process.stdin.flush()
        assert process.stdout.read(3) == b"IBM"


def test_a_fault_is_told_in_words_and_a_port_that_goes_away_is_waited_for(tmp_path: Path) -> None:
    (tmp_path / "Faulty.lf").write_text(FAULTY)
    options = ("-b", "uno", "--on-fault", "reset")
    place = tmp_path / "board"
    with (
        chip("uno") as running,
        linked(place, running.port),
        started("flash", "Faulty.lf", *options, "-p", str(place), "--monitor", cwd=tmp_path) as process,
    ):
        assert process.stdout
        assert process.stdout.readline() == b"so\n"
        assert re.fullmatch(rb"fault: Faulty.lf:6:\d+: .*3.*\n", process.stdout.readline())
        running.stop()
        said = iter(process.stdout.readline, b"")
        assert any(line.startswith(b"-- the port disappeared: ") for line in said)
        with chip("uno") as another:
            place.unlink()
            place.symlink_to(another.port)
            assert next(said) == b"-- the port is back\n"


def test_a_traced_board_is_recognised(tmp_path: Path) -> None:
    (tmp_path / "Up.lf").write_text(ECHO)
    lfc("build", "Up.lf", "-b", "uno", "--trace", cwd=tmp_path)
    with chip("uno") as running:
        assert lfc("flash", "Up.traced.elf", "-p", running.port, cwd=tmp_path).exit == 0
        done = lfc("monitor", "Up.traced.elf", "-p", running.port, "--seconds", "3", cwd=tmp_path)
    assert "-- a traced board says hello (program " in done.out


def test_failures(tmp_path: Path) -> None:
    (tmp_path / "Up.lf").write_text(ECHO)
    lfc("build", "Up.lf", "-b", "uno", cwd=tmp_path)
    done = lfc("flash", "Up.elf", "-p", "/dev/there-is-none", cwd=tmp_path)
    assert done.exit == 9 and "lfc: uno: open: there is no port" in done.err
    done = lfc("flash", "Up.elf", "-p", "id:there-is-none", cwd=tmp_path)
    assert done.exit == 9 and "no port has the serial number" in done.err
    done = lfc("flash", "Up.elf", "-b", "mega2560", cwd=tmp_path)
    assert done.exit == 2 and "was built for the board uno" in done.err
    done = lfc("flash", "Up.hex", cwd=tmp_path)
    assert done.exit == 2 and "Which board?" in done.err
    done = lfc("flash", "Up.hex", "-b", "bluepill", cwd=tmp_path)
    assert done.exit == 9 and "lies outside the flash" in done.err
    (tmp_path / "Bad.hex").write_text(":00\n")
    (tmp_path / "Bad.elf").write_text("x")
    (tmp_path / "Bad.uf2").write_text("x")
    (tmp_path / "Bad.bin").write_text("")
    for name in ("Bad.hex", "Bad.elf", "Bad.uf2", "None.elf"):
        done = lfc("flash", name, "-b", "uno", cwd=tmp_path)
        assert done.exit == 1 and name in done.err, done
    assert "the image is empty" in lfc("flash", "Bad.bin", "-b", "uno", cwd=tmp_path).err
    with chip("mega2560") as running:
        done = lfc("flash", "Up.elf", "-p", running.port, "--json", cwd=tmp_path)
    told = json.loads(done.out)["error"]
    assert done.exit == 9 and told["stage"] == "sync" and told["remedy"] and told["expected"] == "14 10"
    assert lfc("monitor", "Up.elf", "-p", "/dev/there-is-none", cwd=tmp_path).exit == 9
    done = lfc("monitor", "Bad.elf", "-b", "uno", cwd=tmp_path)
    assert done.exit == 1 and "Bad.elf: this is not an ELF file" in done.err


def test_a_board_that_another_program_flashes(tmp_path: Path) -> None:
    (tmp_path / "Up.lf").write_text(ECHO)
    done = lfc("flash", "Up.lf", "-b", "stm32vldiscovery", cwd=tmp_path)
    assert done.exit == 9 and "openocd -f board/stm32vldiscovery.cfg" in done.err


class Shown(StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bar that grows on a terminal, and leaves nothing behind; a line for each stage elsewhere."""
    for terminal in (True, False):
        shown = Shown(terminal)
        monkeypatch.setattr(sys, "stderr", shown)
        bar = Bar(True)
        for stage in ("write", "verify"):
            for done in (0, 128, 256):
                bar.show(stage, done, 256)
        bar.finished()
        if terminal:
            assert "write  [###############               ] 128/256" in shown.getvalue()
            assert shown.getvalue().endswith(f"{'#' * 30}] 256/256" + "\r" + " " * 48 + "\r")
        else:
            assert shown.getvalue() == "write: 256 bytes\nverify: 256 bytes\n"


def test_what_is_no_serial_port() -> None:
    """Nothing is watched then, and that is not said either."""
    done = lfc("monitor", "-b", "uno", "-p", "/dev/null", "--seconds", "1")
    assert done.exit == 9 and "/dev/null is not a serial port" in done.err and "watching" not in done.err


@pytest.mark.parametrize(
    "command",
    [
        ("monitor", "none.elf"),
        ("trace", "show", "none.lft"),
        ("run", str(ROOT / "examples" / "peterson2.lf"), "--schedule", "none.lft"),
    ],
)
def test_a_missing_file_is_no_wrong_command_line(command: tuple[str, ...], tmp_path: Path) -> None:
    done = lfc(*command, cwd=tmp_path)
    assert done.exit == 1 and "cannot be read: No such file or directory" in done.err
