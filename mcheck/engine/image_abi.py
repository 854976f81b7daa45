"""The check of images in the engine: its numbers and structs for ctypes."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from functools import cache

from lfc.mcheck.engine import library as engine_library

U32, U64, POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_void_p
BYTES, WORDS = ctypes.POINTER(ctypes.c_uint8), ctypes.POINTER(ctypes.c_uint64)
NO_FIELD = 0xFFFFFFFF
EXECUTABLE, ENTRY, RETURNS_TO, JOIN = 1, 2, 4, 8


class Place(IntEnum):
    """`enum img_place` of image.h."""

    NOWHERE = 0
    CPU = 1
    BLOCK = 2
    POLICY = 3
    CONSTANT = 4
    STACK = 5
    CAME = 6
    COUNT = 7
    WOKEN = 8
    TAKEN = 9
    RECEIVED = 10
    BUFFER = 11
    LOST = 12
    TOLD = 13
    DEVICE = 14
    STATUS = 15
    SEND = 16
    MASK = 17
    FREE = 18
    LINES = 19
    SENDING = 20


class Kind(IntEnum):
    """`enum img_error_kind` of image.h."""

    BAD_START = 1
    BAD_LOAD = 2
    BAD_STORE = 3
    ILLEGAL = 4
    OUTSIDE = 5
    BAD_JUMP = 6
    ENDLESS = 7
    BAD_REGISTERS = 8
    HIDDEN = 9
    BAD_PICK = 10
    BAD_BLOCK = 11
    BAD_POLICY = 12
    BAD_DEVICE = 13
    BAD_FAULT = 14
    NO_SUCCESSOR = 15
    FOREIGN = 16
    UNALIGNED = 17
    UNDEFINED = 18


class Event(IntEnum):
    RUN = 0
    WAKE = 1
    INTERRUPT = 2
    IDLE = 3


class Effect(ctypes.Structure):
    """`struct img_effect` of image.h: of an instruction, as sets of registers."""

    _fields_ = [(name, U64) for name in ("uses", "defines", "needs", "stores")]


class Setup(ctypes.Structure):
    _fields_ = [
        ("flash", BYTES),
        ("place", BYTES),
        ("code", BYTES),
        ("live", WORDS),
        ("effect", POINTER),
        ("shares", BYTES),
        ("oracle", POINTER),
        ("oracle_room", U32),
        ("region", POINTER),
        *((name, U32) for name in ("regions", "places", "flash_size", "flash_start", "processor", "core")),
        *((name, U32) for name in ("start", "step", "halt", "reset", "arrive", "depart")),
        *((name, U32) for name in ("block_at", "policy_at", "policy_size")),
        *((name, U32) for name in ("cursor_at", "arrivals_at", "arrivals_room", "sleepers_at", "sleepers_room")),
        *((name, U32) for name in ("clock_at", "timed_selects")),
        *((name, U32) for name in ("came_at", "count_at", "buffer_at")),
        *((name, U32) for name in ("wrap_to", "interrupts")),
        *((name, U32) for name in ("stack_low", "stack_top")),
        *((name, U32) for name in ("ready", "busy", "clears", "has_time", "safe", "free_bits")),
        ("most_cycles", U64),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        *((name, U32) for name in ("kind", "pc", "where")),
        *((name, U64) for name in ("expected", "found")),
        *((name, U32) for name in ("event", "which", "position", "weight")),
        ("root", U64),
        ("count", U64),
    ]


class Statistics(ctypes.Structure):
    _fields_ = [
        *((name, U64) for name in ("states", "executions", "instructions", "phases", "nodes", "leaves", "passes")),
        *((name, U64) for name in ("compared", "foreign", "sampled", "met", "deepest")),
        ("errors", U32),
        ("stop", U32),
        ("seconds", ctypes.c_double),
    ]


class Worst(ctypes.Structure):
    _fields_ = [("cycles", U64), ("root", U64), ("slot", U32), ("cursor", U32)]


@cache
def library() -> ctypes.CDLL:
    engine = engine_library.library()
    engine.img_new.restype = POINTER
    engine.img_new.argtypes = [POINTER, ctypes.POINTER(Setup)]
    engine.img_free.argtypes = [POINTER]
    engine.img_check.argtypes = [POINTER]
    engine.img_get_statistics.argtypes = [POINTER]
    engine.img_get_statistics.restype = ctypes.POINTER(Statistics)
    engine.img_get_error.argtypes = [POINTER, U32, ctypes.POINTER(Error), POINTER]
    engine.img_get_executed.argtypes = [POINTER, POINTER]
    engine.img_get_start.argtypes = [POINTER, POINTER, ctypes.POINTER(U32), ctypes.POINTER(U32)]
    engine.img_get_worst.argtypes = [POINTER, U32, ctypes.POINTER(Worst), POINTER]
    engine.img_trace_worst.argtypes = [POINTER, U32, POINTER, U32]
    return engine
