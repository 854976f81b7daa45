"""Facts of the ESP32-C3 and the ESP32-C6, from Espressif's Technical Reference Manuals, by the titles of their chapters
and sections, the data sheets, and the boards' user guides, against the descriptions, the simulator and the port."""

from __future__ import annotations

import re

import pytest

from lfc.boards.descriptions.board import ESP_CHIPS, load_board
from lfc.boards.descriptions.chips import CHIPS
from lfc.boards.descriptions.interrupts import INTERRUPTS
from lfc.boards.emulators.chips.esp32_devices import PLACES, SYSTIMER_HZ
from lfc.front_end.chip_modules import REGISTERS
from lfc.isa.riscv.memory_map import CONTROLLERS, CORES, DEVICES, UARTS, A, M
from lfc.link.port import runtime_folder
from lfc.toolchain.esp_image import MAGIC

NAMES = ("esp32c3", "esp32c6")
C3, C6 = (load_board(name) for name in NAMES)
IN_C3, IN_C6 = (PLACES[name] for name in NAMES)
ROM_STACK_OF_C3, ROM_STACK_OF_C6 = 0x3FCD_C710, 0x4087_C610
FACTS = [
    ("C3, ESP-RISC-V CPU: RV32IMC", CORES["esp32c3"], M),
    ("C3, System and Memory, Internal SRAM 1 on the instruction bus", C3.flash.start, 0x4038_0000),
    ("C3, the same 128 KB further on the data bus", C3.ram.start, 0x3FC8_0000 + C3.flash.size),
    ("C3, ESP-IDF's bootloader.ld: the stack of the ROM", C3.ram.start + C3.ram.size, ROM_STACK_OF_C3 & ~0xFF),
    ("C3, Peripheral Address Mapping: UART 0", UARTS["esp32c3"]["UART0"][0], 0x6000_0000),
    ("C3, Peripheral Address Mapping: GPIO", IN_C3.gpio, 0x6000_4000),
    ("C3, Peripheral Address Mapping: Low-Power Management, WDTCONFIG0", IN_C3.rtc_watchdog, 0x6000_8000 + 0x90),
    ("C3, Peripheral Address Mapping: Timer Group 0", IN_C3.group, 0x6001_F000),
    ("C3, Peripheral Address Mapping: System Timer", IN_C3.systimer, 0x6002_3000),
    ("C3, Peripheral Address Mapping: Interrupt Matrix", IN_C3.matrix, 0x600C_2000),
    ("C3, Interrupt Matrix: 62 sources, of which 0 is the radio's", INTERRUPTS["esp32c3"], range(1, 62)),
    ("C3, Interrupt Matrix: status of the sources", IN_C3.status - IN_C3.matrix, 0xF8),
    ("C3, Interrupt Matrix: the core's interrupts, enabled", IN_C3.enabled - IN_C3.matrix, 0x104),
    ("C3, Interrupt Matrix: their priorities", IN_C3.priorities - IN_C3.matrix, 0x114),
    ("C3, Interrupt Matrix: their threshold", IN_C3.threshold - IN_C3.matrix, 0x194),
    ("C3, Interrupt Matrix: GPIO is source 16", IN_C3.gpio_source, 16),
    ("C3, Interrupt Matrix: UART 0 is source 21", IN_C3.uart_sources["UART0"], 21),
    ("C3, Interrupt Matrix: target 0 of the system timer is source 37", IN_C3.systimer_source, 37),
    ("C3, System Timer: 16 MHz", SYSTIMER_HZ, 16_000_000),
    ("C3, Reset and Clock: the crystal of 40 MHz", C3.cpu.crystal, 40_000_000),
    ("C3, IO MUX and GPIO Matrix: 22 pins", CHIPS["esp32c3"].pins, 22),
    ("C3, esptool, Firmware Image Format: the chip's number", (MAGIC, ESP_CHIPS["esp32c3"]), (0xE9, 5)),
    ("ESP32-C3-DevKitM-1: the BOOT button at 9, low when pressed", (C3.pins.button, C3.pins.button_low), (9, True)),
    ("ESP32-C3-DevKitM-1: TX is 21, RX is 20", (dict(C3.pins.names)["TX"], dict(C3.pins.names)["RX"]), (21, 20)),
    ("C6, High-Performance CPU: RV32IMAC", CORES["esp32c6"], M | A),
    ("C6, System and Memory, HP SRAM on both buses", C6.flash.start, 0x4080_0000),
    ("C6, the same 128 KB further", C6.ram.start, 0x4080_0000 + C6.flash.size),
    ("C6, ESP-IDF's bootloader.ld: the stack of the ROM", C6.ram.start + C6.ram.size, ROM_STACK_OF_C6 & ~0xFF),
    ("C6, Peripheral Address Mapping: UART 0", UARTS["esp32c6"]["UART0"][0], 0x6000_0000),
    ("C6, Peripheral Address Mapping: Timer Group 0", IN_C6.group, 0x6000_8000),
    ("C6, Peripheral Address Mapping: System Timer", IN_C6.systimer, 0x6000_A000),
    ("C6, Peripheral Address Mapping: Interrupt Matrix", IN_C6.matrix, 0x6001_0000),
    ("C6, Peripheral Address Mapping: GPIO", IN_C6.gpio, 0x6009_1000),
    ("C6, Peripheral Address Mapping: Low-Power Watchdog", IN_C6.rtc_watchdog, 0x600B_1C00),
    ("C6, Interrupt Matrix: 77 sources, of which 0 is the radio's", INTERRUPTS["esp32c6"], range(1, 77)),
    ("C6, Interrupt Matrix: status of the sources", IN_C6.status - IN_C6.matrix, 0x134),
    ("C6, ESP-IDF's plic_reg.h: the core's interrupts, enabled", IN_C6.enabled, 0x2000_1000),
    ("C6, ESP-IDF's plic_reg.h: their priorities", IN_C6.priorities, 0x2000_1010),
    ("C6, ESP-IDF's plic_reg.h: their threshold", IN_C6.threshold, 0x2000_1090),
    ("C6, Interrupt Matrix: GPIO is source 30", IN_C6.gpio_source, 30),
    ("C6, Interrupt Matrix: UART 0 is source 43", IN_C6.uart_sources["UART0"], 43),
    ("C6, Interrupt Matrix: target 0 of the system timer is source 57", IN_C6.systimer_source, 57),
    ("C6, Interrupt Matrix: FROM_CPU_INTR0 is source 22", IN_C6.software_source, 22),
    ("C6, Reset and Clock: the crystal of 40 MHz", C6.cpu.crystal, 40_000_000),
    ("C6, IO MUX and GPIO Matrix: pins 0 to 30", CHIPS["esp32c6"].pins, 31),
    ("C6, esptool, Firmware Image Format: the chip's number", ESP_CHIPS["esp32c6"], 13),
    ("ESP32-C6-DevKitC-1: the BOOT button at 9, low when pressed", (C6.pins.button, C6.pins.button_low), (9, True)),
    ("ESP32-C6-DevKitC-1: TX is 16, RX is 17", (dict(C6.pins.names)["TX"], dict(C6.pins.names)["RX"]), (16, 17)),
]


