"""What the tests of the board side share: the board `uno`, with its boot loader behind a pseudo-terminal, and images of
small C programs over the port."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.simavr import SimavrOnTerminal
from lfc.boards.flash.pages import Target
from lfc.link.link import Image, link_image
from lfc.link.port import runtime_folder
from lfc.toolchain.run_tools import compile_c
from tests.boards.flash.boot_loaders import UNO_BOOT, optiboot

BuildC = Callable[..., Image]

PRELUDE = """
#include "port.h"
__attribute__((unused)) static void write_text(const char *text)
{
    while (*text)
        lf_port_console_write((uint8_t)*text++);
}
"""


@pytest.fixture(scope="session")
def uno() -> Board:
    return load_board("uno")


@pytest.fixture
def build_c_for(tmp_path: Path) -> BuildC:
    """build_c_for(board, source, exported=...): the image of a C program; `port.h` is there."""

    def build(board: Board, source: str, exported: Sequence[str] = ()) -> Image:
        header = tmp_path / "port.h"
        header.write_bytes((runtime_folder() / "port.h").read_bytes())
        program = tmp_path / "program.c"
        program.write_text(PRELUDE + source)
        return link_image(board, [compile_c(board, program, [header])], exported)

    return build


@pytest.fixture
def build_c(uno: Board, build_c_for: BuildC) -> BuildC:
    """build_c(source, exported=...): the same for the uno."""
    return partial(build_c_for, uno)


@pytest.fixture(scope="module")
def boot_loader() -> bytes:
    """A flash that holds nothing but Optiboot."""
    return optiboot()


@pytest.fixture
def chip(uno: Board, boot_loader: bytes) -> Iterator[SimavrOnTerminal]:
    with SimavrOnTerminal(uno, boot_loader, boot=UNO_BOOT) as running:
        yield running


@pytest.fixture
def target(uno: Board) -> Target:
    return Target(uno.flashing.signature, uno.flash.page, uno.flash.usable)
