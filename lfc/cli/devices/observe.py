"""`lfc observe`: a board in the field, judged by the properties of its program."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.external import sources_to_link, with_option
from lfc.cli.common.firmware import Seconds, board_options, required_board
from lfc.cli.common.output import counted, current_output, output_options
from lfc.cli.common.project import file_and_board
from lfc.cli.common.sources import search_option
from lfc.cli.common.streams import board_output
from lfc.cli.common.trace_files import TraceFile
from lfc.cli.devices.hil import Loop, line_options, prepare, waiting_lines

if TYPE_CHECKING:
    from lfc.boards.emulators.line import Line
    from lfc.observe.properties import Watched
    from lfc.observe.watch import Observation
    from lfc.trace.items import Item

CODES = {
    "nothing seen": Exit.OK,
    "ended": Exit.OK,
    "violated": Exit.PROPERTY,
    "differs": Exit.PROPERTY,
    "fault": Exit.FAULT,
    "deadlock": Exit.DEADLOCK,
    "lost": Exit.INCONCLUSIVE,
    "silent": Exit.INCONCLUSIVE,
}


@click.command("observe", short_help="Watch a board in the field, and tell the first violation of a property.")
@click.argument("file", required=False, metavar="[FILE]")
@board_options
@line_options
@click.option("--property", "only", multiple=True, metavar="NAME", help="Watch only this property.")
@click.option("--reset", is_flag=True, help="Reset the board, and watch it from its beginning.")
@click.option(
    "--scheduler", type=click.Choice(["rr", "edf"]), default="rr", help="Scheduler of the board's image (rr)."
)
@click.option("--steps", type=click.IntRange(min=1), metavar="N", help="Stop after N steps.")
@click.option("--seconds", type=Seconds(), metavar="S", help="Stop after S seconds.")
@click.option("--last", type=click.IntRange(1, 10_000), default=20, metavar="N", help="Show the last N steps (20).")
@click.option("--record", type=click.Path(dir_okay=False), metavar="FILE", help="Write the trace while it runs.")
@with_option
@search_option
@output_options
def command(
    file: str | None,
    board: str | None,
    board_file: str | None,
    port: str | None,
    emulated: bool,
    emulator: str | None,
    only: tuple[str, ...],
    reset: bool,
    scheduler: str,
    steps: int | None,
    seconds: float | None,
    last: int,
    record: str | None,
    c_files: tuple[str, ...],
    path: tuple[str, ...],
) -> None:
    """Watch a board that runs freely, and tell the first violation of a property of its program, and what led there.

    The board runs the image that `lfc build --trace` makes. Each step is also compared with the program. A board that
    already runs is not reset: what was before is then unknown. Ctrl-C ends it.
    """
    from lfc.observe.properties import watched_of
    from lfc.observe.watch import Conduct, Watch

    c_files = sources_to_link(file, c_files)
    program, name = file_and_board(file, board, board_file)
    target = required_board(name, board_file)
    loop = prepare(program, target, scheduler, port, emulated, emulator, path, c_files)
    known = [p.name for module in loop.machine.program.modules for p in module.properties]
    for wanted in only:
        if wanted not in known:
            raise click.UsageError(f"The program has no property `{wanted}`; it has: {', '.join(known) or 'none'}.")
    watched = watched_of(loop.machine, only)
    recording = Recording(record, program, loop)
    conduct = Conduct(steps, seconds, last, board_output(), recording.begin, recording.add, note)
    watch = Watch(loop.host, loop.firmware.generated.sites, watched, conduct)
    with line_of(loop, reset) as line:
        found = watch.go(listener(loop, line))
    recording.close()
    lines = told(found, watched, loop) + recording.told
    print(*lines, sep="\n", file=sys.stderr)
    code = CODES[found.verdict]
    if current_output().form == "json":
        current_output().document(json.dumps(document(found, watched, loop, code), indent=1), sys.stderr)
    raise click.exceptions.Exit(code)


def note(text: str) -> None:
    print(f"-- {text}", file=sys.stderr)


def listener(loop: Loop, line: Line) -> Any:
    from lfc.observe.listen import Listener

    program, size = loop.firmware.program.hex(), loop.machine.layout.size
    return Listener(line, program, size, loop.scheduler == "edf")


@contextmanager
def line_of(loop: Loop, reset: bool) -> Iterator[Line]:
    from lfc.boards.emulators.line import LineEnded, PortLine, line_of_emulator, line_of_port
    from lfc.boards.emulators.outcome import EmulatorError
    from lfc.boards.serial.failure import FlashError
    from lfc.boards.serial.open_port import open_port

    try:
        if loop.emulator is not None:
            with line_of_emulator(loop.board, loop.firmware.image.elf, loop.emulator) as line:
                yield line
            return
        assert loop.port is not None
        if reset:
            with line_of_port(loop.board, loop.port) as at_port:
                yield at_port
            return
        port = open_port(loop.port, loop.board.console.baud)
        try:
            yield PortLine(port)
        finally:
            port.close()
    except (EmulatorError, FlashError) as error:
        current_output().fail(f"lfc: {error}")
        code = Exit.BOARD if isinstance(error, FlashError) else Exit.ENVIRONMENT
        raise click.exceptions.Exit(code) from None
    except LineEnded as error:
        current_output().fail(f"lfc: {loop.place}: {error}")
        raise click.exceptions.Exit(Exit.INCONCLUSIVE) from None


class Recording:
    """The trace, from the last beginning that was seen; of what has no beginning there is none."""

    def __init__(self, file: str | None, program: str, loop: Loop) -> None:
        self.file, self.program, self.loop = file, program, loop
        self.written: TraceFile | None = None
        self.told: list[str] = []

    def begin(self, whole: bool) -> None:
        self.close()
        if self.file is None:
            return
        self.told = [] if whole else [f"no trace: the run was not seen from its beginning ({self.file} is not written)"]
        if whole:
            self.written = TraceFile(self.file, self.program, self.loop.machine)

    def add(self, step: list[Item]) -> None:
        if self.written is not None:
            self.written.add(step)

    def close(self) -> None:
        if self.written is not None:
            self.written.close()
            self.written = None


def told(found: Observation, watched: Watched, loop: Loop) -> list[str]:
    from lfc.hil.host_side import difference_lines
    from lfc.run.report import fault_lines

    seen = f"{counted(found.steps, 'step')} of {loop.place} (image {loop.firmware.digest[:16]})"
    lines = []
    match found.verdict:
        case "violated":
            names = ", ".join(j.name for j in found.violated)
            lines += [f"violated: {names}; {seen}"]
            lines += [f"  {j.name}: {watched.said(j)}" for j in found.violated if j.places]
        case "fault":
            assert found.fault is not None
            lines += [f"fault; {seen}", *fault_lines(loop.host.generated.sites[found.fault.site], found.fault)]
        case "differs":
            assert found.difference is not None
            lines += [f"differs: {loop.place} does not behave as the program does; {seen}"]
            lines += difference_lines(found.difference, loop.file)
        case "deadlock":
            lines += [*waiting_lines(loop), f"seen: {seen}"]
        case "lost":
            lines += [f"no verdict: {found.reason}; {seen}"]
        case "silent":
            lines += [f"no verdict: the board says nothing that is known; {seen}"]
        case end:
            lines += [f"no violation seen in {seen}" + ("; the run has ended" if end == "ended" else "")]
    lines += ["what led there:", *found.led_there] if found.led_there else []
    open_ones = [j.name for j in watched.judges if j not in found.violated and j not in found.met]
    lines += [f"met: {', '.join(j.name for j in found.met)}"] if found.met else []
    lines += [f"not violated so far: {', '.join(open_ones)}"] if open_ones else []
    blind = [j.name for j in watched.judges if j.blind]
    lines += [f"not judged since the beginning is missing: {', '.join(blind)}"] if blind else []
    lines += [f"not watched: {name}: {why}" for name, why in watched.left_out.items()]
    if found.gaps:
        lines += [f"{counted(found.gaps, 'gap')}: what the board did there is not known"]
    return lines


def document(found: Observation, watched: Watched, loop: Loop, code: Exit) -> dict[str, Any]:
    return {
        "version": 1,
        "verdict": found.verdict,
        "steps": found.steps,
        "from_the_beginning": found.whole,
        "begins": found.begins,
        "gaps": found.gaps,
        "violated": [j.name for j in found.violated],
        "met": [j.name for j in found.met],
        "watched": [j.name for j in watched.judges],
        "not_watched": watched.left_out,
        "led_there": found.led_there,
        "reason": found.reason,
        "board": loop.board.name,
        "image": loop.firmware.digest,
        "program": loop.file,
        "exit_code": int(code),
    }
