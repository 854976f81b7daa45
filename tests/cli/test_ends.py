"""How commands end from outside, and what is left then; and what of others' text a terminal is told."""

from __future__ import annotations

import json
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.cli.common.streams import OfABoard
from lfc.toolchain import run_tools
from lfc.toolchain.failure import ImageError
from lfc.trace.files import TraceWriter, read_trace
from lfc.trace.items import Item
from tests.cli.lfc import ROOT, lfc

ENDLESS = """MODULE Endless;
VAR a, b : INTEGER;
BEGIN
  LOOP a := a + 1; IF a = 30000 THEN a := 0; b := b + 1 END; RESCHEDULE END
END Endless.
"""
PATIENCE = 60.0


def hangs_up() -> None:
    """Also where the tests have been started by nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@contextmanager
def started(*arguments: str | Path, cwd: Path, **how: int) -> Iterator[subprocess.Popen[bytes]]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-m", "lfc", *map(str, arguments)]
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | how
    with subprocess.Popen(  # type: ignore[call-overload]
        command, cwd=cwd, env=environment, preexec_fn=hangs_up, **pipes
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def until(happens: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE
    while not happens():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_check_that_is_ended_tells_what_it_has(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "Endless.lf").write_text(ENDLESS)
    saved = tmp_path / "saved"
    with started(
        "check", "Endless.lf", "--json", "--checkpoint", saved, "--checkpoint-every", "0", cwd=tmp_path
    ) as process:
        until(saved.exists)  # it searches
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    told = json.loads(out)
    assert (process.returncode, told["reason"], told["verdict"]) == (130, "interrupted", "inconclusive"), err
    assert sorted(p.name for p in tmp_path.iterdir()) == ["Endless.lf", "saved"]


def children_of(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task")
    try:
        return [int(c) for task in tasks.iterdir() for c in (task / "children").read_text().split()]
    except OSError:
        return []


def is_there(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_emulators_end_with_their_parent(number: signal.Signals, tmp_path: Path) -> None:
    (tmp_path / "Endless.lf").write_text(ENDLESS)
    with started("run", "Endless.lf", "-b", "uno", "--emulator", "simavr", cwd=tmp_path) as process:
        until(lambda: any("simavr" in name_of(c) for c in children_of(process.pid)))
        emulators = [c for c in children_of(process.pid) if "simavr" in name_of(c)]
        process.send_signal(number)
        process.wait(PATIENCE)
        until(lambda: not any(map(is_there, emulators)))


def name_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")[0].decode()
    except OSError:
        return ""


@pytest.mark.parametrize("name", ["run.json", "run.trace"])
def test_a_run_that_is_killed_has_recorded_what_it_did(name: str, tmp_path: Path) -> None:
    (tmp_path / "Endless.lf").write_text(ENDLESS)
    record = tmp_path / name
    with started("run", "Endless.lf", "--record", record, cwd=tmp_path) as process:
        until(lambda: record.exists() and record.stat().st_size > 4000)
        process.kill()
        process.wait()
    steps = read_trace(record).steps
    assert len(steps) > 100
    done = lfc("run", "Endless.lf", "--schedule", record, cwd=tmp_path)
    assert done.exit == 0, done.err


@pytest.mark.parametrize("name", ["run.json", "run.trace"])
def test_a_trace_is_whole_after_each_step(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    writer = TraceWriter(path, "00" * 16, "", False)
    assert read_trace(path).steps == []
    for count in range(1, 4):
        writer.add([Item("run", (count,)), Item("digest", (7,))])
        assert [step[0].operands for step in read_trace(path).steps] == [(n,) for n in range(1, count + 1)]
    writer.close()


def test_a_record_that_cannot_be_written_is_told_before_the_run(tmp_path: Path) -> None:
    (tmp_path / "Endless.lf").write_text(ENDLESS)
    done = lfc("run", "Endless.lf", "--record", tmp_path / "none" / "x", cwd=tmp_path)
    assert done.exit == 1 or done.exit == 2
    assert "cannot be written: No such file or directory" in done.err


# --- terminals ---

EVIL = "\x1b]0;owned\x07\x1b[2J\u202e"


def test_what_a_board_says_is_shown_and_not_obeyed() -> None:
    of_a_board = OfABoard()
    pieces = (b"a\x1b[2Jb\t", b"c\r", b"\nd\re\xe2", b"\x82\xac\xff\x07\n")
    assert b"".join(map(of_a_board.shown, pieces)).decode() == "a␛[2Jb\tc\nd␍e€\\xff␇\n"


@pytest.mark.parametrize(
    ("file", "content", "command"),
    [
        ("lf.toml", 'main = "\\u001b]0;owned\\u0007\\u202e"\nboard = "uno"\n', ("check",)),
        ("lf.toml", 'main = "A.lf"\nboard = "\\u001b[2J"\n', ("check",)),
        ("lf.toml", '"\\u001b[2J" = 1\n', ("check",)),
        ("b.toml", 'inherits = "\\u001b[2J"\n', ("check", "A.lf", "--board-file", "b.toml")),
        ("A.lf", f"MODULE A; (* {EVIL} *) BEGIN x := 1 (* {EVIL} *) END A.\n", ("check", "A.lf")),
        ("t.json", '{"format": "lf-trace", "version": "\\u001b[2J"}', ("trace", "show", "t.json")),
    ],
)
def test_no_file_of_others_moves_the_terminal(
    file: str, content: str, command: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "A.lf").write_text("MODULE A; BEGIN END A.\n")
    (tmp_path / file).write_text(content)
    said = on_a_terminal(command, tmp_path)
    assert said and b"\x1b[2J" not in said and b"\x1b]0" not in said and "\u202e".encode() not in said
    assert b"Traceback" not in said and b"internal error" not in said


def on_a_terminal(command: tuple[str, ...], folder: Path) -> bytes:
    ours, its = pty.openpty()
    with started(*command, "--color", "never", cwd=folder, stdout=its, stderr=its) as process:
        os.close(its)
        said, end = b"", time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if select.select([ours], [], [], 0.1)[0]:
                try:
                    piece = os.read(ours, 4096)
                except OSError:  # nobody is left at the other end
                    break
                said += piece
        process.wait(PATIENCE)
    os.close(ours)
    return said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_compiler_that_is_ended_with_us_is_no_failure(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As by `timeout`, which ends a whole group: it was told as a mistake of the compiler. One that fails is one."""
    tool = tmp_path / "tool"
    monkeypatch.setattr(run_tools, "_compiler", lambda: tool)
    ended = f"signal.signal({number:d}, signal.SIG_DFL)  # it may be ignored here\nos.kill(os.getpid(), {number:d})"
    for script, expected in ((ended, KeyboardInterrupt), ("sys.exit(1)", ImageError)):
        tool.write_text(f"#!{sys.executable}\nimport os, signal, sys\n{script}\n")
        tool.chmod(0o755)
        with pytest.raises(expected):
            run_tools.run_tool("cc", [], tmp_path, "it cannot be compiled")


def test_a_disk_without_room_for_the_compilers_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cache may lie where there is room; else it is said where to make some."""
    room, asked = [True], list[bool]()

    def executed(
        command: list[str], _folder: Path, _failure: str, apart: bool, _bounded: bool
    ) -> subprocess.CompletedProcess[str]:
        asked.append(apart)
        there = apart and room[0]
        said = "" if there else "error: IO failure on output stream: No space left on device"
        return subprocess.CompletedProcess(command, 0 if there else 1, "made" if there else "", said)

    monkeypatch.setattr(run_tools, "_executed", executed)
    assert run_tools.run_tool("cc", [], tmp_path, "it cannot be compiled") == "made"
    room[0] = False
    with pytest.raises(MissingOnThisMachine, match="it cannot be compiled: no room is left on the disk; make some in"):
        run_tools.run_tool("cc", [], tmp_path, "it cannot be compiled")
    assert asked == [False, True] * 2
