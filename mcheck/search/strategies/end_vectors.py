"""Where processes can be in a deadlock: of the positions at which each waits, those that belong to a whole.

From some state on (`settled`) nobody is created, and each port holds one channel for ever. Then on each channel every
message has been sent as often as it was received, and no two processes wait that could meet. What each process has
said since, as far as its position alone tells, must add up; positions for which nothing does are left out.
docs/theory/directed-search.md has the argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import Finish, Machine, RecordLayout
from lfc.base.scc import components
from lfc.mcheck.model.description import Numbers
from lfc.mcheck.model.reachable_channels import moves_of, port_variables
from lfc.mcheck.model.transitions import Speech, Step, speech_of, steps_of
from lfc.run.events import positions
from lfc.run.report import ENDLESS, PORT
from lfc.semantics.model import typed
from lfc.semantics.model.types import size_and_alignment

ENDED = 0  # instead of a position
MOST_SLOTS, MOST_SUMS = 64, 4096  # beyond these it is left

Saying = tuple[int, int, bool]  # channel, message (by identity), sends
Weights = Mapping[tuple[int, int], int]  # of (channel, message)


class NotKnown(Exception):
    """Somebody may come, or speak on another channel."""


@dataclass(slots=True)
class Life:
    """Of the process in a slot, from the settled state on."""

    start: int
    edges: dict[int, list[tuple[int, Saying | None]]] = field(default_factory=dict)
    waits: dict[int, set[Saying]] = field(default_factory=dict)  # by position: what a partner there surely meets
    ends: list[int] = field(default_factory=list)  # positions whose action may be the last one
    domain: set[int] = field(default_factory=set)

    @property
    def channels(self) -> set[int]:
        return {said[0] for edges in self.edges.values() for _, said in edges if said is not None}


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is known of all states that follow on one."""

    blocked: set[int]  # positions at which processes may be in a deadlock
    never: set[int]  # kinds of faults that do not come


def ahead_of(machine: Machine, block: bytes, blocked: Iterable[int]) -> Ahead | None:
    """`blocked`: where processes may be in any deadlock. None: it is not known better."""
    steps, numbers = steps_of(machine)
    try:
        lives = lives_from(machine, steps, numbers, block, set(blocked))
    except NotKnown:
        return None
    reached = [steps[n] for n in sorted({n for life in lives.values() for n in life.edges})]
    never = set()
    if not any(0 in life.channels for life in lives.values()):
        never.add(PORT)
    if not any(may_go_round(step) for step in reached):
        never.add(ENDLESS)
    Vectors(lives).narrow()
    return Ahead({p for life in lives.values() for p in life.domain}, never)


def may_go_round(step: Step) -> bool:
    """Whether the action passes a block twice, or calls something."""
    within = list(dict.fromkeys(block for _, block in step.blocks))
    if any(isinstance(s, typed.CallProcess) for block in within for s in block.statements):
        return True
    follow = {block: [t for t in targets(block.end) if t in within] for block in within}
    return any(len(c) > 1 or c[0] in follow[c[0]] for c in components(within, lambda block: follow[block]))


# --- who lives, and what he says ---------------------------------------------------------------------------------


def lives_from(
    machine: Machine, steps: Mapping[int, Step], numbers: Numbers, block: bytes, blocked: set[int]
) -> dict[int, Life]:
    """By slot. Raises NotKnown."""
    if machine.environment is not None or any(step.gives or step.takes for step in steps.values()):
        raise NotKnown
    record_of = [r for r in machine.records for _ in range(r.slots)]
    at = [(slot, p) for slot, p in enumerate(positions(machine, block)) if p]
    if len(at) > MOST_SLOTS:
        raise NotKnown
    lives = {}
    for slot, p in at:
        record = record_of[slot]
        ports = Ports(machine, block, record, slot)
        lives[slot] = life_of(steps, numbers.table[p], record, ports)
        reached = lives[slot].edges
        lives[slot].domain = {p for p in reached if p in blocked} | ({ENDED} if lives[slot].ends else set())
    for step in {n: steps[n] for life in lives.values() for n in life.edges if n in steps}.values():
        if step.creates or step.makes_channel or step.answers or moves_of(machine, step).assigned:
            raise NotKnown
    return lives


def life_of(steps: Mapping[int, Step], start: int, record: RecordLayout, ports: Ports) -> Life:
    life, work = Life(start), [start]
    while work:
        n = work.pop()
        if n in life.edges:
            continue
        step = steps.get(n)
        if step is None or step.position.body is not record.body or any(e.again for e in step.edges):
            raise NotKnown
        life.edges[n] = [(e.to, None if e.speech is None else ports.saying(e.speech)) for e in step.edges]
        if ends_at(step):
            life.ends.append(n)
        if not step.position.ready:
            life.waits[n] = set(certain(step, ports))
        work += [e.to for e in step.edges]
    return life


