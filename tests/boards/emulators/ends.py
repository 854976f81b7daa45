"""How an example ends on this machine, and that it ends so in QEMU."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.quiet import MEMORY, positions_of
from lfc.codegen.program import generate
from lfc.image.firmware import build_firmware
from lfc.run.native import host_target
from lfc.run.running import HostRun
from lfc.run.session import Console, End, Session
from tests.differential.stepwise import machine_of
from tests.support.example_runs import SCHEDULERS, input_of, program_of


@cache
def end_on_this_machine(program: Path, scheduler: str, given: bytes) -> tuple[bytes, bytes]:
    """Output and state block. The text of what is said is compared elsewhere."""
    run = HostRun(generate(machine_of(program), host_target(), scheduler), 2, SCHEDULERS[scheduler])
    run.feed(given)
    said: list[bytes] = []
    assert Session(run, Console(said.append), virtual_clock=True).go() in (End.ENDED, End.BLOCKED)
    return b"".join(said), run.block


def check_in_qemu(board: Board, expected: Path, scheduler: str) -> None:
    program, given = program_of(expected), input_of(expected)
    machine = machine_of(program)
    firmware = build_firmware(board, machine, scheduler)
    outcome = run_in_qemu(
        board,
        firmware.image.elf,
        console_input=given,
        seconds=20,
        symbols=[MEMORY],
        quiet=positions_of(machine, firmware.block_offset),
    )
    assert outcome.end == "quiet"
    block = outcome.memory[MEMORY][firmware.block_offset :]
    assert (outcome.console, block) == end_on_this_machine(program, scheduler, given)
    assert outcome.console == expected.read_bytes()


# Some on every board; all of them, and earliest deadline first, where there is more time.
QUICK = {"prodcons", "echo", "clockdemo", "calls"}
