"""What the screen shows of a program that is debugged: the words of the line mode, and the moment as tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lfc.debugger.breakpoints import LineBreakpoint, gone, resolved
from lfc.debugger.driver import never
from lfc.debugger.stops import Stop
from lfc.debugger.terminal import Terminal, decided
from lfc.debugger.views import WAITS, Shown, View
from lfc.run.names import LiveProcess, source_text
from lfc.run.stepper import Stepper


@dataclass(frozen=True, slots=True)
class ProcessRow:
    slot: int
    name: str
    place: str  # file and line
    state: str
    acted: bool  # the last step was this one's


@dataclass(frozen=True, slots=True)
class VariableRow:
    name: str  # as `break change` reads it
    value: str
    was: str  # nothing: it did not change


@dataclass(frozen=True, slots=True)
class ChoiceRow:
    number: int
    text: str
    known: bool  # the next step of the trace, or of what was undone


class Session(Terminal):
    """The line mode without its lists: the screen has a place for each of them."""

    def __init__(
        self, stepper: Stepper, file: str, write: Callable[[str], None], interrupted: Callable[[], bool] = never
    ) -> None:
        super().__init__(stepper, file, write, interrupted)
        self.lists_choices = False
        self.last = Stop("entry")
        self.view = View(stepper, self.last)

    def show(self) -> None:
        stop = self.stop
        super().show()
        if stop is not None:
            self.last = stop
        self.view = View(self.stepper, self.last)

    # --- rows ------------------------------------------------------------------------------------------------------

    def process_rows(self) -> list[ProcessRow]:
        actor = self.driver.actor()
        return [self._process_row(p, p.slot == actor) for p in self.view.live.values()]

    def _process_row(self, process: LiveProcess, acted: bool) -> ProcessRow:
        span = process.position.span
        line, _ = span.source.line_and_column(span.start)
        place = f"{resolved(span.source.path).rsplit('/', 1)[-1]}:{line}"
        state = "ready" if process.position.ready else f"{WAITS} {source_text(span)}"
        return ProcessRow(process.slot, process.name, place, state, acted)

    def variable_rows(self, slot: int | None) -> list[VariableRow]:
        """Of a process, its innermost call first; then of the modules."""
        process = self.view.live.get(-1 if slot is None else slot)
        shown: list[Shown] = []
        if process is not None:
            for depth in range(len(process.frames)):
                shown += self.view.of_frame(process, depth)
        shown += self.view.of_modules()
        return [
            VariableRow(s.full, s.value, gone(s.was) if s.was is not None and s.was != s.value else "") for s in shown
        ]

    def choice_rows(self) -> list[ChoiceRow]:
        if self.last.last:
            return []
        s = self.stepper
        known = decided(s.items_at(s.at)) if s.at < len(s.steps) else None
        return [ChoiceRow(c.number, c.text, decided(c.event.items) == known) for c in self.choices()]

    def place_of(self, slot: int | None) -> tuple[str, int] | None:
        """File and line at which a process stands; of one that faults, where it does."""
        frames = self.view.frames(-1 if slot is None else slot + 1)
        return (frames[0]["source"]["path"], frames[0]["line"]) if frames else None

    def standing(self, path: str) -> dict[int, list[str]]:
        """Who stands at which line of a file."""
        found: dict[int, list[str]] = {}
        for slot, process in self.view.live.items():
            place = self.place_of(slot)
            if place is not None and place[0] == path:
                found.setdefault(place[1], []).append(process.name)
        return found

    # --- breakpoints -----------------------------------------------------------------------------------------------

    def lines_with_breakpoints(self, path: str) -> set[int]:
        return {b.line for b in self.driver.breakpoints.lines.get(path, ())}

    def toggle_line(self, path: str, line: int) -> None:
        """The next line at or behind it where a process can stand."""
        there = self.driver.breakpoints.lines.setdefault(path, [])
        at = self.line_in(path, line)
        kept: list[LineBreakpoint] = [b for b in there if b.line != at]
        if len(kept) == len(there):
            kept.append(LineBreakpoint(next(self.numbers), path, at))
            self.write(f"breakpoint at line {at}")
        else:
            self.write(f"no breakpoint at line {at} any more")
        self.driver.breakpoints.lines[path] = kept
