"""Which registers the Cortex-M port writes, and what: against tables from the chips' reference manuals.

RM0008 (STM32F103), RM0041 (STM32F100), RM0090 (STM32F405), RM0368 (STM32F401), RM0383 (STM32F411), RM0444 (STM32G071),
RM0351 (STM32L476), the data sheets of LM3S6965 and RP2040, the reference manual of the nRF51. Addresses are written
out here once more, so that a wrong one in the port is found. Each address and bit was compared with the makers'
headers: stm32f100xb.h, stm32f103xb.h (RCC, FLASH, GPIO, USART, IRQn), stm32f405xx.h, stm32f401xe.h, stm32f411xe.h (the
same, PWR), the SVD files of the STM32G071 and STM32L4x6 (RCC, FLASH, GPIO, USART), lm3s6965.h (SYSCTL_RCC, _RIS,
_RCGC1, _RCGC2, GPIO_PORTA, UART0), nrf51.h with nrf51_bitfields.h (CLOCK, GPIO, UART0, TIMER2) and the hardware_regs
of the RP2040 and the RP2350 (clocks, resets, xosc, pll, pads_bank0, io_bank0, uart, intctrl).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from tests.boards.cortexm import ALL
from tests.boards.ports.register_log import Chip, PortOnThisMachine

Writes = list[tuple[int, int]]


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], PortOnThisMachine]:
    made: dict[str, PortOnThisMachine] = {}

    def of(name: str) -> PortOnThisMachine:
        if name not in made:
            made[name] = PortOnThisMachine(load_board(name), Path(tmp_path_factory.mktemp(name)))
        return made[name]

    return of


def bit_follows(registers: dict[int, int], address: int, cause: int, effect: int) -> None:
    if registers.get(address, 0) & cause:
        registers[address] |= effect


def stm32f1(registers: dict[int, int]) -> None:
    bit_follows(registers, 0x40021000, 1 << 16, 1 << 17)  # RCC_CR: HSEON, HSERDY
    bit_follows(registers, 0x40021000, 1 << 24, 1 << 25)  # PLLON, PLLRDY
    bit_follows(registers, 0x40021004, 2, 8)  # RCC_CFGR: SW, SWS


def stm32f4(registers: dict[int, int]) -> None:
    bit_follows(registers, 0x40023800, 1 << 16, 1 << 17)
    bit_follows(registers, 0x40023800, 1 << 24, 1 << 25)
    bit_follows(registers, 0x40023808, 2, 8)


def stm32_newer(shift: int) -> Callable[[dict[int, int]], None]:
    """RCC_CR: HSION, HSIRDY, PLLON, PLLRDY; RCC_CFGR: SW, SWS."""

    def reaction(registers: dict[int, int]) -> None:
        bit_follows(registers, 0x40021000, 1 << 8, 1 << 10)
        bit_follows(registers, 0x40021000, 1 << 24, 1 << 25)
        if 0x40021008 in registers:
            source = registers[0x40021008] & (1 << shift) - 1
            registers[0x40021008] = source | source << shift

    return reaction


def samd21(registers: dict[int, int]) -> None:
    """PCLKSR: XOSC32KRDY; DFLLRDY; DFLLLCKF, DFLLLCKC in a closed loop."""
    registers[0x4000080C] = registers.get(0x40000814, 0) & 2
    loop = registers.get(0x40000824, 0)
    registers[0x4000080C] |= (0x10 if loop & 2 else 0) | (0xC0 if loop & 4 else 0)


def lm3s(registers: dict[int, int]) -> None:
    if not registers[0x400FE060] & 1 << 13:  # RCC: PWRDN
        registers[0x400FE050] = 0x40  # RIS: PLLLRIS


def nrf51(registers: dict[int, int]) -> None:
    if registers.get(0x40000000):  # TASKS_HFCLKSTART
        registers[0x40000100] = 1  # EVENTS_HFCLKSTARTED


def rp(resets: int, clocks: int, crystal: int, pll: int) -> Callable[[dict[int, int]], None]:
    """With its atomic ways to write: +2000H sets, +3000H clears."""

    def reaction(registers: dict[int, int]) -> None:
        for block in (resets, clocks, crystal, pll):
            for address in range(block, block + 0x100, 4):
                if address + 0x2000 in registers:
                    registers[address] = registers.get(address, 0) | registers.pop(address + 0x2000)
                if address + 0x3000 in registers:
                    registers[address] = registers.get(address, 0) & ~registers.pop(address + 0x3000)
        registers[resets + 8] = ~registers.get(resets, 0) & 0xFFFFFFFF  # RESET_DONE
        if registers.get(crystal, 0) >> 12 == 0xFAB:
            registers[crystal + 4] = 1 << 31  # XOSC stable
        registers[clocks + 0x38] = 1 << (registers.get(clocks + 0x30, 0) & 3)  # clk_ref
        registers[clocks + 0x44] = 1 << (registers.get(clocks + 0x3C, 0) & 1)  # clk_sys
        if not registers.get(pll + 4, 0) & 0x21:  # PLL: PD, VCOPD
            registers[pll] |= 1 << 31  # LOCK

    return reaction


rp2040 = rp(0x4000C000, 0x40008000, 0x40024000, 0x40028000)
rp2350 = rp(0x40020000, 0x40010000, 0x40048000, 0x40050000)
RP2350_AFTER_RESET = {0x40020000: 0x1FFFFFFF, 0x40050004: 0x2D, 0x40010038: 1, 0x40010044: 1}
RP2040_AFTER_RESET = {0x4000C000: 0x01FFFFFF, 0x40028004: 0x2D, 0x40008038: 1, 0x40008044: 1}
CLOCKS: dict[str, tuple[Callable[[dict[int, int]], None], dict[int, int], Writes]] = {
    "stm32vldiscovery": (
        stm32f1,
        {0x40021000: 0x83},
        [
            (0x40021000, 0x00010083),  # HSEON
            (0x40021004, 0x00050000),  # PLLMUL: times 3 (1 in bits 18 to 21), PLLSRC
            (0x40021000, 0x01030083),  # PLLON
            (0x40021004, 0x00050002),  # SW: PLL
        ],
    ),
    "bluepill": (
        stm32f1,
        {0x40021000: 0x83},
        [
            (0x40021000, 0x00010083),
            (0x40022000, 0x12),  # FLASH_ACR: prefetch, two wait states from 48 to 72 MHz
            (0x40021004, 0x001D0400),  # times 9, PLLSRC, PPRE1: by 2, since APB1 has at most 36 MHz
            (0x40021000, 0x01030083),
            (0x40021004, 0x001D0402),
        ],
    ),
    "netduinoplus2": (
        stm32f4,
        {0x40023800: 0x83, 0x40023804: 0x24003010},
        [
            (0x40023800, 0x00010083),
            (0x40023804, 7 << 24 | 1 << 22 | 336 << 6 | 25),  # 25 MHz by 25, times 336, by 2; USB: by 7
            (0x40023808, 4 << 13 | 5 << 10),  # PPRE2: by 2, PPRE1: by 4
            (0x40023C00, 0x705),  # five wait states above 150 MHz, caches, prefetch
            (0x40023800, 0x01030083),
            (0x40023808, 4 << 13 | 5 << 10 | 2),
        ],
    ),
    "nucleo_f103rb": (
        stm32f1,
        {0x40021000: 0x83},
        [
            (0x40021000, 0x00040083),  # HSEBYP, before
            (0x40021000, 0x00050083),  # HSEON
            (0x40022000, 0x12),
            (0x40021004, 0x001D0400),
            (0x40021000, 0x01070083),
            (0x40021004, 0x001D0402),
        ],
    ),
    "nucleo_f401re": (
        stm32f4,
        {0x40023800: 0x83, 0x40023804: 0x24003010},
        [
            (0x40023800, 0x00040083),
            (0x40023800, 0x00050083),
            (0x40023804, 7 << 24 | 1 << 22 | 1 << 16 | 336 << 6 | 8),  # 8 MHz by 8, times 336, by 4; USB: by 7
            (0x40023808, 4 << 10),  # PPRE1: by 2, since APB1 has at most 42 MHz
            (0x40023C00, 0x702),  # two wait states above 60 MHz
            (0x40023800, 0x01070083),
            (0x40023808, 4 << 10 | 2),
        ],
    ),
    "nucleo_f411re": (
        stm32f4,
        {0x40023800: 0x83, 0x40023804: 0x24003010, 0x40007000: 0x8000},
        [
            (0x40023800, 0x00040083),
            (0x40023800, 0x00050083),
            (0x40023840, 1 << 28),  # PWREN
            (0x40007000, 0xC000),  # VOS: scale 1, for more than 84 MHz
            (0x40023804, 9 << 24 | 1 << 22 | 1 << 16 | 400 << 6 | 8),  # 8 MHz by 8, times 400, by 4; USB below 48 MHz
            (0x40023808, 4 << 13 | 5 << 10),
            (0x40023C00, 0x703),  # three wait states above 90 MHz
            (0x40023800, 0x01070083),
            (0x40023808, 4 << 13 | 5 << 10 | 2),
        ],
    ),
    "blackpill": (
        stm32f4,
        {0x40023800: 0x83, 0x40023804: 0x24003010, 0x40007000: 0x8000},
        [
            (0x40023800, 0x00010083),  # a crystal
            (0x40023840, 1 << 28),
            (0x40007000, 0xC000),
            (0x40023804, 8 << 24 | 1 << 22 | 1 << 16 | 384 << 6 | 25),  # 25 MHz by 25, times 384, by 4; USB: by 8
            (0x40023808, 4 << 13 | 5 << 10),
            (0x40023C00, 0x703),
            (0x40023800, 0x01030083),
            (0x40023808, 4 << 13 | 5 << 10 | 2),
        ],
    ),
    "nucleo_g071rb": (
        stm32_newer(3),
        {0x40021000: 0x500, 0x40022000: 0x40600},
        [
            (0x40021000, 0x500),  # HSION
            (0x4002100C, 1 << 29 | 1 << 28 | 8 << 8 | 2),  # HSI16, times 8, by 2 (R, which is on)
            (0x40022000, 0x40700),  # FLASH_ACR: prefetch,
            (0x40022000, 0x40702),  # two wait states above 48 MHz
            (0x40021000, 0x01000500),  # PLLON
            (0x40021008, 2),  # SW: PLLRCLK
        ],
    ),
    "nucleo_l476rg": (
        stm32_newer(2),
        {0x40021000: 0x63, 0x40022000: 0x600},
        [
            (0x40021000, 0x163),  # HSION; the processor is on MSI
            (0x4002100C, 1 << 24 | 10 << 8 | 2),  # HSI16, times 10, by 2
            (0x40022000, 0x700),
            (0x40022000, 0x704),  # four wait states above 64 MHz
            (0x40021000, 0x01000563),
            (0x40021008, 3),  # SW: PLL
        ],
    ),
    "zero": (
        samd21,
        {0x41004004: 0x80},
        [
            (0x41004004, 0x82),  # NVMCTRL CTRLB: a wait state
            (0x40000814, 0x60C),  # XOSC32K: STARTUP, EN32K, XTALEN,
            (0x40000814, 0x60E),  # ENABLE
            (0x40000C08, 1),  # GENDIV: generator 1
            (0x40000C04, 0x10501),  # GENCTRL: generator 1 from XOSC32K
            (0x40000C00, 0x41000000),  # CLKCTRL: DFLL48M from generator 1
            (0x40000824, 2),  # DFLLCTRL: ENABLE, without ONDEMAND
            (0x4000082C, 0x7DFF05B9),  # DFLLMUL: the largest steps, times 1465
            (0x40000824, 0xA06),  # MODE, QLDIS, WAITLOCK
            (0x40000C08, 0),
            (0x40000C04, 0x30700),  # generator 0 from DFLL48M, IDC
        ],
    ),
    "lm3s6965evb": (
        lm3s,
        {0x400FE060: 0x078E3AD1},
        [
            (0x400FE060, 0x2B90),  # PWRDN, BYPASS, XTAL 8 MHz (0EH), the internal oscillator; the crystal's is on
            (0x400FE060, 0x01C00B80),  # SYSDIV 3, USESYSDIV, BYPASS, XTAL; the main oscillator, the PLL on
            (0x400FE060, 0x01C00380),  # the same without BYPASS: 50 MHz
        ],
    ),
    "microbit": (nrf51, {}, [(0x40000100, 0), (0x40000000, 1)]),
    "microbit2": (nrf51, {}, [(0x40000100, 0), (0x40000000, 1)]),
    "pico": (
        rp2040,
        RP2040_AFTER_RESET,
        [
            (0x40008048, 1 << 11),  # CLK_PERI_CTRL: enable, from clk_sys
            (0x40024000, 0xAA0),  # XOSC: 1 to 15 MHz
            (0x4002400C, 47),  # STARTUP: 1 ms by 256 cycles
            (0x40026000, 0xFAB000),  # enable
            (0x4000B03C, 1),  # CLK_SYS_CTRL: clk_ref
            (0x40008030, 2),  # CLK_REF_CTRL: XOSC
            (0x4000E000, 1 << 12),  # PLL_SYS in reset,
            (0x4000F000, 1 << 12),  # and out of it
            (0x40028000, 1),  # REFDIV
            (0x40028008, 125),  # FBDIV: 1500 MHz
            (0x4002B004, 0x21),  # power for PLL and VCO
            (0x4002800C, 0x62000),  # by 6 and by 2: 125 MHz
            (0x4002B004, 8),  # power for the divider
            (0x4000803C, 0),  # CLK_SYS_CTRL: the other source will be the PLL,
            (0x4000A03C, 1),  # and now is
        ],
    ),
    "pico2": (
        rp2350,
        RP2350_AFTER_RESET,
        [
            (0x40010048, 1 << 11),  # CLK_PERI_CTRL: enable, from clk_sys
            (0x40048000, 0xAA0),  # XOSC: 1 to 15 MHz
            (0x4004800C, 47),  # STARTUP: 1 ms by 256 cycles
            (0x4004A000, 0xFAB000),  # enable
            (0x4001303C, 1),  # CLK_SYS_CTRL: clk_ref
            (0x40010030, 2),  # CLK_REF_CTRL: XOSC
            (0x40022000, 1 << 14),  # PLL_SYS in reset,
            (0x40023000, 1 << 14),  # and out of it
            (0x40050000, 1),  # REFDIV
            (0x40050008, 125),  # FBDIV: 1500 MHz
            (0x40053004, 0x21),  # power for PLL and VCO
            (0x4005000C, 0x52000),  # by 5 and by 2: 150 MHz
            (0x40053004, 8),  # power for the divider
            (0x4001003C, 0),  # CLK_SYS_CTRL: the other source will be the PLL,
            (0x4001203C, 1),  # and now is
        ],
    ),
}


@pytest.mark.parametrize("name", CLOCKS)
def test_clock(port: Callable[[str], PortOnThisMachine], name: str) -> None:
    reaction, after_reset, expected = CLOCKS[name]
    assert port(name).call(Chip(after_reset, reaction), "lf_port_clock_start") == expected


def as_the_rom_leaves_it(control: int, configuration: int, pll: int, locked: int) -> Callable[[dict[int, int]], None]:
    """A chip on its PLL: `locked` bits of the register `pll` stay as they are while the PLL is on; it stays on while it
    is the system's clock; SWS follows SW."""
    before: dict[int, int] = {}

    def reaction(registers: dict[int, int]) -> None:
        was_on, was_system = before.get(control, 0) >> 24 & 1, before.get(configuration, 0) >> 2 & 3
        if was_on and pll in before:
            registers[pll] = registers[pll] & ~locked | before[pll] & locked
        if was_system == 2:
            registers[control] |= 1 << 24
        registers[control] = registers[control] & ~(1 << 25) | (registers[control] >> 24 & 1) << 25
        registers[control] |= (registers[control] & 1) << 1 | (registers[control] >> 16 & 1) << 17
        registers[configuration] = registers[configuration] & ~0xC | (registers[configuration] & 3) << 2
        before.update(registers)

    return reaction


