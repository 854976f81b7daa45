"""Every state of a program, found by driving its compiled actions from Python: slow and simple, for small programs.

It is what a faster search is compared with, and no more than what a search must do: take a state, take every event that
is possible in it, run it with every alternative of every decision. May import: `lfc.host`, `lfc.actions`.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field

from lfc.actions.model import Machine
from lfc.host.running import Fault, HostRun, Status


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
            for successor, fault in successors(run, block, slot):
                found.transitions += 1
                if fault is not None:
                    found.faults.append((here, fault))
                    continue
                number = found.states.get(successor)
                if number is None:
                    number = found.states[successor] = len(found.states)
                    if number >= most_states:
                        found.complete = False
                        return found
                    queue.append(successor)
                found.edges.append((here, number))
    return found


def successors(run: HostRun, block: bytes, slot: int) -> list[tuple[bytes, Fault | None]]:
    """The next action of `slot` with every alternative of every decision that it asks for."""
    found: list[tuple[bytes, Fault | None]] = []
    script: list[int] | None = []
    while script is not None:
        run.block = block
        status, alternatives = run.run_slot(slot, script)
        if status is Status.FAULT:
            found.append((b"", run.fault))
        else:
            assert status is Status.RAN, status
            found.append((run.block, None))
        script = next_script(script, alternatives)
    return found


def next_script(script: list[int], alternatives: list[int]) -> list[int] | None:
    """The next combination of alternatives, like counting up with the last decision as the fastest digit."""
    taken = script + [0] * (len(alternatives) - len(script))
    for i in range(len(alternatives) - 1, -1, -1):
        if taken[i] + 1 < alternatives[i]:
            return [*taken[:i], taken[i] + 1]
    return None


def positions(machine: Machine, block: bytes) -> list[int]:
    layout = machine.layout
    size = layout.position_size
    slots = sum(r.slots for r in layout.records)
    at = layout.positions_offset
    return [int.from_bytes(block[at + i * size : at + (i + 1) * size], "little") for i in range(slots)]


def ready_slots(machine: Machine, block: bytes) -> list[int]:
    first_waiting = machine.layout.first_waiting
    return [i for i, p in enumerate(positions(machine, block)) if 0 < p < first_waiting]
