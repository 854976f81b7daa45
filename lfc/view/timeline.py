"""A run as signals over time, one unit for each step: what files for other viewers are made of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.run.names import live_processes, parts, shared_names, source_text
from lfc.run.port_reads import port_text
from lfc.run.steps import StepPrinter, StepText
from lfc.view.replayed import ReplayedStep

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine

NUMBER = re.compile(r"-?\d+")


@dataclass(slots=True)
class Signal:
    """`kind`: number, boolean or text. `values`: in each moment, the start first; None: there is none then."""

    owner: str  # module or process
    name: str
    kind: str
    values: list[str | None]


@dataclass(slots=True)
class Timeline:
    """Moment k is after k steps. `waits`: of each process in each moment what it waits for; empty: it is ready, None:
    it does not live. `partners`: of each step who sends what to whom."""

    module: str
    steps: list[StepText] = field(default_factory=list)
    signals: list[Signal] = field(default_factory=list)
    waits: dict[str, list[str | None]] = field(default_factory=dict)
    lines: dict[str, list[int | None]] = field(default_factory=dict)
    messages: list[list[tuple[str, str, str]]] = field(default_factory=list)
    fault: str = ""

    @property
    def moments(self) -> int:
        return len(self.messages) + 1


def timeline_of(machine: Machine, steps: Sequence[ReplayedStep]) -> Timeline:
    """Of steps that were done again."""
    from lfc.run.chart import Arrow, chart_of

    done = [s for s in steps if s.after is not None]
    blocks = [s.before for s in done] + [s.after for s in done[-1:] if s.after is not None]
    if not blocks and steps:
        blocks = [steps[0].before]
    found = Timeline(machine.program.main.name, fault=steps[-1].fault if steps else "")
    if not blocks:
        return found
    printer = StepPrinter(machine, blocks[0])
    found.steps = [printer.step_text(s.decided, after) for s, after in zip(done, blocks[1:], strict=True)]
    chart = chart_of(machine, [s.decided for s in done], blocks)
    found.messages = [[] for _ in done]
    for row in chart.rows:
        if isinstance(row, Arrow):
            found.messages[row.step - 1].append((row.source, row.target, row.message))
    add_processes(found, machine, blocks)
    found.signals = [*variables(machine, blocks), *outputs(machine, done)]
    return found


def add_processes(found: Timeline, machine: Machine, blocks: Sequence[bytes]) -> None:
    for number, block in enumerate(blocks):
        for p in live_processes(machine, block):
            waits = found.waits.setdefault(p.name, [None] * len(blocks))
            waits[number] = "" if p.position.ready else source_text(p.position.span)
            found.lines.setdefault(p.name, [None] * len(blocks))[number] = p.position.span.line


def variables(machine: Machine, blocks: Sequence[bytes]) -> list[Signal]:
    """Scalars and texts, of arrays and records each."""
    shared, main = shared_names(machine), machine.program.main.name
    found: dict[str, Signal] = {}
    for number, block in enumerate(blocks):
        for name, part in parts(machine, block).items():
            if name not in found:
                owner, _, rest = name.partition(".")
                belongs = part.of not in shared and not name.startswith("pending ")
                owner, rest = (owner, rest) if belongs else (main, name)
                found[name] = Signal(owner, rest, "", [None] * len(blocks))
            found[name].values[number] = part.text
    for signal in found.values():
        signal.kind = kind_of(signal.values)
    return list(found.values())


def outputs(machine: Machine, done: Sequence[ReplayedStep]) -> list[Signal]:
    """What the program writes to device registers: as a logic analyser sees it, where they are pins."""
    found: dict[str, Signal] = {}
    for number, step in enumerate(done, 1):
        for item in step.items:
            if item.name == "out":
                width, address, value = item.operands
                name = port_text(machine, width or 0, address)
                signal = found.setdefault(name, Signal("ports", name, "number", [None] * (len(done) + 1)))
                signal.values[number] = str(value)
    for signal in found.values():
        for number in range(1, len(signal.values)):
            if signal.values[number] is None:
                signal.values[number] = signal.values[number - 1]
    return list(found.values())


def kind_of(values: Sequence[str | None]) -> str:
    known = {v for v in values if v is not None}
    if known <= {"TRUE", "FALSE"}:
        return "boolean"
    return "number" if all(NUMBER.fullmatch(v) for v in known) else "text"
