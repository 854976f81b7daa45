"""Where two traces part: the first step that differs."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.trace.items import Item


@dataclass(frozen=True, slots=True)
class Parting:
    """The first step that differs, from 1; what each trace has there, None where it has ended."""

    step: int
    first: list[Item] | None
    second: list[Item] | None


def compare_traces(first: list[list[Item]], second: list[list[Item]]) -> Parting | None:
    """Decisions and inputs always count; of outputs, digests and faults, the kinds that both traces have. Idling does
    not: it says nothing of what the program did."""
    common = kinds(first) & kinds(second)
    left, right = (steps_with(t, common) for t in (first, second))
    for number in range(max(len(left), len(right))):
        x = left[number] if number < len(left) else None
        y = right[number] if number < len(right) else None
        if x != y:
            return Parting(number + 1, x, y)
    return None


def kinds(steps: list[list[Item]]) -> set[str]:
    return {item.name for step in steps for item in step}


def steps_with(steps: list[list[Item]], outputs: set[str]) -> list[list[Item]]:
    kept = [[i for i in step if not i.is_output or i.name in outputs] for step in steps]
    return [step for step in kept if any(i.is_event for i in step)]
