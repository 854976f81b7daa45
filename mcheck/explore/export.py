"""The state graph of a small program as DOT, Aldebaran (.aut) or JSON."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, cast

from lfc.actions.model.machine import Machine
from lfc.base.breadth_first import Found
from lfc.codegen.program import generate
from lfc.mcheck.queries.stored_graph import DEADLOCK, END, StoredEdge, StoredGraph, StoredState
from lfc.mcheck.queries.stored_graph import FAULT as FAULTED
from lfc.mcheck.refinement.behaviour import FAULT, Behaviour
from lfc.mcheck.refinement.behaviour import TooManyStates as TooManyOfBehaviour
from lfc.mcheck.refinement.visible import Labels, choose, ports_of
from lfc.run.events import all_events, positions, ready_slots
from lfc.run.names import data_values, live_processes, parts, place_in, values
from lfc.run.native import host_target
from lfc.run.report import who_waits
from lfc.run.running import HostRun
from lfc.run.steps import StepPrinter, differences
from lfc.trace.items import Item

INVISIBLE = "tau"
EDGES_A_STATE = 16  # a graph with more of them for each state that is allowed is not drawn either


class TooManyStates(Exception):
    """More states or transitions than a graph is drawn of."""


@dataclass(slots=True)
class GraphEdge:
    source: int
    target: int | None  # None: a fault
    items: list[Item]
    label: str


@dataclass(slots=True)
class StateGraph:
    blocks: list[bytes]  # number 0 is the initial state
    edges: list[GraphEdge]


def build_graph(machine: Machine, most_states: int) -> StateGraph:
    run = HostRun(generate(machine, host_target()), 1)
    found = Found(run.block, most_states)
    edges: list[GraphEdge] = []
    for here, block in found:
        for event in all_events(run, block):
            target = found.number(event.block) if event.fault is None else None
            if (target is None and event.fault is None) or len(edges) >= EDGES_A_STATE * most_states:
                raise TooManyStates
            edges.append(GraphEdge(here, target, event.items, label_of(machine, event.items)))
    return StateGraph(found.nodes, edges)


def build_behaviour(machine: Machine, values: dict[int, range], ports: list[str], most_states: int) -> StateGraph:
    """The labelled transition system that `lfc refine` compares; without ports, that of all of the modules' ports."""
    there = ports_of(machine)
    chosen = choose(there, ports, "the program") if ports else dict.fromkeys(there)
    behaviour = Behaviour(machine, Labels(machine, chosen), most_states + 1, values)
    edges: list[GraphEdge] = []
    state = 0
    try:
        while state < len(behaviour.keys):
            for step in behaviour.steps(state):
                edges.append(GraphEdge(state, step.target, list(step.items), step.label or INVISIBLE))
            state += 1
    except TooManyOfBehaviour:
        raise TooManyStates from None
    if len(edges) > EDGES_A_STATE * most_states:
        raise TooManyStates
    for edge in edges:
        if edge.label == FAULT:
            edge.target = None
    return without_faults(behaviour, edges)


def without_faults(behaviour: Behaviour, edges: list[GraphEdge]) -> StateGraph:
    """All faults lead to one state, which has no number."""
    kept = [n for n in range(len(behaviour.keys)) if n not in behaviour.faults]
    number = {old: new for new, old in enumerate(kept)}
    for edge in edges:
        edge.source = number[edge.source]
        edge.target = None if edge.target is None else number[edge.target]
    return StateGraph([behaviour.block(n) for n in kept], edges)


def label_of(machine: Machine, items: list[Item]) -> str:
    """Who acts, with whom."""
    printer = StepPrinter(machine, b"\0" * machine.block_size)
    event, slot = items[0], items[0].operands[0] or 0
    if event.name == "interrupt":
        taker = event.operands[1]
        return f"interrupt {event.operands[0]}" + (f", {printer.name(taker)}" if taker is not None else "")
    who = [printer.name(slot) + (" wakes" if event.name == "wake" else "")]
    for item in items[1:]:
        if item.name == "meet":
            who.append(f"meets {printer.name(item.operands[1] or 0)}")
        elif not item.is_output:
            who.append(f"{item.name} {item.operands[0]}")
    return ", ".join(who)


