"""Look-up tables of a typed program: where each statement stands, which interrupts it names.

May import: typed, walk, bounds.
"""

from __future__ import annotations

from typing import NamedTuple

from lfc.semantics import typed
from lfc.semantics.walk import bodies, communications
from tests.naive.bounds import modules_of


class Home(NamedTuple):
    """The sequence that a statement stands in, where in it, and the statement around (None: a body)."""

    sequence: list[typed.Statement]
    at: int
    around: typed.Statement | None


class Tables:
    def __init__(self, program: typed.Program) -> None:
        self.program = program
        self.modules = modules_of(program)
        self.processes = [p for p in program.all_processes() if p.module in self.modules]
        self.home: dict[typed.Statement, Home] = {}
        self.initialisation: list[typed.Statement] = [s for m in self.modules for s in m.body]
        self.module_ends: list[int] = []  # where in the initialisation each module's part ends
        end = 0
        for m in self.modules:
            end += len(m.body)
            self.module_ends.append(end)
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
