"""Facts of the GD32VF103 and the Longan Nano, from GigaDevice's User Manual and data sheet, Nuclei's manual of the
Bumblebee core and Sipeed's page, by the titles of their chapters, against the descriptions, the simulator and the
port."""

from __future__ import annotations

import re

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.descriptions.interrupts import INTERRUPTS
from lfc.boards.descriptions.pins import BITS, LETTERS
from lfc.boards.emulators.chips import riscv_devices as simulated
from lfc.front_end.chip_modules import REGISTERS
from lfc.isa.riscv.memory_map import CLIC, CONTROLLERS, CORES, DEVICES, UARTS, A, M
from lfc.link.port import runtime_folder

NANO = load_board("longan_nano")
HEADER = (runtime_folder() / "ports" / "riscv" / "chips" / "gd32vf103.h").read_text()
ECLIC = (runtime_folder() / "ports" / "riscv" / "controllers" / "eclic.h").read_text()
WRITTEN = {n: v for n, v in re.findall(r"^#define (\w+) (\w+)(?: |$)", HEADER + ECLIC, re.M)}


def stated(name: str) -> int:
    return int(WRITTEN[name].rstrip("u"), 0)


FACTS = [
    ("Data sheet, Description: RV32IMAC", CORES["gd32vf103"], M | A | CLIC),
    ("User Manual, Memory map: main flash", NANO.flash.start, 0x0800_0000),
    ("Data sheet, Device information, GD32VF103CB: 128 KB of flash", NANO.flash.size, 128 * 1024),
    ("User Manual, Main features of the FMC: pages of 1 KB", NANO.flash.page, 1024),
    ("User Manual, Memory map: SRAM", NANO.ram.start, 0x2000_0000),
    ("Data sheet, Device information, GD32VF103CB: 32 KB of SRAM", NANO.ram.size, 32 * 1024),
    ("User Manual, Boot configuration: flash is aliased to 0", stated("LF_STARTS_AT_ALIAS"), 1),
    ("User Manual, Memory map: USART0", UARTS["gd32vf103"]["USART0"][0], 0x4001_3800),
    ("User Manual, Memory map: RCU", stated("RCC_CONTROL"), 0x4002_1000),
    ("User Manual, RCU_CFG1 at 2CH", stated("RCC_MORE") - stated("RCC_CONTROL"), 0x2C),
    ("User Manual, Memory map: GPIO port A, CTL1", stated("PORT_A_UPPER_PINS"), 0x4001_0800 + 4),
    ("User Manual, Memory map: FWDGT", simulated.FWDGT, 0x4000_3000),
    ("User Manual, Interrupt vector table: 87 of them", stated("LF_LINES"), 87),
    ("User Manual, Interrupt vector table: WWDGT is 19", INTERRUPTS["gd32vf103"].start, 19),
    ("User Manual, Interrupt vector table: USBFS, the last, is 86", INTERRUPTS["gd32vf103"][-1], 86),
    ("User Manual, Interrupt vector table: USART0 is 56", stated("LF_UART_LINE"), 56),
    ("Bumblebee, ECLIC: the core's timer is 7", stated("LF_SYSTICK_NUMBER"), 7),
    ("Bumblebee, Memory map: ECLIC", CONTROLLERS["gd32vf103"].lines[0][0], 0xD200_0000),
    ("Bumblebee, ECLIC registers: mth at 0BH", stated("LF_ECLIC_THRESHOLD") - stated("LF_ECLIC_AT"), 0xB),
    (
        "Bumblebee, ECLIC registers: those of interrupts at 1000H",
        stated("LF_ECLIC_LINES") - stated("LF_ECLIC_AT"),
        0x1000,
    ),
    ("Bumblebee, ECLIC registers: clicintie is the second byte", stated("LF_ECLIC_ENABLED"), 1 << 8),
    ("Bumblebee, TIMER registers: mtime", stated("LF_MTIME_AT"), 0xD100_0000),
    ("Bumblebee, TIMER registers: mtimecmp", stated("LF_MTIMECMP_AT"), 0xD100_0008),
    ("User Manual, System timer: a quarter of HCLK", simulated.CYCLES_OF_A_TICK, 4),
    ("Data sheet, Pinouts: PA9 is USART0_TX; ports A to E", CHIPS["gd32vf103"].ports, "ABCDE"),
    ("Longan Nano, Hardware: a crystal of 8 MHz", NANO.cpu.crystal, 8_000_000),
    (
        "Longan Nano, Hardware: red is PC13, on when low",
        (NANO.pins.led, NANO.pins.led_low),
        (LETTERS.index("C") * BITS + 13, True),
    ),
    ("Longan Nano, DFU: 28e9:0189", NANO.usb_ids, ((0x28E9, 0x0189),)),
]


@pytest.mark.parametrize(("fact", "found", "right"), FACTS, ids=[f[0] for f in FACTS])
def test_fact(fact: str, found: object, right: object) -> None:
    assert found == right, fact


def test_every_device_is_where_a_program_may_look() -> None:
    places = [*DEVICES["gd32vf103"], *CONTROLLERS["gd32vf103"].lines, *CONTROLLERS["gd32vf103"].timer]
    assert all(any(low <= at and at + size - 1 <= high for low, high in REGISTERS["gd32vf103"]) for at, size in places)
    assert simulated.ECLIC == stated("LF_ECLIC_LINES") and simulated.MTIME_OF_NUCLEI == stated("LF_MTIME_AT")
    assert (simulated.MTIMER_OF_NUCLEI, simulated.USART0_OF_GD32) == (7, 56)
