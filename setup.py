"""Lists the packages and their data files, and builds the engine ahead of time. The rest is in pyproject.toml.

The list is computed, so that a new package or data file is never forgotten in a wheel. The folders `mcheck`, `boards`
and `runtime` lie beside `lfc` and are part of it: `lfc/mcheck` is a link to `mcheck`, which editors, type checkers and
an editable install follow.

A wheel has `lfc/built`: what an installation would compile at its first check. `release/wheels.py` makes it for each
system, with all boards, and names it in LF_BUILT and LF_TAG; `pip install .` makes the engine for this machine. Where
that is not possible the wheel is one without, and the engine is compiled at the first check.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
NO_DATA = {".py", ".pyc", ".o", ".so", ".a", ".bc"}  # code, or what is built from a source that ships


def packages() -> dict[str, Path]:
    """Every folder that holds files; folders of data (library, pages, C sources) count as packages too."""
    found = {}
    for folder, folders, files in os.walk(HERE / "lfc", followlinks=True):
        folders[:] = sorted(f for f in folders if f not in ("__pycache__", "built"))
        if files:
            path = Path(folder)
            found[".".join(path.relative_to(HERE).parts)] = path
    return found


def data_files(folder: Path) -> list[str]:
    return sorted(f.name for f in folder.iterdir() if f.is_file() and f.suffix not in NO_DATA)


class WithEngine(build_py):
    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        folder, given = Path(self.build_lib) / "lfc" / "built", os.environ.get("LF_BUILT")
        shutil.rmtree(folder, ignore_errors=True)
        if given:
            shutil.copytree(given, folder)
        elif given is None:
            self.announce("lf-toolchain: compiling the checker's engine for this machine (half a minute)", level=3)
            command = [sys.executable, "-m", "release.ahead", str(folder.resolve())]
            if subprocess.run(command, cwd=HERE, check=False).returncode != 0:
                self.warn("the engine could not be compiled now; it will be compiled at the first check")


class ForOneSystem(bdist_wheel):
    """Of any version of Python, since the libraries are loaded by ctypes; of one system, since they are there."""

    def get_tag(self) -> tuple[str, str, str]:
        platform = os.environ.get("LF_TAG") or super().get_tag()[2]
        return "py3", "none", platform


class HasLibraries(Distribution):
    def has_ext_modules(self) -> bool:
        return os.environ.get("LF_BUILT") != ""


setup(
    packages=sorted(packages()),
    package_dir={"": "."},
    package_data={name: data_files(folder) for name, folder in packages().items()},
    cmdclass={"build_py": WithEngine, "bdist_wheel": ForOneSystem},
    distclass=HasLibraries,
)
