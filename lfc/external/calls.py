"""Which EXTERNAL processes a program calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.semantics.model.typed import Process


def external_calls(machine: Machine) -> list[Process]:
    """The EXTERNAL processes that the program calls, in the order of the text."""
    called = (b.process for b in machine.all_bodies())
    return list(dict.fromkeys(p for p in called if p is not None and p.external))
