"""Programs whose kernel is another object: what one calls must be what the other defines, to the last attribute."""

from __future__ import annotations

import re
from dataclasses import replace

import llvmlite.binding as llvm
import pytest

from lfc.actions.model.machine import Machine
from lfc.base.source import Source
from lfc.codegen.program import generate
from lfc.mcheck.model.compiled_model import POLICIES
from lfc.run.native import KERNEL, host_target, initialise_llvm, kernel_ir
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of, machine_of_source
from tests.support.sized_programs import FEW_STATES

EXAMPLES = sorted(f for f in (ROOT / "examples").glob("*.lf") if not f.stem.endswith("_env"))
Signature = tuple[str, tuple[str, ...]]


def extension(text: str) -> str:
    return " ".join(re.findall(r"zeroext|signext", text))


def signatures(ir: str) -> tuple[dict[str, Signature], dict[str, Signature]]:
    """Of the functions that are defined, and of those that are only declared: types, and how they are extended."""
    defined: dict[str, Signature] = {}
    declared: dict[str, Signature] = {}
    for f in llvm.parse_assembly(ir).functions:
        if f.name.startswith("llvm."):
            continue
        head = next(line for line in str(f).splitlines() if re.match(r"(define|declare) ", line))
        parameters = tuple(f"{a.type} {extension(' '.join(map(str, a.attributes)))}" for a in f.arguments)
        kind = str(f.global_value_type).split("(")[0].strip()
        to = declared if f.is_declaration else defined
        to[f.name] = f"{kind} {extension(head.split('@')[0])}", parameters
    return defined, declared


@pytest.mark.parametrize("wide", [False, True])
def test_program_and_kernel_agree_on_every_function(wide: bool) -> None:
    initialise_llvm()
    machines: list[Machine] = (
        [machine_of_source(Source("Program.lf", FEW_STATES.format(count=300)))]
        if wide
        else [machine_of(f) for f in EXAMPLES]
    )
    kernel, called_by_kernel = signatures(kernel_ir(KERNEL, wide))
    policies, called_by_policies = signatures(kernel_ir(POLICIES, wide))
    there = kernel | policies
    met: set[str] = set()
    for machine in machines:
        assert machine.wide is wide
        target = replace(host_target(), explores=True, notes_blocks=True, tells_accesses=True)
        target = replace(target, splits_inputs=machine.environment is None)
        program, called = signatures(generate(machine, target).ir)
        for name, signature in called.items():
            assert there[name] == signature, name
        for name, signature in (called_by_kernel | called_by_policies).items():
            if name in program:
                assert program[name] == signature, name
                met.add(name)
        met |= called.keys()
    assert {"lf_seek_senders", "lf_policy_meet", "lf_program_run"} <= met
