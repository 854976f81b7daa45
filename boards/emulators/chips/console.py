"""What the processors of the built-in simulator share: the console's line, and what a run comes to."""

from __future__ import annotations

from collections import deque
from enum import Enum

BITS_OF_A_BYTE = 10
NEVER = 1 << 62


class Happened(Enum):
    RAN = "ran"  # for as long as it was to, or an interrupt came
    SLEPT = "slept"  # it sleeps, and nothing wakes it yet
    HALTED = "halted"
    CRASHED = "crashed"


class Receiver:
    """Bytes that have come over the console's line and were not taken yet."""

    def __init__(self, room: int) -> None:
        self.room, self.bytes, self.lost = room, deque[int](), False

    def come(self, byte: int) -> None:
        if len(self.bytes) == self.room:
            self.lost = True
        else:
            self.bytes.append(byte)

    def take(self) -> int:
        return self.bytes.popleft() if self.bytes else 0
