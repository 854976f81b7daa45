"""Lists the packages: every room installs under the one name `lfc`, with its data files. The rest is in pyproject.toml.

The list is computed, so that a new package or data file is never forgotten in a wheel.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import setup

HERE = Path(__file__).resolve().parent
ROOMS = {"lfc": "lfc", "lfc.runtime": "runtime", "lfc.mcheck": "mcheck", "lfc.boards": "boards"}
NO_DATA = {".py", ".pyc", ".o", ".so", ".a", ".bc"}  # code, or what is built from a source that ships


def folders(room: Path) -> list[Path]:
    """Every folder of a room that holds files; folders of data (library, pages, C sources) count as packages too."""
    found = [room, *(p for p in sorted(room.rglob("*")) if p.is_dir())]
    return [p for p in found if p.name != "__pycache__" and any(f.is_file() for f in p.iterdir())]


def packages() -> dict[str, Path]:
    return {
        ".".join([name, *folder.relative_to(HERE / room).parts]): folder
        for name, room in ROOMS.items()
        for folder in folders(HERE / room)
    }


def data_files(folder: Path) -> list[str]:
    return sorted(f.name for f in folder.iterdir() if f.is_file() and f.suffix not in NO_DATA)


setup(
    packages=sorted(packages()),
    package_dir=ROOMS,
    package_data={name: data_files(folder) for name, folder in packages().items()},
)
