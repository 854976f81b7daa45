"""`lfc trace`: traces of the checker, of runs here and of boards, shown and compared. May import: click, `lfc.cli`; the
stages when called."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.exits import Exit
from lfc.cli.firmware import board_options, chosen_board
from lfc.cli.machine import load_machine
from lfc.cli.output import current_output, output_options
from lfc.cli.sources import search_option

if TYPE_CHECKING:
    from lfc.trace.files import Trace
    from lfc.trace.items import Item


@click.group("trace", short_help="Show or compare traces.")
def command() -> None:
    """Traces: the decisions and inputs of a way through a program, whoever recorded it."""


@command.command("show")
@click.argument("trace_file", metavar="TRACE")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@search_option
@output_options
def show(trace_file: str, file: str | None, board: str | None, board_file: str | None, path: tuple[str, ...]) -> None:
    """Show a trace, a line for each step.

    With FILE, the program, its processes and variables are named; without, the items stand as they are. With a board it
    is the program with the library's drivers for that board.
    """
    from lfc.hil.host_side import items_text

    read = read_or_refuse(trace_file)
    if current_output().form == "json":
        print(read.to_json(), end="")
        return
    if file is None:
        print(
            f"program {read.program[:16] or 'unknown'}{', ' + read.file if read.file else ''}: {len(read.steps)} steps"
        )
        for number, step in enumerate(read.steps, 1):
            print(f"{number:6}  {items_text(tuple(step))}")
        return
    from lfc.cli.run import read_schedule

    machine = load_machine(file, path, (), with_environment=False, board=chosen_board(board, board_file))
    read_schedule(trace_file, machine)  # refuses one of another program
    raise click.exceptions.Exit(show_with_names(read, machine))


def show_with_names(read: Trace, machine: object) -> Exit:
    """By doing it once more on this machine."""
    from lfc.actions.model import Machine
    from lfc.hil.frames import checksum
    from lfc.hil.host_side import HostSide
    from lfc.host.report import fault_message
    from lfc.host.running import Status
    from lfc.host.steps import StepPrinter
    from lfc.trace.items import encode

    assert isinstance(machine, Machine)
    host = HostSide(machine, "rr")
    printer = StepPrinter(machine, host.block)
    for number, step in enumerate(read.steps, 1):
        decided = [i for i in step if not i.is_output]
        if not decided:
            continue
        host.run.follow(encode(decided))
        status = host.run.step()
        if status is Status.FAULT:
            fault = host.run.fault
            print(printer.last_step(decided, fault_message(host.generated.sites[fault.site], fault)))
            return Exit.OK
        if status is not Status.RAN:
            print(f"step {number} cannot be done: the trace does not fit the program")
            return Exit.INCONCLUSIVE
        print(printer.step(decided, host.block))
        digests = [i.operands[0] for i in step if i.name == "digest"]
        if digests and digests[0] != checksum(host.block):
            print(f"step {number}: the block that was recorded was another one than this machine's")
            return Exit.PROPERTY
    return Exit.OK


@command.command("diff")
@click.argument("first", metavar="TRACE")
@click.argument("second", metavar="TRACE")
@output_options
def diff(first: str, second: str) -> None:
    """Compare two traces: the first step that differs.

    Decisions and inputs count always, outputs and digests where both traces have them.
    """
    import json

    from lfc.trace.compare import compare_traces

    traces = [read_or_refuse(first), read_or_refuse(second)]
    if traces[0].program and traces[1].program and traces[0].program != traces[1].program:
        raise click.UsageError(f"{first} and {second} are of different programs.")
    found = compare_traces(traces[0].steps, traces[1].steps)
    if current_output().form == "json":
        print(json.dumps({"equal": found is None, "step": found.step if found else None}))
    elif found is None:
        print("equal")
    else:
        print(f"step {found.step} differs:")
        for name, step in ((first, found.first), (second, found.second)):
            print(f"  {name}: {step_text(step)}")
    raise click.exceptions.Exit(Exit.OK if found is None else Exit.PROPERTY)


def step_text(step: list[Item] | None) -> str:
    from lfc.hil.host_side import items_text

    return "the trace has ended" if step is None else items_text(tuple(step))


def read_or_refuse(file: str) -> Trace:
    from lfc.trace.files import read_trace
    from lfc.trace.items import BadItems

    try:
        return read_trace(Path(file))
    except OSError as error:
        raise click.UsageError(f"{file} cannot be read: {error.strerror}") from None
    except BadItems as error:
        raise click.UsageError(f"{file} is no trace: {error}") from None
