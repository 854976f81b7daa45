"""What the engine must know of a program: components of the block, and what each action may touch and meet.

Made from the machine and its effects table, so it is as sound as that table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lfc.actions.analysis.effects import Table, action_table, environment_table
from lfc.actions.analysis.places import AnyPosition, AnySlot
from lfc.actions.flow.lower import targets as targets_of
from lfc.actions.model.machine import PARTNER, RAISES, Attempt, CallWaiting, Finish, Point, direction_of
from lfc.codegen.module.access_log import Tellings
from lfc.codegen.module.composition import composed_layout
from lfc.codegen.module.unit import roots_of
from lfc.mcheck.engine.abi import ActionKind
from lfc.mcheck.model.description import ActionInfo, Component, Description, Numbers
from lfc.semantics.model import typed
from lfc.semantics.model.types import ArrayType, is_port, size_and_alignment

if TYPE_CHECKING:
    from lfc.actions.analysis.effects import Action
    from lfc.actions.model.machine import Block, Body, Machine, Position
    from lfc.codegen.module.access_log import ToldVariable

NONE, LOCAL, ATTEMPT, WHOLE = ActionKind
SLEEP_BIT = 1 << 31
MOST_VARIABLES = 512  # components of module variables
PIECE = 8  # bytes: larger variables are cut, so that their parts have few values each
MOST_PIECES = 8  # of one variable
MOST_CUT = 16  # variables; the rest stay whole


def describe(machine: Machine, tells: bool = False) -> Description:
    """`tells`: executions tell which parts of the module variables they access."""
    numbers = Numbers(machine)
    components, slot_component, servers = slot_components(machine, numbers)
    told = Tellings(machine).variables if tells else {}
    for layout, _ in machine.parts:
        cut = largest([v for v in layout.variables if may_be_cut(v) and v not in told])
        for group in grouped(list(layout.variables.items())):
            components += variable_components(group, cut, told)
        if layout.pending_size:
            pieces = [(layout.pending_offset, layout.pending_size)]
            components.append(Component(pieces, ("pending", id(layout)), -1, "pending"))
    components, slot_component = beside_their_slots(machine, components, slot_component)
    actions = [ActionInfo() for _ in range(numbers.count + 1)]
    may_meet: list[set[int]] = [set() for _ in range(numbers.count + 1)]
    waiting = waiting_offers(machine)
    answers = answers_of(machine)
    clock_readers: list[int] = []
    for action in [*action_table(machine), *environment_table(machine)]:
        number = numbers.of[id(action.position)]
        actions[number], met = describe_action(machine, components, action, waiting)
        may_meet[number] = {numbers.of[id(p)] for p in met}
        if "clock" in action.asks:
            clock_readers.append(number)
        if answers is not None and accesses_port(action):
            add_answers(machine, components, slot_component, action, actions[number], answers)
    for _, positions in machine.parts:
        for p in positions:
            if not p.ready:
                describe_wait(machine, p, actions[numbers.of[id(p)]])
    driven = machine.environment is not None  # it raises the interrupts
    return Description(
        components,
        slot_component,
        actions,
        numbers.table,
        numbers.first_waiting,
        may_meet,
        servers,
        0 if driven else len(machine.layout.interrupts),
        told_components(components, told.values()),
        clock_readers,
    )


def told_components(components: list[Component], told: Iterable[ToldVariable]) -> list[int]:
    """By number of the part that an execution tells."""
    of: dict[typed.Variable, list[int]] = {}
    for i, c in enumerate(components):
        if c.variable is not None:
            of.setdefault(c.variable, []).append(i)
    return [i for t in told for i in sorted(of[t.variable], key=lambda i: components[i].pieces)]


def accesses_port(action: Action) -> bool:
    return any(asked == "out" or asked.startswith("in") for asked in action.asks)


def answers_of(machine: Machine) -> set[Body] | None:
    """The bodies of which an answer to a port access may touch any slot. None: there is no environment."""
    if machine.environment is None:
        return None
    effects = Table(machine).answers()
    touched = {p.body for p in (*effects.reads, *effects.writes) if isinstance(p, AnySlot | AnyPosition)}
    for body in machine.environment.bodies:
        for block in body.blocks:
            if any(isinstance(st, typed.New | typed.CreateProcess) for st in block.statements):
                touched.add(machine.bodies[0])  # it may look at all there is
    return touched


def add_answers(
    machine: Machine,
    components: list[Component],
    slot_component: list[int],
    action: Action,
    info: ActionInfo,
    answers: set[Body],
) -> None:
    """The environment's slots that may answer belong to what the action touches. Where slots of the program do, or such
    that it may meet besides, the action is run in full."""
    slots = {s for r in machine.records if r.body in answers for s in range(r.first_slot, r.first_slot + r.slots)}
    own = {
        s
        for r in roots_of(composed_layout(machine), action.position.body)
        for s in range(r.first_slot, r.first_slot + r.slots)
    }
    if any(b.domain == "program" for b in answers) or slots & (own | set(info.partners)):
        info.kind = WHOLE
        info.partners = []
        return
    info.touched = sorted({*info.touched, *(slot_component[s] for s in slots)})


def grouped(variables: list[tuple[typed.Variable, int]]) -> list[list[tuple[typed.Variable, int]]]:
    """Each variable is a component of its own, unless there are very many."""
    size = -(-len(variables) // MOST_VARIABLES)
    return [variables[i : i + size] for i in range(0, len(variables), size)] if variables else []


def may_be_cut(v: typed.Variable) -> bool:
    return size_and_alignment(v.type)[0] > PIECE and not is_port(v.type)


def largest(variables: list[typed.Variable]) -> list[typed.Variable]:
    return sorted(variables, key=lambda v: -size_and_alignment(v.type)[0])[:MOST_CUT]


def variable_components(
    group: list[tuple[typed.Variable, int]], cut: list[typed.Variable], told: Mapping[typed.Variable, ToldVariable]
) -> list[Component]:
    """Most actions that write to an array change few bytes of it, and all the array has far more values than its parts.
    An array is cut between its elements where that gives parts of about the right size."""
    variable, offset = group[0]
    size = size_and_alignment(variable.type)[0]
    if variable in told:
        t = told[variable]
        whole = variable if t.parts > 1 else None
        return [
            Component([(offset + at, min(t.step, size - at))], (variable, at), -1, variable.name, 0, 0, whole, variable)
            for at in range(0, size, t.step)
        ]
    if len(group) > 1 or all(v is not variable for v in cut):
        pieces = [(at, size_and_alignment(v.type)[0]) for v, at in group]
        return [Component(pieces, variable, -1, variable.name)]
    element = size_and_alignment(variable.type.element)[0] if isinstance(variable.type, ArrayType) else 1
    step = element * max(1, round(max(PIECE, size / MOST_PIECES) / element))
    return [
        Component([(offset + at, min(step, size - at))], (variable, at), -1, variable.name, part_of=variable)
        for at in range(0, size, step)
    ]


def beside_their_slots(
    machine: Machine, components: list[Component], slot_component: list[int]
) -> tuple[list[Component], list[int]]:
    """Neighbours share more of the tree: where a variable has as many parts as a process has instances, the parts are
    probably the instances', one each."""
    slots = {r.slots: r.first_slot for r in machine.records if r.slots > 1}
    parts: dict[typed.Variable, list[int]] = {}
    for i, c in enumerate(components):
        if c.part_of is not None:
            parts.setdefault(c.part_of, []).append(i)
    after: dict[int, list[int]] = {}  # by component: those that follow it
    for found in parts.values():
        if len(found) in slots:
            for k, i in enumerate(found):
                after.setdefault(slot_component[slots[len(found)] + k], []).append(i)
    moved = {i for found in after.values() for i in found}
    order = [x for i in range(len(components)) if i not in moved for x in (i, *after.get(i, ()))]
    place = {old: new for new, old in enumerate(order)}
    return [components[i] for i in order], [place[i] for i in slot_component]


