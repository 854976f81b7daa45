"""What one function does by itself: how deep its own stack gets, whom it calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

Returns = Callable[[int], bool]  # whether the function at an address ever does; asked about those that are called
DEEPEST_POSSIBLE = 0x10000  # a loop that only pushes: no compiled code does that


@dataclass(slots=True)
class Flow:
    deepest: int = 0  # bytes below where the function found the stack
    calls: dict[int, int] = field(default_factory=dict)  # entry of the called one -> how deep the stack is before
    indirect: bool = False  # it calls or goes on by a pointer
    unknown: bool = False  # it moves the stack by an amount that is not known
    returns: bool = False

    def calls_at(self, entry: int, depth: int) -> None:
        self.calls[entry] = max(self.calls.get(entry, 0), depth)
