"""C that is linked into a program of this machine."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lfc.external.calls import external_calls
from lfc.run.native import TARGET_ATTRIBUTES, host_target, initialise_llvm
from lfc.toolchain.failure import ImageError

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.codegen.module.generated import Generated

ARGUMENTS = ("-O2", "-Xclang", "-disable-llvm-passes", "-fPIC", "-DLF_HOST=1")


def host_modules(machine: Machine, files: Sequence[str]) -> list[str]:
    """LLVM IR of C sources for this machine. Raises ImageError: a source is wrong, or a function is missing."""
    from lfc.external.sources import check_defined, compile_sources

    initialise_llvm()
    arguments = ["-target", host_target().zig, *ARGUMENTS]
    modules = [TARGET_ATTRIBUTES.sub("", m) for m in compile_sources(machine.program, files, arguments)]
    check_defined(machine.program, external_calls(machine), modules, files)
    check_resolved(modules)
    return modules


def check_resolved(modules: Sequence[str]) -> None:
    """What the sources call and do not define is in the C library that this process has."""
    import llvmlite.binding as llvm

    from lfc.external.sources import functions_defined

    there = {name for m in modules for name in functions_defined(m)}
    library = ctypes.CDLL(None)
    missing = sorted(
        f.name
        for m in modules
        for f in llvm.parse_assembly(m).functions
        if f.is_declaration and not f.name.startswith("llvm.") and f.name not in there and not hasattr(library, f.name)
    )
    if missing:
        named = ", ".join(f"`{name}`" for name in missing)
        raise ImageError(f"{named} {'is' if len(missing) == 1 else 'are'} called in C but not defined")


def with_stand_ins(generated: Generated, modules: Sequence[str]) -> list[str]:
    """For C functions that are not there: while a record is followed, nobody calls them."""
    called = {p.symbol for p in external_calls(generated.machine)}
    if not called:
        return [*modules]
    from lfc.external.sources import functions_defined

    there = {name for m in modules for name in functions_defined(m)}
    missing = sorted(called - there)
    heads = [line for line in generated.ir.splitlines() if line.startswith("declare void @")]
    made = []
    for symbol in missing:
        for line in heads:
            if line.startswith(f'declare void @"{symbol}"('):
                head = line.removeprefix("declare")
                made.append(
                    f"declare void @llvm.trap()\ndefine{head} {{\n  call void @llvm.trap()\n  unreachable\n}}\n"
                )
    return [*modules, *made]
