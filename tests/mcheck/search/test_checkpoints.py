"""Searches that are saved, killed at any moment, and gone on with: the same counts, verdict and trace as in one go."""

from __future__ import annotations

import errno
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import astuple
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.mcheck.engine import library as engine_library
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.checkpoint import CheckpointError, engine_files, identity, resume_from, save_to
from lfc.mcheck.search.search import Search, Stop
from tests.cli.lfc import ROOT, lfc
from tests.differential.stepwise import machine_of_source
from tests.mcheck.search.forging import body_of, summed_again
from tests.mcheck.searching import search_with
from tests.support.sized_programs import MANY, senders

COUNTED = ("states", "transitions", "expanded", "ends", "deadlocks", "faults", "depth", "errors", "nodes", "values")
HOLDS = MANY.replace("n < 4", "n < 5")


def search_for(text: str, **limits: object) -> Search:
    options = {"keep_going": True, "least_shared": 64, **limits}
    return search_with(machine_of_source(Source("Program.lf", text)), request_from(**options))


def outcome(search: Search) -> tuple[object, ...]:
    s = search.statistics
    seen = search.seen()
    errors = [(e.kind, e.fault_kind, e.fault_site, e.depth, len(search.blocks_to(e.state))) for e in search.errors()]
    return [getattr(s, name) for name in COUNTED], errors, astuple(seen), set(search.all_blocks())


