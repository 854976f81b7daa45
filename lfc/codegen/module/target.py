"""What code generation must know of a target."""

from __future__ import annotations

from dataclasses import replace
from enum import Enum

from lfc.base.lazy_dataclass import dataclass


class Instrument(Enum):
    """What only the checker asks for: lines of code that can be left out again."""

    CHANNELS = "explores"  # the policy hears of each new channel
    ACCESSES = "tells_accesses"
    BLOCKS = "notes_blocks"


@dataclass(frozen=True, slots=True)
class Target:
    """`zig` is the target's name for the C compiler; `layout` the LLVM data layout."""

    name: str
    triple: str
    zig: str
    cpu: str
    features: str
    layout: str
    code_space: int  # address space of functions
    max_align: int  # of loads and stores
    bounded_actions: bool  # loops are counted: host and checker; a board has its watchdog
    pointer_bits: int = 32
    explores: bool = False  # the checker: its policies remember nothing in the policy block
    tells_accesses: bool = False  # the checker: each access to a module variable is told; see access_log.py
    splits_inputs: bool = False  # the checker: inputs are not tried value by value; see input_splitting.py
    notes_blocks: bool = False  # the checker: blocks of the flow graphs note that they were passed; passed_blocks.py

    @property
    def instruments(self) -> set[Instrument]:
        return {i for i in Instrument if getattr(self, i.value)}

    @property
    def code_pointer(self) -> str:
        return f"ptr addrspace({self.code_space})" if self.code_space else "ptr"

    @property
    def call_space(self) -> str:
        return f"addrspace({self.code_space}) " if self.code_space else ""

    @property
    def define_space(self) -> str:
        return f" addrspace({self.code_space})" if self.code_space else ""


HOST = Target(
    name="host",
    triple="x86_64-unknown-linux-gnu",
    zig="x86_64-linux-gnu",
    cpu="",
    features="",
    layout="e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128",
    code_space=0,
    max_align=4,
    bounded_actions=True,
    pointer_bits=64,
)

AVR = Target(
    name="avr",
    triple="avr-unknown-unknown-eabi",
    zig="avr-freestanding-eabi",
    cpu="",
    features="",
    layout="e-P1-p:16:8-i8:8-i16:8-i32:8-i64:8-f32:8-f64:8-n8:16-a:8",
    code_space=1,
    max_align=1,
    bounded_actions=False,
    pointer_bits=16,
)

# One for each instruction set of the Cortex-M family. Registers of a floating-point unit are never used.
THUMB_LAYOUT = "e-m:e-p:32:32-Fi8-i64:64-v128:64:128-a:0:32-n32-S64"

THUMBV6M = Target(
    name="thumbv6m",
    triple="thumbv6m-unknown-none-eabi",
    zig="thumb-freestanding-eabi",
    cpu="",
    features="",
    layout=THUMB_LAYOUT,
    code_space=0,
    max_align=4,
    bounded_actions=False,
)

THUMBV7M = replace(THUMBV6M, name="thumbv7m", triple="thumbv7m-unknown-none-eabi")
THUMBV7EM = replace(THUMBV6M, name="thumbv7em", triple="thumbv7em-unknown-none-eabi")
THUMBV8M = replace(THUMBV6M, name="thumbv8m", triple="thumbv8m.main-unknown-none-eabi")

RISCV32 = Target(
    name="riscv32",
    triple="riscv32-unknown-none-elf",
    zig="riscv32-freestanding-none",
    cpu="",
    features="",
    layout="e-m:e-p:32:32-i64:64-n32-S128",
    code_space=0,
    max_align=4,
    bounded_actions=False,
)

# Half the registers, and a stack that is aligned to words.
RISCV32E = replace(RISCV32, name="riscv32e", triple="riscv32-ilp32e-none-elf", layout="e-m:e-p:32:32-i64:64-n32-S32")

BOARD_TARGETS = {
    AVR.triple: AVR,
    THUMBV6M.triple: THUMBV6M,
    THUMBV7M.triple: THUMBV7M,
    THUMBV7EM.triple: THUMBV7EM,
    THUMBV8M.triple: THUMBV8M,
    RISCV32.triple: RISCV32,
    RISCV32E.triple: RISCV32E,
}
