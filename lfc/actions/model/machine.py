"""The program as actions: flow graphs cut at scheduling points, with positions, layout and effects.

Made from the typed program by the other files of this package; read by code generation, the checker and the tools.
`docs/reference/machine.md` defines every term.

Where the paper is silent, this is what the stage does:
- Only processes that the initialisation reaches (by calls and creations) have bodies, positions and slots. Modules
  that only environment modules import belong to the environment. What both parts reach has a body in each of them.
- A process that cannot wait and is both created and called has two bodies: `Machine.body_of` is the one with a record
  (its variables lie in the frame), `Machine.function_of` the ordinary function (its variables lie on the stack).
  Both share the process and its variables; `Body.callees` says which body each call and creation means.
- The initialisation of environment modules is part of the body `init`, before the program's first access to a port or
  scheduling point (`environment_start`); it must not reach a scheduling point (LF0650), since the program's part of
  the block may not depend on the environment.
- A property process is lowered with its first CHOICE resolved: a path meets `Choose` in the middle of an action, and
  only the next CHOICE is a `Suspend`. So code generation needs no flag for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING

from lfc.base.lazy_dataclass import dataclass
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.actions.kept_machine import Kept
    from lfc.base.source import Span
    from lfc.semantics.model.typed import Process, Variable

# --- flow graphs -----------------------------------------------------------------------------------------------
#
# A `Body` is the code of one process (or of the initialisation of all modules, or of a property process). Its blocks
# hold simple statements of the typed tree (Assign, Step, Include, New, Assert, PortOut, ConsoleWrite, Spin,
# CreateProcess and CallProcess of a process that cannot wait) and end in one terminator. Structured statements, FOR
# included, are gone: they have become blocks; their conditions are typed expressions in `Branch` and `Switch`.
# Nested processes have been closed: a variable of an enclosing process is reached through a hidden VAR formal
# (`Body.hidden`), and every call passes it on (the arguments of CallProcess and CreateProcess are complete). No
# expression in a block names a variable of an enclosing process any more. (Of an open array value parameter the hidden
# formal is a value parameter again: its 4 bytes are passed on.)
# A block may also hold `Advance` (below); in environments a Send of VALUE to SYSTEM.IOPORT; in properties Accept.


@dataclass(slots=True, eq=False, repr=False)
class Advance(typed.Statement):
    """The step of a FOR: target := target + amount. The graph makes sure that the result fits: no check."""

    target: typed.Expr  # a VariableRef
    amount: int


@dataclass(slots=True, eq=False, repr=False)
class Block:
    number: int  # index in Body.blocks
    statements: list[typed.Statement] = field(default_factory=list)
    end: Terminator | None = None  # None only while the graph is built
    rounds: int | None = None  # the head of a FOR with constant bounds that nobody disturbs: how often its body runs

    def __repr__(self) -> str:
        return f"<block {self.number}>"


@dataclass(slots=True, eq=False, repr=False)
class Goto:
    target: Block
    span: Span
    backward: bool = False  # closes a loop: one round of the loop bound


@dataclass(slots=True, eq=False, repr=False)
class Branch:
    condition: typed.Expr
    then: Block
    otherwise: Block
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Switch:
    selector: typed.Expr
    cases: list[tuple[list[tuple[int, int]], Block]]
    otherwise: Block | None  # None: no match is fault 5
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Attempt:
    """The attempt of a scheduling point: the last thing that an action does."""

    point: Point
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Suspend:
    """RESCHEDULE, and the way to a CHOICE: the process stays ready at `position`; the action ends."""

    position: Position
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Choose:
    """The first step of an action that starts at a CHOICE. `fair`: as typed.Choice has it."""

    branches: list[Block]
    span: Span
    fair: tuple[str | None, ...] = ()


@dataclass(slots=True, eq=False, repr=False)
class CallWaiting:
    """A call of a process that can reach a scheduling point: makes its frame and goes on in it, in the same action."""

    call: typed.CallProcess
    callee: Body
    position: Position  # to return to
    span: Span


@dataclass(slots=True, eq=False, repr=False)
class Finish:
    """The end of the body: of a process, it ends the action; of a called one, control returns to the caller."""

    span: Span


@dataclass(slots=True, eq=False, repr=False)
class CannotMove:
    """NOMOVE of a property: the automaton has no successor here."""

    span: Span


Terminator = Goto | Branch | Switch | Attempt | Suspend | Choose | CallWaiting | Finish | CannotMove


@dataclass(slots=True, eq=False, repr=False)
class Position:
    """A ready position (an action starts here, or a call returns here) or a waiting one."""

    number: int  # program-wide, see docs/reference/machine.md; 0 until numbered
    kind: str  # start after clause else reschedule choice return waiting
    body: Body
    span: Span
    entry: Block | None  # where control goes on; None for a waiting position
    point: Point | None = None  # of after, clause, else, waiting
    clause: int | None = None

    @property
    def ready(self) -> bool:
        return self.kind != "waiting"

    def __repr__(self) -> str:
        return f"<position {self.number}, {self.kind} in {self.body.name}>"


@dataclass(slots=True, eq=False, repr=False)
class WaitTarget:
    """Where one received value goes. `offset`: where the wait area holds the 16-bit offset of the target, relative to
    the frame; None when the target is steady or a constant."""

    target: typed.Target
    offset: int | None = None


@dataclass(slots=True, eq=False, repr=False)
class PointClause:
    """One event that a process can wait for."""

    index: int
    event: typed.Send | typed.Receive | typed.AfterEvent | typed.Sleep | typed.ConsoleRead
    guard: typed.Expr | None
    resume: Position
    port_offset: int | None = None  # where the wait area holds the port, relative to the frame; None: steady or no port
    value_offsets: list[int] = field(default_factory=list)  # of a send, relative to the frame
    targets: list[WaitTarget] = field(default_factory=list)  # of a receive
    watched: list[Body] = field(default_factory=list)  # of a receive: handlers of monitors that run at each meeting


RAISES = "send interrupt"
PARTNER = {"send": "receive", "receive": "send", RAISES: "receive interrupt"}


def direction_of(clause: PointClause) -> tuple[str, object]:
    """What a clause's partners are found by: sends and receives by message, interrupts by number."""
    event = clause.event
    if isinstance(event, typed.Send | typed.Receive):
        kind = "send" if isinstance(event, typed.Send) else "receive"
        if isinstance(event.port, typed.InterruptPort):
            return f"{kind} interrupt", event.port.number
        return kind, id(event.message)
    return type(event).__name__, None


