"""The binding to the simulated processors.

Written by lfc.mcheck.engine.generate_abi: change the headers, and run it.
"""

# fmt: off
from __future__ import annotations

from ctypes import (
    CDLL,
    CFUNCTYPE,
    POINTER,
    Array,
    Structure,
    c_bool,
    c_uint8,
    c_uint32,
    c_uint64,
    c_void_p,
)
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from lfc.toolchain.c_types import Abi

if TYPE_CHECKING:
    from lfc.toolchain.c_types import PointerTo

AVR_READ = 1
AVR_WRITE = 2
AVR_WAS_READ = 4
AVR_WAS_WRITTEN = 8
AVR_ASK = 16
AVR_TELL = 32
AVR_STACK = 64
AVR_DATA = 65536
AVR_SPL = 93
AVR_SPH = 94
AVR_SREG = 95
AVR_RAMPZ = 91
AVR_EIND = 92
THUMB_READ = 1
THUMB_WRITE = 2
THUMB_ASK = 16
THUMB_TELL = 32
THUMB_STACK = 64
THUMB_SP = 13
THUMB_LR = 14
THUMB_PC = 15
THUMB_REGISTERS = 16
THUMB_V = 268435456
THUMB_C = 536870912
THUMB_Z = 1073741824
THUMB_Q = 134217728
THUMB_GE = 983040
RISCV_M = 1
RISCV_A = 2
RISCV_E = 4
RISCV_CLIC = 8
RISCV_READ = 1
RISCV_WRITE = 2
RISCV_ASK = 16
RISCV_TELL = 32
RISCV_STACK = 64
RISCV_RA = 1
RISCV_SP = 2
RISCV_T0 = 5
RISCV_A0 = 10
RISCV_REGISTERS = 32
RISCV_MIE = 8
RISCV_MPIE = 128
RISCV_MPP = 6144


class AvrStop(IntEnum):
    """`enum avr_stop`"""
    RUNS = 0
    AT_STOP = 1
    ILLEGAL = 2
    OUTSIDE = 3
    BAD_LOAD = 4
    BAD_STORE = 5
    SLEEPS = 6
    BREAKS = 7
    TOO_LONG = 8
    INTERRUPTED = 9


class ThumbStop(IntEnum):
    """`enum thumb_stop`"""
    RUNS = 0
    AT_STOP = 1
    ILLEGAL = 2
    OUTSIDE = 3
    BAD_LOAD = 4
    BAD_STORE = 5
    UNALIGNED = 6
    NO_THUMB = 7
    SLEEPS = 8
    BREAKS = 9
    CALLS_SUPERVISOR = 10
    LEAVES = 11
    TOO_LONG = 12
    INTERRUPTED = 13


class RiscvStop(IntEnum):
    """`enum riscv_stop`"""
    RUNS = 0
    AT_STOP = 1
    ILLEGAL = 2
    OUTSIDE = 3
    BAD_LOAD = 4
    BAD_STORE = 5
    UNALIGNED = 6
    SLEEPS = 7
    BREAKS = 8
    CALLS_SUPERVISOR = 9
    TOO_LONG = 10
    INTERRUPTED = 11


class ThumbCore(IntEnum):
    """`enum thumb_core`"""
    M0 = 0
    M0PLUS = 1
    M3 = 2
    M4 = 3
    M33 = 4


class ThumbWay(IntEnum):
    """`enum thumb_way`"""
    WENT_ON = 0
    BRANCHED = 1
    CALLED = 2
    CALLED_BY_POINTER = 3
    JUMPED = 4
    BY_TABLE = 5
    RETURNED = 6
    SKIPPED = 7


class RiscvWay(IntEnum):
    """`enum riscv_way`"""
    WENT_ON = 0
    BRANCHED = 1
    CALLED = 2
    CALLED_BY_POINTER = 3
    JUMPED = 4
    RETURNED = 5
    LEFT = 6


AvrAsk = CFUNCTYPE(c_bool, c_void_p, c_uint32)
AvrTell = CFUNCTYPE(None, c_void_p, c_uint32, c_uint8)
RiscvAsk = CFUNCTYPE(c_bool, c_void_p, c_uint32, c_uint32, c_uint32)
RiscvTell = CFUNCTYPE(None, c_void_p, c_uint32, c_uint32, c_uint32)
ThumbAsk = CFUNCTYPE(c_bool, c_void_p, c_uint32, c_uint32, c_uint32)
ThumbTell = CFUNCTYPE(None, c_void_p, c_uint32, c_uint32, c_uint32)


