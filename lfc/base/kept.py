"""Objects of this toolchain as bytes, for the cache, and back: pickles, of classes of a closed list.

A pickle can name any function of any module to be called when it is read. These are read by a reader that knows the
classes of programs and machines, which hold data, and nothing else: what names something else is no entry.
Several objects may follow each other in one entry, and share parts: those of the second are those of the first.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from typing import Any

MODULES = (
    "lfc.base.source",
    "lfc.diagnostics.model",
    "lfc.semantics.model.types",
    "lfc.semantics.model.typed",
    "lfc.actions.model.machine",
    "lfc.codegen.module.generated",
    "lfc.mcheck.model.description",
    "lfc.mcheck.engine.abi",
)
NAMES = {"lfc.mcheck.engine.abi": ("ActionKind", "TimeMode")}  # of these modules only these


class NotKept(Exception):
    """Bytes that name what no entry holds."""


class Reader(pickle.Unpickler):
    """`load` gives one object after the other."""

    def __init__(self, content: bytes | memoryview) -> None:
        super().__init__(io.BytesIO(content))

    def find_class(self, module: str, name: str) -> Any:
        if module not in MODULES or not name.isidentifier() or name not in NAMES.get(module, (name,)):
            raise NotKept(f"{module}.{name}")
        found = super().find_class(module, name)
        if not isinstance(found, type) or found.__module__ != module:
            raise NotKept(f"{module}.{name}")
        return found


def as_bytes(objects: Sequence[object]) -> bytes | None:
    """None: they hold what is not kept, or hang together too deeply."""
    file = io.BytesIO()
    writer = pickle.Pickler(file, 5)
    try:
        for x in objects:
            writer.dump(x)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
        return None
    return file.getvalue()
