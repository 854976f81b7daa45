"""The check of an image: its machine code does in every reached state what the checked program does."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from lfc.actions.analysis.effects import action_table
from lfc.actions.model.machine import Machine, direction_of
from lfc.boards.descriptions.board import Board, Flash
from lfc.boards.descriptions.chips import USB
from lfc.codegen.bodies.offers import Offer, all_offers, shared_points
from lfc.codegen.module.before_block import ROOM_OF_POLICIES, ROOM_WITH_CONTEXT
from lfc.codegen.module.generated import PolicyLayout
from lfc.codegen.module.policy_layout import takes_interrupt
from lfc.codegen.module.unit import Unit
from lfc.codegen.program import has_timed_selects, without_instruments
from lfc.image.firmware import Firmware
from lfc.mcheck.engine import library as engine_library
from lfc.mcheck.engine.abi import (
    IMAGE_NO_FIELD,
    ImageEffect,
    ImageError,
    ImageSetup,
    ImageSetupOracle,
    ImageSetupWithModel,
    ImageStatistics,
    ImageWorst,
)
from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.mcheck.engine.abi import ImageEvent as Event
from lfc.mcheck.engine.abi import ImagePlace as Place
from lfc.mcheck.image.avr import AvrProcessor
from lfc.mcheck.image.cortexm import CortexmProcessor
from lfc.mcheck.image.processor import (
    Code,
    Processor,
    code_that_may_be_damaged,
    of_the_same_places,
    with_every_register,
)
from lfc.mcheck.image.reads_of_devices import mark_reads_of_devices
from lfc.mcheck.image.riscv import RiscvProcessor
from lfc.mcheck.model.description import Numbers
from lfc.mcheck.search.search import Search
from lfc.run.load_code import LoadedCode
from lfc.run.native import host_target, native_object

KEPT = ("lf_image_step", "lf_image_initialise")
MOST_CYCLES = 20_000_000
PAGE = 0xFF  # erased flash
MOST_TRACED = 1 << 20
NOT_APART = 3  # of Statistics.stop
PROCESSORS: dict[str, type[Processor]] = {"avr": AvrProcessor, "cortexm": CortexmProcessor, "riscv": RiscvProcessor}


@dataclass(frozen=True, slots=True)
class CheckedImage:
    """What is to be flashed, and what is known of it."""

    board: Board
    firmware: Firmware
    flash: bytes  # from its beginning
    name: str  # of its file; empty: as it was built

    @property
    def machine(self) -> Machine:
        """Of what it was built: without an environment."""
        return self.firmware.generated.machine

    @property
    def differing(self) -> list[int]:
        """Addresses of bytes that are not those of the build. Erased ones behind an end are the same as none."""
        built = flash_of(dict(self.firmware.image.flash), self.board.flash)
        size, erased = max(len(built), len(self.flash)), bytes([PAGE])
        pairs = zip(built.ljust(size, erased), self.flash.ljust(size, erased), strict=True)
        return [at + self.board.flash.start for at, (x, y) in enumerate(pairs) if x != y]


@dataclass(slots=True)
class Mismatch:
    kind: Kind
    pc: int  # address of the instruction
    where: int
    expected: int
    found: int
    event: Event
    which: int  # slot, or bit of the interrupt
    position: int  # of the slot, by number in the description; 0: none
    block: bytes  # the smallest that shows it
    count: int  # how often it was met


@dataclass(slots=True)
class LongestPass:
    """Of those that begin with one action, or end one wait, or deliver one interrupt, or find nothing to do."""

    number: int
    cycles: int
    block: bytes
    slot: int  # FF: none
    cursor: int
    way: list[int] = field(default_factory=list)  # addresses of the instructions


@dataclass(slots=True)
class ImageResult:
    states: int
    executions: int
    passes: int  # ways through what was executed
    instructions: int
    seconds: float
    flash_start: int
    code: Code
    executed: bytes  # by word
    mismatches: list[Mismatch]
    longest: list[LongestPass]
    stack: int  # bytes that passes used at most, with their return address
    sampled: bool  # not all values of all inputs were tried
    foreign: int  # actions that looked at more than they are known to touch
    stopped: str  # why not all was looked at
    with_model: bool  # in the states of a search with models of devices, with what these answer

    @property
    def bytes_of_code(self) -> int:
        return sum(self.code.instructions.values())

    def never_executed(self) -> list[tuple[int, int]]:
        """Runs of code that control could reach, but does not: addresses of start and end."""
        found: list[tuple[int, int]] = []
        for at, size in sorted(self.code.instructions.items()):
            if self.executed[at // 2]:
                continue
            if found and found[-1][1] == at:
                found[-1] = (found[-1][0], at + size)
            else:
                found.append((at, at + size))
        return [(start + self.flash_start, end + self.flash_start) for start, end in found]


class NotChecked(Exception):
    """This image cannot be checked, and why."""


def flash_of(pieces: dict[int, bytes], flash: Flash) -> bytes:
    """All up to the last piece; pieces by their addresses."""
    end = max((at + len(piece) - flash.start for at, piece in pieces.items()), default=0)
    if end > flash.size:
        raise NotChecked(f"the image ends at {flash.start + end:X}H, beyond the flash")
    content = bytearray([PAGE]) * (end + end % 2)
    for at, piece in pieces.items():
        if at < flash.start:
            raise NotChecked(f"the image has content at {at:X}H, before the flash")
        content[at - flash.start : at - flash.start + len(piece)] = piece
    return bytes(content)


def processor_of(board: Board, elf: bytes) -> Processor:
    return PROCESSORS[board.cpu.architecture](board, elf)


class ImageCheck:
    """The check of one image beside one search, which has come to its end."""

    def __init__(
        self,
        search: Search,
        image: CheckedImage,
        like: ImageCheck | None = None,
        most_cycles: int = MOST_CYCLES,
        model: Search | None = None,
    ) -> None:
        """`like`: a check of another image of the same firmware, which is open; what is code is taken from it. `model`:
        a search of the program with models of its devices, at its end; `search` need not have been made then."""
        self.like, self.most_cycles, self.model = like, most_cycles, model
        self.search, self.image, self.machine = search, image, search.machine
        refuse_what_is_not_known(self.machine, image)
        self.processor = processor_of(image.board, image.firmware.image.elf)
        self._kept: list[object] = []
        self._library = engine_library.library()
        self.apart = True  # the functions of arrivals are looked at apart
        self.every_register = False  # matters where ways come together
        self.blocks: Sequence[bytes] | None = None  # None: all states that were reached
        self._check: int | None = None
        self._begin()

    def _begin(self) -> None:
        setup = self._setup()
        self._check = self._library.img_new(self.search.engine, ctypes.byref(setup))
        if not self._check:
            raise MemoryError("the check of the image cannot reserve its tables")

    def close(self) -> None:
        if self._check:
            self._library.img_free(self._check)
            self._check = None

    def run_in(self, blocks: Sequence[bytes]) -> None:
        """In these states only, and the initial one: the search need not have been made."""
        self.blocks = blocks
        self.run()

    def run(self) -> None:
        self._look()
        if self.statistics.stop == NOT_APART:
            self.apart = False
            self._again()
        if self.like is None and any(m.kind in (Kind.HIDDEN, Kind.UNDEFINED) for m in self._mismatches()):
            self.every_register = True  # perhaps one matters that was taken for dead
            self._again()

    def _again(self) -> None:
        self.close()
        self._begin()
        self._look()

    def _look(self) -> None:
        if self.model is not None:
            self._library.img_check_with_model(self._check, self.model.engine)
        elif self.blocks is None:
            self._library.img_check(self._check)
        else:
            self._library.img_check_blocks(self._check, b"".join(self.blocks), len(self.blocks))

    @property
    def statistics(self) -> ImageStatistics:
        found: ImageStatistics = self._library.img_get_statistics(self._check).contents
        return found

    def result(self, with_ways: bool = False) -> ImageResult:
        s = self.statistics
        room = (ctypes.c_uint8 * (len(self.image.flash) // 2 + 1))()
        self._library.img_get_executed(self._check, room)
        stopped = {
            1: "out of memory",
            2: "interrupted",
            4: "an action polls a device without end",
            5: "an action reads more values than can be tried",
        }.get(s.stop, "")
        return ImageResult(
            s.states,
            s.executions,
            s.passes,
            s.instructions,
            s.seconds,
            self.image.board.flash.start,
            self.code,
            bytes(room),
            self._mismatches(),
            self._longest(with_ways),
            max(0, self.places.stack_end - s.deepest) if s.deepest else 0,
            s.sampled != 0,
            s.foreign,
            stopped,
            self.model is not None,
        )

    def start(self) -> tuple[bytes, int, int]:
        """All bytes after the start-up, the lowest of the stack when a pass begins, the word to which it comes back."""
        data = ctypes.create_string_buffer(len(self.places.place))
        sp, stop = ctypes.c_uint32(), ctypes.c_uint32()
        self._library.img_get_start(self._check, data, ctypes.byref(sp), ctypes.byref(stop))
        return data.raw, sp.value, stop.value

    def _mismatches(self) -> list[Mismatch]:
        found: list[Mismatch] = []
        error = ImageError()
        block = ctypes.create_string_buffer(self.machine.block_size + 1)
        while self._library.img_get_error(self._check, len(found), ctypes.byref(error), block):
            e = error
            found.append(
                Mismatch(
                    Kind(e.kind),
                    2 * e.pc + self.image.board.flash.start,
                    e.where,
                    e.expected,
                    e.found,
                    Event(e.event),
                    e.which,
                    e.position,
                    block.raw[: self.machine.block_size],
                    e.count,
                )
            )
        return found

    def _longest(self, with_ways: bool) -> list[LongestPass]:
        found = []
        worst = ImageWorst()
        block = ctypes.create_string_buffer(self.machine.block_size + 1)
        last = len(self.search.description.actions) + len(self.machine.layout.interrupts)
        for number in range(1, last + 1):
            if not self._library.img_get_worst(self._check, number, ctypes.byref(worst), block):
                continue
            longest = LongestPass(number, worst.cycles, block.raw[: self.machine.block_size], worst.slot, worst.cursor)
            if with_ways:
                longest.way = self._way(number)
            found.append(longest)
        return found

    def _way(self, number: int) -> list[int]:
        words = (ctypes.c_uint32 * MOST_TRACED)()
        length = self._library.img_trace_worst(self._check, number, words, MOST_TRACED)
        return [2 * w + self.image.board.flash.start for w in words[:length]]

    def _look_at_the_image(self) -> None:
        """What of it is code, and where everything lies."""
        image, machine, m = self.image, self.machine, self.processor
        use = image.firmware.stack
        bounded = not (use.indirect or use.unbounded or use.unknown)
        policies, interrupts = image.firmware.generated.policies, machine.layout.interrupts
        p = self.places = m.places(policies.size, machine.block_size, interrupts, use.main if bounded else None)
        if self.like is None:
            built = flash_of(dict(image.firmware.image.flash), image.board.flash)
            self.code = code_that_may_be_damaged(m, image.flash, built)
            if self.every_register:
                self.code = with_every_register(self.code)
        else:
            self.code = of_the_same_places(self.like.code)
        if self.like is None:
            mark_reads_of_devices(self.code, image.firmware.image.elf, machine, m.console_registers)
        if p.regions:  # the flash comes last
            p.regions.append((image.board.flash.start, len(image.flash), len(p.place)))
            flash = bytearray([Place.CONSTANT]) * len(image.flash)
            for at, size in self.code.instructions.items():  # nobody loads these
                flash[at : at + size] = bytes(size)
            p.place += flash

    def _setup(self) -> ImageSetup:
        self._look_at_the_image()
        image, machine, m, p = self.image, self.machine, self.processor, self.places
        interrupts = machine.layout.interrupts
        apart = self.apart and "arrive" in m.symbols and "depart" in m.symbols
        regions = [number for region in p.regions for number in region]
        return ImageSetup(
            flash=self._bytes(image.flash),
            place=self._bytes(bytes(p.place)),
            code=self._bytes(bytes(self.code.code)),
            live=self._keep((ctypes.c_uint64 * len(self.code.live))(*self.code.live)),
            effect=self._effects(),
            shares=self._bytes(bytes(shares_of(machine))),
            takes=self._bytes(bytes(takes_of(machine))),
            asks=self._bytes(bytes(asks_of(machine) if self.model is not None else b"")),
            oracle=ImageSetupOracle(self._oracle() if self.like is None else self.like.oracle),
            with_model=ImageSetupWithModel(0 if self.model is None else self._compiled(self.model)),
            oracle_room=ROOM_WITH_CONTEXT,
            model_room=ROOM_OF_POLICIES,
            flash_size=len(image.flash),
            region=ctypes.cast(self._keep((ctypes.c_uint32 * max(1, len(regions)))(*regions)), ctypes.c_void_p),
            regions=len(p.regions),
            places=len(p.place),
            flash_start=image.board.flash.start,
            processor=m.kind,
            core=m.core,
            start=m.word(m.vectors),
            step=m.word("lf_step"),
            halt=m.word("lf_port_halt"),
            reset=m.word("lf_port_reset"),
            spin=m.word("lf_port_spin"),
            arrive=m.word("arrive") if apart else 0,
            depart=m.word("depart") if apart else 0,
            timed_selects=int(has_timed_selects(Unit(host_target(), machine))),
            came_at=m.index("lf_port_came"),
            count_at=m.index(m.count),
            buffer_at=m.index("buffer"),
            wrap_to=int(not machine.bodies[0].can_wait and machine.slots > 1),
            interrupts=len(interrupts),
            stack_low=p.stack_low,
            stack_top=p.stack_end - 1,
            safe=len(image.board.safe) + image.board.watchdog,
            most_cycles=self.most_cycles,
            **m.console(),
            **self._policy_block(),
        )

    def _policy_block(self) -> dict[str, int]:
        """The kernel's own memory, in front of the state block."""
        policies, memory = self.image.firmware.generated.policies, self.processor.index("lf_memory")
        return {
            "block_at": memory + policies.size,
            "policy_at": memory,
            "policy_size": policies.size,
            "cursor_at": policies.cursor_at,
            "arrivals_at": policies.arrivals_at,
            "arrivals_room": policies.arrivals_room,
            "sleepers_at": policies.sleepers_at,
            "sleepers_room": policies.sleepers_room,
            "taker_at": policies.taker_at if policies.takers else IMAGE_NO_FIELD,
            "turn_at": policies.turn_at if policies.turn_at is not None else IMAGE_NO_FIELD,
            "clock_at": policies.clock_at if has_clock(policies) else IMAGE_NO_FIELD,
            "has_time": int(policies.sleepers_room > 0 or has_clock(policies)),
        }

    def _effects(self) -> ctypes.Array[ImageEffect] | None:
        found = self.processor.effects(self.image.flash, bytes(self.code.code))
        return self._keep((ImageEffect * len(found))(*found)) if found else None

    def _oracle(self) -> int:
        """The compiled actions under a board's policies."""
        self.oracle = self._compiled(self.search)
        return self.oracle

    def _compiled(self, search: Search) -> int:
        generated = without_instruments(search.generated, replace(host_target(), explores=True))
        policies = engine_library.FOLDER / "image" / "oracle_policies.c"
        code = LoadedCode([native_object(generated.ir, 1, policies=policies, kept=KEPT)], KEPT)
        self._kept.append(code)
        return int(code["lf_image_step"])

    def _keep(self, array: ctypes.Array) -> ctypes.Array:  # type: ignore[type-arg]
        self._kept.append(array)
        return array

    def _bytes(self, content: bytes) -> ctypes.Array:  # type: ignore[type-arg]
        return self._keep((ctypes.c_uint8 * max(1, len(content))).from_buffer_copy(content or b"\0"))