class Avr(Structure):
    """`struct avr`"""
    _fields_ = [
        ("flash", POINTER(c_uint8)), ("flash_size", c_uint32), ("executed", POINTER(c_uint8)),
        ("data", c_uint8 * 65536), ("allowed", c_uint8 * 65536), ("pc", c_uint32), ("wide_pc", c_uint32),
        ("small", c_uint32), ("where", c_uint32), ("lowest_stack", c_uint32), ("cycles", c_uint64), ("end", c_uint64),
        ("waits", c_uint32), ("was_off", c_bool), ("context", c_void_p), ("ask", AvrAsk), ("tell", AvrTell),
    ]
    flash: PointerTo[c_uint8]
    flash_size: int
    executed: PointerTo[c_uint8]
    data: Array[Any]
    allowed: Array[Any]
    pc: int
    wide_pc: int
    small: int
    where: int
    lowest_stack: int
    cycles: int
    end: int
    waits: int
    was_off: bool
    context: Any
    ask: Any
    tell: Any


class RiscvRegion(Structure):
    """`struct riscv_region`"""
    _fields_ = [("start", c_uint32), ("size", c_uint32), ("at", c_uint32)]
    start: int
    size: int
    at: int


class Riscv(Structure):
    """`struct riscv`"""
    _fields_ = [
        ("x", c_uint32 * 32), ("pc", c_uint32), ("mstatus", c_uint32), ("mie", c_uint32), ("mip", c_uint32),
        ("mtvec", c_uint32), ("mscratch", c_uint32), ("mepc", c_uint32), ("mcause", c_uint32), ("mtval", c_uint32),
        ("marchid", c_uint32), ("reserved", c_bool), ("reserved_at", c_uint32), ("has", c_uint32),
        ("region", POINTER(RiscvRegion)), ("regions", c_uint32), ("data", POINTER(c_uint8)),
        ("allowed", POINTER(c_uint8)), ("flash_start", c_uint32), ("flash_size", c_uint32), ("flash_at", c_uint32),
        ("executed", POINTER(c_uint8)), ("now", c_uint32), ("op", c_uint32), ("went", c_uint32), ("where", c_uint32),
        ("unwritten", c_uint8), ("lowest_stack", c_uint32), ("cycles", c_uint64), ("end", c_uint64),
        ("context", c_void_p), ("ask", RiscvAsk), ("tell", RiscvTell),
    ]
    x: Array[Any]
    pc: int
    mstatus: int
    mie: int
    mip: int
    mtvec: int
    mscratch: int
    mepc: int
    mcause: int
    mtval: int
    marchid: int
    reserved: bool
    reserved_at: int
    has: int
    region: PointerTo[RiscvRegion]
    regions: int
    data: PointerTo[c_uint8]
    allowed: PointerTo[c_uint8]
    flash_start: int
    flash_size: int
    flash_at: int
    executed: PointerTo[c_uint8]
    now: int
    op: int
    went: int
    where: int
    unwritten: int
    lowest_stack: int
    cycles: int
    end: int
    context: Any
    ask: Any
    tell: Any


class ThumbRegion(Structure):
    """`struct thumb_region`"""
    _fields_ = [("start", c_uint32), ("size", c_uint32), ("at", c_uint32)]
    start: int
    size: int
    at: int


class Thumb(Structure):
    """`struct thumb`"""
    _fields_ = [
        ("r", c_uint32 * 16), ("flags", c_uint32), ("it", c_uint32), ("it_now", c_uint32), ("primask", c_uint32),
        ("faultmask", c_uint32), ("basepri", c_uint32), ("control", c_uint32), ("other_sp", c_uint32),
        ("ipsr", c_uint32), ("waits", c_uint32), ("event", c_bool), ("exclusive", c_bool), ("exclusive_at", c_uint32),
        ("core", c_uint32), ("region", POINTER(ThumbRegion)), ("regions", c_uint32), ("data", POINTER(c_uint8)),
        ("allowed", POINTER(c_uint8)), ("flash_start", c_uint32), ("flash_size", c_uint32), ("flash_at", c_uint32),
        ("executed", POINTER(c_uint8)), ("now", c_uint32), ("op", c_uint32), ("went", c_uint32), ("where", c_uint32),
        ("unwritten", c_uint8), ("lowest_stack", c_uint32), ("cycles", c_uint64), ("end", c_uint64),
        ("context", c_void_p), ("ask", ThumbAsk), ("tell", ThumbTell),
    ]
    r: Array[Any]
    flags: int
    it: int
    it_now: int
    primask: int
    faultmask: int
    basepri: int
    control: int
    other_sp: int
    ipsr: int
    waits: int
    event: bool
    exclusive: bool
    exclusive_at: int
    core: int
    region: PointerTo[ThumbRegion]
    regions: int
    data: PointerTo[c_uint8]
    allowed: PointerTo[c_uint8]
    flash_start: int
    flash_size: int
    flash_at: int
    executed: PointerTo[c_uint8]
    now: int
    op: int
    went: int
    where: int
    unwritten: int
    lowest_stack: int
    cycles: int
    end: int
    context: Any
    ask: Any
    tell: Any


