"""Follows every path through one function of AVR machine code, with how far the stack has grown.

May import: `avr_code`, `code_flow`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfc.image.avr_code import Y_HIGH, Y_LOW, Does, decode
from lfc.image.code_flow import DEEPEST_POSSIBLE, Flow, Returns


@dataclass(slots=True)
class _Stack:
    """Depths are bytes below where the function found the stack. `y`: what the register pair Y holds, as such."""

    depth: int
    y: int | None


def follow_avr(code: bytes, entry: int, returns: Returns) -> Flow:
    flow = Flow()
    reached: dict[int, _Stack] = {}
    waiting = [(entry, _Stack(0, None))]

    def go(at: int, stack: _Stack) -> None:
        known = reached.get(at)
        if known is None or stack.depth > known.depth:
            waiting.append((at, stack))

    while waiting:
        at, stack = waiting.pop()
        known = reached.get(at)
        if known is not None and stack.depth <= known.depth:
            continue
        if stack.depth > DEEPEST_POSSIBLE or at + 2 > len(code):
            continue  # or a jump to nowhere
        reached[at] = stack
        flow.deepest = max(flow.deepest, stack.depth)
        _one_step(code, at, stack, flow, go, returns)
    return flow


def _one_step(
    code: bytes,
    at: int,
    stack: _Stack,
    flow: Flow,
    go: Callable[[int, _Stack], None],
    returns: Returns,
) -> None:
    i = decode(code, at)
    following = at + i.size
    depth, y = stack.depth, stack.y
    match i.does:
        case Does.RETURNS:
            flow.returns = True
            return
        case Does.JUMPS_SOMEWHERE:
            flow.indirect = flow.returns = True
            return
        case Does.JUMPS:
            go(i.target, stack)
            return
        case Does.MAY_JUMP:
            go(i.target, stack)
        case Does.SKIPS:
            go(following + decode(code, following).size, stack)
        case Does.CALLS:
            flow.calls_at(i.target, depth)
            if not returns(i.target):
                return
        case Does.CALLS_SOMETHING:
            flow.indirect = True
        case Does.PUSHES:
            depth += 1
        case Does.POPS:
            depth -= 1
            y = None if i.register in (Y_LOW, Y_HIGH) else y
        case Does.READS_STACK:
            y = depth if i.register in (Y_LOW, Y_HIGH) else y
        case Does.WRITES_STACK:
            # The two halves are written one after the other; with the first the depth is as good as new. Start-up has
            # nothing in Y that is known: it writes the top of the memory.
            depth = y if y is not None else 0
        case Does.SUBTRACTS_WORD if i.register == Y_LOW and y is not None:
            y += i.amount
        case Does.SUBTRACTS if i.register == Y_LOW and y is not None:
            y += i.amount
        case Does.SUBTRACTS_CARRY if i.register == Y_HIGH and y is not None:
            y += i.amount << 8
            y = y - 0x10000 if y >= 0x8000 else y
        case _:
            pass
    go(following, _Stack(depth, y))
