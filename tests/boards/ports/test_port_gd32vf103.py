"""The RISC-V port on the GD32VF103: what its parts write into registers (User Manual, chapters RCU, GPIO, USART;
Bumblebee core, chapters TIMER and ECLIC), and that it starts at the alias of the flash."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board, load_board_file
from lfc.link.link import link_image
from lfc.toolchain.elf import flash_content, read_symbols
from lfc.toolchain.failure import ImageError
from tests.boards.conftest import BuildC
from tests.boards.ports.c_programs import HALT
from tests.boards.ports.register_log import Chip, PortOnThisMachine

BOARD = load_board("longan_nano")


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> PortOnThisMachine:
    return PortOnThisMachine(BOARD, Path(tmp_path_factory.mktemp("nano")))


def clocks(registers: dict[int, int]) -> None:
    """What is on is stable, what is chosen is used."""
    control = registers.get(0x40021000, 0)
    registers[0x40021000] = control & ~0x02020002 | (control & 0x01010001) << 1
    registers[0x40021004] = registers.get(0x40021004, 0) & ~0xC | (registers.get(0x40021004, 0) & 3) << 2


def test_the_clock(port: PortOnThisMachine) -> None:
    """The crystal of 8 MHz by the PLL times 12; half of it for APB1, which goes to 54 MHz."""
    written = port.call(Chip({0x40021000: 0x83}, clocks), "lf_port_clock_start")
    assert written == [
        (0x40021000, 0x10083),  # CTL: HXTALEN
        (0x4002102C, 0),  # CFG1: PREDV0 1
        (0x40021004, 1 << 16 | 10 << 18 | 4 << 8),  # CFG0: PLLSEL, PLLMF 12, APB1PSC 2
        (0x40021000, 0x1030083),  # PLLEN
        (0x40021004, 1 << 16 | 10 << 18 | 4 << 8 | 2),  # SCS
    ]


@pytest.mark.parametrize(
    ("key", "told"),
    [("120_000_000", "2 to 14 times the crystal's"), ("112_000_000", "the chip cannot run that fast")],
)
def test_a_clock_that_it_cannot_have(tmp_path: Path, key: str, told: str) -> None:
    (tmp_path / "own.toml").write_text(f'inherits = "longan_nano"\ncpu.clock = {key}\n')
    with pytest.raises(ImageError, match=told):
        link_image(load_board_file(tmp_path / "own.toml"), [HALT])


def test_the_console(port: PortOnThisMachine) -> None:
    chip = Chip({0x40010804: 0x44444444})
    assert port.call(chip, "lf_port_console_start") == [
        (0x40021018, 1 << 2 | 1 << 14),  # APB2EN: port A, USART0
        (0x40010810, 1 << 10),  # BOP: PA10 up
        (0x40010804, 0x444448B4),  # CTL1: PA9 is its output, PA10 a pulled input
        (0x40013808, 833),  # BAUD: 96 MHz by 833 is 115,246 bits a second
        (0x4001380C, 0x202C),
    ]
    assert port.call(chip, "lf_port_receive_start") == [(0xD2001000 + 4 * 56, 0x100)]


def test_the_tick(port: PortOnThisMachine) -> None:
    """24,000 counts of the clock by 4; between two writes it never seems to have come."""
    chip = Chip({0xD1000000: 0xFFFFFF00, 0xD1000004: 7})
    written = port.call(chip, "lf_port_tick_start")
    assert [a for a, _ in written] == [0xD1000008, 0xD100000C, 0xD1000008, 0xD2001000 + 4 * 7]
    assert written[-1][1] == 0x100
    begin = chip.registers[0xD1000008] | chip.registers[0xD100000C] << 32
    assert begin - (7 << 32 | 0xFFFFFF00) == 24_000
    for _ in range(5):
        port.call(chip, "__vector_systick")
    assert (chip.registers[0xD1000008] | chip.registers[0xD100000C] << 32) - begin == 5 * 24_000


def test_it_starts_at_the_alias_of_the_flash(build_c_for: BuildC) -> None:
    """Its first instructions need not be where they were linked to, and go there."""
    elf = build_c_for(BOARD, "void lf_main(void) { lf_port_halt(); }").elf
    code = flash_content(elf, BOARD.flash.start)
    first = int.from_bytes(code[:4], "little")
    assert first & 0xFFF == 0x537  # lui a0: no address relative to the program counter
    assert first & 0xFFFFF000 == BOARD.flash.start
    assert read_symbols(elf)["unexpected_interrupt"].address % 64 == 0
