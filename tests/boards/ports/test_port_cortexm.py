"""The Cortex-M port: what small programs over it do on each board that QEMU has."""

from __future__ import annotations

import re
import struct
import threading
import time

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.qemu import run_in_qemu
from lfc.link.link import link_image
from lfc.toolchain.elf import read_sizes, read_symbol, read_symbols
from tests.boards.conftest import BuildC
from tests.boards.cortexm import ALL, IN_QEMU, emulated
from tests.boards.ports.c_programs import FOREVER, HALT, LIFE, REGISTERS, UNEXPECTED

boards = pytest.mark.parametrize("name", IN_QEMU)


@boards
def test_memory_time_sleep_and_console(build_c_for: BuildC, name: str) -> None:
    board = emulated(name)
    image = build_c_for(board, LIFE, ["lf_memory"])
    told = bytes([0, 10, 13, 65, 0xFE])
    begin = time.monotonic()
    outcome = emulate(board, image.elf, "qemu", console_input=told + b"\xff", symbols=["lf_memory"])
    assert time.monotonic() - begin >= 0.2  # a tick that is too fast would show here
    assert (outcome.end, outcome.console) == ("halted", b"ready\n" + told)
    initial, cleared, start, slept, end = struct.unpack("<5I", outcome.memory["lf_memory"])
    assert (initial, cleared) == (0x01020304, 0)
    assert start <= 20 and 200 <= end <= 220
    assert 1 <= slept <= end + 10  # once for each tick


@boards
def test_a_full_buffer_loses_bytes_and_says_so(build_c_for: BuildC, name: str) -> None:
    board = emulated(name)
    image = build_c_for(
        board,
        """
void lf_main(void)
{
    while (lf_port_milliseconds() < 250)
        lf_port_idle();
    write_text(lf_port_console_overrun() ? "lost " : "all ");
    write_text(lf_port_console_overrun() ? "lost " : "no more ");
    for (int16_t byte; (byte = lf_port_console_read()) >= 0;)
        lf_port_console_write((uint8_t)byte);
    lf_port_halt();
}
""",
    )
    few, many = bytes(range(65, 97)), bytes(range(65, 98))
    assert emulate(board, image.elf, "qemu", console_input=few).console == b"all no more " + few
    assert emulate(board, image.elf, "qemu", console_input=many).console == b"lost no more " + few


@boards
def test_an_interrupt_that_nobody_handles_stops_the_program(build_c_for: BuildC, name: str) -> None:
    outcome = emulate(emulated(name), build_c_for(emulated(name), UNEXPECTED).elf, "qemu", seconds=2)
    assert (outcome.end, outcome.console) == ("halted", b"")


def test_an_interrupt_is_handled_by_the_routine_of_its_line(build_c_for: BuildC) -> None:
    routine = 'void __vector_20(void);\nvoid __vector_20(void) { write_text("20"); lf_port_halt(); }\n'
    image = build_c_for(emulated("lm3s6965evb"), routine + UNEXPECTED)
    outcome = emulate(emulated("lm3s6965evb"), image.elf, "qemu", seconds=2)
    assert (outcome.end, outcome.console) == ("halted", b"20")


# What a boot loader may leave behind: line 20 enabled, line 21 pending; and 52, 53 in the second word.
STARTED_ANEW = """
_Noreturn void lf_start(void);
static volatile uint32_t *const kept = (volatile uint32_t *)0x20001000;
void lf_main(void)
{
    if (*kept == 0x5AFE) {
        lf_port_out32(0xE000E200, 1u << 20);
        lf_port_out32(0xE000E204, 1u << 20);
        lf_port_out32(0xE000E100, 1u << 21);
        lf_port_out32(0xE000E104, 1u << 21);
        lf_port_milliseconds();
        write_text("started anew");
        lf_port_halt();
    }
    *kept = 0x5AFE;
    lf_port_out32(0xE000E100, 1u << 20);
    lf_port_out32(0xE000E104, 1u << 20);
    lf_port_out32(0xE000E200, 1u << 21);
    lf_port_out32(0xE000E204, 1u << 21);
    lf_start();
}
"""


