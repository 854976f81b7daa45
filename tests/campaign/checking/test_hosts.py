"""Several hosts: network namespaces of this machine, each with its own address and name, and one of them lost."""

from __future__ import annotations

import json
import os
import shutil
import signal
import string
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Timer

import pytest

from tests.conftest import ROOT
from tests.mcheck.distributed.started import ENDLESS, ENVIRONMENT, kill_all, run

NEEDS = "needs root and the commands ip (iproute2) and unshare, to make network namespaces"
NET, HOSTS = "10.77.0", 3


def ip(*arguments: object) -> None:
    subprocess.run(["ip", *map(str, arguments)], check=True, capture_output=True, timeout=20)


def can_make_namespaces() -> bool:
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("unshare"):
        return False
    name = f"lfc-try{os.getpid()}"
    try:
        ip("netns", "add", name)
        ip("netns", "del", name)
    except (subprocess.CalledProcessError, OSError):
        return False
    return True


LETTERS = iter(string.ascii_lowercase)


class Hosts:
    """A bridge of this machine joins them."""

    def __init__(self, folder: Path) -> None:
        # Never a name again: the kernel takes its time to take an old one away.
        self._id = f"{os.getpid() % 100_000}{next(LETTERS)}"
        self.bridge = f"lfb{self._id}"
        self._agent = folder / "agent"
        self._agent.write_text(
            "#!/bin/sh\nn=${1##*.}; shift\n"
            f'ip netns exec lfc{self._id}-$n unshare --uts sh -c "hostname h$n; $*"\nexit 0\n'
        )
        self._agent.chmod(0o755)

    def name(self, number: int) -> str:
        return f"lfc{self._id}-{number}"

    def make(self) -> None:
        ip("link", "add", self.bridge, "type", "bridge")
        ip("link", "set", self.bridge, "up")
        for n in range(1, HOSTS + 1):
            ip("netns", "add", self.name(n))
            ip("link", "add", f"lfv{self._id}{n}", "type", "veth", "peer", "name", "eth0", "netns", self.name(n))
            ip("link", "set", f"lfv{self._id}{n}", "master", self.bridge, "up")
            ip("-n", self.name(n), "addr", "add", f"{NET}.{n}/24", "dev", "eth0")
            ip("-n", self.name(n), "link", "set", "eth0", "up")
            ip("-n", self.name(n), "link", "set", "lo", "up")

    def remove(self) -> None:
        for n in range(1, HOSTS + 1):
            subprocess.run(["ip", "netns", "del", self.name(n)], capture_output=True, timeout=20)
        subprocess.run(["ip", "link", "del", self.bridge], capture_output=True, timeout=20)

    def command(self, hosts: str, file: Path, *options: str) -> list[str]:
        """On the first host, and from there on the others."""
        check = f"{sys.executable} -m lfc.cli.main check {file} --hosts {hosts} --json {' '.join(options)}"
        of_mpi = f"export LFC_MPIEXEC='--prtemca plm_ssh_agent {self._agent}'"
        return [
            "ip",
            "netns",
            "exec",
            self.name(1),
            "unshare",
            "--uts",
            "sh",
            "-c",
            f"hostname h1; {of_mpi}; exec {check}",
        ]

    def processes(self, number: int) -> list[int]:
        told = subprocess.run(["ip", "netns", "pids", self.name(number)], capture_output=True, text=True, timeout=20)
        return [int(pid) for pid in told.stdout.split()]


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Hosts]:
    if not can_make_namespaces():
        pytest.skip(NEEDS)
    made = Hosts(tmp_path)
    try:
        made.make()
        yield made
    finally:
        made.remove()


@pytest.mark.slow
@pytest.mark.parametrize(("count", "ranks"), [(2, 2), (3, 1)])
def test_hosts_find_what_one_process_finds(hosts: Hosts, count: int, ranks: int) -> None:
    file = ROOT / "examples" / "semaphore.lf"
    names = ",".join(f"{NET}.{n}:{ranks}" for n in range(1, count + 1))
    ran = run(hosts.command(names, file), 300)
    assert ran.returncode == 0, ran.stderr
    found = json.loads(ran.stdout)
    assert (found["verdict"], found["states"]) == ("holds", 1382)
    assert [r["host"] for r in found["ranks"]] == [f"h{n}" for n in range(1, count + 1) for _ in range(ranks)]
    assert all(r["states"] > 200 and r["handed_over"] > 200 for r in found["ranks"])


@pytest.mark.slow
def test_a_host_is_lost_in_the_middle(hosts: Hosts, tmp_path: Path) -> None:
    """All that runs on it is killed, when the first one has told how far they have come."""
    file = tmp_path / "Endless.lf"
    file.write_text(ENDLESS)
    check = hosts.command(f"{NET}.1:1,{NET}.2:1,{NET}.3:1", file)
    with subprocess.Popen(
        check, cwd=ROOT, env=os.environ | ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None and process.stdout is not None
        clock = Timer(300, kill_all, [process.pid])
        clock.start()
        for line in process.stderr:
            if line.startswith("searching: "):
                break
        for pid in hosts.processes(2):
            os.kill(pid, signal.SIGKILL)
        out, errors = process.communicate()
        clock.cancel()
    assert process.returncode == 6, (out, errors)
    assert "inconclusive: a host or the first process of the distributed search was lost; it had come to" in errors
    assert "verdict" not in json.loads(out)
