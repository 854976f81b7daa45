"""From generated IR to native code of this machine: linked with kernel and host policies, optimised, kept in a
cache.
"""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.base.cache import cached
from lfc.base.toolchain_files import identity
from lfc.codegen.module.target import HOST
from lfc.run.load_code import host_cpu
from lfc.toolchain.instruction_levels import SYSTEMS, this_system

if TYPE_CHECKING:
    import llvmlite.binding as llvm

    from lfc.codegen.module.target import Target

KERNEL = "kernel/kernel.c"
RUN_POLICIES = "ports/host/host.c"
KEPT = ("lf_host_start", "lf_host_step", "lf_host_run", "lf_host_next_wake", "lf_host")
TARGET_ATTRIBUTES = re.compile(r'"(?:target-cpu|target-features|tune-cpu)"="[^"]*"')
FAULT_CALL = re.compile(r"call void @lf_fault\(")


@cache
def initialise_llvm() -> None:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


@cache
def host_target() -> Target:
    """The machine that this runs on."""
    if platform.machine() in ("x86_64", "AMD64"):
        return HOST
    from dataclasses import replace

    import llvmlite.binding as llvm

    initialise_llvm()
    machine = llvm.Target.from_default_triple().create_target_machine()
    system = SYSTEMS.get(this_system())
    zig = "native" if system is None else system.kernel
    return replace(HOST, triple=llvm.get_default_triple(), zig=zig, layout=str(machine.target_data), max_align=4)


def target_machine(level: int, relocatable: bool = False) -> llvm.TargetMachine:
    import llvmlite.binding as llvm

    initialise_llvm()
    target = llvm.Target.from_triple(llvm.get_default_triple())
    return target.create_target_machine(
        cpu=host_cpu(), opt=level, reloc="pic", codemodel="small" if relocatable else "jitdefault"
    )


def kernel_ir(source: str | Path, wide: bool = False) -> str:
    """LLVM IR of a C source (of the runtime, if it is no whole path), without attributes that keep it from inlining.
    `wide`: for programs whose slots and ports have two bytes."""
    from lfc.toolchain.run_tools import compile_c_for

    return TARGET_ATTRIBUTES.sub("", compile_c_for(*kernel_command(source, wide)))


def kernel_name(source: str | Path, wide: bool = False) -> str:
    """Of this IR; it names all that it is made of. Made again when a file of the toolchain has changed."""

    def make() -> bytes:
        from lfc.toolchain.run_tools import c_name

        return c_name(*kernel_command(source, wide)).encode()

    of = hashlib.sha256(f"kernel\0{source}\0{wide}\0{identity(('.c', '.h'))}".encode())
    return cached(f"{of.hexdigest()}.name", make).decode()


def kernel_command(source: str | Path, wide: bool, zig: str = "") -> tuple[Path, list[Path], list[str]]:
    """The source, its headers, the options of the compiler. `zig`: another target than this machine."""
    from lfc.link.port import runtime_folder

    root = runtime_folder()
    file = root / source
    headers = [
        *root.glob("kernel/*.h"),
        *root.glob("policies/*.h"),
        *root.glob("ports/host/*.h"),
        *file.parent.parent.rglob("*.h"),
    ]
    options = [
        "-target",
        zig or host_target().zig,
        "-O2",
        "-Xclang",
        "-disable-llvm-passes",
        "-fPIC",
        "-I..",
        *wide_defines(wide),
    ]
    return file, sorted(set(headers)), options


def wide_defines(wide: bool) -> list[str]:
    return ["-DLF_WIDE"] if wide else []


def link_program(
    ir: str,
    policies: str | Path = RUN_POLICIES,
    kept: tuple[str, ...] = KEPT,
    more: Sequence[str] = (),
    wide: bool = False,
) -> llvm.ModuleRef:
    """Program, kernel, policies and `more` (LLVM IR) as one module, in which only `kept` is seen from outside."""
    import llvmlite.binding as llvm

    initialise_llvm()
    module = llvm.parse_assembly(ir)
    for text in (kernel_ir(KERNEL, wide), kernel_ir(policies, wide), *more):
        module.link_in(llvm.parse_assembly(text))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and value.name not in kept and not value.name.startswith("llvm."):
            value.linkage = "internal"
    module.verify()
    return module


def optimise(module: llvm.ModuleRef, level: int, machine: llvm.TargetMachine) -> None:
    import llvmlite.binding as llvm

    options = llvm.create_pipeline_tuning_options(speed_level=level)
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)


def count_checks(ir: str, level: int, wide: bool = False) -> tuple[int, int]:
    """How many checks the program has, and how many are left after optimisation.

    The optimiser merges calls of the fault routine; so here each check calls a routine of its own."""
    count = 0

    def own_routine(_: re.Match[str]) -> str:
        nonlocal count
        count += 1
        return f'call void @"lf_check.{count}"('

    ir = FAULT_CALL.sub(own_routine, ir)
    ir += "".join(f'declare void @"lf_check.{n}"(ptr, i8, i16, i32, i32) #1\n' for n in range(1, count + 1))
    module = link_program(ir, wide=wide)
    optimise(module, level, target_machine(level))
    return count, sum(f.name.startswith("lf_check.") for f in module.functions)


def native_object(
    ir: str,
    level: int = 2,
    relocatable: bool = False,
    policies: str | Path = RUN_POLICIES,
    kept: tuple[str, ...] = KEPT,
    more: Sequence[str] = (),
    wide: bool = False,
) -> bytes:
    """Object code, from the cache if this very text was compiled before."""

    def make() -> bytes:
        machine = target_machine(level, relocatable)
        module = link_program(ir, policies, kept, more, wide)
        optimise(module, level, machine)
        code: bytes = machine.emit_object(module)
        return code

    return cached(object_name(ir, level, relocatable, policies, kept, more, wide), make)


def object_name(
    ir: str,
    level: int,
    relocatable: bool,
    policies: str | Path,
    kept: tuple[str, ...],
    more: Sequence[str] = (),
    wide: bool = False,
) -> str:
    """In the cache; it says all that goes in."""
    digest = hashlib.sha256()
    for part in (
        ir,
        kernel_name(KERNEL, wide),
        kernel_name(policies, wide),
        host_cpu(),
        str(level),
        str(relocatable),
        *kept,
        *more,
    ):
        digest.update(part.encode() + b"\0")
    return f"{digest.hexdigest()}.host.o"
