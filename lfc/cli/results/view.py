"""`lfc view`: a counterexample, or any trace, as one HTML page."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.checking.check_request import request_of, request_options
from lfc.cli.common.firmware import board_options, chosen_board, refuse_given
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import counted, current_output, output_options
from lfc.cli.common.project import environments_of_project, file_and_board
from lfc.cli.common.sources import source_options
from lfc.cli.common.trace_files import machine_of_trace, read_schedule, read_trace_file

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.trace.items import Item
    from lfc.view.story import Run

OF_A_CHECK = {"properties": "--property", "only": "--for", "search": "--search", "keep_going": "--keep-going"}


OF_A_PAGE = {"page_file": "--output", "other_file": "--beside"}


@click.command("view", short_help="Show a counterexample or a trace as an HTML page.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option("-o", "--output", "page_file", metavar="OUT", help="The page (the program's name with .html).")
@click.option("--trace", "trace_file", metavar="FILE", help="Show this trace; the program is not checked.")
@click.option(
    "--beside",
    "other_file",
    metavar="FILE",
    help="A second trace, as of a board: step by step, with what differs first.",
)
@click.option("--serve", is_flag=True, help="Explore the states live, on a page that this machine alone can see.")
@click.option(
    "--port", "http_port", type=click.IntRange(0, 65535), default=0, metavar="N", help="Of --serve (any that is free)."
)
@request_options
@board_options
@source_options
@output_options
@click.pass_context
def command(
    context: click.Context,
    /,
    file: str | None,
    page_file: str | None,
    trace_file: str | None,
    other_file: str | None,
    serve: bool,
    http_port: int,
    **given: Any,
) -> None:
    """Check a program, and write what was found as one HTML page: text, processes and channels, the counterexample
    step by step, values that change.

    The page works without a server and without a network. The program is checked as `lfc check` does it, with the same
    options; of one that holds, the page shows a run. With --trace it is not checked. With --serve its states are
    explored by hand in the browser, until Ctrl-C.

    Example: lfc view philosophers.lf -o philosophers.html
    """
    if file is None:
        file, given["board"] = file_and_board(None, given["board"], given["board_file"])
        given["env"] = environments_of_project(given["env"])
    if trace_file is not None:
        refuse_given(context, OF_A_CHECK, "is about a check: leave out --trace")
    board = chosen_board(given["board"], given["board_file"])
    if serve:
        refuse_given(context, OF_A_CHECK | OF_A_PAGE, "is about a page in a file: leave out --serve")
        serve_live(file, trace_file, board, given, http_port)
        return
    if trace_file is not None:
        machine, verdict, runs = of_trace(file, trace_file, board, given)
    else:
        machine, verdict, runs = of_check(file, board, given)
    if other_file is not None:
        put_beside(machine, runs[0], other_file)
    written = page_file or f"{Path(file).stem}.html"
    write(written, machine, file, verdict, runs)
    tell(written, verdict, runs)


def of_trace(
    file: str, trace_file: str, board: Board | None, given: dict[str, Any]
) -> tuple[Machine, list[str], list[Run]]:
    from lfc.view.runs import run_of_trace

    env = given["env"]
    read = read_trace_file(trace_file)
    machine = load_machine(file, given["path"], env, with_environment=bool(env), board=board)
    if board is None:
        machine = machine_of_trace(trace_file, machine, file, given["path"])
    read_schedule(trace_file, machine)  # refuses one of another program
    run = run_of_trace(read, machine, Path(trace_file).name)
    return machine, [run.title], [run]


def of_check(file: str, board: Board | None, given: dict[str, Any]) -> tuple[Machine, list[str], list[Run]]:
    from lfc.cli.checking.check import Files, Program, checked, load
    from lfc.diagnostics.model import Diagnostics
    from lfc.mcheck.report.text import summary
    from lfc.view.runs import run_of_finding, run_of_scheduler

    request = request_of(given, False, False, False)
    warnings = Diagnostics()
    program = Program(file, board, given["path"], given["env"])
    machine, request = load(program, request, Files(None, None, None, None), warnings)
    current_output().show_warnings(warnings)
    result = checked(machine, request)
    runs = [run_of_finding(machine, f) for f in result.findings] or [run_of_scheduler(machine)]
    return runs[0].machine, summary(result).splitlines(), runs


def serve_live(file: str, trace_file: str | None, board: Board | None, given: dict[str, Any], port: int) -> None:
    """Until Ctrl-C."""
    from lfc.view.live.exploration import Exploration
    from lfc.view.live.server import LiveServer

    machine, steps = explored(file, trace_file, board, given)
    exploration = Exploration(machine)
    try:
        server = LiveServer(exploration, file, exploration.choices_of_trace(steps), port)
    except OSError as error:
        raise click.ClickException(f"Port {port} of this machine cannot be used: {error.strerror}.") from None
    with server:
        print(f"{server.address}\nCtrl-C ends.", flush=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()


def explored(
    file: str, trace_file: str | None, board: Board | None, given: dict[str, Any]
) -> tuple[Machine, list[list[Item]]]:
    env = given["env"]
    machine = load_machine(file, given["path"], env, with_environment=bool(env), board=board)
    if trace_file is None:
        return machine, []
    if board is None:
        machine = machine_of_trace(trace_file, machine, file, given["path"])
    read_schedule(trace_file, machine)  # refuses one of another program
    return machine, read_trace_file(trace_file).steps


def put_beside(machine: Machine, run: Run, other_file: str) -> None:
    from lfc.trace.files import Trace
    from lfc.view.runs import beside

    other = read_trace_file(other_file)
    read_schedule(other_file, machine)
    beside(run, Trace("", "", run.steps, machine.wide), other, Path(other_file).name)


def write(page_file: str, machine: Machine, file: str, verdict: list[str], runs: list[Run]) -> None:
    from lfc.view.page import page

    try:
        Path(page_file).write_text(page(machine, file, verdict, runs), encoding="utf-8")
    except OSError as error:
        raise click.ClickException(f"{page_file} cannot be written: {error.strerror}") from None


def tell(page_file: str, verdict: list[str], runs: list[Run]) -> None:
    run = runs[0]
    steps = len(run.steps) + run.left_out
    differs = None if run.other is None else run.other["differs"]
    if current_output().form == "json":
        import json

        document = {"version": 1, "page": page_file, "verdict": verdict[0], "steps": steps, "differs": differs}
        current_output().document(json.dumps(document, indent=1))
    else:
        print(f"{page_file}: {verdict[0]}, {counted(steps, 'step')}")
        if run.other is not None:
            print("the traces are equal" if differs is None else f"the first difference is in step {differs}")
