"""What tests are to cover: the states of a program, its transitions, and which goals each of them reaches."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from lfc.actions.model.machine import Machine, Position
from lfc.base.breadth_first import Found
from lfc.codegen.program import generate
from lfc.run.events import Event, actions_of, other_events, positions, ready_slots
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.trace.items import Item

ACTIONS, TRANSITIONS, COMMUNICATIONS = "actions", "transitions", "communications"
CLASSES = "classes"  # as `boundaries` makes them
MOST_WAYS = 1024  # of one action, in one state: of several inputs there may be any number of combinations
MOST_SEEN = 100  # transitions for each state that may be explored, on the average

COVERS = (ACTIONS, TRANSITIONS, COMMUNICATIONS)

Goal = tuple[int | str | None, ...]
"""An action: the event's name, its position, its clause. A transition: a process, its position before and after. A
communication: own position and clause, the partner's position and clause. A limit of a class: the event's name, its
position, of what, the value."""


@dataclass(slots=True)
class CoveredEdge:
    """`target` None: a fault. `goals`: a set, as the bits of a number."""

    source: int
    target: int | None
    items: list[Item]
    goals: int = 0


@dataclass(slots=True)
class Covered:
    """The explored part of the state graph. Of transitions between the same states that reach the same, one is kept."""

    machine: Machine
    blocks: list[bytes]  # number 0 is the initial state
    edges: list[list[CoveredEdge]]  # from each state
    goals: list[Goal]  # by bit
    complete: bool  # every state is there
    seen: int = 0  # transitions
    fingerprint: bytes = b""  # of all transitions, those that were not kept too; of no state
    ends: set[int] = field(default_factory=set)  # states without a transition
    walked: int = 0  # states that came by walks, the last ones; of their transitions only those taken are there


def explored(machine: Machine, cover: str, most_states: int) -> Covered:
    """Breadth first, so that of a program that is too large the near states are there."""
    run = HostRun(generate(machine, host_target()), 1)
    states = Found(run.block, most_states)
    edges: list[list[CoveredEdge]] = []
    bits: dict[Goal, int] = {}
    found = Covered(machine, states.nodes, edges, [], True)
    content = sha256()
    for here, before in states:
        if found.seen >= MOST_SEEN * most_states:
            found.complete = False
            edges.append([])
            continue
        kept: dict[tuple[int | None, int], CoveredEdge] = {}
        nothing = True
        for event in _events(run, before):
            nothing = False
            if event is None:
                found.complete = False
                continue
            found.seen += 1
            target = states.number(event.block) if event.fault is None else None
            if target is None and event.fault is None:
                found.complete = False
                continue
            content.update(repr((here, target, event.items, event.fault and event.fault.kind)).encode())
            goals = 0
            after = event.block if event.fault is None else None
            for goal in set(goals_of(machine, cover, before, event.items, after)):
                goals |= 1 << bits.setdefault(goal, len(bits))
            kept.setdefault((target, goals), CoveredEdge(here, target, event.items, goals))
        edges.append(list(kept.values()))
        if nothing:
            found.ends.add(here)
    found.goals, found.fingerprint = list(bits), content.digest()
    return found


def _events(run: HostRun, block: bytes) -> Iterator[Event | None]:
    """None: there are more."""
    for slot in ready_slots(run.generated.machine, block):
        for number, event in enumerate(actions_of(run, block, slot)):
            if number == MOST_WAYS:
                yield None
                break
            yield event
    yield from other_events(run, block)


def goals_of(machine: Machine, cover: str, before: bytes, items: list[Item], after: bytes | None) -> Iterator[Goal]:
    at = positions(machine, before)
    event = items[0]
    slot = event.operands[1] if event.name == "interrupt" else event.operands[0]
    here = at[slot] if slot is not None else None
    if cover == ACTIONS:
        yield event.name, here, event.operands[1] if event.name == "wake" else None
    elif cover == TRANSITIONS:
        then = positions(machine, after) if after is not None else None
        for s, was in enumerate(at):
            is_now = then[s] if then is not None else None
            if s == slot or (then is not None and is_now != was):
                yield process_of(machine, s), was, is_now
    else:
        for item in items:
            if item.name == "meet":
                clause, partner, its_clause = item.operands
                yield here, clause, at[partner] if partner is not None else None, its_clause
            elif item.name == "take":
                yield here, item.operands[0], "interrupt", None
        if event.name == "interrupt" and slot is not None:
            yield here, None, "interrupt", event.operands[0]


def process_of(machine: Machine, slot: int) -> str:
    for layout, _ in machine.parts:
        for record in layout.records:
            if record.first_slot <= slot < record.first_slot + record.slots:
                return record.body.name
    return f"slot {slot}"


def only_of_module(covered: Covered, cover: str, module: str) -> Covered:
    """The same graph, with the goals of one module: its tests are tests of the module in its context."""
    sources = {id(m.source) for m in covered.machine.program.modules if m.name == module}

    def is_its(goal: Goal) -> bool:
        places = (position_of(covered.machine, n) for n in (goal[1:3] if cover == TRANSITIONS else goal[:2]))
        return any(p is not None and id(p.span.source) in sources for p in places)

    kept = [bit for bit, goal in enumerate(covered.goals) if is_its(goal)]
    for edges in covered.edges:
        for edge in edges:
            edge.goals = sum(1 << new for new, old in enumerate(kept) if edge.goals >> old & 1)
    covered.goals = [covered.goals[bit] for bit in kept]
    return covered


def goal_text(machine: Machine, cover: str, goal: Goal) -> str:
    if cover == ACTIONS:
        how = "" if goal[0] == "run" else f" ({goal[0]})"
        return f"{place_of(machine, goal[1])}{how}"
    if cover == TRANSITIONS:
        return f"{goal[0]}: {line_of(machine, goal[1])} to {line_of(machine, goal[2])}"
    if cover == CLASSES:
        return f"{place_of(machine, goal[1])}: {goal[2]} = {goal[3]}" + (f" with {goal[4]}" if goal[4] else "")
    other = "an interrupt" if goal[2] == "interrupt" else place_of(machine, goal[2])
    return f"{place_of(machine, goal[0])} with {other}"


def position_of(machine: Machine, number: object) -> Position | None:
    known = isinstance(number, int) and 0 < number <= len(machine.positions)
    return machine.positions[number - 1] if known and isinstance(number, int) else None


def place_of(machine: Machine, number: object) -> str:
    position = position_of(machine, number)
    return f"{position.body.name} at line {position.span.line}" if position is not None else "nobody"


def line_of(machine: Machine, number: object) -> str:
    if number is None:
        return "a fault"
    position = position_of(machine, number)
    if position is None:
        return "its end" if number == 0 else f"position {number}"
    return f"line {position.span.line}" + ("" if position.ready else " (waits)")
