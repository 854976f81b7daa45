"""Native code of this machine that is there soon: the program hardly optimised, beside a kernel that is compiled once.

What `native` makes of a program is up to five times as fast where an action computes much, and takes up to ten
times as long to make: there the kernel and the policies become part of each action.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from lfc.base.cache import cached
from lfc.run.load_code import host_cpu, llvm_version
from lfc.run.native import KERNEL, RUN_POLICIES, initialise_llvm, kernel_ir, kernel_name, optimise, target_machine

ALWAYS_INLINE = " alwaysinline"


def quick_objects(
    ir: str, policies: str | Path = RUN_POLICIES, wide: bool = False, more: Sequence[str] = ()
) -> Sequence[bytes]:
    """Object code of a program with `more` (LLVM IR), and of what it calls, both from the cache if they were compiled
    before."""
    name = f"{kernel_name(KERNEL, wide)}-{kernel_name(policies, wide)}"
    made_for = f"{host_cpu()}\0{llvm_version()}\0{name}\0"
    kernel = hashlib.sha256(made_for.encode()).hexdigest()
    program = hashlib.sha256("\0".join((f"quick\0{made_for}{ir}", *more)).encode()).hexdigest()
    return (
        cached(f"{program}.host.o", lambda: quick_program(ir, more)),
        cached(f"{kernel}.kernel.o", lambda: kernel_object(policies, wide)),
    )


def quick_program(ir: str, more: Sequence[str] = ()) -> bytes:
    import llvmlite.binding as llvm

    initialise_llvm()
    module = llvm.parse_assembly(ir)
    for text in more:
        module.link_in(llvm.parse_assembly(text))
    module.verify()
    machine = target_machine(0)
    passes = llvm.create_new_module_pass_manager()
    passes.add_sroa_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=0)))
    code: bytes = machine.emit_object(module)
    return code


def kernel_object(policies: str | Path, wide: bool) -> bytes:
    """With a symbol for each function, for they are called from another object."""
    import llvmlite.binding as llvm

    initialise_llvm()
    module = llvm.parse_assembly(kernel_ir(KERNEL, wide).replace(ALWAYS_INLINE, ""))
    module.link_in(llvm.parse_assembly(kernel_ir(policies, wide).replace(ALWAYS_INLINE, "")))
    module.verify()
    machine = target_machine(2)
    optimise(module, 2, machine)
    code: bytes = machine.emit_object(module)
    return code
