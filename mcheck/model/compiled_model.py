"""A program as all searches of it share it: compiled and loaded, with what the engine and the reductions must know.

Several searches of one program may be made with it, one after the other or at once: nothing in it is changed by
one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import starmap
from typing import TYPE_CHECKING, Protocol

import llvmlite.binding as llvm

from lfc.actions.model.machine import Machine, PropertyMachine
from lfc.codegen.module.before_block import ROOM_OF_POLICIES
from lfc.codegen.module.passed_blocks import numbered_blocks
from lfc.codegen.program import Generated, generate
from lfc.mcheck.engine import abi
from lfc.mcheck.engine import library as lib
from lfc.mcheck.model.clocks import Timing, add_time, is_outside
from lfc.mcheck.model.input_ranges import SPLIT, PortRange
from lfc.mcheck.model.state_vector import Component, Description, Numbers, describe, wait_for_ever
from lfc.mcheck.reduction.por.partial_order import PartialOrder
from lfc.run.native import host_target, initialise_llvm, native_object, object_name
from lfc.run.quick import quick_objects
from lfc.run.running import LIBRARY_NUMBERS, jit
from lfc.semantics.model import typed
from lfc.toolchain.run_tools import is_cached

if TYPE_CHECKING:  # most programs are small, and nothing is reduced
    from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
    from lfc.mcheck.reduction.symmetry.scalarsets import Names
    from lfc.mcheck.reduction.symmetry.symmetry import Symmetry
    from lfc.mcheck.request.fairness import Fair

KEPT = ("lf_check_run", "lf_check_wake", "lf_check_interrupt", "lf_check_initialise")
WATCHING = ("lf_property_step", "lf_property_start")
U32 = ctypes.c_uint32
LEVEL = 1  # of the optimiser
POLICIES = lib.FOLDER / "model" / "checker_policies.c"


class World(Protocol):
    """Of the limits of a search, what is assumed of the world."""

    inputs: str
    open_messages: frozenset[int]
    time: str
    clock_wrap: int
    rate: int
    assume: tuple[PortRange, ...]

    @property
    def begins_soon(self) -> bool: ...


class Prepared:
    """One program, in one world, with what formulas and property processes ask of it."""

    def __init__(
        self,
        machine: Machine,
        world: World,
        atoms: Sequence[typed.Expr] = (),
        watchers: Sequence[PropertyMachine] = (),
        asked: Sequence[typed.Expr] | None = None,
        fair: Sequence[Fair] = (),
    ) -> None:
        """`atoms`: of the formulas that are to be checked; `watchers`: property processes that are; `asked`: what of
        these is asked of the runs that partial order reduction leaves (None: all); `fair`: who is treated fairly there.
        If the world says that the code is to be there soon, `improve` makes a better one."""
        initialise_llvm()
        self.machine, self.world = machine, world
        self.atoms, self.watchers, self._asked, self.fair = atoms, watchers, asked, fair
        self.watches = bool(atoms or watchers)
        tells = not self.watches  # what looks at states that are not executed must tell nobody
        target = replace(host_target(), explores=True, notes_blocks=True, tells_accesses=tells)
        target = replace(target, splits_inputs=world.inputs == SPLIT and machine.environment is None)
        self.generated: Generated = generate(machine, target, atoms=atoms, watchers=watchers)
        self.blocks = numbered_blocks(machine)
        self.description: Description = describe(machine, tells)
        if world.open_messages:
            wait_for_ever(machine, self.description, world.open_messages)
        self.timing: Timing = add_time(
            machine,
            self.description,
            world.time,
            world.clock_wrap,
            self.description.clock_readers,
            self.generated.properties_read_clock,
        )
        self._rate_component = len(self.description.components)
        if world.rate:
            self.description.components.append(Component([], "rate", -1, "rate", apart=4))
        clocked = self.timing.clock_component is not None
        self.block_size = self.timing.clock_at + 4 if clocked else machine.block_size  # the clock lies behind
        self.kept_names = (*KEPT, *(("lf_atoms",) if atoms else ()), *(WATCHING if watchers else ()))
        self._kept = list[object]()
        self.may_improve = world.begins_soon and not is_cached(
            object_name(self.generated.ir, LEVEL, False, POLICIES, self.kept_names, (), machine.wide)
        )
        if self.may_improve:
            self._code = self._loaded(quick_objects(self.generated.ir, POLICIES, machine.wide))
        else:
            self._code = self._loaded([self._object()])
        self.library = lib.library(machine.wide)
        self.initial = self._initial_block()
        self.program = self._program()
        self._orders: dict[int, PartialOrder] = {}
        self._symmetries: dict[bool, Symmetry] = {}
        self._resets: dict[bool, Reset] = {}
        self._dead: dict[bool, tuple[ctypes.Array[abi.DeadShape], ctypes.Array[abi.DeadPiece]]] = {}

    def _object(self) -> bytes:
        ir, wide = self.generated.ir, self.machine.wide
        return native_object(ir, LEVEL, policies=POLICIES, kept=self.kept_names, wide=wide)

    def _loaded(self, objects: Sequence[bytes]) -> Mapping[str, int]:
        builder = llvm.JITLibraryBuilder()
        for code in objects:
            builder.add_object_img(code)
        builder.add_current_process()
        for name in self.kept_names:
            builder.export_symbol(name)
        loaded: Mapping[str, int] = builder.link(jit(), f"check{next(LIBRARY_NUMBERS)}")
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

    def address(self, name: str) -> int:
        """Of a function of the program; 0 if there is none."""
        return int(self._code[name]) if name in self.kept_names else 0

    # --- what reductions know of it --------------------------------------------------------------------------------

    def partial_order(self, gives_up_after: int) -> PartialOrder:
        from lfc.mcheck.reduction.por.visibility import asked_by_processes

        if gives_up_after not in self._orders:
            asked = [*self.atoms, *asked_by_processes(self.watchers)] if self._asked is None else self._asked
            self._orders[gives_up_after] = PartialOrder(
                self.machine, self.description, asked, gives_up_after, fair=self.fair
            )
        return self._orders[gives_up_after]

    @cached_property
    def breakers(self) -> set[int]:
        """The positions that break rounds; those of the partial order, if that is known."""
        for order in self._orders.values():
            return order.breakers
        from lfc.mcheck.model.transitions import steps_of
        from lfc.mcheck.reduction.por.cycle_proviso import cycle_breakers

        return cycle_breakers(self.machine, steps_of(self.machine)[0])

    @cached_property
    def names(self) -> Names:
        from lfc.mcheck.reduction.symmetry.scalarsets import names_of

        return names_of(self.machine, self.atoms)

    def reset(self, exchanges: bool) -> Reset:
        """`exchanges`: beside symmetry."""
        from lfc.mcheck.reduction.dead_variables.dead_variables import Reset

        if exchanges not in self._resets:
            # What lies under a parameter's name is not known where numbers are exchanged: 0 may be a name.
            held = self.names.holders() if exchanges else set()
            self._resets[exchanges] = Reset(self.machine, self.atoms, self.watchers, held)
        return self._resets[exchanges]

    def dead(self, exchanges: bool) -> tuple[ctypes.Array[abi.DeadShape], ctypes.Array[abi.DeadPiece]]:
        if exchanges not in self._dead:
            shapes, pieces = self.reset(exchanges).tables(Numbers(self.machine))
            self._dead[exchanges] = (
                (abi.DeadShape * len(shapes))(*starmap(abi.DeadShape, shapes)),
                (abi.DeadPiece * max(1, len(pieces)))(*starmap(abi.DeadPiece, pieces)),
            )
        return self._dead[exchanges]

    def symmetry(self, with_reset: bool) -> Symmetry:
        from lfc.mcheck.reduction.symmetry.symmetry import Symmetry

        if with_reset not in self._symmetries:
            reset = self.reset(exchanges=True) if with_reset else None
            self._symmetries[with_reset] = Symmetry(self.machine, self.description, self.names, self.atoms, reset)
        return self._symmetries[with_reset]

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

    def _program(self) -> abi.Program:
        d, layout = self.description, self.machine.layout
        classes: dict[int, int] = {}
        pieces: list[abi.Piece] = []
        components: list[abi.Component] = []
        for c in d.components:
            number = classes.setdefault(id(c.class_key), len(classes))
            components.append(
                abi.Component(len(pieces), len(c.pieces), c.size, number, c.slot, c.position_size, c.first_number)
            )
            pieces += [abi.Piece(o, s) for o, s in c.pieces]
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
        told = set(d.told_component)
        assumed = [abi.Assumed(r.width, r.address, r.low, r.high) for r in self.world.assume]
        frames = slot_frames(self.machine)
        n = len(d.actions) - 1
        may_meet = bytearray((n + 1) * (n + 1))
        for p, waits in enumerate(d.may_meet):
            for q in waits:
                may_meet[p * (n + 1) + q] = 1
        program = abi.Program(
            block_size=self.block_size,
            slots=len(d.slot_component),
            positions=n,
            first_waiting=d.first_waiting,
            position_size=layout.position_size,
            components=len(components),
            classes=len(classes),
            interrupts=d.interrupts,
            pieces=self._keep((abi.Piece * len(pieces))(*pieces)),
            component=self._keep((abi.Component * len(components))(*components)),
            slot_component=self._numbers(d.slot_component),
            action=self._keep((abi.Action * len(actions))(*actions)),
            touched=self._numbers(touched),
            partner=self._numbers(partners),
            may_meet=self._bytes(bytes(may_meet)),
            server=self._bytes(bytes(d.servers)),
            numbers=self._keep((ctypes.c_uint16 * len(d.numbers))(*d.numbers)),
            initial=self._bytes(self.initial),
            run=abi.ProgramRun(self._code["lf_check_run"]),
            wake=abi.ProgramWake(self._code["lf_check_wake"]),
            interrupt=abi.ProgramInterrupt(self._code["lf_check_interrupt"]),
            room_before_block=ROOM_OF_POLICIES + len(self.blocks),
            pending_offset=layout.pending_offset,
            blocks=len(self.blocks),
            tellings=len(d.told_component),
            told_component=self._numbers(d.told_component),
            told=self._bytes(bytes(int(i in told) for i in range(len(components)))),
            frame=self._keep((abi.SlotFrame * max(1, len(frames)))(*frames)),
            outside=self._bytes(bytes(self.timing.outside)),
            timing=self._timing(),
            assume=self._keep((abi.Assumed * max(1, len(assumed)))(*assumed)),
            assumes=len(assumed),
            rate=self.world.rate,
            rate_component=self._rate_component,
            number_count=len(d.numbers),
            is_outside=self._bytes(bytes(is_outside(self.machine, d, self.timing.outside))),
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
        )


def slot_frames(machine: Machine) -> list[abi.SlotFrame]:
    """By slot, where the innermost frame lies."""
    found = []
    for r in machine.records:
        own = abi.SlotFrame(r.frame0, 0, 0)
        if r.frame_field_offset is not None:
            own = abi.SlotFrame(r.frame0, r.frame_field_offset, r.frame_field_size)
        found += [own] * r.slots
    return found
