"""Images of programs for their check, and what flipping their bits makes of them. For tests."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from lfc.actions.build import build_machine
from lfc.actions.model.machine import Machine
from lfc.boards.descriptions.board import Board, load_board
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.front_end.load import load_program
from lfc.image.firmware import Firmware, build_firmware
from lfc.mcheck.image.check_image import CheckedImage, ImageCheck, ImageResult, flash_of
from lfc.mcheck.request.request import request_from
from lfc.mcheck.search.search import Search

MOST_CYCLES = 200_000  # of a pass of a changed image


@dataclass(slots=True)
class Built:
    board: Board
    machine: Machine
    firmware: Firmware
    search: Search  # at its end
    flash: bytes
    first: ImageCheck | None = None  # of what was built

    def check(self, flash: bytes | None = None, with_ways: bool = False) -> ImageResult:
        """What is in `flash`, else what was built."""
        if self.first is None:
            self.first = ImageCheck(self.search, self.image(self.flash))
            self.first.run()
        if flash is None:
            return self.first.result(with_ways)
        check = ImageCheck(self.search, self.image(flash), self.first, MOST_CYCLES)
        try:
            check.run()
            return check.result(with_ways)
        finally:
            check.close()

    def image(self, flash: bytes) -> CheckedImage:
        return CheckedImage(self.board, self.firmware, flash, "")


def machine_of(file: Path, board: Board) -> Machine:
    diagnostics = Diagnostics()
    program = load_program(str(file), diagnostics, chip=chip_modules(board))
    assert program is not None and not diagnostics.has_errors
    return build_machine(program, diagnostics)


@contextmanager
def built(file: Path, board_name: str) -> Iterator[Built]:
    board = load_board(board_name)
    machine = machine_of(file, board)
    search = Search(machine, request_from(threads=1))
    made: Built | None = None
    try:
        search.run()
        firmware = build_firmware(board, machine)
        flash = flash_of(dict(firmware.image.flash), board.flash)
        made = Built(board, machine, firmware, search, flash)
        yield made
    finally:
        if made is not None and made.first is not None:
            made.first.close()
        search.close()


def flipped(flash: bytes, at: int, bit: int) -> bytes:
    """`bit`: of the word at the byte address `at`."""
    changed = bytearray(flash)
    changed[at + bit // 8] ^= 1 << bit % 8
    return bytes(changed)
