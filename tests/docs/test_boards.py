"""The page on boards: it lists every board, key and chip that there is, and its example is right."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lfc.boards.descriptions.board import BOARDS_FOLDER, board_names, load_board, load_board_file
from lfc.boards.descriptions.chips import CHIPS
from lfc.link.port import build_port
from tests.conftest import ROOT

PAGE = (ROOT / "docs" / "reference" / "boards.md").read_text()
CHIPS_BEGIN = PAGE.index("\n## The chips\n")


def row(first: str, page: str = PAGE[:CHIPS_BEGIN]) -> str:
    """A board may be called as its chip: the chips' table is behind the others."""
    rows = [line for line in page.splitlines() if line.startswith("| `")]
    (found,) = [r for r in rows if f"`{first}`" in r.split("|")[1]]
    return found


def test_every_board_is_listed_with_its_chip() -> None:
    for name in board_names():
        assert load_board(name).cpu.chip.upper() in row(name).upper()


def keys_of(table: dict[str, Any], path: str = "") -> Iterator[str]:
    for key, value in table.items():
        if isinstance(value, dict):
            yield from keys_of(value, f"{path}{key}.")
        else:
            yield path + key


def test_every_key_is_told() -> None:
    told = set(re.findall(r"`([a-z0-9_.]+)`", PAGE))
    # Of these the page shows the table as a whole.
    whole = {"memory.flash", "memory.ram", "console.pins", "pins.names"}
    for file in BOARDS_FOLDER.rglob("*.toml"):
        used = set(keys_of(tomllib.loads(file.read_text())))
        assert not {k for k in used if k not in told and k.rpartition(".")[0] not in whole}
    for key in ("start", "size", "page", "reserved_at_end"):
        assert f"`{key}`" in row("memory.flash")


def test_every_chip_is_told() -> None:
    for name, chip in CHIPS.items():
        chips_row = row(name, PAGE[CHIPS_BEGIN:])
        told = re.findall(r"`([A-Z]+[0-9]?)`", chips_row)
        assert set(told) == {*chip.uarts, *chip.ticks}
        assert chip.needs_pins == ("`console.pins`" in chips_row)
        assert chip.needs_crystal == ("`cpu.crystal`" in chips_row)
    assert {c.triple for c in CHIPS.values()} <= set(re.findall(r"`([a-z0-9.-]+)`", row("cpu.triple")))


def test_the_example(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    (tmp_path / "own.toml").write_text(example)
    board = load_board_file(tmp_path / "own.toml")
    assert (board.cpu.clock, board.console.uart, board.cpu.chip) == (48_000_000, "USART2", "stm32f103")
    assert "console" in build_port(board).parts
