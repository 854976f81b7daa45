"""Runs an image in QEMU, and looks into it by QEMU's monitor protocol."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.child import started
from lfc.boards.emulators.outcome import EmulatorError, Outcome
from lfc.boards.emulators.quiet import MEMORY, Positions
from lfc.doctor.probe import require_tool
from lfc.toolchain.elf import DATA_SPACE, Symbol, read_symbol

VARIABLES_END = "lf_bss_end"  # a symbol of the linker script
HALT = "lf_port_halt"  # a program that is in this function has ended
IDLE = "lf_port_idle"  # one that is in this function found nothing to do
LOOK_EVERY = 0.02  # seconds
PROGRAM_COUNTER = re.compile(r"^PC:\s+([0-9a-f]+)|R15=([0-9a-f]+)|^ *pc +([0-9a-f]+)", re.MULTILINE)
IMAGE_OPTION = {"avr": "-bios", "cortexm": "-kernel", "riscv": "-kernel"}
# Which are enabled: registers of a Cortex-M, and of the FE310's PLIC.
INTERRUPT_LINES = {"cortexm": (0xE000E100, 12), "riscv": (0x0C002000, 8)}
NEVER_WRITTEN = 0xA5  # fills the RAM behind the variables of a Cortex-M before it starts


def run_in_qemu(
    board: Board,
    elf: bytes,
    *,
    console_input: bytes = b"",
    seconds: float,
    symbols: Sequence[str] = (),
    stop: threading.Event | None = None,
    quiet: Positions | None = None,
) -> Outcome:
    """Runs for at most `seconds` of this machine's time, and no longer than until `stop` is set; with `quiet`, until
    the program can do nothing more (one that waits for the console can)."""
    halt = read_symbol(elf, HALT)
    found = [read_symbol(elf, name) for name in symbols]
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        (folder / "image.elf").write_bytes(elf)
        free = _free_memory(board, elf)
        (folder / "free").write_bytes(bytes([NEVER_WRITTEN]) * len(free))
        command = [*qemu_command(board, folder), *_filled(free, folder / "free")]
        with _Process(command, folder) as process, Monitor(folder / "monitor", process) as monitor:
            console = _Input(process, console_input, board.console.receive_buffer // 2)
            rest = _Rest(monitor, elf, quiet) if quiet is not None else None
            end = _wait_for_end(board, monitor, console, halt, rest, time.monotonic() + seconds, stop)
            memory = {s.name: monitor.read_memory(s, folder / "memory") for s in found}
            left = monitor.read(free.start, len(free), folder / "memory") if free else b""
            stack = len(left.lstrip(bytes([NEVER_WRITTEN]))) if free else None
            monitor.ask("quit")
            process.running.wait(timeout=5)
            return Outcome(end, process.console_output(), memory, None, stack=stack)


def _free_memory(board: Board, elf: bytes) -> range:
    """What the stack may take. QEMU's AVR loads nothing there."""
    if board.cpu.architecture == "avr":
        return range(0)
    return range(read_symbol(elf, VARIABLES_END).address, board.ram.start + board.ram.size)


def _filled(memory: range, file: Path) -> list[str]:
    """As the processor sees it: some of QEMU's chips have their memory where nobody else does."""
    if not memory:
        return []
    return ["-device", f"loader,file={file},addr={memory.start:#x},force-raw=on"]


def qemu_command(board: Board, folder: Path) -> list[str]:
    """Runs `image.elf` of the folder, console on standard input and output, the monitor at `monitor` of the folder."""
    if board.emulator.qemu is None:
        raise EmulatorError(f"the board {board.name} cannot be emulated by QEMU")
    require_tool(board.emulator.qemu[0])
    image = IMAGE_OPTION[board.cpu.architecture], str(folder / "image.elf")
    return [
        *board.emulator.qemu,
        *(*image, "-display", "none", "-monitor", "none"),
        *("-serial", "null") * board.emulator.qemu_serial,
        *("-serial", "stdio", "-qmp", f"unix:{folder / 'monitor'},server=on,wait=on"),
    ]


