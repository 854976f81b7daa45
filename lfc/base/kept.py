"""Objects of this toolchain as bytes, for the cache, and back: pickles, of classes of a closed list.

A pickle can name any function of any module to be called when it is read. These are read by a reader that knows the
classes of programs and machines, which hold data, and nothing else: what names something else is no entry.
Several objects may follow each other in one entry, and share parts: those of the second are those of the first.
"""

from __future__ import annotations

import io
import pickle
from collections.abc import Sequence
from importlib import import_module
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


# Objects that are there once, and compared by identity: an entry names them.
FIXED = ("lfc.semantics.model.types", "lfc.semantics.expressions.system")


class NotKept(Exception):
    """Bytes that name what no entry holds."""


class Reader(pickle.Unpickler):
    """`following` gives one object after the other."""

    def __init__(self, content: bytes | memoryview) -> None:
        super().__init__(io.BytesIO(content))

    def persistent_load(self, name: str) -> Any:
        module, _, own = name.partition(":")
        if module not in FIXED:
            raise NotKept(name)
        found = fixed_of(module).get(own)
        if found is None:
            raise NotKept(name)
        return found

    def following(self) -> Any:
        """Raises NotKept."""
        try:
            return self.load()
        except (
            pickle.UnpicklingError,
            EOFError,
            ImportError,
            AttributeError,
            LookupError,
            TypeError,
            ValueError,
        ) as why:
            raise NotKept(str(why)) from None

    def find_class(self, module: str, name: str) -> Any:
        if module not in MODULES or not name.isidentifier() or name not in NAMES.get(module, (name,)):
            raise NotKept(f"{module}.{name}")
        found = super().find_class(module, name)
        if not isinstance(found, type) or found.__module__ != module:
            raise NotKept(f"{module}.{name}")
        return found


class Writer(pickle.Pickler):
    def __init__(self, file: io.BytesIO) -> None:
        super().__init__(file, 5)
        self._names = {id(x): f"{module}:{own}" for module in FIXED for own, x in fixed_of(module).items()}

    def persistent_id(self, x: object) -> str | None:
        return self._names.get(id(x))


def fixed_of(module: str) -> dict[str, object]:
    """By name: what the module makes of the classes of types."""
    return {n: x for n, x in vars(import_module(module)).items() if type(x).__module__ == FIXED[0]}


def as_bytes(objects: Sequence[object]) -> bytes | None:
    """None: they hold what is not kept, or hang together too deeply."""
    file = io.BytesIO()
    writer = Writer(file)
    try:
        for x in objects:
            writer.dump(x)
    except (pickle.PicklingError, TypeError, AttributeError, RecursionError):
        return None
    return file.getvalue()
