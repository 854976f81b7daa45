"""Systems of the tests, loaded and checked."""

from __future__ import annotations

from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.diagnostics.model import Diagnostics
from lfc.mcheck.check import check
from lfc.mcheck.request.request import request_from
from lfc.mcheck.result.result import CheckResult
from lfc.systems.compose import load_any
from tests.conftest import ROOT

RING = (ROOT / "examples" / "systems" / "ring.toml").read_text()
NODE = (ROOT / "examples" / "systems" / "Node.lf").read_text()


def machine_of(program: str | Path) -> Machine:
    diagnostics = Diagnostics()
    loaded = load_any(str(program), diagnostics)
    assert loaded is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    return build_machine(loaded, diagnostics)


def checked(program: str | Path, **options: object) -> CheckResult:
    return check(machine_of(program), request_from(reductions="none", threads=1, **options))


def found(folder: Path, system: str, node: str = NODE) -> Diagnostics:
    (folder / "Node.lf").write_text(node)
    (folder / "ring.toml").write_text(system)
    diagnostics = Diagnostics()
    assert load_any(str(folder / "ring.toml"), diagnostics) is None
    return diagnostics
