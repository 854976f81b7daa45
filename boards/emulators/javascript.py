"""Runs an image in rp2040js or avr8js, by the machine's Node.js and the program in js_run/.

The packages are the machine's own (npm install -g): nothing is looked for in the working directory, which is the folder
of somebody's project.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from lfc.boards.descriptions.board import Board
from lfc.boards.descriptions.chips import USB
from lfc.boards.emulators.child import ran
from lfc.boards.emulators.outcome import EmulatorError, Outcome
from lfc.boards.emulators.quiet import MEMORY, Positions
from lfc.doctor.probe import require_tool
from lfc.doctor.tools import node_modules
from lfc.toolchain.elf import Symbol, flash_content, read_symbol

RUN = Path(__file__).resolve().parent / "js_run" / "run.cjs"
JAVASCRIPT = ("rp2040js", "avr8js")
HALT = "lf_port_halt"


def run_in_javascript(
    board: Board,
    elf: bytes,
    emulator: str,
    *,
    console_input: bytes = b"",
    seconds: float,
    symbols: Sequence[str] = (),
    quiet: Positions | None = None,
    parts: Sequence[str] = (),
    bus_faults: Sequence[str] = (),
) -> Outcome:
    """Runs for at most `seconds` of the board's time. The same input gives the same run, to the cycle.

    `parts`, `bus_faults`: devices at an RP2040, see js_run/parts.cjs; the outcome has their content.
    """
    found = [read_symbol(elf, name) for name in symbols]
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        folder = Path(made_here)
        (folder / "input").write_bytes(console_input)
        command = [
            *javascript_command(board, elf, emulator, folder),
            *("--input", str(folder / "input"), "--report", str(folder / "report")),
            *("--cycles", str(int(seconds * board.cpu.clock))),
            *([] if quiet is None else ["--quiet", quiet_option(quiet, read_symbol(elf, MEMORY))]),
            *(part for s in found for part in ("--dump", dump_place(s))),
            *(option for part in parts for option in ("--part", part)),
            *(option for fault in bus_faults for option in ("--bus-fault", fault)),
            str(folder / "flash"),
        ]
        done = ran(command)
        if done.returncode != 0:
            raise EmulatorError(done.stderr.decode(errors="replace").strip())
        report = json.loads((folder / "report").read_text())
        memory = {s.name: bytes.fromhex(dump) for s, dump in zip(found, report["dumps"], strict=True)}
        contents = tuple(bytes.fromhex(part) for part in report["parts"])
        return Outcome(report["end"], done.stdout, memory, report["cycles"], parts=contents)


def javascript_command(board: Board, elf: bytes, emulator: str, folder: Path) -> list[str]:
    """Up to the options of one run; puts the image into the folder, as `flash`."""
    machine = {"rp2040js": board.emulator.rp2040js, "avr8js": board.emulator.avr8js}[emulator]
    if machine is None:
        raise EmulatorError(f"the board {board.name} cannot be emulated by {emulator}")
    require_tool("node")
    require_tool(emulator)
    modules = node_modules(emulator)
    (folder / "flash").write_bytes(flash_content(elf, board.flash.start))
    halt, uart = read_symbol(elf, HALT), board.console.uart
    return [
        *("node", str(RUN), "--modules", str(modules), "--machine", machine),
        *(
            "--clock",
            str(board.cpu.clock),
            "--baud",
            str(board.console.baud),
            "--uart",
            uart if uart == USB else uart[-1],
        ),
        *("--halt", f"{halt.target_address}:{halt.size}"),
    ]


def quiet_option(quiet: Positions, memory: Symbol) -> str:
    return f"{memory.target_address + quiet.offset}:{quiet.slots}:{quiet.width}:{quiet.kinds}"


def dump_place(symbol: Symbol) -> str:
    return f"{symbol.target_address}:{symbol.size}"
