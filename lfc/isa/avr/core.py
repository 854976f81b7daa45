"""The simulator of the AVR core (engine/avr.h) from Python: flash, data space, registers, one step."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import IntEnum

from lfc.isa.library import library

U8, U32, U64, POINTER = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p
READ, WRITE, ASK, TELL = 1, 2, 16, 32
DATA = 0x10000
SPL, SPH, STATUS, RAMPZ, EIND = 0x5D, 0x5E, 0x5F, 0x5B, 0x5C
PROCESSOR = (*range(32), SPL, SPH, STATUS, RAMPZ, EIND)  # bytes of the data space that are its own


class Stop(IntEnum):
    """`enum avr_stop` of avr.h."""

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


ASKED = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, U32)
TOLD = ctypes.CFUNCTYPE(None, POINTER, U32, U8)


class State(ctypes.Structure):
    """`struct avr`."""

    _fields_ = [
        ("flash", ctypes.POINTER(U8)),
        ("flash_size", U32),
        ("executed", ctypes.POINTER(U8)),
        ("data", U8 * DATA),
        ("allowed", U8 * DATA),
        *((name, U32) for name in ("pc", "wide_pc", "where", "lowest_stack")),
        ("cycles", U64),
        ("end", U64),
        ("waits", U32),
        ("was_off", ctypes.c_bool),
        ("context", POINTER),
        ("ask", ASKED),
        ("tell", TOLD),
    ]


class AvrCore:
    """A core with its memory: registers of devices up to where the RAM begins."""

    def __init__(self, flash: bytes, wide: bool, ram_start: int, ram_size: int) -> None:
        self.library = library()
        assert self.library.avr_size() == ctypes.sizeof(State)
        self.library.avr_run_to.argtypes = [ctypes.POINTER(State), U32, U64]
        self.library.avr_interrupt.argtypes = [ctypes.POINTER(State), U32]
        self._flash = (U8 * len(flash)).from_buffer_copy(flash)
        self.state = State(flash=self._flash, flash_size=len(flash), wide_pc=int(wide), lowest_stack=DATA)
        self.allow(32, ram_start - 32, READ | WRITE | ASK | TELL)
        for at in PROCESSOR:
            self.allow(at, 1, READ | WRITE)
        self.allow(ram_start, ram_size, READ | WRITE)

    def allow(self, start: int, size: int, what: int) -> None:
        self.state.allowed[start : start + size] = [what] * size

    def put(self, at: int, content: bytes) -> None:
        self.state.data[at : at + len(content)] = list(content)

    def get(self, at: int, size: int) -> bytes:
        return bytes(self.state.data[at : at + size])

    def watch(self, ask: Callable[[int], int], tell: Callable[[int, int], None]) -> None:
        """What a read of a device's register gives, and what a write does."""

        def asked(_: object, at: int) -> bool:
            self.state.data[at] = ask(at)
            return True

        def told(_: object, at: int, value: int) -> None:
            tell(at, value)

        self.state.ask, self.state.tell = ASKED(asked), TOLD(told)

    def run_to(self, stop: int, cycles: int) -> Stop:
        return Stop(self.library.avr_run_to(self.state, stop, cycles))

    def interrupt(self, vector: int) -> Stop:
        return Stop(self.library.avr_interrupt(self.state, vector))