@dataclass(slots=True, eq=False, repr=False)
class Point:
    """A scheduling point at which a process attempts and may wait."""

    body: Body
    span: Span
    clauses: list[PointClause]
    is_select: bool
    waiting: Position | None  # None: has an ELSE
    otherwise: Position | None
    closed_offset: int | None = None  # where the wait area holds the closed clauses, relative to the frame
    closed_size: int = 0

    def __repr__(self) -> str:
        return f"<point at {self.span!r}>"


@dataclass(slots=True, eq=False, repr=False)
class Body:
    name: str  # qualified name; "init" for the initialisation
    process: Process | None  # None: the initialisation
    domain: str  # program, environment, property
    can_wait: bool  # can reach a scheduling point: has frames; else an ordinary function
    formals: list[Variable]  # with the hidden ones, which come last
    hidden: dict[Variable, Variable]  # variable of an enclosing process -> the hidden VAR formal that stands for it
    locals: list[Variable]
    blocks: list[Block] = field(default_factory=list)
    entry: Block | None = None
    positions: list[Position] = field(default_factory=list)  # in the order of their numbers; ready ones first
    points: list[Point] = field(default_factory=list)
    frame: FrameLayout | None = None  # None: an ordinary function
    max_calls: int = 1
    recursive: bool = False
    calls_waiting: list[Body] = field(default_factory=list)  # bodies that it calls directly and that can wait
    order: int = 0  # its place in the list of bodies
    has_positions: bool = True  # False: an ordinary function; then `frame` is None as well
    called: bool = False  # by a body of the same domain
    created: bool = False
    callees: dict[typed.Statement, Body] = field(default_factory=dict)  # of each CallProcess and CreateProcess
    in_text: dict[typed.Statement, typed.CreateProcess] = field(default_factory=dict)  # of each CreateProcess, its own

    @property
    def start(self) -> Position:
        return self.positions[0]

    def __repr__(self) -> str:
        return f"<body {self.name}>"


# --- layout ----------------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False, repr=False)
class FrameLayout:
    """Offsets are relative to the frame."""

    return_offset: int | None
    return_size: int
    wait_offset: int
    wait_size: int
    variables: dict[Variable, int]
    size: int
    align: int


@dataclass(slots=True, eq=False, repr=False)
class RecordLayout:
    """The slots of one process. Offsets are relative to the record."""

    body: Body
    first_slot: int
    slots: int
    position_offset: int  # in the block: of the first slot's position; the others follow side by side
    offset: int  # of the first record in the block
    stride: int
    position_size: int
    frame_field_offset: int | None
    frame_field_size: int
    call_counts: dict[Body, tuple[int, int]]  # recursive callee -> offset, size
    frame0: int
    calls_offset: int | None = None  # where the frames of calls begin

    def __repr__(self) -> str:
        return f"<record of {self.body.name}>"


@dataclass(slots=True, eq=False, repr=False)
class Field:
    """One line of `lfc layout`: a field of the block with where it comes from."""

    offset: int
    size: int
    owner: str  # module, or "Process[i]"
    name: str
    type: str


@dataclass(slots=True, eq=False, repr=False)
class BlockLayout:
    size: int
    positions_offset: int  # of slot 0's position: positions lie side by side in one array, not in the records
    pending_offset: int
    pending_size: int
    interrupts: list[int]  # numbers in the order of their bits
    variables: dict[Variable, int]  # module variables
    records: list[RecordLayout]  # in the order of slots; the initialisation first
    position_size: int
    first_waiting: int  # the lowest number of a waiting position (program domain)
    max_channels: int
    constant_pool: bytes
    constant_offsets: dict[bytes, int]


