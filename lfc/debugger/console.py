"""What one types in an editor's debug console: the words of `lfc explore`, as far as an editor has no button for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import click

from lfc.cli.common.trace_files import write_trace_file
from lfc.debugger.choosing import Possible
from lfc.run.stepper import Stepper
from lfc.run.steps import StepPrinter

SHOWN = 20  # choices, and steps of the way, without being asked for more

HELP = """\
NAME              show a variable
choices           show what can happen next; `choices all` shows more than 20
take N            take choice N; what was known to come is forgotten, and a trace is left
go N              go to the moment after step N
way               show the last 20 steps; `way all` shows all
leave             forget what is known to come: the scheduler decides from here on
input TEXT        give the program a line of console input
trace FILE        write the steps up to here as a trace (`lfc run --schedule FILE` replays it)"""


class BadCommand(Exception):
    """Says what is wrong with it."""


@dataclass(slots=True)
class Console:
    stepper: Stepper
    program: str  # file
    choices: Callable[[], list[Possible]]
    take: Callable[[Possible], None]
    moved: Callable[[], None]  # the program stands elsewhere

    def obey(self, line: str) -> str | None:
        """What it says; None: it is no command. Raises BadCommand."""
        word, _, rest = line.strip().partition(" ")
        work = {
            "help": lambda _: HELP,
            "choices": self.list_choices,
            "take": self.take_choice,
            "go": self.go,
            "way": self.way,
            "leave": self.leave,
            "input": self.give_input,
            "trace": self.write,
        }.get(word)
        return None if work is None else work(rest.strip())

    def list_choices(self, rest: str) -> str:
        found = self.choices()
        shown = found if rest == "all" else found[:SHOWN]
        lines = [f"{c.number:3}  {c.text}" for c in shown]
        if len(shown) < len(found):
            lines.append(f"... and {len(found) - len(shown)} more (choices all)")
        return "\n".join(lines) or "nothing can happen here"

    def take_choice(self, rest: str) -> str:
        found = self.choices()
        number = number_of(rest)
        if not 1 <= number <= len(found):
            raise BadCommand(f"there is no choice {number} here")
        self.take(found[number - 1])
        return found[number - 1].text

    def go(self, rest: str) -> str:
        number = number_of(rest)
        if number > self.stepper.told:
            raise BadCommand(f"only {self.stepper.told} steps have been done")
        self.stepper.go_to(number)
        self.moved()
        return f"step {number}"

    def way(self, rest: str) -> str:
        s = self.stepper
        first = 0 if rest == "all" else max(0, s.at - SHOWN)
        printer = StepPrinter(s.machine, s.block_at(first), first)
        return "\n".join(printer.step(s.items_at(n), s.block_at(n + 1)) for n in range(first, s.at)) or "no step yet"

    def leave(self, rest: str) -> str:
        self.stepper.forget()
        return "from here on the scheduler decides"

    def give_input(self, rest: str) -> str:
        self.stepper.feed(rest.encode() + b"\n")
        return f"given: {rest}"

    def write(self, rest: str) -> str:
        if not rest:
            raise BadCommand("trace FILE: name a file")
        s = self.stepper
        try:
            write_trace_file(rest, self.program, s.machine, [s.items_at(n) for n in range(s.at)])
        except click.ClickException as error:
            raise BadCommand(error.format_message()) from None
        return f"{s.at} steps are in {rest}"


def number_of(text: str) -> int:
    if not text.isdecimal():
        raise BadCommand(f"`{text}` is not a number")
    return int(text)