# What AN2606 says: the ROM runs at 24 MHz from the internal oscillator by the PLL (F1), at 60 MHz (F4).
AFTER_ROM = {
    "bluepill": (0x40021000, 0x40021004, 0x40021004, 0x003F0000, {0x40021000: 0x03000083, 0x40021004: 0x0010000A}),
    "netduinoplus2": (
        0x40023800,
        0x40023808,
        0x40023804,
        0xFFFFFFFF,
        {0x40023800: 0x03000083, 0x40023804: 0x0A400F08, 0x40023808: 0xA},
    ),
}


@pytest.mark.parametrize("name", AFTER_ROM)
def test_the_clock_behind_the_boot_loader_of_the_rom(port: Callable[[str], PortOnThisMachine], name: str) -> None:
    """It is the same as after a reset."""
    control, configuration, pll, locked, left = AFTER_ROM[name]
    reaction = as_the_rom_leaves_it(control, configuration, pll, locked)
    chip = Chip(left, reaction)
    reaction(chip.registers)
    port(name).call(chip, "lf_port_clock_start")
    expected = {address: value for address, value in CLOCKS[name][2]}
    assert chip.registers[pll] & locked == expected[pll] & locked
    assert chip.registers[configuration] & 0xF == 0xA and chip.registers[control] & 0x03030000 == 0x03030000