@pytest.mark.parametrize(("fact", "stated", "right"), FACTS, ids=[f[0] for f in FACTS])
def test_fact(fact: str, stated: object, right: object) -> None:
    assert stated == right, fact


def test_there_are_twenty_of_each() -> None:
    for chip in ("C3", "C6"):
        assert sum(chip in fact.split(",")[0] for fact, _, _ in FACTS) >= 20


@pytest.mark.parametrize("name", NAMES)
def test_the_port_has_the_same_addresses(name: str) -> None:
    header = (runtime_folder() / "ports" / "riscv" / "chips" / f"{name}.h").read_text()
    written = {
        n: int(v.rstrip("u"), 0) for n, v in re.findall(r"^#define (\w+) (\w+)(?: |$)", header, re.M) if v[0].isdigit()
    }
    place = PLACES[name]
    assert written["LF_MATRIX_AT"] == place.matrix and written["LF_MATRIX_STATUS"] == place.status
    assert written["LF_CORE_ENABLE"] == place.enabled and written["LF_CORE_PRIORITY"] == place.priorities
    assert written["LF_CORE_THRESHOLD"] == place.threshold and written["LF_TICK_SOURCE"] == place.systimer_source
    assert written["LF_SYSTIMER_AT"] == place.systimer and written["TIMER_GROUP_0"] == place.group
    assert written["RTC_WATCHDOG"] == place.rtc_watchdog and written["RTC_WATCHDOG_KEY"] == place.rtc_watchdog_key
    assert written["LF_UART_AT"] == UARTS[name]["UART0"][0] and written["LF_UART_LINE"] == place.uart_sources["UART0"]
    assert written["LF_LINES"] == INTERRUPTS[name].stop


@pytest.mark.parametrize("name", NAMES)
def test_every_device_is_where_a_program_may_look(name: str) -> None:
    places = [*DEVICES[name], *CONTROLLERS[name].lines]
    assert all(any(low <= at and at + size - 1 <= high for low, high in REGISTERS[name]) for at, size in places)
    spans = sorted((at, at + size) for at, size in places)
    assert all(end <= start for (_, end), (start, _) in zip(spans, spans[1:], strict=False))
