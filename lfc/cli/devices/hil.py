"""`lfc hil`: a traced board compared with the program, and what its commands share."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import Seconds, board_options, firmware_for, required_board
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import counted, current_output, output_options
from lfc.cli.common.project import file_and_board, is_system
from lfc.cli.common.sources import search_option
from lfc.cli.common.streams import board_output, standard_input, write_output
from lfc.cli.common.trace_files import write_trace_file
from lfc.cli.devices.run_board import choose_emulator

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.hil.conform import Conformance
    from lfc.hil.session import BoardSession
    from lfc.image.firmware import Firmware

F = TypeVar("F", bound=Callable[..., Any])
VERDICTS = {
    "agrees": Exit.OK,
    "followed": Exit.OK,
    "differs": Exit.PROPERTY,
    "diverged": Exit.PROPERTY,
    "lost": Exit.INCONCLUSIVE,
    "silent": Exit.INCONCLUSIVE,
    "restarted": Exit.INCONCLUSIVE,
}


@click.group("hil", short_help="Hardware in the loop.")
def command() -> None:
    """Hardware in the loop: boards with a traced image (`lfc build --trace`), or emulators of them."""


def line_options(command: F) -> F:
    """Adds `port`, `emulated` and `emulator`."""
    port = click.option(
        "-p", "--port", metavar="PORT", envvar="LFC_PORT", help="Its port, or id:SERIAL_NUMBER (LFC_PORT)."
    )
    emulated = click.option("--emulated", is_flag=True, help="An emulator in place of a board.")
    which = click.option(
        "--emulator",
        type=click.Choice(["simavr", "qemu", "rp2040js", "avr8js"]),
        help="The emulator (default: the board's first).",
    )
    return port(emulated(which(command)))


@command.command("conform")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@line_options
@click.option(
    "--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the board's image (rr)."
)
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="Stop after N steps.")
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
@click.option(
    "--ahead", type=click.IntRange(1, 100), default=1, metavar="N", help="How many steps the board may run ahead (1)."
)
@click.option("--checked", is_flag=True, help="Report whether the checker visits every state that the board reaches.")
@click.option("--states", type=click.IntRange(min=0), default=0, metavar="N", help="With --checked: at most N states.")
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write the trace.")
@click.option("--trace", is_flag=True, help="Print a line for each step on standard error.")
@with_option
@search_option
@output_options
@click.pass_context
def conform_command(
    context: click.Context,
    /,
    file: str | None,
    board: str | None,
    board_file: str | None,
    port: str | None,
    emulated: bool,
    emulator: str | None,
    scheduler: str,
    steps: int | None,
    seconds: float | None,
    ahead: int,
    checked: bool,
    states: int,
    record: str | None,
    trace: bool,
    c_files: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Run each of the board's steps on the host as well, and compare the state blocks.

    The board runs the image that `lfc build --trace` makes. Input for it is read from standard input.
    Of a system (SYSTEM.toml): its images, all at once in the built-in simulator, are compared with the composition.
    """
    from lfc.hil.conform import Conduct, conform
    from lfc.hil.visited import explore

    c_files = sources_to_link(file, c_files)
    program, name = file_and_board(file, board, board_file)
    if is_system(program):
        from lfc.cli.systems.conform import conform_system

        conform_system(context, program, context.params | {"board": name})
    target = required_board(name, board_file)
    loop = prepare(program, target, scheduler, port, emulated, emulator, path, c_files)
    visited = explore(loop.machine, states) if checked else None
    conduct = Conduct(steps, seconds, ahead, standard_input_bytes())
    conduct.on_output = board_output()
    conduct.on_step = loop.printer() if trace else None
    with opened(loop) as session:
        result = conform(session, loop.host, loop.firmware.generated.sites, conduct, record is not None, visited)
    if record is not None:
        write_trace_file(record, program, loop.machine, result.trace)
    lines = conformance_lines(result, loop)
    inconclusive = False
    if visited is not None and result.verdict == "agrees":
        told, inconclusive = visited_lines(result, len(visited), visited.complete and not visited.assumes)
        lines += told
    code = VERDICTS[result.verdict]
    if result.end == "fault" and code is Exit.OK:
        code = Exit.FAULT
    if code is Exit.OK and result.unvisited:
        code = Exit.INCONCLUSIVE if inconclusive else Exit.PROPERTY
    data = {"verdict": result.verdict, "end": result.end, "steps": result.steps, "unvisited": result.unvisited}
    finish(lines, loop, code, data)


