"""Starts processes of a distributed search, which end whatever happens."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from lfc.cli.checking.distributed import mpiexec
from tests.conftest import ROOT
from tests.mcheck.distributed.in_ranks import Found, Task

# Two hundred million states: nobody comes to the end of it.
ENDLESS = """MODULE Endless;
VAR a, b, c, d : 0 .. 120;
PROCESS A; BEGIN LOOP a := (a + 1) MOD 120; RESCHEDULE END END A;
PROCESS B; BEGIN LOOP b := (b + 1) MOD 120; RESCHEDULE END END B;
PROCESS C; BEGIN LOOP c := (c + 1) MOD 120; RESCHEDULE END END C;
PROCESS D; BEGIN LOOP d := (d + 1) MOD 120; RESCHEDULE END END D;
BEGIN CREATE A; CREATE B; CREATE C; CREATE D END Endless.
"""
ORDERED = {"reductions": ("por",), "as_many": True}  # one process does it as each of several does
ENVIRONMENT = {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}


def command(ranks: int, *of_each: str) -> list[str]:
    return [*mpiexec(), "--host", f"localhost:{ranks}", sys.executable, "-m", *of_each]


def run(arguments: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
    """All of its processes are in a group of their own, and killed if they take longer."""
    with subprocess.Popen(
        arguments,
        cwd=ROOT,
        env=os.environ | ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            out, errors = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, errors = process.communicate()
            raise AssertionError(f"{arguments} takes longer than {seconds} s:\n{out}\n{errors}") from None
    return subprocess.CompletedProcess(arguments, process.returncode, out, errors)


def together(ranks: int, tasks: Sequence[Task], folder: Path, random: int = 0, seconds: float = 500) -> list[Found]:
    """Of random programs so many that are small enough."""
    given, found = folder / f"tasks{ranks}.json", folder / f"found{ranks}.json"
    given.write_text(json.dumps({"tasks": [asdict(t) for t in tasks], "random": random}))
    ran = run(command(ranks, "tests.mcheck.distributed.in_ranks", str(given), str(found), str(seconds)), seconds + 60)
    assert found.exists(), f"exit code {ran.returncode}:\n{ran.stdout}\n{ran.stderr}"
    return [Found(**f) for f in json.loads(found.read_text())]


def processes_below(pid: int) -> list[int]:
    """Those that a process has started, and those that these have."""
    of: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        try:
            if entry.name.isdigit():
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
                of.setdefault(parent, []).append(int(entry.name))
        except OSError:
            continue
    found, left = list[int](), [pid]
    while left:
        children = of.get(left.pop(), [])
        found += children
        left += children
    return found


def rank_of(pid: int) -> int | None:
    """What MPI has told a process; None: it is no rank."""
    try:
        variables = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return None
    own = next((v for v in variables if v.startswith(b"PMIX_RANK=")), None)
    return None if own is None else int(own.partition(b"=")[2])


def kill_all(pid: int) -> None:
    for child in [*processes_below(pid), pid]:
        os.kill(child, signal.SIGKILL)


def random_tasks(first: int, count: int) -> list[Task]:
    """Every other one goes on after errors, as the naive explorer does; every third leaves out orders of steps."""
    found = [Task(first + i, {"keep_going": i % 2 == 0}, naive=i % 2 == 0 and i % 3 != 2) for i in range(count)]
    for task in found[2::3]:
        task.options |= ORDERED
    return found
