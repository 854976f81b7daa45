"""The modules of the library that stand for a board: those of its chip, and one that is made of its description."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lfc.semantics.modules import CHIPS as FOLDER
from lfc.semantics.modules import HOST, BoardFacts, ChipModules

if TYPE_CHECKING:
    from lfc.boards.descriptions.board import Board

MODULE = "ThisBoard"
NO_UART = 255  # has the console: it is over USB, or there is none
DRIVERS = (  # not of every chip
    ("ChipAnalog", "ADC", "converter of voltages"),
    ("ChipI2C", "I2C", "two-wire bus"),
    ("ChipSPI", "SPI", "SPI bus"),
    ("ChipBitStream", "WS2812", "SPI bus that can make the pulses of lights"),
    ("ChipPWM", "PWM", "timers that drive pins"),
    ("ChipEEPROM", "EEPROM", "memory that is kept without power"),
    ("ChipMicros", "Micros", "timer that is finer than a millisecond"),
    ("ChipReset", "Board", "register of what a reset was caused by"),
    ("ChipEdge", "Edge", "pins that interrupt"),
    ("ChipOneWire", "OneWire", "bus of one wire"),
    ("ChipServo", "Servo", "timers for servos"),
    ("ChipPower", "Power", "way to sleep deeply"),
    ("ChipFlash", "Flash", "pages of flash for words that are kept without power"),
    ("ChipSerial", "UART", "serial line"),
)
MODELS = (  # of what a chip has outside of it, likewise
    ("EnvPins", "EnvGPIO", "pins"),
    ("EnvAnalog", "EnvADC", "voltages"),
    ("EnvChipI2C", "EnvI2C", "two-wire bus"),
    ("EnvChipSPI", "EnvSPI", "SPI bus"),
    ("EnvChipPWM", "EnvPWM", "timers that drive pins"),
    ("EnvChipEEPROM", "EnvEEPROM", "memory that is kept without power"),
    ("EnvChipSerial", "EnvUART", "serial line"),
    ("EnvChipMicros", "EnvMicros", "timer of microseconds"),
    ("EnvChipEdge", "EnvEdge", "pins that interrupt"),
    ("EnvChipOneWire", "EnvOneWire", "bus of one wire"),
    ("EnvChipServo", "EnvServo", "timers for servos"),
    ("EnvChipFlash", "EnvFlash", "pages of flash"),
)

CORE = (0xE0000000, 0xE00FFFFF)  # of a Cortex-M: its own timer, its interrupts
BIT_BANDS = (0x22000000, 0x23FFFFFF), (0x42000000, 0x43FFFFFF)
# Where the memory maps of the manuals have devices, by the beginning of the chip's name. On an AVR memory follows.
REGISTERS: dict[str, tuple[tuple[int, int], ...]] = {
    "atmega328p": ((0x20, 0xFF),),
    "atmega2560": ((0x20, 0x1FF),),
    "attiny85": ((0x20, 0x5F),),
    "nrf5": (
        (0x10000000, 0x10001FFF),
        (0x40000000, 0x4001FFFF),
        (0x50000000, 0x5FFFFFFF),
        CORE,
        (0xF0000000, 0xF0000FFF),
    ),
    "stm32": ((0x1FFF0000, 0x1FFFFFFF), (0x40000000, 0x4007FFFF), *BIT_BANDS, (0x50000000, 0xDFFFFFFF), CORE),
    "lm3s": ((0x40000000, 0x400FFFFF), *BIT_BANDS, CORE),
    "samd21": ((0x00800000, 0x0080FFFF), (0x40000000, 0x42FFFFFF), (0x60000000, 0x600001FF), CORE),
    "rp2040": (
        (0x10000000, 0x1FFFFFFF),
        (0x40000000, 0x4007FFFF),
        (0x50000000, 0x504FFFFF),
        (0xD0000000, 0xD0000FFF),
        CORE,
    ),
    "rp2350": (
        (0x10000000, 0x1FFFFFFF),
        (0x40000000, 0x4015FFFF),
        (0x50000000, 0x507FFFFF),
        (0xD0000000, 0xD003FFFF),
        CORE,
    ),
    "ch32v003": ((0x1FFFF700, 0x1FFFF7FF), (0x40000000, 0x40023FFF), (0xE000E000, 0xE000FFFF)),
    "esp32c3": ((0x60000000, 0x600D0FFF),),
    "gd32vf103": (
        (0x1FFFF000, 0x1FFFFFFF),
        (0x40000000, 0x5003FFFF),
        (0xD1000000, 0xD200FFFF),
        (0xE0042000, 0xE00423FF),
    ),
    "esp32c6": ((0x20000000, 0x20001FFF), (0x60000000, 0x600D0FFF)),
    "fe310": ((0x02000000, 0x0200FFFF), (0x0C000000, 0x0FFFFFFF), (0x10000000, 0x10042FFF)),
}


def chip_modules(board: Board | None) -> ChipModules:
    """None: this machine."""
    if board is None:
        return HOST
    from lfc.boards.descriptions.chips import CHIPS
    from lfc.boards.descriptions.kept_pages import FOLDERS, kept_pages

    chip = CHIPS[board.cpu.chip]
    has_pages = kept_pages(board) is not None
    folders = tuple(FOLDER / name for name in chip.modules if has_pages or name not in FOLDERS)
    lacking = {
        driver: f"`{module}` knows no {what} of the board {board.name}"
        for driver, module, what in DRIVERS
        if not any((folder / f"{driver}.lf").is_file() for folder in folders)
    }
    lacking |= {
        part: f"`{module}` has no model of the {what} of the board {board.name}: without -b it models this machine's"
        for part, module, what in MODELS
        if not any((folder / f"{part}.lf").is_file() for folder in folders)
    }
    return ChipModules(folders, {f"{MODULE}.lf": board_module(board)}, facts_of(board), lacking)


def facts_of(board: Board) -> BoardFacts:
    from lfc.boards.descriptions.chips import CHIPS
    from lfc.boards.descriptions.pins import BITS, LETTERS

    name, chip = board.cpu.chip, CHIPS[board.cpu.chip]
    registers = REGISTERS[next(family for family in REGISTERS if name.startswith(family))]
    if not chip.ports:
        told = f"0 to {chip.pins - 1}"
        return BoardFacts(board.name, name, frozenset(range(chip.pins)), told, registers)
    numbers = {LETTERS.index(port) * BITS + bit for port in chip.ports for bit in range(chip.pins)}
    ports = [f"`GPIO.{port}`" for port in chip.ports]
    told = f"{' and '.join(filter(None, (', '.join(ports[:-1]), ports[-1])))} + 0 to {chip.pins - 1}"
    return BoardFacts(board.name, name, frozenset(numbers), told, registers)


def board_module(board: Board) -> str:
    """What the drivers know of the board, as constants."""
    from lfc.boards.descriptions.chips import CHIPS, NONE, USB
    from lfc.boards.descriptions.kept_pages import PAGES, kept_pages
    from lfc.boards.descriptions.pins import last_pin

    chip, pins, kept = CHIPS[board.cpu.chip], board.pins, kept_pages(board)
    constants = {
        "CLOCK": board.cpu.clock,
        "CONSOLE": NO_UART if board.console.uart in (USB, NONE) else int(board.console.uart[-1]),
        "LED": pins.led,
        "LED_LOW": pins.led_low,
        "HAS_LED_RETURN": pins.led_return is not None,
        "LED_RETURN": pins.led_return or 0,
        "BUTTON": pins.button,
        "BUTTON_LOW": pins.button_low,
        "LAST_PIN": last_pin(chip),
        "LAST_CHANNEL": max(0, chip.channels - 1),
        **dict(pins.names),
    }
    if kept is not None:
        constants |= {"KEPT_FROM": kept.start, "KEPT_PAGES": PAGES, "KEPT_BYTES": kept.page}
    lines = [f"  {name}* = {str(value).upper()};" for name, value in constants.items()]
    return "\n".join(
        [f"(* Made of the description of {board.name}. *)", f"MODULE {MODULE};", "CONST", *lines, f"END {MODULE}.", ""]
    )
