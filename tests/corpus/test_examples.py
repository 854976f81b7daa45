"""Every example is right, and in the canonical layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.reading import read_source
from lfc.front_end.format_files import format_source
from tests.conftest import ROOT, Golden
from tests.support.programs import check, rendered

EXAMPLES = sorted((ROOT / "examples").glob("*.lf"))
EVERY_FILE = sorted((ROOT / "examples").rglob("*.lf"))  # models, drivers and environments in folders of their own, too
PROGRAMS = [f for f in EXAMPLES if not f.stem.endswith("_env")]


def environments_of(program: Path) -> list[Path]:
    """`traffic_env.lf` stands in for the hardware of `traffic.lf`."""
    return [f for f in EXAMPLES if f.stem == f"{program.stem}_env"]


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda f: f.stem)
def test_an_example_is_right(file: Path, golden: Golden) -> None:
    program, diagnostics = check(file, environments_of(file))
    text = rendered(diagnostics, ROOT)
    assert program is not None and not diagnostics.has_errors, text
    golden(ROOT / "tests" / "golden" / "examples" / f"{file.stem}.txt", text)


@pytest.mark.parametrize("file", EVERY_FILE, ids=lambda f: str(f.relative_to(ROOT / "examples")))
def test_an_example_has_the_canonical_layout(file: Path) -> None:
    diagnostics = Diagnostics()
    source = read_source(file, diagnostics)
    assert source is not None
    assert format_source(source, diagnostics) == source.text, f"lfc fmt {file}"