@pytest.mark.parametrize("name", ALL)
def test_a_clock_that_does_not_start_is_waited_for_no_longer_than_a_bound(
    port: Callable[[str], PortOnThisMachine], name: str
) -> None:
    """And the processor goes on with the clock that it has: nothing selects the PLL."""
    chip = Chip()
    written = port(name).call(chip, "lf_port_clock_start")
    assert 0 < chip.reads < 110_000
    last = CLOCKS[name][2][-1]
    assert name == "microbit" or last not in written


UARTS: dict[str, tuple[dict[int, int], Writes]] = {
    "stm32vldiscovery": (
        {0x40010804: 0x44444444},
        [
            (0x40021018, 0x4004),  # APB2ENR: USART1, port A
            (0x40010810, 1 << 10),  # PA10 up
            (0x40010804, 0x444448B4),  # CRH: PA9 alternate push-pull, PA10 input pulled up
            (0x40013808, 0xD0),  # BRR: 13.0
            (0x4001380C, 0x202C),  # UE, RXNEIE, TE, RE
            (0xE000E104, 1 << 5),  # line 37
        ],
    ),
    "bluepill": (
        {0x40010804: 0x44444444},
        [
            (0x40021018, 0x4004),
            (0x40010810, 1 << 10),
            (0x40010804, 0x444448B4),
            (0x40013808, 0x271),  # 39.0625
            (0x4001380C, 0x202C),
            (0xE000E104, 1 << 5),
        ],
    ),
    "netduinoplus2": (
        {},
        [
            (0x40023830, 4),  # AHB1ENR: port C
            (0x40023844, 1 << 5),  # APB2ENR: USART6
            (0x40020820, 0x08000000),  # AFRL: PC6 and PC7 are function 8
            (0x40020820, 0x88000000),
            (0x4002080C, 0x4000),  # PUPDR: PC7 up
            (0x40020800, 0xA000),  # MODER: both alternate
            (0x40011408, 0x2D9),  # 45.5625
            (0x4001140C, 0x202C),
            (0xE000E108, 1 << 7),  # line 71
        ],
    ),
    "nucleo_g071rb": (
        {0x50000000: 0xEBFFFFFF},
        [
            (0x40021034, 1),  # IOPENR: port A
            (0x4002103C, 1 << 17),  # APBENR1: USART2
            (0x50000020, 0x100),  # AFRL: PA2 and PA3 are function 1
            (0x50000020, 0x1100),
            (0x5000000C, 0x40),  # PUPDR: PA3 up
            (0x50000000, 0xEBFFFFAF),  # MODER: both alternate
            (0x4000440C, 556),  # BRR: 34.75
            (0x40004400, 0x2D),  # UE, RE, TE, RXNEIE
            (0xE000E100, 1 << 28),
        ],
    ),
    "nucleo_l476rg": (
        {0x48000000: 0xABFFFFFF},
        [
            (0x4002104C, 1),  # AHB2ENR: port A
            (0x40021058, 1 << 17),  # APB1ENR1: USART2
            (0x48000020, 0x700),
            (0x48000020, 0x7700),
            (0x4800000C, 0x40),
            (0x48000000, 0xABFFFFAF),
            (0x4000440C, 694),  # 43.375
            (0x40004400, 0x2D),
            (0xE000E104, 1 << 6),
        ],
    ),
    "zero": (
        {0x40000420: 0x10000},
        [
            (0x40000420, 0x10080),  # APBCMASK: SERCOM5
            (0x40000C00, 0x40190000),  # CLKCTRL: SERCOM5_CORE from generator 0
            (0x41004498, 1 << 23),  # OUTSET of port B: PB23 is pulled up
            (0x410044A8, 0xD3030040),  # WRCONFIG: PB22 is function D, INEN,
            (0x410044A8, 0xD3070080),  # and PB23, with PULLEN
            (0x42001C00, 1),  # CTRLA: SWRST
            (0x42001C00, 0x40310004),  # DORD, RXPO 3, TXPO 1, internal clock
            (0x42001C04, 0x30000),  # CTRLB: RXEN, TXEN
            (0x42001C0C, 63019),  # BAUD: 65536 * (1 - 16 * 115200 / 48 MHz)
            (0x42001C14, 0x40000),  # INTENSET: RXC
            (0x42001C00, 0x40310006),  # ENABLE
            (0xE000E100, 1 << 14),
        ],
    ),
    "lm3s6965evb": (
        {},
        [
            (0x400FE104, 1),  # RCGC1: UART0
            (0x400FE108, 1),  # RCGC2: port A
            (0x40004420, 3),  # AFSEL: PA0, PA1
            (0x40004510, 1),  # PUR: PA0, which receives
            (0x4000451C, 3),  # DEN
            (0x4000C030, 0),  # CTL: off
            (0x4000C024, 27),  # IBRD, FBRD: 27.127
            (0x4000C028, 8),
            (0x4000C02C, 0x70),  # LCRH: 8 bits, FIFOs
            (0x4000C034, 0),  # IFLS: at an eighth
            (0x4000C038, 0x50),  # IM: receive, receive time-out
            (0x4000C030, 0x301),  # UARTEN, TXE, RXE
            (0xE000E100, 1 << 5),
        ],
    ),
    "microbit": (
        {},
        [
            (0x50000508, 1 << 24),  # OUTSET
            (0x50000760, 3),  # PIN_CNF[24]: output
            (0x50000764, 12),  # PIN_CNF[25]: input, pulled up
            (0x4000250C, 24),  # PSELTXD, PSELRXD
            (0x40002514, 25),
            (0x40002524, 0x01D7E000),  # BAUDRATE: 115200
            (0x40002500, 4),  # ENABLE
            (0x40002304, 0x204),  # INTENSET: RXDRDY, ERROR
            (0x40002008, 1),  # STARTTX, STARTRX
            (0x40002000, 1),
            (0xE000E100, 1 << 2),
        ],
    ),
    "microbit2": (
        {},
        [
            (0x50000508, 1 << 6),
            (0x50000718, 3),  # PIN_CNF[6]
            (0x50000A20, 12),  # of port 1: PIN_CNF[8]
            (0x4000250C, 6),
            (0x40002514, 40),  # bit 5: port 1
            (0x40002524, 0x01D7E000),
            (0x40002500, 4),
            (0x40002304, 0x204),
            (0x40002008, 1),
            (0x40002000, 1),
            (0xE000E100, 1 << 2),
        ],
    ),
    "pico": (
        RP2040_AFTER_RESET,
        [
            (0x4000F000, 1 << 22 | 1 << 8 | 1 << 5),  # UART0, PADS_BANK0, IO_BANK0 out of reset
            (0x4001C008, 0x5A),  # GPIO1: input enabled, pulled up
            (0x40014004, 2),  # GPIO0, GPIO1: function 2, UART
            (0x4001400C, 2),
            (0x40034030, 0),
            (0x40034024, 67),  # 67.817
            (0x40034028, 52),
            (0x4003402C, 0x70),
            (0x40034034, 0),
            (0x40034038, 0x50),
            (0x40034030, 0x301),
            (0xE000E100, 1 << 20),
        ],
    ),
    "pico2": (
        RP2350_AFTER_RESET,
        [
            (0x40023000, 1 << 26 | 1 << 9 | 1 << 6),  # UART0, PADS_BANK0, IO_BANK0 out of reset
            (0x40038008, 0x5A),  # GPIO1: input enabled, pulled up, not isolated
            (0x40028004, 2),  # GPIO0, GPIO1: function 2, UART
            (0x4002800C, 2),
            (0x40038004, 0x52),  # GPIO0: not isolated
            (0x40070030, 0),
            (0x40070024, 81),  # 81.380
            (0x40070028, 24),
            (0x4007002C, 0x70),
            (0x40070034, 0),
            (0x40070038, 0x50),
            (0x40070030, 0x301),
            (0xE000E104, 1 << 1),  # line 33
        ],
    ),
}


