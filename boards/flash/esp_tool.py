"""An ESP32 flashed by Espressif's own esptool, a program of its own (an extra), over the loader in the chip's ROM."""

from __future__ import annotations

import importlib.util
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from io import BufferedReader
from pathlib import Path

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.board import ESP_CHIPS, Board
from lfc.boards.flash.exchange import WRITE_AGAIN, Progress
from lfc.boards.serial.failure import FlashError, Stage
from lfc.toolchain.esp_image import esp_image

BAUD = 460_800
PER_CENT = re.compile(rb"(\d{1,3})(?:\.\d+)? ?%")
LONGEST = 180.0  # seconds; esptool bounds each of its own waits, with several attempts
BOOT = "hold BOOT, press RESET, let both go, and try again; is it a cable with data lines?"
FAILURES: tuple[tuple[str, Stage, str], ...] = (  # what esptool says, the stage, what helps
    (
        r"[Cc]ould not open|port is busy|doesn't exist|No such file|Permission denied",
        "open",
        "lfc ports shows what hinders",
    ),
    (r"[Ff]ailed to connect|No serial data|Wrong boot mode|Failed to start stub", "sync", BOOT),
    (r"This chip is|Wrong --chip|[Uu]nexpected chip|chip stub", "signature", "is it the right board?"),
    (r"erase", "erase", WRITE_AGAIN),
    (r"MD5|[Vv]erif|does not match", "verify", WRITE_AGAIN),
)


def refuse_without_esptool() -> None:
    """Raises MissingOnThisMachine. It is looked for, not imported."""
    if importlib.util.find_spec("esptool") is None:
        install = "pip install 'lf-toolchain[esp]', or pip install esptool"
        raise MissingOnThisMachine(f"esptool, which flashes boards with an ESP32, is not installed: {install}")


def flash_by_esptool(board: Board, content: Mapping[int, bytes], port: str, progress: Progress) -> int:
    """Writes from the beginning of the flash, compares digests, resets; the number of bytes of the image.

    It runs in a folder of its own, since it takes settings, among them what is done at a reset, from files of the
    working directory. Raises FlashError, MissingOnThisMachine.
    """
    refuse_without_esptool()
    image = esp_image(content, board.flash.start, ESP_CHIPS[board.flashing.chip])
    with tempfile.TemporaryDirectory(prefix="lfc-") as made_here:
        file = Path(made_here) / "image.bin"
        file.write_bytes(image)
        progress("sync", 0, 1)
        code, said = _run(arguments_of(board, port, file.name), made_here, len(image), progress)
    if code != 0:
        raise failure_of(said)
    progress("verify", len(image), len(image))
    return len(image)


def arguments_of(board: Board, port: str, file: str) -> list[str]:
    """-P: no module of the working directory is taken for esptool."""
    common = ["--chip", board.flashing.chip, "--port", port, "--baud", str(BAUD)]
    resets = ["--before", "default-reset", "--after", "hard-reset"]
    return [sys.executable, "-P", "-m", "esptool", *common, *resets, "write-flash", "0x0", file]


def _run(arguments: list[str], folder: str, total: int, progress: Progress) -> tuple[int, str]:
    """How it ended and all that it said; what it says of its progress is passed on."""
    with subprocess.Popen(
        arguments, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    ) as process:
        overdue = threading.Timer(LONGEST, process.kill)
        overdue.start()
        said = bytearray()
        try:
            assert isinstance(process.stdout, BufferedReader)
            while piece := process.stdout.read1(4096):
                said += piece
                if found := PER_CENT.findall(piece):
                    progress("write", total * min(100, int(found[-1])) // 100, total)
            code = process.wait()
        finally:
            overdue.cancel()
            if process.poll() is None:
                process.kill()
    return code, said.decode(errors="replace")


def failure_of(said: str) -> FlashError:
    """The stage, by what esptool says last; it is quoted."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    at = next((n for n, line in enumerate(lines) if "rror" in line), max(0, len(lines) - 1))
    told = " ".join(lines[at : at + 2])[:300] or "it ended without a word"
    for pattern, stage, remedy in FAILURES:
        if re.search(pattern, told):
            return FlashError(stage, f"esptool: {told}", remedy=remedy)
    return FlashError("write", f"esptool: {told}", remedy=WRITE_AGAIN)