def slot_components(machine: Machine, numbers: Numbers) -> tuple[list[Component], list[int], list[bool]]:
    components: list[Component] = []
    slot_component: list[int] = []
    servers: list[bool] = []
    for first, r in [
        (f, r) for f, (layout, _) in zip(numbers.first, machine.parts, strict=True) for r in layout.records
    ]:
        for i in range(r.slots):
            pieces = [(r.position_offset + i * r.position_size, r.position_size)]
            if r.stride:
                pieces.append((r.offset + i * r.stride, r.stride))
            slot_component.append(len(components))
            components.append(Component(pieces, r, len(servers), f"{r.body.name}[{i}]", r.position_size, first))
            servers.append(r.body.process is not None and r.body.process.server)
    return components, slot_component, servers


Waiting = dict[tuple[str, object], list[tuple[Point, set[int]]]]  # direction and message -> points and their slots


def waiting_offers(machine: Machine) -> Waiting:
    found: Waiting = {}
    layout = composed_layout(machine)
    for body in machine.composed_bodies:
        for point in body.points:
            if point.waiting is None:
                continue
            slots: set[int] = set()
            for r in roots_of(layout, body):
                slots.update(range(r.first_slot, r.first_slot + r.slots))
            for clause in point.clauses:
                found.setdefault(direction_of(clause), []).append((point, slots))
    return found


