"""The last pages of a chip's flash in which programs keep words: where the library's `Flash` has them."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lfc.boards.descriptions.board import Board

PAGES = 4
ERASED_AT_ONCE = {  # bytes
    **dict.fromkeys(("stm32f100", "stm32f103", "nrf51822"), 1024),
    **dict.fromkeys(("nrf52833", "nrf52840"), 4096),
}
FOLDERS = ("stm32f1_flash", "nrf_flash")  # of lfc/library/chips
DRIVER = "ChipFlash"


@dataclass(frozen=True, slots=True)
class KeptPages:
    start: int
    page: int  # bytes

    @property
    def size(self) -> int:
        return PAGES * self.page


def kept_pages(board: Board) -> KeptPages | None:
    """A board that takes updates has none: an update would go over them."""
    page = ERASED_AT_ONCE.get(board.cpu.chip)
    if page is None or board.flashing.method == "update":
        return None
    return KeptPages(board.flash.start + board.flash.usable - PAGES * page, page)


def areas_behind(board: Board, image: int) -> list[tuple[int, int]]:
    """Where they are, and how many bytes, unless an image of so many bytes has their place."""
    kept = kept_pages(board)
    if kept is None or board.flash.start + image > kept.start:
        return []
    return [(kept.start, kept.size)]


def without_kept_pages(board: Board) -> Board:
    """As a program sees it that uses them: they are not for its code."""
    kept = kept_pages(board)
    if kept is None:
        return board
    return replace(board, flash=replace(board.flash, reserved_at_end=board.flash.reserved_at_end + kept.size))
