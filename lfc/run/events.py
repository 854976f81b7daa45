"""Everything that can happen in one state, by running the compiled actions on the host: slow, exact, one at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lfc.run.running import Status
from lfc.semantics.model import typed
from lfc.trace.items import Item, decode, encode

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.run.running import Fault, HostRun


@dataclass(slots=True)
class Event:
    items: list[Item]
    block: bytes  # afterwards; of a fault what it left behind
    fault: Fault | None


def positions(machine: Machine, block: bytes) -> list[int]:
    """The number of each slot's position, program and environment apart; 0: the slot is free."""
    found: list[int] = []
    for layout, _ in machine.parts:
        size = layout.position_size
        at = layout.positions_offset
        slots = sum(r.slots for r in layout.records)
        found += [int.from_bytes(block[at + i * size : at + (i + 1) * size], "little") for i in range(slots)]
    return found


def ready_slots(machine: Machine, block: bytes) -> list[int]:
    at = positions(machine, block)
    found: list[int] = []
    for layout, _ in machine.parts:
        first = layout.records[0].first_slot if layout.records else 0
        slots = range(first, first + sum(r.slots for r in layout.records))
        found += [s for s in slots if 0 < at[s] < layout.first_waiting]
    return found


def next_script(script: list[int], alternatives: list[int]) -> list[int] | None:
    """The next combination of alternatives, like counting up with the last decision as the fastest digit."""
    taken = script + [0] * (len(alternatives) - len(script))
    for i in range(len(alternatives) - 1, -1, -1):
        if taken[i] + 1 < alternatives[i]:
            return [*taken[:i], taken[i] + 1]
    return None


def action_of(
    run: HostRun, block: bytes, slot: int, script: Sequence[int], inputs: Sequence[int] | None = None
) -> Event:
    """The next action of `slot` with these alternatives of its decisions."""
    run.block = block
    status, _ = run.run_slot(slot, script, inputs)
    assert status in (Status.RAN, Status.FAULT), status
    return Event(list(decode(run.items, run.wide)), run.block, run.fault if status is Status.FAULT else None)


def actions_of(run: HostRun, block: bytes, slot: int, inputs: Sequence[int] | None = None) -> Iterator[Event]:
    """The next action of `slot` with every alternative of every decision that it asks for; with these inputs from ports
    and C only, if they are given."""
    script: list[int] | None = []
    while script is not None:
        run.block = block
        status, alternatives = run.run_slot(slot, script, inputs)
        assert status in (Status.RAN, Status.FAULT), status
        yield Event(list(decode(run.items, run.wide)), run.block, run.fault if status is Status.FAULT else None)
        script = next_script(script, alternatives)


def other_events(run: HostRun, block: bytes) -> Iterator[Event]:
    """Wakes and interrupts."""
    machine = run.generated.machine
    if not any(positions(machine, block)):
        return
    for item in possible_items(machine, block):
        run.block = block
        run.follow(encode([item], run.wide))
        status = run.step()
        if status in (Status.RAN, Status.FAULT):
            yield Event(list(decode(run.items, run.wide)), run.block, run.fault if status is Status.FAULT else None)


def all_events(run: HostRun, block: bytes) -> Iterator[Event]:
    for slot in ready_slots(run.generated.machine, block):
        yield from actions_of(run, block, slot)
    yield from other_events(run, block)


def different(events: Iterable[Event]) -> list[Event]:
    """One for each different outcome: of many inputs that lead to the same state, the first."""
    found: dict[tuple[object, ...], Event] = {}
    for event in events:
        fault = event.fault and (event.fault.kind, event.fault.site)
        deeds = tuple(i for i in event.items if not i.is_output and not i.name.startswith("in"))
        found.setdefault((deeds, event.block, fault), event)
    return list(found.values())


def possible_items(machine: Machine, block: bytes) -> Iterator[Item]:
    """What might come from outside; some of it does not fit the state."""
    layout = machine.layout
    for slot in range(machine.slots):
        position = machine.position_at(block, slot)
        if position is None or position.ready:
            continue
        assert position.point is not None
        for clause in position.point.clauses:
            if isinstance(clause.event, typed.Sleep):
                yield Item("wake", (slot, None))
            elif isinstance(clause.event, typed.AfterEvent):
                yield Item("wake", (slot, clause.index))
    if machine.environment is not None:
        return  # it raises the interrupts
    slots = sum(r.slots for r in layout.records)
    for index, n in enumerate(layout.interrupts):
        if block[layout.pending_offset + index // 8] >> index % 8 & 1:
            continue
        for taker in [None, *range(slots)]:
            yield Item("interrupt", (n, taker))
