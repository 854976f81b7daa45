"""The serial line of a board as a stream of bytes in both directions: a port of this machine, or an emulator's."""

from __future__ import annotations

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import serial

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.simulated import TRACED
from lfc.boards.emulators.child import started
from lfc.boards.emulators.javascript import JAVASCRIPT, javascript_command
from lfc.boards.emulators.outcome import EmulatorError
from lfc.boards.emulators.qemu import Monitor, qemu_command
from lfc.boards.emulators.simavr import flash_content, harness_command
from lfc.boards.serial.open_port import open_port, pulse_dtr

READ = 4096


class LineEnded(Exception):
    """Nothing will come any more: the emulator has ended, the cable was pulled."""


class Line(Protocol):
    def read(self, seconds: float) -> bytes:
        """What has come; nothing, if nothing comes for so long. Raises LineEnded."""

    def write(self, data: bytes) -> None:
        """Raises LineEnded."""


@dataclass(frozen=True, slots=True)
class Flip:
    """A bit of the data space of an AVR that turns over by itself, so many cycles after the first byte to it."""

    cycles: int
    address: int
    bit: int


class PipeLine:
    """The console of an emulator, on its standard input and output."""

    def __init__(self, process: subprocess.Popen[bytes], errors: Path) -> None:
        self._process = process
        self._errors = errors
        self._input, self._output = _stream(process.stdin).fileno(), _stream(process.stdout).fileno()

    def read(self, seconds: float) -> bytes:
        there, _, _ = select.select([self._output], [], [], seconds)
        if not there:
            return b""
        data = os.read(self._output, READ)
        if not data:
            said = self._errors.read_text(errors="replace").strip()
            raise LineEnded(f"the emulator has ended{': ' + said if said else ''}")
        return data

    def write(self, data: bytes) -> None:
        while data:
            try:
                data = data[os.write(self._input, data) :]
            except OSError as error:
                raise LineEnded(f"the emulator has ended: {error.strerror}") from None


class PortLine:
    """A serial port."""

    def __init__(self, port: serial.Serial) -> None:
        self._port = port

    def read(self, seconds: float) -> bytes:
        try:
            there, _, _ = select.select([self._port.fileno()], [], [], seconds)
            if not there:
                return b""
            data = bytes(self._port.read(READ))
        except (OSError, serial.SerialException) as error:
            raise LineEnded(f"the port disappeared: {error}") from None
        if not data:
            time.sleep(0.01)  # the other end of a pseudo-terminal is closed: it is readable, and has nothing
        return data

    def write(self, data: bytes) -> None:
        try:
            self._port.write(data)
        except (OSError, serial.SerialException) as error:
            raise LineEnded(f"the port disappeared: {error}") from None


@contextmanager
def line_of_port(board: Board, name: str) -> Iterator[PortLine]:
    """The board at a port of this machine, freshly reset where the port can do that. Raises FlashError."""
    port = open_port(name, board.console.baud)
    try:
        if board.flashing.reset == "dtr":
            pulse_dtr(port)
        yield PortLine(port)
    finally:
        port.close()


@contextmanager
def line_of_emulator(
    board: Board, elf: bytes, emulator: str, flip: Flip | None = None, executed: Path | None = None
) -> Iterator[PipeLine]:
    """A board in an emulator, which runs as fast as it can; it is gone when the block is left. `executed`: a file in
    which the emulator says what of the flash it has executed, in its own form. Raises EmulatorError."""
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        if emulator == "simavr":
            (folder / "flash").write_bytes(flash_content(elf))
            command = [
                *harness_command(board),
                *("--attached", "--report", str(folder / "report")),
                *([] if flip is None else ["--flip", f"{flip.cycles}:{flip.address}:{flip.bit}"]),
                *([] if executed is None else ["--executed", str(executed)]),
                str(folder / "flash"),
            ]
        elif emulator == "qemu":
            (folder / "image.elf").write_bytes(elf)
            command = qemu_command(board, folder)
            command += [] if executed is None else ["-d", "in_asm", "-D", str(executed)]
        elif emulator in JAVASCRIPT:
            command = [*javascript_command(board, elf, emulator, folder), "--attached", str(folder / "flash")]
        else:
            raise EmulatorError(f"there is no emulator `{emulator}`; there are: {', '.join(TRACED)}")
        with (folder / "errors").open("wb") as errors:
            process = started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0)
        running = _Running(process, folder / "errors")
        try:
            if emulator == "qemu":
                with Monitor(folder / "monitor", running):  # it waits for somebody there before it starts
                    yield PipeLine(process, folder / "errors")
            else:
                yield PipeLine(process, folder / "errors")
        finally:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                _stream(stream).close()


@dataclass(slots=True)
class _Running:
    """What QEMU's monitor wants to know of the process."""

    running: subprocess.Popen[bytes]
    errors: Path

    def failure(self) -> EmulatorError:
        return EmulatorError(f"QEMU ended: {self.errors.read_text(errors='replace').strip()}")


def _stream(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None
    return stream
