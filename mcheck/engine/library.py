"""The engine as a shared library: built from its C sources by `ziglang`, kept in a cache, and its structs for
ctypes.
"""

from __future__ import annotations

import ctypes
from functools import cache
from pathlib import Path

from lfc.isa.library import CORES
from lfc.toolchain.c_library import load_c_library

FOLDER = Path(__file__).resolve().parent
OF_IMAGES = "image"  # a room; no board has room for a wide program
NOT_OF_THE_LIBRARY = ("checker_policies.c", "oracle_policies.c")  # compiled with each program

U32, U64, I32, POINTER = ctypes.c_uint32, ctypes.c_uint64, ctypes.c_int32, ctypes.c_void_p


class Piece(ctypes.Structure):
    _fields_ = [("offset", U32), ("size", U32)]


class DeadPiece(ctypes.Structure):
    _fields_ = [("offset", U32), ("size", U32), ("origin", U32)]


class DeadShape(ctypes.Structure):
    _fields_ = [(n, U32) for n in ("first_piece", "pieces", "return_offset", "return_size", "distance")]


class Component(ctypes.Structure):
    _fields_ = [
        ("first_piece", U32),
        ("pieces", U32),
        ("size", U32),
        ("class_number", U32),
        ("slot", I32),
        ("position_size", U32),
        ("first_number", U32),
    ]


class Action(ctypes.Structure):
    _fields_ = [
        ("kind", U32),
        ("first_touched", U32),
        ("touched", U32),
        ("first_partner", U32),
        ("partners", U32),
        ("timed", U32),
        ("closed_offset", U32),
        ("closed_size", U32),
        ("idle", U32),
    ]


class Assumed(ctypes.Structure):
    _fields_ = [("width", U32), ("address", U32), ("low", U32), ("high", U32)]


class SlotFrame(ctypes.Structure):
    _fields_ = [("frame0", U32), ("field", U32), ("field_size", U32)]


class Timing(ctypes.Structure):
    _fields_ = [
        ("mode", U32),
        ("timers", U32),
        ("component", U32),
        ("has_clock", U32),
        ("clock_component", U32),
        ("clock_at", U32),
        ("wrap", U64),
        ("first_timer", ctypes.POINTER(U32)),
        ("clause", ctypes.POINTER(U32)),
    ]


class Program(ctypes.Structure):
    _fields_ = [
        ("block_size", U32),
        ("slots", U32),
        ("positions", U32),
        ("first_waiting", U32),
        ("position_size", U32),
        ("components", U32),
        ("classes", U32),
        ("interrupts", U32),
        ("pieces", ctypes.POINTER(Piece)),
        ("component", ctypes.POINTER(Component)),
        ("slot_component", ctypes.POINTER(U32)),
        ("action", ctypes.POINTER(Action)),
        ("touched", ctypes.POINTER(U32)),
        ("partner", ctypes.POINTER(U32)),
        ("may_meet", ctypes.POINTER(ctypes.c_uint8)),
        ("server", ctypes.POINTER(ctypes.c_uint8)),
        ("numbers", ctypes.POINTER(ctypes.c_uint16)),
        ("initial", ctypes.POINTER(ctypes.c_uint8)),
        ("run", POINTER),
        ("wake", POINTER),
        ("interrupt", POINTER),
        ("room_before_block", U32),
        ("pending_offset", U32),
        ("blocks", U32),
        ("tellings", U32),
        ("told_component", ctypes.POINTER(U32)),
        ("told", ctypes.POINTER(ctypes.c_uint8)),
        ("frame", ctypes.POINTER(SlotFrame)),
        ("outside", ctypes.POINTER(ctypes.c_uint8)),
        ("timing", Timing),
        ("assume", ctypes.POINTER(Assumed)),
        ("assumes", U32),
        ("rate", U32),
        ("rate_component", U32),
        ("number_count", U32),
        ("is_outside", ctypes.POINTER(ctypes.c_uint8)),
    ]


class Options(ctypes.Structure):
    _fields_ = [
        ("most_states", U64),
        ("most_memory", U64),
        ("keep_going", U32),
        ("most_errors", U32),
        ("remember", U32),
        ("rounds", U32),
        ("threads", U32),
        ("compact", U32),
        ("least_shared", U32),
        ("most_depth", U32),
        ("scratch", U32),
        ("spill_at", U32),
    ]


class Crowded(ctypes.Structure):
    """Of crowded.h."""

    _fields_ = [
        ("why", U32),
        ("slot", U32),
        ("executions", U64),
        ("inputs", U32),
        ("width", U32 * 8),
        ("address", U32 * 8),
        ("padding", U32),
    ]


class Error(ctypes.Structure):
    _fields_ = [
        ("kind", U32),
        ("fault_kind", U32),
        ("fault_site", U32),
        ("fault_first", I32),
        ("fault_second", I32),
        ("slot", U32),
        ("state", U64),
        ("depth", U32),
        ("padding", U32),
    ]


