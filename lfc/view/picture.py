"""Processes and channels as a graph: who speaks on which channel, over all states of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.run.names import live_processes, parts, shared_names
from lfc.run.wait_for_graph import bodies_of, channels_of, places_of
from lfc.semantics.model import typed
from lfc.semantics.model.types import is_port

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.run.names import LiveProcess


@dataclass(slots=True)
class DrawnProcess:
    """A process that lives at some time."""

    name: str
    kind: str  # of which process it is one
    server: bool
    environment: bool


@dataclass(slots=True)
class Channel:
    number: int
    name: str
    sends: dict[str, set[str]] = field(default_factory=dict)  # process -> messages
    receives: dict[str, set[str]] = field(default_factory=dict)

    @property
    def users(self) -> list[str]:
        return sorted({*self.sends, *self.receives})


@dataclass(slots=True)
class Picture:
    nodes: dict[str, DrawnProcess] = field(default_factory=dict)
    channels: dict[int, Channel] = field(default_factory=dict)

    def neighbours(self) -> dict[str, set[str]]:
        """Of each process, those that it shares a channel with."""
        found: dict[str, set[str]] = {name: set() for name in self.nodes}
        for c in self.channels.values():
            for name in c.users:
                found[name] |= {other for other in c.users if other != name}
        return found


def picture_of(machine: Machine, blocks: Iterable[bytes]) -> Picture:
    """The initialisation is in it only if it speaks to somebody."""
    picture = Picture()
    seen: set[tuple[object, ...]] = set()
    names: dict[int, str] = {}
    for block in blocks:
        live = list(live_processes(machine, block))
        key = tuple((p.slot, p.position.number, tuple(sorted(channels_of(machine, block, p)))) for p in live)
        if key in seen:
            continue
        seen.add(key)
        names = channel_names(machine, block) | names
        for p in live:
            add_process(picture, machine, block, p)
    for number, channel in picture.channels.items():
        channel.name = names.get(number, f"channel {number}")
    picture.channels = {n: c for n, c in sorted(picture.channels.items()) if c.users}
    return picture


def channel_names(machine: Machine, block: bytes) -> dict[int, str]:
    """As the variables of the modules call them; of several names the shortest."""
    shared, found = shared_names(machine), dict[int, str]()
    for name, part in parts(machine, block).items():
        if part.of in shared and part.text.startswith("channel "):
            number = int(part.text.removeprefix("channel "))
            if number not in found or len(name) < len(found[number]):
                found[number] = name
    return found


def add_process(picture: Picture, machine: Machine, block: bytes, p: LiveProcess) -> None:
    process = p.record.body.process
    spoken = list(spoken_on(machine, block, p))
    if process is None and not spoken:
        return
    is_server = process is not None and process.server
    kind = p.name.split("[")[0]
    picture.nodes.setdefault(p.name, DrawnProcess(p.name, kind, is_server, p.record.body.domain == "environment"))
    for number, message, sends in spoken:
        channel = picture.channels.setdefault(number, Channel(number, ""))
        side = channel.sends if sends else channel.receives
        side.setdefault(p.name, set()).add(message)


def spoken_on(machine: Machine, block: bytes, p: LiveProcess) -> Iterator[tuple[int, str, bool]]:
    """Channel, message, and whether it is sent: what the text of the process says of the ports that it has now."""
    for body in bodies_of(p):
        for point in body.points:
            for clause in point.clauses:
                event = clause.event
                if isinstance(event, typed.Send | typed.Receive) and not isinstance(event.port, typed.SYSTEM_PORTS):
                    for number in channels_behind(machine, block, p, event.port):
                        yield number, event.message.name, isinstance(event, typed.Send)


def channels_behind(machine: Machine, block: bytes, p: LiveProcess, port: typed.Expr) -> set[int]:
    """Those that a port, or any element of the array that it is one of, holds now. Of a formal that stands for a
    variable elsewhere: those that the process can reach."""
    element = constant_element(port)
    root = port
    while isinstance(root, typed.IndexRef | typed.FieldRef):
        root = root.base
    if not isinstance(root, typed.VariableRef):
        return channels_of(machine, block, p)
    v = root.variable
    places: list[int] | None = None
    if v in machine.layout.variables and is_port(v.type):
        places = [machine.layout.variables[v] + i for i in places_of(v)]
    for frame in p.frames:
        if frame.body.frame is not None and v in frame.body.frame.variables:
            if v.kind is typed.VariableKind.VAR or not is_port(v.type) or not places_of(v):
                return channels_of(machine, block, p)
            places = [frame.offset + frame.body.frame.variables[v] + i for i in places_of(v)]
            break
    if places is None:
        return set()
    if element is not None and element < len(places):
        places = [places[element]]
    return {machine.port_at(block, at) for at in places} - {0}


def constant_element(port: typed.Expr) -> int | None:
    """Of `a[3]`."""
    if isinstance(port, typed.IndexRef) and isinstance(port.base, typed.VariableRef):
        value = getattr(port.index, "value", None)
        return value if isinstance(value, int) else None
    return None
