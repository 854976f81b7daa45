"""What the generated bindings to C (abi.py of the engine and of the cores) share: types of fields, and the comparison
of a binding with the library that was loaded.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from lfc.base.lazy_dataclass import dataclass

T = TypeVar("T")
SIGNED, FLOATING, TRUTH = 1, 2, 3
KINDS = {**dict.fromkeys("bhilq", SIGNED), "d": FLOATING, "?": TRUTH}  # by ctypes' letters; 0: any other type
WORD = 0xFFFFFFFF
REMEDY = "run `python -m lfc.mcheck.engine.generate_abi`"

if TYPE_CHECKING:

    class PointerTo(Generic[T]):
        """How a field that is a pointer is read and set."""

        def __get__(self, of: object, kind: object = None) -> ctypes._Pointer[Any]: ...
        def __set__(self, of: object, value: ctypes.Array[Any] | ctypes._Pointer[Any] | None) -> None: ...


class LayoutError(RuntimeError):
    """A library in C was built from other declarations than those that its binding was generated from."""


@dataclass(frozen=True, slots=True)
class Abi:
    """What a binding says of its library: structs, enums and constants by their names in C."""

    table: str  # the library's own account, as an array of words, and in `<table>_words` how many
    structs: Mapping[str, type[ctypes.Structure]]
    enums: Mapping[str, type[IntEnum]]
    constants: Mapping[str, int]

    def words(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """In the order of the library's account."""
        for name, struct in self.structs.items():
            words = [ctypes.sizeof(struct), len(struct._fields_)]
            for field in struct._fields_:
                place = getattr(struct, field[0])
                words += place.offset, place.size, kind_of(field[1])
            yield f"struct {name}", tuple(words)
        for name, enum in self.enums.items():
            yield f"enum {name}", tuple(x & WORD for x in enum)
        for name, value in self.constants.items():
            yield name, (value & WORD,)


def kind_of(type_: Any) -> int:
    code = getattr(type_, "_type_", None)
    return KINDS.get(code, 0) if isinstance(code, str) else 0


def compare(library: ctypes.CDLL, abi: Abi, binding: str) -> None:
    """Raises LayoutError."""
    count = ctypes.c_uint32.in_dll(library, f"{abi.table}_words").value
    there = tuple((ctypes.c_uint32 * count).in_dll(library, abi.table))
    at = 0
    for name, words in abi.words():
        if there[at : at + len(words)] != words:
            raise LayoutError(f"{name} of the loaded library is not that of {binding}: {REMEDY}")
        at += len(words)
    if at != count:
        raise LayoutError(f"the loaded library declares more than {binding}: {REMEDY}")
