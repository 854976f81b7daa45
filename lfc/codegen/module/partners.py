"""Which clauses are partners of each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.semantics.model import typed

if TYPE_CHECKING:
    from lfc.actions.model.machine import PointClause

RAISES = "send interrupt"
PARTNER = {"send": "receive", "receive": "send", RAISES: "receive interrupt"}


def direction_of(clause: PointClause) -> tuple[str, object]:
    """What a clause's partners are found by: sends and receives by message, interrupts by number."""
    event = clause.event
    if isinstance(event, typed.Send | typed.Receive):
        kind = "send" if isinstance(event, typed.Send) else "receive"
        if isinstance(event.port, typed.InterruptPort):
            return f"{kind} interrupt", event.port.number
        return kind, id(event.message)
    return type(event).__name__, None
