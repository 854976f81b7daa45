"""Loops that fill an array: a FOR with constant bounds that overwrites an element in each round and reads none before.

Where such a loop is entered, the elements of all rounds are as good as overwritten. That is said of loops within
one action only: at a position within a loop the position does not tell which elements are still the old ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lfc.actions.flow.lower import targets
from lfc.actions.model.machine import Advance, Attempt, Block, Branch, CallWaiting, Goto, Suspend
from lfc.mcheck.reduction.dead_variables.use_and_kill import Bits, BodyBytes
from lfc.semantics.model import typed
from lfc.semantics.model.typed import Variable
from lfc.semantics.model.types import scalar_range

MOST_ROUNDS = 4096


def filled_by_loops(found: BodyBytes) -> Mapping[Block, Bits]:
    """By the head of each such loop."""
    heads = [b for b in found.body.blocks if b.rounds is not None]
    loops = {head: filled_by(head, found) for head in heads if 0 < (head.rounds or 0) <= MOST_ROUNDS}
    return {head: filled for head, filled in loops.items() if filled}


def filled_by(head: Block, found: BodyBytes) -> Bits:
    """Only its own end leads out of such a loop, so whoever enters it makes all rounds, or fails in one; the
    FOR's variable has the values of these rounds, for nobody else changes it (`Block.rounds`). The last round may also
    be left before the step, where the variable's type has no room for it."""
    blocks = found.body.blocks
    before = [b for b in blocks if head in targets(b.end) and not is_round(b, head)]
    last = [b for b in blocks if is_round(b, head)]
    if len(before) != 1 or len(last) != 1:
        return 0
    start = before[0].statements[-1] if before[0].statements else None
    step = last[0].statements[-1] if last[0].statements else None
    if not isinstance(before[0].end, Goto) or not isinstance(start, typed.Assign) or not isinstance(step, Advance):
        return 0
    if not isinstance(start.target, typed.VariableRef) or not isinstance(step.target, typed.VariableRef):
        return 0
    variable = start.target.variable
    low = start.value.value if isinstance(start.value, typed.Constant) else None
    if step.target.variable is not variable or not isinstance(low, int) or head.rounds is None:
        return 0
    inside = round_of(head, last[0], blocks)
    begin = [b for b in targets(head.end) if b in inside]
    if len(begin) != 1:
        return 0
    leaving = {block for block in inside if any(b is not head and b not in inside for b in targets(block.end))}
    if not all(leaves_after_last(block, variable, step.amount, last[0]) for block in leaving):
        return 0
    if any(isinstance(block.end, Attempt | Suspend | CallWaiting) for block in inside):
        return 0
    always = [b for b in inside if passes(b, begin[0], {head, *leaving})]
    filled = 0
    for value in range(low, low + head.rounds * step.amount, step.amount):
        for block in always:
            filled |= found.overwritten_in(block, {variable: value})
    for block in [*inside, head]:
        filled &= ~found.used_in(block)
    return filled


def is_round(block: Block, head: Block) -> bool:
    return isinstance(block.end, Goto) and block.end.backward and block.end.target is head


def round_of(head: Block, last: Block, blocks: Iterable[Block]) -> set[Block]:
    """All from which control can come to the end of a round, in the same action, without passing the head."""
    found = {last}
    changed = True
    while changed:
        more = {b for b in blocks if b is not head and b not in found and any(f in found for f in targets(b.end))}
        found |= more
        changed = bool(more)
    return found


def leaves_after_last(block: Block, variable: Variable, amount: int, step: Block) -> bool:
    """Whether it leaves only where the step would leave the variable's type."""
    end = block.end
    if not isinstance(end, Branch) or end.then is not step or not isinstance(end.condition, typed.Relation):
        return False
    low, high = scalar_range(variable.type)
    left, right = end.condition.left, end.condition.right
    while isinstance(left, typed.Convert):
        left = left.operand
    return (
        isinstance(left, typed.VariableRef)
        and left.variable is variable
        and end.condition.op == ("<=" if amount > 0 else ">=")
        and isinstance(right, typed.Constant)
        and right.value == (high if amount > 0 else low) - amount
    )


def passes(block: Block, begin: Block, ends: set[Block]) -> bool:
    """Whether each way through a round does, before its end."""
    seen = {block}
    work = [begin]
    while work:
        b = work.pop()
        if b in seen:
            continue
        if b in ends:
            return False
        seen.add(b)
        work += targets(b.end)
    return True
