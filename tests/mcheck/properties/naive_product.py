"""A second opinion on properties: the whole product of a program's states with an automaton, as Python sets, and the
greatest fixed point of states from which a fair accepting run can go on. Slow, and shares only the automaton with what
it judges: states come from running actions one by one, atoms are evaluated on the names and values that people see.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate
from lfc.mcheck.ltl.automaton import Automaton
from lfc.run.events import all_events
from lfc.run.names import live_processes, values
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.run.wait_for_graph import channel_of_clause
from lfc.semantics.model import typed

RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "=": lambda a, b: a == b,
    "#": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@dataclass(frozen=True, slots=True)
class Step:
    """From one state to another: who ran (a slot, None: nobody), and what was taken (message, channel)."""

    target: bytes
    slot: int | None
    taken: tuple[str, int] | None


def steps_of(machine: Machine, run: HostRun, block: bytes) -> list[Step]:
    found = []
    for event in all_events(run, block):
        if event.fault is not None:
            continue
        first = event.items[0]
        slot = first.operands[0] if first.name != "interrupt" else None
        taken = None
        for item in event.items:
            if item.name == "meet" and item.operands[1] is not None:
                taken = met(machine, block, item.operands[1], item.operands[2] or 0)
        found.append(Step(event.block, slot, taken))
    return found or [Step(block, None, None)]


def met(machine: Machine, block: bytes, partner: int, clause: int) -> tuple[str, int] | None:
    p = next(p for p in live_processes(machine, block) if p.slot == partner)
    assert p.position.point is not None
    at = p.position.point.clauses[clause]
    if isinstance(at.event, typed.Receive) and isinstance(at.event.port, typed.IoPort):
        return None
    channel = channel_of_clause(machine, block, p, at)
    assert isinstance(at.event, typed.Send | typed.Receive) and channel is not None
    return at.event.message.name, channel


def holds(machine: Machine, atom: str, step: Step) -> bool:
    """Atoms of the forms `name`, `name relation name` (see `number_called`), READY(P), WAITING(P), ENDED(P), and
    TAKEN(port.message)."""
    for word in ("READY", "WAITING", "ENDED"):
        if atom.startswith(word + "("):
            name = atom[len(word) + 1 : -1]
            there = [p for p in live_processes(machine, step.target) if p.name in (name, f"{name}[0]")]
            anybody = [p for p in live_processes(machine, step.target) if p.name.split("[")[0] == name]
            if word == "ENDED":
                return not anybody
            return any(p.position.ready == (word == "READY") for p in there)
    known = values(machine, step.target)
    if atom.startswith("TAKEN("):
        port, message = atom[len("TAKEN(") : -1].rsplit(".", 1)
        return step.taken is not None and (step.taken[0], f"channel {step.taken[1]}") == (message, known[port])
    for sign, relation in RELATIONS.items():
        name, found, number = atom.partition(f" {sign} ")
        if found:
            return relation(number_called(known, name), number_called(known, number))
    name, indexed, rest = atom.partition("[")
    if indexed and name in known:
        return known[name].strip("[]").split(", ")[int(rest.rstrip("]"))] == "TRUE"
    return known[atom] == "TRUE"


def number_called(known: dict[str, str], name: str) -> int:
    """A number, a variable, an element of an array of the module, or a variable of a process: of nobody 0."""
    if name.isdigit():
        return int(name)
    variable, indexed, rest = name.partition("[")
    if name in known:
        return int(known[name])
    if indexed and variable in known:
        return int(known[variable].strip("[]").split(", ")[int(rest.rstrip("]"))])
    process, _, own = name.partition(".")
    return int(known.get(f"{process}[0].{own}", 0))


State = tuple[bytes, int]


@dataclass(slots=True)
class Edge:
    target: State
    marks: int


def build_product(
    machine: Machine, automaton: Automaton, weak: Sequence[int], most: int
) -> dict[State, list[Edge]] | None:
    """`weak`: slots that are treated weakly fairly. None: more states than `most`."""
    run = HostRun(generate(machine, host_target()), 1)
    start = (run.block, automaton.initial)
    edges: dict[State, list[Edge]] = {}
    stack = [start]
    known: dict[bytes, list[tuple[Step, int]]] = {}
    while stack:
        state = stack.pop()
        if state in edges:
            continue
        if len(edges) >= most:
            return None
        block, q = state
        if block not in known:
            known[block] = [
                (s, sum(holds(machine, a, s) << i for i, a in enumerate(automaton.atoms)))
                for s in steps_of(machine, run, block)
            ]
        can = {s.slot for s, _ in known[block]}
        out = edges[state] = []
        for s, letter in known[block]:
            fair = sum((s.slot == slot or slot not in can) << i for i, slot in enumerate(weak))
            for t in automaton.transitions:
                if t.source == q and any(letter & p == p and not letter & n for p, n in t.cubes):
                    out.append(Edge((s.target, t.target), t.acceptance | fair << automaton.acceptance_sets))
                    stack.append((s.target, t.target))
    return edges


def has_violation(edges: dict[State, list[Edge]], marks: int) -> bool:
    """Whether some run passes edges of each of so many marks infinitely often: Emerson and Lei's fixed point."""
    alive = set(edges)
    while True:
        before = len(alive)
        for bit in [1 << i for i in range(marks)] or [0]:
            goal = {s for s in alive for e in edges[s] if e.target in alive and e.marks & bit == bit}
            alive = backwards(edges, alive, goal)
        if len(alive) == before:
            return bool(alive)


def backwards(edges: dict[State, list[Edge]], within: set[State], goal: set[State]) -> set[State]:
    """The states that reach one of `goal` inside `within`; those of `goal` themselves included."""
    into: dict[State, list[State]] = {}
    for s in within:
        for e in edges[s]:
            if e.target in within:
                into.setdefault(e.target, []).append(s)
    found, stack = set(goal), list(goal)
    while stack:
        for s in into.get(stack.pop(), ()):
            if s not in found:
                found.add(s)
                stack.append(s)
    return found
