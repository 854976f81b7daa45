"""What headers in C declare, as the compiler sees it: structs with their layout, enums, constants, functions.

The compiler parses. It lists the functions that the headers declare (its syntax tree as JSON); then it compiles a file
with a pointer to each of them, and its debug information (DWARF) has every type.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO
from pathlib import Path
from typing import Any

from elftools.dwarf.die import DIE
from elftools.elf.elffile import ELFFile

from lfc.toolchain.run_tools import run_tool

TARGET = ("-target", "x86_64-linux-musl")  # types of fixed width lie alike on all machines of 64 bits
TRANSPARENT = ("DW_TAG_const_type", "DW_TAG_volatile_type", "DW_TAG_atomic_type", "DW_TAG_restrict_type")
ENCODINGS = {2: "bool", 4: "float", 5: "int", 6: "char", 7: "uint", 8: "uint"}  # DW_ATE_...


@dataclass(frozen=True, slots=True)
class Scalar:
    """`kind`: bool, float, int, char, uint."""

    kind: str
    size: int


@dataclass(frozen=True, slots=True)
class Void:
    pass


@dataclass(frozen=True, slots=True)
class Named:
    """A struct, by its tag."""

    tag: str


@dataclass(frozen=True, slots=True)
class Array:
    of: CType
    count: int


@dataclass(frozen=True, slots=True)
class Pointer:
    to: CType


@dataclass(frozen=True, slots=True)
class Signature:
    """`name`: of its type, if it has one."""

    result: CType
    parameters: tuple[CType, ...]
    name: str = ""


CType = Scalar | Void | Named | Array | Pointer | Signature


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    type: CType
    offset: int


@dataclass(frozen=True, slots=True)
class Struct:
    tag: str
    size: int
    fields: tuple[Field, ...]


@dataclass(slots=True)
class Declarations:
    structs: dict[str, Struct] = field(default_factory=dict)
    enums: dict[str, dict[str, int]] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)  # of enums without a tag
    functions: dict[str, Signature] = field(default_factory=dict)


def read_declarations(headers: Sequence[Path], folders: Sequence[Path], flags: Sequence[str] = ()) -> Declarations:
    """What `headers` declare, not those that they include. They are named relative to one of `folders`."""
    included = "".join(f'#include "{h}"\n' for h in headers)
    whole = {str((f / h).resolve()) for h in headers for f in folders if (f / h).is_file()}
    tree, _ = run_compiler(included, folders, [*flags, "-E", "-Xclang", "-ast-dump=json"])
    names = list(functions_of(tree, whole))
    pointers = "".join(f"__typeof__({name}) *pointer_to_{name};\n" for name in names)
    full = ["-c", "-g", "-gdwarf-5", "-fno-eliminate-unused-debug-types"]
    _, code = run_compiler(included + pointers, folders, [*flags, *full], "declarations.o")
    found = Reader(code, whole).read()
    found.functions = {name: found.functions[name] for name in names}
    return found


def run_compiler(text: str, folders: Sequence[Path], flags: Sequence[str], output: str = "") -> tuple[str, bytes]:
    """What it prints, and the content of the file that it makes, if that has a name."""
    with tempfile.TemporaryDirectory(prefix="lfc-") as folder:
        source, made = Path(folder) / "declarations.c", Path(folder) / (output or "none")
        source.write_text(text)
        arguments = ["-std=gnu11", *TARGET, *flags, *(f"-I{f.resolve()}" for f in folders), str(source)]
        arguments += ["-o", str(made)] if output else []
        printed = run_tool("cc", arguments, Path(folder), "the headers cannot be read")
        return printed, made.read_bytes() if output else b""


def functions_of(tree: str, files: set[str]) -> Iterator[str]:
    """Those that are declared there. A place in the tree names its file only where that is not the file of the place
    before, so every place is looked at."""
    file = ""

    def walk(x: Any) -> None:
        nonlocal file
        for key, value in x.items() if isinstance(x, dict) else enumerate(x):
            if key == "file":
                file = value
            elif isinstance(value, dict | list) and key != "includedFrom":
                walk(value)

    for node in json.loads(tree)["inner"]:
        walk([node["loc"]])
        here = str(Path(file).resolve())
        walk([node["range"], node.get("inner", [])])
        if node["kind"] == "FunctionDecl" and node.get("storageClass") != "static" and here in files:
            yield node["name"]


class Reader:
    """Of the debug information of one compiled file."""

    def __init__(self, code: bytes, files: set[str]) -> None:
        self._files = files
        self._dwarf = ELFFile(BytesIO(code)).get_dwarf_info()

    def read(self) -> Declarations:
        found = Declarations()
        for unit in self._dwarf.iter_CUs():
            program = self._dwarf.line_program_for_CU(unit)
            assert program is not None
            header = program.header
            folders = [d.decode() for d in header["include_directory"]]
            names = [Path(folders[f.dir_index]) / f.name.decode() for f in header["file_entry"]]
            here = {i for i, name in enumerate(names) if str(name.resolve()) in self._files}
            for die in unit.get_top_DIE().iter_children():
                self._read_one(die, here, found)
        return found

    def _read_one(self, die: DIE, here: set[int], found: Declarations) -> None:
        name = name_of(die)
        of_headers = "DW_AT_decl_file" in die.attributes and die.attributes["DW_AT_decl_file"].value in here
        if die.tag == "DW_TAG_structure_type" and name and of_headers:
            found.structs[name] = self._struct(die, name)
        elif die.tag == "DW_TAG_enumeration_type" and of_headers:
            values = {name_of(x): x.attributes["DW_AT_const_value"].value for x in die.iter_children()}
            if name:
                found.enums[name] = values
            else:
                found.constants |= values
        elif die.tag == "DW_TAG_variable" and name.startswith("pointer_to_"):
            pointer = self._type(die)
            assert isinstance(pointer, Pointer) and isinstance(pointer.to, Signature)
            found.functions[name.removeprefix("pointer_to_")] = pointer.to

    def _struct(self, die: DIE, tag: str) -> Struct:
        fields = [
            Field(name_of(x), self._type(x), x.attributes["DW_AT_data_member_location"].value)
            for x in die.iter_children()
            if x.tag == "DW_TAG_member"
        ]
        return Struct(tag, die.attributes["DW_AT_byte_size"].value, tuple(fields))

    def _type(self, of: DIE) -> CType:
        if "DW_AT_type" not in of.attributes:
            return Void()
        die = of.get_DIE_from_attribute("DW_AT_type")
        match die.tag:
            case "DW_TAG_typedef":
                found = self._type(die)
                return replace(found, name=name_of(die)) if isinstance(found, Signature) else found
            case "DW_TAG_pointer_type":
                return Pointer(self._type(die))
            case "DW_TAG_structure_type":
                return Named(name_of(die))
            case "DW_TAG_enumeration_type":
                return self._type(die)
            case "DW_TAG_base_type":
                kind = ENCODINGS[die.attributes["DW_AT_encoding"].value]
                return Scalar(kind, die.attributes["DW_AT_byte_size"].value)
            case "DW_TAG_subroutine_type":
                return Signature(self._type(die), tuple(self._type(x) for x in die.iter_children()))
            case "DW_TAG_array_type":
                return self._array(die)
            case tag if tag in TRANSPARENT:
                return self._type(die)
        raise NotImplementedError(f"{die.tag} in a header")

    def _array(self, die: DIE) -> CType:
        found = self._type(die)
        for bound in reversed([x.attributes["DW_AT_count"].value for x in die.iter_children()]):
            found = Array(found, bound)
        return found


def name_of(die: DIE) -> str:
    name = die.attributes.get("DW_AT_name")
    return "" if name is None else str(name.value.decode())
