"""`lfc timing`: how long each action of an image takes at most, over all reachable states."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import board_options, fault_options, required_board
from lfc.cli.common.image import chosen_image, refuse_image_without
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.sources import search_option

if TYPE_CHECKING:
    from lfc.mcheck.image.check_image import CheckedImage, ImageResult

DURATION = re.compile(r"(\d+(?:\.\d+)?)(us|µs|ms|s|cycles)")
SECONDS = {"us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


@click.command("timing", short_help="Show the worst-case execution times of an image's actions.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--max-latency",
    "most",
    metavar="TIME",
    help="Fail if a pass, or a response, takes longer: 200us, 1ms, 3000cycles.",
)
@click.option(
    "--from", "begin", metavar="INTERRUPT", help="Bound a response time, from this interrupt: SYSTEM.INT[4]. With --to."
)
@click.option(
    "--to", "end", metavar="EVENT", help="To a register's write (25H, 25H=0, lamps), a pin (PB5, D13=1) or a line (17)."
)
@click.option(
    "--responses", is_flag=True, help="Bound the response to every interrupt: to the end of the action that takes it."
)
@click.option(
    "--scheduler",
    type=click.Choice(["rr", "edf", "both"]),
    default="rr",
    help="Scheduler of the image; `both` compares them (rr).",
)
@click.option(
    "--image", "image_file", default="", metavar="FILE.hex", help="Analyse the image in a file, not the one built."
)
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Stop after S seconds (the search after half of them).",
)
@click.option("--states", type=click.IntRange(min=0), default=0, metavar="N", help="Stop after N states.")
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    metavar="MB",
    help="Use MB megabytes for states (default: most of the free memory).",
)
@board_options
@fault_options
@search_option
@output_options
def command(
    file: str | None,
    most: str | None,
    begin: str | None,
    end: str | None,
    responses: bool,
    scheduler: str,
    image_file: str,
    seconds: float | None,
    states: int,
    memory: int | None,
    board: str | None,
    board_file: str | None,
    faults: str,
    on_fault: str,
    safe: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Show the longest pass of the kernel's loop for each action, each timeout and each interrupt.

    Exact in cycles: every reachable state is executed. An interrupt waits for the pass that
    runs. Waiting for the console's transmitter is not counted. Exits with 5 if a pass takes longer than --max-latency,
    with 6 if not every state was visited.

    Behind it, on an AVR: a table of bounds for all interrupts, times that are over, periods of pins with their
    jitter, and how much of the time the processor is awake. With --scheduler edf or both it is alone.

    With --from and --to, or --responses, on an AVR: how long it takes at most from an interrupt to an event, over every
    run of the board, with the run that takes longest. Exits with 5 if it takes longer than --max-latency, or if there
    is no bound.
    """
    if (begin is None) != (end is None) or (responses and begin is not None):
        raise click.UsageError("--from and --to belong together, and --responses excludes them.")
    from lfc.cli.checking.responses import beside_passes, show_tables, table_as_data, table_as_text, until
    from lfc.mcheck.image.worst_case_time import measured, times_as_data, times_as_text
    from lfc.mcheck.request.request import request_from
    from lfc.mcheck.request.resources import free_memory

    program, board = file_and_board(file, board, board_file)
    target = required_board(board, board_file)
    if image_file is not None:
        refuse_image_without(target, image_file, "breadth", False)
    limit = None if most is None else cycles_of(most, target.cpu.clock)
    machine = load_machine(program, path, (), with_environment=False, board=target)
    of_responses = responses or begin is not None
    names = ("rr", "edf") if scheduler == "both" else (scheduler,)
    chosen = (faults, on_fault, safe), (), image_file
    images = {
        name: chosen_image(target, machine, name, *chosen, deadlines=of_responses or scheduler != "rr")
        for name in names
    }
    if of_responses:
        from lfc.cli.checking.responses import Asked, show_responses

        asked = Asked(begin, end, limit, states, seconds)
        raise click.exceptions.Exit(show_responses(machine, images, asked))
    if scheduler != "rr":
        raise click.exceptions.Exit(show_tables(machine, images, limit, states, seconds))
    (image,) = images.values()
    goes_on = until(seconds, states)
    memory = memory << 20 if memory is not None else free_memory()
    request = request_from(seconds=seconds or 0.0, states=states, memory=memory, keep_going=True)
    result, complete = measured(machine, image, request)
    exceeded = limit is not None and any(p.cycles > limit for p in result.longest)
    table = beside_passes(machine, image, states, goes_on)
    if current_output().form == "json":
        document = times_as_data(image, result) | {"complete": complete, "limit": limit, "exceeded": exceeded}
        document["table"] = table_as_data(table)
        current_output().document(json.dumps(document, indent=1))
    else:
        print(*times_as_text(image, result, complete), "", sep="\n")
        print(*table_as_text(machine, table if isinstance(table, str) else [table]), sep="\n")
        if exceeded:
            print(f"a pass takes longer than {limit} cycles")
    raise click.exceptions.Exit(verdict(image, result, complete, exceeded))


def cycles_of(text: str, clock: int) -> int:
    found = DURATION.fullmatch(text)
    if found is None:
        raise click.UsageError(f"--max-latency takes a time such as 200us, 1ms or 3000cycles, not `{text}`.")
    number, unit = float(found[1]), found[2]
    return int(number) if unit == "cycles" else int(number * SECONDS[unit] * clock)


def verdict(image: CheckedImage, result: ImageResult, complete: bool, exceeded: bool) -> Exit:
    from lfc.mcheck.image.report import as_text, verdict_of

    said = verdict_of(result)
    if said == "differs":
        print(*as_text(image, result), sep="\n", file=sys.stderr)
        return Exit.IMAGE
    if exceeded:
        return Exit.PROPERTY
    if said == "inconclusive" or not complete:
        print("not every state was visited: there may be longer passes", file=sys.stderr)
        return Exit.INCONCLUSIVE
    return Exit.OK
