"""`lfc trace`: traces of the checker, of runs here and of boards, shown and compared."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import counted, current_output, output_options
from lfc.cli.common.sources import source_options
from lfc.cli.common.trace_files import machine_of_trace, read_schedule, read_trace_file

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.run.chart import Chart
    from lfc.trace.files import Trace
    from lfc.trace.items import Item
    from lfc.view.replayed import ReplayedStep

FORMS = {".pftrace": "perfetto", ".vcd": "pyvcd", ".itf.json": "", ".mmd": ""}  # and the package that writes it


@click.group("trace", short_help="Show, convert or compare traces.")
def command() -> None:
    """Traces: the decisions and inputs of a run of a program."""


@command.command("show")
@click.argument("trace_file", metavar="TRACE")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@source_options
@output_options
def show(
    trace_file: str,
    file: str | None,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Show a trace, one line per step.

    With FILE, the program, its processes and variables are named; without, the items stand as they are. With a board it
    is the program with the library's drivers for that board. A trace of a check with --env needs the same --env.
    """
    from lfc.hil.host_side import items_text

    read = read_trace_file(trace_file)
    if current_output().form == "json":
        current_output().document(read.to_json().removesuffix("\n"))
        return
    if file is None:
        steps = counted(len(read.steps), "step")
        print(f"program {read.program[:16] or 'unknown'}{', ' + read.file if read.file else ''}: {steps}")
        for number, step in enumerate(read.steps, 1):
            print(f"{number:6}  {items_text(tuple(step))}")
        return

    machine = load_machine(file, path, env, with_environment=bool(env), board=chosen_board(board, board_file))
    if board is None and board_file is None:
        machine = machine_of_trace(trace_file, machine, file, path)
    read_schedule(trace_file, machine)  # refuses one of another program
    raise click.exceptions.Exit(show_with_names(read, machine))


def show_with_names(read: Trace, machine: Machine) -> Exit:
    """By doing it once more on this machine."""
    from lfc.run.steps import StepPrinter
    from lfc.view.replayed import done_again

    printer = None
    for step in done_again(read, machine):
        if printer is None:
            printer = StepPrinter(machine, step.before)
        if step.fault:
            print(printer.last_step(step.decided, step.fault))
        elif step.after is not None:
            print(printer.step(step.decided, step.after))
        if step.problem:
            print(step.problem)
            return exit_of(step)
    return Exit.OK


def exit_of(step: ReplayedStep) -> Exit:
    """Of one with a problem."""
    return Exit.PROPERTY if step.possible else Exit.INCONCLUSIVE


@command.command("msc")
@click.argument("trace_file", metavar="TRACE")
@click.argument("file", metavar="FILE")
@click.option(
    "-o", "--output", "chart_file", default="-", metavar="OUT", help="Write the chart to FILE; .svg draws it."
)
@board_options
@source_options
def msc(
    trace_file: str,
    file: str,
    chart_file: str,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Draw a trace as a message sequence chart.

    A column for each process; time goes down. What a process does alone stands in its column, with what it changed. A
    trace of a check with --env needs the same --env.
    """
    from lfc.cli.checking.check_files import draw
    from lfc.view.replayed import done_again

    read = read_trace_file(trace_file)
    machine = load_machine(file, path, env, with_environment=bool(env), board=chosen_board(board, board_file))
    read_schedule(trace_file, machine)  # refuses one of another program
    steps = list(done_again(read, machine))
    draw(chart_of_steps(machine, steps), chart_file)
    if steps and steps[-1].problem:
        print(steps[-1].problem, file=sys.stderr)
        raise click.exceptions.Exit(exit_of(steps[-1]))


@command.command("convert")
@click.argument("trace_file", metavar="TRACE")
@click.argument("file", metavar="FILE")
@click.option(
    "-o",
    "--output",
    "out",
    required=True,
    metavar="OUT",
    help=".pftrace: Perfetto; .vcd: VCD; .itf.json: ITF; .mmd: Mermaid.",
)
@board_options
@source_options
def convert(
    trace_file: str,
    file: str,
    out: str,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Convert a trace for the viewers of others: Perfetto, GTKWave and other viewers of VCD, ITF, Mermaid.

    A step takes a microsecond there. A trace of a check with --env needs the same --env.
    """
    form = next((f for f in FORMS if out.endswith(f)), None)
    if form is None:
        raise click.UsageError(f"{out} has none of the endings {', '.join(FORMS)}.")
    if FORMS[form]:
        from lfc.doctor.probe import require_tool

        require_tool(FORMS[form])
    read = read_trace_file(trace_file)
    machine = load_machine(file, path, env, with_environment=bool(env), board=chosen_board(board, board_file))
    if board is None and board_file is None:
        machine = machine_of_trace(trace_file, machine, file, path)
    read_schedule(trace_file, machine)  # refuses one of another program
    from lfc.view.replayed import done_again

    steps = list(done_again(read, machine))
    try:
        Path(out).write_bytes(converted(form, machine, steps))
    except OSError as error:
        raise click.ClickException(f"{out} cannot be written: {error.strerror}") from None
    print(f"{out}: {counted(len(steps), 'step')}")
    if steps and steps[-1].problem:
        print(steps[-1].problem, file=sys.stderr)
        raise click.exceptions.Exit(exit_of(steps[-1]))


def converted(form: str, machine: Machine, steps: list[ReplayedStep]) -> bytes:
    from lfc.view.timeline import timeline_of

    if form == ".mmd":
        from lfc.run.chart import as_mermaid

        return as_mermaid(chart_of_steps(machine, steps)).encode()
    run = timeline_of(machine, steps)
    if form == ".pftrace":
        from lfc.view.perfetto_file import as_perfetto

        return as_perfetto(run)
    if form == ".vcd":
        from lfc.view.vcd_file import as_vcd

        return as_vcd(run).encode()
    from lfc.view.itf_file import as_itf

    return as_itf(run).encode()


def chart_of_steps(machine: Machine, steps: list[ReplayedStep]) -> Chart:
    from lfc.run.chart import chart_of

    drawn = [s for s in steps if s.after is not None or s.fault]
    blocks = [s.before for s in drawn] + ([drawn[-1].after] if drawn and drawn[-1].after is not None else [])
    return chart_of(machine, [s.decided for s in drawn], blocks, drawn[-1].fault if drawn else "")


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

    traces = [read_trace_file(first), read_trace_file(second)]
    if traces[0].program and traces[1].program and traces[0].program != traces[1].program:
        raise click.UsageError(f"{first} and {second} belong to different programs.")
    found = compare_traces(traces[0].steps, traces[1].steps)
    if current_output().form == "json":
        current_output().document(json.dumps({"equal": found is None, "step": found.step if found else None}))
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
