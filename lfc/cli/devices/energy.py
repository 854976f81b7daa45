"""`lfc run -b BOARD --energy`: how long the processor was awake in the built-in simulator, and what the board draws by
the currents of its description. An estimate: currents depend on voltage, temperature, and what hangs on the pins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lfc.boards.descriptions.simulated import BUILTIN, is_simulated

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board
    from lfc.boards.emulators.outcome import Outcome

MISSING = "no estimate in mA: the board's description has no `[power]` with `active` and `idle`"
HOURS = 24


class Energy:
    def __init__(self, board: Board, emulator: str | None, battery: float | None) -> None:
        """`battery` in mAh. What cannot be told is refused before anything runs."""
        self.board, self.battery = board, battery
        if emulator not in (None, BUILTIN):
            raise click.UsageError(f"--energy is for the built-in simulator: leave --emulator {emulator} out.")
        if not is_simulated(board):
            raise click.UsageError(f"--energy: the built-in simulator does not know {board.name}.")
        if battery is not None and board.power is None:
            raise click.UsageError(f"--battery: the description of {board.name} has no `[power]` (active, idle: mA).")

    def milliamperes(self, outcome: Outcome) -> float | None:
        """On average."""
        power, cycles = self.board.power, outcome.cycles or 0
        if power is None or not cycles:
            return None
        asleep = (outcome.asleep or 0) / cycles
        return power.active * (1 - asleep) + power.idle * asleep

    def lines(self, outcome: Outcome) -> list[str]:
        cycles, asleep = outcome.cycles or 0, outcome.asleep or 0
        seconds = cycles / self.board.cpu.clock
        share = 100 * (cycles - asleep) / cycles if cycles else 0.0
        lines = [f"energy: awake {share:.3g} % of {seconds:.3f} s: {cycles - asleep} of {cycles} cycles"]
        average, power = self.milliamperes(outcome), self.board.power
        if average is None or power is None:
            return [*lines, MISSING]
        told = f"{power.active:g} awake, {power.idle:g} asleep"
        lines.append(f"  about {average:.3g} mA on average ({told}): an estimate, without what hangs on the pins")
        if self.battery is not None:
            days = self.battery / average / HOURS
            lines.append(f"  about {days:.3g} days on a battery of {self.battery:g} mAh")
        return lines

    def as_data(self, outcome: Outcome) -> dict[str, object]:
        average = self.milliamperes(outcome)
        data: dict[str, object] = {"cycles": outcome.cycles, "cycles_asleep": outcome.asleep}
        if average is not None:
            data["milliamperes"] = round(average, 6)
            if self.battery is not None:
                data["days"] = round(self.battery / average / HOURS, 6)
        return data
