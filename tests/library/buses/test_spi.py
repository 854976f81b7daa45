"""SPI: the registers of each chip, from the manuals that test_registers.py names, and a display on a faulty bus."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.emulators.javascript import run_in_javascript
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.front_end.chip_modules import chip_modules
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.library.images import console, image_of
from tests.library.played_chip import Writes, play
from tests.naive.expressions import Faulted
from tests.naive.running import value

EXAMPLES = ROOT / "examples" / "spi"


def gone(cause: int, register: int, bits: int) -> Callable[[dict[int, int]], None]:
    """Once there is a byte to be sent, the register says that it has gone; of the FE310 it is what came itself."""

    def react(registers: dict[int, int]) -> None:
        if cause in registers:
            registers[register] = registers.get(register, 0) | bits if bits else 0xA5

    return react


TRANSFER = "SPI.Start(1000000, 3); a[0] := 5AH; SPI.Transfer(2, a, 1, e)"

# Of each chip: what is in its registers; where the byte goes, which register says then that it has gone, and with which
# bits; what is written; pin 2 selects.
Exchange = tuple[dict[int, int], tuple[int, int, int], Writes]


def f1(control: int) -> Exchange:
    return (
        {0x40010800: 0x44444444},
        (0x4001300C, 0x40013008, 1),  # DR; SR: RXNE
        [
            (0x40021018, 0x1004),  # APB2ENR: SPI1, port A
            (0x40010810, 0x40),  # BSRR: PA6 up
            (0x40010800, 0xB8B44444),  # CRL
            (0x40013000, 0),
            (0x40013000, control),  # CR1: SSM, SSI, SPE, MSTR, CPOL, CPHA
            (0x40010814, 4),  # BRR
            (0x4001300C, 0x5A),
            (0x40010810, 4),  # BSRR
        ],
    )


def f4(control: int) -> Exchange:
    return (
        {0x40020000: 0xA8000000, 0x4002000C: 0x64000000},
        (0x4001300C, 0x40013008, 1),
        [
            (0x40023830, 1),  # AHB1ENR: port A
            (0x40023844, 0x1000),  # APB2ENR: SPI1
            (0x40020020, 0x55500000),  # AFRL: AF5
            (0x4002000C, 0x64001000),  # PUPDR: PA6 up
            (0x40020000, 0xA800A800),  # MODER: alternate functions
            (0x40013000, 0),
            (0x40013000, control),
            (0x40020018, 1 << 18),  # BSRR
            (0x4001300C, 0x5A),
            (0x40020018, 4),
        ],
    )


EXCHANGES: dict[str, Exchange] = {
    "uno": (
        {},
        (0x4E, 0x4D, 0x80),  # SPDR; SPSR: SPIF
        [
            (0x25, 4),  # PORTB, DDRB: SS is high, and an output; MOSI, SCK
            (0x24, 4),
            (0x24, 0xC),
            (0x24, 0x2C),
            (0x24, 0x2C),  # MISO is pulled up
            (0x25, 0x14),
            (0x4D, 0),  # no double speed
            (0x4C, 0x5D),  # SPE, MSTR, CPOL, CPHA, by 16
            (0x22, 0),  # DDRC, PORTC: pin 2 is of port A, which the chip has not
            (0x4E, 0x5A),
            (0x22, 4),
        ],
    ),
    "mega2560": (
        {},
        (0x4E, 0x4D, 0x80),
        [
            (0x25, 1),
            (0x24, 1),
            (0x24, 5),
            (0x24, 7),
            (0x24, 7),
            (0x25, 9),
            (0x4D, 0),
            (0x4C, 0x5D),
            (0x22, 0),  # PORTA
            (0x4E, 0x5A),
            (0x22, 4),
        ],
    ),
    "microbit": (
        {},
        (0x4000451C, 0x40004108, 1),  # TXD; READY
        [
            (0x50000508, 1 << 23),  # the clock rests high
            (0x5000075C, 1),  # PIN_CNF[23], [21]: outputs; [22]: pulled up
            (0x50000754, 1),
            (0x50000758, 0xC),
            (0x40004508, 23),  # PSELSCK, PSELMOSI, PSELMISO
            (0x4000450C, 21),
            (0x40004510, 22),
            (0x40004500, 0),  # ENABLE
            (0x40004524, 0x10000000),  # FREQUENCY: M1
            (0x40004554, 6),  # CONFIG: CPHA, CPOL
            (0x40004108, 0),
            (0x40004500, 1),
            (0x5000050C, 4),
            (0x4000451C, 0x5A),
            (0x40004108, 0),
            (0x50000508, 4),
        ],
    ),
    "bluepill": f1(0x377),  # 72 MHz by 128
    "stm32vldiscovery": f1(0x367),  # 24 MHz by 32
    "netduinoplus2": f4(0x377),  # 84 MHz by 128
    "stm32f4discovery": f4(0x377),
    "nucleo_f401re": f4(0x377),
    "nucleo_f411re": f4(0x36F),  # 50 MHz by 64
    "lm3s6965evb": (
        {},
        (0x40008008, 0x4000800C, 4),  # DR; SR: RNE
        [
            (0x400FE104, 0x10),  # RCGC1: SSI0
            (0x400FE108, 1),  # RCGC2: port A
            (0x40004420, 0x34),  # AFSEL, PUR, DEN
            (0x40004510, 0x10),
            (0x4000451C, 0x34),
            (0x40008004, 0),  # CR1: off
            (0x40008000, 0x18C7),  # CR0: by 25, SPH, SPO, 8 bits
            (0x40008010, 2),  # CPSR: by 2
            (0x40008004, 2),  # SSE
            (0x40004010, 0),  # DATA, by address
            (0x40008008, 0x5A),
            (0x40004010, 0xFF),
        ],
    ),
    "pico": (
        {0x4000C008: 0x1FFFFFF},
        (0x4003C008, 0x4003C00C, 4),
        [
            (0x4000F000, 0x10120),  # RESETS, clear: SPI0, PADS_BANK0, IO_BANK0
            (0x4001C044, 0x5A),  # GPIO16: pulled up; 18, 19
            (0x4001C04C, 0x52),
            (0x4001C050, 0x52),
            (0x40014084, 1),  # CTRL: SPI
            (0x40014094, 1),
            (0x4001409C, 1),
            (0x4003C004, 0),
            (0x4003C000, 0x3EC7),  # 125 MHz by 2 and 63
            (0x4003C010, 2),
            (0x4003C004, 2),
            (0xD0000018, 4),
            (0x4003C008, 0x5A),
            (0xD0000014, 4),
        ],
    ),
    "pico2": (
        {0x40020008: 0x1FFFFFFF},
        (0x40080008, 0x4008000C, 4),
        [
            (0x40023000, 0x40240),  # RESETS, clear: SPI0, PADS_BANK0, IO_BANK0
            (0x40038044, 0x5A),  # GPIO16: pulled up; 18, 19
            (0x4003804C, 0x52),
            (0x40038050, 0x52),
            (0x40028084, 1),  # CTRL: SPI
            (0x40028094, 1),
            (0x4002809C, 1),
            (0x40080004, 0),
            (0x40080000, 0x4AC7),  # 150 MHz by 2 and 75
            (0x40080010, 2),
            (0x40080004, 2),
            (0xD0000020, 4),
            (0x40080008, 0x5A),
            (0xD0000018, 4),
        ],
    ),
    "hifive1": (
        {0x1002404C: 1 << 31},  # rxdata: empty
        (0x10024048, 0x1002404C, 0),
        [
            (0x10012010, 0x10),  # pue: 4
            (0x1001203C, 0),  # iof_sel, iof_en: 3, 4, 5
            (0x10012038, 0x38),
            (0x10024018, 3),  # csmode: off
            (0x10024040, 0x80000),  # fmt: 8 bits
            (0x10024000, 7),  # sckdiv: 16 MHz by 16
            (0x10024004, 3),  # sckmode
            (0x1001200C, 0),
            (0x10024048, 0x5A),
            (0x1001200C, 4),
        ],
    ),
    "longan_nano": (
        {0x40010800: 0x44444444},
        (0x4001300C, 0x40013008, 1),
        [
            (0x40021018, 0x1004),  # APB2EN: SPI0, port A
            (0x40010810, 0x40),  # BOP: PA6 up
            (0x40010800, 0xB8B44444),  # CTL0 of A
            (0x40013000, 0),
            (0x40013000, 0x377),  # 96 MHz by 128
            (0x40010814, 4),  # BC of port A
            (0x4001300C, 0x5A),
            (0x40010810, 4),
        ],
    ),
    "ch32v003evt": (
        {0x40011000: 0x44444444},
        (0x4001300C, 0x40013008, 1),
        [
            (0x40021018, 0x1010),  # APB2PCENR: SPI1, port C
            (0x40011010, 0x80),  # BSHR: PC7 up
            (0x40011000, 0x8BB44444),  # CFGLR
            (0x40013000, 0),
            (0x40013000, 0x36F),  # 48 MHz by 64
            (0x40010814, 4),  # BCR of port A
            (0x4001300C, 0x5A),
            (0x40010810, 4),
        ],
    ),
}


def test_every_chip_has_its_table() -> None:
    """But for those for which there is no driver yet."""
    boards = {n: chip_modules(load_board(n)) for n in board_names()}
    chips = {load_board(n).cpu.chip for n, modules in boards.items() if "ChipSPI" not in modules.lacking}
    assert (
        {load_board(n).cpu.chip for n in EXCHANGES}
        == chips
        == {c for c in CHIPS if not c.startswith(("nrf52", "esp32", "stm32g0", "stm32l4", "samd21", "attiny"))}
    )


def test_a_board_without_a_driver_says_so(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text("MODULE T; IMPORT SPI; BEGIN SPI.Start(1000000, 0) END T.")
    done = lfc("check", "T.lf", "-b", "microbit2", "--no-record", cwd=tmp_path)
    assert "`SPI` knows no SPI bus of the board microbit2" in done.err + done.out


@pytest.mark.parametrize("name", EXCHANGES)
def test_a_byte_is_exchanged(name: str) -> None:
    after_reset, (cause, register, bits), expected = EXCHANGES[name]
    variables = "a : ARRAY 1 OF UINT8; e : SPI.Error"
    state, chip = play(name, "SPI", TRANSFER, after_reset, gone(cause, register, bits), variables)
    assert value(state, "e") == 0
    assert chip.written == expected


def test_what_came_is_given() -> None:
    """Of the FE310 that is the register with the flag, of an ATmega the one that was written."""
    variables = "a : ARRAY 1 OF UINT8; b : UINT8; e : SPI.Error"
    for name, came in (("hifive1", 0xA5), ("uno", 0x5A)):
        after_reset, place, _ = EXCHANGES[name]
        state, _ = play(name, "SPI", TRANSFER + "; b := a[0]", after_reset, gone(*place), variables)
        assert value(state, "b") == came


def test_another_master_is_seen() -> None:
    """The chip has taken MSTR back: an error, and the next transfer sets it again."""

    def react(registers: dict[int, int]) -> None:
        if 0x4E in registers:
            registers[0x4D], registers[0x4C] = 0x80, 0x4D

    state, chip = play(
        "uno", "SPI", f"{TRANSFER}; SPI.Transfer(2, a, 1, e)", {}, react, "a : ARRAY 1 OF UINT8; e : SPI.Error"
    )
    assert value(state, "e") == 1 and chip.written.count((0x4C, 0x5D)) == 2


def test_a_controller_that_hangs_is_given_up() -> None:
    state, _ = play("uno", "SPI", TRANSFER, {}, None, "a : ARRAY 1 OF UINT8; e : SPI.Error", steps=400)
    assert value(state, "e") == 2


@pytest.mark.parametrize(
    ("board", "rates"),
    [
        ("uno", {8000000: (0x50, 1), 4000000: (0x50, 0), 2000000: (0x51, 1), 500000: (0x52, 1), 125000: (0x53, 0)}),
        ("mega2560", {3999999: (0x51, 1), 250000: (0x52, 0)}),
    ],
)
def test_rates_of_the_atmega(board: str, rates: dict[int, tuple[int, int]]) -> None:
    """SPCR and SPSR, as the table of SPR1, SPR0 and SPI2X in the data sheet has them."""
    for hertz, (control, double) in rates.items():
        after_reset, place, _ = EXCHANGES[board]
        text = TRANSFER.replace("1000000, 3", f"{hertz}, 0")
        _, chip = play(board, "SPI", text, after_reset, gone(*place), "a : ARRAY 1 OF UINT8; e : SPI.Error")
        assert dict(chip.written)[0x4C] == control and dict(chip.written)[0x4D] == double


def test_a_rate_below_what_the_chip_has_is_a_fault() -> None:
    with pytest.raises(Faulted):
        play("uno", "SPI", "SPI.Start(124999, 0)")


@pytest.mark.parametrize(
    ("board", "milliseconds", "digits"),
    [
        ("uno", 200, "7e000000"),
        ("uno", 800, "33796d30"),
        ("uno", 1300, "5f5b0100"),
        ("uno", 1800, "01010101"),
        ("mega2560", 1300, "5f5b0100"),
    ],
)
def test_a_display_in_simavr(board: str, milliseconds: int, digits: str) -> None:
    """From the rightmost on; test off, eight digits, lit."""
    elf = image_of(board, (EXAMPLES / "Counter.lf").read_text())
    done = run_in_simavr(load_board(board), elf, seconds=milliseconds / 1000, parts=["display:B:2"])
    assert done.parts[0].hex() == "00" + digits + "00000000" + "00" + "0707010000" + "00"


def test_the_display_gives_what_it_had_before() -> None:
    """What comes back are the bytes of the transfer before, and 1 stands for them."""
    text = """
