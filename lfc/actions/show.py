"""Layout and actions as tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from lfc.actions.analysis.effects import Action, Region, action_table, environment_table, property_tables
from lfc.actions.layout.fields import block_fields, frame_fields, pictures
from lfc.actions.model.machine import BlockLayout, Body, Field, Machine


def layout_text(machine: Machine) -> str:
    lines = _layout(machine.layout, machine.bodies, "block", 0)
    if machine.environment is not None:
        lines += ["", "environment (while checking only)", ""]
        lines += _layout(machine.environment.layout, machine.environment.bodies, "composition", machine.layout.size)
    for p in machine.properties:
        fields = [Field(p.record.position_offset, p.record.position_size, p.of.name, "position", "position")]
        lines += ["", f"property {p.of.name}: {p.size} bytes, after the block while it is checked", ""]
        lines += _fields([*fields, *frame_fields(p.body, p.record.offset, p.of.name)])
    return "\n".join(lines) + "\n"


def policy_text(fields: Sequence[Field], size: int, scheduler: str) -> str:
    lines = [f"policy block: {_bytes(size)}, directly before the state block (scheduler {scheduler})", ""]
    return "\n".join(lines + _fields(fields)) + "\n"


def actions_text(machine: Machine) -> str:
    lines = _actions(machine, action_table(machine))
    if machine.environment is not None:
        lines += ["", "environment (while checking only)", "", *_actions(machine, environment_table(machine))]
    for name, actions in property_tables(machine).items():
        lines += ["", f"property {name}", "", *_actions(machine, actions)]
    return "\n".join(lines) + "\n"


def _layout(layout: BlockLayout, bodies: Sequence[Body], what: str, start: int) -> list[str]:
    slots = sum(r.slots for r in layout.records)
    fields = block_fields(layout)
    padding = layout.size - start - sum(f.size for f in fields)
    lines = [
        f"{what}: {_bytes(layout.size)}, {padding} of them padding; {_count(slots, 'slot')}; "
        f"room for {_count(layout.max_channels, 'channel')}; {_bytes(len(layout.constant_pool))} of constants",
        "",
        *_fields(fields),
    ]
    called = [b for b in bodies if b.frame is not None and b.called]
    for b in called:
        assert b.frame is not None
        often = f", at most {b.max_calls} at once" if b.recursive else ""
        lines += ["", f"frame of a call of {b.name}: {_bytes(b.frame.size)}{often}", ""]
        lines += _fields(list(frame_fields(b, 0, b.name)))
    shown = [p for p in pictures(list(bodies)) if p.fields]
    if shown:
        rows = [
            [str(p.position), p.body.name, str(f.offset), str(f.size), f.name, f.type] for p in shown for f in p.fields
        ]
        lines += ["", "what waits hold (offsets relative to the frame)", ""]
        lines += _table(["position", "process", "offset", "size", "name", "type"], rows)
    return lines


def _fields(fields: Sequence[Field]) -> list[str]:
    rows = [[str(f.offset), str(f.size), f.owner, f.name, f.type] for f in fields]
    return _table(["offset", "size", "owner", "name", "type"], rows)


def _actions(machine: Machine, actions: Sequence[Action]) -> list[str]:
    lines: list[str] = []
    for a in actions:
        p = a.position
        clause = "" if p.clause is None else f" {p.clause}"
        length = "no bound is known" if a.length is None else f"at most {_count(a.length, 'statement')}"
        lines += [f"{p.number}  {p.body.name}, {p.kind}{clause}, line {p.span.line}: {length}"]
        lines += [f"   reads   {r}" for r in _regions(a.reads)]
        lines += [f"   writes  {r}" for r in _regions(a.writes)]
        if a.asks:
            lines.append(f"   asks    {', '.join(a.asks)}")
        for e in a.ends:
            then = f" -> {', '.join(str(n) for n in e.next)}" if e.next else ""
            lines.append(f"   ends    {e.kind}, line {e.span.line}{then}")
        for s in a.endless:
            lines.append(f"   loops   line {s.line}: may go round without a scheduling point")
        lines.append("")
    return lines[:-1]


def _regions(regions: Sequence[Region]) -> list[str]:
    """One line for each base."""
    by_base: dict[str, list[str]] = {}
    for r in regions:
        by_base.setdefault(r.base, []).append(f"{r.offset}..{r.offset + r.size - 1} {r.what}")
    return [f"{base}: {', '.join(parts)}" for base, parts in by_base.items()]


def _table(titles: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in [titles, *rows]) for i in range(len(titles))]
    numeric = [bool(rows) and all(row[i].isdigit() for row in rows) for i in range(len(titles))]

    def line(row: Sequence[str]) -> str:
        cells = [c.rjust(w) if n else c.ljust(w) for c, w, n in zip(row, widths, numeric, strict=True)]
        return "  ".join(cells).rstrip()

    return [line(titles), *(line(row) for row in rows)]


def _bytes(n: int) -> str:
    return _count(n, "byte")


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'s' * (n != 1)}"
