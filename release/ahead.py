"""Builds ahead of time what an installation would compile at its first check, run and build.

    python -m release.ahead FOLDER [--system linux-x86_64] [--boards]

writes entries of the cache (lfc/base/cache.py) into FOLDER, which a wheel has as `lfc/built`: the checker's engine and
the simulated processors for each instruction level of the system, the kernel for programs of this machine, and with
`--boards` kernel and port of every board. They are made by the functions that make them when they are missing, under
the names that these ask for: so they are, byte for byte, what would be made there. Needs `ziglang`, and of this
project's own dependencies nothing (with `--boards`: all).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path

from lfc.base.cache import cache_folder, read_from, write_to
from lfc.toolchain.c_library import build_ahead
from lfc.toolchain.instruction_levels import SYSTEMS, System, this_system
from lfc.toolchain.run_tools import COMPILER, compiler_version

ENTRIES = (".ll", ".o", ".so")  # what a compiler makes
ON_THIS_KERNEL = ("kernel/kernel.c", "ports/host/host.c")


def engines(system: System) -> dict[str, bytes]:
    from lfc.isa import library as isa
    from lfc.mcheck.engine import library as engine

    own = isa.CORES
    headers = engine.headers()
    jobs = [
        partial(build_ahead, engine.sources(), headers, engine.INCLUDE, [], system),
        partial(build_ahead, engine.sources(wide=True), headers, engine.INCLUDE, ["-DLF_WIDE"], system),
        partial(build_ahead, sorted(own.glob("*.c")), sorted(own.glob("*.h")), [own], [], system),
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return {name: content for made in pool.map(called, jobs) for name, content in made.items()}


def called(job: Callable[[], dict[str, bytes]]) -> dict[str, bytes]:
    return job()


def kernels(system: System) -> None:
    """Of programs of the system itself, narrow and wide, under each of the policies."""
    from lfc.mcheck.engine.library import FOLDER
    from lfc.run.native import kernel_command
    from lfc.toolchain.run_tools import compile_c_for

    policies: list[str | Path] = [FOLDER / "model" / "checker_policies.c", FOLDER / "image" / "oracle_policies.c"]
    for wide in (False, True):
        for source in [*ON_THIS_KERNEL, *policies]:
            compile_c_for(*kernel_command(source, wide, system.kernel))


@cache
def boards() -> dict[str, bytes]:
    """Kernel and port of each board that ships, plain and traced, for every system. Interrupts that a program names are
    left to it."""
    found: dict[str, bytes] = {}
    with collected(found):
        compile_boards()
    return found


def compile_boards() -> None:
    from lfc.boards.descriptions.board import board_names, load_board
    from lfc.image.firmware import compile_kernel
    from lfc.link.port import build_port

    for name in board_names():
        board = load_board(name)
        build_port(board)
        for trace in (False, True):
            compile_kernel(board, trace)


@contextmanager
def collected(into: dict[str, bytes]) -> Iterator[None]:
    """What is kept in the cache meanwhile."""
    before = os.environ.get("XDG_CACHE_HOME")
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
            for name in os.listdir(cache_folder()):
                content = read_from(cache_folder(), name)
                if name.endswith(ENTRIES) and content is not None:
                    into[name] = content
        finally:
            if before is None:
                del os.environ["XDG_CACHE_HOME"]
            else:
                os.environ["XDG_CACHE_HOME"] = before


def build(folder: Path, system: str, with_boards: bool) -> int:
    """How many entries there are."""
    found = engines(SYSTEMS[system])
    with collected(found):
        kernels(SYSTEMS[system])
    if with_boards:
        found |= boards()
    found[COMPILER] = compiler_version().encode()
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in sorted(found.items()):
        write_to(str(folder), name, content)
        os.chmod(folder / name, 0o644)
    return len(found)


def main() -> None:
    parser = argparse.ArgumentParser(prog="release.ahead")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--system", choices=list(SYSTEMS), default=this_system())
    parser.add_argument("--boards", action="store_true")
    given = parser.parse_args()
    print(f"{build(given.folder, given.system, given.boards)} entries for {given.system}", file=sys.stderr)


if __name__ == "__main__":
    main()