MODULE T;
IMPORT GPIO, Out, SPI;
VAR a : ARRAY 2 OF UINT8; e : SPI.Error;
BEGIN
  SPI.Start(1000000, 0); SPI.Connect(GPIO.B + 2);
  a[0] := 12H; a[1] := 34H; SPI.Transfer(GPIO.B + 2, a, 2, e);
  a[0] := 0; a[1] := 0; SPI.Transfer(GPIO.B + 2, a, 2, e);
  Out.Int(INTEGER(a[0])); Out.Char(' '); Out.Int(INTEGER(a[1])); Out.Char(' '); Out.Int(ORD(e)); Out.Ln
END T.
"""
    done = run_in_simavr(load_board("uno"), image_of("uno", text), seconds=0.1, parts=["display:B:2"])
    assert done.console == b"18 52 0\r\n" or done.console == b"18 52 0\n"


THREE_BYTES = """
MODULE T;
IMPORT Out, SPI;
VAR a : ARRAY 3 OF UINT8; e : SPI.Error; i : INTEGER;
BEGIN
  SPI.Start(1000000, 3); SPI.Connect(2);
  FOR i := 0 TO 2 DO
    a[0] := 5AH;
    SPI.Transfer(2, a, 3, e);
    Out.Int(INTEGER(a[0])); Out.Char(' '); Out.Int(ORD(e)); Out.Ln
  END;
  ASSERT(FALSE)
