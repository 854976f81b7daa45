"""Lists the packages and their data files. The rest is in pyproject.toml.

The list is computed, so that a new package or data file is never forgotten in a wheel. The folders `mcheck`, `boards`
and `runtime` lie beside `lfc` and are part of it: `lfc/mcheck` is a link to `mcheck`, which editors, type checkers and
an editable install follow.
"""

from __future__ import annotations

import os
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
NO_DATA = {".py", ".pyc", ".o", ".so", ".a", ".bc"}  # code, or what is built from a source that ships


def packages() -> dict[str, Path]:
    """Every folder that holds files; folders of data (library, pages, C sources) count as packages too."""
    found = {}
    for folder, folders, files in os.walk(HERE / "lfc", followlinks=True):
        folders[:] = sorted(f for f in folders if f != "__pycache__")
        if files:
            path = Path(folder)
            found[".".join(path.relative_to(HERE).parts)] = path
    return found


def data_files(folder: Path) -> list[str]:
    return sorted(f.name for f in folder.iterdir() if f.is_file() and f.suffix not in NO_DATA)


setup(
    packages=sorted(packages()),
    package_dir={"": "."},
    package_data={name: data_files(folder) for name, folder in packages().items()},
)
