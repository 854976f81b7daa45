"""Programs whose runs are shown, and what was found in them."""

from __future__ import annotations

from functools import cache

from lfc.actions.kept_machine import Wanted, machine_of
from lfc.actions.model.machine import Machine
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.view.runs import run_of_finding, run_of_scheduler
from lfc.view.story import Run
from tests.conftest import ROOT

SHOWN = ("philosophers", "prodcons", "buffer", "leader", "window", "semaphore", "mutex", "pingpong", "sieve", "calls")


@cache
def machine_named(name: str, *definitions: tuple[str, str]) -> Machine:
    found = Diagnostics()
    machine = machine_of(Wanted(str(ROOT / "examples" / f"{name}.lf"), (), (), None, False, definitions), found)
    assert machine is not None, found.items
    return machine


@cache
def result_of(name: str, *definitions: tuple[str, str]) -> CheckResult:
    return check(machine_named(name, *definitions), request_from(threads=1, seconds=20.0))


def run_named(name: str, *definitions: tuple[str, str]) -> Run:
    """The counterexample, or some steps of a program that has none."""
    machine = machine_named(name, *definitions)
    findings = result_of(name, *definitions).findings
    return run_of_finding(machine, findings[0]) if findings else run_of_scheduler(machine, 60)
