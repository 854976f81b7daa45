"""Positions of which one is left in every cycle of states, so that the search can see to it that nobody is left out.

A cycle of states brings each process that moves back to its position, so it goes round in its own graph of
positions. Positions are chosen so that each such round holds one. Rounds that no cycle of states can take need
none: those in which a number only grows, and those that need a partner which cannot go round with them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from lfc.actions.flow.lower import targets
from lfc.actions.layout.records import reached_by_calls
from lfc.actions.model.machine import Block, Body, Machine
from lfc.base.scc import components
from lfc.mcheck.model.indexed_effects import changed_variables, changes_by, statements_of
from lfc.mcheck.model.transitions import Edge, Step
from lfc.mcheck.reduction.por.channel_origins import ChannelSites, Sites, meet
from lfc.mcheck.reduction.por.counters import Counters
from lfc.semantics.checks.accesses import Kind, accesses
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.visit import root_variable

Way = tuple[int, Edge]  # an edge with the position that it starts from


def who_breaks(machine: Machine, steps: dict[int, Step], breakers: set[int]) -> set[Body]:
    """The processes' bodies that have such a position, themselves or in what they call."""
    within = {steps[n].position.body for n in breakers}
    return {r.body for r in machine.records if not within.isdisjoint({r.body, *reached_by_calls(r.body)})}


def cycle_breakers(machine: Machine, steps: dict[int, Step]) -> set[int]:
    ways = [(n, e) for n, step in steps.items() for e in step.ways()]
    ways += ways_to_a_new_life(machine, steps)
    growth = Growth(machine, steps)
    sites = ChannelSites(machine)
    counters = Counters(machine, steps)
    costs = costs_of(machine, steps)
    found: set[int] = set()
    ways = ways_of_cycles(ways, growth, sites)
    body: Body | None = None
    run_on = {b for step in steps.values() for a in step.answers if a.clause is None for b, _ in a.blocks}
    while members := {n for n, _ in ways if steps[n].position.ready}:
        bodies = {steps[n].position.body for n in members}
        bodies = bodies - run_on or bodies  # these are last: their positions may be passed within actions of others
        if body not in bodies:
            least = {b: min(costs[n] for n in members if steps[n].position.body is b) for b in bodies}
            left = {b: without(b, ways, steps, growth, sites) for b in bodies}
            body = min(bodies, key=lambda b: (left[b], least[b], -variables_of(b), b.order))
        members = {n for n in members if steps[n].position.body is body}
        rounds = Counter(n for n, _ in ways) + Counter(e.to for _, e in ways)
        chosen = min(
            members, key=lambda n: (costs[n], not begins_anew(steps[n], steps), -rounds[n], not counters.at[n], n)
        )
        found.add(chosen)
        ways = ways_of_cycles([w for w in ways if w[0] != chosen], growth, sites)
    return found


def without(body: Body, ways: list[Way], steps: dict[int, Step], growth: Growth, sites: ChannelSites) -> int:
    """How many ways of cycles are left if this code goes round no more: the fewer have to break cycles, the better."""
    stay = [(n, e) for n, e in ways if steps[n].position.body is not body or not steps[n].position.ready]
    return len(ways_of_cycles(stay, growth, sites))


def variables_of(body: Body) -> int:
    """The more of them change, the more may tell one round from the next."""
    return 0 if body.frame is None else len(changed_variables(body))


def begins_anew(step: Step, steps: dict[int, Step]) -> bool:
    """Does the process attempt there what it attempts first of all, as a server that has served?"""
    first = next((s for s in steps.values() if s.position is step.position.body.start), step)
    spoken = [{s.kind for s in x.speeches} for x in (step, first)]
    return bool(spoken[0]) and spoken[0] == spoken[1]


def created_anew(machine: Machine, steps: dict[int, Step]) -> set[Body]:
    """Who ends may be created anew, unless only the initialisation creates its kind."""
    return {b for step in steps.values() if step.position.body is not machine.bodies[0] for b in step.creates}


def ways_to_a_new_life(machine: Machine, steps: dict[int, Step]) -> list[Way]:
    anew = created_anew(machine, steps)
    starts = {s.position.body: n for n, s in steps.items() if s.position is s.position.body.start}
    return [(n, Edge(starts[b], again=True)) for n, s in steps.items() for b in s.ends if b in anew]


def ways_of_cycles(ways: list[Way], growth: Growth, sites: ChannelSites) -> list[Way]:
    """Those that a cycle of states may take."""
    while True:
        before = len(ways)
        group = groups_of(ways)
        ways = [(n, e) for n, e in ways if group[n] == group[e.to]]
        ways = [w for w in ways if not growth.grows(w, [v for v in ways if group[v[0]] == group[w[0]]])]
        ways = with_partners(ways, sites)
        if len(ways) == before:
            return ways


