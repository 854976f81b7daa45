"""What can happen next."""

from __future__ import annotations

from dataclasses import dataclass

SLEEP = 0xFF  # the clause of a sleep


@dataclass(frozen=True, slots=True)
class Event:
    """`what`: run, wake or interrupt, of a slot or of a bit."""

    what: str
    which: int
    clause: int = 0
