"""What a check assumes to be treated fairly: processes, communications, actions, and branches of a CHOICE, each weakly
or strongly.

`KIND PROCESS PORT!MESSAGE`, `KIND PROCESS PORT?MESSAGE`, `KIND PROCESS LINE`, `KIND PROCESS`: KIND is weak, strong,
weak-live or strong-live; a PROCESS without an index means each instance on its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Choose
from lfc.base.lazy_dataclass import dataclass
from lfc.mcheck.model.description import Numbers
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body, Machine, PointClause, RecordLayout

KINDS = ("weak", "strong", "weak-live", "strong-live")
ASKED = re.compile(r"(?P<kind>[a-z-]+)\s+(?P<process>\w+(\.\w+)*)(\[(?P<index>\d+)\])?(\s+(?P<what>.+))?")
COMMUNICATION = re.compile(r"(?P<port>[^!?]+)(?P<sign>[!?])(?P<message>\w+)")


class NotUnderstood(Exception):
    """What somebody asked for; says why."""


@dataclass(frozen=True, slots=True)
class Offered:
    """Clauses of a waiting position, and where its frame holds which of them are closed."""

    clauses: int
    closed_offset: int
    closed_size: int


@dataclass(frozen=True, slots=True)
class Fair:
    """The process in a slot; or actions of it that begin at some positions (`begins`); or communications of it, which
    end at some positions (`resumes`); or the steps, its own and those within which it answers, that pick a branch
    (`picks`). `offered`, of the live forms: the positions at which it waits for them."""

    name: str
    strong: bool
    slot: int
    begins: frozenset[int] | None = None
    resumes: frozenset[int] | None = None
    offered: tuple[tuple[int, Offered], ...] | None = None
    picks: int | None = None  # the byte that says that it picks this branch; lfc/codegen/module/passed_blocks.py

    @property
    def live(self) -> bool:
        return self.offered is not None

    @property
    def of_process(self) -> bool:
        return self.begins is None and self.resumes is None and self.picks is None

    @property
    def kind(self) -> str:
        return ("strong" if self.strong else "weak") + ("-live" if self.live else "")


def assumed_fairness(machine: Machine, of_processes: str, asked: Iterable[str]) -> list[Fair]:
    """All of it: of processes, by the option or the source, of communications and choices by the source (unless the
    option is `none`), and what was asked for. Raises NotUnderstood."""
    found = process_fairness(machine, of_processes)
    if of_processes != "none":
        found += marked_communications(machine) + marked_choices(machine)
    found += [f for text in asked for f in fairness_of(machine, text)]
    return list(dict.fromkeys(found))


def process_fairness(machine: Machine, asked: str) -> list[Fair]:
    """By the marks in the source (`asked` is empty), or for every process: `none`, `weak`, `strong`."""
    found = []
    for r in machine.records:
        mark = r.body.process.fairness if r.body.process is not None else None
        kind = asked or mark or "none"
        if kind == "none":
            continue
        for i in range(r.slots):
            name = f"{r.body.name}[{i}]" if r.slots > 1 else r.body.name
            found.append(Fair(name, kind == "strong", slot=r.first_slot + i))
    return found


def marked_communications(machine: Machine) -> list[Fair]:
    """Each place with a mark, of each instance."""
    found = []
    for r in machine.records:
        for clause in [c for body in bodies_of(r) for point in body.points for c in point.clauses]:
            event = clause.event
            if not isinstance(event, typed.Send | typed.Receive) or not event.fairness:
                continue
            from lfc.run.names import short_name, source_text

            strong, live = event.fairness.startswith("strong"), event.fairness.endswith("live")
            for i in range(r.slots):
                name = f"{short_name(machine, r, i)} {source_text(event.span)}"
                found.append(of_communications(machine, name, strong, live, r.first_slot + i, [clause]))
    return found


def marked_choices(machine: Machine) -> list[Fair]:
    """Each normal branch of a CHOICE with a mark, of each instance."""
    ends = [(r, b.end) for r in machine.records for body in bodies_of(r) for b in body.blocks]
    marked = [(r, end) for r, end in ends if isinstance(end, Choose) and any(end.fair)]
    if not marked:
        return []
    from lfc.codegen.module.passed_blocks import fair_choices
    from lfc.run.names import short_name

    first = fair_choices(machine)
    found = []
    for r, choose in marked:
        for i in range(r.slots):
            slot = r.first_slot + i
            name = f"{short_name(machine, r, i)} CHOICE {choose.span.line}"
            for branch, kind in enumerate(choose.fair):
                if kind is not None:
                    picks = first[choose] + branch * machine.slots + slot
                    found.append(Fair(f"{name}, branch {branch + 1}", kind == "strong", slot, picks=picks))
    return found


def fairness_of(machine: Machine, text: str) -> list[Fair]:
    """Raises NotUnderstood."""
    from lfc.run.names import short_name

    asked = ASKED.fullmatch(text.strip())
    if asked is None or asked["kind"] not in KINDS:
        raise NotUnderstood(
            f"fairness has the form `KIND PROCESS PORT!MESSAGE`, not `{text}`; see docs/reference/properties.md"
        )
    strong, live = asked["kind"].startswith("strong"), asked["kind"].endswith("live")
    record = record_named(machine, asked["process"])
    places = range(record.slots) if asked["index"] is None else [int(asked["index"])]
    if places and places[-1] >= record.slots:
        raise NotUnderstood(f"`{asked['process']}` has {record.slots} instances at most")
    what = (asked["what"] or "").replace(" ", "")
    found = []
    for i in places:
        slot = record.first_slot + i
        if not what or what.isdigit():
            if live:
                raise NotUnderstood("the live forms apply only to communications, which have partners")
            begins = begins_at(machine, record, int(what)) if what else None
            name = short_name(machine, record, i) + (f" {what}" if what else "")
            found.append(Fair(name, strong, slot, begins=begins))
            continue
        clauses = list(clauses_named(machine, record, what))
        name = f"{short_name(machine, record, i)} {what}"
        found.append(of_communications(machine, name, strong, live, slot, clauses))
    return found


def of_communications(
    machine: Machine, name: str, strong: bool, live: bool, slot: int, clauses: list[PointClause]
) -> Fair:
    number = Numbers(machine).of
    resumes = frozenset(number[id(c.resume)] for c in clauses)
    offered: dict[int, Offered] = {}
    for c in clauses if live else []:
        point = c.resume.point
        if point is not None and point.waiting is not None:
            at = number[id(point.waiting)]
            before = offered[at].clauses if at in offered else 0
            offered[at] = Offered(before | 1 << c.index, point.closed_offset or 0, point.closed_size)
    return Fair(
        name, strong, slot, resumes=resumes, offered=tuple(sorted(offered.items(), key=first)) if live else None
    )


def first(pair: tuple[int, Offered]) -> int:
    return pair[0]


def record_named(machine: Machine, name: str) -> RecordLayout:
    main = machine.program.main.name
    for r in machine.records:
        if r.body.process is not None and name in (r.body.name, r.body.name.removeprefix(f"{main}.")):
            return r
    raise NotUnderstood(f"there is no process `{name}` in the program")


def bodies_of(record: RecordLayout) -> list[Body]:
    """The process, and what it calls."""
    found = [record.body]
    for body in found:
        found += [b for b in body.calls_waiting if b not in found]
    return found


def clauses_named(machine: Machine, record: RecordLayout, what: str) -> Iterator[PointClause]:
    """Communications by their port, as the text writes it, and their message."""
    asked = COMMUNICATION.fullmatch(what)
    if asked is None:
        raise NotUnderstood(f"`{what}` is neither a communication (port!message, port?message) nor a line number")
    kind = typed.Send if asked["sign"] == "!" else typed.Receive
    there = []
    for body in bodies_of(record):
        for clause in [c for point in body.points for c in point.clauses]:
            event = clause.event
            if not isinstance(event, typed.Send | typed.Receive):
                continue
            if isinstance(event.port, typed.InterruptPort | typed.IoPort):
                continue
            from lfc.run.names import source_text

            port = "".join(source_text(event.port.span).split())
            sign = "!" if isinstance(event, typed.Send) else "?"
            there.append(f"{port}{sign}{event.message.name}")
            if isinstance(event, kind) and (port, event.message.name) == (asked["port"], asked["message"]):
                yield clause
    if what not in there:
        known = ", ".join(dict.fromkeys(there)) or "none"
        raise NotUnderstood(f"`{record.body.name}` has no communication `{what}`; it has: {known}")


def begins_at(machine: Machine, record: RecordLayout, line: int) -> frozenset[int]:
    positions = [p for body in bodies_of(record) for p in body.positions if p.ready and p.span.line == line]
    if not positions:
        raise NotUnderstood(f"no action of `{record.body.name}` begins in line {line}")
    number = Numbers(machine).of
    return frozenset(number[id(p)] for p in positions)
