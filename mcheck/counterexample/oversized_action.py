"""An action that has stopped a search from within: it does more than can be kept or waited for, by its inputs and
decisions. Which one it is, and what to do.
"""

from __future__ import annotations

import ctypes

from lfc.actions.model.machine import Machine
from lfc.mcheck.engine.abi import NOBODY, Crowd, Crowded
from lfc.mcheck.request.world import Inputs
from lfc.mcheck.search.search import Search, Stop
from lfc.run import report
from lfc.run.port_reads import port_text
from lfc.run.steps import StepPrinter


def crowded_reason(machine: Machine, search: Search, stop: Stop) -> str:
    """Why it was stopped; empty: no action has done it."""
    if stop not in (Stop.MEMORY, Stop.BROKEN):
        return ""
    found, block = Crowded(), ctypes.create_string_buffer(search.block_size + 8)
    why = search.library.mc_get_crowded(search.engine, ctypes.byref(found), block)
    if not why:
        return ""
    action = action_text(machine, block.raw[: machine.block_size], found.slot)
    tried = f"{found.executions} alternatives of {action} were tried"
    return {
        Crowd.ROOM: f"one action has more outcomes than fit in memory: {tried}",
        Crowd.TOO_LONG: f"time limit reached (--time) within one action: {tried}",
        Crowd.STOPPED_WITHIN: f"interrupted within one action: {tried}",
        Crowd.DECISIONS: f"an action makes more decisions than the checker can encode: {action}",
    }[why] + remedy(machine, search, found)


def action_text(machine: Machine, block: bytes, slot: int) -> str:
    position = None if slot == NOBODY[machine.wide] else machine.position_at(block, slot)
    if position is None:
        return "an interrupt"
    return f"the action of {StepPrinter(machine, block).name(slot)} that begins at {report.place(position.span)}"


def remedy(machine: Machine, search: Search, found: Crowded) -> str:
    if not found.inputs:
        return ""
    told = [port_text(machine, w, a) if w else "input" for w, a in zip(found.width, found.address, strict=True)]
    names = list(dict.fromkeys(told[: found.inputs]))
    more = ", ..." if found.inputs > len(told) else ""
    count = f"{found.inputs} input{'s' * (found.inputs != 1)}"
    ways = ["restrict a port's values with --assume", "put a RESCHEDULE between two reads to split the action"]
    if search.request.world.inputs == Inputs.ALL:
        ways.insert(0, "use --inputs split, which distinguishes only values that the program tests")
    return f"; it has {count} ({', '.join(names)}{more}): {', '.join(ways)}"
