"""Which reductions a request allows, and what is said of them. May import: `reductions`, `properties`, `fairness`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lfc.actions.model import Machine
from lfc.mcheck.fairness import Fair
from lfc.mcheck.reductions import why_not
from lfc.mcheck.watched import Watch

PARTIAL_ORDER = "por"
REDUCTIONS = (PARTIAL_ORDER,)


@dataclass(slots=True)
class Reduction:
    """One that was asked for."""

    name: str
    why_not: str  # empty: it is used
    states: int = 0  # of which not all successors had to be looked at

    def as_data(self) -> dict[str, object]:
        return {"name": self.name, "used": not self.why_not, "reason": self.why_not, "reduced_states": self.states}

    def as_text(self, states: int) -> str:
        if self.why_not:
            return f"reduction {self.name}: not used, {self.why_not}"
        return f"reduction {self.name}: in {self.states} of {states} states only some processes' steps were looked at"


def named_reductions(text: str) -> tuple[str, ...] | None:
    """`all`, `none`, or names between commas; None: there is no such reduction."""
    names = [n.strip() for n in text.split(",")]
    if names in (["all"], ["none"]):
        return REDUCTIONS if names == ["all"] else ()
    return tuple(dict.fromkeys(names)) if all(n in REDUCTIONS for n in names) else None


def chosen_reductions(machine: Machine, names: Sequence[str], watched: Watch, fair: Sequence[Fair]) -> list[Reduction]:
    if PARTIAL_ORDER not in names:
        return []
    reason = why_not(machine)
    if watched.watchers:
        reason = reason or "a property process looks at every step"
    sensitive = [w.of.name for w in watched.properties if not w.stutter_insensitive]
    if sensitive:
        reason = reason or f"`{sensitive[0]}` counts steps"
    if fair and watched.properties:
        reason = reason or "fairness speaks of every process's steps"
    return [Reduction(PARTIAL_ORDER, reason)]
