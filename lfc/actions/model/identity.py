"""All that a program computes, as text to be hashed: its code block by block, with every expression, type and place.

The text says nothing of paths or memory: a place is a line and a column of its module; what is shared (types,
variables, processes) is written where it is first met, and is a number from then on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from enum import Enum
from typing import Any

from lfc.actions.model import machine as model
from lfc.base.source import Span
from lfc.semantics.model import typed, types
from lfc.semantics.model.visit import deep_stack

SHARED = (types.Type, types.RecordField, types.Message, typed.Variable, typed.Process)
PARTS = (
    typed.Expr,
    typed.Statement,
    typed.Argument,
    typed.Target,
    typed.ExternalEffect,
    model.Body,
    model.Block,
    model.Point,
    model.Goto,
    model.Branch,
    model.Switch,
    model.Attempt,
    model.Suspend,
    model.Choose,
    model.CallWaiting,
    model.Finish,
    model.CannotMove,
    model.PointClause,
    model.WaitTarget,
    model.FrameLayout,
)
# Whoever looked a thing up does not change it, and bodies have the code and the variables of processes.
LEFT_OUT: dict[type, frozenset[str]] = {
    types.EnumerationType: frozenset({"used"}),
    types.ChannelType: frozenset({"size", "size_asked"}),  # the layout says it
    typed.Variable: frozenset({"exported", "declaration", "used"}),
    typed.Process: frozenset(
        {"exported", "parent", "locals", "nested", "body", "end_span", "constants", "types", "is_property"}
    ),
    typed.Constant: frozenset({"free"}),
    types.RecordField: frozenset({"exported"}),
    model.Point: frozenset({"body"}),
}


def code_text(machine: model.Machine, *, composed: bool = False) -> str:
    """Of the program's bodies; `composed`: of its environment and properties as well."""
    with deep_stack():
        writer = _Writer()
        for body in machine.bodies:
            writer.whole(body)
        if composed:
            writer.surroundings(machine)
        return "".join(writer.out)


class _Writer:
    def __init__(self) -> None:
        self.out: list[str] = []
        self.numbers: dict[int, int] = {}

    def surroundings(self, machine: model.Machine) -> None:
        for body in machine.environment.bodies if machine.environment is not None else []:
            self.whole(body)
        for automaton in machine.properties:
            self.whole(automaton.body)
        for module in machine.program.modules:
            for p in module.properties:
                self.value([module, p.name, p.formula])

    def value(self, v: Any) -> None:
        match v:
            case None | bool() | int() | str() | bytes():
                self.out.append(f"{v!r},")
            case Enum():
                self.out.append(f"{v.name},")
            case list() | tuple():
                self.values(v)
            case dict():
                self.values([x for pair in v.items() for x in pair])
            case Span():
                self.out.append(f"{v.line}:{v.column},")
            case typed.Module():
                self.out.append(f"module {v.name},")
            case model.Block():
                self.out.append(f"block {v.number},")
            case model.Body():
                self.out.append(f"body {v.domain} {v.name} {v.has_positions},")
            case model.Position():
                entry = None if v.entry is None else v.entry.number
                self.out.append(f"position {v.number} {v.kind} {v.clause} {entry},")
            case model.Point():
                self.out.append(f"point {v.body.points.index(v)},")
            case _ if id(v) in self.numbers:
                self.out.append(f"#{self.numbers[id(v)]},")
            case _:
                if isinstance(v, SHARED):
                    self.numbers[id(v)] = len(self.numbers)
                elif not isinstance(v, PARTS):
                    raise TypeError(f"not known to be a part of a program: {type(v).__name__}")
                self.whole(v)

    def values(self, values: Iterable[Any]) -> None:
        self.out.append("[")
        for v in values:
            self.value(v)
        self.out.append("]")

    def whole(self, v: Any) -> None:
        """All that it consists of. Of a body: its blocks and points as well, which else are named by their numbers."""
        left_out = LEFT_OUT.get(type(v), frozenset())
        self.out.append(f"{type(v).__name__}(")
        for f in fields(v):
            if f.name in left_out:
                continue
            self.out.append(f"{f.name}=")
            if f.name in ("blocks", "points") and isinstance(v, model.Body):
                for part in getattr(v, f.name):
                    self.whole(part)
            else:
                self.value(getattr(v, f.name))
        self.out.append(")\n")
