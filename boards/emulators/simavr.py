"""Runs an AVR image in simavr, by the harness in simavr_run/.

The harness is compiled with the system's C compiler when it is first needed, and kept in the user's cache.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any

from lfc.base.notices import once
from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.child import ran, started
from lfc.boards.emulators.outcome import EmulatorError, Outcome
from lfc.boards.emulators.quiet import MEMORY, Positions
from lfc.doctor.probe import require_tool
from lfc.toolchain.elf import Symbol, read_load_segments, read_symbol

ERASED = 0xFF
FOLDER = Path(__file__).resolve().parent / "simavr_run"
SOURCES = (FOLDER / "simavr_run.c", FOLDER / "parts.c")
HEADERS = (FOLDER / "parts.h",)
# simavr's own headers are not written for -Wextra's taste; the harness is (see the tests).
# The headers of its parts name others without the folder.
HEADERS_OF_SIMAVR = ("/usr/local/include/simavr", "/usr/include/simavr")
COMPILE = ("cc", "-std=gnu11", "-O2", "-Wall", *(part for folder in HEADERS_OF_SIMAVR for part in ("-isystem", folder)))
# Of the parts only the objects that are used: the whole library wants one for graphics.
LIBRARIES = ("-l:libsimavrparts.a", "-lsimavr", "-lutil")
ENDS = {"cycles": "time"}


def flash_content(elf: bytes) -> bytes:
    """The flash from address 0 to the end of the image."""
    content = bytearray()
    for segment in read_load_segments(elf):
        content.extend([ERASED] * (segment.load_address - len(content)))
        content[segment.load_address :] = segment.content
    return bytes(content)


def run_in_simavr(
    board: Board,
    elf: bytes,
    *,
    console_input: bytes = b"",
    seconds: float,
    symbols: Sequence[str] = (),
    quiet: Positions | None = None,
    signal: str | None = None,
    registers: tuple[int, int] = (0, 0),
    voltages: Mapping[int, int] = MappingProxyType({}),
    usart: int = 0,
    passes_at: str | None = None,
    parts: Sequence[str] = (),
    bus_faults: Sequence[str] = (),
) -> Outcome:
    """Runs for at most `seconds` of the board's time. The same input gives the same run, to the cycle.

    With `quiet` the run also ends when the program can do nothing more.
    `signal`: `PORT:BIT:CYCLES:TIMES`, a pin that is high, and TIMES times low for CYCLES, with CYCLES between.
    `voltages`: millivolts, at channels of the converter. `usart`: the one that the console input and output are of.
    `passes_at`: a function; the outcome says how many cycles lay between two calls of it, at most.
    `registers`: the address of the first one to be returned, and how many.
    `parts`: on a bus, as `memory:0x50` or `display:B:2`, or at pins, as `shift:B:1:2:3`; the outcome has their content.
    A `listener:0x3c` takes every byte that is written to it, and gives each behind a 2, if it began a write, or a 1.
    `bus_faults`: `KIND:N`, as the harness says.
    """
    found = [read_symbol(elf, name) for name in symbols]
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        (folder / "flash").write_bytes(flash_content(elf))
        (folder / "input").write_bytes(console_input)
        command = [
            *harness_command(board),
            *("--input", str(folder / "input"), "--report", str(folder / "report")),
            *("--cycles", str(int(seconds * board.cpu.clock))),
            *([] if quiet is None else ["--quiet", quiet_option(quiet, read_symbol(elf, MEMORY))]),
            *([] if signal is None else ["--signal", signal]),
            *(part for c, v in voltages.items() for part in ("--voltage", f"{c}:{v}")),
            *(["--usart", str(usart)] if usart else []),
            *([] if passes_at is None else ["--pass", str(read_symbol(elf, passes_at).address)]),
            *(part for s in found for part in ("--dump", dump_place(s))),
            *("--dump", f"data:{registers[0]}:{registers[1]}"),
            *(option for part in parts for option in ("--part", part)),
            *(option for fault in bus_faults for option in ("--bus-fault", fault)),
            *(option for n, part in enumerate(parts) for option in ("--dump", f"part{n}:0:{size_of_part(part)}")),
            str(folder / "flash"),
        ]
        done = ran(command)
        if done.returncode != 0:
            raise EmulatorError(done.stderr.decode(errors="replace").strip())
        report = json.loads((folder / "report").read_text())
        dumps = [bytes.fromhex(dump) for dump in report["dumps"]]
        of_registers, of_parts = dumps[len(found)], tuple(dumps[len(found) + 1 :])
        memory = {s.name: dump for s, dump in zip(found, dumps, strict=False)}
        end = ENDS.get(report["end"], report["end"])
        return Outcome(
            end, done.stdout, memory, report["cycles"], of_registers, report["stack"], report["pass"], of_parts
        )


class SimavrOnTerminal:
    """A chip in simavr whose console is a pseudo-terminal, in real time. Opening the terminal resets the chip.

    with SimavrOnTerminal(board, boot_loader, boot=0x7E00) as chip: ... chip.port ... ; then chip.flash, chip.end
    """

    def __init__(self, board: Board, flash: bytes, boot: int | None = None, held: bool = False) -> None:
        """`held`: it does nothing before `start`, so that whoever opens the terminal hears all from the begin."""
        self._folder = tempfile.TemporaryDirectory(prefix="lfc-")
        folder = Path(self._folder.name)
        (folder / "flash").write_bytes(flash)
        self._report = folder / "report"
        self._command = [
            *harness_command(board),
            *("--pty", "--real-time", "--report", str(self._report)),
            *("--dump", f"flash:{board.flash.start}:{board.flash.size}"),
            *(["--held"] if held else []),
            *([] if boot is None else ["--boot", str(boot)]),
            str(folder / "flash"),
        ]
        self._process: subprocess.Popen[bytes] | None = None
        self.port = ""  # the name of the terminal
        self.flash = b""  # its content, when the chip has stopped
        self.end = ""

    def __enter__(self) -> SimavrOnTerminal:
        self._process = started(self._command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        assert self._process.stdout is not None
        self.port = self._process.stdout.readline().decode().strip()
        if not self.port:
            said = self._process.communicate()[1].decode(errors="replace").strip()
            self._folder.cleanup()
            raise EmulatorError(said)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._folder.cleanup()

    def start(self) -> None:
        """Lets go one that is held."""
        if self._process is not None:
            self._process.send_signal(signal.SIGUSR1)

    def stop(self) -> None:
        """The power is cut: the other end of the terminal is gone."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        self._process.communicate()
        if self._process.returncode == 0:
            report: dict[str, Any] = json.loads(self._report.read_text())
            self.flash = bytes.fromhex(report["dumps"][0])
            self.end = report["end"]
        self._process = None