def with_partners(ways: list[Way], sites: ChannelSites) -> list[Way]:
    """Without the communications that nobody on these ways can take part in."""
    spoken: dict[tuple[int, bool], set[Sites]] = {}
    for _, e in ways:
        if e.speech is not None:
            spoken.setdefault(e.speech.kind, set()).add(sites.of_port(e.speech.port))
    return [
        (n, e)
        for n, e in ways
        if e.speech is None or any(meet(sites.of_port(e.speech.port), s) for s in spoken.get(e.speech.partner, ()))
    ]


def groups_of(ways: list[Way]) -> dict[int, int]:
    """Positions that lead to each other have the same number. Alone, a position without a way to itself has its own."""
    followers: dict[int, list[int]] = {}
    for n, e in ways:
        followers.setdefault(n, []).append(e.to)
        followers.setdefault(e.to, [])
    found: dict[int, int] = {}
    for number, component in enumerate(components(list(followers), lambda n: followers[n])):
        for n in component:
            found[n] = number
    return found


@dataclass(slots=True)
class Change:
    """What a way does to a variable: in which directions, and whether it surely does."""

    directions: set[int]
    surely: bool


class Growth:
    """Which ways change a local variable of a process in one direction only."""

    def __init__(self, machine: Machine, steps: dict[int, Step]) -> None:
        self.steps = steps
        self.shared = {v for body in machine.composed_bodies for v in passed_on(body)}
        self._known: dict[Way, dict[Variable, Change]] = {}

    def grows(self, way: Way, around: list[Way]) -> bool:
        """Whether this way surely changes a variable that all those around it change in the same direction only."""
        if any(e.again for _, e in around):
            return False  # variables begin anew
        for v, change in self.changes(way).items():
            if change.surely:
                directions = {d for w in around if v in self.changes(w) for d in self.changes(w)[v].directions}
                if len(directions) == 1 and 0 not in directions:
                    return True
        return False

    def changes(self, way: Way) -> dict[Variable, Change]:
        if way not in self._known:
            self._known[way] = self._changes(way)
        return self._known[way]

    def _changes(self, way: Way) -> dict[Variable, Change]:
        n, edge = way
        step = self.steps[n]
        found: dict[Variable, Change] = {}
        if edge.answer is not None:
            for v in (v for _, block in edge.answer.blocks for s in block.statements for v, _ in changes_by(s)):
                found[v] = Change({0}, False)
        for clause in (edge.clause, None if edge.answer is None else edge.answer.clause):
            for t in () if clause is None else clause.targets:
                root = None if t.target.designator is None else root_variable(t.target.designator)
                if root is not None:
                    found[root] = Change({0}, False)
        if not step.position.ready:
            return found
        body = step.position.body
        straight = all(b is body for b, _ in step.blocks) and edge.end is not None
        on_way = [block for _, block in step.blocks if not straight or reaches(block, edge.end, set())]
        changing: dict[Variable, set[Block]] = {}
        for block in on_way:
            for v, direction in (c for s in block.statements for c in changes_by(s)):
                found.setdefault(v, Change(set(), False)).directions.add(direction)
                changing.setdefault(v, set()).add(block)
        assert step.position.entry is not None
        for v, blocks in changing.items():
            if straight and self._is_own(v, body):
                found[v].surely = not reaches(step.position.entry, edge.end, blocks)
        return found

    def _is_own(self, v: Variable, body: Body) -> bool:
        """Of a process that nobody calls, and that passes it to nobody: no other code can change it."""
        own = body.process is not None and v.owner is body.process
        return own and not body.called and not v.outside and v not in self.shared


def passed_on(body: Body) -> set[Variable]:
    """As VAR arguments."""
    return {a.variable for s in statements_of(body) for a in accesses(s) if a.kind is Kind.ARGUMENT}


def reaches(start: Block, end: Block | None, avoid: set[Block]) -> bool:
    """Whether control can get from one block to another within an action, avoiding some blocks."""
    if start in avoid:
        return False
    seen = {start}
    work = [start]
    while work:
        block = work.pop()
        if block is end:
            return True
        for follower in targets(block.end):
            if follower not in seen and follower not in avoid:
                seen.add(follower)
                work.append(follower)
    return False


def costs_of(machine: Machine, steps: dict[int, Step]) -> dict[int, int]:
    """How much is lost if an action ends a round: little where it must mostly go with others anyway."""
    slots = {r.body: r.slots for r in machine.records}
    speakers: Counter[int] = Counter()
    for _, body, message in {(id(s), st.position.body, id(s.message)) for st in steps.values() for s in st.speeches}:
        speakers[message] += slots.get(body, 1)
    writers: dict[tuple[int, int], set[Body]] = {}
    for step in steps.values():
        for p in step.writes:
            writers.setdefault((p.offset, p.size), set()).add(step.position.body)
    found = {}
    for n, step in steps.items():
        body = step.position.body
        others = [
            w
            for p in step.reads | step.writes
            for w in writers.get((p.offset, p.size), ())
            if w is not body or slots.get(body, 1) > 1
        ]
        chosen = any(s.chosen for s in step.speeches)
        crowded = any(speakers[id(s.message)] > 2 for s in step.speeches)
        found[n] = 0 if others else 1 if chosen else 2 if crowded else 6 if step.speeches else 10
    return found