def run_traced(
    file: str,
    board: Board,
    emulator: str | None,
    scheduler: str,
    seconds: float | None,
    path: tuple[str, ...],
    trace: bool,
    record: str | None,
    c_files: tuple[str, ...],
) -> Exit:
    """`lfc run -b` with --trace or --record: the traced image in an emulator, compared on the way."""
    from lfc.hil.conform import Conduct, conform
    from lfc.run import report

    loop = prepare(file, board, scheduler, None, True, emulator, path, c_files)
    conduct = Conduct(None, seconds, 1, standard_input_bytes(), loop.printer() if trace else None, write_output)
    with opened(loop) as session:
        result = conform(session, loop.host, loop.firmware.generated.sites, conduct, record is not None)
    if record is not None:
        write_trace_file(record, file, loop.machine, result.trace)
    code = Exit.FAULT if result.end == "fault" and result.verdict == "agrees" else VERDICTS[result.verdict]
    lines = conformance_lines(result, loop)
    if result.end == "blocked" and not report.who_waits(loop.machine, loop.host.block).only_servers:
        lines += waiting_lines(loop)
        code = Exit.DEADLOCK
    print(*lines, sep="\n", file=sys.stderr)
    return code


@dataclass(slots=True)
class Loop:
    """What both commands have: program, image, the host's side, and where the board is."""

    file: str
    board: Board
    machine: Machine
    firmware: Firmware
    scheduler: str
    host: Any
    port: str | None
    emulator: str | None

    @property
    def place(self) -> str:
        return f"{self.board.name} in {self.emulator}" if self.emulator else f"{self.board.name} at {self.port}"

    def printer(self) -> Callable[[Any, bytes], None]:
        from lfc.run.steps import StepPrinter

        printer = StepPrinter(self.machine, self.host.block)
        return lambda items, block: print(printer.step(items, block), file=sys.stderr)


def prepare(
    file: str,
    board: Board,
    scheduler: str,
    port: str | None,
    emulated: bool,
    emulator: str | None,
    path: tuple[str, ...],
    c_files: tuple[str, ...],
) -> Loop:
    from lfc.boards.descriptions.simulated import BUILTIN
    from lfc.hil.host_side import HostSide

    current_output().results_on_stderr()
    if emulated and port is not None and os.environ.get("LFC_PORT") != port:
        raise click.UsageError("-p PORT means a board, --emulated an emulator: give only one.")
    if emulator is not None and not emulated:
        raise click.UsageError("--emulator needs --emulated.")
    chosen = choose_emulator(board, emulator, without=(BUILTIN,)) if emulated else None
    machine = load_machine(file, path, (), with_environment=False, board=board)
    firmware = firmware_for(board, machine, scheduler, c_files=c_files, trace=True)
    host = HostSide(machine, scheduler)
    place = None if emulated else find_port(board, port)
    return Loop(file, board, machine, firmware, scheduler, host, place, chosen)


def find_port(board: Board, wanted: str | None) -> str:
    """As `lfc flash` finds it."""
    from lfc.boards.serial.failure import FlashError
    from lfc.boards.serial.ports import choose_port, ports_of_this_machine

    try:
        return choose_port(board, wanted, ports_of_this_machine())
    except FlashError as error:
        current_output().fail(f"lfc: {error}")
        raise click.exceptions.Exit(Exit.BOARD) from None


