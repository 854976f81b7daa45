"""`lfc refine`: compares what two programs do on named ports."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import board_options, chosen_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import main_of_folder
from lfc.cli.common.sources import source_options

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.mcheck.refinement.behaviour import Behaviour
    from lfc.mcheck.refinement.refine import Refinement, Violation
    from lfc.mcheck.refinement.visible import Port


@click.command("refine", short_help="Compare a program with a specification on named ports.")
@click.argument("specification", metavar="SPEC")
@click.argument("implementation", metavar="IMPL")
@click.option(
    "--on",
    metavar="PORT,...",
    help="Ports, or messages of them (line.ack), that are visible (those that SPEC exports).",
)
@click.option(
    "--model",
    type=click.Choice(["traces", "failures", "fd"]),
    default="traces",
    help="Compare traces, stable failures, or failures and divergences (traces).",
)
@click.option(
    "--most", type=click.IntRange(min=1), default=200_000, metavar="N", help="At most N states of each (200000)."
)
@click.option(
    "--closing/--no-closing",
    "closes",
    default=True,
    help="Let the outside use the exported ports of a module (default).",
)
@click.option("--trace", "trace_file", metavar="FILE", help="Write the counterexample as a trace of IMPL.")
@click.option("--msc", "chart", metavar="FILE", help="Write the counterexample as a chart (- prints it; .svg, .mmd).")
@board_options
@source_options
@output_options
def command(
    specification: str,
    implementation: str,
    on: str | None,
    model: str,
    most: int,
    closes: bool,
    trace_file: str | None,
    chart: str | None,
    board: str | None,
    board_file: str | None,
    path: tuple[str, ...],
    env: tuple[str, ...],
) -> None:
    """Check that whatever IMPL does on the visible ports, SPEC can do too.

    Both are programs, or folders of projects. Visible are the meetings on the named ports, with their messages, values
    and direction; everything else is hidden. With --model failures IMPL must also offer what SPEC cannot refuse; with
    fd it must not go on for ever unseen where SPEC does not.
    """
    from lfc.mcheck.refinement.refine import refine

    files = main_of_folder(specification), main_of_folder(implementation)
    target = chosen_board(board, board_file)
    programs = [opened(file, path, env, target, closes) for file in files]
    machine = programs[1].machine
    names = shown_names(specification, implementation)
    first, second, visible = behaviours(programs, names, on, most)
    try:
        result = refine(first, second, model)
    except Exception as error:
        refuse(error, names[len(first.keys) < most], most)
        raise
    if result.violation is not None and trace_file is not None:
        from lfc.cli.common.trace_files import write_trace_file

        write_trace_file(trace_file, files[1], machine, result.violation.steps)
    show(result, names, visible, machine, chart)
    raise click.exceptions.Exit(Exit.OK if result.violation is None else Exit.PROPERTY)


def shown_names(specification: str, implementation: str) -> tuple[str, str]:
    """The files' names; with their folders if they are the same."""
    first, second = Path(specification).name, Path(implementation).name
    return (first, second) if first != second else (specification, implementation)


@dataclass(frozen=True, slots=True)
class Opened:
    machine: Machine
    values: dict[int, range]  # `Closed.values`


def opened(file: str, path: tuple[str, ...], env: tuple[str, ...], board: Board | None, closes: bool) -> Opened:
    machine = load_machine(file, path, env, with_environment=bool(env), board=board)
    return opened_machine(machine, file, path) if closes else Opened(machine, {})


def opened_machine(machine: Machine, file: str, path: tuple[str, ...]) -> Opened:
    """With the outside, for a module that exports ports."""
    from lfc.mcheck.model.open_module import NotClosed, close

    try:
        closed = close(machine, file, path)
    except NotClosed as why:
        raise click.UsageError(f"{file}: the outside cannot use its exported ports: {why}.") from None
    return Opened(machine, {}) if closed is None else Opened(closed.machine, closed.values)


