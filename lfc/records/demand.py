"""What a project demands of a check before an image may go to a board."""

from __future__ import annotations

from enum import StrEnum

from lfc.base.lazy_dataclass import dataclass


class Level(StrEnum):
    PROOF = "proof"  # every state was visited, and nothing was left out
    NO_ERROR_FOUND = "no-error-found"  # the search may have ended before that
    NONE = "none"  # no check; but none that has found an error


@dataclass(frozen=True, slots=True)
class Demand:
    """`states`, `seconds`: under NO_ERROR_FOUND a search without a verdict counts if it reached one of them. 0: not
    named."""

    level: Level = Level.PROOF
    states: int = 0
    seconds: float = 0.0

    def is_met_by(self, states: int, seconds: float) -> bool:
        if not self.states and not self.seconds:
            return states > 0
        return 0 < self.states <= states or 0 < self.seconds <= seconds

    def __str__(self) -> str:
        named = [f"{self.states:,} states"] if self.states else []
        named += [f"{self.seconds:g} s"] if self.seconds else []
        return " or ".join(named) or "a state"


PROOF = Demand()
