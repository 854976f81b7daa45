"""Where tests and their helpers lie, and that documentation finds them."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

from tests.conftest import ROOT

TESTS = ROOT / "tests"
MOST_FILES = 25  # of Python in one folder: more than a reader looks through
NAMED = re.compile(r"python -m (tests(?:\.\w+)+)|`(tests/[\w/.]+)`")


def modules() -> list[Path]:
    return sorted(TESTS.rglob("*.py"))


def imported(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_no_module_imports_from_a_test() -> None:
    tests = {".".join(f.relative_to(ROOT).with_suffix("").parts) for f in modules() if f.name.startswith("test_")}
    wrong = {str(f.relative_to(ROOT)): sorted(imported(f) & tests) for f in modules()}
    assert {file: names for file, names in wrong.items() if names} == {}


def test_helpers_say_what_they_are_for() -> None:
    silent = [
        str(f.relative_to(ROOT))
        for f in modules()
        if f.name != "__init__.py" and not ast.get_docstring(ast.parse(f.read_text(encoding="utf-8")))
    ]
    assert silent == []


def test_folders_can_be_looked_through() -> None:
    files = Counter(f.parent.relative_to(ROOT).as_posix() for f in modules())
    assert {folder: count for folder, count in files.items() if count > MOST_FILES} == {}


def test_what_documentation_names_is_there() -> None:
    missing, found = [], 0
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for module, path in NAMED.findall(page.read_text(encoding="utf-8")):
            found += 1
            place = ROOT / (module.replace(".", "/") + ".py" if module else path)
            package = ROOT / module.replace(".", "/") / "__main__.py"
            if not place.exists() and not (module and package.exists()):
                missing.append(f"{page.name}: {module or path}")
    assert missing == []
    assert found > 40
