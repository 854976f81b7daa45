"""Runs parts of the Cortex-M and RISC-V ports on this machine, with a chip that is played, and logs what they write.

So is tested what no emulator has: clock trees, pins, baud rates.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

from lfc.boards.descriptions.board import Board
from lfc.link.port import board_defines, runtime_folder
from lfc.toolchain.c_library import C_LIBRARY_ALONE
from lfc.toolchain.run_tools import run_tool

PARTS = ("clock", "console", "receive", "tick", "watchdog")
GLUE = """
#include <stdint.h>
uint32_t (*lf_answer)(uint32_t);
void (*lf_log)(uint32_t, uint32_t);
volatile uint8_t lf_port_woken;
uint32_t lf_read(uint32_t address) { return lf_answer(address); }
void lf_write(uint32_t address, uint32_t value) { lf_log(address, value); }
"""
RISCV = """
uint32_t lf_enabled, lf_claimed_to_be;
volatile uint32_t lf_port_claimed;
void lf_enable_interrupts(uint32_t bits) { lf_enabled |= bits; }
uint32_t lf_architecture(void) { return lf_claimed_to_be; }
"""

READ = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_uint32)
WRITE = ctypes.CFUNCTYPE(None, ctypes.c_uint32, ctypes.c_uint32)


class Chip:
    """Registers that hold what was written, but for what `reaction` makes of it: it may change them as the chip does.

    `values` are those after reset; a register that is not there reads 0.
    """

    def __init__(
        self, values: dict[int, int] | None = None, reaction: Callable[[dict[int, int]], None] | None = None
    ) -> None:
        self.registers = dict(values or {})
        self.reaction = reaction
        self.written: list[tuple[int, int]] = []
        self.reads = 0

    def read(self, address: int) -> int:
        self.reads += 1
        return self.registers.get(address, 0)

    def write(self, address: int, value: int) -> None:
        self.written.append((address, value))
        self.registers[address] = value
        if self.reaction is not None:
            self.reaction(self.registers)


class PortOnThisMachine:
    """The port of a board, compiled for this machine."""

    def __init__(self, board: Board, folder: Path) -> None:
        source = runtime_folder() / "ports" / board.cpu.architecture
        (folder / "glue.c").write_text(GLUE + (RISCV if board.cpu.architecture == "riscv" else ""))
        defines = [f"-D{d}" for d in (*board_defines(board), "LF_REGISTERS_ARE_LOGGED")]
        files = [str(source / f"{part}.c") for part in PARTS]
        arguments = ["-std=c11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", *defines]
        run_tool(
            "cc",
            [*arguments, "-fsanitize-trap=undefined", *C_LIBRARY_ALONE, "glue.c", *files, "-o", "port.so"],
            folder,
            "the port cannot be compiled",
        )
        self.library = ctypes.CDLL(str(folder / "port.so"))

    def call(self, chip: Chip, function: str) -> list[tuple[int, int]]:
        """What the function writes."""
        kept = READ(chip.read), WRITE(chip.write)
        ctypes.c_void_p.in_dll(self.library, "lf_answer").value = ctypes.cast(kept[0], ctypes.c_void_p).value
        ctypes.c_void_p.in_dll(self.library, "lf_log").value = ctypes.cast(kept[1], ctypes.c_void_p).value
        chip.written = []
        self.library[function]()
        return chip.written
