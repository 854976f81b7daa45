"""Where the devices of the Cortex-M chips lie, and which core each processor has."""

from __future__ import annotations

from dataclasses import dataclass

# As in enum thumb_core of thumb.h.
CORES = {"cortex-m0": 0, "cortex-m0plus": 1, "cortex-m3": 2, "cortex-m4": 3, "cortex-m33": 4}
SYSTEM = (0xE000E000, 0x1000)  # SysTick, interrupt controller, system control
F4 = [(0x40000000, 0x80000), (0x50000000, 0x61000)]
F4_SMALL = [(0x40000000, 0x27000), (0x50000000, 0x40000)]
NRF52 = [(0x40000000, 0x30000), (0x50000000, 0x1000)]
DEVICES = {  # where the chip has any: first addresses, sizes
    "nrf51822": [(0x40000000, 0x20000), (0x50000000, 0x1000)],
    "nrf52833": NRF52,
    "nrf52840": NRF52,
    "stm32f100": [(0x40000000, 0x24000)],
    "stm32f103": [(0x40000000, 0x24000)],
    "stm32f401": F4_SMALL,
    "stm32f405": F4,
    "stm32f407": F4,
    "stm32f411": F4_SMALL,
    "stm32g071": [(0x40000000, 0x24000), (0x50000000, 0x1800)],
    "stm32l476": [(0x40000000, 0x24000), (0x48000000, 0x2000)],
    "lm3s6965": [(0x40000000, 0x60000), (0x400FC000, 0x4000)],
    "samd21g18": [(0x00806000, 0x40), (0x40000000, 0x2000), (0x41004000, 0x1200), (0x42000000, 0x5000)],
    "rp2040": [
        *((0x40000000, 0x70000), (0xD0000000, 0x200), (0x18000000, 0x100)),
        *((0x50100000, 0x1000), (0x50110000, 0x1000), (0x50200000, 0x4000)),  # USB's memory, USB, PIO
    ],
    "rp2350": [(0x40010000, 0xCC000), (0x40108000, 0x4000), (0xD0000000, 0x200)],
}


@dataclass(frozen=True, slots=True)
class Transmitter:
    """Of a kind of UART: offsets of its registers, and what its status says."""

    status: int
    data: int
    ready: int
    busy: int
    clears: bool = False  # the status is set to 0 before each byte


NRF51 = Transmitter(0x11C, 0x51C, 1, 0, clears=True)
STM32 = Transmitter(0x00, 0x04, 0x80, 0)
STM32_NEW = Transmitter(0x1C, 0x28, 0x80, 0)
SERCOM = Transmitter(0x18, 0x28, 1, 0)
PL011 = Transmitter(0x18, 0x00, 0, 0x20)
F1_UARTS = {"USART1": (0x40013800, STM32), "USART2": (0x40004400, STM32), "USART3": (0x40004800, STM32)}
F4_UARTS = F1_UARTS | {"USART1": (0x40011000, STM32), "USART6": (0x40011400, STM32)}
F4_SMALL_UARTS = {name: at for name, at in F4_UARTS.items() if name != "USART3"}
UARTS = {
    "nrf51822": {"UART0": (0x40002000, NRF51)},
    **dict.fromkeys(("nrf52833", "nrf52840"), {"UART0": (0x40002000, NRF51)}),
    "stm32f100": F1_UARTS,
    "stm32f103": F1_UARTS,
    "stm32f401": F4_SMALL_UARTS,
    "stm32f405": F4_UARTS,
    "stm32f407": F4_UARTS,
    "stm32f411": F4_SMALL_UARTS,
    **dict.fromkeys(("stm32g071", "stm32l476"), {"USART1": (0x40013800, STM32_NEW), "USART2": (0x40004400, STM32_NEW)}),
    "lm3s6965": {"UART0": (0x4000C000, PL011)},
    "samd21g18": {"SERCOM0": (0x42000800, SERCOM), "SERCOM5": (0x42001C00, SERCOM)},
    "rp2040": {"UART0": (0x40034000, PL011), "UART1": (0x40038000, PL011)},
    "rp2350": {"UART0": (0x40070000, PL011), "UART1": (0x40078000, PL011)},
}
