"""Generates the bindings to C: mcheck/engine/abi.py from the headers in mcheck/engine/api, lfc/isa/abi.py from those of
the cores in lfc/isa/cores; and beside the headers abi_table.c, which tells when the library is loaded how it was built.

    python -m lfc.mcheck.engine.generate_abi

Run it after each change of these headers, and commit what it writes. It is for development: nothing imports it at run
time. tests/mcheck/test_abi.py fails where the files that are there are not what it would write.

To give Python a struct, an enum, a constant (of an enum without a tag) or a function, declare it in one of these
headers. `struct mc_walk_options` becomes
WalkOptions, `enum img_place` ImagePlace (its members without what their names have in common), MC_FOOT_WORDS
FOOT_WORDS. A field that points to a function gets a type of its own, WatcherStep of the field `step` of `struct
mc_watcher`; a parameter that does needs a typedef, whose name it gets. Arguments that point to bytes take anything that
has an address, so do pointers in callbacks. A constant that is another one for wide programs is a pair: narrow, wide.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from keyword import iskeyword
from os.path import commonprefix
from pathlib import Path
from textwrap import wrap

from lfc.isa.library import CORES
from lfc.mcheck.engine.library import FOLDER
from lfc.toolchain.c_declarations import (
    Array,
    CType,
    Declarations,
    Named,
    Pointer,
    Scalar,
    Signature,
    Struct,
    Void,
    read_declarations,
)

GENERATOR = "lfc.mcheck.engine.generate_abi"
PREFIXES = {"mc": "", "img": "image", "cy": "cycle"}  # of names in C, and what becomes of them
WIDE = ("-DLF_WIDE",)
LINE, NO_BREAK = 120, "\0"
BYTE, CHAR = Scalar("uint", 1), Scalar("char", 1)


@dataclass(frozen=True, slots=True)
class Binding:
    what: str
    python: Path
    table: Path  # the source in C
    name: str  # of the table
    folder: Path
    headers: tuple[Path, ...]  # in this folder
    has_wide: bool

    @property
    def files(self) -> dict[Path, str]:
        """What they are to contain."""
        read = [read_declarations(self.headers, (self.folder,), flags) for flags in ((), WIDE)[: 1 + self.has_wide]]
        writer = Writer(self, read[0], read[-1])
        return {
            f: "\n".join(lines) + "\n" for f, lines in ((self.python, writer.python()), (self.table, writer.table()))
        }


def bindings(engine: Path = FOLDER, cores: Path = CORES) -> list[Binding]:
    api = [h.relative_to(engine) for h in sorted((engine / "api").glob("*.h"))]
    of_cores = (Path("avr.h"), Path("thumb.h"), Path("riscv.h"))
    return [
        Binding(
            "the checker's engine",
            engine / "abi.py",
            engine / "api" / "abi_table.c",
            "mc_abi",
            engine,
            (Path("api/slots.h"), *api),
            True,
        ),
        Binding(
            "the simulated processors",
            cores.parent / "abi.py",
            cores / "abi_table.c",
            "cores_abi",
            cores,
            of_cores,
            False,
        ),
    ]


class NotBindable(Exception):
    """Something in a header for which there is no rule."""


class Writer:
    def __init__(self, binding: Binding, narrow: Declarations, wide: Declarations) -> None:
        self.binding, self.narrow, self.wide = binding, narrow, wide
        self.callbacks: dict[str, Signature] = {}  # by the name of the class
        self.structs = self._ordered()
        for tag in self.structs:
            if narrow.structs[tag] != wide.structs[tag]:
                raise NotBindable(f"struct {tag} is another one for wide programs: give its fields the same types")
        for tag, members in narrow.enums.items():
            if members != wide.enums[tag]:
                raise NotBindable(f"enum {tag} is another one for wide programs")

    def _ordered(self) -> list[str]:
        """The structs, each after those that it names."""
        found: dict[str, None] = {}

        def visit(t: CType) -> None:
            match t:
                case Pointer(of) | Array(of, _) if not isinstance(of, Signature):
                    visit(of)
                case Named(tag) if tag in self.narrow.structs and tag not in found:
                    for f in self.narrow.structs[tag].fields:
                        visit(f.type)
                    found[tag] = None

        for tag in sorted(self.narrow.structs):
            visit(Named(tag))
        return list(found)

    # --- abi.py ------------------------------------------------------------------------------------------------------

    def python(self) -> Iterator[str]:
        constants = [line for name in self.narrow.constants for line in self._constant(name)]
        classes = [line for tag in self.structs for line in self._class(self.narrow.structs[tag])]
        declare = list(self._declare())
        callbacks = [self._callback(name, s) for name, s in self.callbacks.items()]
        used = {*re.findall(r"\w+", "\n".join([*classes, *declare, *callbacks]))}
        yield f'"""The binding to {self.binding.what}.'
        yield ""
        yield f"Written by {GENERATOR}: change the headers, and run it."
        yield '"""\n'
        yield "# fmt: off"
        yield "from __future__ import annotations\n"
        yield "from ctypes import ("
        yield from (f"    {name}," for name in CTYPES if name in used)
        yield ")"
        yield "from enum import IntEnum"
        yield "from typing import TYPE_CHECKING, Any\n"
        yield "from lfc.toolchain.c_types import Abi\n"
        yield "if TYPE_CHECKING:"
        yield "    from lfc.toolchain.c_types import PointerTo\n"
        yield from constants
        for tag, members in self.narrow.enums.items():
            yield from enum_lines(tag, members)
        yield "\n"
        yield from callbacks
        yield from classes
        yield from self._account()
        yield from declare

    def _constant(self, name: str) -> Iterator[str]:
        value, other = self.narrow.constants[name], self.wide.constants[name]
        yield f"{constant_name(name)} = {value if value == other else (value, other)}"

    def _class(self, s: Struct) -> Iterator[str]:
        yield f"\n\nclass {class_name(s.tag)}(Structure):"
        yield f'    """`struct {s.tag}`"""'
        yield from wrapped(
            "    _fields_ = [", [f'("{f.name}", {self._field(s, f.name, f.type)})' for f in s.fields], "]"
        )
        for f in s.fields:
            if iskeyword(f.name):
                raise NotBindable(f"{f.name} of struct {s.tag} is a word of Python")
            yield f"    {f.name}: {self._annotation(f.type)}"

    def _field(self, s: Struct, name: str, t: CType) -> str:
        match t:
            case Pointer(Signature() as signature):
                callback = class_name(f"{s.tag}_{name}")
                self.callbacks[callback] = signature
                return callback
            case Pointer(of):
                return f"POINTER({self._value(of)})" if self._is_known(of) else "c_void_p"
            case Array(of, count):
                return f"{self._field(s, name, of)} * {count}"
        return self._value(t)

    def _is_known(self, of: CType) -> bool:
        return (isinstance(of, Scalar) and of != CHAR) or (isinstance(of, Named) and of.tag in self.structs)

    def _value(self, t: CType) -> str:
        match t:
            case Scalar("bool" | "char" as kind, 1):
                return f"c_{kind}"
            case Scalar("float", 8):
                return "c_double"
            case Scalar("int" | "uint" as kind, size):
                return f"c_{kind}{8 * size}"
            case Named(tag):
                return class_name(tag)
            case Void():
                return "None"
        raise NotBindable(f"{t}")

    def _annotation(self, t: CType) -> str:
        match t:
            case Scalar("int" | "uint", _):
                return "int"
            case Scalar(kind, _):
                return kind
            case Named(tag):
                return class_name(tag)
            case Array():
                return "Array[Any]"
            case Pointer(of) if self._is_known(of):
                return f"PointerTo[{self._value(of)}]"
        return "Any"

    def _callback(self, name: str, s: Signature) -> str:
        """Its pointers are numbers: what they point to is the callback's to know."""
        types = ["c_void_p" if isinstance(t, Pointer) else self._value(t) for t in (s.result, *s.parameters)]
        return f"{name} = CFUNCTYPE({', '.join(types)})"

    def _argument(self, t: CType) -> str:
        match t:
            case Pointer(Signature() as signature) if signature.name:
                name = class_name(signature.name)
                self.callbacks[name] = signature
                return name
            case Pointer(Signature()):
                raise NotBindable(f"a parameter that is a function needs a typedef: {t}")
            case Pointer(of) if of == CHAR:
                return "c_char_p"
            case Pointer(of) if of == BYTE or not self._is_known(of):
                return "c_void_p"
            case Pointer(of):
                return f"POINTER({self._value(of)})"
        return self._value(t)

    def _both(self, one: CType, other: CType, function: str) -> str:
        """For narrow and wide programs."""
        if one == other:
            return self._argument(one)
        if isinstance(one, Pointer) and isinstance(other, Pointer):
            return "c_void_p"
        raise NotBindable(f"{function} is another one for wide programs")

    def _prototype(self, name: str) -> str:
        one, other = self.narrow.functions[name], self.wide.functions.get(name, self.narrow.functions[name])
        pairs = zip((one.result, *one.parameters), (other.result, *other.parameters), strict=True)
        result, *arguments = [self._both(x, y, name) for x, y in pairs]
        return f'"{name}": ({result}, [{", ".join(arguments)}])'

    def _declare(self) -> Iterator[str]:
        both = [self._prototype(name) for name in self.narrow.functions if name in self.wide.functions]
        narrow = [self._prototype(name) for name in self.narrow.functions if name not in self.wide.functions]
        yield f"\n\ndef declare(library: CDLL{', wide: bool' if self.binding.has_wide else ''}) -> None:"
        yield '    """Result and arguments of each function."""'
        yield from wrapped("    prototypes: dict[str, tuple[Any, list[Any]]] = {", both, "}")
        if narrow:
            yield "    if not wide:"
            yield from wrapped("        prototypes |= {", narrow, "}")
        yield "    for name, (result, arguments) in prototypes.items():"
        yield "        function = getattr(library, name)"
        yield "        function.restype, function.argtypes = result, arguments"

    def _account(self) -> Iterator[str]:
        yield f"\n\ndef account({'wide: bool' if self.binding.has_wide else ''}) -> Abi:"
        yield '    """What the library must say of itself."""'
        for name, tags in (("structs", self.structs), ("enums", list(self.narrow.enums))):
            yield from wrapped(f"    {name} = {{", [f'"{tag}": {class_name(tag)}' for tag in tags], "}")
        constants = [
            f'"{name}": {constant_name(name)}{"" if value == self.wide.constants[name] else "[wide]"}'
            for name, value in self.narrow.constants.items()
        ]
        yield from wrapped("    constants = {", constants, "}")
        yield f'    return Abi("{self.binding.name}", structs, enums, constants)'

    # --- abi_table.c -------------------------------------------------------------------------------------------------

    def table(self) -> Iterator[str]:
        name, headers = self.binding.name, "\n".join(f'#include "{h}"' for h in self.binding.headers)
        yield TABLE.format(self.binding.python.name, GENERATOR, headers)
        yield f"const uint32_t {name}[] = {{"
        for tag in self.structs:
            fields = self.narrow.structs[tag].fields
            parts = [f"sizeof(struct {tag})", str(len(fields)), *(f"PART({tag}, {f.name})" for f in fields)]
            yield from wrapped("", parts, "")
        for members in [*self.narrow.enums.values(), self.narrow.constants]:
            yield from wrapped("", [f"(uint32_t){member}" for member in members], "")
        yield "};\n"
        yield f"const uint32_t {name}_words = sizeof {name} / sizeof *{name};"


