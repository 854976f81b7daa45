"""Branches of AVR that LLVM and the linker get wrong, by one instruction: they are found, and the code is right."""

from __future__ import annotations

import llvmlite.binding as llvm

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.isa.avr.branches import emit_with_right_branches, functions_with_wrong_branches
from lfc.link.link import link_image, target_machine

# Two rounds of a long loop; then it says so.
LOOP = """
define void @turn(ptr %at) addrspace(1) noinline {{
  br label %loop
loop:
  %n = phi i8 [ 2, %0 ], [ %less, %loop ]
  {stores}
  %less = sub i8 %n, 1
  %more = icmp ne i8 %less, 0
  br i1 %more, label %loop, label %out
out:
  ret void
}}
declare void @lf_port_console_write(i8) addrspace(1)
declare void @lf_port_halt() addrspace(1)
define void @lf_main() addrspace(1) {{
  call addrspace(1) void @turn(ptr null)
  call addrspace(1) void @lf_port_console_write(i8 33)
  call addrspace(1) void @lf_port_halt()
  unreachable
}}
"""


def loop_of(board: Board, size: int) -> str:
    """`size`: of the stores, in bytes, a multiple of 2."""
    machine = target_machine(board)
    head = f'target datalayout = "{machine.target_data}"\ntarget triple = "{machine.triple}"\n'
    lines = ["store volatile i8 0, ptr inttoptr (i16 1024 to ptr)"] * (size // 4)
    lines += ["store volatile i8 0, ptr inttoptr (i16 62 to ptr)"] * (size % 4 // 2)  # OUT
    return head + LOOP.format(stores="\n  ".join(lines))


def test_the_one_that_does_not_reach(uno: Board) -> None:
    machine = target_machine(uno)
    wrong = []
    for size in range(4084, 4096, 2):
        text = loop_of(uno, size)
        if functions_with_wrong_branches(machine.emit_object(llvm.parse_assembly(text))):
            wrong.append(size)
            code = emit_with_right_branches(llvm.parse_assembly(text), machine)
            assert functions_with_wrong_branches(code) == set()
            outcome = run_in_simavr(uno, link_image(uno, [text]).elf, seconds=0.1)
            assert (outcome.end, outcome.console) == ("halted", b"!"), size
    assert wrong, "none of the loops has the length at which it happens"