def test_another_engine_has_another_identity(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever of its sources is another one."""
    search = search_for(HOLDS)
    copy = Path(shutil.copytree(engine_library.FOLDER, tmp_path / "engine"))
    monkeypatch.setattr(engine_library, "FOLDER", copy)
    found = [identity(search)]
    assert identity(search) == found[0]
    for file in ("search/bfs.c", "model/checker_policies.c", "store/state_set.h"):
        (copy / file).write_text((copy / file).read_text() + "/* another one */\n")
        found.append(identity(search))
    assert len({x[:32] for x in found}) == 4 and len({x[32:] for x in found}) == 1
    search.close()


def test_a_checkpoint_is_of_an_engine_with_all_its_sources() -> None:
    compiled = {f for f in [*engine_library.sources(), *engine_library.headers()] if engine_library.FOLDER in f.parents}
    assert len(compiled) > 100 and compiled <= set(engine_files())
    assert {"checker_policies.c", "lf.h"} <= {f.name for f in engine_files()}


@pytest.mark.parametrize("text", [MANY, senders(8)], ids=["errors", "holds"])
@pytest.mark.parametrize(("first", "then"), [(1, 1), (1, 2), (2, 1)])
def test_stopped_anywhere_and_gone_on_with(text: str, first: int, then: int, tmp_path: Path) -> None:
    whole = search_for(text)
    assert whole.run() is Stop.COMPLETE
    expected = outcome(whole)
    whole.close()
    file, total = str(tmp_path / "saved"), whole_states(expected)
    for k, threads in enumerate([first, then] * 4):
        search = search_for(text, threads=threads, states=total * (k + 1) // 9)
        if k:
            resume_from(search, file)
        save_to(search, file, 1e9)
        assert search.run() is Stop.STATES
        assert not search.saving_error()
        search.close()
    last = search_for(text, threads=then)
    resume_from(last, file)
    assert last.statistics.states < total
    assert last.run() is Stop.COMPLETE
    same = outcome(last) == expected
    stuck = last.find_stuck() if not last.statistics.errors else None
    last.close()
    assert same
    assert stuck is None


@pytest.mark.parametrize("text", [MANY, senders(8)], ids=["errors", "holds"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("how", [(), ("sym",), ("dead", "chains")])
def test_one_that_nobody_vouches_for_is_replayed(how: tuple[str, ...], threads: int, text: str, tmp_path: Path) -> None:
    """Saved anywhere, by any number of threads, with errors: a search of the program, which goes on as that does."""
    whole = search_for(text, reductions=how)
    whole.run()
    file, total = tmp_path / "saved", whole.statistics.states
    whole.close()
    for part in (1, 3, 7, 9):
        search = search_for(text, threads=threads, states=total * part // 8, reductions=how)
        save_to(search, str(file), 1e9)
        search.run()
        search.close()
        sealed, outcomes = file.read_bytes(), []
        stripped = summed_again(body_of(sealed))
        assert "it is not authenticated" in refused(stripped, tmp_path, text, reductions=how)
        for content, resumed in ((sealed, "authenticated"), (stripped, "unauthenticated")):
            file.write_bytes(content)
            search = search_for(text, threads=threads, reductions=how)
            resume_from(search, str(file), unauthenticated=True)
            assert search.resumed == resumed
            assert search.run() is Stop.COMPLETE
            outcomes.append(outcome(search))
            search.close()
        same = outcomes[0] == outcomes[1]
        assert same


def whole_states(expected: tuple[object, ...]) -> int:
    counted = expected[0]
    assert isinstance(counted, list)
    return int(counted[0])


def test_saved_within_levels_while_it_goes_on(tmp_path: Path) -> None:
    """Every chunk is followed by a checkpoint; the last of all is of the complete search."""
    file = str(tmp_path / "saved")
    whole = search_for(MANY)
    whole.run()
    search = search_for(MANY, threads=2)
    save_to(search, file, 0)
    assert search.run() is Stop.COMPLETE
    again = search_for(MANY)
    resume_from(again, file)
    assert again.run() is Stop.COMPLETE
    outcomes = [outcome(s) for s in (whole, search, again)]
    for s in (whole, search, again):
        s.close()
    assert [o == outcomes[0] for o in outcomes] == [True, True, True]
    assert os.listdir(tmp_path) == ["saved"]


@pytest.mark.parametrize(("text", "threads"), [(MANY, 1), (HOLDS, 2)])
def test_killed_at_random_moments(text: str, threads: int, tmp_path: Path) -> None:
    source, file = tmp_path / "Many.lf", tmp_path / "saved"
    source.write_text(text)
    check = ["check", str(source), "--threads", str(threads), "--json"]
    whole = lfc(*check)
    chance, kills = random.Random(threads), 0
    while True:
        before = file.stat().st_mtime_ns if file.exists() else 0
        command = [*check, "--checkpoint", str(file), "--checkpoint-every", "0"]
        command += ["--resume", str(file)] if file.exists() else []
        done = run_until(command, file, before, [0.0, chance.random() * 0.1, chance.random() * 0.2, 60.0][kills])
        if done is not None:
            break
        kills += 1
    first, last = json.loads(whole.out), json.loads(done)
    assert kills > 0
    for key in ("verdict", "states", "transitions", "depth", "counted", "reason"):
        assert first[key] == last[key], key
    assert [len(e["trace"]) for e in first["errors"]] == [len(e["trace"]) for e in last["errors"]]
    assert first["verdict"] == ("assertion" if text == MANY else "holds")


def start(arguments: list[str]) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *sys.path])}
    command = [sys.executable, "-m", "lfc", *arguments]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(process: subprocess.Popen[str], file: Path, before: int) -> None:
    while process.poll() is None and not (file.exists() and file.stat().st_mtime_ns != before):
        time.sleep(0.005)


def run_until(arguments: list[str], file: Path, before: int, seconds: float) -> str | None:
    """None: it was killed, so many seconds after its first checkpoint."""
    process = start(arguments)
    wait_for(process, file, before)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.communicate()
        return None
    assert process.returncode in (0, 2, 3, 4, 5), err
    return out


def test_interrupted(tmp_path: Path) -> None:
    """What Ctrl-C leaves is the search of which it was told, and nothing else."""
    source, file = tmp_path / "Many.lf", tmp_path / "saved"
    source.write_text(HOLDS)
    command = ["check", str(source), "--json", "--checkpoint", str(file), "--checkpoint-every", "0"]
    process = start(command)
    wait_for(process, file, 0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    told = json.loads(out)
    assert told["verdict"] == "inconclusive" and told["reason"] == "interrupted" and not err
    again = search_for(HOLDS, keep_going=False)
    resume_from(again, str(file))
    states, whole = again.statistics.states, again.run() is Stop.COMPLETE
    again.close()
    assert states == told["states"] and whole
    assert sorted(os.listdir(tmp_path)) == ["Many.lf", "saved"]


def test_no_room_for_a_checkpoint(tmp_path: Path) -> None:
    """The search goes on, and what was there before stays."""
    file = tmp_path / "saved"
    before = saved(tmp_path)
    file.write_bytes(before)
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    search = search_for(HOLDS)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, old[1]))
    try:
        save_to(search, str(file), 0)
        stop = search.run()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
    failed = search.saving_error()
    search.close()
    assert stop is Stop.COMPLETE and failed == os.strerror(errno.EFBIG)
    assert file.read_bytes() == before and sorted(os.listdir(tmp_path)) == ["good", "saved"]


def saved(tmp_path: Path, text: str = HOLDS) -> bytes:
    file = tmp_path / "good"
    search = search_for(text, states=500)
    save_to(search, str(file), 1e9)
    search.run()
    search.close()
    return file.read_bytes()


def refused(content: bytes, tmp_path: Path, text: str = HOLDS, **limits: object) -> str:
    file = tmp_path / "other"
    file.write_bytes(content)
    search = search_for(text, **limits)
    with pytest.raises(CheckpointError) as error:
        resume_from(search, str(file))
    search.close()
    return str(error.value)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    content = saved(tmp_path)
    chance = random.Random(1)
    for _ in range(12):
        at = chance.randrange(8, len(content))
        bit = 1 << chance.randrange(8)
        damaged = content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :]
        assert "it is damaged" in refused(damaged, tmp_path)
        assert "it is damaged" in refused(content[:at], tmp_path)
    assert "it is damaged" in refused(content + b"\0", tmp_path)
    assert "not a checkpoint" in refused(b"MODULE M; BEGIN END M.", tmp_path)
    assert "not a checkpoint" in refused(b"", tmp_path)


def test_other_programs_and_options_are_refused(tmp_path: Path) -> None:
    content = saved(tmp_path)
    assert "another program" in refused(content, tmp_path, MANY)
    assert "other options" in refused(content, tmp_path, keep_going=False)


def test_they_are_of_all_sources_of_the_engine() -> None:
    sources = {f.resolve() for f in (ROOT / "mcheck" / "engine").rglob("*.[ch]")}
    assert len(sources) > 100 and sources <= {f.resolve() for f in engine_files()}
    assert "kernel.c" in {f.name for f in engine_files()}


def test_usage(tmp_path: Path) -> None:
    (tmp_path / "Many.lf").write_text(HOLDS)
    done = lfc("check", "Many.lf", "--checkpoint", "no/such/folder", cwd=tmp_path)
    assert done.exit == 2 and "no/such/folder cannot be written: No such file or directory." in done.err
    done = lfc("check", "Many.lf", "--resume", "none", cwd=tmp_path)
    assert done.exit == 2 and "none cannot be read: No such file or directory." in done.err
    done = lfc("check", "Many.lf", "--resume", "Many.lf", cwd=tmp_path)
    assert done.exit == 2 and "Many.lf cannot be resumed: it is not a checkpoint of `lfc check`." in done.err
    assert "need --search breadth" in lfc("check", "Many.lf", "--resume", "x", "--search", "depth").err
    assert "needs --checkpoint" in lfc("check", "Many.lf", "--checkpoint-every", "3").err
