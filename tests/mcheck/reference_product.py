"""The product of a program with a property process, state by state, and whether an accepting cycle can be reached:
slow and simple, a second opinion for small programs.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.actions.model.machine import Machine
from lfc.codegen.expressions.atoms import message_numbers
from lfc.codegen.program import generate
from lfc.mcheck.properties.monitor import Watcher
from lfc.run.events import Event, all_events
from lfc.run.names import live_processes
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.run.wait_for_graph import channel_of_clause
from lfc.semantics.model import typed

Node = tuple[bytes, bytes]  # the program's block, the property's state


@dataclass(slots=True)
class Product:
    nodes: dict[Node, int] = field(default_factory=dict)
    edges: list[tuple[int, int, bool]] = field(default_factory=list)  # from, to, accepting
    faults: list[tuple[int, int, int]] = field(default_factory=list)  # node, kind, site: of the property
    complete: bool = True
    accepting: list[int] = field(default_factory=list)  # nodes on accepting cycles

    @property
    def violated(self) -> bool:
        return bool(self.accepting)


def explore_product(machine: Machine, which: int = 0, most: int = 200_000) -> Product:
    """A run that comes to an end stays in its last state, without a meeting. Actions that fault end nothing here."""
    watcher = Watcher(machine, which)
    run = HostRun(generate(machine, host_target()), 1)
    found = Product()
    steps: dict[bytes, list[tuple[bytes, int]]] = {}

    def steps_of(block: bytes) -> list[tuple[bytes, int]]:
        if block not in steps:
            events = [e for e in all_events(run, block) if e.fault is None]
            steps[block] = [(e.block, meeting_of(machine, block, e)) for e in events] or [(block, 0)]
        return steps[block]

    first = run.block, watcher.initial()
    found.nodes[first] = 0
    work = [first]
    while work:
        node = work.pop()
        here = found.nodes[node]
        for block, taken in steps_of(node[0]):
            for move in watcher.moves(block, node[1], taken):
                if move.fault is not None:
                    found.faults.append((here, *move.fault))
                    continue
                following = block, move.state
                if following not in found.nodes:
                    if len(found.nodes) >= most:
                        found.complete = False
                        continue
                    found.nodes[following] = len(found.nodes)
                    work.append(following)
                found.edges.append((here, found.nodes[following], move.accepts))
    found.accepting = on_accepting_cycles(len(found.nodes), found.edges)
    return found


def meeting_of(machine: Machine, before: bytes, event: Event) -> int:
    """Channel and message of the communication in a step; 0: there was none. What the environment answers is none."""
    numbers = message_numbers(machine)
    live = {p.slot: p for p in live_processes(machine, before)}
    found = 0
    for item in event.items:
        partner = item.operands[1] if item.name == "meet" else None
        if partner is None or partner not in live or live[partner].position.point is None:
            continue
        point = live[partner].position.point
        assert point is not None
        clause = point.clauses[item.operands[2] or 0]
        channel = channel_of_clause(machine, before, live[partner], clause)
        if channel is not None and isinstance(clause.event, typed.Send | typed.Receive):
            found = channel | numbers[id(clause.event.message)] << 8 * machine.port_size
    return found


def on_accepting_cycles(count: int, edges: list[tuple[int, int, bool]]) -> list[int]:
    """Sources of accepting edges from whose target the source can be reached again: one search for each such edge."""
    followers: list[list[int]] = [[] for _ in range(count)]
    for source, target, _ in edges:
        followers[source].append(target)
    found: list[int] = []
    for source, target, accepts in edges:
        if not accepts or source in found:
            continue
        seen = {target}
        stack = [target]
        while stack and source not in seen:
            for follower in followers[stack.pop()]:
                if follower not in seen:
                    seen.add(follower)
                    stack.append(follower)
        if source in seen:
            found.append(source)
    return sorted(found)