def test_a_chip_of_revision_a2_gets_more_volts_before_its_pll(port: Callable[[str], PortOnThisMachine]) -> None:
    """Erratum of the LM3S6965: DID0 tells the revision, LDOPCTL sets the volts (lm3s6965.h)."""
    after_reset = {0x400FE060: 0x078E3AD1}
    as_ever = port("lm3s6965evb").call(Chip(after_reset, lm3s), "lf_port_clock_start")
    for revision, volts in ((0x1000_0002, [(0x400FE034, 0x1B)]), (0x1001_0002, [(0x400FE034, 0x1B)]), (0x0100, [])):
        chip = Chip({**after_reset, 0x400FE000: revision}, lm3s)
        assert port("lm3s6965evb").call(chip, "lf_port_clock_start") == volts + as_ever


@pytest.mark.parametrize("name", UARTS)
def test_console(port: Callable[[str], PortOnThisMachine], name: str) -> None:
    after_reset, expected = UARTS[name]
    reaction = {"pico": rp2040, "pico2": rp2350}.get(name)
    chip = Chip(after_reset, reaction)
    assert port(name).call(chip, "lf_port_console_start") + port(name).call(chip, "lf_port_receive_start") == expected


class Line(Chip):
    """Bytes come: each with its flags, as the UART tells them."""

    def __init__(self, name: str, coming: list[tuple[int, int]]) -> None:
        super().__init__()
        self.name, self.coming = name, list(coming)

    def read(self, address: int) -> int:
        byte, flags = self.coming[0] if self.coming else (0, 0)
        match self.name, address:
            case ("bluepill", 0x40013800):  # SR
                return flags
            case ("bluepill", 0x40013804):  # DR
                return self.taken()
            case ("nucleo_g071rb", 0x4000441C):  # ISR
                return flags
            case ("nucleo_g071rb", 0x40004424):  # RDR
                return self.taken()
            case ("pico", 0x40034018):  # FR
                return 0 if self.coming else 0x10
            case ("pico", 0x40034000):  # DR
                return flags | self.taken()
            case ("microbit", 0x40002124):  # ERROR
                return int(flags != 0)
            case ("microbit", 0x40002480):  # ERRORSRC
                return flags
            case ("microbit", 0x40002108):  # RXDRDY
                return int(bool(self.coming))
            case ("microbit", 0x40002518):  # RXD
                return self.taken()
        return 0

    def taken(self) -> int:
        return self.coming.pop(0)[0]