END T.
"""


@pytest.mark.parametrize(
    ("board", "line"),
    [("lm3s6965evb", "0 0"), ("netduinoplus2", "0 0"), ("hifive1", "0 0"), ("microbit", "90 2")],
)
def test_transfers_end_in_qemu(board: str, line: str) -> None:
    """Nobody answers there, with zeros; the micro:bit has no SPI in QEMU: a time-out, again and again."""
    done = run_in_qemu(load_board(board), image_of(board, THREE_BYTES), seconds=20)
    assert console(done).partition("\n!fault")[0].splitlines() == [line] * 3


def test_transfers_end_in_rp2040js() -> None:
    done = run_in_javascript(load_board("pico"), image_of("pico", THREE_BYTES), "rp2040js", seconds=0.5)
    assert console(done).partition("\n!fault")[0].splitlines() == ["0 0"] * 3


MODE = """
MODULE T;
IMPORT SPI;
VAR a : ARRAY 2 OF UINT8; e : SPI.Error;
BEGIN
  SPI.Start(1000000, 2); SPI.Connect(5); SPI.Connect(6);
  a[0] := 1; SPI.Transfer(5, a, 2, e);
  ASSERT((e = SPI.none) & (a[0] = 0FFH) & (a[1] = 41));
  a[0] := 1; SPI.Transfer(6, a, 2, e);
  ASSERT((e = SPI.none) & (a[0] = 0FFH) & (a[1] = 42))
