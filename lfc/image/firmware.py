"""From a machine to the image of a board: program, kernel, board policies and port as one optimised module.

May import: `lfc.codegen`, `lfc.actions.model`, `lfc.boards.board`, the other files of this stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lfc.actions.model import Machine
from lfc.boards.board import Board
from lfc.codegen.program import Generated, generate
from lfc.codegen.target import BOARD_TARGETS
from lfc.image.external import board_modules
from lfc.image.failure import TooLarge
from lfc.image.faults import FaultOptions, fault_module
from lfc.image.fitting import check_fit, stack_of
from lfc.image.kernel_lines import give_lines_to_loop
from lfc.image.link import Image, link_image
from lfc.image.port import build_interrupts, runtime_folder
from lfc.image.stack import StackUse
from lfc.image.tools import compile_c

EXPORTED = ("lf_memory", "lf_step")
NUMBERS_AND_STOP = FaultOptions()


@dataclass(slots=True)
class Firmware:
    image: Image
    generated: Generated
    stack: StackUse | None = None  # None: not known for this processor

    @property
    def block_offset(self) -> int:
        """Where in `lf_memory` the state block begins."""
        return self.generated.policies.size


def build_firmware(
    board: Board,
    machine: Machine,
    scheduler: str = "rr",
    line_tables: bool = True,
    faults: FaultOptions = NUMBERS_AND_STOP,
    c_files: Sequence[str] = (),
) -> Firmware:
    """`c_files`: C sources that are linked in."""
    target = BOARD_TARGETS[board.cpu.triple]
    generated = generate(machine, target, scheduler, line_tables)
    options = fault_module(
        replace(faults, safe=(*board.safe, *faults.safe)), generated.sites, machine.program.main.source, target
    )
    root = runtime_folder()
    headers = sorted([*root.glob("kernel/*.h"), *root.glob("policies/*.h"), root / "port.h"])
    kernel, policies = (compile_c(board, root / name, headers) for name in ("kernel/kernel.c", "policies/board.c"))
    if line_tables:
        policies = give_lines_to_loop(policies)
    routines = build_interrupts(board, machine.layout.interrupts)
    linked_in = board_modules(board, machine, c_files)
    try:
        image = link_image(board, [generated.ir, kernel, policies, options, *routines, *linked_in], EXPORTED)
    except TooLarge as error:
        check_fit(board, error.elf, generated, stack_of(board, error.elf, machine))
        raise
    stack = stack_of(board, image.elf, machine)
    check_fit(board, image.elf, generated, stack)
    return Firmware(image, generated, stack)
