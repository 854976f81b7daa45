"""What the ATmega2560 has and the ATmega328P has not: code and initial values beyond 64 and 128 KB, return addresses of
three bytes, more interrupts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import build_firmware
from lfc.image.stack import compute_stack
from lfc.toolchain.elf import read_load_segments, read_symbol
from lfc.toolchain.failure import ImageError
from tests.boards.conftest import BuildC
from tests.boards.ports.c_programs import ECHO, TIME, both
from tests.differential.stepwise import machine_of_source


@pytest.fixture(scope="module")
def mega() -> Board:
    return load_board("mega2560")


@both
def test_console(mega: Board, build_c_for: BuildC, emulator: str) -> None:
    image = build_c_for(mega, ECHO, ["lf_memory"])
    told = bytes([0, 10, 13, 65, 0xFE])
    outcome = emulate(mega, image.elf, emulator, console_input=told + b"\xff", symbols=["lf_memory"])
    assert (outcome.end, outcome.console) == ("halted", b"ready\n" + told)
    assert outcome.memory == {"lf_memory": bytes([1, 2, 0, 6])}
    assert read_symbol(image.elf, "lf_memory").target_address >= 0x200


def test_time_passes(mega: Board, build_c_for: BuildC) -> None:
    outcome = emulate(mega, build_c_for(mega, TIME, ["lf_memory"]).elf, "simavr", symbols=["lf_memory"])
    assert outcome.memory["lf_memory"] == bytes(4) + (300).to_bytes(4, "little")


PADDING = """
#define PADDING __attribute__((section(".text.padding"))) const uint8_t
PADDING padding_0[30000] = {1};
PADDING padding_1[LENGTH] = {1};
#ifdef LF_FURTHER
PADDING padding_2[30000] = {1};
PADDING padding_3[30000] = {1};
PADDING padding_4[30000] = {1};
#endif
"""


@both
def test_code_beyond_128_kb(mega: Board, build_c_for: BuildC, emulator: str) -> None:
    source = (
        "#define LF_FURTHER\n#define LENGTH 30000\n"
        + PADDING
        + """
uint8_t lf_memory[2];
void lf_main(void)
{
    lf_memory[0] = lf_port_in8(0x2A);
    lf_memory[1] = (uint8_t)lf_port_milliseconds();
    lf_port_halt();
}
"""
    )
    image = build_c_for(mega, source, ["lf_memory", *(f"padding_{i}" for i in range(5))])
    assert read_symbol(image.elf, "lf_port_halt").address > 0x20000
    outcome = emulate(mega, image.elf, emulator, symbols=["lf_memory"])
    assert (outcome.end, outcome.memory["lf_memory"]) == ("halted", bytes(2))


def test_initial_values_across_64_kb(mega: Board, build_c_for: BuildC) -> None:
    """They begin below and end above; where is told by a first image. In simavr only: QEMU's ELPM ignores RAMPZ."""
    source = (
        PADDING
        + """
uint8_t lf_memory[200] = {[0] = 1, [50] = 50, [99] = 99, [150] = 150, [199] = 199};
void lf_main(void) { lf_memory[0] = (uint8_t)(lf_memory[0] + lf_port_in8(0x2A)); lf_port_halt(); }
"""
    )
    exported = ["lf_memory", "padding_0", "padding_1"]
    first = build_c_for(mega, source.replace("LENGTH", "30000"), exported)
    missing = 0x10000 - 100 - read_load_segments(first.elf)[-1].load_address
    image = build_c_for(mega, source.replace("LENGTH", str(30000 + missing)), exported)
    assert abs(read_load_segments(image.elf)[-1].load_address - (0x10000 - 100)) <= 4
    expected = bytearray(200)
    expected[0], expected[50], expected[99], expected[150], expected[199] = 1, 50, 99, 150, 199
    outcome = emulate(mega, image.elf, "simavr", symbols=["lf_memory"])
    assert (outcome.end, outcome.memory["lf_memory"]) == ("halted", bytes(expected))


def test_constants_beyond_what_lpm_reaches_are_refused(mega: Board, build_c_for: BuildC) -> None:
    source = """
static const __flash uint8_t a[32767] = {1}, b[32767] = {2};
void lf_main(void) { uint16_t i = lf_port_in16(0x2A); lf_port_out8(0x25, a[i] + b[i]); lf_port_halt(); }
"""
    with pytest.raises(ImageError) as caught:
        build_c_for(mega, source)
    assert "constants in flash take more than the 64 KB that LPM reaches" in caught.value.detail


def test_a_call_takes_three_bytes(mega: Board, build_c_for: BuildC) -> None:
    source = """
__attribute__((noinline)) void inner(void) { lf_port_out8(0x25, 1); }
__attribute__((noinline)) void outer(void) { inner(); lf_port_out8(0x25, 2); }
void lf_main(void) { outer(); lf_port_halt(); }
"""
    image = build_c_for(mega, source, ["inner", "outer"])
    stack = compute_stack(image.elf, True, {})
    assert stack.main == emulate(mega, image.elf, "simavr").stack == 6


def test_a_call_takes_three_bytes_on_a_board_that_names_less_flash(mega: Board) -> None:
    """The chip decides, not what the board's description leaves to the program."""
    machine = machine_of_source(Source("Small.lf", "MODULE Small; VAR n : UINT8; BEGIN n := 1 END Small."))
    small = replace(mega, flash=replace(mega.flash, size=128 * 1024))
    assert build_firmware(small, machine).stack.total == build_firmware(mega, machine).stack.total


def test_an_interrupt_that_only_this_chip_has(mega: Board) -> None:
    """Timer 5, overflow: number 50."""
    text = """MODULE Test;
IMPORT SYSTEM;
CONST TCCR5B = 121H; TIMSK5 = 73H;
VAR n : INTEGER;
PROCESS Counter;
BEGIN
  PORTOUT(TIMSK5, 1); PORTOUT(TCCR5B, 1);
  WHILE n < 3 DO SYSTEM.INT[50]?INTERRUPT; INC(n) END
END Counter;
BEGIN CREATE Counter END Test.
"""
    machine = machine_of_source(Source("Test.lf", text))
    firmware = build_firmware(mega, machine)
    outcome = run_in_simavr(mega, firmware.image.elf, seconds=0.1, symbols=["lf_memory"])
    block = bytearray(outcome.memory["lf_memory"][firmware.block_offset :])
    (offset,) = machine.layout.variables.values()
    assert block[offset : offset + 4] == (3).to_bytes(4, "little")
    block[offset : offset + 4] = bytes(4)
    assert not any(block)  # nobody waits, nothing is pending
