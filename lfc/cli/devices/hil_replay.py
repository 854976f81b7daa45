"""`lfc hil replay`, and `lfc run -b BOARD --schedule`: a board made to follow a trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NoReturn

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import board_options, required_board
from lfc.cli.common.output import counted, output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.sources import search_option
from lfc.cli.common.streams import board_output
from lfc.cli.common.trace_files import machine_of_trace, read_schedule, read_trace_file, write_trace_file
from lfc.cli.devices.hil import VERDICTS, Loop, finish, line_options, opened, prepare, waiting_lines, what_was_compared

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board
    from lfc.hil.follow import Replay


@click.command("replay")
@click.argument("trace_file", metavar="TRACE")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@line_options
@click.option(
    "--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the board's image (rr)."
)
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write what the board did as a trace.")
@with_option
@search_option
@output_options
def replay_command(
    trace_file: str,
    file: str | None,
    board: str | None,
    board_file: str | None,
    port: str | None,
    emulated: bool,
    emulator: str | None,
    scheduler: str,
    record: str | None,
    c_files: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Replay TRACE on a board, such as a counterexample of `lfc check --trace`.

    FILE is the program; by default the one that the trace names (in JSON; a binary trace names none).
    """
    read = read_trace_file(trace_file)
    file = file or read.file or None
    c_files = sources_to_link(file, c_files)
    program, name = file_and_board(file, board, board_file)
    target = required_board(name, board_file)
    loop = prepare(program, target, scheduler, port, emulated, emulator, path, c_files)
    follow_trace(trace_file, loop, path, loop.printer(), record)


def replay_in_emulator(
    trace_file: str,
    file: str,
    board: Board,
    emulator: str | None,
    scheduler: str,
    path: tuple[str, ...],
    c_files: tuple[str, ...],
    trace: bool,
) -> NoReturn:
    """`lfc run -b` with --schedule."""
    loop = prepare(file, board, scheduler, None, True, emulator, path, c_files)
    follow_trace(trace_file, loop, path, loop.printer() if trace else None)


def follow_trace(
    trace_file: str,
    loop: Loop,
    path: tuple[str, ...],
    on_step: Callable[[Any, bytes], None] | None,
    record: str | None = None,
) -> NoReturn:
    from lfc.hil.follow import replay
    from lfc.run.report import is_deadlock

    found = machine_of_trace(trace_file, loop.machine, loop.file, path)
    if found.program.counts_wraps and not loop.machine.program.counts_wraps:
        raise click.UsageError(
            f"{trace_file} was found with --wraps fault, and on a board arithmetic wraps: "
            f"`lfc run {loop.file} --schedule {trace_file}` replays it on this machine."
        )
    if found is not loop.machine:
        raise click.UsageError(
            f"{trace_file} was found with the environment that `lfc check` generated for the exported channels of "
            f"{loop.file}, which a board does not have: `lfc run {loop.file} --schedule {trace_file}` replays it on "
            "this machine; `lfc check --no-closing` checks without that environment."
        )
    read_schedule(trace_file, loop.machine)  # refuses one of another program
    steps = read_trace_file(trace_file).steps
    with opened(loop) as session:
        result = replay(session, loop.host, loop.firmware.generated.sites, steps, on_step, board_output())
    if record is not None:
        write_trace_file(record, loop.file, loop.machine, result.trace)
    code = VERDICTS[result.verdict]
    if code is Exit.OK and result.end == "fault":
        code = Exit.FAULT
    if code is Exit.OK and result.end == "stands still" and is_deadlock(loop.machine, loop.host.block):
        code = Exit.DEADLOCK
    data = {"verdict": result.verdict, "end": result.end, "steps": result.steps, "of": result.of}
    finish(replay_lines(result, loop), loop, code, data)


def replay_lines(result: Replay, loop: Loop) -> list[str]:
    from lfc.hil.host_side import difference_lines
    from lfc.run import report

    image = f"image {loop.firmware.digest[:16]}"
    if result.difference is not None:
        return [f"differs from the trace on {loop.place} ({image})", *difference_lines(result.difference, loop.file)]
    if result.verdict == "diverged":
        return [f"diverged: {loop.place} cannot follow the trace ({image})", result.reason]
    if result.verdict != "followed":
        return [f"no verdict: {result.reason} (after {result.steps} of {result.of} steps; {image})"]
    lines = [f"followed: {counted(result.steps, 'step')} on {loop.place}; then it {result.end} ({image})"]
    if result.fault is not None:
        lines = [f"followed: {counted(result.steps, 'step')} on {loop.place}, up to the fault ({image})"]
        lines.append(what_was_compared(result.steps, True, False))
        return lines + report.fault_lines(loop.host.generated.sites[result.fault.site], result.fault)
    lines.append(what_was_compared(result.steps, False, True))
    waiting = report.who_waits(loop.machine, loop.host.block)
    if result.end == "stands still" and not waiting.only_servers:
        lines += waiting_lines(loop)
    return lines
