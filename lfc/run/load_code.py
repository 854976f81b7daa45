"""Loads object code into this process, by LLVM's just-in-time linker.

The functions of llvmlite's library are called as llvmlite's own package does. Importing that package takes longer than
all else that a check of a small program does; it is imported when something is compiled.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from threading import RLock
from typing import Any

from lfc.base.missing_tool import MissingOnThisMachine

OBJECT, LIBRARY = 2, 3  # kinds of elements
NAMES = {"linux": "libllvmlite.so", "darwin": "libllvmlite.dylib", "win32": "llvmlite.dll"}
_LOCK = RLock()  # llvmlite has one around its calls, too; a collection within may come to a `__del__`
_NUMBERS = count()


class Element(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_uint8), ("value", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class Symbol(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("address", ctypes.c_uint64)]


class CannotLoad(RuntimeError):
    """What the linker says."""


@cache
def library() -> Any:
    spec = find_spec("llvmlite")
    if spec is None or spec.origin is None:
        raise MissingOnThisMachine("llvmlite is not installed; install it with: pip install llvmlite")
    found = ctypes.CDLL(str(Path(spec.origin).parent / "binding" / NAMES.get(sys.platform, NAMES["linux"])))
    pointer, text = ctypes.c_void_p, ctypes.POINTER(ctypes.c_char_p)
    found.LLVMPY_CreateLLJITCompiler.argtypes = [pointer, ctypes.c_bool, ctypes.c_bool, text]
    found.LLVMPY_CreateLLJITCompiler.restype = pointer
    elements, symbols, size = ctypes.POINTER(Element), ctypes.POINTER(Symbol), ctypes.c_size_t
    found.LLVMPY_LLJIT_Link.argtypes = [pointer, ctypes.c_char_p, elements, size, symbols, size, symbols, size, text]
    found.LLVMPY_LLJIT_Link.restype = pointer
    found.LLVMPY_LLJIT_Dylib_Tracker_Dispose.argtypes = [pointer, text]
    found.LLVMPY_LLJIT_Dylib_Tracker_Dispose.restype = ctypes.c_bool
    found.LLVMPY_DisposeString.argtypes = [ctypes.c_char_p]
    found.LLVMPY_GetHostCPUName.argtypes = [text]
    found.LLVMPY_GetVersionInfo.restype = ctypes.c_uint
    found.LLVMPY_InitializeNativeTarget()
    found.LLVMPY_InitializeNativeAsmPrinter()
    return found


@cache
def linker() -> int:
    """One for the whole process, and never closed: what is loaded must not outlive it."""
    why = ctypes.c_char_p()
    with _LOCK:
        made = library().LLVMPY_CreateLLJITCompiler(None, False, False, ctypes.byref(why))
    if not made:
        raise CannotLoad(message(why))
    return int(made)


class LoadedCode(Mapping[str, int]):
    """Addresses by name; the code stays as long as this is kept."""

    def __init__(self, objects: Sequence[bytes], names: Sequence[str]) -> None:
        parts = [*((OBJECT, content) for content in objects), (LIBRARY, b"")]  # the last one: this process
        elements = (Element * len(parts))(*(Element(kind, content, len(content)) for kind, content in parts))
        wanted = (Symbol * len(names))(*(Symbol(name.encode(), 0) for name in names))
        why, jit = ctypes.c_char_p(), linker()
        with _LOCK:
            self._tracker = library().LLVMPY_LLJIT_Link(
                jit,
                f"lf{next(_NUMBERS)}".encode(),
                elements,
                len(parts),
                (Symbol * 0)(),
                0,
                wanted,
                len(names),
                ctypes.byref(why),
            )
        if not self._tracker:
            raise CannotLoad(message(why))
        self._addresses = {name: int(symbol.address) for name, symbol in zip(names, wanted, strict=True)}

    def __getitem__(self, name: str) -> int:
        return self._addresses[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._addresses)

    def __len__(self) -> int:
        return len(self._addresses)

    def __del__(self) -> None:
        tracker = getattr(self, "_tracker", None)
        if tracker and not sys.is_finalizing():
            why = ctypes.c_char_p()
            with _LOCK:
                library().LLVMPY_LLJIT_Dylib_Tracker_Dispose(tracker, ctypes.byref(why))


@cache
def host_cpu() -> str:
    """As LLVM calls the processor of this machine."""
    name = ctypes.c_char_p()
    library().LLVMPY_GetHostCPUName(ctypes.byref(name))
    return (name.value or b"").decode()


def llvm_version() -> int:
    return int(library().LLVMPY_GetVersionInfo())


def message(why: ctypes.c_char_p) -> str:
    return (why.value or b"the linker says nothing").decode(errors="replace")