def size_of_part(part: str) -> int:
    """How many bytes are in it."""
    sizes = {
        "eeprom": 4096,
        "memory": 4096,
        "listener": 16384,
        "clock": 64,
        "registers": 256,
        "shift": 4,
        "display": 16,
    }
    return sizes[part.partition(":")[0]]


def harness_command(board: Board) -> list[str]:
    """The harness with what a board says to it."""
    if board.emulator.simavr is None:
        raise EmulatorError(f"the board {board.name} cannot be emulated by simavr")
    return [
        str(_harness()),
        *("--chip", board.emulator.simavr),
        *("--clock", str(board.cpu.clock)),
        *("--baud", str(board.console.baud)),
        *([] if board.console.is_there else ["--usart", "-"]),
    ]


def quiet_option(quiet: Positions, memory: Symbol) -> str:
    """As the harness wants it after --quiet."""
    return f"{memory.target_address + quiet.offset}:{quiet.slots}:{quiet.width}:{quiet.kinds}"


def dump_place(symbol: Symbol) -> str:
    """As the harness wants it after --dump."""
    return f"{'data' if symbol.in_data else 'flash'}:{symbol.target_address}:{symbol.size}"


@cache
def _harness() -> Path:
    require_tool("cc")
    require_tool("simavr/sim_avr.h")
    stated = os.environ.get("XDG_CACHE_HOME", "")
    folder = (Path(stated) if stated else Path.home() / ".cache") / "lfc" / "simavr_run"
    texts = b"".join(source.read_bytes() for source in (*SOURCES, *HEADERS))
    harness = folder / hashlib.sha256(texts + repr((COMPILE, LIBRARIES)).encode()).hexdigest()
    if not harness.exists():
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as made_here, once("compiling the runner for simavr"):
            new = Path(made_here) / "simavr_run"
            done = subprocess.run(
                [*COMPILE, *map(str, SOURCES), "-o", str(new), *LIBRARIES], capture_output=True, text=True, check=False
            )
            if done.returncode != 0:
                raise EmulatorError(f"the harness for simavr cannot be compiled:\n{done.stderr.strip()}")
            os.replace(new, harness)
    return harness