@dataclass(frozen=True, slots=True)
class NewNumber:
    """The number that a NEW makes: `scale` times the index of the element, if it is one of several, and `offset`."""

    scale: int
    offset: int


@dataclass(slots=True, eq=False, repr=False)
class Machine:
    """All that later stages need to know of a program."""

    program: typed.Program
    bodies: list[Body]  # initialisation first, then in the order of `Program.all_processes`
    body_of: dict[Process, Body]  # the one with positions, if there are two
    layout: BlockLayout
    positions: list[Position]  # by number - 1, program domain
    function_of: dict[Process, Body] = field(default_factory=dict)  # of those that cannot wait and are called
    functions: dict[Process, Body] = field(default_factory=dict)  # of PROCEDUREs without an effect: no part of `bodies`
    environment: Domain | None = None
    monitors: list[typed.Module] = field(default_factory=list)  # whose handlers are woven into the program
    properties: list[PropertyMachine] = field(default_factory=list)
    constant_ports: dict[Variable, int] = field(default_factory=dict)  # for all that read them: this number, for ever
    known_news: dict[typed.New, NewNumber] = field(default_factory=dict)  # whose number is certain
    known_elements: dict[tuple[Variable, int], int] = field(default_factory=dict)  # of arrays of ports: once set,
    unset_arrays: set[Variable] = field(default_factory=set)  # which of these may be read before
    known_processes: dict[Process, list[Mapping[Variable, int]]] = field(
        default_factory=dict
    )  # formals that stay as they are, slot by slot
    known_slots: dict[typed.CreateProcess, list[int]] = field(
        default_factory=dict
    )  # that it takes, one after the other
    digest: bytes | None = field(default=None, init=False)  # kept by `program_digest`
    kept: Kept | None = field(default=None, init=False)  # where it comes from

    @property
    def wide(self) -> bool:
        """Slots and ports have two bytes."""
        return self.program.wide

    @property
    def port_size(self) -> int:
        return 2 if self.wide else 1

    def port_at(self, block: bytes, offset: int) -> int:
        """The number of a channel."""
        return int.from_bytes(block[offset : offset + self.port_size], "little")

    def all_bodies(self) -> list[Body]:
        """Of the program, then of the environment, then of the properties."""
        found = list(self.bodies)
        if self.environment is not None:
            found += self.environment.bodies
        for p in self.properties:
            found.append(p.body)
        return found

    # --- the composition with the environment, if there is one ---

    @property
    def parts(self) -> list[tuple[BlockLayout, list[Position]]]:
        """The program's part of the block, then the environment's."""
        found = [(self.layout, self.positions)]
        if self.environment is not None:
            found.append((self.environment.layout, self.environment.positions))
        return found

    @property
    def block_size(self) -> int:
        return self.parts[-1][0].size

    @property
    def records(self) -> list[RecordLayout]:
        """In the order of slots."""
        return [r for layout, _ in self.parts for r in layout.records]

    @property
    def composed_bodies(self) -> list[Body]:
        """Of the program and the environment; no properties."""
        return self.bodies + ([] if self.environment is None else self.environment.bodies)

    @property
    def slots(self) -> int:
        return sum(r.slots for r in self.records)

    def record_of(self, process: Process) -> RecordLayout | None:
        """Where instances of a process lie; None: the program creates none."""
        bodies: list[Body | None] = [self.body_of.get(process)]
        if self.environment is not None:
            bodies.append(self.environment.body_of.get(process))
        return next((r for r in self.records if any(r.body is b for b in bodies)), None)

    def position_at(self, block: bytes, slot: int) -> Position | None:
        """Where the process in this slot is; None: the slot is free."""
        for layout, positions in self.parts:
            for r in layout.records:
                if r.first_slot <= slot < r.first_slot + r.slots:
                    at = r.position_offset + (slot - r.first_slot) * r.position_size
                    number = int.from_bytes(block[at : at + r.position_size], "little")
                    return positions[number - 1] if number else None
        raise IndexError(slot)

    def __repr__(self) -> str:
        return f"<machine of {self.program.main.name}>"


@dataclass(slots=True, eq=False, repr=False)
class Domain:
    """The environment modules: numbered apart; their part of the block follows the program's (all offsets and slots
    go on there). `layout.size` is the size of the whole composition. Its initialisation is a part of `init`."""

    bodies: list[Body]
    body_of: dict[Process, Body]
    function_of: dict[Process, Body]
    layout: BlockLayout
    positions: list[Position]

    def __repr__(self) -> str:
        return f"<environment of {len(self.bodies)} bodies>"


@dataclass(slots=True, eq=False, repr=False)
class PropertyMachine:
    """A property process, which calls nobody. Its record is laid as if it followed the block (aligned to 4); only a
    product of the checker has it."""

    of: typed.Property
    body: Body
    positions: list[Position]
    record: RecordLayout
    first_waiting: int  # one past the last position: a property never waits
    size: int  # of its position and record

    def __repr__(self) -> str:
        return f"<property {self.of.name}>"
