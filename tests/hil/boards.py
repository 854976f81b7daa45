"""What the tests with traced boards share: which board runs in which emulator, and a session with one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lfc.actions.as_data import program_digest
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.line import Flip, line_of_emulator
from lfc.hil.session import BoardSession
from lfc.image.firmware import Firmware, build_firmware
from tests.boards.cortexm import IN_QEMU, emulated

AVR = [(board, emulator) for board in ("uno", "mega2560") for emulator in ("simavr", "qemu")]
CORTEXM = [(board, "qemu") for board in IN_QEMU]
RISCV = [("hifive1", "qemu")]
JAVASCRIPT = [("pico", "rp2040js"), ("uno", "avr8js")]
EVERYWHERE = [*AVR, *CORTEXM, *RISCV, *JAVASCRIPT]


def board_named(name: str) -> Board:
    return emulated(name) if name in IN_QEMU else load_board(name)


def traced(name: str, machine: Machine, scheduler: str = "rr") -> Firmware:
    return build_firmware(board_named(name), machine, scheduler, trace=True)


@contextmanager
def session_with(
    name: str,
    emulator: str,
    machine: Machine,
    elf: bytes,
    scheduler: str = "rr",
    flip: Flip | None = None,
    executed: Path | None = None,
) -> Iterator[BoardSession]:
    """Behind the handshake."""
    with line_of_emulator(board_named(name), elf, emulator, flip, executed) as line:
        session = BoardSession(line)
        session.greet(program_digest(machine).hex(), machine.layout.size, scheduler)
        yield session
