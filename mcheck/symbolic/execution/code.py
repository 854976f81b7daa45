"""The code of a program that is executed on undetermined data: the actions and the kernel as they ship for this
machine, with the policies left out, optimised so far that what remains are few kinds of instructions.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import llvmlite.binding as llvm

from lfc.actions.model.machine import Machine
from lfc.codegen.module.generated import Generated
from lfc.codegen.program import generate
from lfc.mcheck.symbolic.execution.decode import Module, decode
from lfc.run.native import KERNEL, host_target, initialise_llvm, kernel_ir, target_machine
from lfc.semantics.model import typed

INITIALISE, RUN, WAKE, INTERRUPT = "@lf_program_initialise", "@lf_program_run", "@lf_program_wake", "@lf_interrupt"
ATOMS = "@lf_atoms"
KEPT = (INITIALISE, RUN, WAKE, INTERRUPT, ATOMS)
DEFINITION = re.compile(r"^(define .*?)( ?\{)$", re.MULTILINE)
LEVEL = 1


def decoded_program(machine: Machine, atoms: Sequence[typed.Expr] = ()) -> tuple[Generated, Module]:
    """Raises NotUnderstood."""
    initialise_llvm()
    generated = generate(machine, replace(host_target(), explores=True), atoms=atoms)
    module = llvm.parse_assembly(DEFINITION.sub(r'\1 "no-jump-tables"="true"\2', generated.ir))
    module.link_in(llvm.parse_assembly(kernel_ir(KERNEL, machine.wide)))
    for value in (*module.functions, *module.global_variables):
        if not value.is_declaration and f"@{value.name}" not in KEPT and not value.name.startswith("llvm."):
            value.linkage = "internal"
    optimise_plainly(module)
    return generated, decode(str(module))


def optimise_plainly(module: llvm.ModuleRef) -> None:
    """Without unrolled loops and vectors."""
    options = llvm.create_pipeline_tuning_options(speed_level=LEVEL)
    options.loop_unrolling = options.loop_vectorization = False
    options.slp_vectorization = options.loop_interleaving = False
    builder = llvm.create_pass_builder(target_machine(LEVEL), options)
    builder.getModulePassManager().run(module, builder)
