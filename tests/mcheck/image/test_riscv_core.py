"""The simulator of the RISC-V cores against unicorn, instruction by instruction: every form, in random states; and what
unicorn has no core for, RV32E."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.isa.abi import RiscvStop as Stop
from lfc.isa.riscv.core import CORES, READ, SP, STACK, WRITE, RiscvCore
from tests.campaign.boards.riscv import build, compare
from tests.support.seeds import seed_of_this_run


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("riscv"))


def test_every_instruction_does_what_unicorn_does(program: Path) -> None:
    """Registers, memory, status registers, whether it is an instruction and whether an access faults."""
    outcome = compare(program, seed_of_this_run(), 60_000, 2)
    assert outcome.differences == []
    assert outcome.steps > 70_000 and outcome.faults > 1000 and outcome.illegal > 8000
    assert outcome.compressed > 14_000 and len(outcome.forms) == 18 and min(outcome.forms.values()) > 50


def core_with(code: str, model: str) -> RiscvCore:
    core = RiscvCore(CORES[model], 0, bytes.fromhex(code), [(0x20000000, 0x1000)])
    core.reset()
    return core


@pytest.mark.parametrize(
    ("code", "stop"),
    [
        ("93870700", Stop.RUNS),  # addi a5, a5, 0
        ("93070800", Stop.ILLEGAL),  # addi a5, a6, 0
        ("13880700", Stop.ILLEGAL),  # addi a6, a5, 0
        ("b3070801", Stop.ILLEGAL),  # add a5, a6, a6
        ("63000801", Stop.ILLEGAL),  # beq a6, a6, .
        ("37080000", Stop.ILLEGAL),  # lui a6, 0
        ("f3170834", Stop.ILLEGAL),  # csrrw a5, mscratch, a6
        ("f3570430", Stop.RUNS),  # csrrwi a5, mie, 8: the constant is no register
        ("b387f702", Stop.ILLEGAL),  # mul a5, a5, a5
        ("0548", Stop.ILLEGAL),  # c.li a6, 1
    ],
)
def test_a_small_core_has_16_registers_and_no_product(code: str, stop: Stop) -> None:
    assert core_with(code, "ch32v003").step() is stop


def test_a_stack_pointer_from_elsewhere_to_below_what_was_stored_forgets_nothing() -> None:
    core = core_with("2a81", "fe310")  # mv sp, a0
    core.allow(0x20000000, 0x1000, READ | WRITE | STACK)
    core.state.x[SP], core.state.x[10], core.state.lowest_stack = 0x10000000, 0x20000800, 0x20000F00
    assert core.step() is Stop.RUNS
    assert core.state.x[SP] == 0x20000800
    assert all(right == READ | WRITE | STACK for right in core.allowed[core.index(0x20000000) : 0x1002])


def test_a_conditional_store_stores_once() -> None:
    """lr.w a1, (a0); sc.w a2, a3, (a0); sc.w a4, a3, (a0)"""
    core = core_with("af2505102f26d5182f27d518", "fe310")
    core.allow(0x20000000, 0x1000, READ | WRITE)
    core.state.x[10], core.state.x[13] = 0x20000010, 77
    assert [core.step() for _ in range(3)] == [Stop.RUNS] * 3
    assert (core.state.x[12], core.state.x[14], core.get(0x20000010, 4)[0]) == (0, 1, 77)


@pytest.mark.parametrize(
    ("model", "written", "held", "at"),
    [
        ("fe310", 0x1003, 0x1001, 0x101C),  # of the mode only one bit is there: by a table
        ("fe310", 0x1002, 0x1000, 0x1000),
        ("gd32vf103", 0x1043, 0x1043, 0x1040),  # six bits are the mode: all comes to the one entry
    ],
)
def test_where_an_interrupt_goes(model: str, written: int, held: int, at: int) -> None:
    core = core_with("73905530", model)  # csrw mtvec, a1
    core.state.x[11] = written
    assert core.step() is Stop.RUNS and core.state.mtvec == held
    core.trap(1 << 31 | 7)
    assert (core.state.pc, core.state.mepc) == (at, 4)
