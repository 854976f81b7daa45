"""A program as modules that meet only through channels: which processes belong together, and when there are none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from lfc.actions.analysis.effects import action_table
from lfc.actions.analysis.places import InBlock
from lfc.actions.model.machine import Body, Machine, RecordLayout
from lfc.mcheck.model.description import Description
from lfc.mcheck.model.footprints import Footprint, Footprints
from lfc.mcheck.model.indexed_effects import constant_formals, statements_of
from lfc.mcheck.model.state_vector import WHOLE
from lfc.mcheck.model.transitions import raises_interrupts, steps_of
from lfc.mcheck.request.bounds import NotModular
from lfc.mcheck.request.world import Time, World
from lfc.semantics.model import typed
from lfc.semantics.model.types import IntegerType, SubrangeType, is_port, size_and_alignment


@dataclass(slots=True)
class Modules:
    slots: list[list[int]]  # of each module
    components: list[list[int]]
    partners: dict[tuple[int, int], list[int]] = field(default_factory=dict)  # slot, position: whom it may meet outside
    # Where only two processes speak on a channel, both plainly, it does not matter who comes first: the receiver may
    # always wait first (so it meets nobody), and the sender attempts nothing until it does. Waiting positions, by slot:
    waits_first: set[tuple[int, int]] = field(default_factory=set)
    comes_second: set[tuple[int, int]] = field(default_factory=set)

    def of_slot(self) -> dict[int, int]:
        return {s: m for m, slots in enumerate(self.slots) for s in slots}


def why_not(machine: Machine, world: World, properties: bool) -> str:
    """As far as the text tells; empty: nothing is against it."""
    if machine.environment is not None:
        return "an environment answers within actions"
    if machine.monitors:
        return "a monitor watches all modules"
    if machine.layout.interrupts or raises_interrupts(machine):
        return "interrupts may occur between any two actions"
    if world.time != Time.FREE or world.rate or any_waits_for_time(machine):
        return "processes wait for time"
    if world.outside or world.open_messages:
        return "the environment uses its channels"
    if properties:
        return "properties observe every state"
    for body in machine.bodies[1:]:
        for st in statements_of(body):
            if isinstance(st, typed.CreateProcess | typed.New):
                what = "creates a process" if isinstance(st, typed.CreateProcess) else "makes a channel"
                return f"{body.name} {what} at run time"
    for body in machine.bodies:
        for point in body.points:
            for clause in point.clauses:
                event = clause.event
                if isinstance(event, typed.Send | typed.Receive) and carries_ports(event):
                    return f"`{event.message.name}` carries a port"
    return ""


def any_waits_for_time(machine: Machine) -> bool:
    events = [c.event for b in machine.bodies for p in b.points for c in p.clauses]
    return any(not isinstance(e, typed.Send | typed.Receive) for e in events)


def carries_ports(event: typed.Send | typed.Receive) -> bool:
    return any(is_port(t) for t in event.message.types)


def partition(machine: Machine, d: Description, block: bytes, alive: Sequence[int]) -> Modules:
    """`block`: after the initialisation; `alive`: the slots that live then. Raises NotModular."""
    steps, _ = steps_of(machine)
    footprints = Footprints(machine, steps)
    prints = {s: print_of(machine, d, footprints, block, s, None) for s in alive}
    bits = [component_bits(footprints, c.pieces) if c.slot < 0 else 0 for c in d.components]
    groups = Groups(alive)
    for c, bit in enumerate(bits):
        users = [s for s in alive if (prints[s].later_reads | prints[s].later_writes) & bit]
        if any(prints[s].later_writes & bit for s in alive):
            for s in users:
                groups.join(users[0], s)
        bits[c] = bit
    speaks = {s: prints[s].later_sends | prints[s].later_receives for s in alive}
    if not by_source(machine, groups, alive):
        groups = communities(groups, {s: (f.later_sends, f.later_receives) for s, f in prints.items()})
    found = groups.all()
    if len(found) < 2:
        raise NotModular("all processes are in one group: they share variables or a module")
    written = [any(prints[s].later_writes & b for s in alive) for b in bits]
    components = []
    for slots in found:
        own = [d.slot_component[s] for s in slots]
        used = [prints[s].later_reads | prints[s].later_writes for s in slots]
        own += [c for c, b in enumerate(bits) if written[c] and any(u & b for u in used)]
        components.append(sorted(own))
    modules = Modules(found, components)
    of = modules.of_slot()
    ahead = {s: footprints.positions_ahead(position_of(machine, d, block, s)) for s in alive}
    here = {(s, n): print_of(machine, d, footprints, block, s, n) for s in alive for n in sorted(ahead[s])}
    free = only_between_two(footprints, prints.values())
    asks = {id(a.position): a.asks for a in action_table(machine)}
    for (s, number), f in here.items():
        if d.actions[number].kind == WHOLE:
            raise NotModular("an action reads more than its module")
        if number < d.first_waiting and f.next_speaks & prints[s].later_sends & free:
            others = [prints[p] for p in found[of[s]] if p != s]
            if asks[id(steps[number].position)] != ["meet"] or not is_apart(f, others):
                free &= ~(f.next_speaks & prints[s].later_sends)
    for (s, number), f in here.items():
        speaks_here = f.next_speaks | f.offers_send | f.offers_receive
        there = [p for p in alive if of[p] != of[s] and speaks_here & speaks[p]]
        if there and number < d.first_waiting:
            there = [p for p in there if p in d.actions[number].partners]
            if there:
                modules.partners[s, number] = there
        elif there and f.offers_receive and not (f.offers_receive | f.offers_send) & ~free:
            modules.waits_first.add((s, number))
        elif there and f.offers_send and not (f.offers_receive | f.offers_send) & ~free:
            modules.comes_second.add((s, number))
    return modules


def only_between_two(footprints: Footprints, prints: Iterable[Footprint]) -> int:
    """Communications that one process sends and another one receives, without a choice, and whose values always fit."""
    sent = received = more = 0
    for f in prints:
        more |= (
            (sent & f.later_sends)
            | (received & f.later_receives)
            | (f.later_sends & f.later_receives)
            | f.later_selects
        )
        sent |= f.later_sends
        received |= f.later_receives
    return footprints.harmless() & ~more


def is_apart(f: Footprint, others: Iterable[Footprint]) -> bool:
    """Its next action has nothing to do with what the others of its module do."""
    return not any(f.next_writes & (p.later_reads | p.later_writes) or f.next_reads & p.later_writes for p in others)


class Groups:
    """Which slots belong together."""

    def __init__(self, slots: Iterable[int]) -> None:
        self.of = {s: s for s in slots}

    def root(self, s: int) -> int:
        while self.of[s] != s:
            s = self.of[s]
        return s

    def join(self, a: int, b: int) -> None:
        a, b = sorted((self.root(a), self.root(b)))
        self.of[b] = a

    def all(self) -> list[list[int]]:
        found: dict[int, list[int]] = {}
        for s in sorted(self.of):
            found.setdefault(self.root(s), []).append(s)
        return list(found.values())


def by_source(machine: Machine, groups: Groups, alive: Sequence[int]) -> bool:
    """Processes that one MODULE of several declares are a module here too. False: there are not several."""
    declared = {
        s: module_name(r.body) for r in machine.layout.records for s in range(r.first_slot, r.first_slot + r.slots)
    }
    names = {declared[s] for s in alive}
    if len(names) > 1:
        for name in names:
            members = [s for s in alive if declared[s] == name]
            for s in members:
                groups.join(members[0], s)
    return len(names) > 1


def module_name(body: Body) -> str:
    return body.name.split(".", 1)[0]


def communities(groups: Groups, speaks: dict[int, tuple[int, int]]) -> Groups:
    """Groups that speak with each other more than with the others, as Newman's modularity has it: as long as it grows,
    the two are joined that make it grow most. If that leaves one, or each for itself, it is each for itself."""
    alone = dict(groups.of)
    weight = {(a, b): meetings_of(speaks[a], speaks[b]) for a in speaks for b in speaks if a < b}
    total = sum(weight.values())
    while total:
        best, pair = 0.0, None
        parts = groups.all()
        degree = [sum(w for (a, b), w in weight.items() for s in (a, b) if s in part) for part in parts]
        for i in range(len(parts)):
            for k in range(i):
                between = sum(weight[min(a, b), max(a, b)] for a in parts[i] for b in parts[k])
                gain = between / total - degree[i] * degree[k] / (2 * total * total)
                if between and gain > best + 1e-12:
                    best, pair = gain, (parts[k][0], parts[i][0])
        if pair is None:
            break
        groups.join(*pair)
    if len(groups.all()) < 2:
        groups.of = alone
    return groups


def meetings_of(one: tuple[int, int], other: tuple[int, int]) -> int:
    """What one sends and the other receives."""
    return ((one[0] & other[1]) | (one[1] & other[0])).bit_count()


def print_of(
    machine: Machine, d: Description, footprints: Footprints, block: bytes, slot: int, number: int | None
) -> Footprint:
    """At a position, or where it is in the block; with the parameters that it never changes."""
    r = record_of(machine, slot)
    assert r.body.frame is not None
    known = {}
    for v in constant_formals(machine, r.body):
        at = r.offset + (slot - r.first_slot) * r.stride + r.frame0 + r.body.frame.variables[v]
        size = size_and_alignment(v.type)[0]
        signed = (isinstance(v.type, IntegerType) and v.type.signed) or (
            isinstance(v.type, SubrangeType) and v.type.low < 0
        )
        known[v] = int.from_bytes(block[at : at + size], "little", signed=signed)
    return footprints.footprint(r, position_of(machine, d, block, slot) if number is None else number, known)


def record_of(machine: Machine, slot: int) -> RecordLayout:
    return next(r for r in machine.layout.records if r.first_slot <= slot < r.first_slot + r.slots)


def position_of(machine: Machine, d: Description, block: bytes, slot: int) -> int:
    r = record_of(machine, slot)
    at = r.position_offset + (slot - r.first_slot) * r.position_size
    first = d.components[d.slot_component[slot]].first_number
    return d.numbers[first + int.from_bytes(block[at : at + r.position_size], "little")]


def component_bits(footprints: Footprints, pieces: list[tuple[int, int]]) -> int:
    found = 0
    for offset, size in pieces:
        found |= footprints.bits.place(InBlock(offset, size, ""))
    return found
