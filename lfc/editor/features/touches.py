"""What a process touches: variables that it shares, ports, devices, and whom it calls and creates."""

from __future__ import annotations

from dataclasses import dataclass, field

from lfc.semantics.checks.accesses import READS, Kind, accesses
from lfc.semantics.model import typed
from lfc.semantics.model import types as ty
from lfc.semantics.model.visit import communications, root_variable, statements


@dataclass(slots=True)
class Touches:
    """Names, each once, in the order of the text; those of called processes included."""

    reads: dict[str, None] = field(default_factory=dict)
    writes: dict[str, None] = field(default_factory=dict)
    sends: dict[str, None] = field(default_factory=dict)
    receives: dict[str, None] = field(default_factory=dict)
    calls: dict[str, None] = field(default_factory=dict)
    creates: dict[str, None] = field(default_factory=dict)
    sleeps: bool = False


def touches(process: typed.Process) -> Touches:
    found, reached = Touches(), [process]
    for at in reached:
        for statement in statements(at.body):
            if isinstance(statement, typed.CallProcess):
                found.calls.setdefault(statement.process.name)
                if statement.process not in reached:
                    reached.append(statement.process)
            elif isinstance(statement, typed.CreateProcess):
                found.creates.setdefault(statement.process.name)
            found.sleeps |= isinstance(statement, typed.Sleep) or is_timed(statement)
            add_accesses(found, statement, process)
        for event, _ in communications(at.body):
            to = found.sends if isinstance(event, typed.Send) else found.receives
            to.setdefault(meeting(event))
    return found


def is_timed(statement: typed.Statement) -> bool:
    return isinstance(statement, typed.Select) and any(isinstance(c.event, typed.AfterEvent) for c in statement.clauses)


def add_accesses(found: Touches, statement: typed.Statement, process: typed.Process) -> None:
    for access in accesses(statement):
        v = access.variable
        if v.owner is process or not isinstance(v.owner, typed.Module) or ty.is_port(v.type):
            continue
        if access.kind in READS or access.kind in (Kind.STEP, Kind.ARGUMENT):
            found.reads.setdefault(name_in(v, process))
        if access.kind not in READS:
            found.writes.setdefault(name_in(v, process))


def name_in(v: typed.Variable, process: typed.Process) -> str:
    if isinstance(v.owner, typed.Module) and v.owner is not process.module:
        return f"{v.owner.name}.{v.name}"
    return v.name


def meeting(event: typed.Send | typed.Receive) -> str:
    root = root_variable(event.port)
    port = root.name if root is not None else "SYSTEM.INT" if isinstance(event.port, typed.InterruptPort) else "port"
    return f"{port}{'!' if isinstance(event, typed.Send) else '?'}{event.message.name}"


def touches_text(process: typed.Process) -> list[str]:
    """As a list in Markdown."""
    t = touches(process)
    said = [
        ("reads", t.reads),
        ("writes", t.writes),
        ("sends", t.sends),
        ("receives", t.receives),
        ("calls", t.calls),
        ("creates", t.creates),
    ]
    lines = [f"- {what} {', '.join(f'`{n}`' for n in names)}" for what, names in said if names]
    return lines + ["- waits for time"] * t.sleeps
