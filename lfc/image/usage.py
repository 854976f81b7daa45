"""What takes flash and RAM of an image: by process and message where the line tables tell, and the rest by part."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field

from lfc.actions.layout.fields import block_fields
from lfc.actions.model.machine import Attempt, Body, Machine
from lfc.base.source import Span
from lfc.codegen.module.generated import PolicyLayout
from lfc.codegen.module.line_table import file_name
from lfc.semantics.model import typed
from lfc.toolchain.elf import DATA_SPACE, Section, Symbol, read_sections, read_symbol_list
from lfc.toolchain.line_rows import read_code_ranges

# Parts that belong to no process.
SHARED = "shared by several processes, kernel"  # what the line tables give no line, or several
START = "start-up and vectors"
CONSTANTS = "constants"
MEMORY = "lf_memory"
START_SYMBOLS = (
    "__vectors",
    "lf_start",
    "__do_clear_bss",
    "__do_copy_data",
    "lf_trap",
    "unexpected_interrupt",
    "lf_main",
)


@dataclass(slots=True)
class Usage:
    """Bytes. The values of `flash` add up to the whole, as do those of `ram` (without the stack)."""

    flash: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # process or part -> bytes
    messages: dict[str, int] = field(default_factory=lambda: defaultdict(int))  # code of its communications
    ram: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    state_block: int = 0
    policy_block: int = 0

    def modules(self, amounts: dict[str, int]) -> dict[str, int]:
        """The amounts of processes, by module."""
        found: dict[str, int] = defaultdict(int)
        for name, size in amounts.items():
            if "." in name:
                found[name.split(".")[0]] += size
        return dict(found)


@dataclass(frozen=True, slots=True)
class _Owner:
    process: str
    message: str | None


def measure_usage(elf: bytes, machine: Machine, policies: PolicyLayout) -> Usage:
    usage = Usage()
    sections = read_sections(elf)
    symbols = read_symbol_list(elf)
    _measure_flash(usage, elf, machine, sections, symbols)
    _measure_ram(usage, machine, policies, sections, symbols)
    return usage


def _measure_flash(usage: Usage, elf: bytes, machine: Machine, sections: list[Section], symbols: list[Symbol]) -> None:
    owners = _owners(machine)
    ranges = read_code_ranges(elf)
    for section in sections:
        if not section.has_content:
            continue
        if not section.executable:
            usage.flash[CONSTANTS] += section.size
            continue
        parts = _parts(section, symbols)
        starts = [start for start, _ in parts]
        left = dict.fromkeys(starts, 0)
        for i, (start, _) in enumerate(parts):
            end = starts[i + 1] if i + 1 < len(starts) else section.address + section.size
            left[start] = end - start
        for r in ranges:
            owner = owners.get((r.file, r.line, r.column))
            if owner is None or not section.address <= r.start < section.address + section.size:
                continue
            size = r.end - r.start
            left[parts[bisect_right(starts, r.start) - 1][0]] -= size
            usage.flash[owner.process] += size
            if owner.message is not None:
                usage.messages[owner.message] += size
        for start, part in parts:
            usage.flash[part] += left[start]


def _parts(section: Section, symbols: list[Symbol]) -> list[tuple[int, str]]:
    """Where each part of the section begins, and its name: by the symbols, the last of several at one place."""
    inside = [
        s for s in symbols if section.address <= s.address < section.address + section.size and s.kind != "absolute"
    ]
    begins = {section.address: START}
    for s in sorted(inside, key=lambda s: (s.address, s.size)):
        if s.size or s.name in START_SYMBOLS:
            begins[s.address] = _part_of(s)
    return sorted(begins.items())


def _part_of(symbol: Symbol) -> str:
    name = symbol.name
    if name in START_SYMBOLS:
        return START
    if symbol.kind == "object":
        return CONSTANTS
    if name.startswith(("run.", "function.")):
        return SHARED  # what is left of a process's function when its own lines are taken out
    if name.startswith(("lf_port_", "__vector_")) or not name.startswith("lf_"):
        return "port and arithmetic"
    if name == "lf_fault" or name == "write_number":
        return "faults"
    return SHARED


def _owners(machine: Machine) -> dict[tuple[str, int, int], _Owner]:
    """Whose a line and column is, as the line tables have them."""
    found: dict[tuple[str, int, int], _Owner] = {}
    main = machine.program.main.source

    def add(span: Span, owner: _Owner) -> None:
        found.setdefault((file_name(main, span.source), span.line, span.column), owner)

    for body in machine.bodies:
        name = process_name(machine, body)
        for block in body.blocks:
            for statement in block.statements:
                add(statement.span, _Owner(name, None))
            if block.end is not None:
                add(block.end.span, _Owner(name, _message(block.end)))
        if body.process is not None:
            add(body.process.span, _Owner(name, None))
    return found


def process_name(machine: Machine, body: Body) -> str:
    return body.name if body.process is not None else f"{machine.program.main.name}.(initialisation)"


def _message(end: object) -> str | None:
    """The message of a communication; a SELECT has several."""
    if not isinstance(end, Attempt):
        return None
    names = {
        c.event.message.name
        for c in end.point.clauses
        if isinstance(c.event, typed.Send | typed.Receive) and not isinstance(c.event.port, typed.IoPort)
    }
    return names.pop() if len(names) == 1 else "(several, in a SELECT)" if names else None


def _measure_ram(
    usage: Usage, machine: Machine, policies: PolicyLayout, sections: list[Section], symbols: list[Symbol]
) -> None:
    usage.state_block, usage.policy_block = machine.layout.size, policies.size
    in_ram = [s for s in sections if not s.executable and (s.writable or s.address >= DATA_SPACE)]
    total = sum(s.size for s in in_ram)
    fields = block_fields(machine.layout)
    for f in fields:
        owner = f.owner.split("[")[0]
        if owner == "init":
            owner = f"{machine.program.main.name}.(initialisation)"
        usage.ram[owner if "." in owner or owner == "SYSTEM" else f"{owner}.(variables)"] += f.size
    usage.ram["padding of the state block"] = machine.layout.size - sum(f.size for f in fields)
    usage.ram["policy block"] = policies.size
    counted = {MEMORY: next((s.address, s.address + s.size) for s in symbols if s.name == MEMORY)}
    for s in sorted(symbols, key=lambda s: (s.address, -s.size)):  # other names of the same bytes count once
        if (
            s.kind == "object"
            and s.size
            and not any(a <= s.address < b for a, b in counted.values())
            and any(x.address <= s.address < x.address + x.size for x in in_ram)
        ):
            constant = any(x.has_content and x.address <= s.address < x.address + x.size for x in in_ram)
            usage.ram[CONSTANTS if constant else "console and clock"] += s.size
            counted[s.name] = (s.address, s.address + s.size)
    usage.ram["alignment"] += total - sum(usage.ram.values())
    for name in [n for n, size in usage.ram.items() if size == 0]:
        del usage.ram[name]
