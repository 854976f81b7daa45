"""The C header of a module's EXTERNAL processes: types, functions for the fields of records, prototypes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.external.c_types import CNames, records_and_enumerations
from lfc.semantics.model.types import ArrayType, EnumerationType, RecordType, record_layout, size_and_alignment

if TYPE_CHECKING:
    from lfc.semantics.model import typed
    from lfc.semantics.model.types import Type

INLINE = "LF_INLINE_C"  # a program need not use all of them


def external_processes(program: typed.Program) -> list[typed.Process]:
    return [p for p in program.all_processes() if p.external]


def modules_with_headers(program: typed.Program) -> list[typed.Module]:
    return list(dict.fromkeys(p.module for p in external_processes(program)))


def header_name(module: typed.Module) -> str:
    return f"{module.name}.h"


def headers(program: typed.Program) -> dict[str, str]:
    """Name of the file -> text, for each module that has EXTERNAL processes."""
    names = CNames(program)
    return {header_name(m): header_text(program, m, names) for m in modules_with_headers(program)}


def header_text(program: typed.Program, module: typed.Module, names: CNames) -> str:
    processes = [p for p in external_processes(program) if p.module is module]
    guard = f"LF_EXTERNAL_{module.name}_H"
    lines = [
        f"/* The EXTERNAL processes of module {module.name}. Made by `lfc header`: a change here is lost. */",
        f"#ifndef {guard}",
        f"#define {guard}",
        "",
        "#include <stdbool.h>",
        "#include <stdint.h>",
        "",
        '_Static_assert(sizeof(bool) == 1, "a BOOLEAN takes one byte");',
        f"#undef {INLINE}",
        f"#define {INLINE} static inline __attribute__((unused))",
    ]
    types: dict[Type, None] = {}
    for process in processes:
        types.update(dict.fromkeys(records_and_enumerations(process)))
    for t in types:
        if t in names.names:
            lines += ["", *guarded(names.names[t], of_type(t, names))]
    registers = {e.variable: None for p in processes for e in p.effects if e.formal is None}
    if registers:
        lines += ["", "/* Device registers: where a board has them. */"]
        lines += [f"#define {module.name}_{v.name}_ADDRESS 0x{v.address:X}u" for v in registers]
    for process in processes:
        lines += ["", *prototype(process, names)]
    return "\n".join([*lines, "", "#endif", ""])


def guarded(name: str, lines: list[str]) -> list[str]:
    """Another module's header may have the same type."""
    return [f"#ifndef LF_TYPE_{name}", f"#define LF_TYPE_{name}", *lines, "#endif"]


def of_type(t: Type, names: CNames) -> list[str]:
    if isinstance(t, EnumerationType):
        return enumeration(t, names)
    assert isinstance(t, RecordType)
    return record(t, names)


def enumeration(t: EnumerationType, names: CNames) -> list[str]:
    name = names.names[t]
    size, _ = size_and_alignment(t)
    values = ", ".join(f"{name}_{value} = {i}" for i, value in enumerate(t.values))
    return [f"typedef uint{8 * size}_t {name};", f"enum {{ {values} }};"]


def record(t: RecordType, names: CNames) -> list[str]:
    name = names.names[t]
    offsets, size, _ = record_layout(t)
    lines = [f"typedef struct {name} {name};", f"enum {{ {name}_SIZE = {size} }};"]
    for const in ("const ", ""):
        where = f"({const}{name} *)(({const}uint8_t *)first + (uintptr_t)index * {size}u)"
        of = "element" if const else "element_to_write"
        lines.append(f"{INLINE} {const}{name} *{name}_{of}({const}{name} *first, uint16_t index) {{ return {where}; }}")
    for f, offset in zip(t.fields, offsets, strict=True):
        lines += field_functions(name, f.name, f.type, offset, names)
    return lines


def field_functions(record_name: str, field: str, t: Type, offset: int, names: CNames) -> list[str]:
    """A scalar is got and set; of an array or record there is a pointer, to read through or to write through."""
    at = f"(void *)((uint8_t *)r + {offset})"
    at_const = f"(const void *)((const uint8_t *)r + {offset})"
    element = t
    while isinstance(element, ArrayType):
        element = element.element
    c = names.scalar(element)
    if element is t and not isinstance(t, RecordType):
        return [
            f"{INLINE} {c} {record_name}_get_{field}(const {record_name} *r) {{ return *(const {c} *){at_const}; }}",
            f"{INLINE} void {record_name}_set_{field}({record_name} *r, {c} value) {{ *({c} *){at} = value; }}",
        ]
    return [
        f"{INLINE} const {c} *{record_name}_read_{field}(const {record_name} *r) {{ return {at_const}; }}",
        f"{INLINE} {c} *{record_name}_write_{field}({record_name} *r) {{ return {at}; }}",
    ]


def prototype(process: typed.Process, names: CNames) -> list[str]:
    taken: set[str] = set()
    parameters = [p for formal in process.formals for p in names.parameters(formal, taken)]
    comments = [f"{'WRITES' if e.writes else 'READS'} {e.variable.name}" for e in process.effects]
    comment = [f"/* {process.qualified_name}{': ' if comments else ''}{', '.join(comments)} */"]
    return [*comment, f"void {process.symbol}({', '.join(parameters) or 'void'});"]
