"""Where the devices of the RISC-V chips lie, and what each processor has beside RV32I and C."""

from __future__ import annotations

from dataclasses import dataclass

M, A, E, CLIC = 1, 2, 4, 8  # RISCV_M and so on of cores/riscv.h
CORES = {"fe310": M | A, "ch32v003": E, "esp32c3": M, "esp32c6": M | A, "gd32vf103": M | A | CLIC}
DEVICES = {
    "ch32v003": [(0x40000000, 0x24000)],  # where the chip has any: first addresses, sizes
    "esp32c3": [(0x60000000, 0x45000), (0x600C0000, 0x1000)],
    "gd32vf103": [(0x40000000, 0x24000)],
    "esp32c6": [(0x60000000, 0x10000), (0x60080000, 0x1A000), (0x600B0000, 0x4000), (0x600C5000, 0x1000)],
    "fe310": [(0x10000000, 0x200), (0x10008000, 0x100), (0x10010000, 0x26000)],
}


@dataclass(frozen=True, slots=True)
class Transmitter:
    """Of a kind of UART: offsets of its registers, and what its status says."""

    status: int
    data: int
    ready: int
    busy: int


@dataclass(frozen=True, slots=True)
class Controller:
    """Of interrupts: its registers, and those of the machine timer; addresses and sizes."""

    lines: tuple[tuple[int, int], ...]
    timer: tuple[tuple[int, int], ...]


SIFIVE = Transmitter(0x00, 0x00, 0, 0x80000000)
WCH = Transmitter(0x00, 0x04, 0x80, 0)
ESP32 = Transmitter(0x1C, 0x00, 0, 127 << 16)  # a byte in its FIFO keeps it as busy as a full one would
UARTS = {
    "ch32v003": {"USART1": (0x40013800, WCH)},
    "gd32vf103": {"USART0": (0x40013800, WCH)},
    "esp32c3": {"UART0": (0x60000000, ESP32)},
    "esp32c6": {"UART0": (0x60000000, ESP32)},
    "fe310": {"UART0": (0x10013000, SIFIVE), "UART1": (0x10023000, SIFIVE)},
}
CONTROLLERS = {
    "ch32v003": Controller(((0xE000E000, 0x400),), ((0xE000F000, 0x14),)),  # PFIC; SysTick
    "gd32vf103": Controller(((0xD2000000, 0x1200),), ((0xD1000000, 0x10),)),  # ECLIC; the core's timer
    # the matrix, with the core's interrupts; the system timer, which is among the devices
    "esp32c3": Controller(((0x600C2000, 0x198),), ()),
    "esp32c6": Controller(((0x60010000, 0x140), (0x20001000, 0x94)), ()),
    # of the PLIC priorities, the enabled lines, threshold and claim; CLINT
    "fe310": Controller(
        ((0x0C000000, 0x100), (0x0C002000, 0x10), (0x0C200000, 0x10)), ((0x02004000, 0x10), (0x0200BFF8, 8))
    ),
}
