"""Which blocks of the flow graphs an execution passes, for the checker: each stores 1 into a byte of its own.

These bytes lie before the room that the policies have before the state block, so that searches side by side have their
own: the byte of block n is at b - ROOM_OF_POLICIES - 1 - n. Behind the blocks come the branches of each CHOICE that is
treated fairly, a byte for each slot: which of them a process picks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.actions.model.machine import Choose
from lfc.codegen.module.before_block import ROOM_OF_POLICIES

if TYPE_CHECKING:
    from lfc.actions.model.machine import Block, Body, Machine
    from lfc.codegen.module.target import Target


def numbered_blocks(machine: Machine) -> list[tuple[Body, Block]]:
    """Of the program and the environment, by number."""
    return [(body, block) for body in machine.composed_bodies for block in body.blocks]


def fair_choices(machine: Machine) -> dict[Choose, int]:
    """Each with the number of the byte of its first branch and slot 0; all slots of a branch lie side by side."""
    found: dict[Choose, int] = {}
    following = len(numbered_blocks(machine))
    for body in machine.composed_bodies:
        for block in body.blocks:
            if isinstance(block.end, Choose) and any(block.end.fair):
                found[block.end] = following
                following += len(block.end.branches) * machine.slots
    return found


def picked_at(machine: Machine, target: Target) -> dict[Choose, int]:
    """The offset of that first byte from the state block; the others lie before it."""
    if not target.notes_blocks:
        return {}
    return {choose: -ROOM_OF_POLICIES - 1 - n for choose, n in fair_choices(machine).items()}


def passed_at(machine: Machine, target: Target) -> dict[int, int]:
    """By identity of each block the offset of its byte from the state block; none for a target that notes nothing."""
    if not target.notes_blocks:
        return {}
    return {id(block): -ROOM_OF_POLICIES - 1 - n for n, (_, block) in enumerate(numbered_blocks(machine))}
