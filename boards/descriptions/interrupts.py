"""The numbers that each chip gives to its interrupts.

On AVR those of the vectors, from the reset's, 0; on Cortex-M and RISC-V those of the lines of the interrupt controller.
"""

from __future__ import annotations

INTERRUPTS = {
    "atmega328p": range(1, 26),
    "atmega2560": range(1, 57),
    "attiny85": range(1, 15),
    "nrf51822": range(0, 26),
    "nrf52833": range(0, 48),
    "nrf52840": range(0, 48),
    "stm32f100": range(0, 61),
    "stm32f103": range(0, 61),
    "stm32f401": range(0, 85),
    "stm32f405": range(0, 82),
    "stm32f407": range(0, 82),
    "stm32f411": range(0, 86),
    "stm32g071": range(0, 31),
    "stm32l476": range(0, 82),
    "lm3s6965": range(0, 44),
    "samd21g18": range(0, 28),
    "rp2040": range(0, 26),
    "rp2350": range(0, 52),
    "fe310": range(1, 53),
    "ch32v003": range(16, 39),
    "gd32vf103": range(19, 87),
    "esp32c3": range(1, 62),
    "esp32c6": range(1, 77),
}
