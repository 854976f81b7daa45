"""Breadth-first searches that have no room in memory: the same counts, errors and ways from disk; what stops them."""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.checkpoint import resume_from, save_to
from lfc.mcheck.search.search import Search, Stop
from lfc.mcheck.search.strategies.breadth_first import SpillError
from tests.cli.lfc import ROOT, lfc
from tests.differential.stepwise import machine_of_source
from tests.support.sized_programs import LARGE, MANY, STUCK, senders, walkers

MANY_STUCK = """MODULE Many; TYPE C = [m]; PORT p : C; VAR i, made, n : INTEGER;
PROCESS Waits; BEGIN made := made + 1; p?m END Waits;
PROCESS Tick; BEGIN LOOP n := 1 - n; RESCHEDULE END END Tick;
BEGIN
  NEW(p); CREATE Tick;
  FOR i := 1 TO 19 DO
    CREATE Waits;
    WHILE made < i DO RESCHEDULE END
  END
END Many.
"""
FAULTS = MANY.replace("TO 11", "TO 20")
KB = 1024


def search_for(text: str, folder: Path | None = None, **limits: object) -> Search:
    options = {"keep_going": True, "least_shared": 64, "spill": str(folder or ""), **limits}
    return Search(machine_of_source(Source("Program.lf", text)), request_from(**options))


def outcome(search: Search) -> tuple[object, ...]:
    s = search.statistics
    counts = (s.states, s.transitions, s.expanded, s.ends, s.deadlocks, s.faults, s.depth)
    return counts, [(e.kind, e.fault_site, e.depth, len(search.blocks_to(e.state))) for e in search.errors()]


def stuck_in(search: Search) -> object:
    found = search.find_stuck()
    assert not search.stuck_unknown
    return None if found is None else (found[1], len(search.blocks_to(found[0])))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("text", "memory"),
    [(senders(11), 700), (walkers(6, 7), 700), (FAULTS, 400), (STUCK, 900)],
    ids=["senders", "walkers", "faults", "stuck"],
)
def test_the_same_from_disk(text: str, memory: int, threads: int, tmp_path: Path) -> None:
    whole = search_for(text)
    assert whole.run() is Stop.COMPLETE
    expected = outcome(whole)
    errors = bool(whole.errors())
    expected_stuck = None if errors else stuck_in(whole)
    expected_queues = whole.most_waiting()
    whole.close()
    search = search_for(text, tmp_path, threads=threads, memory=memory * KB)
    assert search.run() is Stop.COMPLETE
    assert search.statistics.spills >= 3 and search.statistics.disk_written > search.statistics.disk_bytes > 0
    same = outcome(search) == expected
    memory_used = [getattr(search.statistics, f"{n}_bytes") for n in ("table", "frontier", "memo")]
    found = None if errors else stuck_in(search)
    assert memory_used == [getattr(search.statistics, f"{n}_bytes") for n in ("table", "frontier", "memo")]
    queues = search.most_waiting()
    search.close()
    assert same and queues == expected_queues
    assert found == expected_stuck
    assert (text == STUCK) == (found is not None) and (text == FAULTS) == errors


@pytest.mark.parametrize("threads", [1, 2])
def test_more_than_sixteen_stuck_processes(threads: int, tmp_path: Path) -> None:
    whole = search_for(MANY_STUCK)
    whole.run()
    expected = stuck_in(whole)
    whole.close()
    search = search_for(MANY_STUCK, tmp_path, threads=threads, spill_at=5)
    search.run()
    found = stuck_in(search)
    search.close()
    assert found == expected and isinstance(found, tuple) and len(found[0]) == 19


def test_all_states_are_there_once(tmp_path: Path) -> None:
    """Also when it goes to disk in the middle of a level, with a cache of a few states."""
    whole = search_for(senders(6))
    whole.run()
    expected = set(whole.all_blocks())
    whole.close()
    for spill_at in (2, 100, 300):
        search = search_for(senders(6), tmp_path, spill_at=spill_at, threads=2)
        assert search.run() is Stop.COMPLETE
        found, times = search.all_blocks(), search.statistics.spills
        search.close()
        assert len(found) == len(expected) and set(found) == expected
        assert times >= 3


def test_it_goes_on_after_it_was_stopped(tmp_path: Path) -> None:
    """Within a level, between levels, while a level's end is looked at."""
    whole = search_for(walkers(5, 6))
    whole.run()
    expected = outcome(whole)
    whole.close()
    search = search_for(walkers(5, 6), tmp_path, spill_at=500, threads=2)
    stops = [search.run(0.002) for _ in range(50)]
    if stops[-1] is not Stop.COMPLETE:
        stops.append(search.run())
    same = outcome(search) == expected
    search.close()
    assert Stop.TIME in stops and stops[-1] is Stop.COMPLETE and same


def test_a_saved_search_goes_on_on_disk(tmp_path: Path) -> None:
    file, folder = tmp_path / "saved", tmp_path / "disk"
    folder.mkdir()
    whole = search_for(FAULTS)
    whole.run()
    expected = outcome(whole)
    whole.close()
    first = search_for(FAULTS, states=3000, threads=2)
    save_to(first, str(file), 1e9)
    first.run()
    first.close()
    search = search_for(FAULTS, folder, spill_at=1)
    resume_from(search, str(file))
    stop, same, written = search.run(), outcome(search) == expected, search.statistics.disk_written
    search.close()
    assert stop is Stop.COMPLETE and same and written


