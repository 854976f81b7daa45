"""A module that is checked alone: partners for its exported channels, which send whatever its processes receive, with
every value, and receive whatever they send, at any time. They are a module in LF that is made here and imports it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from lfc.mcheck.model.description import CLOSING
from lfc.semantics.model import typed
from lfc.semantics.model.types import (
    INTEGER,
    ArrayType,
    BooleanType,
    ChannelType,
    EnumerationType,
    FixedType,
    SubrangeType,
    scalar_range,
)

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.semantics.model.types import (
        Message,
        Type,
    )

FIRST_REGISTER = 0xFFFF0000  # where what is sent comes from
STEP = 4


@dataclass(slots=True)
class Closed:
    """`messages`: identities of those for which a process may wait for ever: who knows whether others come."""

    machine: Machine
    assumption: str
    messages: frozenset[int]
    values: dict[int, range]  # of each register that partners read what they send from: those that differ


@dataclass(slots=True)
class Text:
    """The module as it grows."""

    module: typed.Module
    registers: list[str] = field(default_factory=list)
    assumed: list[str] = field(default_factory=list)  # of registers, for what the module assumes of a message
    sends: list[str] = field(default_factory=list)  # statements
    takes: list[str] = field(default_factory=list)  # processes
    sent: dict[str, None] = field(default_factory=dict)
    taken: dict[str, None] = field(default_factory=dict)
    left_out: dict[str, None] = field(default_factory=dict)
    values: dict[int, range] = field(default_factory=dict)  # by address

    def register(self, name: str, t: str, values: range | None = None) -> str:
        """`values`: those that make a difference; None: all of its type."""
        address = FIRST_REGISTER + STEP * len(self.registers)
        self.registers.append(f"  {name} AT 0{address:X}H : {t};")
        self.values[address] = range(1 << BASIC[t]) if values is None else values
        return name

    def number(self, name: str, t: Type, low: int, high: int) -> str:
        """Of the type, between both."""
        if low >= 0:
            self.assumed.append(f"  {name} IN {low} .. {high};")
            return self.register(name, t.name, range(low, high + 1))
        self.assumed.append(f"  {name} IN 0 .. {high - low};")
        register = self.register(name, "UINT32" if high - low > 65535 else "UINT16", range(high - low + 1))
        return f"{t.name}(INTEGER({register}) - {-low})"


class NotClosed(Exception):
    """Says why a partner cannot be written."""


def exported_ports(machine: Machine) -> list[typed.Variable]:
    return [v for v in machine.program.main.variables if v.exported and channel_type(v) is not None]


def close(machine: Machine, file: str, path: Sequence[str] = ()) -> Closed | None:
    """None: the module exports no channel, or is closed by an environment. Raises NotClosed."""
    ports = exported_ports(machine)
    if machine.environment is not None or not ports:
        return None
    from lfc.actions.build import build_machine
    from lfc.base.source import Source
    from lfc.diagnostics.model import Diagnostics, Severity
    from lfc.front_end.load import check_source

    sent, received = directions(machine)
    text = Text(machine.program.main)
    for v in ports:
        t = channel_type(v)
        assert t is not None
        places = [""] if not isinstance(v.type, ArrayType) else [f"[{i}]" for i in range(v.type.length)]
        for message in t.messages:
            for place in places:
                add_partners(text, v, place, message, id(message) in received, id(message) in sent)
    diagnostics = Diagnostics()
    folder = Path(file).parent if file != "-" else Path()
    program = check_source(
        Source(str(folder / f"{CLOSING}.lf"), module_text(text)),
        diagnostics,
        path=path,
        modules={
            m.name: m.source for m in machine.program.modules
        },  # as they were read, whatever their files are called
        definitions=definitions_for(machine.program),
    )
    if program is None or diagnostics.has_errors:
        raise NotClosed(next((d.message for d in diagnostics.items if d.severity is Severity.ERROR), "it has errors"))
    closed = build_machine(program, diagnostics)
    if diagnostics.has_errors:
        raise NotClosed(next(d.message for d in diagnostics.items if d.severity is Severity.ERROR))
    again = next(m for m in program.modules if m.name == text.module.name)
    messages = {id(m) for v in again.variables if v.exported for m in getattr(channel_type(v), "messages", ())}
    return Closed(closed, said(text), frozenset(messages), text.values)


def definitions_for(program: typed.Program) -> dict[str, str]:
    """Those of the command line, of which names without a module are of a module that is imported now."""
    from lfc.semantics.definitions import BUDGET, LEVEL

    given, of_all = program.definitions, (LEVEL, BUDGET, typed.WRAPS)
    return {n if "." in n or n in of_all else f"{program.main.name}.{n}": value for n, value in given.items()}


def said(text: Text) -> str:
    parts = []
    if text.sent:
        parts.append(f"sends {', '.join(text.sent)} with every value, at any time")
    if text.taken:
        parts.append(f"receives {', '.join(text.taken)}")
    if text.left_out:
        parts.append(f"ignores {', '.join(text.left_out)}")
    return f"the environment {'; '.join(parts)} (--no-closing leaves it out)"


def channel_type(v: typed.Variable) -> ChannelType | None:
    t = v.type.element if isinstance(v.type, ArrayType) else v.type
    return t if isinstance(t, ChannelType) else None


def directions(machine: Machine) -> tuple[set[int], set[int]]:
    """Identities of the messages that the program sends and receives somewhere."""
    events = [c.event for body in machine.all_bodies() for point in body.points for c in point.clauses]
    sent = {id(e.message) for e in events if isinstance(e, typed.Send)}
    return sent, {id(e.message) for e in events if isinstance(e, typed.Receive)}


def add_partners(text: Text, v: typed.Variable, place: str, message: Message, is_received: bool, is_sent: bool) -> None:
    port = f"{text.module.name}.{v.name}{place}"
    stem = f"{v.name}{place.strip('[]')}_{message.name}"
    name = f"{v.name}.{message.name}"
    try:
        if is_received:
            values = values_of(text, v, message, stem)
            text.sends.append(f"{port}!{message.name}" + (f"({', '.join(values)})" if values else ""))
            text.sent[name] = None
        if is_sent:
            names = [f"x{i}" for i in range(len(message.types))]
            fields = "; ".join(f"{n} : {type_name(text, t)}" for n, t in zip(names, message.types, strict=True))
            targets = f"({', '.join(names)})" if names else ""
            text.takes.append(
                f"PROCESS Takes_{stem} SERVER;\n  PROCESS Take;\n{f'  VAR {fields};' if names else ''}\n"
                f"  BEGIN {port}?{message.name}{targets} END Take;\nBEGIN LOOP Take END END Takes_{stem};"
            )
            text.taken[name] = None
    except NotClosed as why:
        text.left_out[f"{name} (it carries {why})"] = None


def values_of(text: Text, v: typed.Variable, message: Message, stem: str) -> list[str]:
    for a in text.module.assumptions:
        if a.port is v and a.message is message:
            return [text.number(f"{stem}_0", message.types[0], a.low, a.high)]
    return [value_of(text, t, f"{stem}_{i}") for i, t in enumerate(message.types)]


def value_of(text: Text, t: Type, name: str) -> str:
    """An expression that gives every value of the type."""
    if isinstance(t, BooleanType):
        return f"ODD({text.register(name, 'UINT8', range(2))})"
    if isinstance(t, EnumerationType | SubrangeType):
        if isinstance(t, FixedType):
            raise NotClosed("a fixed-point number")
        low, high = scalar_range(t)
        size = high - low + 1
        r = text.register(name, "UINT8" if size <= 256 else "UINT16" if size <= 65536 else "UINT32", range(size))
        if isinstance(t, SubrangeType) and t.base is not INTEGER:
            raise NotClosed("a subrange of other values than numbers")
        number = f"INTEGER({r} MOD {size})" if size not in (256, 65536) else f"INTEGER({r})"
        if low:
            number += f" + {low}" if low > 0 else f" - {-low}"
        return f"{type_name(text, t)}({number})" if isinstance(t, EnumerationType) else number
    if t.name not in BASIC:
        raise NotClosed("an array, a record or a port")
    return text.register(name, t.name)


def type_name(text: Text, t: Type) -> str:
    for n in text.module.types:
        if n.type is t and n.exported:
            return f"{text.module.name}.{n.name}"
    if t.name in BASIC:
        return t.name
    if isinstance(t, SubrangeType):
        low, high = scalar_range(t)
        if not isinstance(t.base, EnumerationType):
            return f"{low} .. {high}" if low >= 0 else f"-{-low} .. {high}"
    if isinstance(t, ArrayType):
        return f"ARRAY {t.length} OF {type_name(text, t.element)}"
    raise NotClosed(f"{t.name or 'a type'}, whose type is not exported")


BASIC = {  # and their bits
    **{"BOOLEAN": 8, "CHAR": 8, "INT8": 8, "INT16": 16, "INT32": 32, "UINT8": 8, "UINT16": 16, "UINT32": 32},
    **{"INTEGER": 32, "SET8": 8, "SET16": 16, "SET32": 32, "SET": 32},
}


def module_text(text: Text) -> str:
    names = [p.split()[1] for p in text.takes]
    registers = ["VAR", *text.registers] if text.registers else []
    registers += ["ASSUME", *text.assumed] if text.assumed else []
    processes = list(text.takes)
    if text.sends:
        names.append("Sends")
        choice = " |\n    ".join(text.sends)
        sends = f"CHOICE\n    {choice}\n  END" if len(text.sends) > 1 else text.sends[0]
        processes.append(f"PROCESS Sends SERVER;\nBEGIN LOOP\n  {sends}\nEND END Sends;")
    body = f"BEGIN\n  {'; '.join(f'CREATE {n}' for n in names)}\n" if names else ""
    head = [f"MODULE {CLOSING};", f"IMPORT {text.module.name};"]
    return "\n".join([*head, *registers, *processes, f"{body}END {CLOSING}.\n"])