@pytest.mark.parametrize("name", ["stm32vldiscovery", "netduinoplus2"])
def test_interrupts_that_a_boot_loader_left_enabled(build_c_for: BuildC, name: str) -> None:
    image = build_c_for(emulated(name), STARTED_ANEW)
    assert read_symbol(image.elf, "lf_stack_top").target_address > 0x20001100
    outcome = emulate(emulated(name), image.elf, "qemu", seconds=2)
    assert (outcome.end, outcome.console) == ("halted", b"started anew")


def test_a_fault_of_the_processor_stops_the_program(build_c_for: BuildC) -> None:
    image = build_c_for(emulated("microbit"), FOREVER.replace("write", "lf_port_in8(0x60000000); write"))
    outcome = emulate(emulated("microbit"), image.elf, "qemu", seconds=2)
    assert (outcome.end, outcome.console) == ("halted", b"")


@pytest.mark.parametrize("name", ["microbit", "lm3s6965evb"])
def test_registers_at_every_address(build_c_for: BuildC, name: str) -> None:
    """Cortex-M0 has no unaligned access at all."""
    image = build_c_for(emulated(name), REGISTERS, ["lf_memory", "seen"])
    outcome = emulate(emulated(name), image.elf, "qemu", symbols=["lf_memory", "seen"])
    assert outcome.end == "halted"
    words = [int.from_bytes(bytes(range(i, i + 4)), "little") for i in range(4)]
    halves = [int.from_bytes(bytes([i, i, i + 1]), "little") for i in range(4)]
    assert struct.unpack("<8I", outcome.memory["seen"]) == (*words, *halves)
    assert outcome.memory["lf_memory"][8:] == bytes.fromhex("00 11 22 33 44 55 66 77")


def test_a_program_that_does_not_end_is_stopped(build_c_for: BuildC) -> None:
    outcome = emulate(emulated("microbit"), build_c_for(emulated("microbit"), FOREVER).elf, "qemu", seconds=0.5)
    assert (outcome.end, outcome.console) == ("time", b"here")


def test_a_run_is_stopped_from_outside(build_c_for: BuildC) -> None:
    stop, image = threading.Event(), build_c_for(emulated("lm3s6965evb"), FOREVER)
    timer = threading.Timer(3, stop.set)
    timer.start()
    outcome = run_in_qemu(emulated("lm3s6965evb"), image.elf, seconds=60, stop=stop)
    assert (outcome.end, outcome.console) == ("stopped", b"here")


@pytest.mark.parametrize("name", ALL)
def test_only_what_is_used_is_linked(name: str) -> None:
    board = load_board(name)
    image = link_image(board, [HALT])
    symbols = read_symbols(image.elf)
    assert not {"lf_port_woken", "memcpy", "__aeabi_uidiv"} & symbols.keys()
    assert symbols["__vector_systick"].address == symbols["unexpected_interrupt"].address
    assert symbols["lf_vectors"].address == board.flash.start + (256 if name == "pico" else 0)
    table = image.flash[board.flash.start][256 if name == "pico" else 0 :]
    top, reset = struct.unpack("<2I", table[:8])
    assert (top, reset) == (board.ram.start + board.ram.size, read_symbol(image.elf, "lf_start").address | 1)
    assert read_sizes(image.elf).ram == 0


@pytest.mark.parametrize("name", ALL)
def test_the_same_input_gives_the_same_bytes(build_c_for: BuildC, name: str) -> None:
    first, second = (build_c_for(load_board(name), LIFE, ["lf_memory"]) for _ in range(2))
    assert (first.elf, first.hex_text(), first.map) == (second.elf, second.hex_text(), second.map)
    assert not re.search(rb"/\w+/\w+", first.elf)  # no path of this machine