END T.
"""
WORLD = """
ENVIRONMENT MODULE World;
IMPORT EnvSPI;
VAR device, other : UINT8;
PROCESS Device(number, answer : UINT8) SERVER;
VAR value, mode : UINT8; first : BOOLEAN;
BEGIN
  LOOP
    EnvSPI.Next(number, value, first);
    EnvSPI.GetMode(mode);
    ASSERT((mode = 2) & (first = (value = 1)));
    EnvSPI.Give(number, answer)
  END
END Device;
BEGIN
  EnvSPI.Join(5, device); CREATE Device(device, 41);
  EnvSPI.Join(6, other); CREATE Device(other, 42)
END World.
"""


@pytest.mark.parametrize("board", ["host", "uno", "mega2560"])
def test_two_devices(board: str, tmp_path: Path) -> None:
    """Each gives what it has said before the byte; the first byte of a transfer is known as such."""
    b = "" if board == "host" else "16 + "
    for name, text in (("T", MODE), ("World", WORLD)):
        for pin in "56":
            text = text.replace(f"({pin}", f"({b}{pin}")
        (tmp_path / f"{name}.lf").write_text(text)
    on = [] if board == "host" else ["-b", board, "--no-record"]
    done = lfc("check", "T.lf", "--env", "World.lf", *on, cwd=tmp_path)
    assert done.exit == 0, done.out + done.err


def test_two_at_once_are_an_error(tmp_path: Path) -> None:
    (tmp_path / "T.lf").write_text(
        MODE.replace("IMPORT SPI", "IMPORT GPIO, SPI").replace(
            "a[0] := 1; SPI.Transfer(5", "GPIO.Set(6, FALSE); a[0] := 1; SPI.Transfer(5"
        )
    )
    (tmp_path / "World.lf").write_text(WORLD)
    done = lfc("check", "T.lf", "--env", "World.lf", cwd=tmp_path)
    assert done.exit == 4 and "EnvSPI.lf" in done.out.splitlines()[0], done.out
