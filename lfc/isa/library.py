"""The cores as a shared library: processors that execute machine code one instruction at a time."""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

from lfc.isa import abi
from lfc.toolchain.c_library import load_own_library
from lfc.toolchain.c_types import compare

CORES = Path(__file__).resolve().parent / "cores"


@cache
def library() -> ctypes.CDLL:
    sources, headers = lambda: sorted(CORES.glob("*.c")), lambda: sorted(CORES.glob("*.h"))
    cores = load_own_library(sources, headers, [CORES], [], "the simulated processors")
    compare(cores, abi.account(), "lfc/isa/abi.py")
    abi.declare(cores)
    return cores
