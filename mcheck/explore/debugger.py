"""Walking through a program's states by hand: what can happen here, take it, undo, jump, run to a breakpoint."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from lfc.actions.model.machine import Machine
from lfc.base.breadth_first import Found
from lfc.codegen.module.generated import FaultSite
from lfc.codegen.program import generate
from lfc.run import report
from lfc.run.events import Event
from lfc.run.names import live_processes, place_in, source_text, values
from lfc.run.native import host_target
from lfc.run.port_reads import PortReads
from lfc.run.running import HostRun
from lfc.run.stepper import Stepper
from lfc.run.steps import StepPrinter
from lfc.trace.items import Item

MOST_EVENTS = 100_000  # looked at in one state
CONDITION = re.compile(r"\s*(?P<name>[^\s#=<>]+(?:\s+\d+)?)\s*(?P<relation>=|#|<=|>=|<|>)\s*(?P<value>.+?)\s*$")
ORDERED: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


class BadCondition(ValueError):
    """Says what is wrong with the text of a breakpoint."""


@dataclass(frozen=True, slots=True)
class Breakpoint:
    """A variable compared with a value, or (`line`) a process that stands at a source line."""

    text: str
    name: str = ""
    relation: str = ""
    value: str = ""
    line: int = 0

    def holds(self, machine: Machine, block: bytes) -> bool:
        if self.line:
            return any(p.position.span.line == self.line for p in live_processes(machine, block))
        found = values(machine, block).get(self.name)
        if found is None:
            return False
        if self.relation in ("=", "#"):
            return (found == self.value) == (self.relation == "=")
        try:
            return ORDERED[self.relation](float(found), float(self.value))
        except ValueError:
            return False


def read_breakpoint(text: str) -> Breakpoint:
    if text.startswith("line "):
        number = text.removeprefix("line ").strip()
        if not number.isdecimal():
            raise BadCondition(f"`{number}` is not a line number")
        return Breakpoint(text, line=int(number))
    match = CONDITION.match(text)
    if match is None:
        raise BadCondition(f"`{text}` is not a condition; write NAME = VALUE (or # < <= > >=) or line NUMBER")
    return Breakpoint(text, match["name"], match["relation"], match["value"])


def told_event(machine: Machine, block: bytes, event: Event, sites: list[FaultSite], reads: PortReads) -> str:
    """One line: who does what, and what changes."""
    printer = StepPrinter(machine, block, reads=reads)
    if event.fault is None:
        return printer.step(event.items, event.block)[6:].strip()
    message = report.fault_message(sites[event.fault.site], event.fault)
    return printer.last_step(event.items, message)[6:].strip()


class Explorer:
    """The way from the initial state to the current one can be undone step by step."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.stepper = Stepper(HostRun(generate(machine, host_target()), 1))
        self.sites = self.stepper.generated.sites
        self.reads = PortReads(machine)
        self.breakpoints: list[Breakpoint] = []

    @property
    def block(self) -> bytes:
        return self.stepper.block

    @property
    def done(self) -> int:
        """Steps from the initial state."""
        return self.stepper.at

    def steps(self) -> list[list[Item]]:
        return [self.stepper.items_at(n) for n in range(self.done)]

    def blocks(self) -> list[bytes]:
        """The initial one, and that after each step."""
        return [self.stepper.block_at(n) for n in range(self.done + 1)]

    def choices(self) -> list[Event]:
        return self.stepper.choices(MOST_EVENTS)

    def take(self, event: Event) -> None:
        self.stepper.take(event)

    def undo(self, count: int = 1) -> int:
        done = min(count, self.done)
        self.stepper.go_to(self.done - done)
        self.stepper.forget()
        return done

    def hit(self) -> Breakpoint | None:
        return next((b for b in self.breakpoints if b.holds(self.machine, self.block)), None)

    def lives(self, name: str) -> bool:
        return name in values(self.machine, self.block)

    def search(self, target: Breakpoint, most_states: int) -> tuple[list[Event] | None, int]:
        """A shortest way from here to a state in which the condition holds, None if there is none among so many; and
        how many states were looked at: fewer than `most_states` are all that there are."""
        found = Found(self.block)
        came: list[tuple[int, Event]] = []  # of each state but the first
        for here, block in found:
            if len(found.nodes) > most_states:
                break
            for event in self.stepper.events(block, MOST_EVENTS):
                if event.fault is not None or event.block in found.numbers:
                    continue
                found.number(event.block)
                came.append((here, event))
                if target.holds(self.machine, event.block):
                    return way_back(came, len(came)), len(found.nodes)
        return None, len(found.nodes)

    def describe(self, event: Event) -> str:
        """One line: who does what, and what changes."""
        return told_event(self.machine, self.block, event, self.sites, self.reads)

    def state_lines(self) -> list[str]:
        return state_lines(self.machine, self.block)


def state_lines(machine: Machine, block: bytes) -> list[str]:
    """Every process and variable."""
    lines = []
    for p in live_processes(machine, block):
        where = "ready at" if p.position.ready else "waits at"
        at = place_in(machine, p.position.span)
        lines.append(f"  {p.name:<20} {where} {at}: {source_text(p.position.span)}")
    return lines + [f"  {name} = {text}" for name, text in values(machine, block).items()]


def way_back(came: list[tuple[int, Event]], number: int) -> list[Event]:
    way: list[Event] = []
    while number > 0:
        number, event = came[number - 1]
        way.append(event)
    return way[::-1]
