"""The message sequence chart of a trace: who sends what to whom, as data, as text, and as SVG."""

from __future__ import annotations

from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from lfc.actions.model.machine import Machine
from lfc.run.names import shared_names
from lfc.run.port_reads import PortReads
from lfc.run.repeated import told_briefly
from lfc.run.steps import StepPrinter
from lfc.semantics.model import typed
from lfc.trace.items import Item

OUTSIDE = "outside"  # who sends interrupts and console input
MOST_WORDS = 44
MOST_CHANGED = 36
LEAST_WORDS = 24  # beside narrow columns
FOR_EVER = "the cycle starts here"
NOTHING_MORE = "the program stays in this state"


@dataclass(frozen=True, slots=True)
class Arrow:
    """A message; `source` and `target` are columns."""

    step: int
    source: str
    target: str
    message: str


@dataclass(frozen=True, slots=True)
class Deed:
    """What a process does alone."""

    step: int
    who: str
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """Across all columns, before a step: here something begins, such as what is repeated for ever."""

    step: int
    text: str


@dataclass(slots=True)
class Chart:
    columns: list[str] = field(default_factory=list)
    rows: list[Arrow | Deed | Mark] = field(default_factory=list)

    def add(self, row: Arrow | Deed | Mark) -> None:
        names: tuple[str, ...] = ()
        if isinstance(row, Arrow):
            names = row.source, row.target
        elif isinstance(row, Deed):
            names = (row.who,)
        for name in names:
            if name not in self.columns:
                self.columns.append(name)
        self.rows.append(row)


def chart_of(
    machine: Machine, steps: list[list[Item]], blocks: list[bytes], end: str = "", cycle: int | None = None
) -> Chart:
    """`blocks`: before each step, and after the last unless it faults; `end`: what the last step comes to; `cycle`: the
    step with which a part begins that is repeated for ever (after the last: nothing happens any more)."""
    chart, reads = Chart(), PortReads(machine)
    for number, items in enumerate(steps):
        if number == cycle:
            chart.add(Mark(number + 1, FOR_EVER))
        before = blocks[number]
        after = blocks[number + 1] if number + 1 < len(blocks) else None
        add_step(chart, StepPrinter(machine, before, reads=reads), items, after, number + 1)
    if end and steps:
        slot = steps[-1][0].operands[0]
        faulted = len(blocks) == len(steps)
        if faulted and slot is not None:
            chart.add(Deed(len(steps), StepPrinter(machine, blocks[-1]).name(slot), end))
    if cycle == len(steps):
        chart.add(Mark(len(steps), NOTHING_MORE))
    if OUTSIDE in chart.columns:
        chart.columns.remove(OUTSIDE)
        chart.columns.insert(0, OUTSIDE)
    return chart


def add_step(chart: Chart, printer: StepPrinter, items: list[Item], after: bytes | None, number: int) -> None:
    machine, event = printer.machine, items[0]
    slot = event.operands[1] if event.name == "interrupt" else event.operands[0]
    if event.name == "idle":
        return
    if event.name == "interrupt":
        if slot is not None:
            chart.add(Arrow(number, OUTSIDE, printer.name(slot), f"interrupt {event.operands[0]}"))
        return
    assert slot is not None
    who = printer.name(slot)
    if event.name == "wake":
        chart.add(Deed(number, who, "wakes"))
        return
    if event.name == "console":
        chart.add(Arrow(number, OUTSIDE, who, f"character {event.operands[1]}"))
        return
    met = add_items(chart, printer, who, items, number)
    if after is None:
        return
    position = machine.position_at(after, slot)
    changed = printer.changes(after)
    if met:  # what a meeting brings to the processes is what its message is for
        shared = shared_names(machine)
        changed = {name: text for name, text in changed.items() if name in shared or is_part_of(name, shared)}
    said = [short(", ".join(f"{name} = {text}" for name, text in changed.items()))]
    if position is None:
        said.append("ends")
    elif not position.ready and not met:
        said.append(f"waits, {printer.at(position.span)}")
    elif not met and not said[0]:
        said.append(f"to {printer.at(position.span)}")
    if text := "; ".join(s for s in said if s):
        chart.add(Deed(number, who, text))


