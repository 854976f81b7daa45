"""`lfc run -b`: builds the firmware and runs it in an emulator."""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING

import click

from lfc.cli.common.exits import Exit
from lfc.cli.common.firmware import firmware_for
from lfc.cli.common.machine import load_machine
from lfc.cli.common.output import current_output
from lfc.cli.common.streams import write_output
from lfc.cli.devices.boards import emulators

if TYPE_CHECKING:
    from lfc.actions.model.machine import Machine
    from lfc.boards.descriptions.board import Board
    from lfc.boards.emulators.outcome import Outcome
    from lfc.boards.serial.console import WireFault
    from lfc.cli.devices.energy import Energy
    from lfc.cli.devices.shown_pins import ShownPins
    from lfc.image.firmware import Firmware


def run_on_board(
    file: str,
    board: Board,
    emulator: str | None,
    scheduler: str,
    clock: str,
    seconds: float | None,
    path: tuple[str, ...],
    c_files: tuple[str, ...] = (),
    shown: ShownPins | None = None,
    energy: Energy | None = None,
) -> Exit:
    from lfc.boards.emulators.live import Terminal, run_live
    from lfc.boards.emulators.outcome import EmulatorError
    from lfc.boards.emulators.quiet import positions_of
    from lfc.boards.serial.console import ConsoleStream

    chosen = choose_emulator(board, emulator)
    if clock == "virtual" and chosen == "qemu":
        raise click.UsageError(f"--clock virtual is not for {chosen}, which has no clock of its own.")
    machine = load_machine(file, path, (), with_environment=False, board=board)
    firmware = firmware_for(board, machine, scheduler, c_files=c_files)
    stream = ConsoleStream()
    terminal = Terminal(lambda said: write_output(stream.feed(said)), sys.stdin.fileno())
    positions = positions_of(machine, firmware.block_offset)
    try:
        outcome = run_live(
            board,
            firmware.image.elf,
            chosen,
            terminal,
            positions,
            real_time=clock == "real",
            seconds=seconds,
            outside=None if shown is None else shown.outside,
        )
        write_output(stream.rest())
        if shown is not None:
            shown.finish()
    except BrokenPipeError:
        # Whoever read the output is gone; that ends the program like a closed terminal.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK
    except EmulatorError as error:
        current_output().fail(f"lfc: {error}")
        return Exit.ENVIRONMENT
    if stream.lost:
        told = f"{stream.lost} bytes of the input were lost: they arrived faster than the program read them"
        print(f"lfc: warning: {told} (the board has a buffer of {board.console.receive_buffer})", file=sys.stderr)
    return tell_end(firmware, machine, chosen, outcome, stream.fault, energy)


def choose_emulator(board: Board, wanted: str | None, without: tuple[str, ...] = ()) -> str:
    has = [e for e in emulators(board) if e not in without]
    if not has:
        raise click.UsageError(f"The board {board.name} has no emulator.")
    if wanted in without and wanted in emulators(board):
        raise click.UsageError(f"A traced image does not run in {wanted}; it does in {', '.join(has)}.")
    if wanted is not None and wanted not in has:
        raise click.UsageError(f"The board {board.name} is not emulated by {wanted}; it is by {', '.join(has)}.")
    return wanted or has[0]


def tell_end(
    firmware: Firmware,
    machine: Machine,
    emulator: str,
    outcome: Outcome,
    fault: WireFault | None,
    energy: Energy | None = None,
) -> Exit:
    """The last lines, on standard error, and the exit code: as of a run on this machine."""
    from lfc.boards.emulators.quiet import MEMORY
    from lfc.run import report
    from lfc.run.running import Fault

    block = outcome.memory.get(MEMORY, b"")[firmware.block_offset :]
    document: dict[str, object] = {"emulator": emulator, "cycles": outcome.cycles}
    lines: list[str] = []
    code, end = Exit.OK, outcome.end
    if fault is not None and fault.site < len(firmware.generated.sites):
        site = firmware.generated.sites[fault.site]
        found = Fault(fault.kind, fault.site, fault.first, fault.second)
        lines, document["fault"] = report.fault_lines(site, found), report.fault_as_data(site, found)
        code, end = Exit.FAULT, "fault"
    elif end == "quiet":
        waiting = report.who_waits(machine, block)
        if not waiting.processes:
            end = "ended"
        elif report.waits_for_console(machine, block):
            end = "input ended"
            lines = ["stopped: the program waits for input, and standard input has ended"]
        else:
            end = "blocked"
            if not waiting.only_servers:
                lines = ["deadlock: every process waits for another", *waiting.lines()]
                code = Exit.DEADLOCK
    elif end == "time":
        lines = ["stopped: time limit reached (--seconds)"]
    elif end == "stopped":
        lines = ["interrupted", *(report.who_waits_or_runs(machine, block) if block else [])]
        code = Exit.INTERRUPTED
    elif end == "halted":
        lines = ["the board stopped: an interrupt without a handler occurred"]
        code = Exit.FAULT
    else:
        lines = ["the processor stopped: it executed an invalid instruction, or accessed memory that does not exist"]
        code = Exit.FAULT
    if energy is not None:
        lines += energy.lines(outcome)
        document["energy"] = energy.as_data(outcome)
    print(*lines, sep="\n", end="\n" if lines else "", file=sys.stderr)
    if current_output().form == "json":
        current_output().document(json.dumps({"end": end, "exit_code": int(code), **document}), sys.stderr)
    return code
