"""Follows every path through one function of AVR machine code, with how far the stack has grown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfc.isa.avr.code import Y_HIGH, Y_LOW, Does, decode
from lfc.isa.code_flow import DEEPEST_POSSIBLE, Flow, Returns


@dataclass(slots=True)
class _Stack:
    """Depths are bytes below where the function found the stack. `y`: what the register pair Y holds, as such."""

    depth: int
    y: int | None
    moved: bool = False  # the stack pointer has been read: who writes it then moves the stack, which start-up does not


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
    depth, y, moved = stack.depth, stack.y, stack.moved
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
            moved = True
        case Does.WRITES_STACK:
            # The two halves are written one after the other; with the first the depth is as good as new. Start-up has
            # nothing in Y that is known: it writes the top of the memory.
            flow.unknown |= moved and (y is None or i.register not in (Y_LOW, Y_HIGH))
            depth = y if y is not None else 0
        case Does.SUBTRACTS_WORD if i.register == Y_LOW and y is not None:
            y += i.amount
        case Does.SUBTRACTS if i.register == Y_LOW and y is not None:
            y += i.amount
        case Does.SUBTRACTS_CARRY if i.register == Y_HIGH and y is not None:
            y += i.amount << 8
            y = y - 0x10000 if y >= 0x8000 else y
        case _ if changes_y(code[at] | code[at + 1] << 8):
            y = None
        case _:
            pass
    go(following, _Stack(depth, y, moved))


def changes_y(w: int) -> bool:
    """Whether an instruction that is none of the above writes a half of Y: then it is not known any more."""
    register = w >> 4 & 0x1F
    if w & 0xFF00 == 0x0100:  # MOVW
        return (w >> 4 & 0xF) * 2 == Y_LOW
    if 0x0400 <= w < 0x3000:  # of two registers; CPC, CPSE and CP write none
        return w >> 10 not in (1, 4, 5) and register in (Y_LOW, Y_HIGH)
    if w & 0xE000 == 0x6000 or w & 0xF000 == 0xE000:  # ORI, ANDI, LDI
        return 16 + (w >> 4 & 0xF) in (Y_LOW, Y_HIGH)
    if w & 0xD200 == 0x8000 or w & 0xF800 == 0xB000 or w & 0xFE08 == 0xF800:  # LDD, IN, BLD
        return register in (Y_LOW, Y_HIGH)
    if w & 0xFC00 == 0x9000 and w & 0xF in (0x9, 0xA):  # LD and ST by Y+ and -Y
        return True
    loads = w & 0xFE00 == 0x9000  # LDS, LD, LPM
    alone = w & 0xFE00 == 0x9400 and w & 0xF in (0, 1, 2, 3, 5, 6, 7, 10)  # COM to ROR, DEC
    return (loads or alone) and register in (Y_LOW, Y_HIGH)
