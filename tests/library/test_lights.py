"""Lights of three colours: what SPI sends, in avr8js and rp2040js, read as the lights read it."""

from __future__ import annotations

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.javascript import run_in_javascript
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.library.images import image_of

BEACON = (ROOT / "examples" / "spi" / "Beacon.lf").read_text()
LONG = 255  # milliseconds, and what is told of all longer times
PULSES = {"1000": "0", "1110": "1"}


def rows(stream: bytes) -> list[list[tuple[int, int]]]:
    """Of how long it came after the one before, and the byte: cut where the line was low for long; without zeros."""
    found: list[list[tuple[int, int]]] = []
    for since, byte in zip(stream[::2], stream[1::2], strict=True):
        if since == LONG:
            found.append([])
        elif found and byte:
            found[-1].append((since, byte))
    return [row for row in found if row]


def colours(row: list[tuple[int, int]]) -> str:
    """As hexadecimal bytes: green, red and blue of each light."""
    line = "".join(f"{byte:08b}" for _, byte in row)
    bits = "".join(PULSES[line[i : i + 4]] for i in range(0, len(line), 4))
    return int(bits, 2).to_bytes(len(bits) // 8, "big").hex()


# The longest time from byte to byte, of which one takes 2 microseconds: in 8 cycles of 16 MHz, in half microseconds.
@pytest.mark.parametrize(("board", "emulator", "longest"), [("uno", "avr8js", 13), ("pico", "rp2040js", 5)])
def test_what_the_lights_take(board: str, emulator: str, longest: int) -> None:
    done = run_in_javascript(load_board(board), image_of(board, BEACON), emulator, seconds=0.02, parts=["stream"])
    found = rows(done.parts[0])
    assert [colours(row) for row in found] == ["00ff00810000", "020301408020", "000010ffffff"]
    assert max(since for row in found for since, _ in row) <= longest


def test_a_board_whose_bus_has_another_rate_says_so() -> None:
    done = lfc("build", "-b", "bluepill", ROOT / "examples" / "spi" / "Beacon.lf")
    assert (
        done.exit == 1
        and "`WS2812` knows no SPI bus that can make the pulses of lights of the board bluepill" in done.err
    )
