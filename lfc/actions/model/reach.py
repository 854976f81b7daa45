"""Which processes a part of the program reaches, what they call and create, and which of them can wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lfc.semantics.model import typed
from lfc.semantics.model.visit import statements

if TYPE_CHECKING:
    from lfc.semantics.model.typed import Module, Process


@dataclass(slots=True)
class Uses:
    """What one body does by itself."""

    calls: list[Process] = field(default_factory=list)  # each once, in the order of the text
    creates: list[Process] = field(default_factory=list)
    has_point: bool = False


@dataclass(slots=True)
class Reach:
    """All that is reached from some bodies."""

    uses: dict[Process, Uses]  # of every process that is reached
    called: set[Process]
    created: set[Process]
    can_wait: set[Process]
    recursive: set[Process]


def is_point(statement: typed.Statement) -> bool:
    """A scheduling point. What an environment answers to a port read is none."""
    if isinstance(statement, typed.Send):
        return not isinstance(statement.port, typed.IoPort)
    return isinstance(
        statement,
        typed.Receive | typed.ConsoleRead | typed.Sleep | typed.Select | typed.Choice | typed.Reschedule,
    )


def uses_of(body: Sequence[typed.Statement]) -> Uses:
    uses = Uses()
    for s in statements(body):
        if isinstance(s, typed.CallProcess) and s.process not in uses.calls:
            uses.calls.append(s.process)
        elif isinstance(s, typed.CreateProcess) and s.process not in uses.creates:
            uses.creates.append(s.process)
        uses.has_point |= is_point(s)
    return uses


def reach_from(roots: Iterable[Sequence[typed.Statement]]) -> Reach:
    """Roots are bodies that nobody calls: of modules, or of a property process."""
    reach = Reach({}, set(), set(), set(), set())
    work = [uses_of(root) for root in roots]
    while work:
        uses = work.pop()
        reach.called.update(uses.calls)
        reach.created.update(uses.creates)
        for process in uses.calls + uses.creates:
            if process not in reach.uses:
                reach.uses[process] = uses_of(process.body)
                work.append(reach.uses[process])
    reach.can_wait = {p for p, uses in reach.uses.items() if uses.has_point}
    callers: dict[Process, list[Process]] = {}
    for p, uses in reach.uses.items():
        for callee in uses.calls:
            callers.setdefault(callee, []).append(p)
    waiting = list(reach.can_wait)
    while waiting:
        for caller in callers.get(waiting.pop(), []):
            if caller not in reach.can_wait:
                reach.can_wait.add(caller)
                waiting.append(caller)
    reach.recursive = {p for p in reach.uses if reaches_itself(p, lambda q: reach.uses[q].calls)}
    return reach


def reaches_itself(start: Process, followers: Callable[[Process], Iterable[Process]]) -> bool:
    seen: set[Process] = set()
    stack = [start]
    while stack:
        for follower in followers(stack.pop()):
            if follower is start:
                return True
            if follower not in seen:
                seen.add(follower)
                stack.append(follower)
    return False


def modules_of_program(program: typed.Program) -> list[Module]:
    """What the main module imports, with it, in the order of initialisation: all that the firmware has."""
    found: set[Module] = set()
    stack = [program.main]
    while stack:
        module = stack.pop()
        if module not in found:
            found.add(module)
            stack.extend(module.imports)
    return [m for m in program.modules if m in found]