def ends_at(step: Step) -> bool:
    return any(isinstance(block.end, Finish) and body is step.position.body for body, block in step.blocks)


def certain(step: Step, ports: Ports) -> Iterator[Saying]:
    """What is open whenever the process waits there."""
    point = step.position.point
    for clause in point.clauses if point is not None else []:
        speech = speech_of(point, clause) if point is not None and clause.guard is None else None
        if speech is not None:
            yield ports.saying(speech)


@dataclass(slots=True)
class Ports:
    """What the ports of one process hold, and ports of the modules."""

    machine: Machine
    block: bytes
    record: RecordLayout
    slot: int

    def saying(self, speech: Speech) -> Saying:
        if not isinstance(speech.port, typed.VariableRef):
            raise NotKnown
        return self.channel(speech.port.variable), id(speech.message), speech.sends

    def channel(self, v: typed.Variable) -> int:
        r, body = self.record, self.record.body
        known = self.machine.constant_ports.get(v)
        if known is not None:
            return known
        if v in self.machine.layout.variables:
            return self._at(self.machine.layout.variables[v], v)
        if r.frame_field_offset is not None or body.frame is None or v not in port_variables(self.machine, body):
            raise NotKnown
        record = r.offset + (self.slot - r.first_slot) * r.stride
        return self._at(record + r.frame0 + body.frame.variables[v], v)

    def _at(self, offset: int, v: typed.Variable) -> int:
        return int.from_bytes(self.block[offset : offset + size_and_alignment(v.type)[0]], "little")


# --- what adds up ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Equation:
    """Of each slot that speaks on a channel, by position what it has said of some messages so far: the sum is 0."""

    said: dict[int, dict[int, set[int]]]


class Vectors:
    def __init__(self, lives: dict[int, Life]) -> None:
        self.lives = lives
        self.of_channel: dict[int, list[int]] = {}
        for slot, life in lives.items():
            for channel in life.channels:
                self.of_channel.setdefault(channel, []).append(slot)
        self.beside = {
            slot: {t for c in life.channels for t in self.of_channel[c] if t != slot} for slot, life in lives.items()
        }
        self.equations = [e for c, slots in self.of_channel.items() for e in self._equations(c, slots)]

    def narrow(self) -> None:
        """Until each position that is left has a place in something that adds up, slot by slot."""
        changed = True
        while changed:
            changed = False
            for slot, life in self.lives.items():
                left = {p for p in life.domain if self._is_possible(slot, p)}
                changed |= left != life.domain
                life.domain = left

    def _equations(self, channel: int, slots: list[int]) -> Iterator[Equation]:
        edges = (e for s in slots for found in self.lives[s].edges.values() for e in found)
        messages = sorted({said[1] for _, said in edges if said is not None and said[0] == channel})
        single = [{(channel, m): 1} for m in messages]
        pairs = [{(channel, m): 1, (channel, n): -1} for i, m in enumerate(messages) for n in messages[i + 1 :]]
        for weights in [*single, *pairs]:
            said = {s: potentials(self.lives[s], weights) for s in slots}
            if all(found is not None for found in said.values()):
                yield Equation({s: found for s, found in said.items() if found is not None})

    def _is_possible(self, slot: int, position: int) -> bool:
        left = {t: self._without_partners(slot, position, t) for t in self.beside[slot]}
        left[slot] = {position}
        return all(left.values()) and all(self._adds_up(e, left) for e in self.equations if slot in e.said)

    def _without_partners(self, slot: int, position: int, other: int) -> set[int]:
        met = {(c, m, not sends) for c, m, sends in self.lives[slot].waits.get(position, ())}
        waits = self.lives[other].waits
        return {q for q in self.lives[other].domain if met.isdisjoint(waits.get(q, ()))}

    def _adds_up(self, e: Equation, left: Mapping[int, set[int]]) -> bool:
        sums = {0}
        for slot, said in e.said.items():
            values = {x for p in left.get(slot, self.lives[slot].domain) for x in said[p]}
            sums = {a + b for a in sums for b in values}
            if len(sums) > MOST_SUMS:
                return True
        return 0 in sums


def potentials(life: Life, weights: Weights) -> dict[int, set[int]] | None:
    """What has been sent less what has been received, by position; None: it depends on more."""
    found, work = {life.start: 0}, [life.start]
    while work:
        n = work.pop()
        for to, said in life.edges[n]:
            now = found[n]
            if said is not None:
                now += weights.get(said[:2], 0) * (1 if said[2] else -1)
            if to not in found:
                found[to] = now
                work.append(to)
            elif found[to] != now:
                return None
    return {n: {x} for n, x in found.items()} | {ENDED: {found[n] for n in life.ends}}
