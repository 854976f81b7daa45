"""The simulator of the Cortex-M cores (engine/thumb.h) from Python: memory by regions, registers, one step."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from enum import IntEnum

from lfc.isa.library import library

U8, U32, U64, POINTER = ctypes.c_uint8, ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p
READ, WRITE, ASK, TELL, STACK = 1, 2, 16, 32, 64
SP, LR, PC = 13, 14, 15
CORES = {"cortex-m0": 0, "cortex-m0plus": 1, "cortex-m3": 2, "cortex-m4": 3}


class Stop(IntEnum):
    """`enum thumb_stop` of thumb.h."""

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


class Way(IntEnum):
    """`enum thumb_way` of thumb.h."""

    WENT_ON = 0
    BRANCHED = 1
    CALLED = 2
    CALLED_BY_POINTER = 3
    JUMPED = 4
    BY_TABLE = 5
    RETURNED = 6
    SKIPPED = 7


class Region(ctypes.Structure):
    _fields_ = [("start", U32), ("size", U32), ("at", U32)]


ASKED = ctypes.CFUNCTYPE(ctypes.c_bool, POINTER, U32, U32, U32)
TOLD = ctypes.CFUNCTYPE(None, POINTER, U32, U32, U32)


class State(ctypes.Structure):
    """`struct thumb`."""

    _fields_ = [
        ("r", U32 * 16),
        *((name, U32) for name in ("flags", "it", "it_now")),
        *((name, U32) for name in ("primask", "faultmask", "basepri", "control", "other_sp", "ipsr", "waits")),
        ("event", ctypes.c_bool),
        ("exclusive", ctypes.c_bool),
        ("exclusive_at", U32),
        ("core", U32),
        ("region", ctypes.POINTER(Region)),
        ("regions", U32),
        ("data", ctypes.POINTER(U8)),
        ("allowed", ctypes.POINTER(U8)),
        *((name, U32) for name in ("flash_start", "flash_size", "flash_at")),
        ("executed", ctypes.POINTER(U8)),
        *((name, U32) for name in ("now", "op", "went", "where")),
        ("unwritten", U8),
        ("lowest_stack", U32),
        ("cycles", U64),
        ("end", U64),
        ("context", POINTER),
        ("ask", ASKED),
        ("tell", TOLD),
    ]


class ThumbCore:
    """A core with its memory. The first region is the flash; of others start and size."""

    def __init__(self, core: int, flash_start: int, flash: bytes, others: list[tuple[int, int]]) -> None:
        self.library = library()
        assert self.library.thumb_size() == ctypes.sizeof(State)
        self.library.thumb_step.argtypes = [ctypes.POINTER(State)]
        self.library.thumb_reset.argtypes = [ctypes.POINTER(State)]
        self.library.thumb_set_sp.argtypes = [ctypes.POINTER(State), U32]
        self.library.thumb_run_to.argtypes = [ctypes.POINTER(State), U32, U64]
        self.library.thumb_enter.argtypes = [ctypes.POINTER(State), U32, U32]
        places = [(flash_start, len(flash)), *others]
        size = sum(size for _, size in places)
        self.data, self.allowed = (U8 * size)(), (U8 * size)()
        self.executed = (U8 * (len(flash) // 2 + 1))()
        regions, at = [], 0
        for start, length in places:
            regions.append(Region(start, length, at))
            at += length
        self.places = regions
        self._regions = (Region * len(regions))(*regions[1:], regions[0])  # what is used most comes first
        self.state = State(
            core=core,
            region=self._regions,
            regions=len(regions),
            data=self.data,
            allowed=self.allowed,
            flash_start=flash_start,
            flash_size=len(flash),
            flash_at=0,
            executed=self.executed,
            lowest_stack=0xFFFFFFFF,
        )
        self.put(flash_start, flash)
        self.allow(flash_start, len(flash), READ)

    def index(self, address: int) -> int:
        return next(int(r.at + address - r.start) for r in self.places if 0 <= address - r.start < r.size)

    def allow(self, address: int, size: int, what: int) -> None:
        at = self.index(address)
        assert at + size <= len(self.allowed)
        ctypes.memset(ctypes.byref(self.allowed, at), what, size)

    def put(self, address: int, content: bytes) -> None:
        at = self.index(address)
        assert at + len(content) <= len(self.data)
        ctypes.memmove(ctypes.byref(self.data, at), content, len(content))

    def get(self, address: int, size: int) -> bytes:
        at = self.index(address)
        return ctypes.string_at(ctypes.byref(self.data, at), size)

    def watch(
        self, ask: Callable[[int, int], int | None] | None = None, tell: Callable[[int, int, int], None] | None = None
    ) -> None:
        """`ask` (address, size) says what a read gives, None: a bad load; `tell` (address, size, value) is told."""

        def asked(_: object, at: int, address: int, size: int) -> bool:
            value = None if ask is None else ask(address, size)
            if value is None:
                return False
            self.data[at : at + size] = list(value.to_bytes(size, "little"))
            return True

        def told(_: object, at: int, address: int, size: int) -> None:
            if tell is not None:
                tell(address, size, int.from_bytes(bytes(self.data[at : at + size]), "little"))

        self.state.ask, self.state.tell = ASKED(asked), TOLD(told)

    def reset(self) -> Stop:
        return Stop(self.library.thumb_reset(self.state))

    def step(self) -> Stop:
        return Stop(self.library.thumb_step(self.state))

    def enter(self, number: int, table: int) -> Stop:
        """Takes an exception."""
        return Stop(self.library.thumb_enter(self.state, number, table))

    def run_to(self, stop: int, cycles: int) -> Stop:
        return Stop(self.library.thumb_run_to(self.state, stop, cycles))
