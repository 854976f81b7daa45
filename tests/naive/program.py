"""Look-up tables of a typed program: where each statement stands, which interrupts it names."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import NamedTuple

from lfc.semantics.checks.accesses import accesses
from lfc.semantics.model import typed
from lfc.semantics.model.visit import bodies, communications, statements
from tests.naive.bounds import modules_of


def touches_hardware(s: typed.Statement) -> bool:
    """Of a statement of an initialisation: it may come to a port or wait, or end its module's part. Before the first
    one the environment is initialised."""
    seen: set[typed.Process] = set()
    texts = [[s]]
    while texts:
        body = texts.pop()
        for inner in statements(body):
            if isinstance(inner, WAITS) or (isinstance(inner, typed.Return) and body == [s]):
                return True
            if any(a.variable.address is not None for a in accesses(inner)) or "PORTIN" in names_called(inner):
                return True
            if isinstance(inner, typed.CallProcess) and inner.process not in seen:
                seen.add(inner.process)
                texts.append(inner.process.body)
    return False


WAITS = (
    typed.PortOut,
    typed.Send,
    typed.Receive,
    typed.Select,
    typed.Sleep,
    typed.Choice,
    typed.Reschedule,
    typed.ConsoleRead,
)


def names_called(node: object, depth: int = 0) -> str:
    """The names of the predeclared functions that a statement calls, one after the other."""
    found = node.name if isinstance(node, typed.FunctionCall) else ""
    parts: list[object] = []
    if isinstance(node, list | tuple):
        parts = list(node)
    elif is_dataclass(node) and isinstance(node, typed.Statement | typed.Expr | typed.Argument):
        parts = [getattr(node, f.name) for f in fields(node)]
    return found + " ".join(names_called(p, depth + 1) for p in parts)


def answers(process: typed.Process) -> bool:
    """Whether it, or what it calls, has a receive of an access to a port."""
    seen, work = {process}, [process]
    while work:
        body = work.pop().body
        if any(isinstance(e, typed.Receive) and isinstance(e.port, typed.IoPort) for e, _ in communications(body)):
            return True
        called = {s.process for s in statements(body) if isinstance(s, typed.CallProcess)} - seen
        seen |= called
        work += called
    return False


class Home(NamedTuple):
    """The sequence that a statement stands in, where in it, and the statement around (None: a body)."""

    sequence: list[typed.Statement]
    at: int
    around: typed.Statement | None


class Tables:
    def __init__(self, program: typed.Program, with_environment: bool = False) -> None:
        self.program = program
        self.monitors = [m for m in program.modules if m.monitor]
        own = self.monitors + modules_of(program)
        self.environment = [m for m in program.modules if m not in own] if with_environment else []
        self.modules = own + self.environment
        self.processes = [p for m in (own, self.environment) for p in program.all_processes() if p.module in m]
        self.environment_processes = {p for p in self.processes if p.module in self.environment}
        self.answering = {p for p in self.environment_processes if answers(p)}
        self.home: dict[typed.Statement, Home] = {}
        parts = [(s, m) for m in own for s in m.body]
        at = next((i for i, (s, _) in enumerate(parts) if touches_hardware(s)), len(parts))
        parts[at:at] = [(s, m) for m in self.environment for s in m.body]
        self.initialisation: list[typed.Statement] = [s for s, _ in parts]
        self.module_end = [max(i for i, (_, n) in enumerate(parts) if n is m) + 1 for _, m in parts]  # by index
        self._place(self.initialisation, None)
        for p in self.processes:
            self._place(p.body, None)
        everything = [self.initialisation] + [p.body for p in self.processes]
        self.interrupts = sorted(
            {
                event.port.number
                for body in everything
                for event, _ in communications(body)
                if isinstance(event.port, typed.InterruptPort)
            }
        )

    def _place(self, sequence: list[typed.Statement], around: typed.Statement | None) -> None:
        for index, statement in enumerate(sequence):
            assert statement not in self.home, "a statement stands in two places"
            self.home[statement] = Home(sequence, index, around)
            for inner in bodies(statement):
                self._place(inner, statement)

    def body(self, process: typed.Process | None) -> list[typed.Statement]:
        return self.initialisation if process is None else process.body
