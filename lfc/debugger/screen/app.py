"""The screen itself: tables of the moment, keys that are commands of the line mode, and a line for all others."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import DataTable, Footer, Input, RichLog, Static

from lfc.debugger.console import BadCommand
from lfc.debugger.screen.session import Session
from lfc.run.stepper import Stepper

CHANGED, HERE, BREAK = "bold yellow", "reverse", "bold red"
KEYS: list[BindingType] = [
    Binding("n,right", "obey('')", "Step"),
    Binding("p,left", "obey('undo')", "Back"),
    Binding("r", "obey('run')", "Run"),
    Binding("R", "obey('back')", "Run back"),
    Binding("b", "toggle_line", "Breakpoint"),
    Binding("w", "watch", "Watch"),
    Binding("l", "obey('leave')", "Leave trace"),
    Binding("colon", "command", "Command", key_display=":"),
    Binding("escape", "interrupt", "Stop", show=False, priority=True),
    Binding("ctrl+c", "interrupt", "Stop", show=False, priority=True),
    Binding("q", "quit", "Quit"),
]


class DebugScreen(App[None]):
    """Only one command is at work at a time, in a thread of its own; the tables are of the moment behind it."""

    ENABLE_COMMAND_PALETTE = False
    TITLE = "lfc debug"
    BINDINGS: ClassVar[list[BindingType]] = KEYS
    CSS_PATH = "screen.tcss"

    def __init__(self, stepper: Stepper, file: str) -> None:
        super().__init__()
        self.pending = False
        self.busy = False
        self.said: list[str] = []
        self.session = Session(stepper, file, self.said.append, lambda: self.pending)
        self.path = ""  # of the text that is shown
        self.lines: list[str] = []
        self.chosen: int | None = None  # the process whose variables and place are shown

    # --- what is there ---------------------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        yield Static(id="status")
        with Horizontal(id="panes"):
            yield Table("text", ("", 3), ("", 5), ("", None))
            with Vertical(id="side"):
                yield Table("processes", ("", 1), ("process", None), ("at", None), ("state", None))
                yield Table("variables", ("", 1), ("variable", None), ("value", None), ("was", None))
                yield Table("choices", ("", 1), ("", 3), ("what can happen next", None))
        yield RichLog(id="log", wrap=True, max_lines=5000)
        yield Input(id="command", placeholder="a command; `help` lists them")
        yield Footer()

    def on_mount(self) -> None:
        self.table("processes").border_title = "Processes"
        self.table("variables").border_title = "Variables"
        self.table("choices").border_title = "Next"
        self.query_one("#command", Input).display = False
        self.session.start()
        self.show()
        self.table("text").focus()

    def table(self, name: str) -> Table:
        return self.query_one(f"#{name}", Table)

    # --- commands --------------------------------------------------------------------------------------------------

    def action_obey(self, line: str) -> None:
        """A command of the line mode."""
        if not self.busy:
            self.busy, self.pending = True, False
            self.run_worker(partial(self.work, line), thread=True)

    def work(self, line: str) -> None:
        """In its own thread."""
        try:
            goes_on = self.session.obey(line)
        finally:
            self.busy = False
        self.call_from_thread(self.show if goes_on else self.exit)

    def action_interrupt(self) -> None:
        """Of the program that runs; else the command line is closed."""
        self.pending = self.busy
        if self.query_one("#command", Input).display:
            self.close_command()

    def action_command(self) -> None:
        line = self.query_one("#command", Input)
        line.display = True
        line.focus()

    def close_command(self) -> None:
        line = self.query_one("#command", Input)
        line.value, line.display = "", False
        self.table("text").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        line = event.value.strip()
        self.close_command()
        if line:
            self.action_obey(line)

    def action_toggle_line(self) -> None:
        """At the line of the cursor."""
        if self.busy or not self.lines:
            return
        try:
            self.session.toggle_line(self.path, self.table("text").cursor_row + 1)
        except BadCommand as error:
            self.said.append(str(error))
        self.show()

    def action_watch(self) -> None:
        """Stop where the variable under the cursor changes."""
        rows, at = self.variables, self.table("variables").cursor_row
        if rows and 0 <= at < len(rows):
            self.action_obey(f"break change {rows[at].name}")

    def on_data_table_row_selected(self, event: DataTable.RowSelected) -> None:
        """ENTER: a choice is taken, a process is shown, a line gets a breakpoint."""
        name = event.data_table.id
        if name == "choices":
            self.action_obey(str(self.choices[event.cursor_row].number))
        elif name == "processes":
            self.chosen = self.processes[event.cursor_row].slot
            self.show(follow=False)
        elif name == "text":
            self.action_toggle_line()

    # --- the moment ------------------------------------------------------------------------------------------------

    def show(self, follow: bool = True) -> None:
        """`follow`: the process that the stop is about, if it is another moment."""
        session = self.session
        if follow:
            self.chosen = session.view.thread() - 1
        self.processes = session.process_rows()
        self.variables = session.variable_rows(self.chosen)
        self.choices = session.choice_rows()
        self.show_status()
        self.show_text()
        self.table("processes").fill(
            [
                [">" if p.slot == self.chosen else "", styled(p.name, "bold" if p.acted else ""), p.place, p.state]
                for p in self.processes
            ]
        )
        self.table("variables").fill(
            [
                [styled("*" if v.was else "", CHANGED), v.name, styled(v.value, CHANGED if v.was else ""), v.was]
                for v in self.variables
            ]
        )
        self.table("choices").fill([[">" if c.known else "", str(c.number), c.text] for c in self.choices])
        log = self.query_one("#log", RichLog)
        for told in self.said:
            log.write(Text(told))
        self.said.clear()

    def show_status(self) -> None:
        s, stop = self.session.stepper, self.session.last
        of = f" of {s.trace_end} of the trace" if s.trace_end else ""
        why = stop.text or {"breakpoint": "breakpoint", "entry": "the start"}.get(stop.reason, "")
        bad = stop.reason == "exception"
        self.query_one("#status", Static).update(
            styled(f" {self.session.file}  step {s.at}{of}" + (f": {why}" if why else ""), BREAK if bad else "bold")
        )

    def show_text(self) -> None:
        place = self.session.place_of(self.chosen)
        path, line = place if place is not None else (self.path or str(Path(self.session.file).resolve()), 0)
        if path != self.path:
            self.path = path
            self.lines = Path(path).read_text(encoding="utf-8", errors="replace").splitlines()
        standing, breaks = self.session.standing(path), self.session.lines_with_breakpoints(path)
        rows: list[list[str | Text]] = []
        for number, text in enumerate(self.lines, 1):
            mark = styled("●", BREAK) if number in breaks else Text("")
            mark.append(">" if number == line else "·" if number in standing else "")
            who = f"   ← {', '.join(standing[number])}" if number in standing else ""
            shown = styled(text, HERE if number == line else "")
            shown.append(who, "dim italic")
            rows.append([mark, str(number), shown])
        self.table("text").border_title = Path(path).name
        self.table("text").fill(rows, line - 1 if line else None)


class Table(DataTable[Any]):
    """Rows with one cursor."""

    def __init__(self, name: str, *columns: tuple[str, int | None]) -> None:
        super().__init__(id=name, cursor_type="row", show_header=name not in ("text",), cell_padding=0)
        self.cell_padding = 1
        self.titles = columns

    def on_mount(self) -> None:
        for title, width in self.titles:
            self.add_column(title, width=width)

    def fill(self, rows: list[list[Any]], cursor: int | None = None) -> None:
        """The cursor stays in its row, unless one is said."""
        at = self.cursor_row if cursor is None else cursor
        self.clear()
        for row in rows:
            self.add_row(*(Text(cell) if isinstance(cell, str) else cell for cell in row))
        if rows:
            self.move_cursor(row=max(0, min(at, len(rows) - 1)), animate=False)


def styled(text: str, style: str) -> Text:
    return Text(text, style)
