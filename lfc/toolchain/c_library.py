"""C sources of ours as a shared library of this machine: built when it is first asked for, and kept in the cache."""

from __future__ import annotations

import ctypes
import hashlib
import os
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from lfc.base.cache import cached, read_from, shipped_folder
from lfc.base.notices import once
from lfc.base.toolchain_files import ROOT, identity
from lfc.toolchain.instruction_levels import SYSTEMS, System, flags_for, levels_here, this_system
from lfc.toolchain.load_library import load_library

# Linked with the system's C library and nothing else. The compiler's own run-time library is compiled where the cache
# has none, which takes longer than the engine. Our code needs nothing of it; what is missing fails where it is loaded.
C_LIBRARY_ALONE = ("-nostdlib", "-lc")
FLAGS = (
    "-std=gnu11",
    "-O3",
    "-g0",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-fno-sanitize=all",
    "-Xclang",
    "-fexperimental-max-bitint-width=65536",  # sets of slots are one number, which clang has on ARM only if it is asked
    "-shared",
    "-fPIC",
    "-pthread",
    *C_LIBRARY_ALONE,
)
NATIVE = ("-mcpu=native",)
Files = Callable[[], Sequence[Path]]


def load_c_library(
    sources: Sequence[Path], headers: Sequence[Path], folders: Sequence[Path], flags: Sequence[str], what: str
) -> ctypes.CDLL:
    """`folders`: where headers are looked for. `what`: its name, for what is said of it."""
    return _load(_name(sources, headers, [*flags, *NATIVE]), sources, folders, flags, what)


def load_own_library(
    sources: Files, headers: Files, folders: Sequence[Path], flags: Sequence[str], what: str
) -> ctypes.CDLL:
    """Of this package. Its files are read only when one has changed. What was built ahead is taken first, the best that
    this machine can execute; else it is built for just this machine."""
    of = hashlib.sha256("\0".join((what, *flags, identity((".c", ".h")))).encode()).hexdigest()

    def names() -> bytes:
        return "\n".join(_names(sources(), headers(), flags)).encode()

    listed = cached(f"{of}.names", names) if are_ours(folders) else names()
    *ahead, native = listed.decode().split("\n")
    for name in ahead:
        content = read_from(shipped_folder(), name)
        if content is not None:
            return load_library(content)
    return _load(native, sources, folders, flags, what)


def are_ours(folders: Sequence[Path]) -> bool:
    """Folders of this package, of whose files it is known whether one has changed."""
    own = {os.path.realpath(os.path.join(ROOT, room)) for room in ("mcheck/engine", "isa/cores")}
    return own.issuperset(os.path.realpath(f) for f in folders)


def _names(sources: Sequence[Path], headers: Sequence[Path], flags: Sequence[str]) -> list[str]:
    """Of what is built ahead for the levels of this machine, the best one first, then of what is built for it alone."""
    system = SYSTEMS.get(this_system())
    ahead = [] if system is None else [flags_for(system, level) for level in levels_here()]
    return [_name(sources, headers, [*flags, *more]) for more in (*ahead, NATIVE)]


def build_ahead(
    sources: Sequence[Path], headers: Sequence[Path], folders: Sequence[Path], flags: Sequence[str], system: System
) -> dict[str, bytes]:
    """By name, a library for each level of a system."""
    found = {}
    for level in system.levels:
        more = [*flags, *flags_for(system, level)]
        found[_name(sources, headers, more)] = compile_library(sources, folders, more, "a library")
    return found


def _load(
    name: str, sources: Sequence[Path] | Files, folders: Sequence[Path], flags: Sequence[str], what: str
) -> ctypes.CDLL:
    def make() -> bytes:
        with once(f"compiling {what}"):
            files = sources() if callable(sources) else sources
            return compile_library(files, folders, [*flags, *NATIVE], what)

    return load_library(cached(name, make, alone=True))


def compile_library(sources: Sequence[Path], folders: Sequence[Path], flags: Sequence[str], what: str) -> bytes:
    from lfc.toolchain.run_tools import run_tool

    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        made = Path(folder) / "made.so"
        places = [f"-I{f}" for f in folders]
        arguments = [*FLAGS, *flags, *places, *map(str, sources), "-o", str(made)]
        run_tool("cc", arguments, folders[0], f"{what} cannot be compiled")
        return made.read_bytes()


def _name(sources: Sequence[Path], headers: Sequence[Path], flags: Sequence[str]) -> str:
    from lfc.toolchain.run_tools import content_key

    return content_key([*FLAGS, *flags], [*sources, *headers]) + ".so"
