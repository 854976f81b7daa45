"""Errors become exit codes at one layer, and an error in `lfc` a report without a traceback."""

from __future__ import annotations

import fcntl
import re
import signal
import subprocess
import sys
import termios
import time
from array import array
from pathlib import Path

import click
import pytest

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.cli import main
from lfc.cli.common.exits import MEANING, Exit
from lfc.doctor.probe import require_tool
from tests.cli.lfc import ROOT


def failing(error: BaseException) -> click.Command:
    @click.command("fail")
    def fail() -> None:
        raise error

    return fail


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (KeyboardInterrupt(), Exit.INTERRUPTED),
        (MissingOnThisMachine("no board"), Exit.ENVIRONMENT),
        (click.UsageError("wrong"), Exit.USAGE),
        (click.exceptions.Exit(5), Exit.PROPERTY),
        (ZeroDivisionError("x"), Exit.INTERNAL),
        (RecursionError(), Exit.INTERNAL),
        (MemoryError(), Exit.INTERNAL),
        (AssertionError(), Exit.INTERNAL),
    ],
)
def test_error_to_exit_code(
    error: BaseException, expected: Exit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda *_: failing(error))
    assert main.run(["check"]) == expected
    assert len(list(tmp_path.iterdir())) == (expected == Exit.INTERNAL)


def test_crash_report(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda *_: failing(ValueError("odd \udcff")))
    assert main.run(["check"]) == Exit.INTERNAL
    said = capsys.readouterr()
    (report,) = tmp_path.iterdir()
    assert "Traceback" not in said.err and "please report it" in said.err and str(report) in said.err
    text = report.read_text()
    assert "Traceback" in text and "lfc check" in text and "ValueError: odd" in text and sys.version.split()[0] in text


def test_a_crash_where_nothing_can_be_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("tempfile.tempdir", "/nonexistent")
    monkeypatch.setattr(main.LazyGroup, "get_command", lambda *_: failing(ValueError("x")))
    assert main.run(["check"]) == Exit.INTERNAL
    assert "no crash report could be written" in capsys.readouterr().err


def test_interrupt() -> None:
    """Ctrl-C while `lfc` waits for its input."""
    command = [sys.executable, "-m", "lfc", "check", "--syntax-only", "/dev/stdin"]
    process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdin and process.stderr
    process.stdin.write(b"MODULE")
    process.stdin.flush()
    while unread(process.stdin.fileno()):  # it has read that, and waits for more
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    assert process.returncode == 130 and process.stderr.read() == b"lfc: interrupted\n"
    process.stdin.close()
    process.stderr.close()


def unread(pipe: int) -> int:
    count = array("i", [0])
    fcntl.ioctl(pipe, termios.FIONREAD, count)
    return count[0]


def test_require_tool(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingOnThisMachine, match="simavr is not installed; install it with: .*simavr"):
        require_tool("simavr")
    require_tool("click")


def test_the_documentation_says_the_same() -> None:
    rows = re.findall(
        r"^\| (\d+) \| (.+) \|$", (ROOT / "docs" / "reference" / "exit-codes.md").read_text(), re.MULTILINE
    )
    assert rows == [(str(int(code)), meaning) for code, meaning in MEANING.items()]
    assert set(MEANING) == set(Exit)
    epilog = main.lfc.epilog or ""
    assert [int(n) for n in re.findall(r"\d+", epilog)] == [int(code) for code in Exit]


def test_what_is_built_does_not_take_the_place_of_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "MODULE M;\nEND M.\n"
    (tmp_path / "M.lf").write_text(text)
    (tmp_path / "link.lf").symlink_to("M.lf")
    monkeypatch.chdir(tmp_path)
    for options in (["-o", "M.lf"], ["-o", "link.lf"], ["-b", "uno", "--sbom", "./M.lf"]):
        assert main.run(["build", "M.lf", *options]) == Exit.USAGE
        assert f"{options[-2]} {options[-1]} would overwrite M.lf, which is read" in capsys.readouterr().err
    assert (tmp_path / "M.lf").read_text() == text
    (tmp_path / "s.toml").write_text('[boards.one]\nrun = "M.lf"\nboard = "uno"\n')
    assert main.run(["build", "s.toml", "--sbom", "s.json"]) == Exit.USAGE
    assert "--sbom is for one board: name it, SYSTEM.toml:NAME." in capsys.readouterr().err
