"""How a run in an emulator ended."""

from __future__ import annotations

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
