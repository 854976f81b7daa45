"""Loads the content of a shared library that was read and found whole."""

from __future__ import annotations

import ctypes
import os
import tempfile

_OPEN: list[int] = []  # of files in memory: the loader knows a library by its path, so that no number may come again


def load_library(content: bytes) -> ctypes.CDLL:
    """From memory, where the system can: what happens to a file afterwards, or between reading and loading it, is of no
    matter."""
    try:
        handle = os.memfd_create("lfc")
    except (AttributeError, OSError):
        return _load_from_file(content)
    with open(handle, "wb", closefd=False) as file:
        file.write(content)
    path = f"/proc/self/fd/{handle}"
    if not os.path.exists(path):
        os.close(handle)
        return _load_from_file(content)
    _OPEN.append(handle)
    return ctypes.CDLL(path)


def _load_from_file(content: bytes) -> ctypes.CDLL:
    with tempfile.TemporaryDirectory(prefix="lfc-", ignore_cleanup_errors=True) as folder:
        path = os.path.join(folder, "library.so")
        with open(path, "wb") as file:
            file.write(content)
        return ctypes.CDLL(path)
