"""An emulated board behind a pseudo-terminal: what it is to a program is a serial port."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from intelhex import IntelHex, IntelHexError

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.child import started
from lfc.boards.emulators.outcome import EmulatorError
from lfc.boards.emulators.qemu import Monitor, qemu_command
from lfc.boards.emulators.simavr import ERASED, SimavrOnTerminal, flash_content

READ = 256
PAUSE = 0.02  # seconds in which the emulated board takes half of what its buffer holds
LOOK = 0.02


class EmulatedTerminal(Protocol):
    """`start` is for whoever has opened the port: all that the board says is then heard."""

    port: str

    def start(self) -> None: ...


@contextmanager
def terminal_of(
    board: Board, elf: bytes | None, emulator: str = "", boot_loader: Path | None = None
) -> Iterator[EmulatedTerminal]:
    """A board with this image, to be started; or, with a boot loader (a HEX file), one whose flash has only that.

    Raises EmulatorError.
    """
    chosen = emulator or ("simavr" if board.emulator.simavr is not None else "qemu")
    if chosen == "simavr":
        flash, boot = (flash_content(elf or b""), None) if boot_loader is None else _boot_loader(board, boot_loader)
        with SimavrOnTerminal(board, flash, boot, held=boot is None) as chip:
            yield chip
    elif boot_loader is not None:
        raise EmulatorError("a boot loader runs in simavr only")
    else:
        with _qemu(board, elf or b"") as machine:
            yield machine


def _boot_loader(board: Board, file: Path) -> tuple[bytes, int]:
    """The whole flash, and where the boot loader begins."""
    try:
        content = IntelHex(str(file))
    except (OSError, IntelHexError, UnicodeDecodeError) as error:
        raise EmulatorError(f"{file} is not an Intel HEX file: {error}") from None
    content.padding = ERASED
    return bytes(content.tobinarray(start=0, end=board.flash.size - 1)), board.flash.usable


@dataclass(slots=True)
class _Qemu:
    port: str
    running: subprocess.Popen[bytes]
    errors: Path
    started: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        self.started.set()

    def failure(self) -> EmulatorError:
        return EmulatorError(f"QEMU ended: {self.errors.read_text(errors='replace').strip()}")


@contextmanager
def _qemu(board: Board, elf: bytes) -> Iterator[_Qemu]:
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here, ExitStack() as stack:
        folder = Path(made_here)
        (folder / "image.elf").write_bytes(elf)
        ours, its = os.openpty()
        stack.callback(os.close, ours)
        name = os.ttyname(its)
        os.close(its)
        with (folder / "errors").open("wb") as errors:
            process = started(
                [*qemu_command(board, folder), "-S"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                bufsize=0,
            )
        stack.callback(_end, process)
        machine = _Qemu(name, process, folder / "errors")
        monitor = stack.enter_context(Monitor(folder / "monitor", machine))
        stop = threading.Event()
        pump = threading.Thread(target=_pass_on, args=(machine, monitor, ours, board, stop), daemon=True)
        stack.callback(pump.join)
        stack.callback(stop.set)
        pump.start()
        yield machine


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        assert stream is not None
        stream.close()


def _pass_on(machine: _Qemu, monitor: Monitor, terminal: int, board: Board, stop: threading.Event) -> None:
    """The console, as fast as the line of the board is: QEMU itself knows no speed."""
    process = machine.running
    assert process.stdin is not None and process.stdout is not None
    to_board, from_board = process.stdin.fileno(), process.stdout.fileno()
    at_once = max(1, board.console.receive_buffer // 2)
    try:
        while not machine.started.wait(LOOK):
            if stop.is_set():
                return
        monitor.ask("cont")
        listens = False
        while not stop.is_set():
            listens = listens or monitor.console_listens(board)
            there, _, _ = select.select([from_board, terminal] if listens else [from_board], [], [], LOOK)
            if from_board in there:
                said = os.read(from_board, READ)
                if not said:
                    return
                os.write(terminal, said)
            if terminal in there:
                given = os.read(terminal, at_once)
                os.write(to_board, given)
                if len(given) == at_once:  # more is waiting
                    time.sleep(max(at_once * 10 / board.console.baud, PAUSE))
    except (OSError, EmulatorError):
        return  # one of them is gone, which the other end sees
