"""What is compiled once: it is told, on standard error, and it is no part of the search's seconds."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lfc.base import notices
from lfc.mcheck.check import check
from lfc.mcheck.engine import library as engine_library
from lfc.mcheck.report.json_document import as_json
from lfc.mcheck.report.text import tell
from lfc.mcheck.request.request import request_from
from tests.cli.lfc import ROOT, lfc
from tests.differential.stepwise import machine_of

ENGINE = "compiling the checker's engine (once for this version) ...\n"
KERNEL = "compiling the kernel for this machine (once for this version) ...\n"
SMALL = ROOT / "examples" / "prodcons.lf"
SLOW_COMPILER = "#!/bin/sh\nread -r _ < {}\necho no compiler here >&2\nexit 1\n"


@pytest.fixture
def slow(tmp_path: Path) -> dict[str, str]:
    """An environment with nothing in the cache, in which the compiler says no as soon as somebody writes to `now`."""
    os.mkfifo(tmp_path / "now")
    (tmp_path / "ziglang").mkdir()
    (tmp_path / "ziglang" / "__init__.py").write_text("")
    compiler = tmp_path / "ziglang" / "zig"  # started by its own path
    compiler.write_text(SLOW_COMPILER.format(tmp_path / "now"))
    compiler.chmod(0o755)
    paths = os.pathsep.join([str(tmp_path), str(ROOT), *sys.path])
    return {**os.environ, "PYTHONPATH": paths, "XDG_CACHE_HOME": str(tmp_path / "cache")}


def test_it_is_told_on_a_pipe_while_the_compiler_works(slow: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lfc", "check", "--json", str(SMALL)]
    with subprocess.Popen(command, env=slow, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None and running.stderr is not None
        assert running.stderr.readline() == KERNEL
        assert running.poll() is None
        (tmp_path / "now").write_text("\n")
        assert "no compiler here" in running.stderr.read()
        failure = json.loads(running.stdout.read())["failure"]
        assert "no compiler here" in failure["messages"][0]


def test_it_is_told_on_a_terminal(slow: dict[str, str], tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "lfc", "build", str(SMALL), "-b", "uno"], env=slow, stdout=theirs, stderr=theirs
    ) as running:
        told = ""
        while "\n" not in told:
            told += os.read(ours, 200).decode()
        assert told.replace("\r", "") == "compiling the kernel for the board uno (once for this version) ...\n"
        assert running.poll() is None
        (tmp_path / "now").write_text("\n")
    os.close(ours)
    os.close(theirs)


def test_json_on_standard_error_stands_there_alone(slow: dict[str, str], tmp_path: Path) -> None:
    command = [sys.executable, "-m", "lfc", "run", "--json", str(SMALL)]
    with subprocess.Popen(command, env=slow, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as running:
        with (tmp_path / "now").open("w") as compiler:  # opened when the compiler begins
            time.sleep(3 * notices.AFTER)
            compiler.write("\n")
        _, told = running.communicate()
    assert "no compiler here" in told and "compiling" not in told


def test_many_short_parts_are_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(notices, "AFTER", 0.2)
    told: list[str] = []
    notices.tell_to(told.append)
    try:
        with notices.once("doing what is done soon"):
            pass
        for part in range(6):
            with notices.once("doing it in parts"):
                time.sleep(0.06)
            if part == 1:
                assert told == []
        assert told == ["doing it in parts (once for this version) ..."]
    finally:
        notices.tell_to(None)


def test_compiling_is_no_part_of_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not of its seconds, nor of what --time allows."""
    library = engine_library.library

    def compiled_slowly(wide: bool = False) -> object:
        time.sleep(1.5)
        return library(wide)

    library()
    monkeypatch.setattr(engine_library, "library", compiled_slowly)
    for reductions in ((), ("auto",)):
        result = check(machine_of(SMALL), request_from(seconds=1.0, reductions=reductions))
        assert result.verdict == "holds" and result.states == 308
        assert result.compile_seconds >= 1.5 and result.seconds < 1.0
        assert json.loads(as_json(machine_of(SMALL), result))["compile_seconds"] >= 1.5


def test_memory_by_state_is_told_where_it_says_something() -> None:
    few = check(machine_of(SMALL), request_from())
    assert few.bytes_per_state is None and few.memory_bytes > 0
    assert "bytes per state" not in tell(machine_of(SMALL), few)
    assert f" s, {few.memory_bytes / 1024:.0f} KB\n" in tell(machine_of(SMALL), few) + "\n"
    assert json.loads(as_json(machine_of(SMALL), few))["bytes_per_state"] is None
    machine = machine_of(ROOT / "examples" / "window.lf")
    many = check(machine, request_from())
    assert many.states >= 10_000 and many.bytes_per_state == many.memory_bytes / many.states
    assert f"{many.bytes_per_state:.1f} bytes per state" in tell(machine, many)


@pytest.mark.slow
def test_the_first_check_of_all(tmp_path: Path) -> None:
    done = lfc("check", "--json", SMALL, XDG_CACHE_HOME=str(tmp_path))
    assert done.exit == 0 and done.err == ""
    assert ENGINE in done.notices
    result = json.loads(done.out)
    assert result["verdict"] == "holds"
    assert result["seconds"] < 2 < result["compile_seconds"]
    assert not list(tmp_path.rglob("*compiler_rt*")), "the compiler made its own library, which takes longer than ours"
