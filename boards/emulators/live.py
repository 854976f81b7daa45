"""Runs an image in an emulator with its console on streams of this program, until it ends or is quiet."""

from __future__ import annotations

import json
import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.simulated import BUILTIN, EMULATORS
from lfc.boards.emulators import javascript
from lfc.boards.emulators.child import started
from lfc.boards.emulators.javascript import JAVASCRIPT
from lfc.boards.emulators.outcome import EmulatorError, Outcome, Outside
from lfc.boards.emulators.qemu import HALT, Monitor, qemu_command
from lfc.boards.emulators.quiet import MEMORY, Positions
from lfc.boards.emulators.simavr import ENDS, dump_place, flash_content, harness_command, quiet_option
from lfc.toolchain.elf import Symbol, read_symbol, read_symbols

LOOK_EVERY = 0.05  # seconds between two looks at what QEMU does
BETWEEN_ACTIONS = ("lf_step", "lf_port_idle")  # here the kernel looks for something to do
READ = 4096


@dataclass(slots=True)
class Terminal:
    """Where the program's output goes, and the file descriptor that its input comes from (None: there is none)."""

    write: Callable[[bytes], None]
    input: int | None = None


def run_live(
    board: Board,
    elf: bytes,
    emulator: str,
    terminal: Terminal,
    positions: Positions,
    *,
    real_time: bool = True,
    seconds: float | None = None,
    outside: Outside | None = None,
) -> Outcome:
    """Ends: halted, quiet, crashed, time, stopped (by Ctrl-C). `lf_memory` at the end is in the outcome.

    `outside`: in the built-in simulator only.
    """
    if emulator == BUILTIN:
        from lfc.boards.emulators.builtin import run_builtin_live

        write, source = terminal.write, terminal.input
        return run_builtin_live(
            board, elf, write, source, positions, real_time=real_time, seconds=seconds, outside=outside
        )
    assert outside is None
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        if emulator == "simavr":
            return _in_simavr(board, elf, folder, terminal, positions, real_time, seconds)
        if emulator in JAVASCRIPT:
            return _in_javascript(board, elf, emulator, folder, terminal, positions, real_time, seconds)
        if emulator == "qemu":
            return _in_qemu(board, elf, folder, terminal, positions, seconds)
    raise EmulatorError(f"there is no emulator `{emulator}`; there are: {', '.join(EMULATORS)}")


def _in_simavr(
    board: Board,
    elf: bytes,
    folder: Path,
    terminal: Terminal,
    positions: Positions,
    real_time: bool,
    seconds: float | None,
) -> Outcome:
    memory = read_symbol(elf, MEMORY)
    (folder / "flash").write_bytes(flash_content(elf))
    command = [
        *harness_command(board),
        *("--report", str(folder / "report"), "--dump", dump_place(memory)),
        *("--quiet", quiet_option(positions, memory)),
        *(["--real-time"] if real_time else []),
        *([] if seconds is None else ["--cycles", str(int(seconds * board.cpu.clock))]),
        str(folder / "flash"),
    ]
    return _reported(command, terminal, folder)


def _in_javascript(
    board: Board,
    elf: bytes,
    emulator: str,
    folder: Path,
    terminal: Terminal,
    positions: Positions,
    real_time: bool,
    seconds: float | None,
) -> Outcome:
    memory = read_symbol(elf, MEMORY)
    command = [
        *javascript.javascript_command(board, elf, emulator, folder),
        *("--report", str(folder / "report"), "--dump", javascript.dump_place(memory)),
        *("--quiet", javascript.quiet_option(positions, memory)),
        *(["--real-time"] if real_time else []),
        *([] if seconds is None else ["--cycles", str(int(seconds * board.cpu.clock))]),
        str(folder / "flash"),
    ]
    return _reported(command, terminal, folder)


def _reported(command: list[str], terminal: Terminal, folder: Path) -> Outcome:
    """Of an emulator that ends by itself, and says in a report how."""
    with _Exchange(command, terminal, folder) as exchange:
        exchange.go(None)
    if exchange.process.returncode != 0:
        raise EmulatorError(exchange.said())
    report = json.loads((folder / "report").read_text())
    dump = bytes.fromhex(report["dumps"][0])
    return Outcome(ENDS.get(report["end"], report["end"]), b"", {MEMORY: dump}, report["cycles"])


def _in_qemu(
    board: Board, elf: bytes, folder: Path, terminal: Terminal, positions: Positions, seconds: float | None
) -> Outcome:
    (folder / "image.elf").write_bytes(elf)
    symbols = read_symbols(elf)
    memory = read_symbol(elf, MEMORY)
    with _Exchange(qemu_command(board, folder), terminal, folder) as exchange:
        with Monitor(folder / "monitor", exchange) as monitor:
            looker = _Looker(monitor, symbols, memory, positions, folder, seconds)
            exchange.at_once = board.console.receive_buffer // 2
            exchange.may_send = lambda: monitor.console_listens(board)
            exchange.go(looker.look)
            if exchange.interrupted:
                return Outcome("stopped", b"", {}, None)
            if looker.end is None:
                raise exchange.failure()
            monitor.ask("quit")
        exchange.go(None)
    return Outcome(looker.end, b"", {MEMORY: looker.memory}, None)