def account() -> Abi:
    """What the library must say of itself."""
    structs = {"avr": Avr, "riscv_region": RiscvRegion, "riscv": Riscv, "thumb_region": ThumbRegion, "thumb": Thumb}
    enums = {
        "avr_stop": AvrStop, "thumb_stop": ThumbStop, "riscv_stop": RiscvStop, "thumb_core": ThumbCore,
        "thumb_way": ThumbWay, "riscv_way": RiscvWay,
    }
    constants = {
        "AVR_READ": AVR_READ, "AVR_WRITE": AVR_WRITE, "AVR_WAS_READ": AVR_WAS_READ, "AVR_WAS_WRITTEN": AVR_WAS_WRITTEN,
        "AVR_ASK": AVR_ASK, "AVR_TELL": AVR_TELL, "AVR_STACK": AVR_STACK, "AVR_DATA": AVR_DATA, "AVR_SPL": AVR_SPL,
        "AVR_SPH": AVR_SPH, "AVR_SREG": AVR_SREG, "AVR_RAMPZ": AVR_RAMPZ, "AVR_EIND": AVR_EIND,
        "THUMB_READ": THUMB_READ, "THUMB_WRITE": THUMB_WRITE, "THUMB_ASK": THUMB_ASK, "THUMB_TELL": THUMB_TELL,
        "THUMB_STACK": THUMB_STACK, "THUMB_SP": THUMB_SP, "THUMB_LR": THUMB_LR, "THUMB_PC": THUMB_PC,
        "THUMB_REGISTERS": THUMB_REGISTERS, "THUMB_V": THUMB_V, "THUMB_C": THUMB_C, "THUMB_Z": THUMB_Z,
        "THUMB_Q": THUMB_Q, "THUMB_GE": THUMB_GE, "RISCV_M": RISCV_M, "RISCV_A": RISCV_A, "RISCV_E": RISCV_E,
        "RISCV_CLIC": RISCV_CLIC, "RISCV_READ": RISCV_READ, "RISCV_WRITE": RISCV_WRITE, "RISCV_ASK": RISCV_ASK,
        "RISCV_TELL": RISCV_TELL, "RISCV_STACK": RISCV_STACK, "RISCV_RA": RISCV_RA, "RISCV_SP": RISCV_SP,
        "RISCV_T0": RISCV_T0, "RISCV_A0": RISCV_A0, "RISCV_REGISTERS": RISCV_REGISTERS, "RISCV_MIE": RISCV_MIE,
        "RISCV_MPIE": RISCV_MPIE, "RISCV_MPP": RISCV_MPP,
    }
    return Abi("cores_abi", structs, enums, constants)


def declare(library: CDLL) -> None:
    """Result and arguments of each function."""
    prototypes: dict[str, tuple[Any, list[Any]]] = {
        "avr_step_once": (c_uint32, [POINTER(Avr)]), "avr_run_to": (c_uint32, [POINTER(Avr), c_uint32, c_uint64]),
        "avr_interrupt": (c_uint32, [POINTER(Avr), c_uint32]), "thumb_index": (c_uint32, [POINTER(Thumb), c_uint32]),
        "thumb_address": (c_uint32, [POINTER(Thumb), c_uint32]), "thumb_set_sp": (None, [POINTER(Thumb), c_uint32]),
        "thumb_reset": (c_uint32, [POINTER(Thumb)]), "thumb_step": (c_uint32, [POINTER(Thumb)]),
        "thumb_run_to": (c_uint32, [POINTER(Thumb), c_uint32, c_uint64]),
        "thumb_enter": (c_uint32, [POINTER(Thumb), c_uint32, c_uint32]), "thumb_leave": (c_uint32, [POINTER(Thumb)]),
        "riscv_index": (c_uint32, [POINTER(Riscv), c_uint32]), "riscv_address": (c_uint32, [POINTER(Riscv), c_uint32]),
        "riscv_set_sp": (None, [POINTER(Riscv), c_uint32]), "riscv_reset": (None, [POINTER(Riscv)]),
        "riscv_expanded": (c_uint32, [c_uint32]), "riscv_step": (c_uint32, [POINTER(Riscv)]),
        "riscv_run_to": (c_uint32, [POINTER(Riscv), c_uint32, c_uint64]),
        "riscv_trap": (None, [POINTER(Riscv), c_uint32, c_uint32]), "riscv_waits": (c_uint32, [POINTER(Riscv)]),
    }
    for name, (result, arguments) in prototypes.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
