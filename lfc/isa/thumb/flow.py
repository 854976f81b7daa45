"""Follows every path through one function of Thumb machine code, with how far the stack has grown."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from lfc.isa.code_flow import DEEPEST_POSSIBLE, Flow, Returns
from lfc.isa.thumb.code import Does, Instruction, decode, half, signed
from lfc.toolchain.elf import Symbol

LOADS_LITERAL, MAKES_ADDRESS = 0x4800, 0xA000  # LDR of a constant beside the code; ADR: for R0, at 0
LOADS_HALF = 0x8800
LOOK_BACK = 8  # bytes in which what sets a register stands before what uses it
CONDITION_OF_IT = 4  # instructions at most


class ThumbCode:
    """The code of an image. Addresses count from its first byte, those of `symbols` too; the processor's, from `base`
    on, are in the tables only."""

    def __init__(self, content: bytes, base: int, symbols: Sequence[Symbol], start: int) -> None:
        self.content = content
        self.base = base
        self.start = start  # of the function that may set the stack pointer: where it does, the stack is empty
        marks = {s.address: s.name[:2] for s in symbols if s.name[:2] in ("$d", "$t") and s.name[2:3] in ("", ".")}
        self.marks = sorted(marks.items())
        self.marked = [at for at, _ in self.marks]
        functions = {s.address: s.address + s.size for s in symbols if s.kind == "function" and s.size}
        self.starts = sorted(functions)
        self.ends = [functions[at] for at in self.starts]

    def is_data(self, at: int) -> bool:
        i = bisect_right(self.marked, at) - 1
        return i >= 0 and self.marks[i][1] == "$d"

    def end_of_data(self, at: int) -> int:
        return next((m for m, kind in self.marks if m > at and kind == "$t"), len(self.content))

    def function_around(self, at: int) -> range:
        i = bisect_right(self.starts, at) - 1
        return range(self.starts[i], self.ends[i]) if i >= 0 and at < self.ends[i] else range(at, at)

    def word(self, at: int) -> int:
        return half(self.content, at) | half(self.content, at + 2) << 16

    def before(self, at: int) -> Iterator[tuple[int, int]]:
        """The half-words before it and where they are, from the nearest on."""
        return ((place, half(self.content, place)) for place in range(at - 2, at - LOOK_BACK - 2, -2) if place >= 0)


def follow_thumb(code: ThumbCode, entry: int, returns: Returns) -> Flow:
    flow = Flow()
    deepest: dict[int, int] = {}  # address -> depth with which it was reached
    waiting = [(entry, 0)]
    conditional: set[int] = set()  # instructions that an IT before them may leave out
    while waiting:
        at, depth = waiting.pop()
        if depth <= deepest.get(at, -1) or depth > DEEPEST_POSSIBLE or at + 2 > len(code.content) or code.is_data(at):
            continue
        deepest[at] = depth
        flow.deepest = max(flow.deepest, depth)
        i = decode(code.content, at)
        if i.does is Does.MAKES_CONDITIONAL:
            place = at + i.size
            for _ in range(min(i.amount, CONDITION_OF_IT)):
                conditional.add(place)
                place += decode(code.content, place).size
        waiting += _after(code, at, i, depth, flow, returns)
        if at in conditional:
            waiting.append((at + i.size, depth))
    return flow


def _after(code: ThumbCode, at: int, i: Instruction, depth: int, flow: Flow, returns: Returns) -> list[tuple[int, int]]:
    """Where it goes on, how deep."""
    function = code.function_around(at)
    following = at + i.size
    match i.does:
        case Does.STOPS:
            return []
        case Does.RETURNS:
            flow.returns = True
            return []
        case Does.JUMPS_SOMEWHERE:
            flow.indirect = flow.returns = True
            return []
        case Does.JUMPS:
            return [(i.target, depth)]
        case Does.MAY_JUMP:
            return [(i.target, depth), (following, depth)]
        case Does.CALLS if i.target in function and i.target != function.start:
            return [(i.target, depth)]  # a jump over a long way: the compiler knows that LR is free
        case Does.CALLS:
            flow.calls_at(i.target, depth)
            return [(following, depth)] if returns(i.target) else []
        case Does.CALLS_SOMETHING:
            flow.indirect = True
        case Does.JUMPS_BY_BYTES | Does.JUMPS_BY_HALVES | Does.ADDS_TO_COUNTER | Does.SETS_COUNTER:
            targets = [t for t in table_targets(code, at, i) if t in function and not code.is_data(t)]
            if not targets:
                flow.indirect = flow.returns = True
            return [(t, depth) for t in targets]
        case Does.GROWS_STACK:
            depth += i.amount
        case Does.ADDS_TO_STACK:
            more = _literal(code, at, i.register)
            flow.unknown |= more is None
            depth -= more or 0
        case Does.SETS_STACK:
            flow.unknown |= function.start != code.start
            depth = 0
        case _:
            pass
    return [(following, depth)]


def table_targets(code: ThumbCode, at: int, i: Instruction) -> Iterator[int]:
    """Of a jump by a table: up to the end of the data that it begins, which may be more than the table."""
    if i.does is Does.SETS_COUNTER:
        table = next((_beside(place, w) for place, w in code.before(at) if w & 0xF800 == MAKES_ADDRESS), None)
        if table is not None:
            yield from ((code.word(place) & ~1) - code.base for place in range(table, code.end_of_data(table) - 3, 4))
        return
    # The older processors load the entry, double it, and add it to a counter that is two further on than the table.
    halves = i.does is Does.JUMPS_BY_HALVES or (
        i.does is Does.ADDS_TO_COUNTER and half(code.content, at - 4) & 0xF800 == LOADS_HALF
    )
    base = at + 4
    end = code.end_of_data(i.target)
    for place in range(i.target, end - 1 if halves else end, 2 if halves else 1):
        yield base + 2 * (half(code.content, place) if halves else code.content[place])


def _literal(code: ThumbCode, at: int, register: int) -> int | None:
    """The constant that was loaded into the register just before."""
    for place, w in code.before(at):
        if w & 0xFF00 == LOADS_LITERAL | register << 8:
            return signed(code.word(_beside(place, w)), 32)
    return None


def _beside(place: int, w: int) -> int:
    """The address that an instruction at `place` makes of the counter and its low byte."""
    return (place + 4 & ~3) + 4 * (w & 0xFF)
