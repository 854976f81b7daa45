"""The behaviour of a program on its visible ports: a labelled transition system that is worked out where it is asked
for. docs/theory/refinement.md defines it.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice, product
from math import prod

from lfc.actions.model.machine import PARTNER, Machine, PointClause, direction_of
from lfc.codegen.program import generate
from lfc.mcheck.model.description import home_of
from lfc.mcheck.refinement.visible import Labels
from lfc.run.events import Event, action_of, actions_of, next_script, other_events, ready_slots
from lfc.run.names import ActiveFrame, live_processes
from lfc.run.native import host_target
from lfc.run.report import fault_message
from lfc.run.running import HostRun
from lfc.semantics.model import typed
from lfc.trace.items import Item

FAULT = "fault"  # the label of a step that faults
MOST_OUTCOMES = 70_000  # of one process in one state
MOST_READS = 64  # of what one message carries

Group = tuple[Item, ...]  # what an action decided by itself before it met
Key = tuple[bytes, int, Group]  # a block, and of an action that has decided: its slot and its decisions


class TooManyStates(Exception):
    """More than were allowed."""


class TooManyValues(Exception):
    """One process has more outcomes in one state than can be tried."""


class Polls(Exception):
    """A module asks its exported port without waiting: the outside, which never waits, would not be found."""


@dataclass(frozen=True, slots=True)
class Transition:
    label: str | None  # None: invisible
    target: int
    items: tuple[Item, ...]  # none: a decision of an action, which `target` goes on with


class Behaviour:
    """States are numbered as they are found; 0 is the first. `steps` works out those that leave one."""

    def __init__(self, machine: Machine, labels: Labels, most: int, values: Mapping[int, range] | None = None) -> None:
        """`values`: of the registers that partners from outside read what they send from (`Closed.values`)."""
        refuse_polls(machine)
        self.machine = machine
        self.labels = labels
        self.most = most
        self.generated = generate(machine, host_target())
        self.run = HostRun(self.generated, 1)
        self.values = values or {}
        self.addresses = (ctypes.c_uint32 * MOST_READS)()
        self.run.host.addresses, self.run.host.addresses_room = self.addresses, MOST_READS
        self.homes: dict[int, list[tuple[int, bytes]]] = {}  # of partners from outside: their bytes when they began
        first: Key = (self.run.block, -1, ())
        self.keys: list[Key] = [first]
        self.numbers: dict[Key, int] = {first: 0}
        self.known: dict[int, list[Transition]] = {}
        self.faults: dict[int, str] = {}  # state that a fault leads to -> what it says
        self.decided: dict[int, list[Event]] = {}
        self._diverges: dict[int, bool] = {}

    def steps(self, state: int) -> list[Transition]:
        found = self.known.get(state)
        if found is None:
            first: dict[tuple[str | None, int], Transition] = {}  # of steps that differ in inputs only
            for step in self.work_out(state):
                first.setdefault((step.label, step.target), step)
            found = self.known[state] = list(first.values())
        return found

    def is_stable(self, state: int) -> bool:
        return state not in self.faults and all(s.label is not None for s in self.steps(state))

    def offers(self, state: int) -> frozenset[str]:
        return frozenset(s.label for s in self.steps(state) if s.label is not None)

    def block(self, state: int) -> bytes:
        return self.keys[state][0]

    def number(self, key: Key) -> int:
        found = self.numbers.get(key)
        if found is None:
            found = len(self.keys)
            if found >= self.most:
                raise TooManyStates
            self.numbers[key] = found
            self.keys.append(key)
        return found

    # --- the steps of a state --------------------------------------------------------------------------------

    def work_out(self, state: int) -> Iterator[Transition]:
        if state in self.faults:
            return
        block = self.keys[state][0]
        if state in self.decided:
            yield from self.simple(block, self.decided[state])
            return
        for slot in ready_slots(self.machine, block):
            if slot in self.labels.outside:
                events = self.few(slot, self.of_outside(block, slot))
                yield from self.simple(block, [e for e in events if not self.waits(e.block, slot)])
            else:
                yield from self.of_slot(block, slot, self.few(slot, actions_of(self.run, block, slot)))
        yield from self.simple(block, other_events(self.run, block))

    def few(self, slot: int, events: Iterator[Event]) -> list[Event]:
        """All of them; refuses too many, and inputs of which not all values are tried."""
        left_out = self.run.host.one_value
        found = list(islice(events, MOST_OUTCOMES + 1))
        if len(found) > MOST_OUTCOMES or self.run.host.one_value != left_out:
            raise TooManyValues(self.process(slot))
        return found

    def of_outside(self, block: bytes, slot: int) -> Iterator[Event]:
        """What a partner sends has just the values that make a difference."""
        position = self.machine.position_at(block, slot)
        heads: list[list[int]] = [[]]
        if position is not None and position.kind == "choice":
            heads = [[branch] for branch in range(self.ask(block, slot, [], [0])[0])]
        for head in heads:
            self.ask(block, slot, head, [0])
            if self.meets_nobody(block, self.run.block, slot):
                continue
            read = self.addresses[: self.run.host.addresses_used]
            ranges = [self.values[address] for address in read]
            if prod(len(r) for r in ranges) > MOST_OUTCOMES:
                raise TooManyValues(self.process(slot))
            for values in product(*ranges):
                yield from self.with_inputs(block, slot, head, values)

    def meets_nobody(self, before: bytes, after: bytes, slot: int) -> bool:
        """It waits, and nobody waits for this message on this channel, whatever the values."""
        position = self.machine.position_at(after, slot)
        if position is None or position.ready or position.point is None:
            return False
        clause = position.point.clauses[0]
        channel = self.labels.channel(after, self.labels.frame(after, slot), clause)
        return not any(
            direction_of(other) == (PARTNER[direction_of(clause)[0]], direction_of(clause)[1])
            and self.labels.channel(before, frame, other) == channel
            for frame, other in self.waiting_clauses(before)
        )

    def waiting_clauses(self, block: bytes) -> Iterator[tuple[ActiveFrame, PointClause]]:
        for p in live_processes(self.machine, block):
            if not p.position.ready and p.position.point is not None:
                for clause in p.position.point.clauses:
                    if direction_of(clause)[0] in ("send", "receive"):
                        yield p.frames[0], clause

    def with_inputs(self, block: bytes, slot: int, head: list[int], values: Sequence[int]) -> Iterator[Event]:
        script: list[int] | None = head
        while script is not None and script[: len(head)] == head:
            yield action_of(self.run, block, slot, script, [*values, 0])
            script = next_script(script, self.ask(block, slot, script, [*values, 0]))

    def ask(self, block: bytes, slot: int, script: list[int], inputs: list[int]) -> list[int]:
        """How many alternatives each decision has."""
        self.run.block = block
        self.run.host.addresses_used = 0
        return self.run.run_slot(slot, script, inputs)[1]

    def of_slot(self, block: bytes, slot: int, events: list[Event]) -> Iterator[Transition]:
        """An action that decides by itself, and then can meet visibly, has decided before it offers what it offers."""
        groups: dict[Group, list[Event]] = {}
        visible = False
        for event in events:
            groups.setdefault(own_decisions(event), []).append(event)
            visible = visible or self.labels.label(block, event.items, event.block) is not None
        if len(groups) == 1 or not visible:
            yield from self.simple(block, events)
            return
        for group, chosen in groups.items():
            number = self.number((block, slot, group))
            self.decided.setdefault(number, chosen)
            yield Transition(None, number, ())

    def simple(self, block: bytes, events: Iterable[Event]) -> Iterator[Transition]:
        for event in events:
            items = tuple(i for i in event.items if not i.is_output)
            if event.fault is not None:
                message = fault_message(self.generated.sites[event.fault.site], event.fault)
                number = self.number((block, -2, items))
                self.faults[number] = message
                yield Transition(FAULT, number, items)
            else:
                label = self.labels.label(block, event.items, event.block)
                yield Transition(label, self.number((self.at_home(event.block), -1, ())), items)

    def waits(self, block: bytes, slot: int) -> bool:
        position = self.machine.position_at(block, slot)
        return position is not None and not position.ready

    def at_home(self, block: bytes) -> bytes:
        """With the partners from outside as they began: after a meeting they begin again, and forget what they got."""
        if not self.labels.outside:
            return block
        new = bytearray(block)
        for slot in self.labels.outside:
            position = self.machine.position_at(block, slot)
            if position is None:
                continue
            if position.kind == "start":
                self.homes.setdefault(slot, [(at, block[at : at + size]) for at, size in self.bytes_of(slot)])
            elif position.kind != "choice":
                for at, content in self.homes[slot]:
                    new[at : at + len(content)] = content
        return bytes(new)

    def bytes_of(self, slot: int) -> list[tuple[int, int]]:
        r = self.labels.records[slot]
        index = slot - r.first_slot
        return [
            (r.position_offset + index * r.position_size, r.position_size),
            (r.offset + index * r.stride, r.stride),
        ]

    def process(self, slot: int) -> str:
        process = self.labels.records[slot].body.process
        return "the initialisation" if process is None else process.qualified_name

    # --- divergence --------------------------------------------------------------------------------------------

    def invisible(self, state: int) -> list[int]:
        return [s.target for s in self.steps(state) if s.label is None]

    def diverges(self, state: int) -> bool:
        """Whether it can go on for ever without a visible step (Tarjan 1972, over invisible steps)."""
        if state not in self._diverges:
            self._find_cycles(state)
        return self._diverges[state]

    def _find_cycles(self, start: int) -> None:
        order: dict[int, int] = {start: 0}
        low: dict[int, int] = {start: 0}
        path, on_path = [start], {start}
        work = [(start, iter(self.invisible(start)))]
        while work:
            node, left = work[-1]
            for target in left:
                if target in self._diverges:
                    continue
                if target not in order:
                    order[target] = low[target] = len(order)
                    path.append(target)
                    on_path.add(target)
                    work.append((target, iter(self.invisible(target))))
                    break
                if target in on_path:
                    low[node] = min(low[node], order[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == order[node]:
                    part = [path.pop()]
                    while part[-1] != node:
                        part.append(path.pop())
                    on_path.difference_update(part)
                    self._settle(part)

    def _settle(self, part: list[int]) -> None:
        inside = set(part)
        cycle = len(part) > 1 or part[0] in self.invisible(part[0])
        further = any(self._diverges[t] for n in part for t in self.invisible(n) if t not in inside)
        for n in part:
            self._diverges[n] = cycle or further


def own_decisions(event: Event) -> Group:
    return tuple(i for i in event.items[1:] if not i.is_output and i.name not in ("meet", "take"))


def refuse_polls(machine: Machine) -> None:
    home = home_of(machine)
    if home is machine.program.main:
        return
    from lfc.mcheck.model.open_module import channel_type

    types = [channel_type(v) for v in home.variables if v.exported]
    messages = {id(m) for t in types if t is not None for m in t.messages}
    for body in machine.bodies:
        if body.process is not None and body.process.module is machine.program.main:
            continue
        for point in body.points:
            events = [c.event for c in point.clauses]
            asked = any(isinstance(e, typed.Send | typed.Receive) and id(e.message) in messages for e in events)
            if point.waiting is None and asked:
                raise Polls(f"{body.name}, line {point.span.line}, asks an exported port without waiting")
