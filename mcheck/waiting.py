"""Who waits for whom: a process that waits for a message on a channel waits for those whose ports hold that channel and
whose text has the other side. May import: `lfc.host.names`, `lfc.actions`, `layout`.
"""

from __future__ import annotations

from lfc.actions.model import Body, Machine, PointClause
from lfc.codegen.offers import direction_of
from lfc.host.names import LiveProcess, live_processes
from lfc.mcheck.layout import PARTNER
from lfc.semantics import typed
from lfc.semantics.typed import VariableKind
from lfc.semantics.types import ArrayType, is_port, size_and_alignment


def waits_for(machine: Machine, block: bytes) -> dict[int, set[int]]:
    """Waiting slot -> live slots that could meet it at some time, as far as ports and text tell."""
    live = list(live_processes(machine, block))
    channels = {p.slot: channels_of(machine, block, p) for p in live}
    found: dict[int, set[int]] = {}
    for p in live:
        if p.position.ready or p.position.point is None:
            continue
        for clause in p.position.point.clauses:
            kind, key = direction_of(clause)
            if kind not in PARTNER:
                continue
            channel = channel_of_clause(machine, block, p, clause)
            for other in live:
                if other.slot != p.slot and speaks(other, PARTNER[kind], key):
                    if channel is None or channel in channels[other.slot]:
                        found.setdefault(p.slot, set()).add(other.slot)
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
        return block[frame.offset + clause.port_offset]
    if isinstance(event, typed.Send | typed.Receive) and isinstance(event.port, typed.VariableRef):
        v = event.port.variable
        if v in machine.layout.variables:
            return block[machine.layout.variables[v]]
        if frame.body.frame is not None and v in frame.body.frame.variables and v.kind is not VariableKind.VAR:
            return block[frame.offset + frame.body.frame.variables[v]]
    return None


def channels_of(machine: Machine, block: bytes, p: LiveProcess) -> set[int]:
    """Every channel that the process can reach: its own ports, and the module ports that its text speaks of."""
    found: set[int] = set()
    for v in module_ports_of(p):
        if v in machine.layout.variables:
            offset = machine.layout.variables[v]
            found.update(block[offset : offset + count(v)])
    for frame in p.frames:
        assert frame.body.frame is not None
        for v, offset in frame.body.frame.variables.items():
            if is_port(v.type) and v.kind is not VariableKind.VAR:
                found.update(block[frame.offset + offset : frame.offset + offset + count(v)])
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


def count(v: typed.Variable) -> int:
    return size_and_alignment(v.type)[0] if isinstance(v.type, ArrayType) or is_port(v.type) else 0


def cycle_of_waiting(machine: Machine, block: bytes, slots: list[int]) -> list[int]:
    """A shortest cycle through one of these slots among processes that wait; empty if there is none."""
    graph = waits_for(machine, block)
    for start in slots:
        ways: list[list[int]] = [[start]]
        seen = {start}
        while ways:
            way = ways.pop(0)
            for following in sorted(graph.get(way[-1], ())):
                if following == start:
                    return way
                if following not in seen and following in graph:
                    seen.add(following)
                    ways.append([*way, following])
    return []