def has_clock(policies: PolicyLayout) -> bool:
    return policies.deadlines_at > policies.clock_at


def shares_of(machine: Machine) -> bytearray:
    """By number of a position: others may wait in the same queue as who waits there."""
    unit = Unit(host_target(), machine)
    by_direction: dict[tuple[str, object], list[Offer]] = {}
    for offer in all_offers(unit):
        by_direction.setdefault(direction_of(offer.clause), []).append(offer)
    shared = shared_points(machine, by_direction)
    numbers = Numbers(machine)
    found = bytearray(numbers.count + 1)
    for body in unit.bodies:
        for point in body.points:
            if point.waiting is not None and id(point) in shared:
                found[numbers.of[id(point.waiting)]] = 1
    return found


def takes_of(machine: Machine) -> bytearray:
    """By number of a position: who is there may have just taken an interrupt."""
    numbers = Numbers(machine)
    found = bytearray(numbers.count + 1)
    for body in machine.bodies:
        for clause in (c for point in body.points for c in point.clauses if takes_interrupt(c)):
            found[numbers.of[id(clause.resume)]] = 1
    return found


def asks_of(machine: Machine) -> bytearray:
    """By number of a position: the action from there may read a device."""
    numbers = Numbers(machine)
    found = bytearray(numbers.count + 1)
    for action in action_table(machine):
        found[numbers.of[id(action.position)]] = any(asked.startswith("in") for asked in action.asks)
    return found


def refuse_what_is_not_known(machine: Machine, image: CheckedImage, deadlines: bool = False) -> None:
    """`deadlines`: images with the earliest-deadline scheduler are known."""
    if machine.environment is not None:
        raise NotChecked("an image has no environment modules")
    if image.board.watchdog and image.board.cpu.architecture != "avr":
        raise NotChecked("its watchdog is fed through a register; only the AVR's is supported so far")
    if image.board.console.uart == USB:
        raise NotChecked("its console is over USB, of which there is no model; build it for a board with a UART")
    if image.firmware.traced:
        raise NotChecked("a traced image waits for its host")
    if image.firmware.generated.policies.has_deadlines and not deadlines:
        raise NotChecked("images with the edf scheduler cannot be checked")
    if any(b.process is not None and b.process.external for b in machine.bodies):
        raise NotChecked("the effects of C code are unknown")
