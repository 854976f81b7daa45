"""Every state of a program, found by driving its compiled actions from Python: slow and simple, for small programs.

It is what a faster search is compared with, and no more than what a search must do: take a state, take every event
that is possible in it, run it with every alternative of every decision.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from lfc.run.events import actions_of, positions, ready_slots
from lfc.run.running import Fault, HostRun


@dataclass(slots=True)
class Exploration:
    states: dict[bytes, int] = field(default_factory=dict)  # block -> number, in the order of discovery
    transitions: int = 0
    edges: list[tuple[int, int]] = field(default_factory=list)
    faults: list[tuple[int, Fault]] = field(default_factory=list)  # state in which the faulting action starts
    blocked: list[int] = field(default_factory=list)  # nobody is ready although somebody lives
    ended: list[int] = field(default_factory=list)  # nobody lives
    complete: bool = True


def explore(run: HostRun, most_states: int = 1_000_000) -> Exploration:
    """Of a program without environment whose only decisions are ready process, partner, clause, choice and inputs that
    an action asks for at once."""
    machine = run.generated.machine
    found = Exploration()
    first = run.block
    found.states[first] = 0
    queue = deque([first])
    while queue:
        block = queue.popleft()
        here = found.states[block]
        ready = ready_slots(machine, block)
        if not ready:
            (found.blocked if any(positions(machine, block)) else found.ended).append(here)
        for slot in ready:
            for event in actions_of(run, block, slot):
                found.transitions += 1
                if event.fault is not None:
                    found.faults.append((here, event.fault))
                    continue
                number = found.states.get(event.block)
                if number is None:
                    number = found.states[event.block] = len(found.states)
                    if number >= most_states:
                        found.complete = False
                        return found
                    queue.append(event.block)
                found.edges.append((here, number))
    return found
