"""Runs a program with the library's drivers for a board on a chip that is played, and logs what it writes to registers.

The naive evaluator runs it: so the log tells what the modules say, whatever the compiler makes of them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lfc.base.source import Source
from lfc.boards.descriptions.board import Board, load_board
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.semantics.analyse import analyse
from tests.naive.evaluator import Step, possible_events
from tests.naive.policies import Item, TakeFirst
from tests.naive.state import State

ROUNDS = 1_000_000
Writes = list[tuple[int, int]]


class PlayedChip(TakeFirst):
    """Registers that hold what was written, but for what `reaction` makes of it, as the chip would. `events`: what may
    happen."""

    events: tuple[str, ...] = ("run",)

    def __init__(self, values: dict[int, int], reaction: Callable[[dict[int, int]], None] | None) -> None:
        super().__init__()
        self.registers = dict(values)
        self.reaction = reaction
        self.items: list[Item] = []
        self.seen = 0
        self.written: Writes = []
        self.widths: set[int] = set()

    def take_writes(self) -> None:
        for tag, *operands in self.items[self.seen :]:
            if tag == "out":
                width, address, value = operands
                assert isinstance(width, int) and isinstance(address, int) and isinstance(value, int)
                self.widths.add(width)
                self.written.append((address, value))
                self.registers[address] = value
                if self.reaction is not None:
                    self.reaction(self.registers)
        self.seen = len(self.items)

    def port_in(self, width: int, address: int) -> int:
        self.take_writes()
        self.widths.add(width)
        return self.registers.get(address, 0) & ((1 << width) - 1)


def play(
    board: str | Board,
    imports: str,
    statements: str,
    values: dict[int, int] | None = None,
    reaction: Callable[[dict[int, int]], None] | None = None,
    variables: str = "on : BOOLEAN; v : UINT16",
    steps: int = 200,
    played: PlayedChip | None = None,
) -> tuple[State, PlayedChip]:
    """The last state, and the chip with what was written to it."""
    text = f"MODULE T; IMPORT {imports}; VAR {variables}; BEGIN {statements} END T."
    described = load_board(board) if isinstance(board, str) else board
    diagnostics = Diagnostics()
    program = analyse(Source("T.lf", text), diagnostics, path=[Path()], chip=chip_modules(described))
    assert program is not None and not diagnostics.has_errors, [d.message for d in diagnostics.items]
    state, chip = State.initial(program), played or PlayedChip(values or {}, reaction)
    for _ in range(steps):
        if state.fault is not None or not [e for e in possible_events(state) if e[0] in chip.events]:
            break
        stepping = Step(state, chip, ROUNDS)
        chip.items, chip.seen = stepping.items, 0
        stepping.take()
        chip.take_writes()
    return state, chip
