"""A run told step by step, as data for a page: who did what, where everybody is, which values changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lfc.run.chart import Arrow, Chart, Deed, Mark, chart_of
from lfc.run.names import live_processes, source_text, values
from lfc.run.steps import StepPrinter, StepText

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.base.source import Source, Span
    from lfc.trace.items import Item

MOST_STEPS = 1500  # of one run that a page has: the last ones


@dataclass(slots=True)
class Run:
    """`blocks`: before each step, and after the last one unless it faults. `cycle`: the step, counted from 0, with
    which what is repeated for ever begins."""

    machine: Machine
    steps: list[list[Item]]
    blocks: list[bytes]
    title: str
    kind: str = ""  # the verdict; empty: a run that shows nothing wrong
    end: str = ""  # what the last step comes to, if it faults
    where: Span | None = None
    cycle: int | None = None
    circle: list[tuple[str, str, str, int | None]] = field(
        default_factory=list
    )  # who waits for whom, for what, channel
    said: list[str] = field(default_factory=list)  # below the title
    notes: list[str] = field(default_factory=list)  # of each step, what it means for the property
    left_out: int = 0  # steps before the first
    other: dict[str, Any] | None = None  # a second track

    def shortened(self) -> Run:
        """Only the last steps of a long one."""
        gone = len(self.steps) - MOST_STEPS
        if gone <= 0:
            return self
        self.steps, self.blocks, self.notes = self.steps[gone:], self.blocks[gone:], self.notes[gone:]
        self.cycle = None if self.cycle is None else max(0, self.cycle - gone)
        self.left_out = gone
        if self.other is not None:
            self.other["steps"] = self.other["steps"][gone : gone + MOST_STEPS + 1]
        return self


class Sources:
    """Files of which a page shows lines, by number."""

    def __init__(self) -> None:
        self.files: dict[str, Source] = {}

    def number(self, source: Source) -> int:
        self.files.setdefault(source.path, source)
        return list(self.files).index(source.path)

    def place(self, span: Span) -> list[int]:
        """File, line."""
        return [self.number(span.source), span.line]

    def as_data(self) -> list[dict[str, object]]:
        return [{"name": name, "lines": s.text.splitlines()} for name, s in self.files.items()]


def as_data(run: Run, sources: Sources) -> dict[str, Any]:
    machine = run.machine
    printer = StepPrinter(machine, run.blocks[0])
    chart = chart_of(machine, run.steps, run.blocks, run.end, run.cycle)
    rows = rows_by_step(chart)
    steps: list[dict[str, Any]] = []
    for number, items in enumerate(run.steps):
        has_block = number + 1 < len(run.blocks)
        text = printer.step_text(items, run.blocks[number + 1]) if has_block else printer.last_step_text(items, run.end)
        step = step_as_data(text, rows.get(number + 1, []), sources)
        if has_block:
            step |= changes(machine, run.blocks[number], run.blocks[number + 1], sources)
        if number < len(run.notes) and run.notes[number]:
            step["note"] = run.notes[number]
        steps.append(step)
    return {
        "title": run.title,
        "kind": run.kind,
        "said": run.said,
        "place": None if run.where is None else sources.place(run.where),
        "cycle": run.cycle,
        "circle": [list(w) for w in run.circle],
        "leftOut": run.left_out,
        "columns": chart.columns,
        "values": values(machine, run.blocks[0]),
        "at": places(machine, run.blocks[0], sources),
        "steps": steps,
        "other": run.other,
    }


def step_as_data(text: StepText, rows: list[list[str]], sources: Sources) -> dict[str, Any]:
    return {
        "who": text.who,
        "from": None if text.span is None else sources.place(text.span),
        "deed": text.told,
        "rows": rows,
    }


def rows_by_step(chart: Chart) -> dict[int, list[list[str]]]:
    """An arrow is `> source target message`, a deed `. who text`; marks are the page's own."""
    found: dict[int, list[list[str]]] = {}
    for row in chart.rows:
        if isinstance(row, Arrow):
            found.setdefault(row.step, []).append([">", row.source, row.target, row.message])
        elif isinstance(row, Deed):
            found.setdefault(row.step, []).append([".", row.who, row.text])
        else:
            assert isinstance(row, Mark)
    return found


def changes(machine: Machine, before: bytes, after: bytes, sources: Sources) -> dict[str, Any]:
    """Of values and places; null: there is none any more."""
    return {
        "set": differences(values(machine, before), values(machine, after)),
        "move": differences(places(machine, before, sources), places(machine, after, sources)),
    }


def differences(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    found = {name: x for name, x in after.items() if name not in before or before[name] != x}
    return found | {name: None for name in before if name not in after}


def places(machine: Machine, block: bytes, sources: Sources) -> dict[str, list[object]]:
    """Of each process: file, line, and what it waits for (empty: it is ready)."""
    found: dict[str, list[object]] = {}
    for p in live_processes(machine, block):
        waits = "" if p.position.ready else source_text(p.position.span)
        found[p.name] = [*sources.place(p.position.span), waits]
    return found


def actors_of(runs: Sequence[Run]) -> list[str]:
    """Who has acted, the last one first."""
    found: dict[str, None] = {}
    for run in runs:
        printer = StepPrinter(run.machine, run.blocks[0])
        for items in reversed(run.steps[run.cycle or 0 :]):
            slot = items[0].operands[1] if items[0].name == "interrupt" else next(iter(items[0].operands), None)
            if slot is not None:
                found.setdefault(printer.name(slot), None)
    return list(found)
