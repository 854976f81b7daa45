"""Machines of programs given as text or file."""

from __future__ import annotations

from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Body, Machine
from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.load import check_source, load_program
from tests.conftest import ROOT
from tests.support.programs import cases_in, rendered

PROGRAMS = Path(__file__).parent / "programs"


def machine_of_text(text: str, environment: str | None = None, *, with_environment: bool = True) -> Machine:
    machine, diagnostics = machine_and_diagnostics(text, environment, with_environment=with_environment)
    assert not diagnostics.has_errors, rendered(diagnostics, Path.cwd())
    return machine


def machine_and_diagnostics(
    text: str, environment: str | None = None, *, with_environment: bool = True
) -> tuple[Machine, Diagnostics]:
    diagnostics = Diagnostics()
    environments = [] if environment is None else [Source("Env.lf", environment)]
    program = check_source(Source("Main.lf", text), diagnostics, environments=environments)
    assert program is not None and not diagnostics.has_errors, rendered(diagnostics, Path.cwd())
    return build_machine(program, diagnostics, with_environment=with_environment), diagnostics


def machine_of_file(file: Path, environments: list[Path] | None = None) -> Machine | None:
    """None if the front end refuses it."""
    diagnostics = Diagnostics()
    program = load_program(file, diagnostics, environments=environments or [])
    if program is None or diagnostics.has_errors:
        return None
    machine = build_machine(program, diagnostics)
    return None if diagnostics.has_errors else machine


def all_programs() -> list[tuple[str, Path, list[Path]]]:
    """Every example, every right program of the corpus and those of this folder, with its environments."""
    found: list[tuple[str, Path, list[Path]]] = []
    for folder in (ROOT / "examples", PROGRAMS):
        for file in sorted(folder.glob("*.lf")):
            found.append((f"{folder.name}/{file.stem}", file, []))
    for case in cases_in(ROOT / "tests" / "corpus" / "right"):
        found.append((f"right/{case.name}", case.main, case.environments))
    return found


def body_named(machine: Machine, name: str) -> Body:
    found = [b for b in machine.all_bodies() if b.name == name]
    assert found, f"there is no body {name}, but {[b.name for b in machine.all_bodies()]}"
    return found[0]
