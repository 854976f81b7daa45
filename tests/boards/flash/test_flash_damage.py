"""Flashing over lines that lose, repeat, change and delay bytes, against the real boot loaders in simavr.

It either fails with an error that names the stage, or the image is in the flash; and it ends.
"""

from __future__ import annotations

import random

import pytest

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.flash.pages import Target
from lfc.link.link import Image
from tests.boards.conftest import BuildC
from tests.boards.flash.boot_loaders import ANSWERING
from tests.boards.flash.damage import KINDS, LOADERS, flash_damaged, lengths
from tests.support.seeds import seed_of_this_run


def images(name: str, build_c_for: BuildC) -> tuple[Board, Image, Target]:
    board = load_board(name)
    return board, build_c_for(board, ANSWERING), Target(board.flashing.signature, board.flash.page, board.flash.usable)


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
