"""A compiled program in memory, driven step by step.

`HostRun` owns the policy block and the state block; `step` does one pass of the kernel's loop and says what happened.
"""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING

from lfc.external.calls import external_calls
from lfc.run.external import with_stand_ins
from lfc.run.load_code import LoadedCode
from lfc.run.native import native_object
from lfc.run.quick import quick_objects

if TYPE_CHECKING:
    from lfc.codegen.module.generated import Generated


class Mode(IntEnum):
    ROUND_ROBIN = 0
    EARLIEST = 1
    RANDOM = 2
    FOLLOW = 3
    SCRIPT = 4


class Status(IntEnum):
    RAN = 0
    ENDED = 1
    BLOCKED = 2
    WAITING = 3
    FAULT = 4
    DIVERGED = 5
    FINISHED = 6


class HostState(ctypes.Structure):
    """`struct lf_host` of runtime/ports/host/host.h."""

    _fields_ = [
        ("size", ctypes.c_uint32),
        ("mode", ctypes.c_uint32),
        ("random", ctypes.c_uint64),
        ("now", ctypes.c_uint32),
        ("inputs_are_zero", ctypes.c_uint32),
        ("items", ctypes.POINTER(ctypes.c_uint8)),
        ("items_room", ctypes.c_uint32),
        ("items_used", ctypes.c_uint32),
        ("schedule", ctypes.c_char_p),
        ("schedule_size", ctypes.c_uint32),
        ("schedule_at", ctypes.c_uint32),
        ("script", ctypes.POINTER(ctypes.c_uint32)),
        ("script_size", ctypes.c_uint32),
        ("asked", ctypes.c_uint32),
        ("alternatives", ctypes.POINTER(ctypes.c_uint32)),
        ("alternatives_room", ctypes.c_uint32),
        ("event", ctypes.c_uint32),
        ("out", ctypes.POINTER(ctypes.c_uint8)),
        ("out_room", ctypes.c_uint32),
        ("out_used", ctypes.c_uint32),
        ("in_", ctypes.c_char_p),
        ("in_size", ctypes.c_uint32),
        ("in_at", ctypes.c_uint32),
        ("fault_kind", ctypes.c_uint32),
        ("fault_site", ctypes.c_uint32),
        ("fault_first", ctypes.c_int32),
        ("fault_second", ctypes.c_int32),
        ("steps", ctypes.c_uint64),
        ("rounds", ctypes.c_uint32),
        ("interrupts", ctypes.c_uint32),
        ("overflow", ctypes.c_void_p),
        ("given", ctypes.POINTER(ctypes.c_uint32)),
        ("given_size", ctypes.c_uint32),
        ("given_at", ctypes.c_uint32),
        ("one_value", ctypes.c_uint32),
        ("addresses", ctypes.POINTER(ctypes.c_uint32)),
        ("addresses_room", ctypes.c_uint32),
        ("addresses_used", ctypes.c_uint32),
    ]


@dataclass(slots=True)
class Fault:
    kind: int
    site: int
    first: int
    second: int


ITEMS_ROOM = 1 << 16
OUT_ROOM = 1 << 16
ALTERNATIVES_ROOM = 4096
ENTRY_POINTS = ("lf_host_start", "lf_host_step", "lf_host_run", "lf_host_next_wake", "lf_host")


def compiled(generated: Generated, level: int, c_modules: Sequence[str] = ()) -> Mapping[str, int]:
    """The addresses of the entry points of a program, in memory as long as the result lives.

    Below level 2 it is there soon, which is what steps by hand, replays and tests of some steps want. `c_modules`: LLVM
    IR of C that is linked in; what it lacks can be followed in a record, but not called."""
    more = with_stand_ins(generated, c_modules) if external_calls(generated.machine) else c_modules
    ir, wide = generated.ir, generated.machine.wide
    objects = quick_objects(ir, wide=wide, more=more) if level < 2 else [native_object(ir, level, more=more, wide=wide)]
    return LoadedCode(objects, ENTRY_POINTS)


