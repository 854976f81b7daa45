"""Builds the checker's engine for a sanitizer: compiled as the engine that ships is, linked with the system's run-time
library of the sanitizer, which a child process must load first.

Only what is compiled here is watched: not the code of programs, which the checker makes while it runs.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lfc.base.cache import cached
from lfc.mcheck.engine import library as engine_library
from lfc.toolchain.c_library import C_LIBRARY_ALONE, FLAGS, NATIVE
from lfc.toolchain.run_tools import content_key

HERE = Path(__file__).resolve().parent
SEEDED, MISSING = HERE / "seeded.c", HERE / "missing.c"
NOT_HERE = ("-O3", "-g0", "-fno-sanitize=all", "-shared", *C_LIBRARY_ALONE)  # of the flags of the engine that ships
WATCHED = ("-O1", "-gline-tables-only", "-fno-omit-frame-pointer", "-U_FORTIFY_SOURCE")


@dataclass(frozen=True)
class Sanitizer:
    name: str
    compiling: tuple[str, ...]
    libraries: tuple[str, ...]  # the first ones of the child process
    options: dict[str, str]  # of the environment; `{log}` is where reports go
    added: tuple[Path, ...] = ()  # C sources that nobody watches


THREAD = Sanitizer(
    "thread",
    ("-fno-sanitize=undefined", "-fsanitize=thread"),  # our compiler watches some of the undefined unless told not to
    ("libtsan.so",),
    {"TSAN_OPTIONS": "log_path={log}:exitcode=66:history_size=4"},
    (MISSING,),
)
MEMORY = Sanitizer(
    "memory",
    ("-fsanitize=address", "-fsanitize=undefined", "-fno-sanitize-trap=all"),  # named together, only one would count
    ("libasan.so", "libubsan.so"),
    {
        # The interpreter frees little at its end. Of what a failing test keeps, the tests say enough.
        "ASAN_OPTIONS": "log_path={log}:exitcode=66:detect_leaks=0:allocator_may_return_null=1",
        "UBSAN_OPTIONS": "print_stacktrace=1",
    },
)
SANITIZERS = {s.name: s for s in (THREAD, MEMORY)}


def run(command: list[str], folder: Path) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stdout}{done.stderr}"


def library_file(name: str) -> Path:
    """Of the system's compiler."""
    done = subprocess.run(["cc", f"-print-file-name={name}"], capture_output=True, text=True, check=True)
    path = Path(done.stdout.strip())
    assert path.is_file(), f"cc has no {name}: install the sanitizers of gcc (`lfc doctor --job test`)"
    return path.resolve()


def built_engine(sanitizer: Sanitizer) -> bytes:
    """The engine and the seeded mistakes, as a shared library."""
    sources = engine_library.sources()
    usual = [f for f in (*FLAGS, *NATIVE) if f not in NOT_HERE]
    include = [f"-I{f}" for f in engine_library.INCLUDE]
    compiling = [*usual, *WATCHED, *sanitizer.compiling]
    libraries = [library_file(name) for name in sanitizer.libraries]
    linking = ["cc", "-shared", "-pthread", *map(str, libraries)]

    def make() -> bytes:
        with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
            made, watched = Path(folder) / "engine.so", Path(folder) / "watched.o"
            compiler = [sys.executable, "-m", "ziglang", "cc", "-r"]
            run([*compiler, *compiling, *include, *map(str, sources), str(SEEDED), "-o", str(watched)], HERE)
            for n, source in enumerate(sanitizer.added):
                run(["cc", "-O1", "-fno-builtin", "-fPIC", "-c", str(source), "-o", f"{folder}/{n}.o"], HERE)
            added = [f"{folder}/{n}.o" for n in range(len(sanitizer.added))]
            run([linking[0], *linking[1:3], str(watched), *added, *linking[3:], "-o", str(made)], HERE)
            return made.read_bytes()

    key = content_key([*compiling, *linking], [*sources, *engine_library.headers(), SEEDED, *sanitizer.added])
    with (Path(tempfile.gettempdir()) / f"lfc-{key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # tests that run side by side would all build it
        return cached(f"{key}.{sanitizer.name}.so", make)
