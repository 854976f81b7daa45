"""What the modules of a program do by themselves: their local states and steps, explored as they are asked for."""

from __future__ import annotations

import ctypes
from collections import deque
from dataclasses import dataclass, field

from lfc.base.scc import components
from lfc.mcheck.engine.abi import CHANGES, HEAD_FAULT, HEAD_UNMET, NO_NOTE
from lfc.mcheck.model.description import Description
from lfc.mcheck.model.state_vector import ATTEMPT
from lfc.mcheck.request.bounds import NotModular
from lfc.mcheck.search.modular.partition import Modules

U32 = ctypes.c_uint32
NOBODY = 0xFFFF
WORDS = 1 << 16
Values = tuple[int, ...]  # of a module's components


@dataclass(frozen=True, slots=True)
class Outcome:
    """Of an action."""

    head: int
    path: int  # decisions other than the meeting
    changes: tuple[tuple[int, int], ...]  # component, new value
    fault: tuple[int, int, int, int] | None  # kind, site, two values

    @property
    def attempts(self) -> bool:
        """It has met nobody: it waits if nobody on the same path can meet it."""
        return bool(self.head & HEAD_UNMET)


class Actions:
    """The engine, asked for one action at a time."""

    def __init__(self, library: ctypes.CDLL, walk: int, components: int) -> None:
        self._library, self._walk = library, walk
        self.values = (U32 * components)()  # those of nobody's components stay as they are at the start
        self._room = (U32 * WORDS)()
        self._positions: dict[tuple[int, int], int] = {}
        self._seen: set[tuple[int, int, Outcome]] = set()

    def start(self) -> int:
        """How many steps the initial state has; `values` is then what the first one leads to."""
        return int(self._library.mc_modular_start(self._walk, self.values))

    def position(self, component: int, value: int) -> int:
        key = component, value
        if key not in self._positions:
            self._positions[key] = int(self._library.mc_modular_position(self._walk, *key))
        return self._positions[key]

    def put(self, components: list[int], values: Values) -> None:
        for c, value in zip(components, values, strict=True):
            self.values[c] = value

    def outcomes(self, slot: int, partner: int = NOBODY, note: int = NO_NOTE) -> list[Outcome]:
        words = self._library.mc_modular_outcomes(self._walk, self.values, slot, partner, note, self._room, WORDS)
        if words > WORDS:
            raise NotModular("an action creates a process or a channel, or has too many alternatives")
        room, at = self._room, 1
        found = []
        for _ in range(room[0]):
            head, path = room[at], room[at + 1]
            at += 4
            if head & HEAD_FAULT:
                kind, site, first, second = room[at : at + 4]
                found.append(Outcome(head, path, (), (kind, site, signed(first), signed(second))))
                at += 4
            else:
                n = head & CHANGES
                found.append(
                    Outcome(head, path, tuple((room[at + 2 * i], room[at + 2 * i + 1]) for i in range(n)), None)
                )
                at += 2 * n
        return found

    def note(self, slot: int, partner: int, number: int, outcome: Outcome) -> None:
        """It is a step from a state that is reached; the values are right."""
        key = slot, partner, outcome
        if key not in self._seen:
            self._seen.add(key)
            self.outcomes(slot, partner, number)


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


@dataclass(frozen=True, slots=True)
class LocalStep:
    """Of one module alone, or of two."""

    slot: int
    partner: int
    changes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Failure:
    node: int
    slot: int
    fault: tuple[int, int, int, int]


@dataclass(slots=True)
class Node:
    """A local state."""

    values: Values
    steps: list[tuple[int, LocalStep]] = field(default_factory=list)  # to which local state
    outward: list[tuple[int, int, list[tuple[int, Outcome]]]] = field(default_factory=list)  # slot, position, waits
    at: dict[int, int] = field(default_factory=dict)  # slot -> position, of those who live
    held: dict[int, LocalStep] = field(default_factory=dict)  # who would wait here, if he did not come second
    part: int = -1  # strongly connected component


@dataclass(slots=True)
class Closure:
    """What a module can do by itself from a part of its local graph on."""

    nodes: list[int]
    outward: list[int]  # of these, such that may meet somebody outside
    waiting: dict[int, list[int]]  # by slot: where it waits
    quiet: list[int]  # in which nobody can go on by himself; those first in which somebody may be stuck
    failures: list[Failure]
    ends: list[int]  # parts that nothing leads out of


