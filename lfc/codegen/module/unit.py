"""One LLVM module under construction, and what its functions share: fault sites, constants, offers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.actions.layout.frames import frame_alignment
from lfc.codegen.module.access_log import Tellings
from lfc.codegen.module.composition import composed_layout
from lfc.codegen.module.emit import Value, number
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.module.passed_blocks import passed_at, picked_at

if TYPE_CHECKING:
    from lfc.actions.model.machine import BlockLayout, Body, Choose, Machine, RecordLayout
    from lfc.base.source import Span
    from lfc.codegen.module.access_log import ToldVariable
    from lfc.codegen.module.emit import Function
    from lfc.codegen.module.line_table import LineTable
    from lfc.codegen.module.target import Target
    from lfc.semantics.model.typed import Process, Variable


@dataclass(slots=True)
class Unit:
    target: Target
    machine: Machine
    functions: list[Function] = field(default_factory=list)
    globals: list[str] = field(default_factory=list)
    metadata: list[str] = field(default_factory=list)
    sites: list[FaultSite] = field(default_factory=list)
    site_numbers: dict[tuple[int, int, int, int], int] = field(default_factory=dict)
    made: set[str] = field(default_factory=set)
    line_table: LineTable | None = None
    properties_read_clock: bool = False
    derivable: bool = True  # without instruments it is the program that is generated without them
    functions_asked: dict[tuple[Process, bool], str] = field(default_factory=dict)  # by whether they are tried: symbols
    functions_made: list[Process] = field(default_factory=list)  # the first of those
    apart: dict[str, dict[str, str]] = field(default_factory=dict)  # what the kernel does about offers, as functions
    shared: set[int] = field(default_factory=set)  # ids of points of which one queue can hold several processes
    layout: BlockLayout = field(init=False)  # of program and environment together
    passed_at: dict[int, int] = field(init=False)  # where the checker is told that a block is passed
    picked_at: dict[Choose, int] = field(init=False)  # and which branch of a fair CHOICE is picked
    told: dict[Variable, ToldVariable] = field(init=False)  # variables whose accesses the checker is told

    def __post_init__(self) -> None:
        self.layout = composed_layout(self.machine)
        self.passed_at = passed_at(self.machine, self.target)
        self.picked_at = picked_at(self.machine, self.target)
        self.told = Tellings(self.machine).variables if self.target.tells_accesses else {}

    def layout_of(self, body: Body) -> BlockLayout:
        """The part of the block in which positions of this body's processes lie."""
        if body.domain == "environment" and self.machine.environment is not None:
            return self.machine.environment.layout
        return self.machine.layout

    def site(self, kind: int, span: Span, text: str, unsigned: bool = False) -> int:
        key = (kind, id(span.source), span.start, span.end)
        number = self.site_numbers.get(key)
        if number is None:
            number = self.site_numbers[key] = len(self.sites)
            self.sites.append(FaultSite(kind, span, text, unsigned))
        return number

    def function_symbol(self, process: Process, tried: bool) -> str:
        """Of a PROCEDURE without an effect. `tried`: its fault is no end, but told to the caller."""
        name = f'@"{"try" if tried else "function"}.{process.qualified_name}"'
        return self.functions_asked.setdefault((process, tried), name)

    def string_of_properties(self, value: bytes) -> Value:
        """One that the program does not have: it stays out of the pool, which is the program's."""
        name = f"@lf_asked_{value.hex()}"
        if name not in self.made:
            self.made.add(name)
            text = "".join(f"\\{c:02X}" for c in value)
            self.globals.append(f'{name} = internal constant [{len(value)} x i8] c"{text}", align 4')
        return Value("ptr", name)

    @property
    def slot_bits(self) -> int:
        return 16 if self.machine.wide else 8

    @property
    def port_bits(self) -> int:
        return 16 if self.machine.wide else 8

    @property
    def own_slot(self) -> Value:
        """The parameter of this name."""
        return Value(f"i{self.slot_bits}", "%slot")

    @property
    def nobody(self) -> Value:
        """Instead of a slot."""
        return number(self.slot_bits, -1)

    @property
    def no_channel(self) -> Value:
        return number(self.port_bits, 0)

    @property
    def body_parameters(self) -> str:
        """Every function of a body gets these, whatever it needs; the optimiser drops the rest."""
        return f"ptr %b, i{self.slot_bits} zeroext %slot, ptr %record, ptr %frame"

    @property
    def bodies(self) -> list[Body]:
        return self.machine.composed_bodies

    def add(self, function: Function) -> None:
        self.functions.append(function)

    def once(self, name: str, make: Callable[[], None]) -> str:
        """Makes the function or global `name` at its first use."""
        if name not in self.made:
            self.made.add(name)
            make()
        return name

    def symbol(self, body: Body, prefix: str) -> str:
        return f'@"{prefix}.{body.name}.{body.order}"'


def meeting_offsets(unit: Unit) -> tuple[int, int, int]:
    """Of a `struct lf_meeting`: where the own clause, the partner's slot and the partner's clause are."""
    return (4, 6, 8) if unit.machine.wide else (2, 3, 4)


def roots_of(layout: BlockLayout, body: Body) -> list[RecordLayout]:
    """The records in which this body can run: its own, and those of processes that reach it by calls."""
    found = []
    for record in layout.records:
        seen: set[int] = set()
        stack = [record.body]
        while stack:
            b = stack.pop()
            if id(b) not in seen:
                seen.add(id(b))
                stack.extend(b.calls_waiting)
        if id(body) in seen:
            found.append(record)
    return found


def reached(r: RecordLayout) -> list[Body]:
    """The bodies that can run in this record."""
    seen: list[Body] = []
    stack = [r.body]
    while stack:
        b = stack.pop()
        if b not in seen:
            seen.append(b)
            stack.extend(b.calls_waiting)
    return sorted(seen, key=lambda b: b.order)


def aligned_frame_size_of(unit: Unit, body: Body) -> int:
    """From a frame to the one of a callee."""
    assert body.frame is not None
    align = frame_alignment([b for b in unit.bodies if b.domain == body.domain])
    return -(-body.frame.size // align) * align
