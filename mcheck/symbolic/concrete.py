"""From undetermined values to numbers: of a path's items and block, under a valuation."""

from __future__ import annotations

from collections.abc import Mapping

from lfc.actions.model.machine import Machine
from lfc.mcheck.symbolic.events import SLEEP, Event
from lfc.mcheck.symbolic.execution.paths import Path
from lfc.mcheck.symbolic.values.terms import Term, evaluate
from lfc.trace.items import Item

Valuation = Mapping[int, int]


def number_of(v: object, valuation: Valuation) -> int:
    assert isinstance(v, int | Term)
    return evaluate(v, dict(valuation))


def items_of(path: Path, valuation: Valuation, wide: bool) -> list[Item]:
    """What was decided and read, as it is recorded."""
    found = []
    for name, *operands in path.items:
        numbers: list[int | None] = [number_of(v, valuation) for v in operands]
        if name in ("meet", "take"):
            numbers = [None if is_none(name, i, n, wide) else n for i, n in enumerate(numbers)]
        found.append(Item(str(name), tuple(numbers)))
    return found


def is_none(name: object, place: int, number: int | None, wide: bool) -> bool:
    """The clause of a plain communication."""
    return number == 0xFF and place != (1 if name == "meet" else -1)


def block_of(block: list[int | Term], valuation: Valuation) -> bytes:
    return bytes(number_of(v, valuation) for v in block)


def step_of(event: Event, path: Path, valuation: Valuation, machine: Machine) -> list[Item]:
    """The whole step, as it is recorded."""
    items = items_of(path, valuation, machine.wide)
    if event.what == "run":
        return [Item("run", (event.which,)), *items]
    if event.what == "wake":
        return [Item("wake", (event.which, None if event.clause == SLEEP else event.clause)), *items]
    number = machine.layout.interrupts[event.which]
    taker = items[0].operands[1] if items else None
    return [Item("interrupt", (number, taker))]
