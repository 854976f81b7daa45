"""The arithmetic that LLVM leaves to the RISC-V port, against Python's; a core without M has none but sums."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.emulate import emulate
from lfc.toolchain.elf import read_symbols
from tests.boards.conftest import BuildC
from tests.boards.ports import arithmetic as common

HELPERS = {"__mulsi3", "__muldi3", "__udivsi3", "__divsi3"}
EDGES = ", ".join(f"{e}u" for e in common.EDGES)


@pytest.mark.parametrize(("name", "wanted"), [("ch32v003evt", HELPERS), ("hifive1", set())])
def test_arithmetic(build_c_for: BuildC, name: str, wanted: set[str]) -> None:
    board = load_board(name)
    board = replace(board, console=replace(board.console, baud=1_000_000))
    image = build_c_for(board, common.PROGRAM % (EDGES, common.RANDOM_PAIRS))
    assert HELPERS & read_symbols(image.elf).keys() == wanted
    outcome = emulate(board, image.elf, "builtin")
    assert outcome.end == "halted"
    assert outcome.console == common.expected_output()


# Nothing but remainders: of both, the code generator makes them of quotients.
REMAINDERS = """
static const uint32_t edges[] = {%s};
#define EDGES (sizeof edges / sizeof edges[0])
static void put(uint32_t v) { for (uint8_t i = 0; i < 4; i++, v >>= 8) lf_port_console_write((uint8_t)v); }
void lf_main(void)
{
    for (uint8_t i = 0; i < EDGES; i++)
        for (uint8_t j = 1; j < EDGES; j++) {
            put(edges[i] %% edges[j]);
            if (edges[i] != 0x80000000 || edges[j] != 0xFFFFFFFF)
                put((uint32_t)((int32_t)edges[i] %% (int32_t)edges[j]));
        }
    lf_port_halt();
}
"""


def test_remainders(build_c_for: BuildC) -> None:
    board = load_board("ch32v003evt")
    image = build_c_for(board, REMAINDERS % EDGES)
    assert {"__umodsi3", "__modsi3"} <= read_symbols(image.elf).keys()
    expected = b""
    for a in common.EDGES:
        for b in common.EDGES[1:]:
            expected += (a % b).to_bytes(4, "little")
            if (a, b) != (0x80000000, 0xFFFFFFFF):
                x, y = (v - (v >> 31 << 32) for v in (a, b))
                rest = abs(x) % abs(y) * (-1 if x < 0 else 1)
                expected += (rest & 0xFFFFFFFF).to_bytes(4, "little")
    assert emulate(board, image.elf, "builtin").console == expected
