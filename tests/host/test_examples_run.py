"""Every example that needs no hardware runs with the expected output, under both schedulers and at both ends of
optimisation, in memory and as an executable."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from lfc.codegen.program import generate
from lfc.run.executable import executable
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.run.session import Console, End, Session
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of
from tests.support.example_runs import EXPECTED, SCHEDULERS, input_of, program_of

GOOD_ENDS = (End.ENDED, End.BLOCKED, End.INPUT_ENDED)


def run_to_the_end(program: Path, scheduler: str, level: int, given: bytes) -> tuple[bytes, End]:
    generated = generate(machine_of(program), host_target(), scheduler)
    run = HostRun(generated, level, SCHEDULERS[scheduler])
    run.feed(given)
    written: list[bytes] = []
    end = Session(run, Console(written.append), virtual_clock=True).go()
    return b"".join(written), end


def test_there_are_examples() -> None:
    assert len(EXPECTED) >= 12


@pytest.mark.parametrize("level", [0, 2])
@pytest.mark.parametrize("scheduler", list(SCHEDULERS))
@pytest.mark.parametrize("expected", EXPECTED, ids=lambda f: f.stem)
def test_expected_output(expected: Path, scheduler: str, level: int) -> None:
    output, end = run_to_the_end(program_of(expected), scheduler, level, input_of(expected))
    assert output == expected.read_bytes()
    assert end in GOOD_ENDS


@pytest.mark.parametrize("name", ["prodcons", "sieve", "echo", "calls"])
def test_executable(name: str, tmp_path: Path) -> None:
    expected = ROOT / "examples" / "expected" / f"{name}.out"
    file = tmp_path / name
    file.write_bytes(executable(generate(machine_of(program_of(expected)), host_target()), 2, "rr"))
    file.chmod(0o755)
    done = subprocess.run([file], input=input_of(expected), capture_output=True, check=False, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, expected.read_bytes(), b"")
