"""A program as all searches of it share it: compiled and loaded, with what the engine must know.

Several searches of one program may be made with it, one after the other or at once: nothing in it is changed by
one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from lfc.base.cache import is_cached
from lfc.codegen.module.before_block import ROOM_OF_POLICIES
from lfc.mcheck.engine import abi
from lfc.mcheck.engine import library as lib
from lfc.mcheck.model.kept_model import plain_text, prepared
from lfc.run.load_code import LoadedCode
from lfc.run.native import native_object, object_name
from lfc.run.quick import quick_objects

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine, PropertyMachine
    from lfc.codegen.module.generated import Generated
    from lfc.mcheck.model.input_ranges import Assumed
    from lfc.mcheck.request.world import World
    from lfc.semantics.model import typed

KEPT = ("lf_check_run", "lf_check_wake", "lf_check_interrupt", "lf_check_initialise")
WATCHING = ("lf_property_step", "lf_property_start")
U32 = ctypes.c_uint32
LEVEL = 1  # of the optimiser
POLICIES = lib.FOLDER / "model" / "checker_policies.c"


T = TypeVar("T")


class CompiledModel:
    """One program, in one world, with what formulas and property processes ask of it."""

    def __init__(
        self,
        machine: Machine,
        world: World,
        atoms: Sequence[typed.Expr] = (),
        watchers: Sequence[PropertyMachine] = (),
        begins_soon: bool = True,
    ) -> None:
        """`atoms`: of the formulas that are to be checked; `watchers`: property processes that are. `begins_soon`: the
        code is to be there soon; `improve` makes a better one. Raises input_ranges.NotUnderstood."""
        self.machine, self.world = machine, world
        self.atoms, self.watchers = atoms, watchers
        self.assume = assumed(machine, world)
        self.watches = bool(atoms or watchers)
        parts = prepared(machine, world, atoms, watchers)
        self.generated, self.description, self.timing = parts.generated, parts.description, parts.timing
        self.blocks, self._outside, self._plain = parts.blocks, parts.outside, parts.plain
        self._picks = parts.picks
        self._rate_component = len(self.description.components) - 1 if world.rate else len(self.description.components)
        clocked = self.timing.clock_component is not None
        self.block_size = self.timing.clock_at + 4 if clocked else parts.room  # the clock lies behind
        self.kept_names = (*KEPT, *(("lf_atoms",) if atoms else ()), *(WATCHING if watchers else ()))
        self._kept = list[object]()
        self.may_improve = begins_soon and not is_cached(
            object_name(self.generated.ir, LEVEL, False, POLICIES, self.kept_names, (), machine.wide)
        )
        if self.may_improve:
            self._code = self._loaded(quick_objects(self.generated.ir, POLICIES, machine.wide))
        else:
            self._code = self._loaded([self._object()])
        self.library = lib.library(machine.wide)
        self.initial = self._initial_block()
        self.program = self._program()
        self._made: dict[Hashable, Any] = {}

    def _object(self) -> bytes:
        ir, wide = self.generated.ir, self.machine.wide
        return native_object(ir, LEVEL, policies=POLICIES, kept=self.kept_names, wide=wide)

    def _loaded(self, objects: Sequence[bytes]) -> Mapping[str, int]:
        loaded = LoadedCode(objects, self.kept_names)
        self._kept.append(loaded)  # an engine may execute it as long as there is one
        return loaded

    def improve(self) -> None:
        """From now on `program` and `address` are of the better code, which takes longer to make."""
        if not self.may_improve:
            return
        self._code, self.may_improve = self._loaded([self._object()]), False
        p, code = self.program, self._code
        p.run, p.wake = abi.ProgramRun(code["lf_check_run"]), abi.ProgramWake(code["lf_check_wake"])
        p.interrupt = abi.ProgramInterrupt(code["lf_check_interrupt"])

    def plain(self) -> Generated:
        """The program alone, for this machine."""
        if self._plain is None:
            self._plain = plain_text(self.generated)
        return self._plain

    def address(self, name: str) -> int:
        """Of a function of the program; 0 if there is none."""
        return int(self._code[name]) if name in self.kept_names else 0

    def cached(self, key: Hashable, make: Callable[[], T]) -> T:
        """What somebody has made of this program, so that all searches of it share it."""
        if key not in self._made:
            self._made[key] = make()
        found: T = self._made[key]
        return found

    # --- what the engine must know ---------------------------------------------------------------------------------

    def _initial_block(self) -> bytes:
        size = self.block_size
        memory = ctypes.create_string_buffer(size + 256)
        block = (ctypes.addressof(memory) + 127) // 64 * 64
        initialise: Callable[[int], None] = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(self._code["lf_check_initialise"])
        initialise(block)
        return ctypes.string_at(block, size)

    def _keep(self, array: ctypes.Array) -> ctypes.Array:  # type: ignore[type-arg]
        self._kept.append(array)
        return array

    def _numbers(self, numbers: list[int]) -> ctypes.Array:  # type: ignore[type-arg]
        return self._keep((ctypes.c_uint32 * max(1, len(numbers)))(*numbers))

    def _bytes(self, content: bytes) -> ctypes.Array:  # type: ignore[type-arg]
        return self._keep((ctypes.c_uint8 * max(1, len(content))).from_buffer_copy(content or b"\0"))

    def _components(self) -> dict[str, Any]:
        """What the block is taken apart into."""
        d = self.description
        classes: dict[int, int] = {}
        pieces: list[abi.Piece] = []
        components: list[abi.Component] = []
        for c in d.components:
            number = classes.setdefault(id(c.class_key), len(classes))
            components.append(
                abi.Component(len(pieces), len(c.pieces), c.size, number, c.slot, c.position_size, c.first_number)
            )
            pieces += [abi.Piece(o, s) for o, s in c.pieces]
        told = set(d.told_component)
        return {
            "components": len(components),
            "classes": len(classes),
            "pieces": self._keep((abi.Piece * len(pieces))(*pieces)),
            "component": self._keep((abi.Component * len(components))(*components)),
            "slot_component": self._numbers(d.slot_component),
            "tellings": len(d.told_component),
            "told_component": self._numbers(d.told_component),
            "told": self._bytes(bytes(int(i in told) for i in range(len(components)))),
        }

    def _actions(self) -> dict[str, Any]:
        """By position: what it touches, and with whom it may meet."""
        d = self.description
        touched: list[int] = []
        partners: list[int] = []
        actions: list[abi.Action] = []
        for a in d.actions:
            actions.append(
                abi.Action(
                    a.kind, len(touched), len(a.touched), len(partners), len(a.partners), a.timed, *a.closed, a.idle
                )
            )
            touched += a.touched
            partners += a.partners
        n = len(d.actions)
        may_meet = bytearray(n * n)
        for p, waits in enumerate(d.may_meet):
            for q in waits:
                may_meet[p * n + q] = 1
        return {
            "positions": n - 1,
            "action": self._keep((abi.Action * n)(*actions)),
            "touched": self._numbers(touched),
            "partner": self._numbers(partners),
            "may_meet": self._bytes(bytes(may_meet)),
        }

    def _program(self) -> abi.Program:
        d, layout = self.description, self.machine.layout
        ranges = [abi.Assumed(r.width, r.address, r.low, r.high) for r in self.assume.ports]
        characters = bytes(self.assume.characters or ())
        frames = slot_frames(self.machine)
        program = abi.Program(
            **self._components(),
            **self._actions(),
            block_size=self.block_size,
            slots=len(d.slot_component),
            first_waiting=d.first_waiting,
            position_size=layout.position_size,
            interrupts=d.interrupts,
            server=self._bytes(bytes(d.servers)),
            numbers=self._keep((ctypes.c_uint16 * len(d.numbers))(*d.numbers)),
            initial=self._bytes(self.initial),
            run=abi.ProgramRun(self._code["lf_check_run"]),
            wake=abi.ProgramWake(self._code["lf_check_wake"]),
            interrupt=abi.ProgramInterrupt(self._code["lf_check_interrupt"]),
            room_before_block=ROOM_OF_POLICIES + self.blocks,
            pending_offset=layout.pending_offset,
            blocks=self.blocks,
            frame=self._keep((abi.SlotFrame * max(1, len(frames)))(*frames)),
            outside=self._bytes(bytes(self.timing.outside)),
            timing=self._timing(),
            assume=self._keep((abi.Assumed * max(1, len(ranges)))(*ranges)),
            assumes=len(ranges),
            characters=len(characters),
            character=self._bytes(characters),
            rate=self.world.rate,
            rate_component=self._rate_component,
            number_count=len(d.numbers),
            is_outside=self._bytes(bytes(self._outside)),
            picks=self._picks,
        )
        self._kept.append(program)
        return program

    def _timing(self) -> abi.Timing:
        t = self.timing
        first = [0]
        for clauses in t.timers:
            first.append(first[-1] + len(clauses))
        clocked = t.clock_component is not None
        return abi.Timing(
            mode=t.form,
            timers=t.count,
            component=t.component,
            has_clock=clocked,
            clock_component=t.clock_component or 0,
            clock_at=t.clock_at,
            wrap=t.wrap,
            first_timer=self._numbers(first),
            clause=self._numbers([c for clauses in t.timers for c in clauses]),
            measured=t.measured,
            **self._ages(),
        )

    def _ages(self) -> dict[str, Any]:
        ages = self.timing.ages
        if ages is None:
            return {"has_ages": False}
        stamps: list[tuple[int, int]] = []
        stamped, shapes = [], []
        for number, inside in ages.components:
            stamped.append(abi.Stamped(number, len(stamps), len(inside)))
            stamps += inside
        for inside, *rest in ages.shapes:
            shapes.append(abi.StampShape(len(stamps), len(inside), *rest))
            stamps += inside
        return {
            "has_ages": True,
            "most_clock": ages.most_clock,
            "stamped_count": len(stamped),
            "stamped": self._keep((abi.Stamped * max(1, len(stamped)))(*stamped)),
            "stamp": self._keep((abi.Stamp * max(1, len(stamps)))(*(abi.Stamp(*s) for s in stamps))),
            "stamp_shape": self._keep((abi.StampShape * max(1, len(shapes)))(*shapes)),
        }


def assumed(machine: Machine, world: World) -> Assumed:
    from lfc.mcheck.model.input_ranges import read_assumptions

    return read_assumptions(machine, world.assume, world.few)


def slot_frames(machine: Machine) -> list[abi.SlotFrame]:
    """By slot, where the innermost frame lies."""
    found = []
    for r in machine.records:
        own = abi.SlotFrame(r.frame0, 0, 0)
        if r.frame_field_offset is not None:
            own = abi.SlotFrame(r.frame0, r.frame_field_offset, r.frame_field_size)
        found += [own] * r.slots
    return found
