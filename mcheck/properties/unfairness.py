"""Who is treated unfairly on the cycle of a run: processes, and communications. Slow: it runs what could happen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfc.actions.model.machine import Machine
from lfc.run.events import actions_of, ready_slots
from lfc.run.names import live_processes, source_text
from lfc.run.running import HostRun
from lfc.semantics.model import typed
from lfc.trace.items import Item

MOST_STATES = 500  # of a longer cycle nothing is said of communications
MOST_ACTIONS = 10_000  # nor of one with more actions to try: each value that a read of a port may give is one

Communication = tuple[int, int]  # the slot of one of the two, and its position when it has taken place


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A communication that could take place in some state of a cycle (`always`: in each) and never does there."""

    process: str
    what: str  # port!message, port?message, as the process writes it
    partner: str
    always: bool

    @property
    def asked_for(self) -> str:
        """What `--fair` takes so that such a run is none."""
        return f"{'weak' if self.always else 'strong'} {self.process} {self.what}"


def never_run(machine: Machine, steps: list[list[Item]], blocks: list[bytes]) -> list[str]:
    """Processes that are ready in some state of the cycle, and that none of its steps runs."""
    ran = slots_that_run(steps)
    found: dict[str, None] = {}
    for block in blocks if steps else []:
        for p in live_processes(machine, block):
            if p.position.ready and p.slot not in ran:
                found[p.name] = None
    return list(found)


def slots_that_run(steps: list[list[Item]]) -> set[int | None]:
    return {s[0].operands[0] for s in steps if s[0].name in ("run", "wake")}


def passed_over(
    machine: Machine,
    run: HostRun,
    steps: list[list[Item]],
    blocks: list[bytes],
    stopped: Callable[[], bool] = lambda: False,
) -> list[PassedOver]:
    """Told of those who run on the cycle: that of the others nothing takes place goes without saying. Nothing is told
    if it is stopped before all states have been looked at, or there is too much to try."""
    if not steps or len(steps) > MOST_STATES:
        return []
    ran = slots_that_run(steps)
    taken = {c for items, after in zip(steps, blocks[1:], strict=True) for c in communications(machine, items, after)}
    possible: dict[Communication, PassedOver] = {}
    states: dict[Communication, set[int]] = {}
    left = MOST_ACTIONS
    for number, block in enumerate(blocks[: len(steps)]):
        if stopped():
            return []
        for slot in [s for s in ready_slots(machine, block) if s in ran]:
            for event in actions_of(run, block, slot):
                left -= 1
                if left < 0:
                    return []
                if event.fault is not None:
                    continue
                for c in communications(machine, event.items, event.block)[:1]:  # told once
                    states.setdefault(c, set()).add(number)
                    if c not in possible and c not in taken:
                        possible[c] = told(machine, event.items, event.block, c[0])
    return list(
        dict.fromkeys(
            PassedOver(p.process, p.what, p.partner, len(states[c]) == len(steps)) for c, p in possible.items()
        )
    )


def communications(machine: Machine, items: list[Item], after: bytes) -> list[Communication]:
    """Of one step: of who ran, and of the partner that waited."""
    for item in items[1:]:
        if item.name == "meet" and item.operands[1] is not None:
            slots = (items[0].operands[0], item.operands[1])
            at = [(slot, machine.position_at(after, slot)) for slot in slots if slot is not None]
            return [(slot, p.number) for slot, p in at if p is not None and p.clause is not None]
    return []


def told(machine: Machine, items: list[Item], after: bytes, who: int) -> PassedOver:
    """`who`: the slot of one of the two that is at a clause."""
    names = {p.slot: p for p in live_processes(machine, after)}
    meeting = next(i for i in items[1:] if i.name == "meet" and i.operands[1] is not None)
    both = (items[0].operands[0], meeting.operands[1])
    other = both[1] if who == both[0] else both[0]
    position = names[who].position
    assert position.point is not None and position.clause is not None and other is not None
    event = position.point.clauses[position.clause].event
    assert isinstance(event, typed.Send | typed.Receive)
    port = "".join(source_text(event.port.span).split())
    sign = "!" if isinstance(event, typed.Send) else "?"
    partner = names[other].name if other in names else "one that ends"
    return PassedOver(names[who].name, f"{port}{sign}{event.message.name}", partner, False)
