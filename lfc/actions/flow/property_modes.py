"""Resolves the first CHOICE of each action of a property process: it picks there and stops at the next one.

Every block exists twice: as reached before the action has picked, and after.
"""

from __future__ import annotations

from lfc.actions.flow.lower import reachable_blocks
from lfc.actions.model.machine import Block, Body, Branch, CallWaiting, Choose, Goto, Suspend, Switch, Terminator


def resolve_first_choice(body: Body) -> None:
    copies: dict[tuple[Block, bool], Block] = {}
    made: list[Block] = []

    def copy_of(block: Block, picked: bool) -> Block:
        if (block, picked) not in copies:
            copy = Block(2 * block.number + picked, block.statements, block.end, block.rounds)
            copies[block, picked] = copy
            made.append(copy)
        return copies[block, picked]

    def redirected(end: Terminator | None, picked: bool) -> Terminator | None:
        match end:
            case Goto():
                return Goto(copy_of(end.target, picked), end.span, end.backward)
            case Branch():
                return Branch(end.condition, copy_of(end.then, picked), copy_of(end.otherwise, picked), end.span)
            case Switch():
                cases = [(labels, copy_of(block, picked)) for labels, block in end.cases]
                otherwise = None if end.otherwise is None else copy_of(end.otherwise, picked)
                return Switch(end.selector, cases, otherwise, end.span)
            case Choose():
                return Choose([copy_of(block, True) for block in end.branches], end.span)
            case Suspend() if end.position.kind == "choice" and not picked:
                assert end.position.entry is not None
                return Goto(copy_of(end.position.entry, False), end.span)
            case CallWaiting():
                raise AssertionError("a property process calls nothing that reaches a scheduling point")
        return end

    assert body.entry is not None
    entry = copy_of(body.entry, False)
    entries = {p: copy_of(p.entry, False) for p in body.positions if p.entry is not None}
    done = 0
    while done < len(made):
        block = made[done]
        picked = block.number % 2 == 1
        block.end = redirected(block.end, picked)
        done += 1
    body.entry = entry
    for position, block in entries.items():
        position.entry = block
    body.blocks = reachable_blocks(body)
