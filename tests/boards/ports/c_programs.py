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
