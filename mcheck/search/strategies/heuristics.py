"""How far each position of a program is from an error, at least: from its actions alone, without looking at states.

A deadlock: how many actions a process needs until it waits for a partner, or ends; over all processes the sum. A
failed assertion or a fault: how many actions until one that contains the place; over all processes the least. A
step is one action of one process and lets at most one other one go, so no such number is too large, unless an
environment answers within the actions of the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.actions.analysis.effects import Table, action_table, environment_table
from lfc.actions.model.machine import Block, Body, Branch, Machine, Position, Switch
from lfc.base.source import Span
from lfc.codegen.module.generated import FaultSite
from lfc.mcheck.model.description import Description, Numbers
from lfc.run.report import ASSERT
from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.mcheck.search.strategies.end_vectors import Ahead

FAR = 4096  # no way leads there
NEVER_BLOCKS = 64  # of a process that always goes on, in a sum


@dataclass(frozen=True, slots=True)
class Estimate:
    cost: list[int]  # by position, as the description numbers them; [0]: of a free slot
    adds: bool


@dataclass(slots=True)
class Graph:
    """Where a process can be after one action that starts at a position, or after its wait there has been ended."""

    after: list[set[int]]
    ends: list[bool]  # the action may end the process
    created: list[set[int]]  # where new processes start
    spans: list[list[Span]]  # of what the action does; of a wait, of what happens when a partner comes
    positions: dict[int, Position] = field(default_factory=dict)


def estimates_for(
    machine: Machine,
    description: Description,
    sites: Iterable[FaultSite],
    towards: str,
    shortest: bool,
    settled: bytes | None = None,
) -> list[Estimate]:
    """`shortest`: for a search that needs the least of the distances to every kind of error that is wanted. `settled`:
    a block that is on every way."""
    graph = graph_of(machine)
    asserted = [s.span for s in sites if s.kind == ASSERT]
    ahead = None if settled is None else what_is_ahead(machine, description, settled)
    never = set() if ahead is None else ahead.never
    others = [s.span for s in sites if s.kind != ASSERT and s.kind not in never]
    found: list[Estimate] = []
    if towards in ("any", "deadlock"):
        found.append(
            Estimate(
                until_blocked(graph, description, blocked_at(description) if ahead is None else ahead.blocked), True
            )
        )
    if towards == "assertion" or (towards == "any" and asserted):
        found.append(Estimate(until_one_of(graph, asserted), False))
    if towards == "fault" or (towards == "any" and shortest):
        found.append(Estimate(until_one_of(graph, others), False))
    if shortest and machine.environment is not None:
        return [Estimate([0] * len(graph.after), True)]
    return found


def graph_of(machine: Machine) -> Graph:
    numbers = Numbers(machine)
    n = numbers.count + 1
    graph = Graph([set() for _ in range(n)], [False] * n, [set() for _ in range(n)], [[] for _ in range(n)])
    table = Table(machine)
    for (_, positions), actions in zip(
        machine.parts, (action_table(machine), environment_table(machine)), strict=False
    ):
        for action in actions:
            here = numbers.of[id(action.position)]
            for end in action.ends:
                graph.ends[here] |= end.kind == "end"
                graph.after[here] |= {numbers.of[id(positions[k - 1])] for k in end.next}
            assert action.position.entry is not None
            graph.spans[here] = list(action.spans)
            for body, block in with_functions(table.blocks_of(action.position.body, action.position.entry)):
                graph.spans[here] += spans_in(block)
                for st in block.statements:
                    if isinstance(st, typed.CreateProcess):
                        graph.created[here].add(numbers.of[id(body.callees[st].start)])
        for p in positions:
            here = numbers.of[id(p)]
            graph.positions[here] = p
            if not p.ready:
                assert p.point is not None
                graph.after[here] = {numbers.of[id(c.resume)] for c in p.point.clauses}
                graph.spans[here] = [p.point.span]
    return graph


def with_functions(blocks: Iterable[tuple[Body, Block]]) -> Iterator[tuple[Body, Block]]:
    """The blocks, and those of the ordinary functions that are called there."""
    work = list(blocks)
    seen = {id(block) for _, block in work}
    while work:
        body, block = work.pop()
        yield body, block
        for st in block.statements:
            if isinstance(st, typed.CallProcess):
                callee = body.callees[st]
                more = [(callee, b) for b in callee.blocks if id(b) not in seen]
                seen.update(id(b) for _, b in more)
                work += more


def spans_in(block: Block) -> list[Span]:
    found = [st.span for st in block.statements]
    if isinstance(block.end, Branch):
        found.append(block.end.condition.span)
    if isinstance(block.end, Switch):
        found.append(block.end.selector.span)
    return found


def what_is_ahead(machine: Machine, description: Description, settled: bytes) -> Ahead | None:
    from lfc.mcheck.search.strategies.end_vectors import ahead_of

    return ahead_of(machine, settled, blocked_at(description))


def blocked_at(description: Description) -> set[int]:
    """The positions at which processes can be in a deadlock."""
    waiting = range(description.first_waiting, len(description.actions))
    return {k for k in waiting if not description.actions[k].timed and description.actions[k].kind == 0}


def until_blocked(graph: Graph, description: Description, blocked: set[int]) -> list[int]:
    n = len(graph.after)
    cost = [NEVER_BLOCKS] * n
    cost[0] = 0
    changed = True
    while changed:
        changed = False
        for k in range(1, n):
            least = 0 if graph.ends[k] else min((cost[q] for q in graph.after[k]), default=NEVER_BLOCKS)
            now = least if k >= description.first_waiting else 1 + least
            now = 0 if k in blocked else min(now, NEVER_BLOCKS)
            if now < cost[k]:
                cost[k] = now
                changed = True
    return cost


def until_one_of(graph: Graph, places: list[Span]) -> list[int]:
    n = len(graph.after)
    cost = [1 if any(overlap(s, p) for s in spans for p in places) else FAR for spans in graph.spans]
    changed = True
    while changed:
        changed = False
        for k in range(1, n):
            now = 1 + min((cost[q] for q in (*graph.after[k], *graph.created[k])), default=FAR)
            if now < cost[k]:
                cost[k] = now
                changed = True
    return cost


def overlap(x: Span, y: Span) -> bool:
    """A place may be a whole loop, of which an action is a part."""
    return x.source is y.source and x.start < y.end and y.start < x.end