TABLE = """\
/* How this library was built, for {} to be compared with when it is loaded: of each struct its size, how many fields
 * it has, and of each its place, its size and its kind; of each enum its values; constants. Written by
 * {}.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

{}

#define KIND(x) _Generic((x), int8_t: 1, int16_t: 1, int32_t: 1, int64_t: 1, double: 2, bool: 3, default: 0)
#define PART(s, f) offsetof(struct s, f), sizeof(((struct s *)0)->f), KIND(((struct s *)0)->f)
"""
CTYPES = (  # in the order of imports
    *("CDLL", "CFUNCTYPE", "POINTER", "Array", "Structure", "c_bool", "c_char_p", "c_double"),
    *("c_int8", "c_int16", "c_int32", "c_int64", "c_uint8", "c_uint16", "c_uint32", "c_uint64", "c_void_p"),
)


def words_of(name: str) -> list[str]:
    first, *more = name.lower().split("_")
    return [word for word in (PREFIXES.get(first, first), *more) if word]


def class_name(tag: str) -> str:
    return "".join(word.capitalize() for word in words_of(tag))


def constant_name(name: str) -> str:
    return "_".join(words_of(name)).upper()


def enum_lines(tag: str, members: dict[str, int]) -> Iterator[str]:
    common = commonprefix(list(members))
    common = common[: common.rindex("_") + 1]
    yield f"\n\nclass {class_name(tag)}(IntEnum):"
    yield f'    """`enum {tag}`"""'
    yield from (f"    {name.removeprefix(common)} = {value}" for name, value in members.items())


def wrapped(begin: str, items: Sequence[str], end: str) -> Iterator[str]:
    """As many items in a line as there is room for; in lines of their own, if all of it has no room in one."""
    indent = " " * (len(begin) - len(begin.lstrip()))
    one = f"{begin}{', '.join(items)}{end}"
    if begin and len(one) <= LINE:
        yield one
        return
    inner = f"{indent}    "
    whole = [item if len(item) >= LINE - len(inner) else item.replace(" ", NO_BREAK) for item in items]
    lines = wrap(", ".join(whole) + ",", LINE, initial_indent=inner, subsequent_indent=inner, break_on_hyphens=False)
    lines = [line.replace(NO_BREAK, " ") for line in lines]
    yield from [begin, *lines, indent + end] if begin else lines


def main(arguments: Sequence[str] = ()) -> None:
    for binding in bindings():
        for file, text in binding.files.items():
            if not file.is_file() or file.read_text() != text:
                file.write_text(text)
                print(f"written: {file}")


if __name__ == "__main__":
    main()
