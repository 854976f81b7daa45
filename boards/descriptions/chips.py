"""What the ports know of each chip, so that a board's description can be checked against it."""

from __future__ import annotations

from dataclasses import dataclass

AVR = "avr-unknown-unknown-eabi"
V6M, V7M, V7EM, V8M = (f"thumb{version}-unknown-none-eabi" for version in ("v6m", "v7m", "v7em", "v8m.main"))

RV32, RV32E = "riscv32-unknown-none-elf", "riscv32-ilp32e-none-elf"


@dataclass(frozen=True, slots=True)
class Chip:
    architecture: str  # the folder of its port
    triple: str  # its instruction set
    model: str  # its processor, as LLVM names it
    uarts: tuple[str, ...]  # that can be the console
    ticks: tuple[str, ...]  # what can count the milliseconds
    modules: tuple[str, ...]  # folders of lfc/library/chips: what the library's drivers stand on
    ports: str  # the letters of its ports; empty: its pins have numbers only
    pins: int  # of each port; without ports, of the chip
    channels: int  # of its converter of voltages
    needs_pins: bool = False  # the UART can be on many pins: the board says on which
    long_returns: bool = False  # its program counter has 22 bits: a return address takes three bytes, whatever is used
    needs_crystal: bool = False  # its frequency says how the clock is set up
    small: bool = False  # an AVR of 8 KB: no JMP, CALL, MUL; a vector is one word, and jumps go round the flash's end

    @property
    def vector_size(self) -> int:
        """Bytes of an entry in the table of interrupts."""
        return 2 if self.small else 4


