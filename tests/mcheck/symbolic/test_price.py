"""Programs without wide inputs pay nothing for what can be left undetermined: none of it is imported."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from bench.checker.models import UNREDUCED
from tests.cli.lfc import ROOT

ASK = """
import sys
from lfc.cli.main import run
code = run(sys.argv[1:])
print(code, *sys.modules, file=sys.stderr)
"""
WIDE = "MODULE Wide; VAR v : UINT16; BEGIN v := PORTIN16(78H); RESCHEDULE; ASSERT(v # 77) END Wide.\n"


def imported_by_check(file: Path) -> list[str]:
    command = [sys.executable, "-c", ASK, "check", str(file), "--json"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return ran.stderr.splitlines()[-1].split()


@pytest.mark.parametrize("name", ["window", "peterson3"])
def test_nothing_of_it_is_imported(name: str) -> None:
    code, *modules = imported_by_check(ROOT / "examples" / f"{name}.lf")
    assert code == "0"
    assert [m for m in modules if m.startswith("lfc.mcheck.symbolic") or m == "bitwuzla"] == []


def test_counters_that_are_soon_counted_import_none_of_it(tmp_path: Path) -> None:
    """More than 200,000 states: sets of values would be tried, if it took longer."""
    (tmp_path / "Counters.lf").write_text(UNREDUCED[0].lf())
    code, *modules = imported_by_check(tmp_path / "Counters.lf")
    assert code == "0"
    assert [m for m in modules if m.startswith("lfc.mcheck.symbolic") or m == "bitwuzla"] == []


def test_it_is_imported_for_a_wide_input(tmp_path: Path) -> None:
    (tmp_path / "Wide.lf").write_text(WIDE)
    code, *modules = imported_by_check(tmp_path / "Wide.lf")
    assert code == "4"
    assert "lfc.mcheck.symbolic.explore" in modules
