"""The layout and the actions as plain data for JSON. Equal programs give equal text: places are named by module, line
and column, never by a path."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from lfc.actions.analysis.effects import Action, Region, action_table, environment_table, property_tables
from lfc.actions.build import build_machine
from lfc.actions.layout.fields import block_fields, frame_fields, pictures
from lfc.actions.model.identity import code_text
from lfc.actions.model.machine import BlockLayout, Body, Field, Machine, Position
from lfc.base.source import Span
from lfc.diagnostics.model import Diagnostics
from lfc.semantics.model import typed


def layout_as_data(machine: Machine) -> dict[str, Any]:
    data = {"format": "lf-layout", "version": 1, **_layout(machine.layout, machine.bodies)}
    if machine.environment is not None:
        data["environment"] = _layout(machine.environment.layout, machine.environment.bodies)
    if machine.properties:
        data["properties"] = {
            p.of.name: {
                "offset": p.record.position_offset,
                "size": p.size,
                "fields": [_field(f) for f in _property_fields(p.record.position_offset, p.record.position_size)]
                + [_field(f) for f in frame_fields(p.body, p.record.offset, p.of.name)],
            }
            for p in machine.properties
        }
    return data


def actions_as_data(machine: Machine) -> dict[str, Any]:
    names = _Places(machine.program)
    data: dict[str, Any] = {
        "format": "lf-actions",
        "version": 1,
        "positions": [names.position(p) for p in machine.positions],
        "actions": [names.action(a) for a in action_table(machine)],
    }
    if machine.environment is not None:
        data["environment"] = {
            "positions": [names.position(p) for p in machine.environment.positions],
            "actions": [names.action(a) for a in environment_table(machine)],
        }
    if machine.properties:
        tables = property_tables(machine)
        data["properties"] = {
            p.of.name: {
                "positions": [names.position(q) for q in p.positions],
                "actions": [names.action(a) for a in tables[p.of.name]],
            }
            for p in machine.properties
        }
    return data


def policy_as_data(fields: list[Field], size: int, scheduler: str) -> dict[str, Any]:
    return {
        "format": "lf-policy-layout",
        "version": 1,
        "scheduler": scheduler,
        "size": size,
        "fields": [_field(f) for f in fields],
    }


def as_json(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=1)


def program_digest(machine: Machine) -> bytes:
    """SHA-256 over the layout, the actions and the code of what a board gets: environment and properties are no part of
    it, nor is C that is linked in: `linked_digest`. Computed once for a machine."""
    if machine.digest is None:
        alone = machine
        if machine.environment is not None or machine.monitors:  # they have become a part of the program's actions
            alone = build_machine(machine.program, Diagnostics(), with_environment=False)
        machine.digest = _digest(replace(alone, properties=[]), code_text(alone))
    return machine.digest


def composition_digest(machine: Machine) -> bytes:
    """The same over all that is checked: the program, its properties, and its environment if the machine has one."""
    return _digest(machine, code_text(machine, composed=True))


def linked_digest(program: bytes, c_modules: Sequence[str]) -> bytes:
    """Of an image: the program's digest, and what is linked in. `c_modules`: the LLVM IR of C sources for the board, in
    which headers, flags and macros are already what they are."""
    if not c_modules:
        return program
    found = hashlib.sha256(program)
    for text in c_modules:
        found.update(hashlib.sha256(text.encode()).digest())
    return found.digest()


def _digest(machine: Machine, code: str) -> bytes:
    text = as_json(layout_as_data(machine)) + "\n" + as_json(actions_as_data(machine)) + "\n" + code
    return hashlib.sha256(text.encode()).digest()


def _property_fields(offset: int, size: int) -> list[Field]:
    return [Field(offset, size, "property", "position", "position")]


def _layout(layout: BlockLayout, bodies: list[Body]) -> dict[str, Any]:
    return {
        "size": layout.size,
        "position_size": layout.position_size,
        "first_waiting": layout.first_waiting,
        "interrupts": layout.interrupts,
        "channels": layout.max_channels,
        "constants": layout.constant_pool.hex(),
        "slots": [
            {
                "process": r.body.name,
                "first": r.first_slot,
                "count": r.slots,
                "positions": r.position_offset,
                "offset": r.offset,
                "stride": r.stride,
                "frame": r.frame0,
            }
            for r in layout.records
        ],
        "fields": [_field(f) for f in block_fields(layout)],
        "frames": [
            {
                "process": b.name,
                "size": b.frame.size,
                "align": b.frame.align,
                "max": b.max_calls,
                "fields": [_field(f) for f in frame_fields(b, 0, b.name)],
            }
            for b in bodies
            if b.frame is not None and b.called
        ],
        "waits": [
            {"position": p.position, "process": p.body.name, "fields": [_field(f) for f in p.fields]}
            for p in pictures(bodies)
        ],
    }


def _field(f: Field) -> dict[str, Any]:
    return {"offset": f.offset, "size": f.size, "owner": f.owner, "name": f.name, "type": f.type}


class _Places:
    def __init__(self, program: typed.Program) -> None:
        self.modules = {id(m.source): m.name for m in program.modules}

    def position(self, p: Position) -> dict[str, Any]:
        return {
            "number": p.number,
            "process": p.body.name,
            "kind": p.kind,
            "clause": p.clause,
            **self.place(p.span),
        }

    def place(self, span: Span) -> dict[str, Any]:
        return {"module": self.modules.get(id(span.source), "?"), "line": span.line, "column": span.column}

    def span(self, span: Span) -> dict[str, Any]:
        line, column = span.source.line_and_column(span.end)
        return {**self.place(span), "end_line": line, "end_column": column}

    def action(self, a: Action) -> dict[str, Any]:
        return {
            "position": a.position.number,
            "process": a.position.body.name,
            "reads": [_region(r) for r in a.reads],
            "writes": [_region(r) for r in a.writes],
            "asks": a.asks,
            "ends": [{"kind": e.kind, "next": e.next, **self.place(e.span)} for e in a.ends],
            "spans": [self.span(s) for s in a.spans],
            "length": a.length,
            "endless": [self.place(s) for s in a.endless],
        }


def _region(r: Region) -> dict[str, Any]:
    return {"base": r.base, "offset": r.offset, "size": r.size, "what": r.what}
