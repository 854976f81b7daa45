"""The engine as a shared library: built from its C sources by `ziglang`, and kept in a cache. What it declares is in
abi.py.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

from lfc.base.toolchain_files import ROOT
from lfc.mcheck.engine import abi
from lfc.toolchain.c_library import load_own_library
from lfc.toolchain.c_types import compare

FOLDER = Path(__file__).resolve().parent
CORES = Path(ROOT) / "isa" / "cores"
OF_IMAGES = "image"  # a room; no board has room for a wide program
NOT_OF_THE_LIBRARY = ("checker_policies.c", "oracle_policies.c")  # compiled with each program

INCLUDE = (FOLDER, CORES)  # where its headers are looked for


def sources(wide: bool = False) -> list[Path]:
    """Of the library, in C; those of the processors that it executes images with among them."""
    found = sorted(f for f in FOLDER.rglob("*.c") if f.name not in NOT_OF_THE_LIBRARY)
    return [f for f in found if f.parent.name != OF_IMAGES] if wide else [*found, *sorted(CORES.glob("*.c"))]


def headers() -> list[Path]:
    return [f for folder in INCLUDE for f in sorted(folder.rglob("*.h"))]


def library(wide: bool = False) -> ctypes.CDLL:
    """`wide`: for programs whose slots and ports have two bytes."""
    return _library(wide)


def opened(wide: bool) -> ctypes.CDLL:
    """The engine, built or from the cache. Its functions are not declared yet."""
    flags = ["-DLF_WIDE"] if wide else []
    return load_own_library(lambda: sources(wide), headers, INCLUDE, flags, "the checker's engine")


@cache
def _library(wide: bool) -> ctypes.CDLL:
    engine = opened(wide)
    compare(engine, abi.account(wide), "lfc/mcheck/engine/abi.py")
    abi.declare(engine, wide)
    return engine
