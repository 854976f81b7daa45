"""The AVR port: what small programs over it do, the same in simavr and in QEMU."""

from __future__ import annotations

import pytest

from lfc.boards.board import Board
from lfc.boards.emulate import emulate
from tests.boards.conftest import BuildC

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

both = pytest.mark.parametrize("emulator", ["simavr", "qemu"])


@both
def test_console(uno: Board, build_c: BuildC, emulator: str) -> None:
    image = build_c(ECHO, ["lf_memory"])
    told = bytes([0, 10, 13, 65, 0xFE])
    outcome = emulate(uno, image.elf, emulator, console_input=told + b"\xff", symbols=["lf_memory"])
    assert (outcome.end, outcome.console) == ("halted", b"ready\n" + told)
    assert outcome.memory == {"lf_memory": bytes([1, 2, 0, 6])}


@both
def test_time_passes(uno: Board, build_c: BuildC, emulator: str) -> None:
    outcome = emulate(uno, build_c(TIME, ["lf_memory"]).elf, emulator, symbols=["lf_memory"])
    assert outcome.end == "halted"
    start, end = outcome.memory["lf_memory"][:4], outcome.memory["lf_memory"][4:]
    assert int.from_bytes(start, "little") <= 20  # QEMU's clock goes on while other programs have the processor
    assert 300 <= int.from_bytes(end, "little") <= 320
    if outcome.cycles is not None:
        assert (int.from_bytes(start, "little"), int.from_bytes(end, "little")) == (0, 300)
        assert 299 <= outcome.cycles * 1000 / uno.cpu.clock <= 301


@both
def test_a_full_buffer_loses_bytes_and_says_so(uno: Board, build_c: BuildC, emulator: str) -> None:
    image = build_c(
        """
void lf_main(void)
{
    while (lf_port_milliseconds() < 200)
        lf_port_idle();
    write_text(lf_port_console_overrun() ? "lost " : "all ");
    write_text(lf_port_console_overrun() ? "lost " : "no more ");
    for (int16_t byte; (byte = lf_port_console_read()) >= 0;)
        lf_port_console_write((uint8_t)byte);
    lf_port_halt();
}
"""
    )
    few, many = bytes(range(65, 97)), bytes(range(65, 98))
    assert emulate(uno, image.elf, emulator, console_input=few).console == b"all no more " + few
    assert emulate(uno, image.elf, emulator, console_input=many).console == b"lost no more " + few


def test_an_idle_program_sleeps(uno: Board, build_c: BuildC) -> None:
    """In simavr only: QEMU's chips do not come back from SLEEP, and the port polls there."""
    image = build_c(
        """
uint32_t lf_memory;
void lf_main(void)
{
    while (lf_port_milliseconds() < 100) {
        lf_port_idle();
        lf_memory++;
    }
    lf_port_halt();
}
""",
        ["lf_memory"],
    )
    outcome = emulate(uno, image.elf, "simavr", symbols=["lf_memory"])
    assert 100 <= int.from_bytes(outcome.memory["lf_memory"], "little") <= 101  # once for each tick


@both
def test_an_interrupt_that_nobody_handles_stops_the_program(uno: Board, build_c: BuildC, emulator: str) -> None:
    # The transmitter is ready, so its interrupt comes as soon as it is enabled.
    image = build_c('void lf_main(void) { lf_port_out8(0xC1, 0x28); write_text("on and on"); for (;;) { } }')
    outcome = emulate(uno, image.elf, emulator, seconds=2)
    assert (outcome.end, outcome.console) == ("halted", b"")


@both
def test_a_program_that_does_not_end_is_stopped(uno: Board, build_c: BuildC, emulator: str) -> None:
    image = build_c('void lf_main(void) { write_text("here"); for (;;) { lf_port_idle(); } }')
    outcome = emulate(uno, image.elf, emulator, seconds=1)
    assert (outcome.end, outcome.console) == ("time", b"here")
