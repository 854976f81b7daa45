"""In a child process that a sanitizer watches: the engine that the environment names is the engine of all tests."""

from __future__ import annotations

import ctypes
import os

from lfc.mcheck.engine import library as engine_library

ENGINE = os.environ["LFC_TEST_ENGINE"]


def opened(wide: bool) -> ctypes.CDLL:
    assert not wide, "the engine for wide programs is not built for sanitizers"
    print(f"watched engine: {ENGINE}", flush=True)
    return ctypes.CDLL(ENGINE)


engine_library.opened = opened
