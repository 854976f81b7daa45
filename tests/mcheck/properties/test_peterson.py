"""Peterson's algorithm: what holds under which fairness, and a broken variant whose runs are shorter than SPIN's."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from tests.differential.stepwise import machine_of_source

MODELS = Path(__file__).parent.parent / "models"


def checked(broken: bool, fairness: str) -> CheckResult:
    text = (MODELS / "peterson.lf").read_text(encoding="utf-8")
    if broken:
        text = text.replace("turn := other", "turn := me")
    return check(machine_of_source(Source("peterson.lf", text)), request_from(keep_going=True, fairness=fairness))


def verdicts(result: CheckResult) -> dict[str, str]:
    return {str(p["name"]): str(p["verdict"]) for p in result.properties}


@pytest.mark.parametrize("fairness, served", [("none", "property"), ("weak", "holds"), ("strong", "holds")])
def test_who_wants_to_gets_in_under_weak_fairness(fairness: str, served: str) -> None:
    assert verdicts(checked(False, fairness)) == {"exclusion": "holds", "served": served}


def test_without_fairness_it_is_said_who_never_runs() -> None:
    run = checked(False, "none").findings[0].run
    assert run is not None and run.unfair == ["Process[1]"]


def spin_steps(folder: Path, claim: str, options: list[str]) -> int:
    """How many steps of processes SPIN's counterexample has."""
    shutil.copy(MODELS / "peterson.pml", folder)
    subprocess.run(["spin", "-a", "-DNEXT_TURN=_pid", "peterson.pml"], cwd=folder, check=True, capture_output=True)
    subprocess.run(["gcc", "-w", "-O0", "-o", "pan", "pan.c"], cwd=folder, check=True, capture_output=True)
    subprocess.run(["./pan", "-a", *options, "-N", claim], cwd=folder, check=True, capture_output=True)
    trail = (folder / "peterson.pml.trail").read_text(encoding="ascii")
    return len(re.findall(r"^\d+:[1-9]\d*:", trail, re.MULTILINE))


@pytest.mark.skipif(not (shutil.which("spin") and shutil.which("gcc")), reason="SPIN is not there")
def test_the_runs_of_a_broken_variant_are_shorter_than_those_of_spin(tmp_path: Path) -> None:
    result = checked(True, "weak")
    assert verdicts(result) == {"exclusion": "property", "served": "property"}
    exclusion, served = result.findings
    assert len(exclusion.steps) - 1 < spin_steps(tmp_path, "exclusion", [])  # SPIN has no step of initialisation
    assert len(served.steps) - 1 < spin_steps(tmp_path, "served", ["-f"])