@contextmanager
def opened(loop: Loop) -> Iterator[BoardSession]:
    """The session behind the handshake; what hinders it ends the command."""
    from lfc.boards.emulators.line import LineEnded, line_of_emulator, line_of_port
    from lfc.boards.emulators.outcome import EmulatorError
    from lfc.boards.serial.failure import FlashError
    from lfc.hil.session import BoardSession, SessionError

    try:
        if loop.emulator is not None:
            way: Any = line_of_emulator(loop.board, loop.firmware.image.elf, loop.emulator)
        else:
            assert loop.port is not None
            way = line_of_port(loop.board, loop.port)
        with way as line:
            session = BoardSession(line)
            program, size = loop.firmware.program.hex(), loop.machine.layout.size
            session.greet(program, size, loop.scheduler, may_reset=loop.port is not None)
            yield session
    except (EmulatorError, FlashError) as error:
        current_output().fail(f"lfc: {error}")
        code = Exit.BOARD if isinstance(error, FlashError) else Exit.ENVIRONMENT
        raise click.exceptions.Exit(code) from None
    except (SessionError, LineEnded) as error:
        current_output().fail(f"lfc: {loop.place}: {error}")
        raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None


def standard_input_bytes() -> Callable[[int], bytes | None]:
    """Never waits for more than there is; a terminal gives nothing."""
    import select

    source = standard_input()

    def more(most: int) -> bytes | None:
        if source is None or os.isatty(source):
            return None
        there, _, _ = select.select([source], [], [], 0)
        if not there:
            return b""
        return os.read(source, most) or None

    return more


def conformance_lines(result: Conformance, loop: Loop) -> list[str]:
    from lfc.hil.host_side import difference_lines
    from lfc.run.report import fault_lines

    image = f"image {loop.firmware.digest[:16]}"
    if result.difference is not None:
        head = f"differs: {loop.place} does not behave as the program does ({image})"
        return [head, *difference_lines(result.difference, loop.file)]
    if result.verdict != "agrees":
        return [f"no verdict: {result.reason} (after {counted(result.steps, 'step')}; {image})"]
    lines = [f"agrees: {counted(result.steps, 'step')} on {loop.place}; {result.end} ({image})"]
    lines += [what_was_compared(result.steps, result.fault is not None, result.last_whole)]
    if result.fault is not None:
        lines += fault_lines(loop.host.generated.sites[result.fault.site], result.fault)
    return lines


def what_was_compared(steps: int, faulted: bool, last_whole: bool) -> str:
    """Of the blocks; a step that faults leaves none."""
    if steps == faulted:
        return "compared: every byte of the block before the first step"
    each = "each step but the one that faults" if faulted else "each step"
    last = ", and after the last one" if last_whole else ""
    return f"compared: a CRC-16 of the block after {each}; every byte of it before the first{last}"


def visited_lines(result: Conformance, states: int, complete: bool) -> tuple[list[str], bool]:
    """And whether that says nothing, since the checker has not tried everything."""
    if result.unvisited == 0:
        return [f"checked: every state is one of the {states} that the checker visits"], False
    first = f"{result.unvisited} states (the first after step {result.first_unvisited})"
    if complete:
        return [f"not checked: {first} are not among the {states} that the checker visits"], False
    return [
        f"not known: {first} are not among the {states} that the checker has visited, but its search is incomplete"
    ], True


def waiting_lines(loop: Loop) -> list[str]:
    from lfc.run import report
    from lfc.run.wait_for_graph import cycle_of_waiting

    waiting = report.who_waits(loop.machine, loop.host.block)
    names = {p.slot: p.name for p in waiting.processes}
    lines = ["deadlock: every process waits for another", *waiting.lines()]
    servers = {p.slot for p in waiting.processes if p.record.body.process and p.record.body.process.server}
    cycle = cycle_of_waiting(loop.machine, loop.host.block, sorted(names.keys() - servers))
    if cycle:
        lines.append("wait-for cycle: " + " waits for ".join(names[s] for s in [*cycle, cycle[0]]))
    return lines


def finish(lines: list[str], loop: Loop, code: Exit, data: dict[str, object]) -> NoReturn:
    print(*lines, sep="\n", file=sys.stderr)
    if current_output().form == "json":
        named = {"board": loop.board.name, "image": loop.firmware.digest, "program": loop.file}
        current_output().document(json.dumps({**data, "exit_code": int(code), **named}), sys.stderr)
    raise click.exceptions.Exit(code)
