"""What each action and each wait of a program may touch, say and lead to, as the reductions need it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lfc.actions.analysis.effects import Table, starts_action
from lfc.actions.analysis.places import InBlock
from lfc.actions.model.machine import Attempt, Block, Body, Finish, Machine, Point, PointClause, Position, Suspend
from lfc.mcheck.model.description import Numbers
from lfc.mcheck.model.environment import Answer, Answers, is_access
from lfc.mcheck.model.indexed_effects import EffectsByElement
from lfc.semantics.model import typed
from lfc.semantics.model.types import Message

SENDS, RECEIVES = True, False


@dataclass(frozen=True, slots=True)
class Speech:
    """A communication that is attempted: of a process with this body, by a SELECT or plainly."""

    body: Body
    port: typed.Expr
    message: Message
    sends: bool
    chosen: bool  # a clause of a SELECT that may take another one's communication instead
    elsewhere: bool = False  # of another process, which runs within the action: what its variables hold is not known

    @property
    def kind(self) -> tuple[int, bool]:
        return id(self.message), self.sends

    @property
    def partner(self) -> tuple[int, bool]:
        return id(self.message), not self.sends


@dataclass(frozen=True, slots=True)
class Signal:
    """What lets a process go that waits for it, beside communications: an interrupt, by its number, or an access that
    is answered there."""

    of: int | Answer


@dataclass(frozen=True, slots=True)
class Edge:
    """From a position to one where the process may be next. `speech`: it has met a partner."""

    to: int
    speech: Speech | None = None
    end: Block | None = None  # of an action: where it ends
    clause: PointClause | None = None
    again: bool = False  # the process has ended, and another one takes its slot
    answer: Answer | None = None  # all of it lies between, within the action of another process


@dataclass(slots=True)
class Step:
    """What happens at a position: its action; of a waiting one what ends the wait."""

    position: Position
    number: int
    reads: set[InBlock] = field(default_factory=set)
    writes: set[InBlock] = field(default_factory=set)
    speeches: list[Speech] = field(default_factory=list)
    beside: list[Speech] = field(default_factory=list)  # of these, what is attempted together with something else
    edges: list[Edge] = field(default_factory=list)
    creates: list[Body] = field(default_factory=list)
    ends: list[Body] = field(default_factory=list)  # created processes that may end
    makes_channel: bool = False
    only_communicates: bool = True  # where it attempts: nothing else ends the wait, and there is no ELSE
    blocks: list[tuple[Body, Block]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)  # whoever may run within the action
    gives: set[Signal] = field(default_factory=set)
    takes: set[Signal] = field(default_factory=set)
    answered: list[Edge] = field(default_factory=list)  # of who waits for accesses: where it rests after one

    def ways(self) -> list[Edge]:
        """From where the process rests to where it rests next. Who answers an access does not rest where it goes on."""
        return [e for e in self.edges if e.clause is None or not is_access(e.clause)] + self.answered


def steps_of(machine: Machine) -> tuple[dict[int, Step], Numbers]:
    """By number; of the program and of the environment."""
    numbers = Numbers(machine)
    table = Table(machine, EffectsByElement(machine))
    answers = Answers(machine, table)
    found: dict[int, Step] = {}
    for position in (p for _, positions in machine.parts for p in positions):
        step = Step(position, numbers.of[id(position)])
        if starts_action(position):
            describe_action(step, table, numbers, answers)
        elif not position.ready:
            describe_wait(step, numbers, answers)
        else:
            continue
        run_on = {Signal(a) for a in answers.run_on_by(position.body)}
        step.takes |= run_on
        step.only_communicates &= not run_on
        found[step.number] = step
    taken = {signal for step in found.values() for signal in step.takes}
    for step in found.values():
        step.gives &= taken  # an interrupt that nobody ever takes stays pending, whoever raises it first
    return found, numbers


def describe_action(step: Step, table: Table, numbers: Numbers, answers: Answers) -> None:
    position = step.position
    assert position.entry is not None
    describe_blocks(step, table.blocks_of(position.body, position.entry), table, answers)
    step.edges = [e for _, block in step.blocks for e in edges_from(block, numbers)]


def describe_blocks(step: Step, blocks: dict[tuple[Body, Block], None], table: Table, answers: Answers) -> None:
    """What an action does that comes through these blocks."""
    effects = table.effects_of(blocks)
    step.blocks = list(blocks)
    step.reads = {p for p in effects.reads if isinstance(p, InBlock)}
    step.writes = {p for p in effects.writes if isinstance(p, InBlock)}
    for body, block in blocks:
        end = block.end
        if isinstance(end, Attempt):
            put_signals_in(step, end.point, answers)
            step.speeches += speeches_of(end.point)
            step.beside += speeches_beside(end.point)
            step.only_communicates &= end.point.otherwise is None and all(
                speech_of(end.point, c) is not None for c in end.point.clauses
            )
        if isinstance(end, Finish) and (body.created or body.process is None):
            step.ends.append(body)
    for s in simple_statements(blocks):
        if isinstance(s, typed.New):
            step.makes_channel = True
        elif isinstance(s, typed.CreateProcess) and is_of_program(table.machine, s):
            step.creates.append(table.machine.body_of[s.process])
    step.answers = answers.to(effects.accesses)
    step.gives |= {Signal(a) for a in step.answers}
    step.only_communicates &= not effects.accesses
    for a in step.answers:
        describe_answer(step, a, answers)


def describe_answer(step: Step, a: Answer, answers: Answers) -> None:
    """What happens then belongs to the action."""
    step.reads |= {p for p in a.effects.reads if isinstance(p, InBlock)}
    step.writes |= {p for p in a.effects.writes if isinstance(p, InBlock)}
    for body, block in a.blocks:
        if isinstance(block.end, Attempt):
            put_signals_in(step, block.end.point, answers)
            elsewhere = [replace(s, chosen=True, elsewhere=True) for s in speeches_of(block.end.point)]
            step.speeches += elsewhere
            step.beside += elsewhere
        elif isinstance(block.end, Finish) and body.created:
            step.ends.append(body)
    step.makes_channel |= any(isinstance(s, typed.New) for s in simple_statements(a.blocks))


def is_of_program(machine: Machine, s: typed.CreateProcess) -> bool:
    """Only the initialisation creates processes of the environment, while nobody else is there (`why_not`)."""
    return s.process in machine.body_of


def put_signals_in(step: Step, point: Point, answers: Answers) -> None:
    for clause in point.clauses:
        event = clause.event
        if is_access(clause):
            step.takes |= {Signal(a) for a in answers.all if a.clause is clause}
        elif isinstance(event, typed.Send | typed.Receive) and isinstance(event.port, typed.InterruptPort):
            (step.gives if isinstance(event, typed.Send) else step.takes).add(Signal(event.port.number))


def describe_wait(step: Step, numbers: Numbers, answers: Answers) -> None:
    assert step.position.point is not None
    step.only_communicates = all(speech_of(step.position.point, c) is not None for c in step.position.point.clauses)
    step.speeches = speeches_of(step.position.point)
    step.beside = speeches_beside(step.position.point)
    step.edges = edges_of(step.position.point, numbers, None)
    put_signals_in(step, step.position.point, answers)
    for a in answers.all:
        if a.point is step.position.point:
            step.answered += [replace(e, answer=a) for _, block in a.blocks for e in ends_at(block, numbers)]


def ends_at(block: Block, numbers: Numbers) -> list[Edge]:
    """Of an answer, which goes on through every CHOICE. Who comes to wait for an access is not let go at once."""
    if isinstance(block.end, Suspend) and block.end.position.kind == "choice":
        return []
    return [e for e in edges_from(block, numbers) if e.clause is None or not is_access(e.clause)]


def speeches_of(point: Point) -> list[Speech]:
    found = (speech_of(point, clause) for clause in point.clauses)
    return [s for s in found if s is not None]


def speeches_beside(point: Point) -> list[Speech]:
    return speeches_of(point) if len(point.clauses) > 1 else []


def speech_of(point: Point, clause: PointClause) -> Speech | None:
    event = clause.event
    if not isinstance(event, typed.Send | typed.Receive) or isinstance(event.port, typed.InterruptPort | typed.IoPort):
        return None
    chosen = point.is_select and not is_on_one_channel(point)
    return Speech(point.body, event.port, event.message, isinstance(event, typed.Send), chosen)


def is_on_one_channel(point: Point) -> bool:
    """Whether all clauses of a SELECT send, or all receive, on the channel of one variable, and nothing else ends the
    wait: only the messages differ."""
    if point.otherwise is not None:
        return False
    seen = set()
    for clause in point.clauses:
        event = clause.event
        if not isinstance(event, typed.Send | typed.Receive) or not isinstance(event.port, typed.VariableRef):
            return False
        seen.add((event.port.variable, isinstance(event, typed.Send)))
    return len(seen) == 1


def edges_from(block: Block, numbers: Numbers) -> list[Edge]:
    end = block.end
    if isinstance(end, Attempt):
        others = [p for p in (end.point.otherwise, end.point.waiting) if p is not None]
        return edges_of(end.point, numbers, block) + [Edge(numbers.of[id(p)], None, block) for p in others]
    return [Edge(numbers.of[id(end.position)], None, block)] if isinstance(end, Suspend) else []


def edges_of(point: Point, numbers: Numbers, end: Block | None) -> list[Edge]:
    return [Edge(numbers.of[id(c.resume)], speech_of(point, c), end, c) for c in point.clauses]


def simple_statements(blocks: dict[tuple[Body, Block], None]) -> Iterator[typed.Statement]:
    """Of the blocks and of all ordinary functions that are called from there."""
    seen: set[Body] = set()
    work = list(blocks)
    while work:
        body, block = work.pop()
        for s in block.statements:
            yield s
            if isinstance(s, typed.CallProcess):
                callee = body.callees[s]
                if not callee.has_positions and callee not in seen:
                    seen.add(callee)
                    work += [(callee, b) for b in callee.blocks]


def raises_interrupts(machine: Machine) -> bool:
    return any(
        isinstance(c.event, typed.Send) and isinstance(c.event.port, typed.InterruptPort)
        for body in machine.bodies
        for point in body.points
        for c in point.clauses
    )


def messages_of(steps: dict[int, Step]) -> list[Message]:
    found = {id(s.message): s.message for step in steps.values() for s in step.speeches}
    return list(found.values())


def messages_together(machine: Machine, steps: dict[int, Step]) -> dict[int, list[Message]]:
    """Of each message, by identity, those that a SELECT on one channel may take instead, and itself."""
    found = {id(m): [m] for m in messages_of(steps)}
    for point in (p for body in machine.composed_bodies for p in body.points):
        spoken = [s.message for s in speeches_of(point) if point.is_select and not s.chosen]
        together = list({id(m): m for first in spoken for m in found.get(id(first), [])}.values())
        for m in together:
            found[id(m)] = together
    return found