def test_what_is_saved_stays_in_memory(tmp_path: Path) -> None:
    search = search_for(senders(11), tmp_path, memory=1000 * KB)
    save_to(search, str(tmp_path / "saved"), 1e9)
    stop, written = search.run(), search.statistics.disk_written
    search.close()
    assert stop is Stop.MEMORY and not written


def test_values_alone_need_more_memory(tmp_path: Path) -> None:
    search = search_for(LARGE, tmp_path, memory=8 << 20)
    stop = search.run()
    search.close()
    assert stop is Stop.MEMORY


@contextmanager
def file_size_limit(most: int) -> Iterator[None]:
    """What the system lets nobody write beyond: as if the disk were full."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)


@pytest.mark.parametrize("most", [4 * KB, 100 * KB, 300 * KB, 600 * KB, 1200 * KB])
@pytest.mark.parametrize("threads", [1, 2])
def test_a_full_disk_is_no_success(most: int, threads: int, tmp_path: Path) -> None:
    search = search_for(senders(11), tmp_path, threads=threads, memory=1000 * KB)
    with file_size_limit(most):
        stops = [search.run(), search.run()]
    states, error = search.statistics.states, search.disk_error()
    search.close()
    assert stops == [Stop.DISK, Stop.DISK] and error == "File too large"
    assert 0 < states < 200_000


@pytest.mark.parametrize("text", [senders(11), STUCK], ids=["nothing", "stuck"])
def test_a_disk_that_is_full_when_partial_deadlocks_are_looked_for(text: str, tmp_path: Path) -> None:
    search = search_for(text, tmp_path, memory=1000 * KB)
    assert search.run() is Stop.COMPLETE
    with file_size_limit(200 * KB):
        stuck = search.find_stuck()
    unknown = search.stuck_unknown
    search.close()
    assert stuck is None and unknown


def test_what_is_said_of_a_full_disk(tmp_path: Path) -> None:
    machine = machine_of_source(Source("Program.lf", senders(11)))
    with file_size_limit(300 * KB):
        result = check(machine, request_from(memory=1000 * KB, spill=str(tmp_path)))
    assert result.verdict == "inconclusive"
    assert result.reason == f"{tmp_path} cannot be written or read: File too large (--spill)"


def test_what_is_said(tmp_path: Path) -> None:
    (tmp_path / "Senders.lf").write_text(senders(11))
    folder = tmp_path / "disk"
    folder.mkdir()
    said = lfc("check", "Senders.lf", "--memory", "1", "--spill", "disk", "--json", cwd=tmp_path)
    told = json.loads(said.out)
    assert said.exit == 0 and told["verdict"] == "holds" and told["states"] == 3**11 + 2**12
    assert told["disk"]["times"] >= 3 and told["disk"]["written"] >= told["disk"]["bytes"] > 1 << 20
    assert told["memory_bytes"] <= 1 << 20
    said = lfc("check", "Senders.lf", "--memory", "1", cwd=tmp_path)  # the system's folder
    assert said.exit == 0 and " MB on disk" in said.out
    said = lfc("check", "Senders.lf", "--json", cwd=tmp_path)
    assert json.loads(said.out)["disk"] is None


def test_usage(tmp_path: Path) -> None:
    (tmp_path / "Senders.lf").write_text(senders(3))
    done = lfc("check", "Senders.lf", "--spill", "no/folder", cwd=tmp_path)
    assert done.exit == 2 and "no/folder cannot be written: No such file or directory." in done.err
    done = lfc("check", "Senders.lf", "--spill", ".", "--search", "depth", cwd=tmp_path)
    assert done.exit == 2 and "--spill needs --search breadth." in done.err
    done = lfc("check", "Senders.lf", "--spill", ".", "--checkpoint", "x", cwd=tmp_path)
    assert done.exit == 2 and "--spill excludes --checkpoint" in done.err
    with pytest.raises(SpillError, match="No such file"):
        search_for(senders(3), tmp_path / "nowhere")


def start(tmp_path: Path) -> subprocess.Popen[str]:
    (tmp_path / "Senders.lf").write_text(senders(16))
    (tmp_path / "disk").mkdir()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-m", "lfc", "check", "Senders.lf", "--memory", "1", "--spill", "disk", "--json"]
    return subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def spilled(process: subprocess.Popen[str], folder: Path) -> bool:
    """Has it written to files of this folder?"""
    links = Path(f"/proc/{process.pid}/fd")
    try:
        return any(os.readlink(link).startswith(str(folder)) and link.stat().st_size > 0 for link in links.iterdir())
    except OSError:
        return False


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks into /proc")
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_nothing_stays_behind(how: signal.Signals, tmp_path: Path) -> None:
    process, folder = start(tmp_path), tmp_path / "disk"
    wait_until(lambda: spilled(process, folder) or process.poll() is not None)
    assert process.poll() is None
    names = os.listdir(folder)
    process.send_signal(how)
    out, err = process.communicate(timeout=60)
    assert names == os.listdir(folder) == []
    if how is signal.SIGINT:
        assert process.returncode == 130, err
        told = json.loads(out)
        assert told["verdict"] == "inconclusive" and told["reason"] == "interrupted" and told["disk"]["bytes"] > 0


def wait_until(true: Callable[[], bool]) -> None:
    while not true():
        time.sleep(0.005)
