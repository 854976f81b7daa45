"""What the engine must know of a program: components of the block, and what each action may touch and meet.

Made from the machine and its effects table, so it is as sound as that table. May import: `lfc.actions`, `lfc.codegen`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.actions.effects import Action, action_table
from lfc.actions.flow import targets as targets_of
from lfc.actions.model import Attempt, Block, Body, CallWaiting, Finish, Machine, Point, Position
from lfc.codegen.offers import direction_of
from lfc.codegen.unit import roots_of
from lfc.semantics import typed
from lfc.semantics.types import size_and_alignment

NONE, LOCAL, ATTEMPT, WHOLE = range(4)
SLEEP_BIT = 1 << 31
MOST_VARIABLES = 512  # components of module variables
PARTNER = {"send": "receive", "receive": "send"}


@dataclass(slots=True)
class Component:
    pieces: list[tuple[int, int]]  # offset, size
    class_key: object
    slot: int  # -1: module variables
    name: str


@dataclass(slots=True)
class ActionInfo:
    kind: int = NONE
    touched: list[int] = field(default_factory=list)  # components of module variables
    partners: list[int] = field(default_factory=list)  # slots
    timed: int = 0
    closed: tuple[int, int] = (0, 0)


@dataclass(slots=True)
class Description:
    components: list[Component]
    slot_component: list[int]
    actions: list[ActionInfo]  # by position number; [0] unused
    may_meet: list[set[int]]  # position -> waiting positions
    servers: list[bool]
    interrupts: int


def describe(machine: Machine) -> Description:
    layout = machine.layout
    components, slot_component, servers = slot_components(machine)
    for group in grouped(list(layout.variables.items())):
        pieces = [(offset, size_and_alignment(v.type)[0]) for v, offset in group]
        components.append(Component(pieces, group[0][0], -1, group[0][0].name))
    if layout.pending_size:
        components.append(Component([(layout.pending_offset, layout.pending_size)], "pending", -1, "pending"))
    n = len(machine.positions)
    actions = [ActionInfo() for _ in range(n + 1)]
    may_meet: list[set[int]] = [set() for _ in range(n + 1)]
    waiting = waiting_offers(machine)
    for action in action_table(machine):
        number = action.position.number
        actions[number], may_meet[number] = describe_action(machine, components, action, waiting)
    for p in machine.positions:
        if not p.ready:
            describe_wait(machine, components, p, actions[p.number])
    return Description(components, slot_component, actions, may_meet, servers, len(layout.interrupts))


def grouped(variables: list[tuple[typed.Variable, int]]) -> list[list[tuple[typed.Variable, int]]]:
    """Each variable is a component of its own, unless there are very many."""
    size = -(-len(variables) // MOST_VARIABLES)
    return [variables[i : i + size] for i in range(0, len(variables), size)] if variables else []


def slot_components(machine: Machine) -> tuple[list[Component], list[int], list[bool]]:
    components: list[Component] = []
    slot_component: list[int] = []
    servers: list[bool] = []
    for r in machine.layout.records:
        for i in range(r.slots):
            pieces = [(r.position_offset + i * r.position_size, r.position_size)]
            if r.stride:
                pieces.append((r.offset + i * r.stride, r.stride))
            slot_component.append(len(components))
            components.append(Component(pieces, r, len(servers), f"{r.body.name}[{i}]"))
            servers.append(r.body.process is not None and r.body.process.server)
    return components, slot_component, servers


Waiting = dict[tuple[str, object], list[tuple[Point, set[int]]]]  # direction and message -> points and their slots


def waiting_offers(machine: Machine) -> Waiting:
    found: Waiting = {}
    for body in machine.bodies:
        for point in body.points:
            if point.waiting is None:
                continue
            slots: set[int] = set()
            for r in roots_of(machine.layout, body):
                slots.update(range(r.first_slot, r.first_slot + r.slots))
            for clause in point.clauses:
                found.setdefault(direction_of(clause), []).append((point, slots))
    return found


@dataclass(slots=True)
class Reached:
    """What an action may come to."""

    points: list[Point]
    creates: bool = False
    makes_channels: bool = False


def reach(machine: Machine, position: Position) -> Reached:
    """Every block that the action may pass, through calls and returns."""
    assert position.entry is not None
    found = Reached([])
    seen: set[int] = set()
    stack: list[tuple[Body, Block]] = [(position.body, position.entry)]
    callers = return_blocks(machine)
    while stack:
        body, block = stack.pop()
        if id(block) in seen:
            continue
        seen.add(id(block))
        for st in block.statements:
            look_at(body, st, found, set())
        end = block.end
        if isinstance(end, Attempt):
            found.points.append(end.point)
        elif isinstance(end, CallWaiting):
            assert end.callee.entry is not None
            stack.append((end.callee, end.callee.entry))
        elif isinstance(end, Finish):
            stack += callers.get(id(body), [])
        else:
            stack += [(body, b) for b in targets_of(end)]
    return found


def return_blocks(machine: Machine) -> dict[int, list[tuple[Body, Block]]]:
    """Where control goes at the end of a called body."""
    found: dict[int, list[tuple[Body, Block]]] = {}
    for body in machine.bodies:
        for block in body.blocks:
            if isinstance(block.end, CallWaiting):
                entry = block.end.position.entry
                assert entry is not None
                found.setdefault(id(block.end.callee), []).append((body, entry))
    return found


def look_at(body: Body, st: typed.Statement, found: Reached, seen: set[int]) -> None:
    if isinstance(st, typed.New):
        found.makes_channels = True
    elif isinstance(st, typed.CreateProcess):
        found.creates = True
    elif isinstance(st, typed.CallProcess):
        callee = body.callees[st]
        if id(callee) not in seen:
            seen.add(id(callee))
            for block in callee.blocks:
                for inner in block.statements:
                    look_at(callee, inner, found, seen)


def describe_action(
    machine: Machine, components: list[Component], action: Action, waiting: Waiting
) -> tuple[ActionInfo, set[int]]:
    reached = reach(machine, action.position)
    info = ActionInfo(kind=LOCAL)
    regions = [r for r in (*action.reads, *action.writes) if r.base == "block"]
    for i, c in enumerate(components):
        if c.slot < 0 and any(overlap(c, r.offset, r.size) for r in regions):
            info.touched.append(i)
    if reached.creates or reached.makes_channels:
        info.kind = WHOLE
        return info, set()
    meets: set[int] = set()
    partners: set[int] = set()
    for point in reached.points:
        for clause in point.clauses:
            kind, key = direction_of(clause)
            if kind not in PARTNER:
                continue
            for other, slots in waiting.get((PARTNER[kind], key), []):
                if point.is_select and other.is_select:
                    continue
                assert other.waiting is not None
                meets.add(other.waiting.number)
                partners |= slots
    if meets:
        info.kind = ATTEMPT
        info.partners = sorted(partners)
    return info, meets


def overlap(c: Component, offset: int, size: int) -> bool:
    return any(o < offset + size and offset < o + s for o, s in c.pieces)


def describe_wait(machine: Machine, components: list[Component], p: Position, info: ActionInfo) -> None:
    """Of a position that waits for time: which of its clauses time can end."""
    assert p.point is not None
    for clause in p.point.clauses:
        event = clause.event
        if isinstance(event, typed.Receive) and isinstance(event.port, typed.InterruptPort):
            info.kind = LOCAL  # of a waiting position: an interrupt can end it
        if isinstance(clause.event, typed.Sleep):
            info.timed |= SLEEP_BIT
        elif isinstance(clause.event, typed.AfterEvent):
            info.timed |= 1 << clause.index
    if info.timed and p.point.closed_offset is not None:
        roots = roots_of(machine.layout, p.body)
        if all(r.frame_field_offset is None for r in roots):
            r = roots[0]
            info.closed = (r.position_size + r.frame0 + p.point.closed_offset, p.point.closed_size)