class _Looker:
    """Looks from time to time whether the program in QEMU has halted or is quiet."""

    def __init__(
        self,
        monitor: Monitor,
        symbols: dict[str, Symbol],
        memory: Symbol,
        positions: Positions,
        folder: Path,
        seconds: float | None,
    ) -> None:
        self.monitor = monitor
        self.halt = symbols.get(HALT)
        self.between = [symbols[name] for name in BETWEEN_ACTIONS if name in symbols]
        self.symbol = memory
        self.positions = positions
        self.file = folder / "memory"
        self.deadline = None if seconds is None else time.monotonic() + seconds
        self.end: str | None = None
        self.memory = b""

    def look(self, input_ended: bool) -> bool:
        """Whether the run is over. The machine stands still meanwhile, so that what is read fits together."""
        self.monitor.ask("stop")
        at = self.monitor.program_counter()
        self.memory = self.monitor.read_memory(self.symbol, self.file)
        if self.halt is not None and _is_in(at, self.halt):
            self.end = "halted"
        elif any(_is_in(at, s) for s in self.between) and self.positions.is_quiet(self.memory, input_ended):
            self.end = "quiet"
        elif self.deadline is not None and time.monotonic() >= self.deadline:
            self.end = "time"
        else:
            self.monitor.ask("cont")
        return self.end is not None


def _is_in(address: int, symbol: Symbol) -> bool:
    start = symbol.target_address & ~1  # bit 0 marks Thumb code
    return start <= address < start + symbol.size


class _Exchange:
    """An emulator as a child process, its console passed on in both directions; gone when the block is left."""

    def __init__(self, command: list[str], terminal: Terminal, folder: Path) -> None:
        self.terminal = terminal
        self.errors = folder / "errors"
        self.interrupted = False
        self.may_send: Callable[[], bool] | None = None  # asked at each look until it says so; None: it always may
        # How many bytes go in between two looks: QEMU passes them on faster than any line. None: as many as it takes.
        self.at_once: int | None = None
        self.has_sent = False  # since the last look
        with self.errors.open("wb") as errors:
            self.running: subprocess.Popen[bytes] = started(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, bufsize=0
            )
        self.input = terminal.input
        self.waiting = b""  # what came from the terminal, and the emulator has not taken yet
        self.ended_at: float | None = None  # when the input had ended and was taken
        os.set_blocking(self._pipe(self.running.stdin).fileno(), False)
        if self.input is None:
            self._pipe(self.running.stdin).close()
            self.ended_at = time.monotonic()

    @property
    def process(self) -> subprocess.Popen[bytes]:
        return self.running

    def __enter__(self) -> _Exchange:
        return self

    def __exit__(self, *_: Any) -> None:
        try:
            self.running.wait(timeout=5 if self._pipe(self.running.stdout).closed else 0)
        except subprocess.TimeoutExpired:
            self.running.kill()
            self.running.wait()
        for stream in (self.running.stdin, self.running.stdout):
            self._pipe(stream).close()

    def go(self, look: Callable[[bool], bool] | None) -> None:
        """Until `look` says so (it is told whether the input has ended), or the emulator closes its output."""
        try:
            self._go(look)
        except KeyboardInterrupt:
            self.interrupted = True
            self.running.terminate()
            self._go(None)

    def _go(self, look: Callable[[bool], bool] | None) -> None:
        output = self._pipe(self.running.stdout)
        next_look = time.monotonic() + LOOK_EVERY
        while not output.closed:
            sources: list[Any] = [output]
            if self.input is not None and not self.waiting and self.may_send is None:
                sources.append(self.input)
            targets = [self._pipe(self.running.stdin)] if self.waiting and not self.has_sent else []
            timeout = None if look is None else max(0.0, next_look - time.monotonic())
            readable, writable, _ = select.select(sources, targets, [], timeout)
            if writable:
                self._send()
            if self.input in readable:
                self._receive()
            if output in readable:
                said = output.read(READ)
                if said:
                    self.terminal.write(said)
                else:
                    output.close()
            if look is not None and time.monotonic() >= next_look:
                if self.may_send is not None and self.may_send():
                    self.may_send = None
                # Input that ended just now may still be on its way in the emulator.
                ended = self.ended_at is not None and time.monotonic() - self.ended_at > 4 * LOOK_EVERY
                if look(ended):
                    return
                next_look = time.monotonic() + LOOK_EVERY
                self.has_sent = False

    def _receive(self) -> None:
        assert self.input is not None
        self.waiting = os.read(self.input, READ)
        if not self.waiting:
            self.input = None
            self._pipe(self.running.stdin).close()
            self.ended_at = time.monotonic()

    def _send(self) -> None:
        try:
            taken = os.write(self._pipe(self.running.stdin).fileno(), self.waiting[: self.at_once])
            self.waiting = self.waiting[taken:]
            self.has_sent = self.at_once is not None
        except BrokenPipeError:  # it ended meanwhile
            self.waiting, self.input = b"", None

    def said(self) -> str:
        return self.errors.read_text(errors="replace").strip()

    def failure(self) -> EmulatorError:
        return EmulatorError(f"the emulator ended: {self.said() or 'no message'}")

    @staticmethod
    def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
        assert stream is not None
        return stream