USB = "USB"  # among the UARTs: a serial line over the chip's own USB
NONE = "NONE"  # among them: the board has no console
F1_UARTS = ("USART1", "USART2", "USART3")
F1_MODULES = (
    *("stm32f1", "stm32f1_pins", "stm32", "stm32_reset", "stm32_serial", "stm32_edges", "stm32_spi", "systick", "wire"),
    "stm32f1_flash",
)
F4_MODULES = ("stm32f4", "stm32_pins", "stm32", "stm32_serial", "stm32_edges", "stm32_spi", "systick", "wire")
PORTS_OF_MEGA = "ABCDEFGHJKL"
CHIPS = {
    "atmega328p": Chip(
        *("avr", AVR, "atmega328p", ("USART0",), ("TIMER1",)),
        ("atmega328p", "atmega", "avr", "wire"),
        ports="BCD",
        pins=8,
        channels=8,
    ),
    "atmega2560": Chip(
        *("avr", AVR, "atmega2560", ("USART0",), ("TIMER1",)),
        ("atmega2560", "atmega", "avr", "wire"),
        ports=PORTS_OF_MEGA,
        pins=8,
        channels=16,
        long_returns=True,
    ),
    "attiny85": Chip(
        *("avr", AVR, "attiny85", (NONE,), ("TIMER0",)),
        ("attiny85", "avr", "wire"),
        ports="B",
        pins=6,
        channels=4,
        small=True,
    ),
    "nrf51822": Chip(
        *("cortexm", V6M, "cortex-m0", ("UART0",), ("TIMER0", "TIMER1", "TIMER2")),
        ("nrf51", "nrf", "nrf_flash"),
        ports="",
        pins=32,
        channels=8,
        needs_pins=True,
    ),
    **{
        name: Chip(
            *("cortexm", V7EM, "cortex-m4", ("UART0",), ("TIMER0", "TIMER1", "TIMER2")),
            ("nrf52", "nrf", "nrf_flash"),
            ports="",
            pins=pins,
            channels=0,
            needs_pins=True,
        )
        for name, pins in (("nrf52833", 42), ("nrf52840", 48))
    },
    "stm32f100": Chip(
        *("cortexm", V7M, "cortex-m3", F1_UARTS, ("SYSTICK",)),
        F1_MODULES,
        ports="ABCDEFG",
        pins=16,
        channels=16,
        needs_crystal=True,
    ),
    "stm32f103": Chip(
        *("cortexm", V7M, "cortex-m3", F1_UARTS, ("SYSTICK",)),
        F1_MODULES,
        ports="ABCDEFG",
        pins=16,
        channels=16,
        needs_crystal=True,
    ),
    **{
        name: Chip(
            *("cortexm", V7EM, "cortex-m4", ("USART1", "USART2", "USART6"), ("SYSTICK",)),
            ("stm32f4_small", *F4_MODULES),
            ports="ABCDEH",
            pins=16,
            channels=16,
            needs_crystal=True,
        )
        for name in ("stm32f401", "stm32f411")
    },
    **{
        name: Chip(
            *("cortexm", V7EM, "cortex-m4", (*F1_UARTS, "USART6"), ("SYSTICK",)),
            F4_MODULES,
            ports="ABCDEFGH",
            pins=16,
            channels=16,
            needs_crystal=True,
        )
        for name in ("stm32f405", "stm32f407")
    },
    **{
        name: Chip(
            *("cortexm", triple, model, ("USART1", "USART2"), ("SYSTICK",)),
            (name, "stm32_pins", "stm32_serial_new", "systick", "wire"),
            ports=ports,
            pins=16,
            channels=0,
        )
        for name, triple, model, ports in (
            ("stm32g071", V6M, "cortex-m0plus", "ABCDF"),
            ("stm32l476", V7EM, "cortex-m4", "ABCDEFGH"),
        )
    },
    "lm3s6965": Chip(
        *("cortexm", V7M, "cortex-m3", ("UART0",), ("SYSTICK",)),
        ("lm3s", "pl011", "pl022", "systick", "wire"),
        ports="ABCDEFG",
        pins=8,
        channels=4,
        needs_crystal=True,
    ),
    "samd21g18": Chip(
        *("cortexm", V6M, "cortex-m0plus", ("SERCOM0", "SERCOM5", USB), ("SYSTICK",)),
        ("samd21", "systick"),
        ports="",
        pins=64,
        channels=20,
        needs_crystal=True,
    ),
    "rp2040": Chip(
        *("cortexm", V6M, "cortex-m0plus", ("UART0", "UART1", USB), ("SYSTICK",)),
        ("rp2040", "rp", "pl011", "pl022", "systick", "wire"),
        ports="",
        pins=30,
        channels=4,
        needs_pins=True,
        needs_crystal=True,
    ),
    "rp2350": Chip(
        *("cortexm", V8M, "cortex-m33", ("UART0", "UART1"), ("SYSTICK",)),
        ("rp2350", "rp", "pl011", "pl022", "systick", "wire"),
        ports="",
        pins=30,
        channels=4,
        needs_pins=True,
        needs_crystal=True,
    ),
    "fe310": Chip(
        *("riscv", RV32, "sifive-e31", ("UART0", "UART1"), ("MTIME",)),
        ("fe310",),
        ports="",
        pins=32,
        channels=0,
        needs_crystal=True,
    ),
    **{
        name: Chip(
            *("riscv", RV32, "generic-rv32", ("UART0",), ("SYSTIMER",)),
            (name, "esp32"),
            ports="",
            pins=pins,
            channels=0,
            needs_crystal=True,
        )
        for name, pins in (("esp32c3", 22), ("esp32c6", 31))
    },
    "gd32vf103": Chip(
        *("riscv", RV32, "generic-rv32", ("USART0",), ("MTIME",)),
        ("gd32vf103", "stm32f1_pins", "stm32_serial", "stm32_edges", "stm32_reset", "stm32_spi"),
        ports="ABCDE",
        pins=16,
        channels=0,
        needs_crystal=True,
    ),
    "ch32v003": Chip(
        *("riscv", RV32E, "generic-rv32", ("USART1",), ("SYSTICK",)),
        ("ch32v003", "stm32f1_pins", "stm32_edges", "stm32_reset", "stm32_spi"),
        ports="ACD",
        pins=8,
        channels=0,
    ),
}
