"""Flashing over lines that lose, repeat, change and delay bytes, against the real boot loaders in simavr.

It either fails with an error that names the stage, or the image is in the flash; and it ends.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable

import pytest

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.simavr import SimavrOnTerminal
from lfc.boards.flash import stk500v1, stk500v2
from lfc.boards.flash.pages import Target
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.open_port import open_port, pulse_dtr
from lfc.link.link import Image
from tests.boards.boot_loaders import ANSWERING, MEGA_BOOT, UNO_BOOT, DamagingPort, optiboot, stk500boot
from tests.boards.conftest import BuildC
from tests.campaign.seeds import seed_of_this_run

LOADERS: dict[str, tuple[Callable[[], bytes], int, Callable[..., int]]] = {
    "uno": (optiboot, UNO_BOOT, stk500v1.flash),
    "mega2560": (stk500boot, MEGA_BOOT, stk500v2.flash),
}
KINDS = ("drop", "repeat", "flip", "silent", "close")
STAGES = ("sync", "signature", "erase", "write", "verify", "start")
LONGEST = 60.0  # seconds; a failure takes some three, but the machine may be busy


def images(name: str, build_c_for: BuildC) -> tuple[Board, Image, Target]:
    board = load_board(name)
    return board, build_c_for(board, ANSWERING), Target(board.flashing.signature, board.flash.page, board.flash.usable)


def flash_damaged(board: Board, image: Image, target: Target, damage: tuple[str, int, bool, int]) -> str:
    """How it ended; what must hold is asserted."""
    boot_loader, boot, flash = LOADERS[board.name]
    kind, at, to_board, bit = damage
    began = time.monotonic()
    with SimavrOnTerminal(board, boot_loader(), boot=boot) as chip:
        with open_port(chip.port, board.flashing.baud) as port:
            pulse_dtr(port)
            line = DamagingPort(port, chip, kind, at, to_board, bit)
            try:
                flash(line, target, image.flash)
                end = "done"
            except FlashError as error:
                assert error.stage in STAGES and error.message and error.remedy, error
                end = error.stage
        chip.stop()
        content = chip.flash
    assert time.monotonic() - began < LONGEST, damage
    if end == "done":
        right = all(content[a : a + len(piece)] == piece for a, piece in image.flash.items())
        assert right, f"called right, and is not: {damage}"
    return end


def lengths(board: Board, image: Image, target: Target) -> dict[bool, int]:
    """Bytes in either direction, of a flashing that nothing disturbs."""
    boot_loader, boot, flash = LOADERS[board.name]
    with SimavrOnTerminal(board, boot_loader(), boot=boot) as chip, open_port(chip.port, board.flashing.baud) as port:
        pulse_dtr(port)
        line = DamagingPort(port, None, "flip", 1 << 30, True)
        flash(line, target, image.flash)
    return line.passed


@pytest.mark.parametrize("name", LOADERS)
def test_damage_at_some_places(name: str, build_c_for: BuildC) -> None:
    board, image, target = images(name, build_c_for)
    chance = random.Random(seed_of_this_run() * 31 + len(name))
    bytes_of = lengths(board, image, target)
    for kind in KINDS:
        to_board = chance.random() < 0.6
        flash_damaged(board, image, target, (kind, chance.randrange(bytes_of[to_board]), to_board, chance.randrange(8)))


@pytest.mark.parametrize("name", LOADERS)
@pytest.mark.parametrize("kind", ["silent", "close"])
def test_a_line_that_goes_dead_in_the_midst_of_writing(name: str, kind: str, build_c_for: BuildC) -> None:
    board, image, target = images(name, build_c_for)
    third = lengths(board, image, target)[True] // 3
    assert flash_damaged(board, image, target, (kind, third, True, 0)) == "write"


@pytest.mark.parametrize("name", LOADERS)
def test_damage_while_the_boot_loader_is_looked_for_is_survived(name: str, build_c_for: BuildC) -> None:
    board, image, target = images(name, build_c_for)
    assert flash_damaged(board, image, target, ("flip", 0, True, 2)) == "done"
    assert flash_damaged(board, image, target, ("drop", 1, False, 0)) == "done"
