"""How a run on the host ended, told to people: faults, deadlocks, what the processes wait for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from lfc.actions.layout.fields import block_fields
from lfc.run.names import event_text, live_processes
from lfc.semantics.model import typed
from lfc.semantics.model.types import IN_STEPS, INTEGER, FixedType, steps_text

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.base.source import Span
    from lfc.codegen.module.generated import FaultSite
    from lfc.run.names import LiveProcess
    from lfc.run.running import Fault

INDEX, RANGE, OVERFLOW, DIVISION, CASE, ASSERT, PORT, PROCESSES, CHANNELS, CALLS, ELEMENT, ENDLESS, ENVIRONMENT = range(
    1, 14
)
EFFECT = 14


class Construct(Protocol):
    """What a fault's number stands for, as far as the message goes."""

    @property
    def text(self) -> str: ...

    @property
    def unsigned(self) -> bool: ...


def fault_message(site: Construct, fault: Fault, machine: Machine | None = None) -> str:
    """One sentence, with the values. `machine`: so that bytes of the block can be named."""
    a, b = values_of(site, fault)
    unsigned = a & 0xFFFFFFFF
    texts = {
        INDEX: f"index {a} is out of bounds: the array has {b} elements",
        RANGE: out_of_range(site.text.removeprefix("value of "), a),
        OVERFLOW: overflow(site, a, b) if fault.kind == OVERFLOW else "",
        DIVISION: f"{a} {site.text} 0",
        CASE: f"no CASE label matches {a}",
        ASSERT: "the assertion failed",
        PORT: "the port was never set with NEW",
        PROCESSES: f"more than {unsigned} instances of the process at once; raise MAX after its parameters",
        CHANNELS: f"more than {unsigned} channels at once; raise MAX after the type of the PORT",
        CALLS: f"more than {unsigned} calls of the process in progress; raise MAX after its parameters",
        ELEMENT: f"{a} is not an element of a set of {b} bits",
        ENDLESS: "the action does not end: too many loop iterations and calls without a scheduling point",
        ENVIRONMENT: f"no process answers the access to port {unsigned:X}H",
        EFFECT: f"the C function of {site.text} has written {byte_name(machine, a)}, which it does not declare",
    }
    return texts[fault.kind]


def overflow(site: Construct, a: int, b: int) -> str:
    if not site.unsigned:
        return f"signed overflow; the operands are {a} and {b}"
    op, _, name = site.text.partition(" of ")
    result = {"+": a + b, "-": a - b, "*": a * b}[op]
    return f"{a} {op} {b} is {result}, which {name} cannot hold: it wraps (--wraps fault)"


def out_of_range(type_name: str, value: int) -> str:
    name, _, step = type_name.partition(IN_STEPS)
    text = str(value)
    if step:
        whole, _, places = step.partition(".")
        text = steps_text(FixedType("", INTEGER, 0, 0, int(whole + places), 10 ** len(places)), value)
    return f"the value {text} is out of the range of its type ({name})"


def byte_name(machine: Machine | None, offset: int) -> str:
    """What lies at an offset of the block."""
    if machine is not None:
        for f in block_fields(machine.layout):
            if f.offset <= offset < f.offset + f.size:
                return f"`{f.name}` of {f.owner}"
    return f"byte {offset} of the state block"


def values_of(site: Construct, fault: Fault) -> tuple[int, int]:
    """As numbers of the program's types: they are recorded with a sign."""
    if site.unsigned:
        return fault.first & 0xFFFFFFFF, fault.second & 0xFFFFFFFF
    return fault.first, fault.second


def excerpt(span: Span, indent: str = "  ") -> list[str]:
    """The source line with a caret below."""
    line, column = span.source.line_and_column(span.start)
    text = span.source.line_text(line).replace("\t", " ")
    if len(text) > 160:
        return []
    width = max(1, min(span.end - span.start, len(text) - column + 1))
    number = str(line)
    return [f"{indent}{number} | {text}", f"{indent}{' ' * len(number)} | {' ' * (column - 1)}{'^' * width}"]


def place(span: Span) -> str:
    line, column = span.source.line_and_column(span.start)
    return f"{span.source.path}:{line}:{column}"


def fault_lines(site: FaultSite, fault: Fault, machine: Machine | None = None) -> list[str]:
    message = fault_message(site, fault, machine)
    return [f"{place(site.span)}: fault: {message}", *excerpt(site.span)]


def fault_as_data(site: FaultSite, fault: Fault) -> dict[str, object]:
    line, column = site.span.source.line_and_column(site.span.start)
    return {
        "kind": fault.kind,
        "message": fault_message(site, fault),
        "file": site.span.source.path,
        "line": line,
        "column": column,
        "values": list(values_of(site, fault)),
    }


def may_wait(p: LiveProcess) -> bool:
    """It may rightly wait for ever: a server, a device that waits to be accessed, or who waits for the console."""
    if p.record.body.process is not None and p.record.body.process.server:
        return True
    clauses = [] if p.position.point is None or p.position.ready else p.position.point.clauses
    return any(
        isinstance(c.event, typed.KeyRead)
        or (isinstance(c.event, typed.Receive) and isinstance(c.event.port, typed.IoPort))
        for c in clauses
    )


@dataclass(slots=True)
class Waiting:
    """Who still lives when nobody is ready."""

    processes: list[LiveProcess]

    @property
    def only_servers(self) -> bool:
        return all(may_wait(p) for p in self.processes)

    def lines(self) -> list[str]:
        found = []
        for p in self.processes:
            server = p.record.body.process is not None and p.record.body.process.server
            events = " or ".join(f"`{e}`" for e in event_text(p.position))
            found.append(f"  {p.name}{' (a server)' if server else ''} waits at {place(p.position.span)} for {events}")
            callers = [f"{f.body.name.rsplit('.', 1)[-1]}" for f in p.frames[:-1]]
            if callers:
                found[-1] += f", in {' in '.join(callers)}"
        return found


def who_waits(machine: Machine, block: bytes) -> Waiting:
    return Waiting(list(live_processes(machine, block)))


def waits_for_console(machine: Machine, block: bytes) -> bool:
    return any(
        p.position.point is not None
        and not p.position.ready
        and any(isinstance(c.event, typed.ConsoleRead) for c in p.position.point.clauses)
        for p in live_processes(machine, block)
    )


def is_deadlock(machine: Machine, block: bytes) -> bool:
    """Nobody is ready, all wait for each other, and for one it is not right to."""
    waiting = who_waits(machine, block)
    if waiting.only_servers or any(p.position.ready or p.position.point is None for p in waiting.processes):
        return False
    events = [c.event for p in waiting.processes if p.position.point for c in p.position.point.clauses]
    return all(isinstance(e, typed.Send | typed.Receive) for e in events) and not waits_for_interrupt(machine, block)


def waits_for_interrupt(machine: Machine, block: bytes) -> list[int]:
    return sorted(
        {
            c.event.port.number
            for p in live_processes(machine, block)
            if p.position.point is not None and not p.position.ready
            for c in p.position.point.clauses
            if isinstance(c.event, typed.Receive) and isinstance(c.event.port, typed.InterruptPort)
        }
    )


def who_waits_or_runs(machine: Machine, block: bytes) -> list[str]:
    """Where every process is, for the summary of an interrupted run."""
    found = []
    for p in live_processes(machine, block):
        state = "ready" if p.position.ready else "waits"
        found.append(f"  {p.name}: {state} at {place(p.position.span)}")
    return found
