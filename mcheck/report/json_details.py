"""What a check says beside its verdict, for the JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from lfc.actions.model.machine import Position
from lfc.base.source import Span
from lfc.mcheck.statistics.coverage import Unmet, Unreached
from lfc.mcheck.statistics.details import Beside
from lfc.mcheck.statistics.usage import Bounds, Queue

if TYPE_CHECKING:
    from lfc.mcheck.properties.vacuity import Remarks


def beside_as_data(beside: Beside) -> dict[str, object]:
    return {
        "unreached": unreached_as_data(beside.unreached),
        "bounds": None if beside.bounds is None else bounds_as_data(beside.bounds),
        "values": [asdict(v) for v in beside.values],
        "remarks": {name: remarks_as_data(r) for name, r in beside.remarks.items()},
    }


def unreached_as_data(u: Unreached) -> dict[str, object]:
    return {
        "complete": u.complete,
        "processes": [unmet_as_data(x) for x in u.processes],
        "clauses": [unmet_as_data(x) for x in u.clauses],
        "messages": [unmet_as_data(x) for x in u.messages],
        "lines": [place_as_data(s) for s in u.lines],
        "actions": [action_as_data(p) for p in u.actions],
    }


def unmet_as_data(x: Unmet) -> dict[str, object]:
    return {"text": x.text} | place_as_data(x.span)


def place_as_data(span: Span) -> dict[str, object]:
    line, column = span.source.line_and_column(span.start)
    return {"file": span.source.path, "line": line, "column": column}


def action_as_data(p: Position) -> dict[str, object]:
    return {"process": p.body.name, "position": p.number, "kind": p.kind} | place_as_data(p.span)


def bounds_as_data(b: Bounds) -> dict[str, object]:
    return {
        "instances": [asdict(i) for i in b.instances],
        "channels": {"most": b.channels, "room": b.channel_room},
        "block_bytes": b.block_bytes,
        "queues": None if b.queues is None else [queue_as_data(q) for q in b.queues],
    }


def queue_as_data(q: Queue) -> dict[str, object]:
    return {"text": q.text, "most": q.most} | place_as_data(q.span)


def remarks_as_data(r: Remarks) -> dict[str, object]:
    return {
        "never": [{"condition": left, "formula": whole} for left, whole in r.never],
        "always_true": r.always_true,
        "always_false": r.always_false,
        "of_any_program": r.of_any_program,
    }
