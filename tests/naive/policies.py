"""Who decides what the language leaves open, and where inputs come from. Items: docs/reference/machine.md, 4."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Protocol

Item = list[object]

EVENTS = ("run", "interrupt", "wake", "console")
OUTPUTS = ("out", "write")
NO_DECISION = (*OUTPUTS, "digest", "fault", "idle")


class Policy(Protocol):
    def pick(self, events: list[Item]) -> Item:
        """One of the events. `["console", slot, None]` stands for every byte: the answer names one."""

    def meet(self, alternatives: list[Item]) -> Item:
        """One of these `meet` and `take` items."""

    def choice(self, branches: int) -> int: ...

    def port_in(self, width: int, address: int) -> int:
        """The bits read, 0 and above."""

    def any_value(self, width: int, low: int, high: int) -> int:
        """Of what is being written: its bits, or the number."""

    def clock(self) -> int: ...

    def console_in(self) -> int | None:
        """A byte, or None: the process waits."""


class Divergence(Exception):
    """A recorded schedule asks for what is not possible, or records what did not happen."""


class FollowRecord:
    """Answers as one recorded step says."""

    def __init__(self, items: Sequence[Sequence[object]]) -> None:
        self.outputs: list[Item] = [list(item) for item in items if item[0] in OUTPUTS]
        self._items = [list(item) for item in items if item[0] not in NO_DECISION]

    def _next(self, question: str, *tags: str) -> Item:
        if not self._items or self._items[0][0] not in tags:
            raise Divergence(f"asked for {question}, the record has {self._items[:1] or 'nothing more'}")
        return self._items.pop(0)

    def pick(self, events: list[Item]) -> Item:
        item = self._next("the event of the step", *EVENTS)
        pattern = [*item[:2], None] if item[0] == "console" else item
        if pattern not in events:
            raise Divergence(f"{item} is not possible, only {events}")
        return item

    def meet(self, alternatives: list[Item]) -> Item:
        item = self._next(f"a partner among {alternatives}", "meet", "take")
        if item not in alternatives:
            raise Divergence(f"{item} is not possible, only {alternatives}")
        return item

    def _number(self, question: str, *tags: str) -> int:
        value = self._next(question, *tags)[1]
        assert isinstance(value, int)
        return value

    def choice(self, branches: int) -> int:
        branch = self._number(f"one of {branches} branches", "choice")
        if not 0 <= branch < branches:
            raise Divergence(f"branch {branch} of {branches}")
        return branch

    def port_in(self, width: int, address: int) -> int:
        return self._number(f"a read of port {address}", f"in{width}") & ((1 << width) - 1)

    def any_value(self, width: int, low: int, high: int) -> int:
        return self._number("what is being written", f"in{width}")

    def clock(self) -> int:
        return self._number("the clock", "clock")

    def console_in(self) -> int | None:
        if self._items and self._items[0][0] == "read":
            return self._number("a byte", "read")
        return None

    def check_end(self) -> None:
        if self._items:
            raise Divergence(f"nobody asked for {self._items}")


class DrawAtRandom:
    """Any answer with the same chance; `console_waits` is the chance that no byte is there."""

    def __init__(self, seed: int, console_waits: float = 0.3) -> None:
        self.random = random.Random(seed)
        self.console_waits = console_waits
        self.time = 0

    def pick(self, events: list[Item]) -> Item:
        calm = [e for e in events if e[0] != "interrupt"]
        if calm and self.random.random() < 0.9:
            events = calm  # interrupts can always come; they should not be most of a run
        item = self.random.choice(events)
        return [*item[:2], self.byte()] if item[0] == "console" else item

    def meet(self, alternatives: list[Item]) -> Item:
        return self.random.choice(alternatives)

    def choice(self, branches: int) -> int:
        return self.random.randrange(branches)

    def port_in(self, width: int, address: int) -> int:
        return self.random.getrandbits(width)

    def any_value(self, width: int, low: int, high: int) -> int:
        return self.random.randint(low, high)

    def clock(self) -> int:
        self.time = (self.time + self.random.randrange(3)) & 0xFFFFFFFF
        return self.time

    def byte(self) -> int:
        return self.random.randrange(256)

    def console_in(self) -> int | None:
        return None if self.random.random() < self.console_waits else self.byte()


class TakeFirst:
    """The lowest slot, the first partner and branch; inputs are zero."""

    def pick(self, events: list[Item]) -> Item:
        return [*events[0][:2], 0] if events[0][0] == "console" else events[0]

    def meet(self, alternatives: list[Item]) -> Item:
        return alternatives[0]

    def choice(self, branches: int) -> int:
        return 0

    def port_in(self, width: int, address: int) -> int:
        return 0

    def any_value(self, width: int, low: int, high: int) -> int:
        return low

    def clock(self) -> int:
        return 0

    def console_in(self) -> int | None:
        return 0
