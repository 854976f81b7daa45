"""Facts of chips and boards, from the makers' manuals, against the descriptions; and pins by their printed names."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import BoardError, board_names, load_board, load_board_file
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.descriptions.interrupts import INTERRUPTS
from lfc.boards.descriptions.pins import BITS, LETTERS
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import REGISTERS, chip_modules
from lfc.front_end.load import check_source
from lfc.isa.riscv.memory_map import CONTROLLERS, CORES, DEVICES, UARTS, A, M
from lfc.link.port import runtime_folder

HIFIVE, REV_B = load_board("hifive1"), load_board("hifive1b")
# What the manual says, where, and what is stated here. FE310-G000 manual (SiFive), by the titles of its chapters;
# HiFive1 and HiFive1 Rev B getting started guides, by theirs.
FE310 = [
    ("Memory Map: CLINT at 0200_0000, mtimecmp at +4000", CONTROLLERS["fe310"].timer[0][0], 0x0200_4000),
    ("Memory Map: CLINT, mtime at +BFF8, 8 bytes", CONTROLLERS["fe310"].timer[1], (0x0200_BFF8, 8)),
    ("Memory Map: PLIC at 0C00_0000, priorities first", CONTROLLERS["fe310"].lines[0][0], 0x0C00_0000),
    ("PLIC: enabled lines of hart 0 at +2000", CONTROLLERS["fe310"].lines[1][0], 0x0C00_2000),
    ("PLIC: threshold at +20_0000, claim behind it", CONTROLLERS["fe310"].lines[2][0], 0x0C20_0000),
    ("PLIC: sources 1 to 52", INTERRUPTS["fe310"], range(1, 53)),
    ("Memory Map: always-on domain at 1000_0000", DEVICES["fe310"][0][0], 0x1000_0000),
    ("Memory Map: PRCI at 1000_8000", DEVICES["fe310"][1][0], 0x1000_8000),
    ("Memory Map: UART0 at 1001_3000", UARTS["fe310"]["UART0"][0], 0x1001_3000),
    ("Memory Map: UART1 at 1002_3000", UARTS["fe310"]["UART1"][0], 0x1002_3000),
    ("UART: txdata at +0, which also says that it is full, by bit 31", UARTS["fe310"]["UART0"][1].busy, 1 << 31),
    ("Memory Map: data tightly integrated memory at 8000_0000", HIFIVE.ram.start, 0x8000_0000),
    ("Memory Map: of 16 KB", HIFIVE.ram.size, 16 * 1024),
    ("GPIO: 32 pins", CHIPS["fe310"].pins, 32),
    ("E31 Core: RV32IMAC", CORES["fe310"], M | A),
    ("no converter", CHIPS["fe310"].channels, 0),
    ("HiFive1, Board Setup: the crystal of 16 MHz", HIFIVE.cpu.crystal, 16_000_000),
    ("HiFive1, Boot and Run: user code at 2040_0000", HIFIVE.flash.start, 0x2040_0000),
    (
        "HiFive1, Hardware: 128 Mbit of flash, which begin at 2000_0000",
        HIFIVE.flash.start + HIFIVE.flash.size,
        0x2100_0000,
    ),
    ("HiFive1 Rev B, Boot and Run: user code at 2001_0000", REV_B.flash.start, 0x2001_0000),
    ("HiFive1 Rev B, Hardware: 32 Mbit of flash", REV_B.flash.start + REV_B.flash.size, 0x2040_0000),
    ("HiFive1, Hardware: lights on 19, 21, 22, on when low", (HIFIVE.pins.led, HIFIVE.pins.led_low), (22, True)),
]


@pytest.mark.parametrize(("fact", "stated", "right"), FE310, ids=[f[0] for f in FE310])
def test_fe310(fact: str, stated: object, right: object) -> None:
    assert stated == right, fact


def test_the_port_has_the_same_addresses() -> None:
    header = (runtime_folder() / "ports" / "riscv" / "chips" / "fe310.h").read_text()
    for name, address in (
        ("LF_PLIC_AT", CONTROLLERS["fe310"].lines[0][0]),
        ("LF_MTIMECMP_AT", CONTROLLERS["fe310"].timer[0][0]),
        ("LF_MTIME_AT", CONTROLLERS["fe310"].timer[1][0]),
        ("LF_UART_AT", UARTS["fe310"]["UART0"][0]),
        ("LF_LINES", INTERRUPTS["fe310"].stop),
    ):
        written = [int(line.split()[2], 0) for line in header.splitlines() if line.startswith(f"#define {name} ")]
        assert address in written, name
    places = [*DEVICES["fe310"], *CONTROLLERS["fe310"].lines, *CONTROLLERS["fe310"].timer]
    assert all(any(low <= at and at + size - 1 <= high for low, high in REGISTERS["fe310"]) for at, size in places)


# Some of what is printed on each board, from the makers' drawings of their pins.
PRINTED = {
    "uno": {"D0": "PD0", "D2": "PD2", "D7": "PD7", "D8": "PB0", "D13": "PB5", "A0": "PC0", "A5": "PC5"},
    "nano": {"D2": "PD2", "D13": "PB5", "A0": "PC0"},
    "mega2560": {
        **{"D0": "PE0", "D2": "PE4", "D4": "PG5", "D13": "PB7", "D14": "PJ1", "D21": "PD0", "D22": "PA0"},
        **{"D37": "PC0", "D38": "PD7", "D42": "PL7", "D53": "PB0", "A0": "PF0", "A8": "PK0", "A15": "PK7"},
    },
    "attiny85": {"PB0": "PB0", "PB5": "PB5"},
    "hifive1": {"D0": "16", "D2": "18", "D7": "23", "D8": "0", "D13": "5", "D15": "9", "D19": "13"},
    "microbit": {"P0": "3", "P5": "17", "P16": "16", "P20": "30"},
    "microbit2": {"P0": "2", "P5": "14", "P16": "34", "P20": "32"},
    "nrf52840dk": {"D0": "33", "D13": "47", "A0": "3"},
    "bluepill": {"A0": "PA0", "B12": "PB12", "C13": "PC13"},
    "blackpill": {"A0": "PA0", "B10": "PB10", "C13": "PC13"},
    "netduinoplus2": {"D0": "PC7", "D8": "PA0", "D13": "PB13", "A5": "PC5"},
    "stm32f4discovery": {"PD12": "PD12", "PE15": "PE15"},
    "stm32vldiscovery": {"PC9": "PC9", "PD2": "PD2"},
    "lm3s6965evb": {"PF0": "PF0", "PG1": "PG1"},
    "ch32v003evt": {"PD0": "PD0", "PC7": "PC7"},
    "nucleo_g071rb": {"D0": "PC5", "D13": "PA5", "A3": "PB1", "A5": "PB12"},
    "nucleo_l476rg": {"D0": "PA3", "D13": "PA5", "A3": "PB0"},
    "zero": {"D0": "11", "D13": "17", "A1": "40", "A5": "34"},
    "pico2": {"GP0": "0", "GP28": "28"},
    "pico": {"GP0": "0", "GP22": "22", "GP26": "26", "GP28": "28"},
}


@pytest.mark.parametrize("name", PRINTED)
def test_pins_by_their_printed_names(name: str) -> None:
    board, numbers = load_board(name), dict(load_board(name).pins.names)
    for printed, pin in PRINTED[name].items():
        number = int(pin) if pin.isdigit() else LETTERS.index(pin[1]) * BITS + int(pin[2:])
        assert numbers[printed] == number
        text = f"MODULE P; IMPORT GPIO, ThisBoard; BEGIN GPIO.Set(ThisBoard.{printed}, TRUE) END P."
        diagnostics = Diagnostics()
        assert check_source(Source("P.lf", text), diagnostics, chip=chip_modules(board)) is not None
        assert not diagnostics.has_errors
    assert len({*numbers.values()}) == len(numbers)  # no pin has two names


def test_every_board_has_names_of_its_pins() -> None:
    assert [name for name in board_names() if not load_board(name).pins.names] == []


def test_every_name_is_of_a_pin_that_the_board_may_use() -> None:
    for name in board_names():
        chip = chip_modules(load_board(name))
        assert chip.board is not None
        assert {number for _, number in load_board(name).pins.names} <= chip.board.pins


@pytest.mark.parametrize(
    ("key", "told"),
    [
        ('pins.names.D13 = "PB9"', "pins.names.D13.*`PB9` is not a pin of the chip"),
        ('pins.names.LED = "PB1"', "pins.names.LED.*cannot be the name of a pin.*such as D13; not CLOCK"),
        ('pins.names."D 1" = "PB1"', "pins.names.D 1.*cannot be the name of a pin"),
        ("pins.names.D1 = 7", "pins.names.D1.*must be a string"),
    ],
)
def test_wrong_names(tmp_path: Path, key: str, told: str) -> None:
    (tmp_path / "own.toml").write_text(f'inherits = "uno"\n{key}\n')
    with pytest.raises(BoardError, match=told):
        load_board_file(tmp_path / "own.toml")