class HostRun:
    """One program in memory. Only one at a time may run: the code keeps its host state in a global.

    `code` are the addresses of the entry points, if the program was compiled by somebody else.
    """

    def __init__(
        self,
        generated: Generated,
        level: int = 2,
        mode: Mode = Mode.ROUND_ROBIN,
        seed: int = 1,
        code: Mapping[str, int] | None = None,
        c_modules: Sequence[str] = (),
    ) -> None:
        self.generated = generated
        self.layout = generated.machine.layout
        self.wide = generated.machine.wide  # slots in items have two bytes
        self._code = compiled(generated, level, c_modules) if code is None else code
        pointer = ctypes.c_void_p
        self._start = ctypes.CFUNCTYPE(ctypes.c_uint32, pointer)(self._code["lf_host_start"])
        self._step = ctypes.CFUNCTYPE(ctypes.c_uint32, pointer)(self._code["lf_host_step"])
        self._run = ctypes.CFUNCTYPE(ctypes.c_uint64, pointer, ctypes.c_uint64, pointer)(self._code["lf_host_run"])
        self._next_wake = ctypes.CFUNCTYPE(ctypes.c_uint32, pointer, pointer)(self._code["lf_host_next_wake"])
        self.host = HostState.from_address(self._code["lf_host"])
        assert self.host.size == ctypes.sizeof(HostState), "HostState and struct lf_host differ"
        self._size = generated.machine.block_size
        self._memory_size = generated.policies.size + self._size
        self._memory = ctypes.create_string_buffer(self._memory_size + 128)
        address = ctypes.addressof(self._memory)
        self._block = (address + generated.policies.size + 63) // 64 * 64
        self._items = (ctypes.c_uint8 * ITEMS_ROOM)()
        self._out = (ctypes.c_uint8 * OUT_ROOM)()
        self._alternatives = (ctypes.c_uint32 * ALTERNATIVES_ROOM)()
        h = self.host
        h.mode, h.random = mode, seed * 0x9E3779B97F4A7C15 & (1 << 64) - 1 or 1
        h.items, h.items_room = self._items, ITEMS_ROOM
        h.out, h.out_room, h.out_used = self._out, OUT_ROOM, 0
        h.alternatives, h.alternatives_room = self._alternatives, ALTERNATIVES_ROOM
        h.in_, h.in_size, h.in_at = b"", 0, 0
        h.schedule, h.schedule_size, h.schedule_at = b"", 0, 0
        self._more_items, self._more_output = bytearray(), bytearray()  # of one action, what had no room
        this = weakref.ref(self)  # not `self`: a run must go, with its code, as soon as nobody holds it
        self._overflow = ctypes.CFUNCTYPE(None)(lambda: _take_overflow(this()))
        h.overflow = ctypes.cast(self._overflow, ctypes.c_void_p)
        h.now = h.asked = h.steps = h.script_size = 0
        self._input = b""
        self._kept: list[object] = []
        self._start(self._block)
        self._first_policies = self.policy_block

    def take_overflow(self) -> None:
        """Called from inside an action: the buffers are emptied, what was in them is kept here."""
        h = self.host
        self._more_items += ctypes.string_at(self._items, min(h.items_used, ITEMS_ROOM))
        self._more_output += ctypes.string_at(self._out, min(h.out_used, OUT_ROOM))
        h.items_used = h.out_used = 0

    def step(self) -> Status:
        self._more_items.clear()
        return Status(self._step(self._block))

    def run(self, steps: int) -> tuple[int, Status]:
        """Many steps, without their items; stops early when the console's buffer is half full."""
        status = ctypes.c_uint32()
        self.host.items_room = 0
        done: int = self._run(self._block, steps, ctypes.addressof(status))
        self.host.items_room = ITEMS_ROOM
        return done, Status(status.value)

    @property
    def block(self) -> bytes:
        return ctypes.string_at(self._block, self._size)

    @block.setter
    def block(self, content: bytes) -> None:
        """The policies begin anew: what they remember of who waits is of the block that was there."""
        assert len(content) == self._size
        self.policy_block = self._first_policies
        ctypes.memmove(self._block, content, len(content))

    @property
    def policy_block(self) -> bytes:
        size = self.generated.policies.size
        return ctypes.string_at(self._block - size, size)

    @policy_block.setter
    def policy_block(self, content: bytes) -> None:
        ctypes.memmove(self._block - len(content), content, len(content))

    @property
    def items(self) -> bytes:
        """Of the last step, in binary."""
        used = min(self.host.items_used, ITEMS_ROOM)
        return bytes(self._more_items) + ctypes.string_at(self._items, used)

    @property
    def fault(self) -> Fault:
        h = self.host
        return Fault(h.fault_kind, h.fault_site, h.fault_first, h.fault_second)

    def take_output(self) -> bytes:
        """What the program wrote to the console since the last call."""
        text = bytes(self._more_output) + ctypes.string_at(self._out, min(self.host.out_used, OUT_ROOM))
        self._more_output.clear()
        self.host.out_used = 0
        return text

    def feed(self, data: bytes) -> None:
        """Console input: what is left and `data`."""
        self.set_input(self._input[self.host.in_at :] + data)

    def set_input(self, data: bytes) -> None:
        """Console input that is still to be read: this and nothing else."""
        h = self.host
        if self._input != data or h.in_at:
            self._input = data
            h.in_, h.in_size, h.in_at = data, len(data), 0

    def follow(self, items: bytes) -> None:
        """From now on do what `items` say."""
        self._schedule = items
        self.host.mode = Mode.FOLLOW
        self.host.schedule, self.host.schedule_size, self.host.schedule_at = items, len(items), 0

    def run_slot(
        self, slot: int, script: Sequence[int], inputs: Sequence[int] | None = None
    ) -> tuple[Status, list[int]]:
        """SCRIPT mode: the next action of a slot, taking the named alternatives; and how many each decision had.
        `inputs`: what ports and C give, one after the other, instead of any value."""
        numbers = (ctypes.c_uint32 * max(1, len(script)))(*script)
        self._kept = [numbers]
        h = self.host
        h.given, h.given_size, h.given_at = None, 0, 0
        if inputs is not None:
            given = (ctypes.c_uint32 * max(1, len(inputs)))(*inputs)
            self._kept.append(given)
            h.given, h.given_size = given, len(inputs)
        h.mode, h.event = Mode.SCRIPT, slot
        h.script, h.script_size = numbers, len(script)
        status = self.step()
        return status, list(self._alternatives[: min(h.asked, ALTERNATIVES_ROOM)])

    def next_wake(self) -> int | None:
        when = ctypes.c_uint32()
        return when.value if self._next_wake(self._block, ctypes.addressof(when)) else None


def _take_overflow(run: HostRun | None) -> None:
    if run is not None:
        run.take_overflow()