def behaviours(
    programs: list[Opened], names: tuple[str, str], on: str | None, most: int
) -> tuple[Behaviour, Behaviour, list[str]]:
    from lfc.mcheck.refinement.behaviour import Behaviour, Polls
    from lfc.mcheck.refinement.visible import Labels, NotVisible, choose, ports_of

    machines = [p.machine for p in programs]
    there = [ports_of(m) for m in machines]
    texts = (
        [t.strip() for t in on.split(",")] if on is not None else ports_of_interface(machines[0], there[0], names[0])
    )
    try:
        chosen = [choose(ports, texts, name) for ports, name in zip(there, names, strict=True)]
        refuse_open_against_closed(machines, chosen, names)
        first, second = (
            Behaviour(p.machine, Labels(p.machine, c), most, p.values) for p, c in zip(programs, chosen, strict=True)
        )
        return first, second, texts
    except NotVisible as error:
        raise click.UsageError(f"{error}.") from None
    except Polls as error:
        how = "close the module with processes that use the port, or with --env, and give --no-closing"
        raise click.UsageError(f"{error}, and the outside never waits there: {how}.") from None


def ports_of_interface(machine: Machine, there: list[Port], name: str) -> list[str]:
    """Without `--on`: what the specification exports, or all ports of its modules."""
    from lfc.mcheck.model.description import home_of

    exported = [v.name for v in home_of(machine).variables if v.exported]
    found = list(dict.fromkeys(p.name.partition("[")[0] for p in there))
    if not found:
        raise click.UsageError(f"{name} has no ports in its modules; there is nothing to compare.")
    return [port for port in found if port in exported] or found


def refuse_open_against_closed(
    machines: list[Machine], chosen: list[dict[Port, frozenset[str] | None]], names: tuple[str, str]
) -> None:
    from lfc.mcheck.model.description import home_of

    exported = []
    for machine, ports in zip(machines, chosen, strict=True):
        home = home_of(machine)
        closed = home is not machine.program.main
        open_ports = {v.name for v in home.variables if v.exported} if closed else set()
        exported.append({p.name for p in ports if p.name.partition("[")[0] in open_ports})
    for port in sorted(exported[0] ^ exported[1]):
        who, other = names if port in exported[0] else names[::-1]
        raise click.UsageError(
            f"Port `{port}` is exported by {who}, so the outside uses it, and not by {other}: export it in both, or "
            "give --no-closing."
        )


def refuse(error: Exception, name: str, most: int) -> None:
    """Says what hinders the comparison, if it is that. `name`: of the program that has too many states."""
    from lfc.mcheck.refinement.behaviour import TooManyStates, TooManyValues
    from lfc.mcheck.refinement.visible import NotVisible

    match error:
        case TooManyStates():
            current_output().fail(f"lfc: no verdict: {name} has more than {most} states; --most N allows more.")
            raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None
        case TooManyValues():
            raise click.UsageError(not_all_tried(error)) from None
        case NotVisible():
            raise click.UsageError(f"This cannot be compared: {error}.") from None


def not_all_tried(error: Exception) -> str:
    return (
        f"{error} has too many outcomes in one state to try each, or reads the clock, C or a port of 32 bits; give "
        "what comes from outside a range (ASSUME), or model it with --env."
    )


def show(result: Refinement, names: tuple[str, str], visible: list[str], machine: Machine, chart: str | None) -> None:
    from lfc.mcheck.refinement.report import as_data, verdict_lines

    drawn = result.violation is not None and (chart is not None or current_output().form == "text")
    if current_output().form == "json":
        current_output().document(json.dumps(as_data(result, *names, visible)))
        if chart == "-":
            return
    else:
        print("\n".join(verdict_lines(result, *names, visible)))
    if drawn and result.violation is not None:
        draw_violation(machine, result.violation, chart or "-")


def draw_violation(machine: Machine, violation: Violation, file: str) -> None:
    from lfc.cli.checking.check_files import draw
    from lfc.run.chart import chart_of

    draw(chart_of(machine, violation.steps, violation.blocks, violation.fault, violation.cycle), file)
