"""What no step of a search has come to: processes, source lines, clauses, messages, actions.

Modules of the library are left out: nobody uses all of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.actions.model.machine import (
    Attempt,
    Branch,
    CallWaiting,
    Choose,
    Suspend,
    Switch,
)
from lfc.base.lazy_dataclass import dataclass
from lfc.base.library_folder import LIBRARY
from lfc.codegen.module.passed_blocks import numbered_blocks
from lfc.mcheck.model.description import Numbers
from lfc.semantics.model import typed
from lfc.semantics.model.types import ChannelType

if TYPE_CHECKING:
    from lfc.actions.model.machine import (
        Block,
        Body,
        Machine,
        Point,
        PointClause,
        Position,
    )
    from lfc.base.source import Source, Span
    from lfc.mcheck.search.search import Search, Seen
    from lfc.semantics.model.types import Message


@dataclass(frozen=True, slots=True)
class Unmet:
    """A process that never runs, a clause that is never taken, a message that is never exchanged."""

    text: str
    span: Span


@dataclass(slots=True)
class Unreached:
    complete: bool  # every state was visited
    processes: list[Unmet] = field(default_factory=list)
    clauses: list[Unmet] = field(default_factory=list)  # of attempts that are made
    messages: list[Unmet] = field(default_factory=list)
    lines: list[Span] = field(default_factory=list)  # of processes that run: statements and conditions, by place
    actions: list[Position] = field(default_factory=list)  # ready positions where nobody has ever been
    of_slice: bool = False  # nothing is said of what has left

    @property
    def line_count(self) -> int:
        return len({(id(s.source), s.line) for s in self.lines})


def unreached(machine: Machine, search: Search, complete: bool) -> Unreached:
    seen = search.seen()
    at = Places(machine, seen)
    found = Unreached(complete)
    started = {id(body.process) for body, block in numbered_blocks(machine) if block is body.entry and at.passed(block)}
    found.processes = [
        Unmet(p.qualified_name, p.span)
        for p in machine.program.all_processes()
        if is_own(p.span.source) and not p.external and id(p) not in started
    ]
    bodies = [b for b in machine.composed_bodies if b.process is None or id(b.process) in started]
    found.clauses = [unmet for body in bodies for unmet in at.clauses(body) if is_own(unmet.span.source)]
    found.messages = list(at.messages())
    found.lines = at.lines(bodies)
    found.actions = [
        p
        for _, part in machine.parts
        for p in part
        if begins_actions(p) and not at.been_at(p) and is_own(p.span.source)
    ]
    return found


def begins_actions(p: Position) -> bool:
    """Calls and returns go on in the same action."""
    if p.kind == "start":
        return p.body.created or p.body.process is None
    return p.ready and p.kind != "return"


def is_own(source: Source) -> bool:
    """No module of the library, and none that was made for a board."""
    return not source.path.startswith("<") and LIBRARY not in Path(source.path).resolve().parents


class Places:
    """Where the search has been."""

    def __init__(self, machine: Machine, seen: Seen) -> None:
        self.machine, self.seen = machine, seen
        self.numbers = Numbers(machine)
        self.number_of = {id(block): n for n, (_, block) in enumerate(numbered_blocks(machine))}

    def passed(self, block: Block) -> bool:
        return self.seen.blocks[self.number_of[id(block)]]

    def been_at(self, position: Position) -> bool:
        return self.seen.positions[self.numbers.of[id(position)]]

    def clauses(self, body: Body) -> Iterator[Unmet]:
        """Of attempts that are made: what never comes of them."""
        for block in body.blocks:
            if not isinstance(block.end, Attempt) or not self.passed(block):
                continue
            point = block.end.point
            for clause in point.clauses:
                if not self.been_at(clause.resume) and not self.answered(clause):
                    from lfc.run.names import source_text

                    yield Unmet(source_text(clause.event.span), clause.event.span)
            if point.otherwise is not None and not self.been_at(point.otherwise):
                yield Unmet("ELSE", point.otherwise.span)

    def answered(self, clause: PointClause) -> bool:
        """An access of the program was met there, within its action: no state shows it, only what was done then. (Where
        nothing was to be done, another clause may have gone on in the same block.)"""
        event, entry = clause.event, clause.resume.entry
        on_access = isinstance(event, typed.Receive) and isinstance(event.port, typed.IoPort)
        return on_access and entry is not None and self.passed(entry)

    def communications(self) -> Iterator[tuple[Point, PointClause, typed.Send | typed.Receive]]:
        for body in self.machine.composed_bodies:
            for point in body.points:
                for clause in point.clauses:
                    event = clause.event
                    if isinstance(event, typed.Send | typed.Receive) and not isinstance(event.port, typed.SYSTEM_PORTS):
                        yield point, clause, event

    def messages(self) -> Iterator[Unmet]:
        """Of the channels that the program uses: messages that nobody has ever exchanged."""
        exchanged = {id(event.message) for _, clause, event in self.communications() if self.been_at(clause.resume)}
        types: dict[int, ChannelType] = {}
        for _, _, event in self.communications():
            if isinstance(event.port.type, ChannelType):
                types.setdefault(id(event.port.type), event.port.type)
        told: set[int] = set()
        for t in types.values():
            for message in t.messages:
                if id(message) not in exchanged | told and message.span is not None and is_own(message.span.source):
                    told.add(id(message))
                    yield Unmet(message_name(t, message), message.span)

    def lines(self, bodies: list[Body]) -> list[Span]:
        """What is in no block that was passed. The same text can be in two bodies, one of which is never needed."""
        done: set[tuple[int, int, int]] = set()
        missed: dict[tuple[int, int, int], Span] = {}
        for body in bodies:
            for block in body.blocks:
                for span in spans_of(block):
                    key = (id(span.source), span.start, span.end)
                    if self.passed(block):
                        done.add(key)
                    elif is_own(span.source):
                        missed[key] = span
        left = [span for key, span in missed.items() if key not in done]
        return sorted(left, key=lambda s: (s.source.path, s.start, s.end))


def message_name(t: ChannelType, message: Message) -> str:
    return f"{message.name} of {t.name}" if t.name else message.name


def spans_of(block: Block) -> Iterator[Span]:
    for st in block.statements:
        yield st.span
    match block.end:
        case Branch():
            yield block.end.condition.span
        case Switch():
            yield block.end.selector.span
        case Attempt() | Suspend() | Choose() | CallWaiting():
            yield block.end.span
