"""C sources of ours as a shared library of this machine: built when it is first asked for, and kept in the cache."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lfc.base.notices import once
from lfc.toolchain.run_tools import cached, content_key, run_tool

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


def load_c_library(
    sources: Sequence[Path], headers: Sequence[Path], folders: Sequence[Path], flags: Sequence[str], what: str
) -> ctypes.CDLL:
    """`folders`: where headers are looked for. `what`: its name, for what is said of it."""
    flags = [*FLAGS, *flags]

    def make() -> bytes:
        with tempfile.TemporaryDirectory(prefix="lfc-") as folder, once(f"compiling {what}"):
            made = Path(folder) / "made.so"
            places = [f"-I{f}" for f in folders]
            arguments = [*flags, *places, *map(str, sources), "-o", str(made)]
            run_tool("cc", arguments, folders[0], f"{what} cannot be compiled")
            return made.read_bytes()

    content = cached(content_key(flags, [*sources, *headers]) + ".so", make)
    with tempfile.NamedTemporaryFile(prefix="lfc-", suffix=".so") as file:
        file.write(content)
        file.flush()
        return ctypes.CDLL(file.name)
