"""Which channels the initialisation makes, and which processes with which arguments, as far as its text tells.

The initialisation is followed as long as nothing else can run: up to its first scheduling point. Until then its NEWs
are the only ones, and one that is certain to be executed takes the next number, because

- the channels in use are exactly those that were made so far. Each lies in a *place*, a module port or an element of a
  module array of ports, that nothing but NEWs of the initialisation ever changes; a place is made once. So no number
  is free again. Other ports may hold copies of these numbers and no others, since only NEW makes a number;
- what is passed over on the way makes no channel, changes no port, cannot wait, and cannot end the initialisation: no
  RETURN of its own. It may contain branches, loops and calls, if all that they can come to is so, too. If it faults or
  never ends, nothing else ever runs;
- a NEW inside of an IF, a CASE, a loop or a process is not certain to be executed: it ends the way. Only FOR loops with
  constant bounds, whose variable nothing in them changes, are followed round by round; their NEWs may be of elements
  with indices made of constants and such variables.

Who reads a port after its NEW reads that number for ever. Who can run before it may find the port unset: the
initialisation itself, what it calls on the way, and the environment, once it has answered the first access to a device.
Of a port that these name, the number is known where it is made, but is no constant for its readers.

What cannot be followed ends the search, not what was found before.

A CREATE on the way takes the next slot of its process, since none has ended: it looks for none, and there is one, if
their number is not larger than that of the slots. One that may be passed over, in an IF or in what is called, leaves
the slots of its process unknown. If all CREATEs of a process are on the way, each slot has one process for ever, or
none; a formal that nothing changes has one value there, as far as it is known: a number, or for a port the number of
its channel. Elements of an array of ports have theirs when all NEWs of the
array were on the way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lfc.actions.flow.environment_start import first_touch
from lfc.actions.model.machine import NewNumber
from lfc.actions.model.reach import reach_from, uses_of
from lfc.semantics.checks.accesses import WRITES, Kind, accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Module, Process, Variable
from lfc.semantics.model.types import ArrayType, OpenArrayType, RecordType, Type, is_port, scalar_range
from lfc.semantics.model.visit import constant_of, root_variable, rounds_of, statements

MOST_ROUNDS = 4096  # of all FOR loops that are followed

# What neither waits nor ends the initialisation, but for what is inside, what is called, and ports that are assigned.
PASSED = (
    typed.Assign
    | typed.Step
    | typed.Include
    | typed.Assert
    | typed.PortOut
    | typed.ConsoleWrite
    | typed.Spin
    | typed.CallProcess
    | typed.CreateProcess
    | typed.If
    | typed.Case
    | typed.While
    | typed.Repeat
    | typed.For
    | typed.Loop
    | typed.Exit
)

Arguments = Mapping[Variable, int]  # formals whose values are known; of a port: the number of its channel
Rounds = Mapping[Variable, int]  # the variables of the FOR loops that are followed, and their values


@dataclass(slots=True)
class KnownChannels:
    ports: dict[Variable, int] = field(default_factory=dict)  # for their readers: unset to none, this number for ever
    news: dict[typed.New, NewNumber] = field(default_factory=dict)
    elements: dict[tuple[Variable, int], int] = field(default_factory=dict)  # of arrays of ports: once set, for ever
    unset: set[Variable] = field(default_factory=set)  # arrays that may be read before
    created: dict[Process, list[Arguments]] = field(default_factory=dict)  # slot by slot; of others nothing is known
    slots: dict[typed.CreateProcess, list[int]] = field(default_factory=dict)  # that they take, one after the other


def known_channels(
    modules: Sequence[Module],
    processes: Iterable[Process],
    steady: set[Variable],
    most: int,
    environment: Sequence[Module] = (),
) -> KnownChannels:
    """Of the program's `modules` and `processes`. `steady`: ports that are set at one place only. `most`: how many
    channels there can be."""
    processes = list(processes)
    way = _Way(steady, arrays_made_once(modules, processes), most)
    touch = first_touch(modules)
    bodies = [m.body for m in (*modules, *environment)]
    bodies += [p.body for p in (*processes, *(p for m in environment for p in m.processes))]
    for module in modules:
        for s in module.body:
            if s is touch:
                way.named |= named_by(environment)
            if not way.follow(s, {}):
                return way.known(bodies, unfinished=s)
    return way.known(bodies)


def arrays_made_once(modules: Iterable[Module], processes: Iterable[Process]) -> set[Variable]:
    """Module arrays of ports that nothing but NEWs in the initialisation changes."""
    made: set[Variable] = set()
    changed: set[Variable] = set()
    owners: list[Module | Process] = [*modules, *processes]
    for owner in owners:
        for s in statements(owner.body):
            for access in accesses(s):
                if access.kind is Kind.NEW and isinstance(owner, Module):
                    made.add(access.variable)
                elif access.kind in WRITES or access.kind is Kind.ARGUMENT:
                    changed.add(access.variable)
    return {v for v in made - changed if isinstance(v.owner, Module) and isinstance(v.type, ArrayType)}


def named_by(modules: Sequence[Module]) -> set[Variable]:
    """Variables that these modules name, their processes, and all that they reach."""
    own = [m.body for m in modules]
    reached = [p.body for p in reach_from(own).uses]
    return {variable for body in own + reached for variable in named_in(body)}


def named_in(body: Sequence[typed.Statement]) -> set[Variable]:
    return {access.variable for s in statements(body) for access in accesses(s)}


class _Way:
    """How far the initialisation has been followed."""

    def __init__(self, steady: set[Variable], arrays: set[Variable], most: int) -> None:
        self.steady = steady
        self.arrays = arrays
        self.most = most
        self.rounds_left = MOST_ROUNDS
        self.places: set[tuple[Variable, int]] = set()
        self.numbers: dict[typed.New, list[tuple[int, int]]] = {}  # of each: index and number, in their order
        self.elements: dict[tuple[Variable, int], int] = {}
        self.unset: set[Variable] = set()
        self.created: dict[Process, list[Arguments]] = {}
        self.creates: dict[typed.CreateProcess, list[int]] = {}  # that were followed, and the slots that they take
        self.unsure: set[Process] = set()  # of which some may have been created that were not followed
        self.named: set[Variable] = set()  # by what may have run already
        self.ports: dict[Variable, int] = {}

    def known(
        self, bodies: Sequence[Sequence[typed.Statement]], unfinished: typed.Statement | None = None
    ) -> KnownChannels:
        """Of a loop that was not followed to its end, some rounds are not known. `bodies`: of all that can run."""
        partly = set() if unfinished is None else set(statements([unfinished]))
        found = KnownChannels(self.ports)
        everywhere = [s for body in bodies for s in statements(body)]
        unknown = {root_variable(s.port) for s in everywhere if isinstance(s, typed.New) and s not in self.numbers}
        unknown |= {root_variable(s.port) for s in partly if isinstance(s, typed.New)}
        found.elements = {place: number for place, number in self.elements.items() if place[0] not in unknown}
        found.unset = self.unset
        others = {s.process for s in everywhere if isinstance(s, typed.CreateProcess) and s not in self.creates}
        others |= {s.process for s in partly if isinstance(s, typed.CreateProcess)}
        found.created = {process: slots for process, slots in self.created.items() if process not in others}
        found.slots = {
            s: slots for s, slots in self.creates.items() if s.process not in self.unsure and s not in partly
        }
        for new, numbers in self.numbers.items():
            number = None if new in partly else line_through(numbers)
            if number is not None:
                found.news[new] = number
        return found

    def follow(self, s: typed.Statement, rounds: Rounds) -> bool:
        if isinstance(s, typed.New):
            return self.make(s, rounds)
        if isinstance(s, typed.For) and any(isinstance(inner, typed.New) for inner in statements([s])):
            return self.unroll(s, rounds)
        if not self.pass_over(s):
            return False
        self.note_creations(s, rounds)
        return True

    def note_creations(self, s: typed.Statement, rounds: Rounds) -> None:
        """Of a statement that is passed over. What is not found here counts as not known."""
        if isinstance(s, typed.CreateProcess):
            self.creates.setdefault(s, []).append(len(self.created.get(s.process, ())))
            given = {a.formal: self.argument(a.value, rounds) for a in s.arguments}
            slot = {formal: value for formal, value in given.items() if value is not None}
            self.created.setdefault(s.process, []).append(slot)
            return
        created = {inner.process for inner in statements([s]) if isinstance(inner, typed.CreateProcess)}
        one_by_one = self.rounds(s, rounds) if created and isinstance(s, typed.For) else None
        if one_by_one is None or not isinstance(s, typed.For):
            self.unsure |= created
            return
        for inner_rounds in one_by_one:
            for inner in s.body:
                self.note_creations(inner, inner_rounds)

    def argument(self, e: typed.Expr, rounds: Rounds) -> int | None:
        """A number, or that of a channel."""
        if not is_port(e.type):
            return index_in(e, rounds)
        match e:
            case typed.VariableRef(variable=v):
                return self.ports.get(v)
            case typed.IndexRef(base=typed.VariableRef(variable=v), index=index) if v in self.arrays:
                i = index_in(index, rounds)
                return self.elements.get((v, i)) if i is not None else None
        return None

    def make(self, s: typed.New, rounds: Rounds) -> bool:
        place = self.place_of(s.port, rounds)
        if place is None or place in self.places or len(self.places) >= self.most:
            return False
        self.places.add(place)
        number = len(self.places)
        variable, index = place
        self.numbers.setdefault(s, []).append((index, number))
        self.elements[place] = number
        if variable in self.named:
            self.unset.add(variable)
        if variable in self.steady and variable not in self.named:
            self.ports[variable] = number
        return True

    def place_of(self, port: typed.Expr, rounds: Rounds) -> tuple[Variable, int] | None:
        match port:
            case typed.VariableRef(variable=v) if v in self.steady:
                return v, 0
            case typed.IndexRef(base=typed.VariableRef(variable=v), index=index) if v in self.arrays:
                assert isinstance(v.type, ArrayType)
                i = index_in(index, rounds)
                return (v, i) if i is not None and 0 <= i < v.type.length else None
        return None

    def unroll(self, loop: typed.For, rounds: Rounds) -> bool:
        one_by_one = self.rounds(loop, rounds)
        if one_by_one is None:
            return False
        return all(self.follow(s, inner) for inner in one_by_one for s in loop.body)

    def rounds(self, loop: typed.For, rounds: Rounds) -> list[Rounds] | None:
        """None: they are not known, or too many."""
        count, low = rounds_of(loop), constant_of(loop.low)
        if count is None or low is None or count > self.rounds_left or loop.variable.outside:
            return None
        self.rounds_left -= count
        if changes(loop.body, loop.variable) or any(isinstance(s, typed.Exit) for s in statements(loop.body)):
            return None
        return [{**rounds, loop.variable: low + i * loop.by} for i in range(count)]

    def pass_over(self, s: typed.Statement) -> bool:
        if not all(passes(inner) for inner in statements([s])):
            return False
        for process in called_from([s]):
            if process.external:
                if any(holds_port(v.type) for v in process.formals):
                    return False
            elif not all(isinstance(inner, typed.Return) or passes(inner) for inner in statements(process.body)):
                return False
            self.named |= named_in(process.body)
            self.unsure |= {c.process for c in statements(process.body) if isinstance(c, typed.CreateProcess)}
        self.named |= named_in([s])
        return True


def passes(s: typed.Statement) -> bool:
    """But for what is inside and what is called."""
    return isinstance(s, PASSED) and not (isinstance(s, typed.Assign) and holds_port(s.target.type))


def changes(body: Sequence[typed.Statement], variable: Variable) -> bool:
    """By itself or by calls."""
    return any(
        access.variable is variable and (access.kind in WRITES or access.kind is Kind.ARGUMENT)
        for part in (body, *(p.body for p in called_from(body)))
        for s in statements(part)
        for access in accesses(s)
    )


def called_from(body: Sequence[typed.Statement]) -> list[Process]:
    """Directly or not."""
    found: dict[Process, None] = {}
    work = [body]
    while work:
        for process in uses_of(work.pop()).calls:
            if process not in found:
                found[process] = None
                work.append(process.body)
    return list(found)


def index_in(e: typed.Expr, rounds: Rounds) -> int | None:
    """None: not known, or a fault."""
    match e:
        case typed.Constant():
            return constant_of(e)
        case typed.VariableRef(variable=v):
            return rounds.get(v)
        case typed.Convert():
            found = index_in(e.operand, rounds)
        case typed.Binary(op="+" | "-" | "*" | "MOD"):
            left, right = index_in(e.left, rounds), index_in(e.right, rounds)
            if left is None or right is None or (e.op == "MOD" and right <= 0):
                return None
            found = {"+": left + right, "-": left - right, "*": left * right, "MOD": left % (right or 1)}[e.op]
        case _:
            return None
    low, high = scalar_range(e.type)
    return found if found is not None and low <= found <= high else None


def line_through(numbers: Sequence[tuple[int, int]]) -> NewNumber | None:
    """None: the numbers do not lie on a line with a whole slope."""
    (first_index, first), (last_index, last) = numbers[0], numbers[-1]
    scale = 0 if len(numbers) == 1 else (last - first) // (last_index - first_index)
    line = NewNumber(scale, first - scale * first_index)
    return line if all(number == line.scale * index + line.offset for index, number in numbers) else None


def holds_port(t: Type) -> bool:
    if isinstance(t, RecordType):
        return any(holds_port(f.type) for f in t.fields)
    return holds_port(t.element) if isinstance(t, ArrayType | OpenArrayType) else is_port(t)
