"""How the types of LF are called in C.

Numbers have exact widths. C has no struct for a record: an opaque type stands for it, and functions read and write its
fields where the block has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    ArrayType,
    BooleanType,
    CharType,
    EnumerationType,
    OpenArrayType,
    RecordType,
    size_and_signedness,
)

if TYPE_CHECKING:
    from lfc.semantics.model.types import (
        Type,
    )

KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true "
    "false asm typeof nullptr constexpr alignas alignof thread_local static_assert".split()
)


class CNames:
    """The names of a program's types in C: `Module_Type`."""

    def __init__(self, program: typed.Program) -> None:
        self.names: dict[Type, str] = {}
        for module in program.modules:
            for named in module.types:
                if isinstance(named.type, RecordType | EnumerationType):
                    self.names.setdefault(named.type, f"{module.name}_{named.name}")

    def scalar(self, t: Type) -> str:
        """Of what a variable of this type is made of, arrays left out."""
        if t in self.names:
            return self.names[t]
        if isinstance(t, BooleanType):
            return "bool"
        if isinstance(t, CharType):
            return "char"
        size, signed = size_and_signedness(t)
        return f"{'' if signed else 'u'}int{8 * size}_t"

    def parameters(self, formal: typed.Variable, taken: set[str]) -> list[str]:
        """The parameters of the C function for one of the process."""
        name = free_name(formal.name, taken)
        by_address = formal.kind is typed.VariableKind.VAR
        const = "" if by_address else "const "
        t = formal.type
        if isinstance(t, OpenArrayType):
            length = free_name(f"{name}_length", taken)
            return [const + self.declared(t.element, f"{name}[]"), f"uint16_t {length}"]
        if isinstance(t, ArrayType):
            return [const + self.declared(t, name)]
        if isinstance(t, RecordType) or by_address:
            return [f"{const}{self.scalar(t)} *{name}"]
        return [f"{self.scalar(t)} {name}"]

    def declared(self, t: Type, name: str) -> str:
        """A variable of this type. Of an array of records, a pointer to the first one: C does not know their size."""
        base = t
        while isinstance(base, ArrayType):
            base = base.element
        if isinstance(base, RecordType):
            return f"{self.scalar(base)} *{name.removesuffix('[]')}"
        while isinstance(t, ArrayType):
            name += f"[{t.length}]"
            t = t.element
        return f"{self.scalar(t)} {name}"


def free_name(name: str, taken: set[str]) -> str:
    while name in KEYWORDS or name in taken:
        name += "_"
    taken.add(name)
    return name


def records_and_enumerations(process: typed.Process) -> list[Type]:
    """The types that its parameters are made of, inner before outer."""
    found: dict[Type, None] = {}

    def visit(t: Type) -> None:
        if isinstance(t, ArrayType | OpenArrayType):
            visit(t.element)
        elif isinstance(t, RecordType):
            for f in t.fields:
                visit(f.type)
            found[t] = None
        elif isinstance(t, EnumerationType):
            found[t] = None

    for formal in process.formals:
        visit(formal.type)
    return list(found)
