"""ruff, mypy (strict) and the warnings of the C compiler over all rooms."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import ROOT

ROOMS = ["lfc", "runtime", "mcheck", "boards", "tests", "bench", "examples"]
INSTALLED_UNDER_LFC = ["runtime", "mcheck", "boards"]
C_FLAGS = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]


def run(*command: str | Path, cwd: Path = ROOT) -> None:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_ruff_check() -> None:
    run(sys.executable, "-m", "ruff", "check", ".")


def test_ruff_format() -> None:
    run(sys.executable, "-m", "ruff", "format", "--check", ".")


def test_mypy(tmp_path: Path) -> None:
    """In a tree where the rooms lie where they install, since mypy looks for `lfc.mcheck` in lfc/mcheck."""
    package = tmp_path / "lfc"
    package.mkdir()
    for entry in (ROOT / "lfc").iterdir():
        (package / entry.name).symlink_to(entry)
    for room in INSTALLED_UNDER_LFC:
        (package / room).symlink_to(ROOT / room)
    packages = ["-p", "lfc"]
    for room in ("tests", "bench"):
        (tmp_path / room).symlink_to(ROOT / room)
        if any((ROOT / room).rglob("*.py")):
            packages += ["-p", room]
    for script in ("pyproject.toml", "setup.py"):
        (tmp_path / script).symlink_to(ROOT / script)
    cache = ROOT / ".mypy_cache" / "rooms"
    run(sys.executable, "-m", "mypy", "--cache-dir", cache, *packages, cwd=tmp_path)


def c_sources() -> list[Path]:
    return sorted(f for room in ROOMS for f in (ROOT / room).rglob("*.c") if "build" not in f.parts)


def test_the_kernel_is_among_the_c_sources() -> None:
    headers = list((ROOT / "runtime").rglob("*.h"))
    assert not headers or any((ROOT / "runtime") in f.parents for f in c_sources())


@pytest.mark.parametrize("file", c_sources(), ids=lambda f: str(f.relative_to(ROOT)))
def test_c_warnings(file: Path) -> None:
    includes = [f"-I{folder}" for folder in (ROOT / "runtime", ROOT / "runtime" / "include") if folder.is_dir()]
    hosted = "-ffreestanding" if (ROOT / "runtime") in file.parents else "-fhosted"
    flags = [*C_FLAGS, hosted]
    run(sys.executable, "-m", "ziglang", "cc", *flags, *includes, file)
