"""How a run in an emulator ended, and what is around it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


class EmulatorError(Exception):
    """The emulator could not be run, or failed itself."""


@dataclass(frozen=True, slots=True)
class Outcome:
    end: str  # halted, crashed, time (over), stopped (from outside)
    console: bytes
    memory: dict[str, bytes]  # symbol -> its bytes at the end
    cycles: int | None  # of the processor; None where the emulator does not count them
    registers: bytes = b""  # what was asked for of them, at the end
    stack: int | None = None  # bytes that it took at its deepest; None where the emulator does not tell
    longest_pass: int | None = None  # cycles, of what was asked for
    parts: tuple[bytes, ...] = ()  # what is in those on the bus
    asleep: int | None = None  # of the cycles; None where the emulator does not tell


@dataclass(frozen=True, slots=True)
class Event:
    """What comes from outside: a level at a pin, or text for the console."""

    cycles: int  # of the processor, after which it comes
    pin: int | None = None
    level: bool = False
    text: bytes = b""


@dataclass(frozen=True, slots=True)
class Outside:
    """What is around a board in the built-in simulator. `told`: of each change of a pin, with the cycles that are over,
    its number and its level, None where it is driven no more."""

    told: Callable[[int, int, bool | None], None] | None = None
    events: tuple[Event, ...] = ()