def _wait_for_end(
    board: Board,
    monitor: Monitor,
    console: _Input,
    halt: Symbol,
    rest: _Rest | None,
    deadline: float,
    stop: threading.Event | None,
) -> str:
    listens = False
    while time.monotonic() < deadline:
        if _is_in(halt, monitor.program_counter()):
            return "halted"
        if rest is not None and not console.left and rest.has_come():
            return "quiet"
        if stop is not None and stop.is_set():
            return "stopped"
        listens = listens or monitor.console_listens(board)
        if listens:
            console.send_some()
        time.sleep(LOOK_EVERY)
    return "time"


def _is_in(function: Symbol, address: int) -> bool:
    return function.address <= address < function.address + function.size


class _Rest:
    """Whether a program has nothing to do, and never will have."""

    def __init__(self, monitor: Monitor, elf: bytes, positions: Positions) -> None:
        self.monitor = monitor
        self.positions = positions
        self.idle, self.memory = read_symbol(elf, IDLE), read_symbol(elf, MEMORY)

    def has_come(self) -> bool:
        self.monitor.ask("stop")  # so that what is read fits together
        if _is_in(self.idle, self.monitor.program_counter()):
            content = self.monitor.read_memory(self.memory, self.monitor.folder / "memory")
            if self.positions.is_quiet(content, input_ended=False):
                return True
        self.monitor.ask("cont")
        return False


class _Process:
    """QEMU itself; it is gone when the block is left, however that happens."""

    def __init__(self, command: list[str], folder: Path) -> None:
        # Files, because a pipe that nobody empties would stop the program.
        self.output, self.errors = folder / "output", folder / "errors"
        with self.output.open("wb") as stdout, self.errors.open("wb") as stderr:
            self.running = started(command, stdin=subprocess.PIPE, stdout=stdout, stderr=stderr)

    def __enter__(self) -> _Process:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.running.stdin is not None
        self.running.stdin.close()
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


class _Input:
    """Bytes for the console, a few at each look: QEMU passes them on as fast as a program can take them from the
    receiver, where a real line would leave it time to work on them."""

    def __init__(self, process: _Process, content: bytes, at_once: int) -> None:
        assert process.running.stdin is not None
        self.pipe = process.running.stdin.fileno()
        os.set_blocking(self.pipe, False)
        self.left = content
        self.at_once = at_once

    def send_some(self) -> None:
        if not self.left:
            return
        try:
            self.left = self.left[os.write(self.pipe, self.left[: self.at_once]) :]
        except (BlockingIOError, BrokenPipeError):  # it is full; or QEMU has ended, which the monitor will find
            pass


class Emulating(Protocol):
    """A QEMU that runs."""

    running: subprocess.Popen[bytes]

    def failure(self) -> EmulatorError: ...


class Monitor:
    """The other end of QEMU's monitor: one request, one answer, as lines of JSON."""

    def __init__(self, path: Path, process: Emulating) -> None:
        self.process = process
        self.folder = path.parent
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
            raise EmulatorError("QEMU does not report the program counter")
        return int(found[1] or found[2] or found[3], 16)

    def read_memory(self, symbol: Symbol, file: Path) -> bytes:
        # QEMU has both spaces of an AVR in one, the data space where the ELF has it.
        return self.read(symbol.target_address + (DATA_SPACE if symbol.in_data else 0), symbol.size, file)

    def console_listens(self, board: Board) -> bool:
        """Whether bytes for the console arrive. QEMU's STM32 loses those that come before its receiver is on; its FE310
        forgets them at its first reset, and takes no more if there were eight."""
        lines = INTERRUPT_LINES.get(board.cpu.architecture)
        return lines is None or any(self.read(*lines, self.folder / "lines"))

    def read(self, address: int, size: int, file: Path) -> bytes:
        # As the processor sees it: some of QEMU's chips have their memory where nobody else sees it.
        self.ask("memsave", val=address, size=size, filename=str(file))
        return file.read_bytes()
