"""The tables of functions between kernel, program and policies are what the headers declare, with parameters."""

from __future__ import annotations

import re
from pathlib import Path

from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "reference" / "machine.md").read_text(encoding="utf-8")
HEADER = ROOT / "runtime" / "kernel" / "lf.h"
CHECKER = ROOT / "mcheck" / "engine" / "model" / "checker_policies.c"
DECLARED = re.compile(r"^(?! )[\w ]+? \**(lf_(?:policy|program|split)_\w+|lf_fault)\(([^;{]*)\);", re.MULTILINE)


def declared_in(file: Path) -> set[str]:
    """`name(parameter, ...)` of each, without the block that is the first parameter of all."""
    text = re.sub(r"/\*.*?\*/", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
    found = set()
    for name, parameters in DECLARED.findall(text):
        block, *others = [p.split()[-1].lstrip("*") for p in parameters.split(",")]
        assert block == "b", name
        found.add(f"{name}({', '.join(others)})")
    return found


def listed() -> list[str]:
    section = PAGE[PAGE.index("## 3. ") : PAGE.index("### The policy block")]
    columns = [line.split("|")[1] for line in section.splitlines() if line.startswith("| `")]
    return re.findall(r"`(\w+\([^`]*\))`", "".join(columns))


def test_the_tables_list_each_function_once_with_its_parameters() -> None:
    declared = declared_in(HEADER) | declared_in(CHECKER)
    assert len(declared) > 30
    assert sorted(listed()) == sorted(declared)
