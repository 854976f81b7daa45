"""What can happen next."""

from __future__ import annotations

from dataclasses import dataclass

SLEEP = 0xFF  # the clause of a sleep
STAY = "stay"  # a run that has ended stays where it is; only what is beside the program goes on


@dataclass(frozen=True, slots=True)
class Event:
    """`what`: run, wake or interrupt, of a slot or of a bit; or STAY."""

    what: str
    which: int
    clause: int = 0
