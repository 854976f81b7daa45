"""Small C programs over the ports, with what they print."""

from __future__ import annotations

import pytest

# Memory is initialised, time passes and the processor sleeps meanwhile; then what is received is sent back.
LIFE = """
uint32_t lf_memory[5] = {0x01020304};
static uint32_t cleared[3];
void lf_main(void)
{
    lf_memory[1] = cleared[0] | cleared[1] | cleared[2];
    lf_memory[2] = lf_port_milliseconds();
    while (lf_port_milliseconds() < 200) {
        lf_port_idle();
        lf_memory[3]++;
    }
    lf_memory[4] = lf_port_milliseconds();
    write_text("ready\\n");
    for (;;) {
        int16_t byte = lf_port_console_read();
        if (byte < 0) {
            lf_port_idle();
            continue;
        }
        if (byte == 0xFF)
            lf_port_halt();
        lf_port_console_write((uint8_t)byte);
    }
}
"""
# Line 20 is one that no part of the port uses.
UNEXPECTED = """
void lf_main(void)
{
    lf_port_out32(0xE000E100, 1u << 20);
    lf_port_out32(0xE000E200, 1u << 20);
    lf_port_milliseconds();
    write_text("on and on");
    for (;;) { }
}
"""
# The same on the FE310: line 20 is GPIO 12, an output that interrupts when it rises.
UNEXPECTED_ON_RISCV = """
void lf_enable_interrupts(uint32_t bits);
void lf_main(void)
{
    lf_port_out32(0x10012004, 1 << 12);
    lf_port_out32(0x10012008, 1 << 12);
    lf_port_out32(0x10012018, 1 << 12);
    lf_port_out32(0x0C000000 + 4 * 20, 1);
    lf_port_out32(0x0C002000, 1 << 20);
    lf_enable_interrupts(1 << 11);
    lf_port_out32(0x1001200C, 1 << 12);
    lf_port_milliseconds();
    write_text("on and on");
    for (;;) { }
}
"""

# On an ESP32: an interrupt that the program itself makes, led to the core's first. After `enabled` come priorities.
UNEXPECTED_ON_ESP32 = """
void lf_main(void)
{{
    lf_port_milliseconds();
    lf_port_out32({map}, 1);
    lf_port_out32({enabled} + 0x10 + 4, 1);
    lf_port_out32({enabled}, lf_port_in32({enabled}) | 1 << 1);
    lf_port_out32({software}, 1);
    write_text("on and on");
    for (;;) {{ }}
}}
"""

ECHO = """
uint8_t lf_memory[4] = {1, 2};
void lf_main(void)
{
    write_text("ready\\n");
    for (;;) {
        int16_t byte = lf_port_console_read();
        if (byte < 0) {
            lf_port_idle();
            continue;
        }
        lf_memory[3]++;
        if (byte == 0xFF)
            lf_port_halt();
        lf_port_console_write((uint8_t)byte);
    }
}
"""
TIME = """
uint32_t lf_memory[2];
void lf_main(void)
{
    lf_memory[0] = lf_port_milliseconds();
    while (lf_port_milliseconds() < 300)
        lf_port_idle();
    lf_memory[1] = lf_port_milliseconds();
    lf_port_halt();
}
"""
both = pytest.mark.parametrize("emulator", ["simavr", "qemu", "builtin"])

HALT = "declare void @lf_port_halt()\ndefine void @lf_main() {\n  call void @lf_port_halt()\n  ret void\n}\n"

FOREVER = 'void lf_main(void) { write_text("here"); for (;;) { lf_port_idle(); } }'

REGISTERS = """
uint8_t lf_memory[16] __attribute__((aligned(4))) = {0, 1, 2, 3, 4, 5, 6, 7};
uint32_t seen[8];
static volatile uint32_t offset[4] = {0, 1, 2, 3};
void lf_main(void)
{
    uint32_t at = (uint32_t)lf_memory;
    for (uint32_t i = 0; i < 4; i++) {
        seen[i] = lf_port_in32(at + offset[i]);
        seen[4 + i] = (uint32_t)lf_port_in16(at + offset[i]) << 8 | lf_port_in8(at + offset[i]);
    }
    lf_port_out32(at + 8 + offset[1], 0x44332211);
    lf_port_out16(at + 12 + offset[1], 0x6655);
    lf_port_out8(at + 12 + offset[3], 0x77);
    lf_port_halt();
}
"""

# Each function, with every distance from a word's begin of both sides and several lengths; what lies around stays.
MEMORY = """
void __aeabi_memcpy(void *, const void *, uint32_t);
void __aeabi_memmove(void *, const void *, uint32_t);
void __aeabi_memset(void *, uint32_t, int);
void __aeabi_memclr(void *, uint32_t);
int memcmp(const void *, const void *, uint32_t);
void *memcpy(void *, const void *, uint32_t);
void *memset(void *, int, uint32_t);
static const uint8_t lengths[] = {0, 1, 3, 4, 5, 11, 16};
uint8_t lf_memory[40] __attribute__((aligned(4)));
static uint8_t other[24] __attribute__((aligned(4)));
static void fill(void)
{
    for (volatile uint8_t i = 0; i < 40; i++) lf_memory[i] = (uint8_t)(100 + i);
    for (volatile uint8_t i = 0; i < 24; i++) other[i] = i;
}
static void put(void)
{
    for (volatile uint8_t i = 0; i < 40; i++) lf_port_console_write(lf_memory[i]);
    fill();
}
static void check(bool right)
{
    lf_port_console_write(right ? '+' : '-');
}
void lf_main(void)
{
    fill();
    for (uint32_t l = 0; l < sizeof lengths; l++)
        for (uint32_t to = 0; to < 4; to++) {
            volatile uint32_t n = lengths[l];
            for (uint32_t from = 0; from < 4; from++) {
                __aeabi_memcpy(lf_memory + 8 + to, other + from, n);
                put();
                __aeabi_memmove(lf_memory + 8 + to, lf_memory + 8 + from, n);
                put();
                check(memcpy(lf_memory + to, other + from, n) == lf_memory + to);
                check(memcmp(lf_memory + to, other + from, n) == 0);
                other[from + n] = 1;
                lf_memory[to + n] = 200;
                check(memcmp(lf_memory + to, other + from, n + 1) > 0);
                check(memcmp(other + from, lf_memory + to, n + 1) < 0);
                fill();
            }
            __aeabi_memset(lf_memory + 8 + to, n, 0x7A5);
            put();
            __aeabi_memclr(lf_memory + 8 + to, n);
            put();
            check(memset(lf_memory + 8 + to, 9, n) == lf_memory + 8 + to);
            put();
        }
    lf_port_halt();
}
"""


def bytes_after_memory_functions() -> bytes:
    expected = b""
    before = bytes(range(100, 140))
    for n in (0, 1, 3, 4, 5, 11, 16):
        for to in range(8, 12):
            for at in range(4):
                expected += before[:to] + bytes(range(at, at + n)) + before[to + n :]
                expected += before[:to] + before[8 + at : 8 + at + n] + before[to + n :] + b"++++"
            for filled in (b"\xa5", b"\0"):
                expected += before[:to] + filled * n + before[to + n :]
            expected += b"+" + before[:to] + b"\x09" * n + before[to + n :]
    return expected