class LocalGraph:
    def __init__(self, number: int, modules: Modules, d: Description, actions: Actions, stuck: list[bool]) -> None:
        """`stuck`: by position, whether it may be that who waits there should not."""
        self.slots, self.components = modules.slots[number], modules.components[number]
        self.place = {c: i for i, c in enumerate(self.components)}
        self._modules, self._d, self._actions, self._stuck = modules, d, actions, stuck
        self._variables = [i for i, c in enumerate(self.components) if d.components[c].slot < 0]
        self.nodes: list[Node] = []
        self.parts: list[list[int]] = []
        self.steps = 0
        self._number: dict[Values, int] = {}
        self._failures: dict[int, list[Failure]] = {}
        self._closures: dict[int, Closure] = {}

    def initial(self) -> int:
        return self.number(tuple(self._actions.values[c] for c in self.components))

    def number(self, values: Values) -> int:
        """With all that it leads to."""
        found = self._number.get(values)
        if found is None:
            found = self._new(values)
            first, at = found, found
            while at < len(self.nodes):
                self._expand(at)
                at += 1
            self._find_parts(first)
        return found

    def after(self, node: int, changes: tuple[tuple[int, int], ...]) -> Values:
        values = list(self.nodes[node].values)
        for c, value in changes:
            if c in self.place:
                values[self.place[c]] = value
        return tuple(values)

    def seen_by(self, n: int, slot: int) -> Values:
        """What an action of a slot can depend on: what the slot holds, and the module's variables."""
        values = self.nodes[n].values
        return (values[self.place[self._d.slot_component[slot]]], *(values[i] for i in self._variables))

    def _new(self, values: Values) -> int:
        number = self._number[values] = len(self.nodes)
        self.nodes.append(Node(values))
        return number

    def _expand(self, number: int) -> None:
        node, d = self.nodes[number], self._d
        for slot in self.slots:
            c = d.slot_component[slot]
            position = self._actions.position(c, node.values[self.place[c]])
            if position:
                node.at[slot] = position
        self._actions.put(self.components, node.values)
        for slot, position in node.at.items():
            if position < d.first_waiting:
                self._act(number, slot, position)

    def _act(self, number: int, slot: int, position: int) -> None:
        node, d, actions = self.nodes[number], self._d, self._actions
        outside = self._modules.partners.get((slot, position), [])
        own = list(enumerate(actions.outcomes(slot)))
        met: set[int] = set()
        if d.actions[position].kind == ATTEMPT:
            for partner in d.actions[position].partners:
                if partner != slot and node.at.get(partner) in d.may_meet[position]:
                    for i, o in enumerate(actions.outcomes(slot, partner)):
                        met.add(o.path)
                        self._take(number, LocalStep(slot, partner, o.changes), o, i)
        waits = []
        for i, o in own:
            if not o.attempts:
                self._take(number, LocalStep(slot, NOBODY, o.changes), o, i)
            elif o.path not in met:
                at = slot, self._waits_at(slot, o)
                if at in self._modules.comes_second:
                    node.held[slot] = LocalStep(slot, NOBODY, o.changes)
                elif outside and at not in self._modules.waits_first:
                    waits.append((i, o))
                else:
                    self._take(number, LocalStep(slot, NOBODY, o.changes), o, i)
        if outside:
            node.outward.append((slot, position, waits))

    def _waits_at(self, slot: int, o: Outcome) -> int:
        """The position to which an action leads that has met nobody."""
        own = self._d.slot_component[slot]
        return next((self._actions.position(c, value) for c, value in o.changes if c == own), 0)

    def _take(self, number: int, step: LocalStep, o: Outcome, index: int) -> None:
        self.steps += 1
        self._actions.note(step.slot, step.partner, index, o)
        if o.fault is not None:
            self._failures.setdefault(number, []).append(Failure(number, step.slot, o.fault))
            return
        values = self.after(number, o.changes)
        to = self._number.get(values)
        self.nodes[number].steps.append((self._new(values) if to is None else to, step))

    def _find_parts(self, first: int) -> None:
        """Strongly connected components, over the nodes from `first` on: those before have their parts."""
        nodes = range(first, len(self.nodes))
        for members in components(nodes, lambda n: [to for to, _ in self.nodes[n].steps if to >= first]):
            for n in members:
                self.nodes[n].part = len(self.parts)
            self.parts.append(sorted(members))

    def closure(self, part: int) -> Closure:
        if part not in self._closures:
            self._closures[part] = self._close(part)
        return self._closures[part]

    def _close(self, part: int) -> Closure:
        found = Closure([], [], {}, [], [], [])
        seen, work = {part}, deque([part])
        while work:
            p = work.popleft()
            leaves = False
            for n in self.parts[p]:
                self._put_in(found, n)
                for to, _ in self.nodes[n].steps:
                    q = self.nodes[to].part
                    leaves |= q != p
                    if q not in seen:
                        seen.add(q)
                        work.append(q)
            if not leaves:
                found.ends.append(p)
        found.quiet.sort(key=lambda n: (not self.waits(n), n))
        return found

    def _put_in(self, found: Closure, n: int) -> None:
        node = self.nodes[n]
        found.nodes.append(n)
        if node.outward:
            found.outward.append(n)
        found.failures += self._failures.get(n, [])
        for slot, position in node.at.items():
            if position >= self._d.first_waiting:
                found.waiting.setdefault(slot, []).append(n)
        if all(p >= self._d.first_waiting or slot in node.held for slot, p in node.at.items()):
            found.quiet.append(n)

    def waits(self, n: int) -> bool:
        """Somebody there may be stuck."""
        return any(self.may_be_stuck(self.nodes[n], slot) for slot in self.nodes[n].at)

    def may_be_stuck(self, node: Node, slot: int) -> bool:
        if self._d.servers[slot]:
            return False
        position = node.at[slot]
        return slot in node.held or (position >= self._d.first_waiting and self._stuck[position])

    def way(self, start: int, goal: int) -> list[LocalStep]:
        """A shortest one; there is one."""
        before: dict[int, tuple[int, LocalStep]] = {}
        queue = deque([start])
        while queue and goal != start and goal not in before:
            n = queue.popleft()
            for to, step in self.nodes[n].steps:
                if to != start and to not in before:
                    before[to] = n, step
                    queue.append(to)
        steps = []
        while goal != start:
            goal, step = before[goal]
            steps.append(step)
        return steps[::-1]