def add_items(chart: Chart, printer: StepPrinter, who: str, items: list[Item], number: int) -> bool:
    """Whether it met anybody. What it does alone over and over, between two messages, is told once."""
    met, alone = False, list[str]()
    for item, text in zip(items[1:], printer.item_texts(printer.block, items), strict=True):
        arrow = arrow_of(printer, item, who, number)
        met |= item.name == "take" or (item.name == "meet" and item.operands[1] is not None)
        if arrow is None:
            alone.append(text)
            continue
        add_alone(chart, number, who, alone)
        chart.add(arrow)
        alone.clear()
    add_alone(chart, number, who, alone)
    return met


def add_alone(chart: Chart, number: int, who: str, deeds: list[str]) -> None:
    for text in told_briefly(deeds):
        chart.add(Deed(number, who, text))


def arrow_of(printer: StepPrinter, item: Item, who: str, number: int) -> Arrow | None:
    """None: nothing that passes between two; also where the partner is of the environment, somewhere within this
    action."""
    if item.name == "take":
        return Arrow(number, OUTSIDE, who, "pending interrupt")
    if item.name != "meet" or item.operands[1] is None:
        return None
    partner = item.operands[1]
    at = printer.machine.position_at(printer.block, partner)
    if at is None or at.point is None or at.ready:
        return None
    waiting = at.point.clauses[item.operands[2] or 0].event
    message = waiting.message.name if isinstance(waiting, typed.Send | typed.Receive) else "?"
    other = printer.name(partner)
    return Arrow(number, *((other, who) if isinstance(waiting, typed.Send) else (who, other)), message)


def is_part_of(name: str, variables: set[str]) -> bool:
    """`ring[2].number` of `ring`."""
    return any(name.startswith((f"{v}[", f"{v}.")) for v in variables)


def short(text: str) -> str:
    return text if len(text) <= MOST_CHANGED else text[: MOST_CHANGED - 3] + "..."


# --- text ----------------------------------------------------------------------------------------------------


def as_text(chart: Chart, most: int = 0) -> str:
    """A column for each process; time goes down. `most`: characters of a line; with more the columns are narrow, and
    what is said stands to their right."""
    if not chart.columns:
        return "nothing happens\n"
    text = wide_text(chart)
    fits = not most or all(len(line) <= most for line in text.splitlines())
    return text if fits else narrow_text(chart, most)


