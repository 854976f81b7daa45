"""`lfc debug`: the debugger line by line, in the words of `lfc explore` and some of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import count

from lfc.debugger.breakpoints import (
    DataBreakpoint,
    LineBreakpoint,
    MessageBreakpoint,
    UnknownName,
    full_name,
    lines_of,
    name_to_come,
    nearest,
    resolved,
)
from lfc.debugger.choosing import Possible, choices_of
from lfc.debugger.console import BadCommand, Console, number_of
from lfc.debugger.driver import Driver, Enough, at_once, never
from lfc.debugger.setting import messages_of
from lfc.debugger.stops import Stop
from lfc.mcheck.explore.debugger import BadCondition, read_breakpoint, state_lines
from lfc.mcheck.explore.words import command_of
from lfc.run.names import possible_names, values
from lfc.run.port_reads import PortReads
from lfc.run.stepper import Stepper
from lfc.run.steps import StepPrinter
from lfc.trace.items import Item

SHOWN = 20  # choices
MOST_STEPS = 10_000  # of a `run` without a number

HELP = """\
  ENTER             do the next step: of the trace, else the scheduler's
  NUMBER            take this choice instead; what was known to come is forgotten
  l, list           show all choices
  s, state          show every process and variable
  NAME              show a variable
  u, undo [N]       go back N steps; forwards goes the same way again
  r, run [N]        go on until a breakpoint, an error, the end, or N steps (10000)
  back              go back until a breakpoint, or the start
  go N              go to the moment after step N
  b, break COND     stop where COND comes to hold: NAME = VALUE (or # < <= > >=)
  break line N      stop where a process comes to stand at line N
  break change NAME     stop where the variable changes
  break message NAME    stop where the message passes
  d, delete         forget the breakpoints
  leave             leave the trace: from here on the scheduler decides
  input TEXT        give the program a line of console input
  w, way            show the path from the start
  t, trace FILE     write the path as a trace (lfc run --schedule FILE replays it)
  q, quit           leave"""


class Terminal:
    """`write` takes lines for whoever debugs."""

    def __init__(
        self, stepper: Stepper, file: str, write: Callable[[str], None], interrupted: Callable[[], bool] = never
    ) -> None:
        self.stepper, self.file, self.write = stepper, file, write
        self.driver = Driver(stepper, self.hear, interrupted)
        self.reads = PortReads(stepper.machine)
        self.found: list[Possible] | None = None
        self.output = b""
        self.numbers = count(1)
        self.console = Console(stepper, file, self.choices, self.take, self.moved)
        self.stop: Stop | None = None  # to be shown
        self.lists_choices = True  # wherever the program comes to stand
        self.commands: dict[str, Callable[[str], str | None]] = {
            "next": lambda _: self.forwards(at_once),
            "take": self.take_number,
            "list": lambda _: self.listed(everything=True),
            "state": lambda _: "\n".join(state_lines(stepper.machine, stepper.block)),
            "undo": self.undo,
            "run": self.run,
            "back": lambda _: self.backwards(never),
            "go": self.go,
            "break": self.set_breakpoint,
            "delete": self.delete,
            "leave": self.leave,
            "input": self.console.give_input,
            "way": lambda _: self.console.way("all"),
            "trace": self.console.write,
            "help": lambda _: HELP,
        }

    def start(self) -> None:
        for line in self.driver.properties.left_out:
            self.write(line)
        self.stop = Stop("entry")
        self.show()

    def obey(self, line: str) -> bool:
        """False: leave."""
        word, rest = command_of(line)
        if word == "quit":
            return False
        try:
            work = self.commands.get(word)
            said = work(rest) if work is not None else self.value(line.strip())
        except (BadCommand, BadCondition, UnknownName) as error:
            said = str(error)
        if said:
            self.write(said)
        self.show()
        return True

    # --- what is shown ---------------------------------------------------------------------------------------------

    def hear(self, output: bytes) -> None:
        self.output += output

    def show(self) -> None:
        """Where the program stands, if it has moved."""
        stop, self.stop = self.stop, None
        if self.output:
            self.write(f"output: {self.output.decode('utf-8', 'replace')!r}")
            self.output = b""
        if stop is None:
            return
        s = self.stepper
        of = f" of {s.trace_end}" if s.trace_end else ""
        why = stop.text or {"breakpoint": "breakpoint", "entry": "the start"}.get(stop.reason, "")
        self.write(f"step {s.at}{of}" + (f": {why}" if why else ""))
        for line in stop.details:
            self.write(f"  {line}" if not line.startswith(" ") else line)
        listed = self.listed() if self.lists_choices else ""
        if listed and not stop.last:
            self.write(listed)

    def choices(self) -> list[Possible]:
        if self.found is None:
            self.found = choices_of(self.stepper, self.reads)
        return self.found

    def listed(self, everything: bool = False) -> str:
        """The step that is known to come is marked."""
        found, s = self.choices(), self.stepper
        known = s.items_at(s.at) if s.at < len(s.steps) else None
        lines = []
        for c in found if everything else found[:SHOWN]:
            mark = ">" if known is not None and decided(c.event.items) == decided(known) else " "
            lines.append(f" {mark}{c.number:3}  {c.text}")
        if len(lines) < len(found):
            lines.append(f"  ... and {len(found) - len(lines)} more (list)")
        return "\n".join(lines)

    def value(self, name: str) -> str:
        s = self.stepper
        known = values(s.machine, s.block)
        full = full_name(s.machine, s.block, known, name, self.driver.actor())
        if full is None and name in possible_names(s.machine):
            raise BadCommand(f"`{name}` does not exist at this step")
        if full is None:
            raise BadCommand(
                f"`{name}` is neither a command nor a variable; `help` lists the commands, `state` the names"
            )
        return f"{full} = {known[full]}"

    # --- motion ----------------------------------------------------------------------------------------------------

    def came(self, stop: Stop) -> None:
        self.stop, self.found = stop, None

    def forwards(self, enough: Enough) -> str:
        before = self.stepper.at
        self.came(self.driver.forwards(enough))
        return self.done() if self.stepper.at > before else ""

    def backwards(self, enough: Enough) -> None:
        self.came(self.driver.backwards(enough))

    def done(self) -> str:
        """The last step in words."""
        s = self.stepper
        return StepPrinter(s.machine, s.block_at(s.at - 1), s.at - 1).step(s.items_at(s.at - 1), s.block)

    def take(self, choice: Possible) -> None:
        s = self.stepper
        if s.at < s.trace_end:
            self.write(f"the trace is left at step {s.at}: from here on it is yours")
        self.came(self.driver.take(choice.event))

    def moved(self) -> None:
        self.came(self.driver.moved())

    def take_number(self, rest: str) -> str:
        before = self.stepper.at
        self.console.take_choice(rest)
        return self.done() if self.stepper.at > before else ""

    def go(self, rest: str) -> None:
        self.console.go(rest)

    def undo(self, rest: str) -> None:
        self.backwards(self.after(number_of(rest or "1")))

    def run(self, rest: str) -> str:
        before = self.stepper.at
        said = self.forwards(self.after(number_of(rest) if rest else MOST_STEPS))
        if not rest and self.stepper.at == before + MOST_STEPS:
            said += f"\n{MOST_STEPS} steps without a reason to stop; `run` goes on"
        return said

    def after(self, steps: int) -> Enough:
        left = iter(range(steps - 1))
        return lambda: next(left, None) is None

    def leave(self, rest: str) -> str:
        self.found = None
        return self.console.leave(rest)

    # --- breakpoints -----------------------------------------------------------------------------------------------

    def set_breakpoint(self, rest: str) -> str:
        kind, _, name = rest.partition(" ")
        name = name.strip()
        b, s = self.driver.breakpoints, self.stepper
        if kind == "line":
            path = resolved(self.file)
            line = self.line_in(path, number_of(name))
            b.lines.setdefault(path, []).append(LineBreakpoint(next(self.numbers), path, line))
            return f"breakpoint at line {line}"
        if kind == "message":
            known = messages_of(s.machine)
            if name not in known:
                there = ", ".join(sorted(known)) or "none"
                raise BadCommand(f"`{name}` is no message of this program; there are: {there}")
            b.messages.append(MessageBreakpoint(next(self.numbers), name))
            return f"breakpoint at message {name}"
        known_now = values(s.machine, s.block)
        if kind == "change":
            full = self.to_come(name, known_now)
            b.data.append(DataBreakpoint(next(self.numbers), full))
            return f"breakpoint at changes of {full}" + ("" if full in known_now else "; it does not exist yet")
        condition = read_breakpoint(rest)
        if not condition.line:
            condition = replace(condition, name=self.to_come(condition.name, known_now))
        b.conditions.append(condition)
        exists = condition.line or condition.name in known_now
        return f"breakpoint: {condition.text}" + ("" if exists else f"; no variable `{condition.name}` exists yet")

    def to_come(self, name: str, known: dict[str, str]) -> str:
        s = self.stepper
        return name_to_come(s.machine, s.block, known, name, self.driver.actor())

    def line_in(self, path: str, wanted: int) -> int:
        """The next one at or behind it at which a process can stand."""
        line = nearest(lines_of(self.stepper.machine, path), wanted)
        if line is None:
            raise BadCommand("no process ever stands behind this line")
        return line

    def delete(self, _: str) -> str:
        self.driver.breakpoints = type(self.driver.breakpoints)()
        return "no breakpoints"


def decided(items: list[Item]) -> list[Item]:
    return [i for i in items if not i.is_output]
