"""`lfc explore`: walk through the states of a program in the terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.mcheck.explore.debugger import Explorer
    from lfc.run.events import Event

SHOWN = 20  # choices shown at once
MOST_STATES = 20_000  # looked at by `jump`

HELP = """\
  NUMBER            take this choice
  ENTER             take the first choice
  l, list           show all choices
  s, state          show every process and variable
  u, undo [N]       go back N steps
  r, run [N]        take first choices until a breakpoint, a choice of several, the end, or N steps
  b, break COND     stop `run` where COND holds: NAME = VALUE (or # < <= > >=), or line NUMBER
  d, delete         forget the breakpoints
  j, jump COND      take a shortest path to a state in which COND holds
  w, way            show the path from the start
  t, trace FILE     write the path as a trace (lfc run --schedule FILE replays it)
  q, quit           leave"""


@click.command("explore", short_help="Explore a program's states interactively.")
@click.argument("file", metavar="FILE")
@board_options
@source_options
def command(file: str, board: str | None, board_file: str | None, path: tuple[str, ...], env: tuple[str, ...]) -> None:
    """Step through the states of a program: choose what happens next, undo, jump, stop at conditions.

    With a board, the library's drivers for that board are part of the program. Commands come from standard input, one a
    line; `help` lists them.
    """
    from lfc.mcheck.explore.debugger import Explorer

    target = chosen_board(board, board_file)
    explorer = Explorer(load_machine(file, path, env, with_environment=bool(env), board=target))
    session = Session(explorer, file)
    session.show()
    prompt = "explore> " if sys.stdin.isatty() else ""
    while True:
        try:
            line = input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if not session.obey(line.strip()):
            return


class Session:
    def __init__(self, explorer: Explorer, file: str) -> None:
        self.explorer = explorer
        self.file = file
        self.choices: list[Event] = []

    def show(self, everything: bool = False) -> None:
        e = self.explorer
        self.choices = e.choices()
        print(f"step {e.done}, {len(self.choices)} choice{'s' * (len(self.choices) != 1)}")
        shown = self.choices if everything else self.choices[:SHOWN]
        for number, event in enumerate(shown, 1):
            print(f"  {number:3}  {e.describe(event)}")
        if len(shown) < len(self.choices):
            print(f"  ... and {len(self.choices) - len(shown)} more (list)")
        if not self.choices:
            from lfc.run.report import who_waits

            waiting = who_waits(e.machine, e.block)
            print("the program has ended" if not waiting.processes else "no process is ready:")
            print("\n".join(waiting.lines()), end="\n" if waiting.processes else "")

    def obey(self, line: str) -> bool:
        """False: leave."""
        from lfc.mcheck.explore.words import command_of

        word, rest = command_of(line)
        if word in ("next", "take"):
            self.take(int(rest or 1))
        elif word == "quit":
            return False
        elif word == "list":
            self.show(everything=True)
        elif word == "state":
            print("\n".join(self.explorer.state_lines()))
        elif word == "undo":
            self.undo(rest)
        elif word == "run":
            self.run(rest)
        elif word in ("break", "jump"):
            self.condition(word, rest)
        elif word == "delete":
            self.explorer.breakpoints.clear()
        elif word == "way":
            self.way()
        elif word == "trace":
            self.write(rest)
        elif word == "help":
            print(HELP)
        else:
            print(f"unknown command `{word}`; `help` lists them")
        return True

    def take(self, number: int) -> None:
        if not 1 <= number <= len(self.choices):
            print(f"there is no choice {number} here")
            return
        event = self.choices[number - 1]
        print(self.explorer.describe(event))
        if event.fault is not None:
            print("the program stops there; the state is still the one before")
            return
        self.explorer.take(event)
        self.show()

    def undo(self, rest: str) -> None:
        if rest and not rest.isdecimal():
            print(f"`{rest}` is not a number of steps")
            return
        done = self.explorer.undo(int(rest or 1))
        print(f"{done} step{'s' * (done != 1)} undone")
        self.show()

    def run(self, rest: str) -> None:
        if rest and not rest.isdecimal():
            print(f"`{rest}` is not a number of steps")
            return
        e = self.explorer
        for count in range(int(rest or 1000)):
            if count and (hit := e.hit()) is not None:
                print(f"breakpoint: {hit.text}")
                break
            choices = e.choices()
            if not choices or choices[0].fault is not None or (len(choices) > 1 and not rest and not e.breakpoints):
                break
            print(e.describe(choices[0]))
            e.take(choices[0])
        self.show()

    def condition(self, what: str, text: str) -> None:
        from lfc.mcheck.explore.debugger import BadCondition, read_breakpoint

        e = self.explorer
        try:
            found = read_breakpoint(text)
        except BadCondition as error:
            print(error)
            return
        if found.name and not e.lives(found.name):
            print(f"note: no variable `{found.name}` exists in this state; `state` lists the names")
        if what == "break":
            e.breakpoints.append(found)
            return
        way, looked = e.search(found, MOST_STATES)
        if way is None:
            among = f"the next {MOST_STATES}" if looked > MOST_STATES else f"the {looked} that can be reached from here"
            print(f"no such state among {among}")
            return
        for event in way:
            print(e.describe(event))
            e.take(event)
        self.show()

    def way(self) -> None:
        from lfc.run.steps import StepPrinter

        e = self.explorer
        printer = StepPrinter(e.machine, e.blocks()[0])
        for items, block in zip(e.steps(), e.blocks()[1:], strict=True):
            print(printer.step(items, block))

    def write(self, name: str) -> None:
        from lfc.cli.common.trace_files import write_trace_file

        if not name:
            print("trace FILE: name a file")
            return
        try:
            write_trace_file(name, self.file, self.explorer.machine, self.explorer.steps())
        except click.ClickException as error:
            print(error.format_message())
