"""The files of this toolchain, as their folders tell of them: what was kept is valid as long as none of them changes.

A version number would not do: whoever works on the toolchain changes files without it.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ROOT = str(Path(__file__).resolve().parent.parent)
CODE = (".py", ".c", ".h", ".S", ".json", ".toml", ".lf", ".so", ".ll", ".o")


def installation() -> tuple[str, int, int, int] | None:
    """What pip wrote when it installed these files; None: they lie in a tree where somebody works."""
    beside = os.path.dirname(ROOT)
    if os.path.basename(beside) not in ("site-packages", "dist-packages"):
        return None
    for name in os.listdir(beside):
        if name.startswith("lf_toolchain-") and name.endswith(".dist-info"):
            with suppress(OSError):
                s = os.stat(os.path.join(beside, name, "RECORD"))
                return name, s.st_size, s.st_mtime_ns, s.st_ino
    return None


@cache
def toolchain_files() -> tuple[tuple[str, int, int, int], ...]:
    """Path below the package, size, time of change, number of the file."""
    installed = installation()
    if installed is not None:
        return (installed,)
    return tuple(sorted(_below(ROOT, "")))


def _below(folder: str, path: str) -> Iterator[tuple[str, int, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(CODE):
                s = entry.stat()
                yield path + entry.name, s.st_size, s.st_mtime_ns, s.st_ino
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir():
                yield from _below(entry.path, f"{path}{entry.name}/")


def packages() -> list[tuple[str, int, int, int]]:
    """Those that compile, where they are installed."""
    found = []
    for name in ("llvmlite", "ziglang"):
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            s = os.stat(spec.origin)
            found.append((spec.origin, s.st_size, s.st_mtime_ns, s.st_ino))
    return found


@cache
def identity(suffixes: tuple[str, ...] = CODE) -> str:
    """A digest; of this installation, whatever its content."""
    digest = hashlib.sha256(f"{ROOT}\0{sys.version}\0{packages()!r}".encode())
    for file in toolchain_files():
        if file[0].endswith((*suffixes, ".dist-info")):
            digest.update(repr(file).encode())
    return digest.hexdigest()