def narrow_text(chart: Chart, most: int) -> str:
    """The columns have numbers, and a legend."""
    lanes = len(chart.columns)
    gap = max(3, min(6, (most - 8 - LEAST_WORDS) // lanes))
    at = {name: 8 + gap // 2 + i * gap for i, name in enumerate(chart.columns)}
    words = 8 + gap * lanes
    lines = [f"{n + 1:7} {name}" for n, name in enumerate(chart.columns)]
    head = [" "] * words
    for n, name in enumerate(chart.columns):
        put(head, at[name], str(n + 1))
    lines.append("".join(head).rstrip())
    last = 0
    for row in chart.rows:
        line = [" "] * words
        for name in chart.columns:
            line[at[name]] = "|"
        if isinstance(row, Mark):
            lines.append(f"        {f' {row.text} ':=^{gap * lanes}}")
            continue
        if row.step != last:
            put(line, 0, f"{row.step:5}")
            last = row.step
        if isinstance(row, Arrow):
            draw_arrow(line, at[row.source], at[row.target], "")
            said = row.message
        else:
            line[at[row.who]] = "*"
            said = row.text
        room = max(LEAST_WORDS, most - words)
        lines.append("".join(line) + (said if len(said) <= room else said[: room - 3] + "..."))
    return "\n".join(lines) + "\n"


def wide_text(chart: Chart) -> str:
    gap = max(
        [len(c) + 4 for c in chart.columns] + [needed_gap(chart.columns, r) for r in chart.rows if isinstance(r, Arrow)]
    )
    at = {name: 8 + gap // 2 + i * gap for i, name in enumerate(chart.columns)}
    width = 8 + gap * len(chart.columns) + MOST_WORDS
    head = [" "] * width
    for name in chart.columns:
        put(head, at[name] - len(name) // 2, name)
    lines = ["".join(head).rstrip()]
    last = 0
    for row in chart.rows:
        line = [" "] * width
        for name in chart.columns:
            line[at[name]] = "|"
        if isinstance(row, Mark):
            lines.append(f"        {f' {row.text} ':=^{gap * len(chart.columns)}}")
            continue
        if row.step != last:
            put(line, 0, f"{row.step:5}")
            last = row.step
        if isinstance(row, Arrow):
            draw_arrow(line, at[row.source], at[row.target], row.message)
        else:
            text = row.text if len(row.text) <= MOST_WORDS else row.text[: MOST_WORDS - 3] + "..."
            line[at[row.who]] = "*"
            put(line, at[row.who] + 2, text)
        lines.append("".join(line).rstrip())
    return "\n".join(lines) + "\n"


def needed_gap(columns: list[str], row: Arrow) -> int:
    distance = max(1, abs(columns.index(row.source) - columns.index(row.target)))
    return -(-(len(row.message) + 6) // distance)


def put(line: list[str], at: int, text: str) -> None:
    for i, c in enumerate(text):
        if 0 <= at + i < len(line):
            line[at + i] = c


def draw_arrow(line: list[str], source: int, target: int, message: str) -> None:
    left, right = min(source, target), max(source, target)
    for i in range(left + 1, right):
        line[i] = "-"
    line[target + (-1 if target > source else 1)] = ">" if target > source else "<"
    put(line, (left + right - len(message)) // 2 + 1, message)


# --- Mermaid -------------------------------------------------------------------------------------------------


def as_mermaid(chart: Chart) -> str:
    """A sequence diagram, as https://mermaid.js.org and many viewers of Markdown draw it."""
    names = {name: f"p{n}" for n, name in enumerate(chart.columns)}
    lines = ["sequenceDiagram", *(f"  participant {p} as {in_mermaid(name)}" for name, p in names.items())]
    for row in chart.rows:
        if isinstance(row, Arrow):
            lines.append(f"  {names[row.source]}->>{names[row.target]}: {row.step}: {in_mermaid(row.message)}")
        elif isinstance(row, Deed):
            lines.append(f"  Note over {names[row.who]}: {row.step}: {in_mermaid(row.text)}")
        elif names:
            ends = list(names.values())
            lines.append(f"  Note over {ends[0]},{ends[-1]}: {in_mermaid(row.text)}")
    return "\n".join(lines) + "\n"


def in_mermaid(text: str) -> str:
    """A semicolon ends a statement there, and a number sign begins an entity."""
    return text.replace(";", ",").replace("#", "#35;")


# --- SVG -----------------------------------------------------------------------------------------------------

COLUMN, ROW, HEAD, MARGIN = 150, 26, 54, 46


def as_svg(chart: Chart) -> str:
    at = {name: MARGIN + COLUMN // 2 + i * COLUMN for i, name in enumerate(chart.columns)}
    width = MARGIN + COLUMN * max(1, len(chart.columns)) + 120
    height = HEAD + ROW * (len(chart.rows) + 1)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
        '<defs><marker id="head" viewBox="0 0 10 10" refX="10" refY="5" markerWidth="7" markerHeight="7" '
        'orient="auto"><path d="M0 0L10 5L0 10z"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="white"/>',
    ]
    for name in chart.columns:
        x = at[name]
        parts.append(f'<line x1="{x}" y1="{HEAD - 14}" x2="{x}" y2="{height - 8}" stroke="#999"/>')
        parts.append(
            f'<rect x="{x - COLUMN // 2 + 8}" y="{HEAD - 40}" width="{COLUMN - 16}" height="26" fill="#eef" '
            f'stroke="#336"/><text x="{x}" y="{HEAD - 23}" text-anchor="middle">{escape(name)}</text>'
        )
    for number, row in enumerate(chart.rows):
        y = HEAD + ROW * (number + 1) - 8
        if isinstance(row, Mark):
            parts.append(
                f'<line x1="{MARGIN}" y1="{y}" x2="{width - 8}" y2="{y}" stroke="#a22" stroke-dasharray="6 4"/>'
                f'<text x="{width - 8}" y="{y - 4}" fill="#a22" text-anchor="end">{escape(row.text)}</text>'
            )
            continue
        parts.append(f'<text x="6" y="{y + 4}" fill="#777">{row.step}</text>')
        if isinstance(row, Arrow):
            x, z = at[row.source], at[row.target]
            parts.append(f'<line x1="{x}" y1="{y}" x2="{z}" y2="{y}" stroke="black" marker-end="url(#head)"/>')
            parts.append(f'<text x="{(x + z) // 2}" y="{y - 4}" text-anchor="middle">{escape(row.message)}</text>')
        else:
            parts.append(f'<circle cx="{at[row.who]}" cy="{y}" r="3.5"/>')
            parts.append(f'<text x="{at[row.who] + 8}" y="{y + 4}">{escape(row.text)}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"
