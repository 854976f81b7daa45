"""Who waits for whom: a process that waits for a message on a channel waits for those whose ports hold that channel
and whose text has the other side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from lfc.actions.model.machine import PARTNER, direction_of
from lfc.run.events import actions_of, ready_slots
from lfc.run.names import live_processes
from lfc.semantics.model import typed
from lfc.semantics.model.typed import VariableKind
from lfc.semantics.model.types import OpenArrayType, is_port, port_offsets

if TYPE_CHECKING:
    from lfc.actions.model.machine import Body, Machine, PointClause
    from lfc.run.names import LiveProcess
    from lfc.run.running import HostRun

EVENTS_TO_COME = 500


@dataclass(frozen=True, slots=True)
class Wait:
    """One process waits for another: what it attempts, and where."""

    slot: int
    whom: int
    clause: PointClause
    channel: int | None  # None: the text does not tell
    name: str
    whose: str  # the other one's name

    @property
    def message(self) -> str:
        event = self.clause.event
        return event.message.name if isinstance(event, typed.Send | typed.Receive) and event.message else ""


def waits_for(machine: Machine, block: bytes) -> dict[int, dict[int, Wait]]:
    """Waiting slot -> live slots that could meet it at some time, as far as ports and text tell, and how."""
    live = list(live_processes(machine, block))
    channels = {p.slot: channels_of(machine, block, p) for p in live}
    found: dict[int, dict[int, Wait]] = {}
    for p in live:
        if p.position.ready or p.position.point is None:
            continue
        for clause in p.position.point.clauses:
            kind, key = direction_of(clause)
            if kind not in PARTNER or is_closed(block, p, clause):
                continue
            channel = channel_of_clause(machine, block, p, clause)
            for other in live:
                if other.slot != p.slot and speaks(other, PARTNER[kind], key):
                    if channel is None or channel in channels[other.slot]:
                        wait = Wait(p.slot, other.slot, clause, channel, p.name, other.name)
                        found.setdefault(p.slot, {}).setdefault(other.slot, wait)
    return found


def is_closed(block: bytes, p: LiveProcess, clause: PointClause) -> bool:
    """A clause of a send whose guard did not hold."""
    point = p.position.point
    if point is None or point.closed_offset is None:
        return False
    at = p.frames[0].offset + point.closed_offset
    return bool(int.from_bytes(block[at : at + point.closed_size], "little") >> clause.index & 1)


def refused_clauses(machine: Machine, block: bytes) -> dict[int, list[PointClause]]:
    """By waiting slot, its clauses whose guard was FALSE: at their own attempt (a send), or when they were tried with a
    process that waits for them still."""
    waiting = [p for p in live_processes(machine, block) if not p.position.ready and p.position.point is not None]
    open_to: dict[tuple[str, object, int], set[int]] = {}  # kind, message, channel: slots
    for p in waiting:
        for clause in p.position.point.clauses if p.position.point else ():
            channel = channel_of_clause(machine, block, p, clause)
            if channel is not None and not is_closed(block, p, clause):
                open_to.setdefault((*direction_of(clause), channel), set()).add(p.slot)
    found: dict[int, list[PointClause]] = {}
    for p in waiting:
        for clause in p.position.point.clauses if p.position.point else ():
            if clause.guard is None:
                continue
            kind, key = direction_of(clause)
            channel = channel_of_clause(machine, block, p, clause)
            partners = open_to.get((PARTNER.get(kind, ""), key, channel or 0), set()) - {p.slot}
            if is_closed(block, p, clause) or partners:
                found.setdefault(p.slot, []).append(clause)
    return found


def bodies_of(p: LiveProcess) -> list[Body]:
    """The text of the process, calls included."""
    found: list[Body] = []
    stack: list[Body] = [p.record.body]
    while stack:
        body = stack.pop()
        if body not in found:
            found.append(body)
            stack += body.calls_waiting
    return found


def speaks(p: LiveProcess, kind: str, key: object) -> bool:
    """Whether a point with this side is in the text of the process."""
    return any(direction_of(c) == (kind, key) for body in bodies_of(p) for point in body.points for c in point.clauses)


def channel_of_clause(machine: Machine, block: bytes, p: LiveProcess, clause: PointClause) -> int | None:
    frame = p.frames[0]
    event = clause.event
    if clause.port_offset is not None:
        return machine.port_at(block, frame.offset + clause.port_offset)
    if isinstance(event, typed.Send | typed.Receive) and isinstance(event.port, typed.VariableRef):
        v = event.port.variable
        if v in machine.layout.variables:
            return machine.port_at(block, machine.layout.variables[v])
        if frame.body.frame is not None and v in frame.body.frame.variables and v.kind is not VariableKind.VAR:
            return machine.port_at(block, frame.offset + frame.body.frame.variables[v])
    return None


def channels_of(machine: Machine, block: bytes, p: LiveProcess) -> set[int]:
    """Every channel that the process can reach: its own ports, and the module ports that its text speaks of."""
    found: set[int] = set()
    for v in module_ports_of(p):
        if v in machine.layout.variables:
            offset = machine.layout.variables[v]
            found.update(machine.port_at(block, offset + i) for i in places_of(v))
    for frame in p.frames:
        assert frame.body.frame is not None
        for v, offset in frame.body.frame.variables.items():
            if is_port(v.type) and v.kind is not VariableKind.VAR:
                found.update(machine.port_at(block, frame.offset + offset + i) for i in places_of(v))
    return found - {0}


def module_ports_of(p: LiveProcess) -> set[typed.Variable]:
    found: set[typed.Variable] = set()
    for body in bodies_of(p):
        for point in body.points:
            for clause in point.clauses:
                event = clause.event
                if isinstance(event, typed.Send | typed.Receive):
                    port = event.port
                    while isinstance(port, typed.IndexRef | typed.FieldRef):
                        port = port.base
                    if isinstance(port, typed.VariableRef) and port.variable.kind is VariableKind.MODULE:
                        found.add(port.variable)
    return found


def places_of(v: typed.Variable) -> Sequence[int]:
    """Of its channel numbers."""
    return port_offsets(v.type) if is_port(v.type) and not isinstance(v.type, OpenArrayType) else ()


def cycle_of_waiting(machine: Machine, block: bytes, slots: Sequence[int]) -> list[int]:
    """The slots on `waiting_circle`."""
    return [w.slot for w in waiting_circle(machine, block, slots)]


def waiting_circle(machine: Machine, block: bytes, stuck: Sequence[int]) -> list[Wait]:
    """Who waits for whom, in a circle through one of these slots; empty if there is none.

    What tells most comes first: a circle of stuck processes alone, each on a known channel; then one through others
    (servers), which wait for somebody who does not in turn wait for them; then any. The shortest of its kind.
    Servers may still be on their way to where they wait: then it is a circle of a state that comes soon.
    """
    return telling_circle(machine, block, stuck) or any_circle(machine, block, stuck)


def telling_circle(machine: Machine, block: bytes, stuck: Sequence[int]) -> list[Wait]:
    """In the nearest state in which there is one. Who is stuck in this state is stuck in what comes too."""
    run: HostRun | None = None
    left = EVENTS_TO_COME
    ways, seen = deque([block]), {block}
    while ways:
        at = ways.popleft()
        circle = circle_now(machine, at, stuck)
        if circle:
            return circle
        for slot in ready_slots(machine, at):
            if run is None:
                from lfc.codegen.program import generate
                from lfc.run.native import host_target
                from lfc.run.running import HostRun

                run = HostRun(generate(machine, host_target()), 1)
            for event in islice(actions_of(run, at, slot), left):
                left -= 1
                if event.fault is None and event.block not in seen:
                    seen.add(event.block)
                    ways.append(event.block)
    return []


def circle_now(machine: Machine, block: bytes, stuck: Sequence[int]) -> list[Wait]:
    graph = waits_for(machine, block)
    among = {p: {q: w for q, w in waits.items() if q in stuck} for p, waits in graph.items() if p in stuck}
    known = {p: {q: w for q, w in waits.items() if w.channel is not None} for p, waits in among.items()}
    owed = {p: waits if p in stuck else owed_by(graph, p) for p, waits in graph.items()}
    for choice in (known, among, owed):
        circle = shortest_circle(choice, stuck)
        if circle:
            return circle
    return []


def any_circle(machine: Machine, block: bytes, stuck: Sequence[int]) -> list[Wait]:
    return shortest_circle(waits_for(machine, block), stuck)


def shortest_circle(graph: dict[int, dict[int, Wait]], stuck: Sequence[int]) -> list[Wait]:
    cycle = shortest_cycle(graph, stuck)
    return [graph[p][q] for p, q in zip(cycle, [*cycle[1:], *cycle[:1]], strict=True)]


def owed_by(graph: dict[int, dict[int, Wait]], server: int) -> dict[int, Wait]:
    """For whom a server waits: somebody that waits for it in turn must first get what it wants; so others, if there
    are any."""
    others = {q: w for q, w in graph[server].items() if server not in graph.get(q, {})}
    return others or graph[server]


def shortest_cycle(graph: dict[int, dict[int, Wait]], starts: Sequence[int]) -> list[int]:
    """Through one of the starts; of equally short ones the one through the lowest slots."""
    shortest: list[int] = []
    for start in sorted(starts):
        ways: deque[list[int]] = deque([[start]])
        seen = {start}
        while ways:
            way = ways.popleft()
            if shortest and len(way) >= len(shortest):
                break
            following = sorted(graph.get(way[-1], ()))
            if start in following:
                shortest = way
                break
            for q in following:
                if q not in seen and q in graph:
                    seen.add(q)
                    ways.append([*way, q])
    return shortest
