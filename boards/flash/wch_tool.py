"""A CH32V flashed by rvprog, a program of its own (an extra), over the WCH-LinkE of its board."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.board import Board
from lfc.boards.flash.exchange import WRITE_AGAIN, Progress
from lfc.boards.serial.failure import FlashError, Stage
from lfc.toolchain.formats import in_format

LONGEST = 120.0  # seconds
CONNECTED = re.compile(r"Connected to (\S+) with \d+ bytes of flash")
WRITTEN = re.compile(r"(\d+) bytes written and verified")
WIRED = "is the WCH-LinkE plugged in, in RISC-V mode (`python -m rvprog.rvprog -v`), and wired to the chip?"
FAILURES: tuple[tuple[str, Stage, str], ...] = (  # what rvprog says, the stage, what helps
    (r"WCH-Link not found|No backend|Access denied|No WCH-Link", "open", WIRED),
    (r"identify chip|Unsupported chip", "signature", "is it the right board?"),
    (r"connect|register", "sync", WIRED),
    (r"Not enough memory", "write", "is it the right board?"),
    (r"verifying", "verify", WRITE_AGAIN),
)


def refuse_without_rvprog() -> None:
    """Raises MissingOnThisMachine. It is looked for, not imported."""
    if importlib.util.find_spec("rvprog") is None:
        install = "pip install 'lf-toolchain[wch]', or pip install rvprog"
        raise MissingOnThisMachine(f"rvprog, which flashes boards with a CH32V, is not installed: {install}")


def flash_by_rvprog(board: Board, content: Mapping[int, bytes], progress: Progress) -> int:
    """Writes from the beginning of the flash, reads back, starts; the number of bytes.

    Raises FlashError, MissingOnThisMachine.
    """
    refuse_without_rvprog()
    image = in_format("bin", content, board.flash.start, None)
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        (Path(made_here) / "image.bin").write_bytes(image)
        progress("write", 0, len(image))
        said = _run(arguments_of("image.bin"), made_here)
    found = CONNECTED.search(said)
    if found is not None and not found[1].upper().startswith(board.cpu.chip.upper()):
        told = f"rvprog has written to {found[1]}, which is not the chip of {board.name}"
        raise FlashError("signature", told, remedy="name the board that it is, and flash again")
    if WRITTEN.search(said) is None:
        raise failure_of(said)
    progress("verify", len(image), len(image))
    return len(image)


def arguments_of(file: str) -> list[str]:
    """-P: no module of the working directory is taken for rvprog."""
    return [sys.executable, "-P", "-m", "rvprog.rvprog", "-f", file]


def _run(arguments: list[str], folder: str) -> str:
    """All that it said. It does not tell how far it is."""
    try:
        done = subprocess.run(
            arguments,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=LONGEST,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        return (late.stdout or b"").decode(errors="replace")
    return done.stdout.decode(errors="replace")


def failure_of(said: str) -> FlashError:
    """The stage, by what rvprog says last; it is quoted."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    told = next((line for line in lines if "ERROR" in line), lines[-1] if lines else "it ended without a word")[:300]
    for pattern, stage, remedy in FAILURES:
        if re.search(pattern, told):
            return FlashError(stage, f"rvprog: {told}", remedy=remedy)
    return FlashError("write", f"rvprog: {told}", remedy=WRITE_AGAIN)
