"""What the engine is told of a program, as data: components of the block, actions, and what time does. Light to import:
a description that was kept is not made again.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.engine.abi import ActionKind, TimeMode
from lfc.mcheck.request.world import WRAP

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.semantics.model import typed

NONE = ActionKind.NONE
CLOSING = "Closing"  # the module of those who use exported channels


def home_of(machine: Machine) -> typed.Module:
    """The main module; where partners were made for its exported ports, the module that they import."""
    main = machine.program.main
    return main.imports[0] if main.name == CLOSING else main


@dataclass(slots=True)
class Component:
    pieces: list[tuple[int, int]]  # offset, size
    class_key: object
    slot: int  # -1: module variables
    name: str
    position_size: int = 0  # of a slot
    first_number: int = 0  # in `Description.numbers`
    part_of: typed.Variable | None = None  # only some of its bytes are here
    variable: typed.Variable | None = None  # whose accesses are told
    apart: int = 0  # bytes that no block holds

    @property
    def size(self) -> int:
        return sum(s for _, s in self.pieces) + self.apart


@dataclass(slots=True)
class ActionInfo:
    kind: int = NONE
    touched: list[int] = field(default_factory=list)  # components of module variables
    partners: list[int] = field(default_factory=list)  # slots
    timed: int = 0
    closed: tuple[int, int] = (0, 0)  # offset in the frame, size
    idle: bool = False  # of a waiting position: it may rightly last for ever


@dataclass(slots=True)
class Description:
    components: list[Component]
    slot_component: list[int]
    actions: list[ActionInfo]  # by number here; [0] unused
    numbers: list[int]  # of each part of the block: from a position's number (0: none) to its number here
    first_waiting: int
    may_meet: list[set[int]]  # position -> waiting positions
    servers: list[bool]
    interrupts: int
    told_component: list[int] = field(default_factory=list)  # of each part of the variables whose accesses are told
    clock_readers: list[int] = field(default_factory=list)  # actions


@dataclass(slots=True)
class Ages:
    """What is kept of the clock are ages: docs/theory/time.md."""

    most_clock: int  # it stays there
    components: list[tuple[int, tuple[tuple[int, int], ...]]] = field(default_factory=list)
    # that hold stamps: number, and (of module variables) where, and the bound of each
    shapes: list[tuple[tuple[tuple[int, int], ...], int, int, int]] = field(default_factory=list)
    # by position: where its frame holds stamps, and the bound of each; where it holds the position to return to, and
    # the size of that; how far it is from the next frame


@dataclass(slots=True)
class Timing:
    form: TimeMode = TimeMode.FREE
    timers: list[list[int]] = field(default_factory=list)  # by slot: clauses
    outside: list[bool] = field(default_factory=list)  # by slot
    component: int = 0
    clock_component: int | None = None
    clock_at: int = 0
    wrap: int = WRAP
    ages: Ages | None = None
    why_no_ages: str = ""  # the place for which the clock counts as it is
    measured: int = 0  # properties measure time, and tell apart less than this; 0: none does

    @property
    def count(self) -> int:
        return sum(len(clauses) for clauses in self.timers)


class Numbers:
    """Positions of program and environment are numbered together, again all ready ones first."""

    def __init__(self, machine: Machine) -> None:
        parts = [positions for _, positions in machine.parts]
        ordered = [p for part in parts for p in part if p.ready]
        self.first_waiting = len(ordered) + 1
        ordered += [p for part in parts for p in part if not p.ready]
        self.of = {id(p): n for n, p in enumerate(ordered, 1)}
        self.count = len(ordered)
        self.table: list[int] = []
        self.first: list[int] = []  # of each part, in the table
        for part in parts:
            self.first.append(len(self.table))
            self.table += [0, *(self.of[id(p)] for p in part)]


def clock_beside(t: Timing, block: bytes) -> int:
    """Of a block of the engine, which has the clock behind."""
    return int.from_bytes(block[t.clock_at : t.clock_at + 4], "little")


def outside_slots(machine: Machine) -> list[bool]:
    """Of the environment, and of those who use the exported channels of a module that is checked alone."""
    own = sum(r.slots for r in machine.layout.records)
    main = machine.program.main
    found = []
    for r in machine.records:
        process = r.body.process
        partner = main.name == CLOSING and process is not None and process.span.source is main.source
        found += [partner or s >= own for s in range(r.first_slot, r.first_slot + r.slots)]
    return found