@dataclass(slots=True)
class Reached:
    """What an action may come to."""

    points: list[Point]


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
    for body in machine.composed_bodies:
        for block in body.blocks:
            if isinstance(block.end, CallWaiting):
                entry = block.end.position.entry
                assert entry is not None
                found.setdefault(id(block.end.callee), []).append((body, entry))
    return found


def describe_action(
    machine: Machine, components: list[Component], action: Action, waiting: Waiting
) -> tuple[ActionInfo, set[Position]]:
    reached = reach(machine, action.position)
    info = ActionInfo(kind=LOCAL)
    regions = [r for r in (*action.reads, *action.writes) if r.base == "block"]
    for i, c in enumerate(components):
        if c.slot < 0 and any(overlap(c, r.offset, r.size) for r in regions):
            info.touched.append(i)
    meets: set[Position] = set()
    partners: set[int] = set()
    for point in reached.points:
        for clause in point.clauses:
            kind, key = direction_of(clause)
            if kind == RAISES and point.is_select:  # who takes it is decided when the clause goes
                info.kind = WHOLE
                return info, set()
            if kind not in PARTNER:
                continue
            for other, slots in waiting.get((PARTNER[kind], key), []):
                if point.is_select and other.is_select and kind != RAISES:
                    continue
                assert other.waiting is not None
                meets.add(other.waiting)
                partners |= slots
    if meets:
        info.kind = ATTEMPT
        info.partners = sorted(partners)
    return info, meets


def overlap(c: Component, offset: int, size: int) -> bool:
    return any(o < offset + size and offset < o + s for o, s in c.pieces)


def describe_wait(machine: Machine, p: Position, info: ActionInfo) -> None:
    """Of a position that waits for time: which of its clauses time can end."""
    assert p.point is not None
    for clause in p.point.clauses:
        event = clause.event
        if isinstance(event, typed.Receive) and isinstance(event.port, typed.IoPort):
            info.idle = True  # a device waits to be accessed
        if isinstance(event, typed.KeyRead):
            info.idle = True  # nobody may type any more
        driven = machine.environment is not None
        if isinstance(event, typed.Receive) and isinstance(event.port, typed.InterruptPort) and not driven:
            info.kind = LOCAL  # of a waiting position: an interrupt can end it
        if isinstance(clause.event, typed.Sleep):
            info.timed |= SLEEP_BIT
        elif isinstance(clause.event, typed.AfterEvent):
            info.timed |= 1 << clause.index
    if info.timed and p.point.closed_offset is not None:
        info.closed = (p.point.closed_offset, p.point.closed_size)


def wait_for_ever(machine: Machine, d: Description, messages: frozenset[int]) -> None:
    """Who waits for one of these messages may rightly wait for ever: the environment could act, or not."""
    first = 0
    for _, positions in machine.parts:
        for p in positions:
            if p.ready or p.point is None:
                continue
            events = [c.event for c in p.point.clauses]
            if any(isinstance(e, typed.Send | typed.Receive) and id(e.message) in messages for e in events):
                d.actions[d.numbers[first + p.number]].idle = True
        first += len(positions) + 1
