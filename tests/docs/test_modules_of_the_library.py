"""Every process that a module of the library exports is told on a page."""

from __future__ import annotations

import re

import pytest

from lfc.base.library_folder import LIBRARY_FOLDERS
from tests.conftest import ROOT

PAGES = "".join(f.read_text() for f in sorted((ROOT / "docs" / "reference").glob("*.md")))
# What only drivers and models below use.
INNER = (
    *("ChipRegisters", "EnvBanks", "EnvByte", "EnvCells", "EnvEvents", "EnvKept", "EnvLevels", "EnvPages"),
    *("EnvSample", "EnvVoltages", "I2CBus", "SPIBus", "SerialBuffer", "SerialBytes"),
)
MODULES = {f.stem: f for folder in LIBRARY_FOLDERS for f in sorted(folder.glob("*.lf")) if f.stem not in INNER}


@pytest.mark.parametrize("module", MODULES)
def test_every_exported_process_is_told(module: str) -> None:
    text = MODULES[module].read_text()
    names = re.findall(r"^PROCESS (\w+)\*", text, re.M)
    told = [n for n in names if f"`{module}.{n}" in PAGES or f"`{n}`" in PAGES]
    assert told == names, set(names) - set(told)


def test_inner_modules_are_there() -> None:
    found = {f.stem for folder in LIBRARY_FOLDERS for f in folder.glob("*.lf")}
    assert found >= set(INNER)
