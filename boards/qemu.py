"""Runs an image in QEMU, and looks into it by QEMU's monitor protocol. May import: `lfc.image`, `board`, `outcome`."""

from __future__ import annotations

import json
import re
import socket
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from lfc.boards.board import Board
from lfc.boards.outcome import EmulatorError, Outcome
from lfc.doctor.probe import require_tool
from lfc.image.elf import DATA_SPACE, Symbol, read_symbol

HALT = "lf_port_halt"  # a program that is in this function has ended
LOOK_EVERY = 0.02  # seconds
PROGRAM_COUNTER = re.compile(r"^PC:\s+([0-9a-f]+)", re.MULTILINE)


def run_in_qemu(
    board: Board, elf: bytes, *, console_input: bytes = b"", seconds: float, symbols: Sequence[str] = ()
) -> Outcome:
    """Runs for at most `seconds` of this machine's time."""
    halt = read_symbol(elf, HALT)
    found = [read_symbol(elf, name) for name in symbols]
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        (folder / "image.elf").write_bytes(elf)
        command = qemu_command(board, folder)
        with _Process(command, console_input, folder) as process, Monitor(folder / "monitor", process) as monitor:
            end = _wait_for_halt(monitor, halt, seconds)
            memory = {s.name: monitor.read_memory(s, folder / "memory") for s in found}
            monitor.ask("quit")
            process.running.wait(timeout=5)
            return Outcome(end, process.console_output(), memory, None)


def qemu_command(board: Board, folder: Path) -> list[str]:
    """Runs `image.elf` of the folder, console on standard input and output, the monitor at `monitor` of the folder."""
    if board.emulator.qemu is None:
        raise EmulatorError(f"the board {board.name} cannot be emulated by QEMU")
    require_tool(board.emulator.qemu[0])
    return [
        *board.emulator.qemu,
        *("-bios", str(folder / "image.elf"), "-display", "none", "-monitor", "none"),
        *("-serial", "stdio", "-qmp", f"unix:{folder / 'monitor'},server=on,wait=on"),
    ]


def _wait_for_halt(monitor: Monitor, halt: Symbol, seconds: float) -> str:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if halt.address <= monitor.program_counter() < halt.address + halt.size:
            return "halted"
        time.sleep(LOOK_EVERY)
    return "time"


class _Process:
    """QEMU itself; it is gone when the block is left, however that happens."""

    def __init__(self, command: list[str], console_input: bytes, folder: Path) -> None:
        # Files, because a pipe that nobody empties would stop the program.
        self.output, self.errors = folder / "output", folder / "errors"
        given = folder / "input"
        given.write_bytes(console_input)
        with given.open("rb") as stdin, self.output.open("wb") as stdout, self.errors.open("wb") as stderr:
            self.running = subprocess.Popen(command, stdin=stdin, stdout=stdout, stderr=stderr)

    def __enter__(self) -> _Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self.running.wait(timeout=0 if error else 5)
        except subprocess.TimeoutExpired:
            self.running.kill()
            self.running.wait()

    def console_output(self) -> bytes:
        return self.output.read_bytes()

    def failure(self) -> EmulatorError:
        """What QEMU said when it ended on its own."""
        return EmulatorError(f"QEMU ended: {self.errors.read_text(errors='replace').strip()}")


class Emulating(Protocol):
    """A QEMU that runs."""

    running: subprocess.Popen[bytes]

    def failure(self) -> EmulatorError: ...


class Monitor:
    """The other end of QEMU's monitor: one request, one answer, as lines of JSON."""

    def __init__(self, path: Path, process: Emulating) -> None:
        self.process = process
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        while True:
            try:
                self.socket.connect(str(path))
                break
            except OSError:
                if process.running.poll() is not None:
                    raise process.failure() from None
                time.sleep(LOOK_EVERY)
        self.socket.settimeout(10)
        self.lines = self.socket.makefile("rb")
        self.lines.readline()  # the greeting
        self.ask("qmp_capabilities")

    def __enter__(self) -> Monitor:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.lines.close()
        self.socket.close()

    def ask(self, command: str, **arguments: object) -> Any:
        try:
            self.socket.sendall(json.dumps({"execute": command, "arguments": arguments}).encode() + b"\n")
            while line := self.lines.readline():
                answer = json.loads(line)
                if "error" in answer:
                    raise EmulatorError(f"QEMU refuses `{command}`: {answer['error']['desc']}")
                if "return" in answer:  # all else tells of events
                    return answer["return"]
        except OSError as error:
            raise EmulatorError(f"QEMU does not answer `{command}`: {error}") from None
        raise self.process.failure()

    def program_counter(self) -> int:
        said = self.ask("human-monitor-command", **{"command-line": "info registers"})
        found = PROGRAM_COUNTER.search(said)
        if found is None:
            raise EmulatorError("QEMU does not tell the program counter")
        return int(found[1], 16)

    def read_memory(self, symbol: Symbol, file: Path) -> bytes:
        # QEMU has both spaces of an AVR in one, the data space where the ELF has it.
        address = symbol.target_address + (DATA_SPACE if symbol.in_data else 0)
        self.ask("pmemsave", val=address, size=symbol.size, filename=str(file))
        return file.read_bytes()
