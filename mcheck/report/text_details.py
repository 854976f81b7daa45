"""What a check says beside its verdict, as text: a line for each thing that people should know, or the whole report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lfc.mcheck.statistics.coverage import Unmet, Unreached
    from lfc.mcheck.statistics.details import Beside
    from lfc.mcheck.statistics.usage import Bounds, ComponentValues, VariableValues

MOST_LISTED = 200  # lines of one kind


def notes(beside: Beside) -> list[str]:
    """Always told."""
    lines = []
    u = beside.unreached
    parts = [
        counted(len(u.processes), "process", "processes"),
        counted(len(u.clauses), "clause", "clauses"),
        counted(len(u.messages), "message", "messages"),
        counted(u.line_count, "source line", "source lines"),
    ]
    if u.complete and any(parts):
        lines.append(f"never reached: {', '.join(p for p in parts if p)} (list them with --report)")
    for name, r in beside.remarks.items():
        lines += [f"property {name}: `{left}` never holds, so `{whole}` is vacuously true" for left, whole in r.never]
        if r.of_any_program:
            lines.append(f"property {name}: it is a tautology, true of every program")
    return lines


def counted(count: int, one: str, more: str) -> str:
    return "" if count == 0 else f"{count} {one if count == 1 else more}"


def report_lines(beside: Beside) -> list[str]:
    """What --report adds."""
    lines = unreached_lines(beside.unreached)
    for name, r in beside.remarks.items():
        lines += [f"property {name}: `{a}` is always TRUE" for a in r.always_true]
        lines += [f"property {name}: `{a}` is always FALSE" for a in r.always_false]
    if beside.bounds is not None:
        lines += bounds_lines(beside.bounds)
        lines += values_lines(beside.values)
    return lines


def unreached_lines(u: Unreached) -> list[str]:
    from lfc.run import report
    from lfc.run.names import source_text

    lines = [f"  process {x.text}, {report.place(x.span)}" for x in shortened(u.processes)]
    lines += [f"  clause `{x.text}`, {report.place(x.span)}" for x in shortened(u.clauses)]
    lines += [f"  message {x.text}, {report.place(x.span)}" for x in shortened(u.messages)]
    lines += [f"  `{source_text(s)}`, {report.place(s)}" for s in u.lines[:MOST_LISTED]]
    if len(u.lines) > MOST_LISTED:
        lines.append(f"  and {len(u.lines) - MOST_LISTED} more")
    if not lines:
        return [
            "reached: everything in the slice"
            if u.of_slice
            else "reached: every process, clause, message and source line"
        ]
    head = "never reached:" if u.complete else "not reached so far (search incomplete):"
    return [head, *lines]


def shortened(found: list[Unmet]) -> list[Unmet]:
    return found[:MOST_LISTED]


def bounds_lines(b: Bounds) -> list[str]:
    from lfc.run import report

    lines = ["bounds:"]
    lines += [f"  {i.process}: {i.most} of {i.room} at once" for i in b.instances]
    if b.channel_room:
        most = "?" if b.channels is None else str(b.channels)
        lines.append(f"  channels: {most} of {b.channel_room} at once")
    lines += [f"  {q.most} waiting at once for `{q.text}`, {report.place(q.span)}" for q in b.queues or []]
    lines.append(f"  state block: {b.block_bytes} bytes of RAM")
    return lines


def values_lines(values: list[ComponentValues]) -> list[str]:
    """Without what never changes."""
    lines = []
    for c in values:
        if c.distinct > 1:
            single = len(c.parts) == 1 and c.parts[0].name == c.name
            parts = ", ".join(part_text(p) for p in c.parts if p.distinct > 1)
            lines.append(
                f"  {c.distinct} {c.name}{range_text(c.parts[0]) if single else f': {parts}' if parts else ''}"
            )
    return ["distinct values:", *lines] if lines else []


def part_text(p: VariableValues) -> str:
    return f"{p.distinct} {p.name}{range_text(p)}"


def range_text(p: VariableValues) -> str:
    return "" if p.lowest is None else f" ({p.lowest} to {p.highest})"
