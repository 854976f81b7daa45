"""Which channels a process can come to speak on: from those that its port variables hold now, over the assignments, the
creations and the messages ahead.

A set of channel numbers is exact enough to tell processes apart; `ANY` stands for all. A channel that is made by a NEW
ahead is in no set: nobody else can speak on it before it is made, and who gets its number from another process or from
a module's variable may speak on any.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from lfc.actions.analysis.places import stands_for_another
from lfc.actions.analysis.statement_effects import holds_port
from lfc.actions.model.machine import Body, Machine
from lfc.mcheck.model.environment import Answer
from lfc.mcheck.model.indexed_effects import changes_by, is_called_too, statements_of, value_of
from lfc.mcheck.model.transitions import Speech, Step, is_of_program, simple_statements
from lfc.semantics.checks.accesses import Kind, accesses
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import ChannelType
from lfc.semantics.model.visit import root_variable

Channels = frozenset[int] | None
ANY: Channels = None
NO_CHANNEL: Channels = frozenset()
UNSET: Channels = frozenset({0})
Ports = Mapping[Variable, Channels]  # what is not in it may be any


@dataclass(frozen=True, slots=True)
class Assigned:
    """A port variable takes the value of another one, of a new channel (None), or of what is not known (`any`)."""

    variable: Variable
    source: typed.Expr | None
    any: bool = False


@dataclass(slots=True)
class Moves:
    """What the action (or the end of the wait) at a position does with ports."""

    assigned: list[Assigned] = field(default_factory=list)
    creations: list[typed.CreateProcess] = field(default_factory=list)
    may_free: bool = False  # a channel's number may be free afterwards

    def add(self, other: Moves) -> None:
        self.assigned += [a for a in other.assigned if a not in self.assigned]
        self.creations += [c for c in other.creations if c not in self.creations]
        self.may_free |= other.may_free


def moves_of(machine: Machine, step: Step) -> Moves:
    found = Moves()
    for s in simple_statements(dict.fromkeys(step.blocks)):
        if isinstance(s, typed.CreateProcess) and is_of_program(machine, s):
            found.creations.append(s)
        for v, _ in changes_by(s):
            if holds_port(v.type):
                found.may_free = True
                found.assigned.append(assigned_by(s, v))
    for edge in step.edges:
        for t in () if edge.clause is None else edge.clause.targets:
            root = None if t.target.designator is None else root_variable(t.target.designator)
            if root is not None and holds_port(root.type):
                found.may_free = True
                found.assigned.append(Assigned(root, None, any=True))
    found.may_free |= any(holds_ports(b) for b in bodies_within(step) if b is not step.position.body or b.called)
    found.may_free |= any(holds_ports(b) for b in step.ends)
    found.may_free |= any(handles_ports(a) for a in step.answers)
    found.may_free |= any(keeps_ports(machine, s) for s in step.speeches)
    return found


def assigned_by(s: typed.Statement, v: Variable) -> Assigned:
    if isinstance(s, typed.New) and isinstance(s.port, typed.VariableRef):
        return Assigned(v, None)
    if isinstance(s, typed.Assign) and isinstance(s.target, typed.VariableRef):
        return Assigned(v, s.value)
    return Assigned(v, None, any=True)


def handles_ports(a: Answer) -> bool:
    """Whether what runs within the action of another process may let go of a channel."""
    statements = list(simple_statements(a.blocks))
    return any(holds_ports(b) for b, _ in a.blocks) or any(
        holds_port(v.type) for s in statements for v, _ in changes_by(s)
    )


def bodies_within(step: Step) -> Iterable[Body]:
    """Whose code may run in the action."""
    seen: set[Body] = set()
    work = [step.position.body, *(body for body, _ in step.blocks)]
    while work:
        body = work.pop()
        if body not in seen:
            seen.add(body)
            yield body
            work += [c for s, c in body.callees.items() if isinstance(s, typed.CallProcess)]


def holds_ports(body: Body) -> bool:
    return body.frame is None or any(holds_port(v.type) for v in body.frame.variables)


def keeps_ports(machine: Machine, speech: Speech) -> bool:
    """Who waits with it may be the only one that holds a channel: one that it sends, or one that it speaks on."""
    if any(holds_port(t) for t in speech.message.types):
        return True
    if not isinstance(speech.port, typed.VariableRef):
        return True
    v = speech.port.variable
    own = speech.body.frame is not None and v in speech.body.frame.variables
    return not own and v not in machine.constant_ports


def port_variables(machine: Machine, body: Body) -> list[Variable]:
    """Those of a created process that are kept at a place in its record that is always the same, and that nobody else
    may change."""
    if body.process is None or body.frame is None or body.called or is_called_too(machine, body):
        return []
    passed = {a.variable for s in statements_of(body) for a in accesses(s) if a.kind is Kind.ARGUMENT}
    return [
        v
        for v in body.frame.variables
        if isinstance(v.type, ChannelType) and not v.outside and v not in passed and not stands_for_another(v)
    ]


class PortFlow:
    def __init__(self, machine: Machine, steps: dict[int, Step]) -> None:
        self.machine = machine
        self.moves = {n: moves_of(machine, step) for n, step in steps.items()}

    def held(self, now: Ports, moves: Moves) -> dict[Variable, Channels]:
        """What each variable may hold from now on."""
        found = dict(now)
        changed = True
        while changed:
            changed = False
            for a in moves.assigned:
                if a.variable not in found:
                    continue
                joined = join(found[a.variable], self.source(a, found))
                if joined != found[a.variable]:
                    found[a.variable] = joined
                    changed = True
        return found

    def made_anew(self, moves: Moves) -> set[Variable]:
        """Variables that may hold a channel which a NEW ahead makes: such a channel is in no set."""
        found = {a.variable for a in moves.assigned if a.source is None}
        size = -1
        while size != len(found):
            size = len(found)
            found |= {a.variable for a in moves.assigned if a.source is not None and root_variable(a.source) in found}
        return found

    def source(self, a: Assigned, held: Ports) -> Channels:
        if a.any:
            return ANY
        return NO_CHANNEL if a.source is None else self.channels(a.source, held)

    def channels(self, port: typed.Expr, held: Ports) -> Channels:
        if isinstance(port, typed.Constant):
            return UNSET
        if not isinstance(port, typed.VariableRef):
            return ANY
        known = self.machine.constant_ports.get(port.variable)
        return held.get(port.variable, ANY) if known is None else frozenset({known})


def join(a: Channels, b: Channels) -> Channels:
    return ANY if a is None or b is None else a | b


Numbers = Mapping[Variable, int]


@dataclass(slots=True)
class Life:
    """With what a process may be created: parameters that are not the same each time are not known."""

    ports: dict[Variable, Channels]
    numbers: dict[Variable, int] = field(default_factory=dict)
    unknown: set[Variable] = field(default_factory=set)

    def take(self, v: Variable, number: int | None) -> bool:
        """Whether something is known less than before."""
        if v in self.unknown or (number is not None and self.numbers.get(v) == number):
            return False
        if number is None or v in self.numbers:
            self.numbers.pop(v, None)
            self.unknown.add(v)
        else:
            self.numbers[v] = number
        return True


def put_into(life: Life, created: typed.CreateProcess, flow: PortFlow, held: Ports, numbers: Numbers) -> bool:
    """What a creation gives to whom it creates; whether that is new."""
    changed = False
    for argument in created.arguments:
        v = argument.formal
        if isinstance(v.type, ChannelType):
            joined = join(life.ports.get(v, NO_CHANNEL), flow.channels(argument.value, held))
            if v not in life.ports or joined != life.ports[v]:
                life.ports[v] = joined
                changed = True
        else:
            changed |= life.take(v, value_of(argument.value, numbers))
    return changed
