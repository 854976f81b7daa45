"""A second opinion on a run that is shown: its word as the naive product reads it, through the property's automaton."""

from __future__ import annotations

from lfc.actions.model.machine import Machine
from lfc.codegen.program import generate
from lfc.mcheck.ltl.scc import Strength
from lfc.mcheck.properties.product import watch
from lfc.mcheck.reduction.dead_variables.dead_variables import Reset
from lfc.mcheck.result.finding import Finding
from lfc.run.native import host_target
from lfc.run.running import HostRun
from tests.mcheck.properties.naive_product import Edge, State, Step, has_violation, holds, met, steps_of


def violates(machine: Machine, finding: Finding, but_for_dead: bool = False) -> bool:
    """A run that is shown: its word as the naive product reads it, through the automaton. Not whether it is fair.
    `but_for_dead`: its cycle may come back with others of the values that nothing will read."""
    run = finding.run
    assert run is not None
    name = finding.message.split("`")[1]
    watched = watch(machine, [p for p in machine.program.main.properties if p.name == name])
    automaton = watched.properties[0].automaton
    assert automaton is not None
    steps = []
    for before, items, after in zip(run.blocks, run.steps, run.blocks[1:], strict=False):
        meeting = [i for i in items if i.name == "meet" and i.operands[1] is not None]
        taken = [met(machine, before, i.operands[1] or 0, i.operands[2] or 0) for i in meeting]
        steps.append(Step(after, None, taken[0] if taken else None))
    cycle = run.cycle
    stays = Step(run.blocks[-1], None, None)
    if cycle == len(steps) and steps_of(machine, HostRun(generate(machine, host_target()), 1), stays.target) == [stays]:
        steps.append(stays)
    elif run.lost:
        cycle = -1
    elif run.blocks[-1] != run.blocks[cycle]:
        dead = Reset(machine, watched.atoms)
        if not but_for_dead or dead.block(run.blocks[-1]) != dead.block(run.blocks[cycle]):
            return False
    letters = [sum(holds(machine, a, s) << i for i, a in enumerate(automaton.atoms)) for s in steps]
    edges: dict[State, list[Edge]] = {}
    for at, letter in enumerate(letters):
        to = at + 1 if at + 1 < len(letters) else cycle
        for q in range(automaton.states):
            edges[place(at), q] = [
                Edge((place(to), t.target), t.acceptance)
                for t in automaton.transitions
                if t.source == q and any(letter & p == p and not letter & n for p, n in t.cubes)
            ]
    for q in range(automaton.states):  # whatever comes, it is violated
        lost = automaton.strength[automaton.component[q]] is Strength.TERMINAL
        edges[place(-1), q] = [Edge((place(-1), q), (1 << automaton.acceptance_sets) - 1)] if lost else []
    return has_violation(reached(edges, (place(0), automaton.initial)), automaton.acceptance_sets)


def place(number: int) -> bytes:
    return number.to_bytes(4, "little", signed=True)


def reached(edges: dict[State, list[Edge]], start: State) -> dict[State, list[Edge]]:
    found: dict[State, list[Edge]] = {}
    work = [start]
    while work:
        state = work.pop()
        if state not in found:
            found[state] = edges[state]
            work += [e.target for e in edges[state]]
    return found
