"""The boards of the examples with their boot loaders, and images of a program that says its version and reports."""

from __future__ import annotations

import os
import pty
import select
import threading
import tty
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import TracebackType
from unittest.mock import patch

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lfc.base.source import Source
from lfc.boards.descriptions.board import Board, load_board_file
from lfc.image.firmware import build_firmware
from lfc.update import image
from lfc.update.image import Update, message_of, signed_image
from lfc.update.layout import ED25519, Layout, layout_of
from lfc.update.loader import build_loader
from lfc.update.siphash import siphash
from tests.conftest import ROOT
from tests.differential.stepwise import machine_of_source
from tests.update.chips import CHIPS, Cut, Flash, Powered

EXAMPLES = ROOT / "examples" / "update"
SECRET = bytes(range(16))
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
SILENT = "  Report\n"
ENOUGH = 60_000_000  # cycles


@dataclass(frozen=True)
class Made:
    """A board of an example, with its boot loader in the flash and nothing else."""

    board: Board
    layout: Layout
    start: int
    content: bytes

    def flash(self, content: bytes | None = None, cut: Cut | None = None) -> Flash:
        return Flash(self.start, self.content if content is None else content, cut)


@cache
def made(name: str) -> Made:
    board = load_board_file(EXAMPLES / f"{name}.toml")
    layout = layout_of(board)
    loader = build_loader(board, KEY.public_key().public_bytes_raw() if layout.scheme == ED25519 else SECRET)
    _, start, size = CHIPS[board.cpu.chip]
    content = bytearray(b"\xff" * size)
    for at, piece in loader.flash.items():
        content[at - start : at - start + len(piece)] = piece
    return Made(board, layout, start, bytes(content))


def signed_here(layout: Layout, told: bytes, body: bytes, _: Path) -> bytes:
    message = message_of(layout, told, body)
    return KEY.sign(message) if layout.scheme == ED25519 else siphash(SECRET, message)


@cache
def update(name: str, version: int, reports: bool = True) -> Update:
    text = (EXAMPLES / "field.lf").read_text().replace("version = 1;", f"version = {version};")
    text = text if reports else text.replace(SILENT, "").replace("Out.Ln;", "Out.Ln")
    board = made(name).board
    firmware = build_firmware(
        board, machine_of_source(Source("Field.lf", text)), c_files=[str(EXAMPLES / "field.c")] if reports else []
    )
    with patch.object(image, "signature_of", signed_here):
        return signed_image(layout_of(board), firmware.image.flash, version, Path())


def what_runs(name: str, flash: Flash) -> bytes:
    """What it says when power comes, up to the end of a line."""
    there = Powered(made(name).board, flash)
    there.run(ENOUGH, lambda: there.said.endswith(b"\n"))
    there.run(500_000)  # it reports
    return bytes(there.said)


class OnTerminal:
    """A board behind a pseudo-terminal."""

    def __init__(self, name: str, flash: Flash) -> None:
        self.there = Powered(made(name).board, flash)
        self.ended = threading.Event()

    def __enter__(self) -> OnTerminal:
        self.line, self.slave = pty.openpty()
        tty.setraw(self.slave)
        self.port = os.ttyname(self.slave)
        self.thread = threading.Thread(target=self._run)
        self.thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.ended.set()
        self.thread.join()
        os.close(self.line)
        os.close(self.slave)

    def _run(self) -> None:
        self.there.timeout = 0.001
        while not self.ended.is_set():
            if select.select([self.line], [], [], 0)[0]:
                self.there.write(os.read(self.line, 4096))
            said = self.there.read(256)
            if said:
                os.write(self.line, said)
