"""Which registers the library's drivers write on each chip, and what: against tables from the data sheets.

Every address and bit was compared with the makers' headers, which follow these manuals: iom328p.h and iom2560.h of AVR
Libc (ATmega328P data sheet, section Register Summary; ATmega2560, the same); nrf51.h and nrf51_bitfields.h (nRF51
reference manual, chapters GPIO, ADC, UART); stm32f100xb.h and stm32f103xb.h (RM0041, RM0008: register maps of RCC,
GPIO, ADC, USART); stm32f405xx.h (RM0090, the same); lm3s6965.h (LM3S6965 data sheet, chapters System Control, GPIO,
ADC, UART); the RP2040's hardware_regs (RP2040 data sheet, chapters SIO, Resets, Clocks, GPIO, UART,
ADC); FE310-G000 manual, chapters GPIO and UART.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.chips import CHIPS, NONE
from lfc.diagnostics.model import Diagnostics
from lfc.front_end.chip_modules import chip_modules
from lfc.semantics.analyse import analyse
from tests.library.played_chip import PlayedChip, Writes, play
from tests.naive.expressions import Faulted
from tests.naive.running import value

CONFIGURE = "GPIO.Configure(GPIO.LED, GPIO.output); GPIO.Configure(GPIO.BUTTON, GPIO.pulledUp)"

OUTPUT_AND_INPUT: dict[str, tuple[dict[int, int], Writes]] = {
    "ch32v003evt": (
        {0x40021018: 0x4000, 0x40011400: 0x48944444, 0x40011000: 0x44444444},
        [
            (0x40021018, 0x4020),  # APB2PCENR: port D
            (0x40011400, 0x48944442),  # CFGLR: PD0 is an output
            (0x40021018, 0x4030),  # port C
            (0x40011000, 0x44444448),  # PC0 is pulled,
            (0x40011010, 1),  # up
        ],
    ),
    "hifive1": (
        {0x10012038: 0x470000, 0x10012010: 1 << 18, 0x10012004: 1},
        [
            (0x10012038, 0x070000),  # iof_en: pin 22 is no device's
            (0x10012004, 1 << 22 | 1),  # input_en: input_val has the level of an output only with it
            (0x10012008, 1 << 22),  # output_en
            (0x10012038, 0x030000),  # pin 18
            (0x10012008, 1 << 22),
            (0x10012010, 0),  # pue
            (0x10012004, 1 << 22 | 1 << 18 | 1),  # input_en
            (0x10012010, 1 << 18),
        ],
    ),
    "longan_nano": (
        {0x40021018: 0x4004, 0x40011004: 0x44444444, 0x40010C00: 0x44444444},
        [
            (0x40021018, 0x4014),  # APB2EN: port C
            (0x40011004, 0x44244444),  # CTL1 of C: PC13 is an output to 2 MHz
            (0x40021018, 0x401C),  # port B
            (0x40010C00, 0x44444448),  # CTL0 of B: PB0 is pulled,
            (0x40010C10, 1),  # up
        ],
    ),
    "esp32c3": (
        {},
        [
            (0x60004570, 0x80),  # FUNC7_OUT_SEL_CFG: by the program
            (0x60009020, 0x1A00),  # IO_MUX GPIO7: function 1, drive 2, input enabled
            (0x60004024, 1 << 7),  # ENABLE_W1TS
            (0x60004028, 1 << 9),  # ENABLE_W1TC
            (0x60009028, 0x1B00),  # GPIO9: and pulled up
        ],
    ),
    "esp32c6": (
        {},
        [
            (0x60091570, 0x80),
            (0x60090020, 0x1A00),
            (0x60091024, 1 << 7),
            (0x60091028, 1 << 9),
            (0x60090028, 0x1B00),
        ],
    ),
    "uno": ({0x24: 1, 0x2A: 4}, [(0x24, 0x21), (0x2A, 0), (0x2B, 4)]),  # DDRB; DDRD, PORTD
    "attiny85": ({0x37: 5}, [(0x37, 7), (0x37, 3), (0x38, 4)]),  # DDRB, PORTB
    "mega2560": ({0x24: 1, 0x2D: 0x10}, [(0x24, 0x81), (0x2D, 0), (0x2E, 0x10)]),  # DDRB; DDRE, PORTE
    "microbit": (
        {},
        [(0x50000734, 1), (0x50000710, 1), (0x50000744, 0xC)],  # PIN_CNF[13], [4]: output; [17]: input, pulled up
    ),
    "microbit2": (
        {},
        [(0x50000754, 1), (0x50000770, 1), (0x50000738, 0xC)],  # PIN_CNF[21], [28]; [14]
    ),
    "nrf52840dk": ({}, [(0x50000734, 1), (0x5000072C, 0xC)]),  # PIN_CNF[13]; [11]
    "bluepill": (
        {0x40021018: 0x4004, 0x40011004: 0x44444444, 0x40010C04: 0x44444444},
        [
            (0x40021018, 0x4014),  # APB2ENR: port C
            (0x40011004, 0x44244444),  # CRH of C: PC13 is an output to 2 MHz
            (0x40021018, 0x401C),  # port B
            (0x40010C04, 0x44484444),  # CRH of B: PB12 is pulled,
            (0x40010C10, 0x1000),  # up
        ],
    ),
    "stm32vldiscovery": (
        {0x40011004: 0x44444444, 0x40010800: 0x44444444},
        [
            (0x40021018, 0x10),
            (0x40011004, 0x44444424),  # PC9
            (0x40021018, 0x14),  # port A
            (0x40010800, 0x44444448),  # CRL: PA0
            (0x40010810, 1),
        ],
    ),
    "netduinoplus2": (
        {0x40020000: 0xA8000000, 0x4002000C: 0x64000000},
        [
            (0x40023830, 1),  # AHB1ENR: port A
            (0x4002000C, 0x64000000),  # PUPDR: PA10 not pulled
            (0x40020000, 0xA8100000),  # MODER: PA10 is an output
            (0x40023830, 3),  # port B
            (0x4002040C, 0x400000),  # PB11 up
            (0x40020400, 0),  # input
        ],
    ),
    "nucleo_f401re": (
        {0x40020000: 0xA8000000, 0x4002000C: 0x64000000},
        [
            (0x40023830, 1),
            (0x4002000C, 0x64000000),  # PA5 not pulled
            (0x40020000, 0xA8000400),  # and an output
            (0x40023830, 5),  # port C
            (0x4002080C, 0x4000000),  # PC13 up
            (0x40020800, 0),
        ],
    ),
    "blackpill": (
        {0x40020000: 0xA8000000, 0x4002000C: 0x64000000},
        [
            (0x40023830, 4),
            (0x4002080C, 0),
            (0x40020800, 0x4000000),  # PC13
            (0x40023830, 5),
            (0x4002000C, 0x64000001),  # PA0 up
            (0x40020000, 0xA8000000),
        ],
    ),
    "stm32f4discovery": (
        {0x40020000: 0xA8000000, 0x4002000C: 0x64000000},
        [
            (0x40023830, 8),
            (0x40020C0C, 0),
            (0x40020C00, 0x1000000),  # PD12
            (0x40023830, 9),
            (0x4002000C, 0x64000001),  # PA0 up
            (0x40020000, 0xA8000000),
        ],
    ),
    "lm3s6965evb": (
        {},
        [
            (0x400FE108, 0x20),  # RCGC2: port F
            (0x40025400, 1),  # DIR: PF0 is an output
            (0x40025510, 0),  # PUR
            (0x40025420, 0),  # AFSEL
            (0x4002551C, 1),  # DEN
            (0x400FE108, 0x20),
            (0x40025400, 1),  # PF1 is an input,
            (0x40025510, 2),  # pulled up
            (0x40025420, 0),
            (0x4002551C, 3),
        ],
    ),
    "pico": (
        {0x4000C008: 0x120},
        [
            (0x4000F000, 0x120),  # RESETS, clear: IO_BANK0, PADS_BANK0
            (0x4001C068, 0x52),  # PADS_BANK0 GPIO25: 4 mA, input enabled, Schmitt trigger
            (0x400140CC, 5),  # GPIO25_CTRL: SIO
            (0xD0000024, 1 << 25),  # GPIO_OE_SET
            (0x4000F000, 0x120),
            (0x4001C040, 0x5A),  # GPIO15: and pulled up
            (0x4001407C, 5),
            (0xD0000028, 1 << 15),  # GPIO_OE_CLR
        ],
    ),
    "pico2": (
        {0x40020008: 0x240},
        [
            (0x40023000, 0x240),  # RESETS, clear: IO_BANK0, PADS_BANK0
            (0x40038068, 0x52),  # PADS_BANK0 GPIO25: the same, and not isolated
            (0x400280CC, 5),
            (0xD0000038, 1 << 25),  # GPIO_OE_SET
            (0x40023000, 0x240),
            (0x40038040, 0x5A),
            (0x4002807C, 5),
            (0xD0000040, 1 << 15),  # GPIO_OE_CLR
        ],
    ),
    "nucleo_g071rb": (
        {0x50000000: 0xEBFFFFFF, 0x50000800: 0xFFFFFFFF},
        [
            (0x40021034, 1),  # IOPENR: port A
            (0x5000000C, 0),  # PUPDR: no pull
            (0x50000000, 0xEBFFF7FF),  # MODER: PA5 is an output
            (0x40021034, 5),  # port C
            (0x5000080C, 1 << 26),  # PC13 up
            (0x50000800, 0xF3FFFFFF),  # and an input
        ],
    ),
    "nucleo_l476rg": (
        {0x48000000: 0xABFFFFFF, 0x48000800: 0xFFFFFFFF},
        [
            (0x4002104C, 1),  # AHB2ENR: port A
            (0x4800000C, 0),
            (0x48000000, 0xABFFF7FF),
            (0x4002104C, 5),
            (0x4800080C, 1 << 26),
            (0x48000800, 0xF3FFFFFF),
        ],
    ),
    "zero": (
        {},
        [
            (0x41004428, 0xC0020002),  # WRCONFIG: PA17, INEN
            (0x41004408, 1 << 17),  # DIRSET
            (0x41004404, 1 << 14),  # DIRCLR
            (0x41004418, 1 << 14),  # OUTSET: up
            (0x41004428, 0x40064000),  # WRCONFIG: PA14, INEN, PULLEN
        ],
    ),
}


def test_every_chip_has_its_table() -> None:
    """Of boards with the same chip one is enough: what differs are the numbers of the pins."""
    chips = {load_board(n).cpu.chip for n in board_names()}
    for table in (OUTPUT_AND_INPUT, LEVELS):
        assert {load_board(n).cpu.chip for n in table} == chips
    assert {load_board(n).cpu.chip for n in LINES} == {c for c in chips if CHIPS[c].uarts != (NONE,)}
    assert {load_board(n).cpu.chip for n in CONVERSIONS} == {c for c in chips if CHIPS[c].channels}


@pytest.mark.parametrize("name", OUTPUT_AND_INPUT)
def test_pins_become_outputs_and_inputs(name: str) -> None:
    after_reset, expected = OUTPUT_AND_INPUT[name]
    assert play(name, "GPIO", CONFIGURE, after_reset)[1].written == expected


# Light on, light off, toggled; and where the button is read: the address, and its value when the button is pressed.
LEVELS: dict[str, tuple[dict[int, int], Writes, tuple[int, int]]] = {
    "ch32v003evt": ({}, [(0x40011414, 1), (0x40011410, 1), (0x40011410, 1)], (0x40011008, 0xFE)),  # BCR, BSHR; INDR
    "hifive1": (
        {0x1001200C: 1 << 22 | 1},
        [(0x1001200C, 1), (0x1001200C, 1 << 22 | 1), (0x1001200C, 1)],  # output_val: on is low
        (0x10012000, 0xFFFFFFFF - (1 << 18)),  # input_val
    ),
    "longan_nano": (
        {},
        [(0x40011014, 1 << 13), (0x40011010, 1 << 13), (0x40011010, 1 << 13)],  # BC, BOP: on is low
        (0x40010C08, 0xFFFE),  # ISTAT
    ),
    "esp32c3": (
        {},
        [(0x60004008, 1 << 7), (0x6000400C, 1 << 7), (0x60004008, 1 << 7)],  # OUT_W1TS, OUT_W1TC; OUT reads 0
        (0x6000403C, 0xFFFFFFFF - (1 << 9)),  # IN
    ),
    "esp32c6": (
        {},
        [(0x60091008, 1 << 7), (0x6009100C, 1 << 7), (0x60091008, 1 << 7)],
        (0x6009103C, 0xFFFFFFFF - (1 << 9)),
    ),
    "uno": ({0x25: 1}, [(0x25, 0x21), (0x25, 1), (0x25, 0x21)], (0x29, 0xFB)),
    "attiny85": ({0x38: 1}, [(0x38, 3), (0x38, 1), (0x38, 3)], (0x36, 0xFB)),
    "mega2560": ({0x25: 1}, [(0x25, 0x81), (0x25, 1), (0x25, 0x81)], (0x2C, 0xEF)),
    "microbit": (
        {},
        [(0x50000508, 1 << 13), (0x5000050C, 1 << 13), (0x50000508, 1 << 13)],  # OUTSET, OUTCLR
        (0x50000510, 0xFFFFFFFF - (1 << 17)),  # IN
    ),
    "microbit2": (
        {},
        [(0x50000508, 1 << 21), (0x5000050C, 1 << 21), (0x50000508, 1 << 21)],
        (0x50000510, 0xFFFFFFFF - (1 << 14)),
    ),
    "nrf52840dk": (
        {},
        [(0x5000050C, 1 << 13), (0x50000508, 1 << 13), (0x50000508, 1 << 13)],  # on is low; OUT reads 0
        (0x50000510, 0xFFFFFFFF - (1 << 11)),
    ),
    "bluepill": (
        {},
        [(0x40011014, 1 << 13), (0x40011010, 1 << 13), (0x40011010, 1 << 13)],  # BRR, BSRR: on is low
        (0x40010C08, 0xEFFF),  # IDR
    ),
    "stm32vldiscovery": ({}, [(0x40011010, 1 << 9), (0x40011014, 1 << 9), (0x40011010, 1 << 9)], (0x40010808, 1)),
    "netduinoplus2": (
        {},
        [(0x40020018, 1 << 10), (0x40020018, 1 << 26), (0x40020018, 1 << 10)],  # BSRR
        (0x40020410, 1 << 11),
    ),
    "nucleo_f401re": (
        {},
        [(0x40020018, 1 << 5), (0x40020018, 1 << 21), (0x40020018, 1 << 5)],
        (0x40020810, 0xFFFF - (1 << 13)),
    ),
    "blackpill": (
        {},
        [(0x40020818, 1 << 29), (0x40020818, 1 << 13), (0x40020818, 1 << 13)],  # on is low; ODR reads 0
        (0x40020010, 0xFFFE),
    ),
    "stm32f4discovery": (
        {},
        [(0x40020C18, 1 << 12), (0x40020C18, 1 << 28), (0x40020C18, 1 << 12)],
        (0x40020010, 1),
    ),
    "lm3s6965evb": ({}, [(0x40025004, 0xFF), (0x40025004, 0), (0x40025004, 0xFF)], (0x40025008, 0)),  # DATA, by address
    "pico": (
        {},
        [(0xD0000014, 1 << 25), (0xD0000018, 1 << 25), (0xD000001C, 1 << 25)],  # OUT_SET, OUT_CLR, OUT_XOR
        (0xD0000004, 0xFFFFFFFF - (1 << 15)),
    ),
    "pico2": (
        {},
        [(0xD0000018, 1 << 25), (0xD0000020, 1 << 25), (0xD0000028, 1 << 25)],  # the same
        (0xD0000004, 0xFFFFFFFF - (1 << 15)),
    ),
    "zero": (
        {},
        [(0x41004418, 1 << 17), (0x41004414, 1 << 17), (0x4100441C, 1 << 17)],  # OUTSET, OUTCLR, OUTTGL
        (0x41004420, 0xFFFFFFFF - (1 << 14)),
    ),
    "nucleo_l476rg": (
        {},
        [(0x48000018, 1 << 5), (0x48000018, 1 << 21), (0x48000018, 1 << 5)],
        (0x48000810, 0xFFFF - (1 << 13)),
    ),
    "nucleo_g071rb": (
        {},
        [(0x50000018, 1 << 5), (0x50000018, 1 << 21), (0x50000018, 1 << 5)],  # BSRR; ODR reads 0
        (0x50000810, 0xFFFF - (1 << 13)),
    ),
}


@pytest.mark.parametrize("name", LEVELS)
def test_levels(name: str) -> None:
    after_reset, expected, (address, pressed) = LEVELS[name]
    text = "GPIO.Light(TRUE); GPIO.Light(FALSE); GPIO.Toggle(GPIO.LED)"
    assert play(name, "GPIO", text, after_reset)[1].written == expected
    for level, is_pressed in ((pressed, 1), (~pressed & 0xFFFFFFFF, 0)):
        state, _ = play(name, "GPIO", "GPIO.Pressed(on)", {address: level})
        assert value(state, "on") == is_pressed


def test_toggled_twice_is_as_before() -> None:
    """What the output latch says counts, not what the pin shows."""
    outputs = {"uno": (0x25, 0x20), "microbit": (0x50000504, 1 << 13), "bluepill": (0x4001100C, 1 << 13)}
    lows = {"uno": (0x25, 0), "microbit": (0x5000050C, 1 << 13), "bluepill": (0x40011014, 1 << 13)}
    for name, (address, high) in outputs.items():
        assert play(name, "GPIO", "GPIO.Toggle(GPIO.LED)", {address: high})[1].written == [lows[name]]


def sets(address: int, cause: int, changed: int, bits: int) -> Callable[[dict[int, int]], None]:
    """Once the cause is written, these bits of the other register are set."""

    def react(registers: dict[int, int]) -> None:
        if registers.get(address, 0) & cause:
            registers[changed] = registers.get(changed, 0) | bits

    return react


def adsc(registers: dict[int, int], control: int = 0x7A) -> None:
    if registers.get(control, 0) & 0x40:
        registers[control] &= ~0x40


def adsc_of_tiny(registers: dict[int, int]) -> None:
    adsc(registers, 0x26)


def f1(registers: dict[int, int]) -> None:
    registers[0x40012408] = registers.get(0x40012408, 0) & ~0xC  # calibrations are over at once
    if registers[0x40012408] & 0x400000:
        registers[0x40012400] = 2  # EOC


# Values after reset, what the chip does, what is written, what is read: channel 1 is converted.
Conversion = tuple[dict[int, int], Callable[[dict[int, int]], None], Writes, int]
F1_ADC: Conversion = (
    {0x40010800: 0x44444444, 0x4001244C: 0xABC},
    f1,
    [
        (0x40021004, 0x8000),  # CFGR: ADCPRE: by 6
        (0x40021018, 0x200),  # APB2ENR: ADC1
        (0x40012408, 1),  # CR2: ADON
        (0x40012408, 9),  # RSTCAL
        (0x40012408, 5),  # CAL
        (0x4001240C, 0xFFFFFF),  # SMPR1, SMPR2: 239.5 cycles
        (0x40012410, 0x3FFFFFFF),
        (0x40021018, 0x204),  # port A
        (0x40010800, 0x44444404),  # CRL: PA1 is analogue
        (0x40012434, 1),  # SQR3
        (0x40012408, 0x5E0001),  # SWSTART, EXTTRIG, EXTSEL: by program, ADON
    ],
    0xABC,
)
F4_ADC: Conversion = (
    {0x4001204C: 0xABC},
    sets(0x40012008, 1 << 30, 0x40012000, 2),
    [
        (0x40023844, 0x100),  # APB2ENR: ADC1
        (0x40012304, 0x10000),  # CCR: ADCPRE: by 4
        (0x4001200C, 0x7FFFFFF),
        (0x40012010, 0x3FFFFFFF),
        (0x40012008, 1),  # ADON
        *[(0x40012010, 0x3FFFFFFF)] * 200,  # it wakes meanwhile
        (0x40023830, 1),
        (0x4002000C, 0),
        (0x40020000, 0xC),  # MODER: PA1 is analogue
        (0x40012034, 1),
        (0x40012008, 0x40000001),  # SWSTART
    ],
    0xABC,
)
CONVERSIONS: dict[str, Conversion] = {
    # ADCSRA: enabled, by 128; ADMUX: AVCC, channel 1; ADSC
    "uno": ({0x78: 0x2A5}, adsc, [(0x7A, 0x87), (0x7C, 0x41), (0x7A, 0xC7)], 0x2A5),
    "attiny85": ({0x24: 0x2A5}, adsc_of_tiny, [(0x26, 0x87), (0x27, 1), (0x26, 0xC7)], 0x2A5),
    "mega2560": ({0x78: 0x2A5, 0x7B: 8}, adsc, [(0x7A, 0x87), (0x7B, 0), (0x7C, 0x41), (0x7A, 0xC7)], 0x2A5),
    "microbit": (
        {0x40007508: 0x155},
        sets(0x40007000, 1, 0x40007100, 1),
        [
            (0x40007500, 1),  # ENABLE
            (0x40007504, 0x26A),  # CONFIG: 10 bits, both by 3, AIN1
            (0x40007100, 0),  # EVENTS_END
            (0x40007000, 1),  # TASKS_START
            (0x40007100, 0),
            (0x40007004, 1),  # TASKS_STOP
        ],
        0x155,
    ),
    "bluepill": F1_ADC,
    "stm32vldiscovery": F1_ADC,
    **dict.fromkeys(("netduinoplus2", "nucleo_f401re", "blackpill", "stm32f4discovery"), F4_ADC),
    "lm3s6965evb": (
        {0x400380A8: 0x2A5, 0x40038014: 0xF000, 0x40038000: 8},
        sets(0x40038028, 8, 0x40038004, 8),
        [
            (0x400FE100, 0x10000),  # RCGC0: ADC
            (0x40038000, 0),  # ACTSS: sequencer 3 off
            (0x40038014, 0),  # EMUX: started by program
            (0x400380A4, 6),  # SSCTL3: END0, IE0
            (0x40038000, 8),
            (0x400380A0, 1),  # SSMUX3
            (0x4003800C, 8),  # ISC
            (0x40038028, 8),  # PSSI
        ],
        0x2A5,
    ),
    "zero": (
        {0x806020: 0xB0000000, 0x806024: 0x2D, 0x42004018: 0xABC0001},  # linearity 10110B and 101B, bias 101B
        lambda registers: None,
        [
            (0x40000420, 0x10000),  # APBCMASK: ADC
            (0x40000C00, 0x401E0000),  # CLKCTRL: ADC, generator 0, CLKEN
            (0x42004028, 0x5B6),  # CALIB
            (0x42004004, 0x300),  # CTRLB: 12 bits, by 32
            (0x42004000, 0x3F000202),  # CTRLA: ENABLE; REFCTRL: INTVCC1; SAMPCTRL
            (0x41004404, 8),  # DIRCLR: PA03
            (0x41004428, 0x51010008),  # WRCONFIG: function B, no input
            (0x42004010, 0x0F001801),  # INPUTCTRL: AIN1 against ground, by 2
            (0x4200400C, 2),  # SWTRIG: START
        ],
        0xABC,
    ),
    "pico": (
        {0x4000C008: 0x121, 0x4004C004: 0xABC},
        sets(0x4004C000, 1, 0x4004C000, 0x100),
        [
            (0x40008060, 0x860),  # CLK_ADC_CTRL: enabled, from XOSC
            (0x4000F000, 1),  # RESETS, clear: ADC
            *[(0x4004C000, 1)] * 1001,  # CS: EN; it wakes meanwhile
            (0x4000F000, 0x120),
            (0x4001C070, 0x80),  # GPIO27: output and input disabled
            (0x400140DC, 5),
            (0xD0000028, 1 << 27),
            (0x4004C000, 0x1001),  # AINSEL 1
            (0x4004C000, 0x1005),  # START_ONCE
        ],
        0xABC,
    ),
    "pico2": (
        {0x40020008: 0x241, 0x400A0004: 0xABC},
        sets(0x400A0000, 1, 0x400A0000, 0x100),
        [
            (0x4001006C, 0x860),  # CLK_ADC_CTRL: enabled, from XOSC
            (0x40023000, 1),  # RESETS, clear: ADC
            *[(0x400A0000, 1)] * 1001,  # CS: EN; it wakes meanwhile
            (0x40023000, 0x240),
            (0x40038070, 0x80),  # GPIO27: output and input disabled
            (0x400280DC, 5),
            (0xD0000040, 1 << 27),
            (0x400A0000, 0x1001),  # AINSEL 1
            (0x400A0000, 0x1005),  # START_ONCE
        ],
        0xABC,
    ),
}


@pytest.mark.parametrize("name", CONVERSIONS)
def test_conversion(name: str) -> None:
    after_reset, reaction, expected, result = CONVERSIONS[name]
    state, chip = play(name, "ADC", "ADC.Read(1, v)", after_reset, reaction)
    assert (chip.written, value(state, "v")) == (expected, result)


def test_the_upper_channels_of_the_mega() -> None:
    _, chip = play("mega2560", "ADC", "ADC.Read(9, v)", {}, adsc)
    assert chip.written == [(0x7A, 0x87), (0x7B, 8), (0x7C, 0x41), (0x7A, 0xC7)]  # MUX5, and MUX 1


# At 9600 bits a second: the line is connected and set up, a byte is sent; where the status says that it can be.
LINES: dict[str, tuple[dict[int, int], Writes]] = {
    "ch32v003evt": ({}, [(0x40013808, 5000)]),  # BRR: 48 MHz; the console sends
    "hifive1": (
        {0x1001203C: 0x840000},
        [
            (0x10012010, 1 << 23),  # pue
            (0x1001203C, 0),  # iof_sel: of 18 and 23 the first
            (0x10012038, 1 << 18 | 1 << 23),  # iof_en
            (0x10023018, 1666),  # div: 16 MHz by 1667
            (0x10023008, 1),  # txctrl, rxctrl: enabled
            (0x1002300C, 1),
            (0x10023010, 2),  # ie: received
        ],
    ),
    "longan_nano": (
        {0x40010800: 0x44444444},
        [
            (0x40021018, 4),  # APB2EN: port A
            (0x4002101C, 1 << 17),  # APB1EN: USART1
            (0x40010810, 1 << 3),  # up
            (0x40010800, 0x44448B44),  # CTL0: PA2 is its output, PA3 a pulled input
            (0x40004408, 5000),  # BAUD: 48 MHz
            (0x4000440C, 0x202C),  # CTL0: enabled, both ways, interrupt of the receiver
        ],
    ),
    "esp32c3": (
        {0x600C0018: 0x1000020, 0x60010080: 0x40000500},
        [
            (0x600C0010, 1 << 5 | 1 << 24),  # PERIP_CLK_EN0: UART1, the UARTs' memory
            (0x600C0018, 0),  # PERIP_RST_EN0
            (0x60009018, 0x1B00),  # IO_MUX GPIO5: pulled up
            (0x60004178, 0x45),  # FUNC9_IN_SEL_CFG: through the matrix, from 5
            (0x60009014, 0x1A00),  # GPIO4
            (0x60004564, 9),  # FUNC4_OUT_SEL_CFG: U1TXD
            (0x60004024, 1 << 4),
            (0x60010078, 0x3701000),  # CLK_CONF: SCLK_SEL 3, the crystal, by 2; SCLK_EN, TX_SCLK_EN, RX_SCLK_EN
            (0x60010024, 1 << 21 | 1),  # CONF1: RX_TOUT_EN, RXFIFO_FULL_THRHD
            (0x60010014, 2083 | 5 << 20),  # CLKDIV: 20 MHz by 2083.33
            (0x60010020, 0x1002001C),  # CONF0: RXFIFO_RST
            (0x60010020, 0x1000001C),  # BIT_NUM 3, STOP_BIT_NUM 1, MEM_CLK_EN
            (0x60010080, 0xC0000500),  # ID: REG_UPDATE
            (0x6001000C, 0x101),  # INT_ENA: RXFIFO_FULL, RXFIFO_TOUT
        ],
    ),
    "esp32c6": (
        {},
        [
            (0x6009600C, 1),  # UART1_CONF: clock, no reset
            (0x60096010, 0x701000),  # UART1_SCLK_CONF: the crystal, by 2, enabled
            (0x60090018, 0x1B00),
            (0x60091178, 0x85),
            (0x60090014, 0x1A00),
            (0x60091564, 9),
            (0x60091024, 1 << 4),
            (0x60001064, 10 << 2 | 1),  # TOUT_CONF
            (0x60001024, 1),
            (0x60001014, 2083 | 5 << 20),
            (0x60001020, 0x50001C),
            (0x60001020, 0x10001C),
            (0x60001098, 1),  # REG_UPDATE
            (0x6000100C, 0x101),
        ],
    ),
    "uno": ({}, [(0xC4, 207)]),  # UBRR0, at double speed; the console sends
    "mega2560": (
        {0xC8: 0x20},
        [(0xCC, 207), (0xC8, 2), (0xCA, 6), (0xC9, 0x98)],  # UBRR1; U2X1; 8 bits; RXCIE1, RXEN1, TXEN1
    ),
    "microbit": ({}, [(0x40002524, 0x275000)]),  # BAUDRATE: Baud9600
    "microbit2": ({}, [(0x40002524, 0x275000)]),
    "nrf52840dk": ({}, [(0x40002524, 0x275000)]),
    "bluepill": (
        {0x40010800: 0x44444444},
        [
            (0x40021018, 4),  # port A
            (0x4002101C, 1 << 17),  # USART2
            (0x40010810, 8),  # PA3 up
            (0x40010800, 0x44448B44),  # PA2 alternate push-pull, PA3 pulled input
            (0x40004408, 3750),  # BRR: 36 MHz
            (0x4000440C, 0x202C),
        ],
    ),
    "stm32vldiscovery": (
        {0x40010800: 0x44444444},
        [
            (0x40021018, 4),
            (0x4002101C, 1 << 17),
            (0x40010810, 8),
            (0x40010800, 0x44448B44),
            (0x40004408, 2500),  # 24 MHz
            (0x4000440C, 0x202C),
        ],
    ),
    "netduinoplus2": (
        {},
        [
            (0x40023830, 1),
            (0x40023840, 1 << 17),
            (0x40020020, 0x7700),  # AFRL: PA2, PA3 are function 7
            (0x4002000C, 0x40),  # PA3 up
            (0x40020000, 0xA0),
            (0x40004408, 4375),  # 42 MHz
            (0x4000440C, 0x202C),
        ],
    ),
    "nucleo_f401re": (  # whose console is USART 2
        {},
        [
            (0x40023830, 1),
            (0x40023844, 1 << 4),  # APB2ENR: USART 1
            (0x4002000C, 1 << 20),  # PA10 up
            (0x40020024, 0x70),  # AFRH: PA9, PA10 are function 7
            (0x40020000, 2 << 18),
            (0x40020024, 0x770),
            (0x40020000, 0xA << 18),
            (0x40011008, 8750),  # 84 MHz
            (0x4001100C, 0x202C),
        ],
    ),
    "blackpill": (
        {},
        [
            (0x40023830, 1),
            (0x40023840, 1 << 17),
            (0x4002000C, 0x40),
            (0x40020020, 0x700),
            (0x40020000, 0x20),
            (0x40020020, 0x7700),
            (0x40020000, 0xA0),
            (0x40004408, 2500),  # 24 MHz
            (0x4000440C, 0x202C),
        ],
    ),
    "stm32f4discovery": (  # whose console is USART 2
        {},
        [
            (0x40023830, 2),
            (0x40023840, 1 << 18),  # USART 3
            (0x40020424, 0x7700),  # AFRH: PB10, PB11 are function 7
            (0x4002040C, 0x400000),
            (0x40020400, 0xA00000),
            (0x40004808, 4375),  # 42 MHz
            (0x4000480C, 0x202C),
        ],
    ),
    "lm3s6965evb": (
        {},
        [
            (0x400FE104, 2),  # RCGC1: UART1
            (0x400FE108, 8),  # RCGC2: port D
            (0x40007420, 0xC),
            (0x40007510, 4),
            (0x4000751C, 0xC),
            (0x4000D030, 0),
            (0x4000D024, 325),  # 50 MHz: 325.52
            (0x4000D028, 33),
            (0x4000D02C, 0x70),
            (0x4000D034, 0),
            (0x4000D038, 0x50),
            (0x4000D030, 0x301),
        ],
    ),
    "pico": (
        {0x4000C008: 0x800120},
        [
            (0x4000F000, 0x800120),  # UART1, PADS_BANK0, IO_BANK0
            (0x4001C018, 0x5A),  # GPIO5: pulled up
            (0x40014024, 2),  # GPIO4, GPIO5: UART
            (0x4001402C, 2),
            (0x4001C014, 0x52),  # GPIO4
            (0x40038030, 0),
            (0x40038024, 813),  # 125 MHz: 813.8
            (0x40038028, 51),
            (0x4003802C, 0x70),
            (0x40038034, 0),
            (0x40038038, 0x50),
            (0x40038030, 0x301),
        ],
    ),
    "pico2": (
        {0x40020008: 0x8000240},
        [
            (0x40023000, 0x8000240),  # UART1, PADS_BANK0, IO_BANK0
            (0x40038018, 0x5A),  # GPIO5: pulled up, not isolated
            (0x40028024, 2),  # GPIO4, GPIO5: UART
            (0x4002802C, 2),
            (0x40038014, 0x52),  # GPIO4: not isolated
            (0x40078030, 0),
            (0x40078024, 976),  # 150 MHz: 976.56
            (0x40078028, 36),
            (0x4007802C, 0x70),
            (0x40078034, 0),
            (0x40078038, 0x50),
            (0x40078030, 0x301),
        ],
    ),
    "nucleo_g071rb": (
        {},
        [
            (0x40021034, 1),  # IOPENR: port A
            (0x40021040, 1 << 14),  # APBENR2: USART1
            (0x5000000C, 1 << 20),  # PUPDR: PA10 up
            (0x50000024, 0x10),  # AFRH: PA9 is function 1
            (0x50000000, 0x80000),  # MODER: PA9 alternate
            (0x50000024, 0x110),
            (0x50000000, 0x280000),
            (0x4001380C, 6667),  # 64 MHz
            (0x40013800, 0x2D),  # UE, RE, TE, RXNEIE
        ],
    ),
    "nucleo_l476rg": (
        {},
        [
            (0x4002104C, 1),  # AHB2ENR: port A
            (0x40021060, 1 << 14),  # APB2ENR: USART1
            (0x4800000C, 1 << 20),
            (0x48000024, 0x70),  # AFRH: function 7
            (0x48000000, 0x80000),
            (0x48000024, 0x770),
            (0x48000000, 0x280000),
            (0x4001380C, 8333),  # 80 MHz
            (0x40013800, 0x2D),
        ],
    ),
}
LINES["zero"] = (
    {0x40000420: 0x10000},
    [
        (0x40000420, 0x10004),  # APBCMASK: SERCOM0
        (0x40000C00, 0x40140000),  # CLKCTRL: SERCOM0_CORE from generator 0
        (0x41004418, 1 << 11),  # OUTSET of port A: PA11 is pulled up
        (0x41004428, 0x52030400),  # WRCONFIG: PA10 is function C, INEN,
        (0x41004428, 0x52070800),  # and PA11, with PULLEN
        (0x42000800, 1),  # CTRLA: SWRST
        (0x42000800, 0x40310004),
        (0x42000804, 0x30000),
        (0x4200080C, 65_326),  # 65536 * (1 - 16 * 9600 / 48 MHz)
        (0x42000814, 0x40000),
        (0x42000800, 0x40310006),
    ],
)
SENT = {
    "zero": (0x42000828, 0x21),
    "pico2": (0x40078000, 0x21),
    "nucleo_g071rb": (0x40013828, 0x21),
    "hifive1": (0x10023000, 0x21),
    "esp32c3": (0x60010000, 0x21),
    "longan_nano": (0x40004404, 0x21),
    "esp32c6": (0x60001000, 0x21),
    "mega2560": (0xCE, 0x21),
    "bluepill": (0x40004404, 0x21),
    "stm32vldiscovery": (0x40004404, 0x21),
    "netduinoplus2": (0x40004404, 0x21),
    "nucleo_f401re": (0x40011004, 0x21),
    "blackpill": (0x40004404, 0x21),
    "stm32f4discovery": (0x40004804, 0x21),
    "lm3s6965evb": (0x4000D000, 0x21),
    "pico": (0x40038000, 0x21),
}


@pytest.mark.parametrize("name", LINES)
def test_serial_line(name: str) -> None:
    after_reset, expected = LINES[name]
    assert play(name, "UART", "UART.Start(9600)", after_reset)[1].written == expected


# Rates that each chip can give within 3 %, and such as it cannot: its divisor is too short, too long or too coarse.
RATES = {
    "ch32v003evt": ([1000, 9600, 115_200, 3_000_000], [0, 300, 3_200_000, 0xFFFFFFFF]),
    "hifive1": ([250, 9600, 115_200, 1_000_000], [0, 200, 1_100_000, 0xFFFFFFFF]),
    "esp32c3": ([50, 300, 9600, 115_200, 5_000_000, 13_000_000], [0, 30, 14_000_000, 0xFFFFFFFF]),
    "uno": ([500, 9600, 115_200, 250_000, 2_000_000], [0, 300, 480, 230_400, 3_000_000, 0xFFFFFFFF]),
    "mega2560": ([500, 9600, 115_200, 250_000, 2_000_000], [0, 300, 480, 230_400, 3_000_000, 0xFFFFFFFF]),
    "microbit": ([1200, 9600, 115_200, 1_000_000], [0, 300, 2_000_000, 0xFFFFFFFF]),
    "bluepill": ([600, 9600, 115_200, 2_250_000], [0, 300, 2_500_000, 0xFFFFFFFF]),
    "netduinoplus2": ([700, 9600, 115_200, 2_625_000], [0, 600, 2_700_000, 0xFFFFFFFF]),
    "lm3s6965evb": ([50, 9600, 115_200, 3_125_000], [0, 40, 3_200_000, 0xFFFFFFFF]),
    "pico": ([120, 9600, 115_200, 7_800_000], [0, 100, 8_000_000, 0xFFFFFFFF]),
}


@pytest.mark.parametrize("name", RATES)
def test_a_rate_that_the_chip_cannot_give_is_a_fault(name: str) -> None:
    given, not_given = RATES[name]
    after_reset = LINES[name][0] if name in LINES else {}
    start = partial(play, name, "UART", values=after_reset, variables="t : UINT32")
    for rate in given:
        assert start(statements=f"t := {rate}; UART.Start(t)")[1].written
    for rate in not_given:
        with pytest.raises(Faulted):
            start(statements=f"t := {rate}; UART.Start(t)")


class Receives(PlayedChip):
    """Bytes come, each with its flags; the interrupt comes while there is one."""

    events = ("run", "interrupt")

    def __init__(self, status: int, data: int, coming: list[tuple[int, int]]) -> None:
        super().__init__({0x4000C008: 0x800120}, None)
        self.status, self.data, self.coming = status, data, coming

    def port_in(self, width: int, address: int) -> int:
        if address not in (self.status, self.data):
            return super().port_in(width, address)
        byte, flags = self.coming[0] if self.coming else (0, 0)
        in_data = self.status == PL011_FLAGS
        if address == self.status:
            return (0 if self.coming else 0x10) if in_data else flags
        self.coming.pop(0)
        return byte | flags if in_data else byte


PL011_FLAGS = 0x40038018
# Where status and data are; the flags of a byte that is whole, behind a lost one, without a stop bit, of a break.
RECEIVED = {
    "mega2560": (0xC8, 0xCE, (0x80, 0x88, 0x90, 0x90)),
    "bluepill": (0x40004400, 0x40004404, (0x20, 0x28, 0x22, 0x22)),
    "pico": (PL011_FLAGS, 0x40038000, (0, 0x800, 0x100, 0x500)),
    "nucleo_g071rb": (0x4001381C, 0x40013824, (0x20, 0x28, 0x22, 0x22)),
    "zero": (0x42000818, 0x42000828, (4, 0x40004, 0x20004, 0x20004)),
}


@pytest.mark.parametrize("name", RECEIVED)
def test_bytes_that_come_damaged_are_counted_and_not_given(name: str) -> None:
    status, data, (whole, behind, damaged, broken) = RECEIVED[name]
    coming = [(65, whole), (66, behind), (67, damaged), (0, broken), (68, whole)]
    statements = (
        "UART.Start(9600); UART.received?byte(a); UART.received?byte(b); UART.received?byte(c); UART.CountLost(n)"
    )
    chip = Receives(status, data, coming)
    state, _ = play(name, "UART", statements, variables="a, b, c : CHAR; n : UINT16", steps=400, played=chip)
    assert [value(state, x) for x in ("a", "b", "c", "n")] == [65, 66, 68, 3]


@pytest.mark.parametrize("name", SENT)
def test_a_byte_is_sent_when_there_is_room(name: str) -> None:
    ready = {0xC8: 0x20, 0x42000818: 1, 0x4001381C: 0x80, 0x40004400: 0x80, 0x40004800: 0x80, 0x40011000: 0x80}
    assert play(name, "UART", "UART.Send('!')", ready)[1].written == [SENT[name]]
    busy = {0xC8: 0, 0x40004400: 0, 0x4000D018: 0x20, 0x40038018: 0x20, 0x10023000: 1 << 31}
    busy |= {0x42000818: 0, 0x4001381C: 0, 0x40078018: 0x20, 0x6001001C: 128 << 16, 0x6000101C: 128 << 16}
    assert play(name, "UART", "UART.Send('!')", busy)[1].written == []


def test_the_other_uart_where_the_console_has_the_first_choice() -> None:
    """USART3 on PB10 and PB11; UART0 on the pins 0 and 1."""
    moved = {name: load_board(name) for name in ("bluepill", "netduinoplus2", "pico")}
    for name, board in moved.items():
        uart = "UART1" if name == "pico" else "USART2"
        moved[name] = replace(board, console=replace(board.console, uart=uart))
    written = {n: play(b, "UART", "UART.Start(9600)", {0x4000C008: 0x400120})[1].written for n, b in moved.items()}
    assert written["bluepill"] == [
        (0x40021018, 8),
        (0x4002101C, 1 << 18),
        (0x40010C10, 1 << 11),
        (0x40010C04, 0x8B00),
        (0x40004808, 3750),
        (0x4000480C, 0x202C),
    ]
    assert written["netduinoplus2"] == [
        (0x40023830, 2),
        (0x40023840, 1 << 18),
        (0x40020424, 0x7700),  # AFRH
        (0x4002040C, 1 << 22),
        (0x40020400, 0xA << 20),
        (0x40004808, 4375),
        (0x4000480C, 0x202C),
    ]
    assert written["pico"][:4] == [(0x4000F000, 0x400120), (0x4001C008, 0x5A), (0x40014004, 2), (0x4001400C, 2)]
    assert written["pico"][4:6] == [(0x4001C004, 0x52), (0x40034030, 0)] and written["pico"][-1] == (0x40034030, 0x301)


@pytest.mark.parametrize("name", board_names())
def test_registers_of_32_bits_are_accessed_as_such(name: str) -> None:
    has_converter = CHIPS[load_board(name).cpu.chip].channels
    imports, reads = ("GPIO, ADC", "; ADC.Read(0, v)") if has_converter else ("GPIO", "")
    _, chip = play(name, imports, CONFIGURE + reads, {0x4000C008: 0xFFFFFFFF}, adsc, steps=20)
    assert chip.widths <= ({8, 16} if load_board(name).cpu.architecture == "avr" else {32})


def test_a_board_without_a_converter() -> None:
    diagnostics = Diagnostics()
    board = load_board("hifive1")
    source = Source("T.lf", "MODULE T; IMPORT ADC; VAR v : UINT16; BEGIN ADC.Read(0, v) END T.")
    analyse(source, diagnostics, path=[Path()], chip=chip_modules(board))
    (error,) = diagnostics.items
    why = "`ADC` knows no converter of voltages of the board hifive1"
    assert error.message == f"there is no module `ChipAnalog`: {why}"


def test_the_other_uart_of_the_hifive() -> None:
    board = load_board("hifive1")
    moved = replace(board, console=replace(board.console, uart="UART1"))
    written = play(moved, "UART", "UART.Start(9600)")[1].written
    assert written[0] == (0x10012010, 1 << 16) and (0x10012038, 3 << 16) in written
    assert written[-1] == (0x10013010, 2)


def test_pins_of_the_second_port() -> None:
    """Of an nRF52: port 1 is at 300H behind port 0, its pins are numbered from 32 on."""
    statements = "GPIO.Configure(35, GPIO.output); GPIO.Set(35, TRUE); GPIO.Set(35, FALSE)"
    expected = [(0x50000A0C, 1), (0x50000808, 8), (0x5000080C, 8)]
    assert play("microbit2", "GPIO", statements)[1].written == expected
