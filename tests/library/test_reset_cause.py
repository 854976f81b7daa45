"""Board.ResetCause: what each chip's flags mean, that they are cleared, and that start-up of an AVR keeps them."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import build_firmware
from lfc.toolchain.elf import read_symbols
from tests.cli.lfc import lfc
from tests.library.played_chip import play
from tests.mcheck.image.images import machine_of

UNKNOWN, POWER, PIN, BROWN_OUT, WATCHDOG, SOFTWARE = range(6)
# Flags as the manuals have them: RM0041 7.3.10, RM0090 7.3.21, CH32V003 RM 3.4.10, GD32VF103 user manual 5.3.10;
# ATmega328P data sheet 11.9.1; nRF51 reference manual 11.1.11;
# LM3S6965 data sheet, RESC; RP2040 data sheet 2.12.8, 4.7.6.
STM32F1 = {
    1 << 27 | 1 << 26: POWER,  # PORRSTF, and PINRSTF with it
    1 << 26: PIN,
    1 << 28 | 1 << 26: SOFTWARE,  # SFTRSTF
    1 << 29 | 1 << 26: WATCHDOG,  # IWDGRSTF
    1 << 30 | 1 << 26: WATCHDOG,  # WWDGRSTF
    0: UNKNOWN,
}
RCC_CSR = 0x40021024
FLAGS = {  # by board: the register, its values; what is written then, given the value
    "bluepill": (RCC_CSR, STM32F1),
    "longan_nano": (RCC_CSR, STM32F1),
    "ch32v003evt": (RCC_CSR, STM32F1),
    "netduinoplus2": (0x40023874, {**STM32F1, 1 << 27 | 1 << 26 | 1 << 25: POWER, 1 << 26 | 1 << 25: BROWN_OUT}),
    "microbit": (0x40000400, {0: POWER, 1: PIN, 2: WATCHDOG, 4: SOFTWARE, 8: UNKNOWN, 3: WATCHDOG}),
    "lm3s6965evb": (0x400FE05C, {2: POWER, 3: POWER, 1: PIN, 4: BROWN_OUT, 8: WATCHDOG, 16: SOFTWARE, 32: UNKNOWN}),
    "uno": (0x3E, {1: POWER, 5: POWER, 2: PIN, 4: BROWN_OUT, 8: WATCHDOG, 0: UNKNOWN}),
}
CLEARING = {"microbit": lambda v: v, "lm3s6965evb": lambda v: 0, "uno": None}


def cause(board: str, values: dict[int, int]) -> tuple[int, list[tuple[int, int]]]:
    state, chip = play(board, "Board", "v := ORD(Board.ResetCause)", values, variables="v : INTEGER")
    (found,) = [value for variable, value in state.modules.items() if variable.name == "v"]
    assert isinstance(found, int)
    return found, chip.written


@pytest.mark.parametrize("board", FLAGS)
def test_flags(board: str) -> None:
    register, values = FLAGS[board]
    clearing = CLEARING.get(board, lambda v: v | 1 << 24)  # RMVF
    for value, expected in values.items():
        writes = [] if clearing is None else [(register, clearing(value))]
        assert cause(board, {register: value}) == (expected, writes), hex(value)


@pytest.mark.parametrize(
    ("reason", "chip", "expected"),
    [(0, 1 << 8, POWER), (0, 1 << 16, PIN), (1, 1 << 8, WATCHDOG), (2, 1 << 8, SOFTWARE), (0, 1 << 20, UNKNOWN)],
)
def test_flags_of_an_rp2040(reason: int, chip: int, expected: int) -> None:
    """WATCHDOG_REASON; HAD_POR, HAD_RUN, HAD_PSM_RESTART in CHIP_RESET."""
    assert cause("pico", {0x40058008: reason, 0x40064008: chip}) == (expected, [])


TELLS = """MODULE Tells;
IMPORT Board, Out;
BEGIN
  Out.Int(ORD(Board.ResetCause))
END Tells.
"""


def test_start_up_of_an_avr_keeps_the_cause_if_it_is_asked_for(tmp_path: Path) -> None:
    file, uno = tmp_path / "Tells.lf", load_board("uno")
    file.write_text(TELLS)
    told = build_firmware(uno, machine_of(file, uno)).image.elf
    assert run_in_simavr(uno, told, seconds=0.1).console == b"1"  # simavr starts with a power-on reset
    file.write_text(TELLS.replace("Board, ", "").replace("ORD(Board.ResetCause)", "1"))
    assert "lf_port_reset_cause" in read_symbols(told)
    assert "lf_port_reset_cause" not in read_symbols(build_firmware(uno, machine_of(file, uno)).image.elf)


def test_the_checker_tries_every_cause(tmp_path: Path) -> None:
    file = tmp_path / "Tells.lf"
    for board in ((), ("-b", "bluepill")):
        for n in range(6):
            wrong = f"ASSERT(ORD(Board.ResetCause) # {n})"
            file.write_text(TELLS.replace(", Out", "").replace("Out.Int(ORD(Board.ResetCause))", wrong))
            left_out = board and n == BROWN_OUT  # a chip that does not record it
            assert lfc("check", file, *board, "--no-record").exit == (0 if left_out else 4), (board, n)


def test_a_board_without_it_says_so(tmp_path: Path) -> None:
    file = tmp_path / "Tells.lf"
    file.write_text(TELLS)
    done = lfc("check", file, "-b", "hifive1")
    assert done.exit == 1
    assert "`Board` knows no register of what a reset was caused by of the board hifive1" in done.err