class Statistics(ctypes.Structure):
    _fields_ = [
        *((name, U64) for name in ("states", "transitions", "expanded", "ends", "deadlocks", "faults")),
        *((name, U64) for name in ("executions", "remembered")),
        *((f"{name}_bytes", U64) for name in ("table", "node", "log", "frontier", "memo", "value")),
        *((name, U64) for name in ("nodes", "values", "stuck_sweeps", "stuck_left")),
        *((name, U64) for name in ("disk_bytes", "disk_written", "spills")),
        *((name, U32) for name in ("depth", "stop", "assumed", "errors")),
        ("seconds", ctypes.c_double),
    ]


class Range(ctypes.Structure):
    _fields_ = [("distinct", U64), ("lowest", ctypes.c_int64), ("highest", ctypes.c_int64)]


VISIT = ctypes.CFUNCTYPE(None, POINTER, POINTER)
ASK = ctypes.CFUNCTYPE(None)
SHOW = ctypes.CFUNCTYPE(None, POINTER, U64)
END = ctypes.CFUNCTYPE(None, POINTER)


class Seal(ctypes.Structure):
    """Of search.h; empty: nobody has a key."""

    _fields_ = [("show", SHOW), ("end", END)]


INCLUDE = (FOLDER, CORES)  # where its headers are looked for


def sources(wide: bool = False) -> list[Path]:
    """Of the library, in C; those of the processors that it executes images with among them."""
    found = sorted(f for f in FOLDER.rglob("*.c") if f.name not in NOT_OF_THE_LIBRARY)
    return [f for f in found if f.parent.name != OF_IMAGES] if wide else [*found, *sorted(CORES.glob("*.c"))]


def headers() -> list[Path]:
    return [f for folder in INCLUDE for f in sorted(folder.rglob("*.h"))]


def slots_room(wide: bool) -> int:
    """As in slots.h; the last one stands for nobody."""
    return 1024 if wide else 256


def nobody(wide: bool) -> int:
    return slots_room(wide) - 1


def library(wide: bool = False) -> ctypes.CDLL:
    """`wide`: for programs whose slots and ports have two bytes."""
    return _library(wide)


def opened(wide: bool) -> ctypes.CDLL:
    """The engine, built or from the cache. Its functions are not declared yet."""
    flags = ["-DLF_WIDE"] if wide else []
    return load_c_library(sources(wide), headers(), INCLUDE, flags, "the checker's engine")


@cache
def _library(wide: bool) -> ctypes.CDLL:
    engine = opened(wide)
    engine.mc_new.restype = POINTER
    engine.mc_new.argtypes = [ctypes.POINTER(Program), ctypes.POINTER(Options)]
    engine.mc_free.argtypes = [POINTER]
    engine.mc_search.argtypes = [POINTER, ctypes.c_double]
    engine.mc_interrupt.argtypes = [POINTER]
    engine.mc_order_as.argtypes, engine.mc_order_as.restype = [POINTER, POINTER], ctypes.c_bool
    engine.mc_ask_for_code.argtypes = [POINTER, ctypes.c_double, ASK]
    engine.mc_use_code.argtypes = [POINTER, ctypes.POINTER(Program)]
    engine.mc_stop_after.argtypes = [POINTER, U64]
    engine.mc_go_on_to.argtypes = [POINTER, U64]
    engine.mc_states_within.argtypes = [POINTER, U32]
    engine.mc_states_within.restype = U64
    engine.mc_spill_into.argtypes = [POINTER, ctypes.c_char_p]
    engine.mc_spill_error.argtypes = [POINTER]
    engine.mc_checkpoint_to.argtypes = [POINTER, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_double, Seal]
    engine.mc_checkpoint_error.argtypes = [POINTER, ctypes.POINTER(U64)]
    numbers = [ctypes.POINTER(U32)] * 2
    engine.mc_resume.argtypes = [POINTER, ctypes.c_char_p, ctypes.c_char_p, Seal, U32, *numbers]
    engine.mc_get_statistics.argtypes = [POINTER]
    engine.mc_get_statistics.restype = ctypes.POINTER(Statistics)
    engine.mc_get_error.argtypes = [POINTER, U32, ctypes.POINTER(Error)]
    engine.mc_path_to.argtypes = [POINTER, U64, POINTER, U64]
    engine.mc_path_to.restype = U64
    engine.mc_blocks_along.argtypes = [POINTER, POINTER, U64, POINTER]
    engine.mc_stuck.argtypes = [POINTER, ctypes.POINTER(U64), POINTER]
    engine.mc_inputs_of.argtypes = [POINTER, ctypes.c_char_p, ctypes.c_char_p, U32, U32, U32, ctypes.POINTER(U32), U64]
    engine.mc_inputs_of.restype = U64
    engine.mc_get_crowded.argtypes = [POINTER, ctypes.POINTER(Crowded), POINTER]
    engine.mc_get_seen.argtypes = [POINTER, POINTER, POINTER, POINTER]
    engine.mc_get_most_waiting.argtypes = [POINTER, POINTER]
    engine.mc_get_range.argtypes = [POINTER, U32, U32, U32, U32, ctypes.POINTER(Range)]
    engine.mc_all_states.argtypes = [POINTER, VISIT, POINTER]
    return engine
