"""How deep the stack of an image gets: computed from the machine code, interrupts included.

Every path through every function is followed, with how far the stack has grown; a jump out of a function is
followed as well. Interrupt routines do not interrupt each other: on AVR and RISC-V they do not allow it, on Cortex-M
all have the same priority.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from lfc.isa.avr.code import decode
from lfc.isa.avr.flow import follow_avr
from lfc.isa.code_flow import Flow, Returns
from lfc.isa.riscv.flow import TRAP, RiscvCode, entries_of_table, follow_riscv
from lfc.isa.thumb.flow import ThumbCode, follow_thumb
from lfc.toolchain.elf import Symbol, copied_segments, flash_content, is_riscv, read_load_segments, read_symbol_list
from lfc.toolchain.failure import ImageError

AVR_VECTORS, VECTORS = "__vectors", "lf_vectors"
THUMB_VECTOR_SIZE = 4
START_OF_RISCV = "lf_start"
START, FIRST_ROUTINE = 1, 4  # vectors of a Cortex-M: those of faults, between the two, end all, and are not counted
EXCEPTION_FRAME = 32  # eight words, which begin at a multiple of eight bytes; the floating-point unit is off


@dataclass(slots=True)
class StackUse:
    main: int  # bytes, without interrupts
    interrupts: int  # of the interrupt routine that takes most
    chain: list[str]  # who calls whom where it is deepest, from the start
    indirect: list[str] = field(default_factory=list)  # functions that call by a pointer: not counted
    unbounded: list[str] = field(default_factory=list)  # recursive functions of which no bound is known
    unknown: list[str] = field(default_factory=list)  # functions that move the stack by an amount that is not known

    @property
    def total(self) -> int:
        return self.main + self.interrupts


def compute_stack(elf: bytes, long_returns: bool, bounds: Mapping[str, int]) -> StackUse:
    """`long_returns`: of an AVR, whose return addresses have three bytes.
    `bounds`: of recursive functions, by the names of their symbols, how many calls can be under way."""
    symbols = read_symbol_list(elf)
    if is_riscv(elf):
        return _stack_of_riscv(elf, symbols, bounds)
    vectors = next((s for s in symbols if s.name in (AVR_VECTORS, VECTORS)), None)
    if vectors is None:
        raise ImageError(f"the image has no symbol `{AVR_VECTORS}` or `{VECTORS}`")
    if vectors.name == AVR_VECTORS:
        return _stack_of_avr(elf, symbols, vectors, 3 if long_returns else 2, bounds)
    return _stack_of_thumb(elf, symbols, vectors, bounds)


def _stack_of_avr(
    elf: bytes, symbols: Sequence[Symbol], vectors: Symbol, return_size: int, bounds: Mapping[str, int]
) -> StackUse:
    code = bytearray()
    for segment in read_load_segments(elf):
        code.extend(bytes(max(0, segment.load_address - len(code))))
        code[segment.load_address :] = segment.content
    content = bytes(code)
    functions = [s for s in symbols if not s.in_data and s.size]
    depths = _Depths(lambda entry, returns: follow_avr(content, entry, returns), functions, return_size, bounds)
    each = decode(content, vectors.address).size  # JMP, or RJMP
    routines = range(vectors.address + each, vectors.address + vectors.size, each)
    use = depths.use(vectors.address, routines)
    use.interrupts += return_size
    return use


def _stack_of_thumb(elf: bytes, symbols: Sequence[Symbol], vectors: Symbol, bounds: Mapping[str, int]) -> StackUse:
    segment = next(s for s in read_load_segments(elf) if 0 <= vectors.address - s.address < len(s.content))
    base = segment.address
    symbols = [replace(s, address=s.address - base) for s in symbols if s.kind != "absolute"]
    table = ThumbCode(segment.content, base, symbols, 0)
    words = [table.word(vectors.address - base + at) for at in range(0, vectors.size, THUMB_VECTOR_SIZE)]
    entries = [(word & ~1) - base for word in words]
    code = ThumbCode(segment.content, base, symbols, entries[START])
    functions = [s for s in symbols if s.kind == "function" and s.size]
    depths = _Depths(lambda entry, returns: follow_thumb(code, entry, returns), functions, 0, bounds)
    routines = [e for e, word in zip(entries, words, strict=True) if word][FIRST_ROUTINE:]
    use = depths.use(entries[START], routines)
    use.interrupts += -use.main % 8 + EXCEPTION_FRAME
    return use


def _stack_of_riscv(elf: bytes, symbols: Sequence[Symbol], bounds: Mapping[str, int]) -> StackUse:
    """What an interrupt takes is what the entry of traps saves, and its routine."""
    start = next(s.address for s in symbols if s.name == START_OF_RISCV)
    base = next(s.address for s in read_load_segments(elf) if 0 <= start - s.address < len(s.content))
    content = flash_content(elf, base)
    symbols = [replace(s, address=s.address - base) for s in symbols if s.kind != "absolute"]
    known = {s.name: s for s in symbols}
    routines: list[int] = []
    if VECTORS in known:
        table = content[known[VECTORS].address :][: known[VECTORS].size]
        routines = sorted({*entries_of_table(table, base)})
    code = RiscvCode(content, base, symbols, start - base, routines, copied_segments(elf))
    functions = [s for s in symbols if s.kind == "function" and s.size]
    depths = _Depths(lambda entry, returns: follow_riscv(code, entry, returns), functions, 0, bounds)
    return depths.use(start - base, [known[TRAP].address] if TRAP in known else [])


class _Depths:
    def __init__(
        self,
        follow: Callable[[int, Returns], Flow],
        functions: Sequence[Symbol],
        return_size: int,
        bounds: Mapping[str, int],
    ) -> None:
        """`return_size`: of what a call itself puts on the stack."""
        self.follow = follow
        self.return_size = return_size
        self.bounds = bounds
        self.flows: dict[int, Flow] = {}
        self.entered: set[int] = set()
        self.found: dict[int, tuple[int, list[int]]] = {}  # entry -> depth, chain of entries
        self.functions = functions
        self.names = {s.address: s.name for s in functions}

    def use(self, start: int, routines: Iterable[int]) -> StackUse:
        """`interrupts` is without what the processor itself puts on the stack."""
        main, chain = self.depth(start)
        interrupts = max((self.depth(r)[0] for r in routines), default=0)
        return StackUse(
            main,
            interrupts,
            [name for name, _ in groupby(map(self.name, chain))],
            self.names_of(lambda _, flow: flow.indirect),
            self.names_of(lambda entry, _: self.is_recursive(entry) and self.bound(entry) is None),
            self.names_of(lambda _, flow: flow.unknown),
        )

    def names_of(self, which: Callable[[int, Flow], bool]) -> list[str]:
        return sorted({self.name(entry) for entry, flow in [*self.flows.items()] if which(entry, flow)})

    def name(self, entry: int) -> str:
        """Of the function that begins there; of the one in which it lies, if the start of none (assembler)."""
        if entry in self.names:
            return self.names[entry]
        around = [s.name for s in self.functions if s.address < entry < s.address + s.size]
        return around[0] if around else f"{entry:#x}"

    def bound(self, entry: int) -> int | None:
        return self.bounds.get(self.name(entry))

    def flow(self, entry: int) -> Flow:
        if entry not in self.flows:
            self.entered.add(entry)
            self.flows[entry] = self.follow(entry, self.returns)
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