# Of a byte: whole, behind one that is lost, without a stop bit, a break; and the lines' interrupts.
FLAGS = {
    "bluepill": ((0x20, 0x28, 0x22, 0x22), 37),
    "pico": ((0, 0x800, 0x100, 0x500), 20),
    "nucleo_g071rb": ((0x20, 0x28, 0x22, 0x22), 28),
    "microbit": ((0, 1, 4, 12), 2),
}


@pytest.mark.parametrize("name", FLAGS)
def test_bytes_that_come_damaged_are_told(port: Callable[[str], PortOnThisMachine], name: str) -> None:
    """And not handed out; the nRF51 does not say which it is."""
    (whole, behind, damaged, broken), line = FLAGS[name]
    board = port(name)
    for coming, given, lost in (
        ([(65, whole), (66, whole)], b"AB", False),
        ([(65, whole), (66, behind)], b"AB", True),
        ([(65, whole), (66, damaged), (67, whole)], b"ABC" if name == "microbit" else b"AC", True),
        ([(0, broken)], b"\0" if name == "microbit" else b"", True),
    ):
        board.call(Line(name, coming), f"__vector_{line}")
        board.library.lf_port_console_read.restype = ctypes.c_int16
        read = iter(board.library.lf_port_console_read, -1)
        assert (bytes(read), board.library.lf_port_console_overrun() > 0) == (given, lost), coming


