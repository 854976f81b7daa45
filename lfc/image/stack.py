"""How deep the stack of an AVR image gets: computed from the machine code, interrupts included.

Every path through every function is followed, with how far the stack has grown; a jump out of a function is followed as
well. Interrupt routines do not interrupt each other. May import: `avr_code`, `elf`, `failure`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from lfc.image.avr_code import Y_HIGH, Y_LOW, Does, decode
from lfc.image.elf import Symbol, read_load_segments, read_symbols
from lfc.image.failure import ImageError

VECTORS = "__vectors"
VECTOR_SIZE = 4
FAR_FLASH = 128 * 1024  # with more than this, a return address has three bytes


@dataclass(slots=True)
class StackUse:
    main: int  # bytes, without interrupts
    interrupts: int  # of the interrupt routine that takes most
    chain: list[str]  # who calls whom where it is deepest, from the start
    indirect: list[str] = field(default_factory=list)  # functions that call by a pointer: not counted
    unbounded: list[str] = field(default_factory=list)  # recursive functions of which no bound is known

    @property
    def total(self) -> int:
        return self.main + self.interrupts


@dataclass(slots=True)
class _Flow:
    """One function by itself."""

    deepest: int = 0
    calls: dict[int, int] = field(default_factory=dict)  # entry of the called one -> how deep the stack is before
    indirect: bool = False
    returns: bool = False


@dataclass(slots=True)
class _Stack:
    """Depths are bytes below where the function found the stack. `y`: what the register pair Y holds, as such."""

    depth: int
    y: int | None


def compute_stack(elf: bytes, flash_size: int, bounds: Mapping[str, int]) -> StackUse:
    """`bounds`: of recursive functions, by the names of their symbols, how many calls can be under way."""
    symbols = read_symbols(elf)
    if VECTORS not in symbols:
        raise ImageError(f"the image has no symbol `{VECTORS}`")
    code = bytearray()
    for segment in read_load_segments(elf):
        code.extend(bytes(max(0, segment.load_address - len(code))))
        code[segment.load_address :] = segment.content
    return _Depths(bytes(code), symbols, 3 if flash_size > FAR_FLASH else 2, bounds).use(symbols[VECTORS])


class _Depths:
    def __init__(self, code: bytes, symbols: Mapping[str, Symbol], return_size: int, bounds: Mapping[str, int]) -> None:
        self.code = code
        self.return_size = return_size
        self.bounds = bounds
        self.flows: dict[int, _Flow] = {}
        self.entered: set[int] = set()
        self.found: dict[int, tuple[int, list[int]]] = {}  # entry -> depth, chain of entries
        self.functions = [s for s in symbols.values() if not s.in_data and s.size]
        self.names = {s.address: s.name for s in self.functions}

    def use(self, vectors: Symbol) -> StackUse:
        main, chain = self.depth(vectors.address)
        routines = [self.depth(at)[0] for at in range(VECTOR_SIZE, vectors.size, VECTOR_SIZE)]
        indirect = sorted({self.name(entry) for entry, flow in self.flows.items() if flow.indirect})
        unbounded = sorted({self.name(e) for e in self.flows if self.is_recursive(e) and self.bound(e) is None})
        interrupts = max((r + self.return_size for r in routines), default=0)
        return StackUse(main, interrupts, [name for name, _ in groupby(map(self.name, chain))], indirect, unbounded)

    def name(self, entry: int) -> str:
        """Of the function that begins there; of the one in which it lies, if the start of none (assembler)."""
        if entry in self.names:
            return self.names[entry]
        around = [s.name for s in self.functions if s.address < entry < s.address + s.size]
        return around[0] if around else f"{entry:#x}"

    def bound(self, entry: int) -> int | None:
        return self.bounds.get(self.name(entry))

    def flow(self, entry: int) -> _Flow:
        if entry not in self.flows:
            self.entered.add(entry)
            self.flows[entry] = _follow(self.code, entry, self.returns)
        return self.flows[entry]

    def returns(self, entry: int) -> bool:
        """What stands after a call of a function that never returns is not its caller's, but whatever comes next."""
        if entry in self.entered and entry not in self.flows:
            return True  # recursive; some way leads out
        return self.flow(entry).returns

    def reachable(self, entry: int) -> set[int]:
        seen: set[int] = set()
        waiting = [*self.flow(entry).calls]
        while waiting:
            e = waiting.pop()
            if e not in seen:
                seen.add(e)
                waiting.extend(self.flow(e).calls)
        return seen

    def is_recursive(self, entry: int) -> bool:
        return entry in self.reachable(entry)

    def depth(self, entry: int) -> tuple[int, list[int]]:
        if entry in self.found:
            return self.found[entry]
        cycle = {entry}
        if self.is_recursive(entry):
            cycle = {e for e in self.reachable(entry) if entry in self.reachable(e)}
        # On a cycle, each function can be there as often as its bound says; then the last one goes on to the outside.
        within = 0
        for e in cycle:
            inner = [d + self.return_size for callee, d in self.flow(e).calls.items() if callee in cycle]
            if inner:
                within += (self.bound(e) or 1) * max(inner)
        best, chain = 0, [entry]
        for e in sorted(cycle):
            flow = self.flow(e)
            if flow.deepest > best:
                best, chain = flow.deepest, [entry]
            for callee, before in sorted(flow.calls.items()):
                if callee not in cycle:
                    below, names = self.depth(callee)
                    if before + self.return_size + below > best:
                        best, chain = before + self.return_size + below, [entry, *names]
        result = within + best, chain
        for e in cycle:
            self.found[e] = result if e == entry else (result[0], [e, *chain[1:]])
        return result


def _follow(code: bytes, entry: int, returns: Callable[[int], bool]) -> _Flow:
    flow = _Flow()
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
        if stack.depth > 0x10000 or at + 2 > len(code):
            continue  # a loop that only pushes, or a jump to nowhere: no compiled code does that
        reached[at] = stack
        flow.deepest = max(flow.deepest, stack.depth)
        _one_step(code, at, stack, flow, go, returns)
    return flow


def _one_step(
    code: bytes,
    at: int,
    stack: _Stack,
    flow: _Flow,
    go: Callable[[int, _Stack], None],
    returns: Callable[[int], bool],
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
            flow.calls[i.target] = max(flow.calls.get(i.target, 0), depth)
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
