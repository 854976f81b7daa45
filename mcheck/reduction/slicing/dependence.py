"""Slicing: which statements, variables and processes can influence what is claimed of a program.

Everything starts with the claims. A variable is relevant if a statement that stays reads it. A statement stays if
it writes what is relevant, decides about what stays (control), waits before something that stays (termination), or
may speak with somebody who stays (communication). Where the scheduling points all stay, so does everything that
decides about them: only data leaves. Where a claim allows it (`Claims.passes`), who only waits for a partner passes
instead: of a message that nobody who matters receives anything from, no partner stays. docs/theory/slicing.md has the
argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from lfc.actions.analysis.may_fault import Ranges, takes_bits_as_they_are, takes_first_of
from lfc.semantics.checks.accesses import accesses
from lfc.semantics.model import typed
from lfc.semantics.model.counted_loops import changed_by_others, is_counted
from lfc.semantics.model.typed import Process, VariableKind
from lfc.semantics.model.types import ArrayType, ChannelType, OpenArrayType, RecordType, is_port
from lfc.semantics.model.visit import bodies, operands, root_variable, statements, subexpressions

if TYPE_CHECKING:
    from lfc.semantics.model.typed import Variable
    from lfc.semantics.model.types import Type

Owner = typed.Module | Process
Fields = tuple[str, ...]  # of records, from the outermost on; of arrays all elements are one
WHOLE: frozenset[Fields] = frozenset({()})
Simple = typed.Assign | typed.Step | typed.Include | typed.PortOut | typed.ConsoleWrite | typed.Spin


class UnknownClaim(Exception):
    """What a slice is to be for is not in the program; says what there is."""


@dataclass(slots=True)
class Claims:
    """What a slice is for."""

    properties: list[typed.Property] = field(default_factory=list)
    asserts: set[int] = field(default_factory=set)  # identities of the statements
    faults: bool = False
    deadlock: bool = False
    points_stay: str = ""  # why no scheduling point may leave; empty: those without influence do
    passes: bool = False  # who waits may go on without a partner: more runs are no harm
    known_ports: frozenset[Variable] = frozenset()  # that hold one channel wherever they are read
    text: str = ""  # what they are, for people


@dataclass(slots=True)
class Kept:
    """What stays."""

    program: typed.Program
    claims: Claims
    statements: set[int]  # identities
    all_statements: list[typed.Statement]  # of what is reached, in the order of the text
    processes: set[Process]
    reached: list[Process]
    variables: dict[Variable, frozenset[Fields]]  # whose values matter, and which parts of them
    blank_values: list[tuple[typed.Send, int]]  # whose values do not matter
    blank_arguments: list[tuple[typed.CallProcess | typed.CreateProcess, int]]
    passing: dict[int, typed.Statement] = field(default_factory=dict)  # that stay as RESCHEDULE, by identity
    merged: dict[int, Merged] = field(default_factory=dict)  # that could stay so, but whose action is one with another


@dataclass(slots=True)
class Merged:
    """A scheduling point at which nobody need stop: since `anchor` (None: the start of its process) only the process
    itself has seen what was done."""

    statement: typed.Statement
    process: Process
    anchor: typed.Statement | None


def slice_of(program: typed.Program, claims: Claims, back: Set[int] = frozenset()) -> Kept:
    """Of a program without environments. `back`: communications (their identities) that do not pass, nor do others of
    their message there."""
    kept = _Slicer(program, claims, back).run()
    if kept.passing:
        from lfc.mcheck.reduction.slicing.merging import merge

        merge(kept)
    return kept


def reached_processes(program: typed.Program) -> list[Process]:
    found: dict[Process, None] = {}
    work: list[Owner] = list(program.modules)
    while work:
        for s in statements(work.pop().body):
            if isinstance(s, typed.CallProcess | typed.CreateProcess) and s.process not in found:
                found[s.process] = None
                work.append(s.process)
    return [p for p in program.all_processes() if p in found]


def only_called(owners: Sequence[Owner]) -> set[Process]:
    """Those of whose calls nothing is seen but what they do: nobody creates them, and they neither wait nor call
    themselves, nor does what they call."""
    processes = [p for p in owners if isinstance(p, Process)]
    calls = {p: {s.process for s in statements(p.body) if isinstance(s, typed.CallProcess)} for p in processes}
    created = {s.process for o in owners for s in statements(o.body) if isinstance(s, typed.CreateProcess)}
    found: set[Process] = set()
    growing = True
    while growing:  # from those that call nobody on: who calls itself is never among them
        more = {p for p in processes if p not in found and calls[p] <= found and is_plain(p)}
        growing = bool(more)
        found |= more
    return found - created


def is_plain(p: Process) -> bool:
    from lfc.semantics.checks.flow import is_scheduling_point

    waits = any(is_scheduling_point(s) or isinstance(s, typed.CreateProcess) for s in statements(p.body))
    return not p.external and not waits


def is_scalar(t: Type) -> bool:
    return not isinstance(t, ArrayType | OpenArrayType | RecordType | ChannelType)


def is_same_object(formal: Variable) -> bool:
    return formal.kind is VariableKind.VAR or isinstance(formal.type, OpenArrayType)


class _Slicer:
    def __init__(self, program: typed.Program, claims: Claims, back: Set[int] = frozenset()) -> None:
        self.program, self.claims = program, claims
        self.all, self.passes = bool(claims.points_stay), claims.passes
        self.reached = reached_processes(program)
        self.kept: set[int] = set()
        self.relevant: set[tuple[Variable, Fields]] = set()
        self.of_root: dict[Variable, set[Fields]] = {}
        self.messages: set[object] = set()
        self.payload: set[tuple[object, int]] = set()
        self.whole: set[Process] = set()  # all that they do is looked at
        self.nonempty: set[Process] = set()
        self.goes_on: set[Process] = set()  # behind a call of them something stays
        self.leaves = False  # what is looked at is the body of one of these
        self.loops: list[typed.Loop] = []
        self.labels_kept: set[typed.LoopLabel] = set()  # of loops that stay
        self.same: dict[Variable, Variable] = {}
        self.one_with_others: set[Variable] = set()
        self.flows = PortFlows()
        everything = [s for owner in self._owners() for s in statements(owner.body)]
        self.faults = Faults(program, list(self._owners()))
        by_others = changed_by_others(self._owners())
        self.counted = {id(s) for s in everything if isinstance(s, typed.For) and is_counted(s, by_others)}
        for s in everything:
            if isinstance(s, typed.CallProcess | typed.CreateProcess):
                self._same_objects(s)
            self.flows.statement(s)
        self.messages.update(self._key(event) for s in everything if id(s) in back for event in events_of(s))

    def run(self) -> Kept:
        for asked in self.claims.properties:
            self._claim(asked)
        self.passes = self.passes and not self.whole  # it is seen who waits
        size = -1
        while size != self._size():
            size = self._size()
            later = False
            for module in reversed(self.program.modules):
                later |= self._sequence(module.body, later)
            for p in self.reached:
                if p.external:
                    continue
                self.leaves = self.all and self._may_leave(p)
                later = p in self.whole or (p in self.goes_on and not (self.all and self.leaves))
                if self._sequence(p.body, later) or (self.all and not self.leaves):
                    self.nonempty.add(p)
                self.leaves = False
        return self._result()

    @cached_property
    def only_called(self) -> set[Process]:
        return only_called(list(self._owners()))

    def _may_leave(self, p: Process) -> bool:
        """With its calls, where scheduling points stay: if nothing else in it does."""
        return p in self.only_called and p not in self.whole

    def _size(self) -> int:
        grows: list[set[object]] = [self.kept, self.relevant, self.messages, self.payload, self.nonempty, self.goes_on]  # type: ignore[list-item]
        return sum(map(len, grows))

    def _result(self) -> Kept:
        everything = [s for owner in self._owners() for s in statements(owner.body)]
        values: list[tuple[typed.Send, int]] = []
        arguments: list[tuple[typed.CallProcess | typed.CreateProcess, int]] = []
        passing = {id(s): s for s in everything if id(s) in self.kept and self._passes(s)}
        for s in passing.values():
            self.kept -= {id(x) for body in bodies(s) for x in statements(body)}
        passing = {at: s for at, s in passing.items() if at in self.kept}
        for s in everything:
            if id(s) not in self.kept or id(s) in passing:
                continue
            for event in events_of(s):
                if isinstance(event, typed.Send):
                    values += [(event, j) for j, v in enumerate(event.values) if not self._carries(event, j, v)]
            if isinstance(s, typed.CallProcess | typed.CreateProcess) and not s.process.external:
                arguments += [(s, j) for j, a in enumerate(s.arguments) if not self._takes(a)]
        called = {s.process for s in everything if id(s) in self.kept and isinstance(s, typed.CallProcess)}
        processes = {p for p in self.reached if p.external or p in self.nonempty or p in self.whole or p in called}
        mine = {v: self._parts(v) for owner in self._owners() for v in variables_of(owner) if self._matters(v)}
        return Kept(
            self.program, self.claims, self.kept, everything, processes, self.reached, mine, values, arguments, passing
        )

    def _owners(self) -> Iterator[Owner]:
        yield from self.program.modules
        yield from self.reached

    # --- variables that are one object

    def _root(self, v: Variable) -> Variable:
        while v in self.same:
            v = self.same[v]
        return v

    def _same_objects(self, s: typed.CallProcess | typed.CreateProcess) -> None:
        for a in s.arguments:
            root = root_variable(a.value)
            if root is not None and is_same_object(a.formal):
                one, other = self._root(a.formal), self._root(root)
                self.one_with_others |= {a.formal, root}
                if one is not other:
                    self.same[one] = other

    def _parts(self, v: Variable) -> frozenset[Fields]:
        return frozenset(self.of_root.get(self._root(v), ())) if v not in self.one_with_others else WHOLE

    def _fields(self, v: Variable, path: Fields) -> Fields:
        """Of what is known by several names no part is told apart."""
        return () if v in self.one_with_others else path

    def _matters(self, v: Variable | None, path: Fields = ()) -> bool:
        """Some part of it does, if no path is given."""
        if v is None:
            return False
        parts, path = self.of_root.get(self._root(v), ()), self._fields(v, path)
        return any(overlap(path, other) for other in parts)

    def _part_matters(self, designator: typed.Expr) -> bool:
        return self._matters(root_variable(designator), fields_of(designator))

    def _mark(self, v: Variable | None, path: Fields = ()) -> None:
        if v is not None:
            entry = self._root(v), self._fields(v, path)
            self.relevant.add(entry)
            self.of_root.setdefault(entry[0], set()).add(entry[1])

    def _mark_part(self, designator: typed.Expr) -> None:
        self._mark(root_variable(designator), fields_of(designator))

    def _read(self, *expressions: typed.Expr) -> None:
        work = list(expressions)
        while work:
            e = work.pop()
            match e:
                case typed.FieldRef() | typed.IndexRef() if root_variable(e) is not None:
                    self._mark_part(e)
                    self._place(e)
                case typed.VariableRef() | typed.SlotVariable():
                    self._mark(e.variable)
                    work += operands(e)
                case _:
                    work += operands(e)

    def _condition(self, *expressions: typed.Expr) -> None:
        self._read(*expressions)

    def _place(self, designator: typed.Expr) -> None:
        """What its indices read."""
        while isinstance(designator, typed.FieldRef | typed.IndexRef):
            if isinstance(designator, typed.IndexRef):
                self._read(designator.index)
            designator = designator.base

    # --- claims

    def _claim(self, p: typed.Property) -> None:
        expressions: list[typed.Expr] = [] if p.formula is None else [p.formula]
        if p.process is not None:
            for s in statements(p.process.body):
                for a in accesses(s):
                    self._mark(a.variable)
                expressions += conditions_of(s)
        self._read(*expressions)
        for e in expressions:
            for x in subexpressions(e):
                match x:
                    case typed.SlotVariable():
                        self.whole.add(x.process)
                    case typed.StatusAtom():
                        self.whole.add(x.process)
                    case typed.TakenAtom():
                        self.messages.add((id(x.message), self.flows.of(x.port)))

    # --- statements: each says whether it stays

    def _sequence(self, body: Sequence[typed.Statement], later: bool) -> bool:
        """`later`: something that stays may come after it. True: something in it stays."""
        any_kept = False
        for s in reversed(body):
            if self._statement(s, later or any_kept):
                self.kept.add(id(s))
                any_kept = True
        return any_kept

    def _statement(self, s: typed.Statement, later: bool) -> bool:
        match s:
            case typed.Assign() | typed.Step() | typed.Include():
                return self._simple(s)
            case typed.PortOut() | typed.ConsoleWrite() | typed.Spin():
                return self._simple(s)
            case typed.Assert():
                stays = id(s) in self.claims.asserts or (self.claims.faults and self.faults.of_statement(s))
                if stays:
                    self._read(s.condition)
                return stays
            case typed.New():
                stays = self.all or self._part_matters(s.port)
                if stays:
                    self._mark_part(s.port)
                    self._place(s.port)
                return stays
            case typed.CallProcess():
                if later:
                    self.goes_on.add(s.process)
                stays = s.process.external or s.process in self.nonempty
                stays |= self.all and not self._may_leave(s.process)
                stays |= self.claims.faults and any(self.faults.of(a.value) for a in s.arguments)
                if stays:
                    self._arguments(s)
                    self._mark(s.process.result)  # its RETURNs stay what they are
                return stays
            case typed.CreateProcess():
                stays = self.all or s.process in self.nonempty or s.process in self.whole
                if stays:
                    self._arguments(s)
                    if s.deadline is not None:
                        self._read(s.deadline)
                return stays
            case typed.Return():
                return (self.all and not self.leaves) or later
            case typed.Exit():
                if s.label is not None:
                    return self.all or s.label in self.labels_kept or later
                return self.all or not self.loops or id(self.loops[-1]) in self.kept
            case typed.If() | typed.Case():
                return self._decision(s, later)
            case typed.While() | typed.Repeat() | typed.Loop() | typed.For():
                return self._loop(s, later)
        return self._point(s, later)

    def _simple(self, s: Simple) -> bool:
        target = (
            s.target if isinstance(s, typed.Assign | typed.Step) else s.set if isinstance(s, typed.Include) else None
        )
        claimed = self.claims.faults and self.faults.of_statement(s)
        claimed = claimed or (self.all and target is not None and is_port(target.type))  # it holds a channel's number
        if not claimed and (target is None or not self._part_matters(target)):
            return False
        if target is not None:
            self._place(target)
        match s:
            case typed.Assign():
                self._read(s.value)
            case typed.Step():
                self._mark_part(s.target)
                self._read(s.amount)
            case typed.Include():
                self._read(s.element)
            case typed.PortOut():
                self._read(s.address, s.value)
            case typed.ConsoleWrite():
                self._read(s.value)
            case typed.Spin():
                self._read(s.microseconds)
        return True

    def _decision(self, s: typed.If | typed.Case, later: bool) -> bool:
        stays = False
        for _, body in s.branches:
            stays |= self._sequence(body, later)
        stays |= self._sequence(s.otherwise or [], later)
        conditions = [s.selector] if isinstance(s, typed.Case) else [c for c, _ in s.branches]
        if self.claims.faults:
            stays = stays or any(self.faults.of(c) for c in conditions) or self.faults.of_case(s)
        if stays:
            self._condition(*conditions)
        return stays

    def _loop(self, s: typed.While | typed.Repeat | typed.Loop | typed.For, later: bool) -> bool:
        around = later or any(id(x) in self.kept for x in s.body)
        if isinstance(s, typed.Loop):
            self.loops.append(s)
        if id(s) in self.kept and s.label is not None:
            self.labels_kept.add(s.label)
        stays = self._sequence(s.body, around) or (self.all and id(s) not in self.counted)
        if isinstance(s, typed.Loop):
            self.loops.pop()
        match s:
            case typed.For():
                stays = stays or self._matters(s.variable) or (later and id(s) not in self.counted)
                stays = stays or (self.claims.faults and (self.faults.of(s.low) or self.faults.of(s.high)))
                if stays:
                    self._mark(s.variable)
                    self._condition(s.low, s.high)
            case typed.While():
                stays = stays or later  # it may go on for ever
                if stays:
                    self._condition(s.condition)
            case typed.Repeat():
                stays = stays or later
                if stays:
                    self._condition(s.until)
            case _:
                stays = stays or later
        return stays

    def _point(self, s: typed.Statement, later: bool) -> bool:
        """Where control waits, or may."""
        stays = self.all or later
        stays |= any(self._key(event) in self.messages or self._receives(event) for event in events_of(s))
        stays |= isinstance(s, typed.ConsoleRead) and self._part_matters(s.target)
        if isinstance(s, typed.Select):
            for clause in s.clauses:
                stays |= self._sequence(clause.body, later)
            stays |= self._sequence(s.otherwise or [], later)
        elif isinstance(s, typed.Choice):
            for body in s.branches:
                stays |= self._sequence(body, later)
        if not stays or self._passes(s):
            return stays
        for event in events_of(s):
            self._event(event)
        match s:
            case typed.Select():
                self._condition(*(c.guard for c in s.clauses if c.guard is not None))
                self._read(*(c.event.milliseconds for c in s.clauses if isinstance(c.event, typed.AfterEvent)))
            case typed.Sleep():
                self._read(s.milliseconds)
            case typed.ConsoleRead():
                self._place(s.target)
        return True

    def _passes(self, s: typed.Statement) -> bool:
        """Whether it is enough that control may wait there: no partner is needed, and none is needed elsewhere."""
        if not self.passes or not isinstance(s, typed.Send | typed.Receive | typed.Select):
            return False
        events = events_of(s)
        if any(self._key(event) in self.messages or self._receives(event) for event in events):
            return False
        if any(isinstance(event.port, typed.InterruptPort | typed.IoPort) for event in events):
            return False
        if self.claims.faults and not (isinstance(s, typed.Send | typed.Receive) and self._cannot_fault(s)):
            return False
        inside = (x for body in bodies(s) for x in statements(body))
        return not any(id(x) in self.kept and not self._passes(x) for x in inside)

    def _cannot_fault(self, event: typed.Send | typed.Receive) -> bool:
        if not isinstance(event.port, typed.VariableRef) or event.port.variable not in self.claims.known_ports:
            return False
        if any(map(is_port, event.message.types)):
            return False  # who receives a port keeps its channel in use, which a NEW may then lack
        if isinstance(event, typed.Send):
            return not any(self.faults.of(v) for v in event.values)
        return all(
            t.designator is None or (isinstance(t.designator, typed.VariableRef) and t.conversion != "check")
            for t in event.targets
        )

    # --- communications and arguments

    def _key(self, event: typed.Send | typed.Receive) -> object:
        """What partners have in common."""
        if isinstance(event.port, typed.InterruptPort):
            return "interrupt", event.port.number
        return id(event.message), self.flows.of(event.port)

    def _receives(self, event: typed.Send | typed.Receive) -> bool:
        """Something relevant."""
        targets = event.targets if isinstance(event, typed.Receive) else []
        return any(t.designator is not None and self._part_matters(t.designator) for t in targets)

    def _event(self, event: typed.Send | typed.Receive) -> None:
        self.messages.add(self._key(event))
        self._read(event.port)
        if isinstance(event, typed.Send):
            for j, value in enumerate(event.values):
                if self._carries(event, j, value):
                    self._read(value)
            return
        for j, target in enumerate(event.targets):
            matters = target.constant is not None
            if target.designator is not None:
                if target.conversion == "check":  # a fault that there is not is none of the slice either
                    fits = takes_first_of(target.designator.type, event.message.types[j])
                    matters = self.claims.faults or not fits
                self._place(target.designator)
                matters = matters or self._part_matters(target.designator)
            if matters:
                self.payload.add((self._key(event), j))

    def _carries(self, event: typed.Send, j: int, value: typed.Expr) -> bool:
        """Whether it matters what is sent there."""
        if (self._key(event), j) in self.payload or isinstance(event.port, typed.InterruptPort | typed.IoPort):
            return True
        return not is_scalar(value.type) or (self.claims.faults and self.faults.of(value))

    def _takes(self, a: typed.Argument) -> bool:
        if is_same_object(a.formal) or not is_scalar(a.value.type) or self._matters(a.formal):
            return True
        return self.claims.faults and self.faults.of(a.value)

    def _arguments(self, s: typed.CallProcess | typed.CreateProcess) -> None:
        for a in s.arguments:
            if s.process.external:
                self._read(a.value)
            elif is_same_object(a.formal):
                self._place(a.value)
                if root_variable(a.value) is None:
                    self._read(a.value)
            elif self._takes(a):
                self._read(a.value)


def fields_of(designator: typed.Expr) -> Fields:
    """Which part of its variable it is, whatever the indices are."""
    found: list[str] = []
    while isinstance(designator, typed.FieldRef | typed.IndexRef):
        if isinstance(designator, typed.FieldRef):
            found.append(designator.field.name)
        designator = designator.base
    return tuple(reversed(found))


def overlap(one: Fields, other: Fields) -> bool:
    """One of the parts lies in the other."""
    return all(a == b for a, b in zip(one, other, strict=False))


class Faults:
    """What may fault where it stands."""

    def __init__(self, program: typed.Program, owners: Sequence[Owner]) -> None:
        everything = [s for owner in owners for s in statements(owner.body)]
        within_types = not takes_bits_as_they_are(everything)
        self.ranges = Ranges(within_types)
        self.program, self.owners, self.within_types = program, owners, within_types

    @cached_property
    def harmless(self) -> set[int]:
        """Worked out where the types do not tell."""
        from lfc.actions.analysis.value_ranges import harmless

        return harmless(self.program, self.owners, self.within_types)

    def of(self, e: typed.Expr) -> bool:
        return self.ranges.may_fault(e) and id(e) not in self.harmless

    def of_statement(self, s: typed.Statement) -> bool:
        return self.ranges.simple_may_fault(s) and id(s) not in self.harmless

    def of_case(self, s: typed.If | typed.Case) -> bool:
        """It may have no label for a value."""
        return s.otherwise is None and id(s) not in self.harmless


class PortFlows:
    """Port variables by whether they may name the same channel: what flows from one to another, wherever it does."""

    def __init__(self) -> None:
        self.next: dict[object, object] = {}

    def of(self, port: typed.Expr) -> object:
        """A formula may name the port of a process: `P.p`."""
        slot = next((e for e in subexpressions(port) if isinstance(e, typed.SlotVariable)), None)
        named = root_variable(port)
        return self._root(slot.variable if named is None and slot is not None else named)

    def statement(self, s: typed.Statement) -> None:
        match s:
            case typed.Assign() if is_port(s.target.type):
                self._join(root_variable(s.target), root_variable(s.value))
            case typed.CallProcess() | typed.CreateProcess():
                for a in s.arguments:
                    if root_variable(a.value) is not None:
                        self._join(a.formal, root_variable(a.value))
        for event in events_of(s):
            parts = event.values if isinstance(event, typed.Send) else [t.designator for t in event.targets]
            for j, part in enumerate(parts):
                if part is not None and is_port(part.type):
                    self._join((id(event.message), j), root_variable(part))

    def _root(self, x: object) -> object:
        while x in self.next:
            x = self.next[x]
        return x

    def _join(self, one: object, other: object) -> None:
        one, other = self._root(one), self._root(other)
        if one is not other and one != other:
            self.next[one] = other


def events_of(s: typed.Statement) -> list[typed.Send | typed.Receive]:
    if isinstance(s, typed.Send | typed.Receive):
        return [s]
    if isinstance(s, typed.Select):
        return [c.event for c in s.clauses if isinstance(c.event, typed.Send | typed.Receive)]
    return []


def conditions_of(s: typed.Statement) -> list[typed.Expr]:
    """And other expressions of a property process that may ask for processes and communications."""
    match s:
        case typed.If():
            return [c for c, _ in s.branches]
        case typed.While():
            return [s.condition]
        case typed.Repeat():
            return [s.until]
        case typed.Case():
            return [s.selector]
        case typed.Assign():
            return [s.value, s.target]
        case typed.Assert():
            return [s.condition]
        case typed.Step():
            return [s.amount, s.target]
        case typed.Include():
            return [s.element, s.set]
        case typed.For():
            return [s.low, s.high]
    return []


def variables_of(owner: Owner) -> list[Variable]:
    return owner.variables if isinstance(owner, typed.Module) else [*owner.formals, *owner.locals]
