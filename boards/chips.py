"""What the ports know of each chip, so that a board's description can be checked against it. Imports nothing."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Chip:
    architecture: str  # the folder of its port
    uarts: tuple[str, ...]  # that can be the console
    ticks: tuple[str, ...]  # what can count the milliseconds
    needs_pins: bool = False  # the UART can be on many pins: the board says on which
    needs_crystal: bool = False  # its frequency says how the clock is set up


CHIPS = {
    "atmega328p": Chip("avr", ("USART0",), ("TIMER1",)),
    "nrf51822": Chip("cortexm", ("UART0",), ("TIMER0", "TIMER1", "TIMER2"), needs_pins=True),
    "stm32f100": Chip("cortexm", ("USART1", "USART2", "USART3"), ("SYSTICK",), needs_crystal=True),
    "stm32f103": Chip("cortexm", ("USART1", "USART2", "USART3"), ("SYSTICK",), needs_crystal=True),
    "stm32f405": Chip("cortexm", ("USART1", "USART2", "USART3", "USART6"), ("SYSTICK",), needs_crystal=True),
    "lm3s6965": Chip("cortexm", ("UART0",), ("SYSTICK",), needs_crystal=True),
    "rp2040": Chip("cortexm", ("UART0", "UART1"), ("SYSTICK",), needs_pins=True, needs_crystal=True),
}

# Of each architecture, the instruction sets that code is generated for.
TRIPLES = {
    "avr": ("avr-unknown-unknown-eabi",),
    "cortexm": ("thumbv6m-unknown-none-eabi", "thumbv7m-unknown-none-eabi", "thumbv7em-unknown-none-eabi"),
}
