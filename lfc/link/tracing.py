"""What a traced image knows of itself: which program it is of. As a module of LLVM IR; and what tracing costs.

runtime/policies/traced.c uses what is defined here.
"""

from __future__ import annotations

from dataclasses import dataclass

from lfc.boards.descriptions.board import Board
from lfc.codegen.module.target import Target

EARLIEST_FIRST = 1  # a bit of the flags in the hello
PROGRAM_BYTES = 16
# Of the frame of an action that meets nobody: type, sequence, `run`, `digest`, CRC; COBS adds two.
SHORTEST_FRAME = 2 + 2 + 3 + 2 + 2
LEAST_BUFFER = 32  # bytes that the console receives before they are read: the longest frame to the board
BITS_OF_A_BYTE = 10  # on the line: start, eight, stop
CYCLES_OF_CRC = {"avr": 36, "cortexm": 20, "riscv": 20}  # for each byte; a test measures what the AVR takes


@dataclass(frozen=True, slots=True)
class TraceCost:
    """Of an action that meets nobody, reads nothing and writes nothing: it costs least."""

    bytes: int  # on the line
    line_cycles: int  # while these are sent, which the processor waits for
    digest_cycles: int


def trace_module(program: bytes, scheduler: str, target: Target) -> str:
    """`program`: its digest."""
    listed = "".join(f"\\{byte:02X}" for byte in program[:PROGRAM_BYTES])
    space = f"addrspace({target.code_space}) " if target.code_space else ""
    flags = EARLIEST_FIRST if scheduler == "edf" else 0
    lines = [
        f'target datalayout = "{target.layout}"',
        f'target triple = "{target.triple}"',
        f'@lf_trace_program = {space}constant [{PROGRAM_BYTES} x i8] c"{listed}"',
        f"@lf_trace_flags = constant i8 {flags}",
    ]
    return "\n".join(lines) + "\n"


def trace_cost(board: Board, block_size: int) -> TraceCost:
    line = SHORTEST_FRAME * BITS_OF_A_BYTE * board.cpu.clock // board.console.baud
    return TraceCost(SHORTEST_FRAME, line, block_size * CYCLES_OF_CRC[board.cpu.architecture])
