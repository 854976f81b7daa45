"""`lfc run`: runs a program here, or on an emulated board."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.external import modules_for_this_machine, sources_to_link, with_option
from lfc.cli.common.firmware import Seconds, board_options, chosen_board, refuse_given
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output, output_options
from lfc.cli.common.project import file_and_board, is_system
from lfc.cli.common.sources import source_options
from lfc.cli.common.streams import standard_input, write_output
from lfc.cli.common.trace_files import TraceFile, machine_of_trace, read_schedule

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board
    from lfc.run.running import HostRun
    from lfc.run.session import End, Session
    from lfc.trace.items import Item


NOT_FOR_BOARDS = {
    "seed": "--seed",
    "max_actions": "--max-actions",
    "level": "-O",
}
FOLLOWED_ON_A_BOARD = {"record": "--record", "clock": "--clock", "seconds": "--seconds"}
DECIDED_BY_A_SCHEDULE = {"scheduler": "--scheduler", "seed": "--seed"}
ONLY_FOR_BOARDS = {"emulator": "--emulator", "seconds": "--seconds", "pins": "--pins", "vcd": "--vcd"}
ONLY_FOR_BOARDS |= {"input_": "--input", "energy": "--energy", "battery": "--battery"}
NOT_FOR_SYSTEMS = {**NOT_FOR_BOARDS, "trace": "--trace", "record": "--record", "pins": "--pins", "vcd": "--vcd"}
NOT_FOR_SYSTEMS |= {"input_": "--input", "env": "--env", "emulator": "--emulator"}
NOT_FOR_SYSTEMS |= {"energy": "--energy", "battery": "--battery"}
NOT_WITH_PINS = {"trace": "--trace", "record": "--record", "schedule": "--schedule"}


@click.command("run", short_help="Run a program.")
@click.argument("file", required=False, metavar="[FILE]")
@click.option(
    "--scheduler",
    type=click.Choice(["rr", "edf", "random"]),
    default="rr",
    help="Scheduling: round-robin (rr), earliest deadline first, or random (partners and clauses too).",
)
@click.option("--seed", type=int, default=1, metavar="N", help="Seed of --scheduler random and of port reads (1).")
@click.option("--trace", is_flag=True, help="Print a line for each action on standard error.")
@click.option(
    "--record", type=click.Path(dir_okay=False), metavar="FILE", help="Record the decisions and inputs in FILE."
)
@click.option(
    "--schedule", type=click.Path(dir_okay=False), metavar="FILE", help="Replay recorded decisions and inputs exactly."
)
@click.option("--max-actions", type=click.IntRange(min=1), metavar="N", help="Stop after N actions.")
@click.option(
    "--clock",
    type=click.Choice(["real", "virtual"]),
    default="real",
    help="virtual: time advances at once when all processes wait for it.",
)
@click.option("-O", "level", type=click.IntRange(0, 3), default=2, metavar="LEVEL", help="Optimisation, 0 to 3 (2).")
@board_options
@click.option(
    "--emulator",
    "--simulator",
    "emulator",
    type=click.Choice(["simavr", "qemu", "rp2040js", "avr8js", "builtin"]),
    help="The emulator of a board (default: its first).",
)
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop a board after S seconds.")
@click.option("--pins", is_flag=True, help="Show each change of a board's pins, in the built-in simulator.")
@click.option(
    "--vcd", type=click.Path(dir_okay=False), metavar="FILE", help="Write the changes of a board's pins as VCD."
)
@click.option(
    "--input",
    "input_",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Give a board's pins and console what a script says.",
)
@click.option("--energy", is_flag=True, help="Estimate what a board draws: how long it is awake, and its currents.")
@click.option(
    "--battery",
    type=click.FloatRange(min=0, min_open=True, max=1_000_000),
    metavar="MAH",
    help="With --energy: how long a battery lasts.",
)
@with_option
@source_options
@output_options
@click.pass_context
def command(
    context: click.Context,
    /,
    file: str | None,
    board: str | None,
    board_file: str | None,
    c_files: tuple[str, ...],
    **given: Any,
) -> None:
    """Run a program on this machine or an emulated board: Out writes to standard output, In reads standard input."""
    current_output().results_on_stderr()
    c_files = sources_to_link(file, c_files)
    program, board = file_and_board(file, board, board_file)
    if is_system(program) and given["schedule"] is None:  # of the whole: that is followed on this machine
        raise click.exceptions.Exit(on_all_boards(context, program, board or board_file, c_files, given))
    target = chosen_board(board, board_file)
    if target is not None:
        raise click.exceptions.Exit(on_a_board(context, program, target, c_files, given))
    refuse_given(context, ONLY_FOR_BOARDS, "is for boards: name one with -b BOARD")
    if given["schedule"] is not None:
        refuse_given(context, DECIDED_BY_A_SCHEDULE, "has no effect: --schedule decides")
    raise click.exceptions.Exit(on_this_machine(program, c_files, given))


def on_all_boards(
    context: click.Context, program: str, board: str | None, c_files: tuple[str, ...], given: dict[str, Any]
) -> int:
    """Of a system. Returns the exit code."""
    from lfc.cli.systems.run import run_system

    if board is not None or c_files:
        raise click.UsageError("A system file says what its boards are; `SYSTEM.toml:NAME` is the program of one.")
    refuse_given(context, NOT_FOR_SYSTEMS, "is not for systems")
    if given["scheduler"] == "random":
        raise click.UsageError("A board's scheduler is rr or edf.")
    return run_system(program, given["scheduler"], given["clock"], given["seconds"], given["path"])


def on_a_board(
    context: click.Context, program: str, target: Board, c_files: tuple[str, ...], given: dict[str, Any]
) -> int:
    """On an emulated one. Returns the exit code."""
    from lfc.cli.devices.run_board import run_on_board

    scheduler, emulator, path, seconds = given["scheduler"], given["emulator"], given["path"], given["seconds"]
    trace, record, schedule, clock = given["trace"], given["record"], given["schedule"], given["clock"]
    refuse_given(context, NOT_FOR_BOARDS, "is not for boards")
    if scheduler == "random":
        raise click.UsageError("A board's scheduler is rr or edf.")
    if given["env"]:
        raise click.UsageError("A board has real hardware: --env is for runs on this machine.")
    shown = None
    if given["pins"] or given["vcd"] is not None or given["input_"] is not None:
        from lfc.cli.devices.shown_pins import shown_pins

        refuse_given(context, NOT_WITH_PINS, "excludes --pins, --vcd and --input")
        shown = shown_pins(target, emulator, given["pins"], given["vcd"], given["input_"])
        emulator = "builtin"
    energy = None
    if given["energy"] or given["battery"] is not None:
        from lfc.cli.devices.energy import Energy

        refuse_given(context, NOT_WITH_PINS, "excludes --energy")
        energy = Energy(target, emulator, given["battery"])
        emulator = "builtin"
    if schedule is not None:
        from lfc.cli.devices.hil_replay import replay_in_emulator

        refuse_given(context, FOLLOWED_ON_A_BOARD, "excludes --schedule on a board")
        replay_in_emulator(schedule, program, target, emulator, scheduler, path, c_files, trace)
    if trace or record is not None:
        from lfc.cli.devices.hil import run_traced

        if clock == "virtual":
            raise click.UsageError("--trace and --record of a board exclude --clock virtual.")
        return run_traced(program, target, emulator, scheduler, seconds, path, trace, record, c_files)
    return run_on_board(program, target, emulator, scheduler, clock, seconds, path, c_files, shown, energy)


def on_this_machine(program: str, c_files: tuple[str, ...], given: dict[str, Any]) -> int:
    """Returns the exit code."""
    import os
    import sys

    from lfc.codegen.program import generate
    from lfc.run.native import host_target
    from lfc.run.running import HostRun, Mode
    from lfc.run.session import Console, Session

    scheduler, path, env, schedule = given["scheduler"], given["path"], given["env"], given["schedule"]
    machine = load_machine(program, path, env, with_environment=bool(env))
    if schedule is not None:
        machine = machine_of_trace(schedule, machine, program, path)
    followed = read_schedule(schedule, machine) if schedule is not None else None
    mode = {"rr": Mode.ROUND_ROBIN, "edf": Mode.EARLIEST, "random": Mode.RANDOM}[scheduler]
    generated = generate(machine, host_target(), "edf" if scheduler == "edf" else "rr")
    modules = modules_for_this_machine(machine, c_files, needed=followed is None)
    run = HostRun(generated, given["level"], mode, given["seed"], c_modules=modules)
    if followed is not None:
        run.follow(followed)
    console = Console(write_output, standard_input())
    session = Session(run, console, given["clock"] == "virtual", given["max_actions"])
    record = TraceFile(given["record"], program, machine) if given["record"] is not None else None
    watch(session, given["trace"], record)
    try:
        end = session.go()
    except BrokenPipeError:
        # Whoever read the output is gone; that ends the program like a closed terminal.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    finally:
        if record is not None:
            record.close()
    return tell_end(session, end)


def watch(session: Session, trace: bool, record: TraceFile | None) -> None:
    import sys

    from lfc.run.steps import StepPrinter

    run: HostRun = session.run
    printer = StepPrinter(run.generated.machine, run.block) if trace else None

    def after_step(items: list[Item]) -> None:
        if record is not None:
            record.add(items)
        if printer is not None:
            write_output(run.take_output())
            print(printer.step(items, run.block), file=sys.stderr)

    if trace or record is not None:
        session.on_step = after_step


def tell_end(session: Session, end: End) -> Exit:
    """The last lines, on standard error, and the exit code."""
    import sys

    from lfc.run import report
    from lfc.run.session import End

    run = session.run
    machine = run.generated.machine
    lines: list[str] = []
    code = Exit.OK
    if end is End.FAULT:
        lines = report.fault_lines(run.generated.sites[run.fault.site], run.fault, machine)
        code = Exit.FAULT
    elif end in (End.BLOCKED, End.NO_INTERRUPT):
        waiting = report.who_waits(machine, run.block)
        if not waiting.only_servers or end is End.NO_INTERRUPT:
            numbers = report.waits_for_interrupt(machine, run.block)
            if end is End.NO_INTERRUPT and numbers:
                named = ", ".join(str(n) for n in numbers)
                lines = [f"stopped: only interrupt {named} could continue, and there are none here (use --schedule)"]
                code = Exit.INCONCLUSIVE
            else:
                lines = ["deadlock: every process waits for another"]
                code = Exit.DEADLOCK
            lines += waiting.lines()
    elif end is End.FINISHED and report.is_deadlock(machine, run.block):
        lines = ["deadlock: every process waits for another", *report.who_waits(machine, run.block).lines()]
        code = Exit.DEADLOCK
    elif end is End.LIMIT:
        lines = [f"stopped after {session.steps} actions (--max-actions)"]
    elif end is End.INPUT_ENDED:
        lines = ["stopped: the program waits for input, and standard input has ended"]
    elif end is End.DIVERGED:
        lines = [f"the schedule does not match the program: step {session.steps + 1} cannot run as recorded"]
        code = Exit.INCONCLUSIVE
    elif end is End.INTERRUPTED:
        lines = [f"interrupted after {session.steps} actions", *report.who_waits_or_runs(machine, run.block)]
        code = Exit.INTERRUPTED
    for line in lines:
        print(line, file=sys.stderr)
    if current_output().form == "json":
        tell_as_json(session, end, code)
    return code


def tell_as_json(session: Session, end: End, code: Exit) -> None:
    import json
    import sys

    from lfc.run.report import fault_as_data
    from lfc.run.session import End

    document: dict[str, object] = {"end": end.value, "exit_code": int(code), "actions": session.steps}
    if end is End.FAULT:
        fault = session.run.fault
        document["fault"] = fault_as_data(session.run.generated.sites[fault.site], fault)
    current_output().document(json.dumps(document), sys.stderr)