def as_aldebaran(graph: StateGraph) -> str:
    """A fault leads to a state of its own, numbered after the others."""
    fault = len(graph.blocks)
    states = fault + any(e.target is None for e in graph.edges)
    lines = [f"des (0, {len(graph.edges)}, {states})"]
    lines += [f'({e.source}, "{e.label}", {fault if e.target is None else e.target})' for e in graph.edges]
    return "\n".join(lines) + "\n"


def as_dot(machine: Machine, graph: StateGraph, shown: list[str] | None = None, full: bool = False) -> str:
    """`shown`: the variables that states are described by; None: where each process is, and all variables. Of any state
    but the initial one only what differs from that one, unless `full`."""
    lines = ["digraph states {", "  node [shape=box];"]
    for number, block in enumerate(graph.blocks):
        told = state_lines(machine, block, shown)
        if number and shown is None and not full:
            told = lines_of_differences(machine, graph.blocks[0], block)
        text = "\\n".join([str(number), *told]).replace('"', '\\"')
        ends = (
            ""
            if ready_slots(machine, block)
            else ", style=bold"
            if any(positions(machine, block))
            else ", peripheries=2"
        )
        lines.append(f'  s{number} [label="{text}"{ends}];')
    if any(e.target is None for e in graph.edges):
        lines.append('  fault [shape=octagon, label="fault"];')
    for e in graph.edges:
        lines.append(f'  s{e.source} -> {"fault" if e.target is None else f"s{e.target}"} [label="{e.label}"];')
    return "\n".join([*lines, "}"]) + "\n"


def state_lines(machine: Machine, block: bytes, shown: list[str] | None = None) -> list[str]:
    if shown is not None:
        found = values(machine, block)
        return [f"{name} = {found[name]}" for name in shown if name in found]
    where = [f"{name}: {at}" for name, at in standing(machine, block).items()]
    return where + [f"{name} = {text}" for name, text in values(machine, block).items()]


def lines_of_differences(machine: Machine, first: bytes, block: bytes) -> list[str]:
    """Where everybody is, for at first there was the initialisation alone; and which variables have other values than
    then: elements, not whole arrays."""
    lines = [f"{name}: {at}" for name, at in standing(machine, block).items()]
    changed = differences(machine, parts(machine, first), parts(machine, block), block)
    return lines + [f"{name} = {text}" for name, text in changed.items()]


def standing(machine: Machine, block: bytes) -> dict[str, str]:
    """By name, where each process is."""
    return {
        p.name: f"{'' if p.position.ready else 'waits '}{place_in(machine, p.position.span)}"
        for p in live_processes(machine, block)
    }


def as_json(machine: Machine, graph: StateGraph, shown: list[str] | None = None) -> str:
    return json.dumps(
        {
            "version": 1,
            "states": [state_as_data(machine, b, shown) for b in graph.blocks],
            "transitions": [
                {"from": e.source, "to": e.target, "items": [i.to_json() for i in e.items], "label": e.label}
                for e in graph.edges
            ],
        }
    )


def state_as_data(machine: Machine, block: bytes, shown: list[str] | None) -> dict[str, object]:
    """`values` as people read them, `data` as numbers, truth values, texts, lists and objects."""

    def chosen(found: dict[str, Any]) -> dict[str, Any]:
        return found if shown is None else {name: found[name] for name in shown if name in found}

    where = {
        p.name: {"line": p.position.span.line, "column": p.position.span.column, "ready": p.position.ready}
        for p in live_processes(machine, block)
    }
    return {
        "block": block.hex(),
        "values": chosen(values(machine, block)),
        "data": chosen(data_values(machine, block)),
        "processes": where,
    }


def stored(machine: Machine, graph: StateGraph, file: str, shown: list[str] | None) -> StoredGraph:
    from lfc.actions.as_data import program_digest

    going_on = {e.source for e in graph.edges}
    states: list[StoredState] = []
    for number, block in enumerate(graph.blocks):
        found = state_as_data(machine, block, shown)
        mark = ""
        if number not in going_on:
            mark = END if who_waits(machine, block).only_servers else DEADLOCK
        states.append(
            StoredState(cast("dict[str, Any]", found["data"]), cast("dict[str, Any]", found["processes"]), mark)
        )
    if any(e.target is None for e in graph.edges):
        states.append(StoredState({}, {}, FAULTED))
    last = len(states) - 1
    edges = [StoredEdge(e.source, last if e.target is None else e.target, e.label) for e in graph.edges]
    return StoredGraph(file, program_digest(machine)[:16].hex(), states, edges)
