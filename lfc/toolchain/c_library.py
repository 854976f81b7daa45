"""C sources of ours as a shared library of this machine: built when it is first asked for, and kept in the cache."""

from __future__ import annotations

import ctypes
import hashlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from lfc.base.cache import cached
from lfc.base.notices import once
from lfc.base.toolchain_files import identity
from lfc.toolchain.load_library import load_library

FLAGS = (
    "-std=gnu11",
    "-O3",
    "-mcpu=native",
    "-g0",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-sanitize=all",
    "-shared",
    "-fPIC",
    "-pthread",
)
Files = Callable[[], Sequence[Path]]


def load_c_library(
    sources: Sequence[Path], headers: Sequence[Path], folders: Sequence[Path], flags: Sequence[str], what: str
) -> ctypes.CDLL:
    """`folders`: where headers are looked for. `what`: its name, for what is said of it."""
    return _load(_name(sources, headers, flags), sources, folders, flags, what)


def load_own_library(
    sources: Files, headers: Files, folders: Sequence[Path], flags: Sequence[str], what: str
) -> ctypes.CDLL:
    """Of this package. Its files are read only when one has changed."""
    of = "\0".join((what, *flags, identity((".c", ".h"))))
    name = cached(
        f"{hashlib.sha256(of.encode()).hexdigest()}.name", lambda: _name(sources(), headers(), flags).encode()
    )
    return _load(name.decode(), sources, folders, flags, what)


def _load(
    name: str, sources: Sequence[Path] | Files, folders: Sequence[Path], flags: Sequence[str], what: str
) -> ctypes.CDLL:
    def make() -> bytes:
        from lfc.toolchain.run_tools import run_tool

        with tempfile.TemporaryDirectory(prefix="lfc-") as folder, once(f"compiling {what}"):
            made = Path(folder) / "made.so"
            places = [f"-I{f}" for f in folders]
            files = sources() if callable(sources) else sources
            arguments = [*FLAGS, *flags, *places, *map(str, files), "-o", str(made)]
            run_tool("cc", arguments, folders[0], f"{what} cannot be compiled")
            return made.read_bytes()

    return load_library(cached(name, make, alone=True))


def _name(sources: Sequence[Path], headers: Sequence[Path], flags: Sequence[str]) -> str:
    from lfc.toolchain.run_tools import content_key

    return content_key([*FLAGS, *flags], [*sources, *headers]) + ".so"
