"""From a machine to the image of a board: program, kernel, board policies and port as one optimised module."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lfc.actions.as_data import linked_digest, program_digest
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board, without_transmit_buffer
from lfc.boards.descriptions.kept_pages import DRIVER, without_kept_pages
from lfc.codegen.module.generated import Generated
from lfc.codegen.module.target import BOARD_TARGETS
from lfc.codegen.program import generate
from lfc.image.digest import flash_digest
from lfc.image.fitting import check_console, check_fit, check_spin, check_width, stack_of
from lfc.image.stack import StackUse
from lfc.image.tables import Tables, process_table, site_texts, with_tables
from lfc.image.variables import block_address, call_frames, with_variables
from lfc.link.external import board_modules, c_routines
from lfc.link.fault_options import FaultOptions, fault_module
from lfc.link.kernel_lines import give_lines_to_loop
from lfc.link.link import Image, link_image
from lfc.link.port import build_interrupts, runtime_folder
from lfc.link.tracing import LEAST_BUFFER, trace_module
from lfc.toolchain.failure import ImageError, TooLarge
from lfc.toolchain.run_tools import compile_c

EXPORTED = ("lf_memory", "lf_step")
RESET_CAUSE = "lf_port_reset_cause"  # linked in by a port whose start-up would lose it
POLICIES = {False: "policies/board.c", True: "policies/traced.c"}  # traced or not
NUMBERS_AND_STOP = FaultOptions()


@dataclass(slots=True)
class Firmware:
    image: Image
    generated: Generated
    stack: StackUse
    program: bytes  # the digest of what it runs, linked C included: what a traced image says in its hello
    traced: bool = False
    c_routines: frozenset[int] = frozenset()  # interrupts whose routines are in C
    room: int = 0  # bytes of flash that it may have

    @property
    def digest(self) -> str:
        """SHA-256 of what lies in the flash: the name of this very image."""
        return flash_digest(self.image.flash)

    @property
    def block_offset(self) -> int:
        """Where in `lf_memory` the state block begins."""
        return self.generated.policies.size


def compile_kernel(board: Board, trace: bool) -> tuple[str, str]:
    """The LLVM IR of the kernel and of the board's policies."""
    root = runtime_folder()
    headers = sorted([*root.glob("kernel/*.h"), *root.glob("policies/*.h"), root / "port.h"])
    kernel = compile_c(board, root / "kernel/kernel.c", headers)
    return kernel, compile_c(board, root / POLICIES[trace], [*headers, root / POLICIES[False]] if trace else headers)


def asked_of_start(board: Board, machine: Machine) -> list[str]:
    """Symbols of what start-up does for this program alone."""
    asks = board.cpu.architecture == "avr" and any(m.name == "ChipReset" for m in machine.program.modules)
    return [RESET_CAUSE] if asks else []


def build_firmware(
    board: Board,
    machine: Machine,
    scheduler: str = "rr",
    line_tables: bool = True,
    faults: FaultOptions = NUMBERS_AND_STOP,
    trace: bool = False,
    c_files: Sequence[str] = (),
) -> Firmware:
    """`c_files`: C sources that are linked in.
    With `trace`, the board tells a host what it does (runtime/policies/traced.c)."""
    check_width(board, machine)
    if any(m.name == DRIVER for m in machine.program.modules):
        board = without_kept_pages(board)
    if trace:  # its frames follow each step: a host that is told of one knows that the board has come to it
        board = without_transmit_buffer(board)
    target = BOARD_TARGETS[board.cpu.triple]
    generated = generate(machine, target, scheduler, line_tables)
    check_spin(board, generated.ir)
    check_console(board, generated.ir, trace)
    options = fault_module(
        replace(faults, safe=(*board.safe, *faults.safe)), generated.sites, machine.program.main.source, target
    )
    kernel, policies = compile_kernel(board, trace)
    if line_tables:
        policies = give_lines_to_loop(policies)
    routines = build_interrupts(board, machine.layout.interrupts)
    linked_in = board_modules(board, machine, c_files)
    program = linked_digest(program_digest(machine), linked_in)
    if trace and board.console.receive_buffer < LEAST_BUFFER:
        given = f"console.receive_buffer is {board.console.receive_buffer}"
        raise ImageError(f"a traced image needs a receive buffer of {LEAST_BUFFER} bytes", given)
    own = [trace_module(program, scheduler, target)] if trace else []
    try:
        parts = [generated.ir, kernel, policies, options, *own, *routines, *linked_in]
        image = link_image(board, parts, (*EXPORTED, *asked_of_start(board, machine)))
    except TooLarge as error:
        check_fit(board, error.elf, generated, stack_of(board, error.elf, machine))
        raise
    block = block_address(image.elf, generated.policies.size)
    if line_tables:
        image = replace(image, elf=with_variables(image.elf, machine, block))
    sites = site_texts(generated.sites, machine.program.main.source)
    tables = Tables(program.hex(), board.name, scheduler, trace, sites)
    processes = process_table(machine, block) | {"frames": call_frames(machine, block)}
    image = replace(image, elf=with_tables(image.elf, tables, processes if line_tables else None))
    stack = stack_of(board, image.elf, machine)
    check_fit(board, image.elf, generated, stack)
    return Firmware(image, generated, stack, program, trace, c_routines(linked_in), board.flash.usable)
