"""The command: what it says when it is not possible, when something differs, and when a process is lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from bench.checker.models import MODELS
from lfc.cli.checking.distributed import pass_on, without_hosts
from tests.conftest import ROOT
from tests.mcheck.distributed.started import ENDLESS, ENVIRONMENT, command, kill_all, processes_below, rank_of, run

LFC = "lfc.cli.main"
DEADLOCKED = """MODULE Stuck;
TYPE T = [go];
PORT a : T;
VAR n : 0 .. 20;
PROCESS P; BEGIN WHILE n < 20 DO n := n + 1; RESCHEDULE END; a?go END P;
BEGIN NEW(a); CREATE P END Stuck.
"""


@pytest.fixture
def stuck(tmp_path: Path) -> Path:
    file = tmp_path / "Stuck.lf"
    file.write_text(DEADLOCKED)
    return file


def test_hosts_start_the_processes_and_one_of_them_speaks(stuck: Path) -> None:
    ran = run([sys.executable, "-m", LFC, "check", str(stuck), "--hosts", "localhost:2", "--json"], 200)
    found = json.loads(ran.stdout)
    assert ran.returncode == 3 and found["verdict"] == "deadlock" and found["errors"][0]["shortest"]
    assert [r["rank"] for r in found["ranks"]] == [0, 1]
    assert sum(r["states"] for r in found["ranks"]) == found["states"] == 23
    assert "non-zero status" not in ran.stderr


def test_ranks_that_check_other_programs_refuse(stuck: Path, tmp_path: Path) -> None:
    """Each process reads the file that is in its own folder."""
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "Same.lf").write_text(DEADLOCKED.replace("20", f"2{number}").replace("Stuck", "Same"))
    of_each = f"cd {tmp_path}/$PMIX_RANK && exec {sys.executable} -m {LFC} check Same.lf --distributed"
    ran = run([*command(2, LFC)[:-3], "sh", "-c", of_each], 200)
    assert ran.returncode == 2
    assert "rank 1 on" in ran.stderr and "has another program, or another version of lfc, than rank 0" in ran.stderr


def test_ranks_that_are_asked_other_things_refuse(stuck: Path) -> None:
    """They would wait for each other for ever."""
    of_each = f"exec {sys.executable} -m {LFC} check {stuck} --distributed --states 1$PMIX_RANK"
    ran = run([*command(2, LFC)[:-3], "sh", "-c", of_each], 200)
    assert ran.returncode == 2
    assert "has other options than rank 0: give all the same command" in ran.stderr


def test_what_it_cannot_do_is_refused(stuck: Path) -> None:
    """By one process: mpiexec is not needed for that."""
    refused = {
        ("--search", "depth"): "--distributed needs --search breadth",
        ("--threads", "2"): "--threads and --distributed exclude each other",
        ("--report",): "--report and --distributed exclude each other",
        ("--reductions", "sym"): "the reduction sym depends on what one process has found (dead and por do not)",
    }
    for options, text in refused.items():
        ran = run([sys.executable, "-m", LFC, "check", str(stuck), "--distributed", *options], 100)
        assert ran.returncode == 2 and text in " ".join(ran.stderr.split()), (options, ran.stderr)
    ran = run([sys.executable, "-m", LFC, "check", str(stuck), "--hosts", "a;b"], 100)
    assert ran.returncode == 2 and "--hosts takes names with numbers of processes" in ran.stderr
    ran = run([sys.executable, "-m", LFC, "check", str(stuck), "--hosts", "-Fhere:2"], 100)  # an option of ssh
    assert ran.returncode == 2 and "--hosts takes names with numbers of processes" in ran.stderr


def test_without_the_packages_it_says_how_to_get_them(stuck: Path, tmp_path: Path) -> None:
    (tmp_path / "mpi4py").mkdir()
    (tmp_path / "mpi4py" / "__init__.py").write_text("raise ImportError('not here')\n")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT}"}
    ran = subprocess.run(
        [sys.executable, "-m", LFC, "check", str(stuck), "--distributed"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert ran.returncode == 8 and "pip install 'lf-toolchain[cluster]'" in ran.stderr


@pytest.mark.slow
@pytest.mark.parametrize("lost", [1, 0])
def test_a_lost_rank_ends_the_search_with_what_is_known(lost: int, tmp_path: Path) -> None:
    """It is killed when the first one has told how far they have come."""
    file = tmp_path / "Endless.lf"
    file.write_text(ENDLESS)
    check = [sys.executable, "-m", LFC, "check", str(file), "--hosts", "localhost:3", "--json"]
    with subprocess.Popen(
        check, cwd=ROOT, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None and process.stdout is not None
        clock = Timer(200, kill_all, [process.pid])
        clock.start()
        for line in process.stderr:
            if line.startswith("searching: "):
                break
        ranks = {rank_of(pid): pid for pid in processes_below(process.pid)}
        os.kill(ranks[lost], signal.SIGKILL)
        out, errors = process.communicate()
        clock.cancel()
    assert process.returncode == 6
    if lost == 0:
        assert "was lost; it had come to" in errors and "verdict" not in json.loads(out)
        return
    found = json.loads(out)
    assert found["verdict"] == "inconclusive" and found["states"] > 0 and len(found["ranks"]) == 3
    assert found["reason"] == "a rank of the distributed search was lost, and its states with it"


@pytest.mark.slow
def test_many_ranks_have_room_where_one_has_not(tmp_path: Path) -> None:
    """Each has a megabyte."""
    file = tmp_path / "Philosophers.lf"
    file.write_text(next(m for m in MODELS if m.title == "philosophers 7").lf())
    found = []
    for ranks in (1, 4):
        options = ["--hosts", f"localhost:{ranks}", "--memory", "1", "--json"]
        found.append(json.loads(run([sys.executable, "-m", LFC, "check", str(file), *options], 300).stdout))
    one, four = found
    assert (one["verdict"], one["reason"]) == ("inconclusive", "memory limit reached (--memory)")
    assert (four["verdict"], four["states"], four["transitions"]) == ("holds", 161808, 1132650)
    assert all(r["memory_bytes"] < 1 << 20 for r in four["ranks"])


RULE = "-" * 74
NOTICE = f"""{RULE}
prterun detected that one or more processes exited with non-zero status,
thus causing the job to be terminated.
{RULE}
"""


def test_what_mpiexec_says_of_verdicts_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    other = f"{RULE}\nThere are not enough slots available.\n{RULE}\n"
    pass_on(f"first\n{NOTICE}{other}NBC_Progress: an error\nlast\n".splitlines(keepends=True), sys.stdout)
    assert capsys.readouterr().out == f"first\n{other}last\n"


def test_the_same_command_without_hosts() -> None:
    given = ["check", "a.lf", "--hosts", "a:2,b:3", "--json", "--hosts=c", "--distributed"]
    assert without_hosts(given) == ["check", "a.lf", "--json", "--distributed"]
