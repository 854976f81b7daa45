"""The abstract state of a running program: what its meaning depends on, as plain values.

Scalars are integers, arrays and records are lists, and what a VAR parameter or an open array holds is a `Place`.
States are copied and compared by value (`copy`, `key`); nothing in them speaks of bytes.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from lfc.base.source import Span
from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, ChannelType, OpenArrayType, RecordType, Type, initial_value
from tests.naive.bounds import Bounds
from tests.naive.program import Tables

MODULE, CONSTANT = -1, -2  # instead of a slot: where a place lies


class Place(NamedTuple):
    """A variable or a part of one. `path`: indices of elements and fields, outermost first."""

    slot: int  # or MODULE, CONSTANT
    frame: int  # index in the frames of the slot
    variable: typed.Variable | None
    path: tuple[int, ...] = ()
    constant: bytes = b""
    of: Type | None = None  # its type

    def __repr__(self) -> str:
        name = repr(self.constant) if self.variable is None else self.variable.name
        return f"<{name} {self.slot}.{self.frame} {self.path}>"


Value: TypeAlias = "int | list[Value] | Place"
Frozen: TypeAlias = "int | tuple[Frozen, ...] | Place"


class Position(NamedTuple):
    """Where a frame stands between two steps."""

    kind: str  # start after clause else reschedule choice return waiting
    statement: typed.Statement | None = None
    clause: int | None = None

    def __repr__(self) -> str:
        line = "" if self.statement is None else f" line {self.statement.span.line}"
        return f"<{self.kind}{line}{'' if self.clause is None else f' clause {self.clause}'}>"


class ClauseWait(NamedTuple):
    """What a process waits with in one clause."""

    closed: bool = False
    channel: int = 0
    values: tuple[Frozen, ...] = ()
    targets: tuple[Place | None, ...] = ()  # None: a constant, or a device register


@dataclass(slots=True, repr=False)
class Frame:
    process: typed.Process | None  # None: the initialisation
    variables: dict[typed.Variable, Value]  # in the order of declaration
    at: Position
    enclosing: int = -1  # the frame of the activation that a nested process was called from; -1: none

    def __repr__(self) -> str:
        name = "init" if self.process is None else self.process.qualified_name
        values = ", ".join(f"{v.name}={x}" for v, x in self.variables.items())
        return f"<{name} {self.at} {values}>"


@dataclass(slots=True)
class Activation:
    """A process that lives in a slot: its frames, the innermost last, and what it waits with (one for each clause)."""

    frames: list[Frame]
    wait: tuple[ClauseWait, ...] | None = None
    began: tuple[int | None, ...] = ()  # of a wait that began in the last step: how long each clause waits for time

    @property
    def ready(self) -> bool:
        return self.frames[-1].at.kind != "waiting"


@dataclass(slots=True)
class Fault:
    """`kind` and `values` as in docs/reference/machine.md."""

    kind: int
    span: Span
    values: tuple[int, ...]


@dataclass(slots=True, repr=False)
class State:
    tables: Tables
    bounds: Bounds
    modules: dict[typed.Variable, Value]
    slots: list[Activation | None]
    pending: frozenset[int] = frozenset()
    arrivals: list[int] = field(default_factory=list)  # slots that wait for a communication, longest waiting first
    fault: Fault | None = None

    def __repr__(self) -> str:
        """Short: a typed program shows all of itself."""
        values = ", ".join(f"{v.name}={x}" for v, x in self.modules.items())
        return f"<{values}; {self.slots}; pending {set(self.pending)}; {self.fault}>"

    @staticmethod
    def initial(
        program: typed.Program,
        bounds: Bounds | None = None,
        tables: Tables | None = None,
        with_environment: bool = False,
    ) -> State:
        """Only the initialisation is ready."""
        tables = tables or Tables(program, with_environment)
        bounds = bounds or Bounds.derived(program)
        modules = {v: initial(v) for m in tables.modules for v in m.variables if v.address is None}
        slots: list[Activation | None] = [None] * (1 + sum(bounds.instances[p] for p in tables.processes))
        slots[0] = Activation([Frame(None, {}, Position("start"))])
        return State(tables, bounds, modules, slots)

    def copy(self) -> State:
        return State(
            self.tables,
            self.bounds,
            {v: thawed(x) for v, x in self.modules.items()},
            [a and Activation([copied(f) for f in a.frames], a.wait) for a in self.slots],
            self.pending,
            self.arrivals.copy(),
            self.fault,
        )

    def key(self, arrival_order: bool = False) -> tuple[object, ...]:
        """Equal for equal states and only for these. With `arrival_order`, queues that differ in order differ."""
        return (
            tuple(frozen(x) for x in self.modules.values()),
            tuple(
                a
                and (
                    tuple((f.process, f.at, tuple(frozen(x) for x in f.variables.values())) for f in a.frames),
                    a.wait,
                )
                for a in self.slots
            ),
            self.pending,
            self.queues() if arrival_order else None,
        )

    def queues(self) -> frozenset[tuple[object, ...]]:
        """Every queue with its waiting slots and clauses in the order of arrival."""
        found: dict[tuple[object, ...], list[tuple[int, int]]] = {}
        for slot in self.arrivals:
            activation = self.slots[slot]
            assert activation is not None and activation.wait is not None
            events = events_of(activation.frames[-1].at.statement)
            for index, (event, clause) in enumerate(zip(events, activation.wait, strict=True)):
                if isinstance(event, typed.Send | typed.Receive) and not clause.closed:
                    where: object = clause.channel
                    if isinstance(event.port, typed.InterruptPort):
                        where = ("interrupt", event.port.number)
                    found.setdefault((where, event.message, type(event)), []).append((slot, index))
        return frozenset((*queue, tuple(members)) for queue, members in found.items())

    def first_slot(self, process: typed.Process) -> int:
        first = 1
        for p in self.tables.processes:
            if p is process:
                return first
            first += self.bounds.instances[p]
        raise KeyError(process.name)

    def channels_in_use(self) -> set[int]:
        """What no NEW may take: held by a port, a waiting process or a waiting message."""
        used: set[int] = set()
        for variable, value in self.modules.items():
            collect_channels(variable.type, value, used)
        for activation in self.slots:
            if activation is None:
                continue
            for frame in activation.frames:
                for variable, value in frame.variables.items():
                    collect_channels(variable.type, value, used)
            for clause, event in zip(
                activation.wait or (),
                events_of(activation.frames[-1].at.statement) if activation.wait else (),
                strict=True,
            ):
                used.add(clause.channel)
                if isinstance(event, typed.Send):
                    for t, sent in zip(event.message.types, clause.values, strict=False):
                        collect_channels(t, thawed(sent), used)
        used.discard(0)
        return used


def events_of(statement: typed.Statement | None) -> list[typed.Statement]:
    """What a process that waits at this statement waits for, clause by clause."""
    if isinstance(statement, typed.Select):
        return [clause.event for clause in statement.clauses]
    assert statement is not None
    return [statement]


def collect_channels(t: Type, value: Value, used: set[int]) -> None:
    if isinstance(value, Place):  # the variable that it stands for is seen where it lives
        return
    if isinstance(t, ChannelType):
        assert isinstance(value, int)
        used.add(value)
    elif isinstance(t, ArrayType | OpenArrayType):
        assert isinstance(value, list)
        for element in value:
            collect_channels(t.element, element, used)
    elif isinstance(t, RecordType):
        assert isinstance(value, list)
        for f, element in zip(t.fields, value, strict=True):
            collect_channels(f.type, element, used)


def initial(variable: typed.Variable) -> Value:
    if variable.kind is typed.VariableKind.LIMIT:
        return 0
    return initial_of(variable.type)


def initial_of(t: Type) -> Value:
    if isinstance(t, ArrayType):
        return [initial_of(t.element) for _ in range(t.length)]
    if isinstance(t, RecordType):
        return [initial_of(f.type) for f in t.fields]
    return initial_value(t)


def frozen(value: Value) -> Frozen:
    return tuple([frozen(x) for x in value]) if isinstance(value, list) else value


def thawed(value: Value | Frozen) -> Value:
    """A copy of its own."""
    if isinstance(value, Place | int):
        return value
    return [thawed(x) for x in value]


def copied(frame: Frame) -> Frame:
    return Frame(frame.process, {v: thawed(x) for v, x in frame.variables.items()}, frame.at, frame.enclosing)