TICKS = {
    "stm32vldiscovery": 24_000,
    "bluepill": 72_000,
    "netduinoplus2": 168_000,
    "lm3s6965evb": 50_000,
    "pico": 125_000,
    "pico2": 150_000,
    "nucleo_g071rb": 64_000,
}


@pytest.mark.parametrize("name", TICKS)
def test_tick(port: Callable[[str], PortOnThisMachine], name: str) -> None:
    expected = [(0xE000E014, TICKS[name] - 1), (0xE000E018, 0), (0xE000E010, 7)]
    assert port(name).call(Chip(), "lf_port_tick_start") == expected


def test_tick_without_systick(port: Callable[[str], PortOnThisMachine]) -> None:
    assert port("microbit").call(Chip(), "lf_port_tick_start") == [
        (0x4000A004, 1),  # TIMER2: stop
        (0x4000A504, 0),  # MODE: timer
        (0x4000A508, 0),  # BITMODE: 16
        (0x4000A510, 4),  # PRESCALER: 16 MHz by 2^4
        (0x4000A540, 1000),  # CC[0]
        (0x4000A200, 1),  # SHORTS: COMPARE[0] clears
        (0x4000A140, 0),  # EVENTS_COMPARE[0]
        (0x4000A304, 1 << 16),  # INTENSET
        (0x4000A00C, 1),  # clear
        (0xE000E100, 1 << 10),
        (0x4000A000, 1),  # start
    ]
