"""The built-in simulator: what programs do on each board that it has, as in QEMU and on this machine."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import board_names, load_board
from lfc.boards.descriptions.simulated import emulators_of
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.outcome import EmulatorError
from lfc.boards.emulators.quiet import MEMORY, positions_of
from lfc.image.firmware import build_firmware
from tests.boards.conftest import BuildC
from tests.boards.emulators.ends import end_on_this_machine
from tests.boards.ports.c_programs import LIFE, UNEXPECTED, UNEXPECTED_ON_ESP32, UNEXPECTED_ON_RISCV
from tests.differential.stepwise import machine_of, machine_of_source
from tests.support.example_runs import EXPECTED, input_of, program_of
from tests.support.seeds import seed_of_this_run

BOARDS = ["microbit", "stm32vldiscovery", "netduinoplus2", "lm3s6965evb", "bluepill", "hifive1", "ch32v003evt"]
BOARDS += ["esp32c3", "esp32c6", "longan_nano", "pico2", "nucleo_g071rb"]
boards = pytest.mark.parametrize("name", BOARDS)


UNEXPECTED_THERE = {
    "hifive1": (UNEXPECTED_ON_RISCV, 20),
    "esp32c3": (UNEXPECTED_ON_ESP32.format(software=0x600C0028, map=0x600C2000 + 4 * 50, enabled=0x600C2104), 50),
    "esp32c6": (UNEXPECTED_ON_ESP32.format(software=0x600C5090, map=0x60010000 + 4 * 22, enabled=0x20001000), 22),
}


def board_of(number: int) -> str:
    every = [*BOARDS, "uno", "mega2560", "pico", "nucleo_l476rg", "zero"]
    return every[(number + seed_of_this_run()) % len(every)]


@pytest.mark.parametrize(("expected", "name"), [(e, board_of(n)) for n, e in enumerate(EXPECTED)])
def test_examples(expected: Path, name: str) -> None:
    """Output, state block, and a stack that stays below its bound."""
    board, program, given = load_board(name), program_of(expected), input_of(expected)
    machine = machine_of(program)
    firmware = build_firmware(board, machine)
    quiet = positions_of(machine, firmware.block_offset)
    outcome = emulate(
        board, firmware.image.elf, "builtin", console_input=given, seconds=60, symbols=[MEMORY], quiet=quiet
    )
    assert outcome.end == "quiet"
    block = outcome.memory[MEMORY][firmware.block_offset :]
    assert (outcome.console, block) == end_on_this_machine(program, "rr", given)
    assert outcome.stack is not None and 0 < outcome.stack <= firmware.stack.total


@boards
def test_memory_time_sleep_and_console(build_c_for: BuildC, name: str) -> None:
    board = load_board(name)
    image = build_c_for(board, LIFE, ["lf_memory"])
    told = bytes([0, 10, 13, 65, 0xFE])
    outcome = emulate(board, image.elf, "builtin", console_input=told + b"\xff", symbols=["lf_memory"])
    assert (outcome.end, outcome.console) == ("halted", b"ready\n" + told)
    initial, cleared, start, slept, end = struct.unpack("<5I", outcome.memory["lf_memory"])
    assert (initial, cleared) == (0x01020304, 0)
    assert start <= 4 and end == 200
    assert end - 2 <= slept <= end + 10  # once for each tick
    cycles = outcome.cycles or 0
    assert 0.200 <= cycles / board.cpu.clock <= 0.210 + 40 * 10 / board.console.baud
    assert emulate(board, image.elf, "builtin", console_input=told + b"\xff").cycles == cycles


SPENDS_TIME = """
void lf_main(void)
{
    while (lf_port_milliseconds() < 250)
        lf_port_idle();
    write_text(lf_port_console_overrun() ? "lost " : "all ");
    for (int16_t byte; (byte = lf_port_console_read()) >= 0;)
        lf_port_console_write((uint8_t)byte);
    lf_port_halt();
}
"""


@boards
def test_a_full_buffer_loses_bytes_and_says_so(build_c_for: BuildC, name: str) -> None:
    board = load_board(name)
    image = build_c_for(board, SPENDS_TIME)
    few, many = bytes(range(65, 97)), bytes(range(65, 98))
    assert emulate(board, image.elf, "builtin", console_input=few).console == b"all " + few
    assert emulate(board, image.elf, "builtin", console_input=many).console == b"lost " + few


@pytest.mark.parametrize("name", [b for b in BOARDS if b not in ("ch32v003evt", "longan_nano")])  # nothing raises one
def test_an_interrupt_that_nobody_handles_stops_the_program(build_c_for: BuildC, name: str) -> None:
    board = load_board(name)
    source, line = UNEXPECTED_THERE.get(name, (UNEXPECTED, 20))
    outcome = emulate(board, build_c_for(board, source).elf, "builtin", seconds=0.1)
    assert (outcome.end, outcome.console) == ("halted", b"")
    routine = f'void __vector_{line}(void);\nvoid __vector_{line}(void) {{ write_text("20"); lf_port_halt(); }}\n'
    outcome = emulate(board, build_c_for(board, routine + source).elf, "builtin", seconds=0.1)
    assert (outcome.end, outcome.console) == ("halted", b"20")


INTERRUPTS = """MODULE Interrupts;
IMPORT Clock, Out, SYSTEM;
CONST RISES = 2080H; (* of a pin: at the core, when it rises *)
VAR pin3 AT %PIN3% : UINT32; status AT %STATUS% : UINT32; forget AT %FORGET% : UINT32;
  drive AT %DRIVE% : UINT32; high AT %HIGH% : UINT32; low AT %LOW% : UINT32;

PROCESS Waiter;
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 3 DO
    SYSTEM.INT[%SOURCE%]?INTERRUPT;
    Clock.Sleep(5);
    Out.Int(i);
    IF status = 8 THEN Out.Char("+") ELSE Out.Char("-") END;
    forget := 8;
    low := 8
  END;
  SELECT
    WHEN SYSTEM.INT[%SOURCE%]?INTERRUPT THEN Out.String(" again")
    WHEN Clock.After(100) THEN Out.String(" enough")
  END;
  high := 8;
  Clock.Sleep(20); (* it is kept until somebody asks for it *)
  SYSTEM.INT[%SOURCE%]?INTERRUPT;
  Out.String(" late")
END Waiter;

PROCESS Cause;
VAR i : UINT8;
BEGIN
  FOR i := 1 TO 3 DO Clock.Sleep(30); high := 8 END
END Cause;

BEGIN
  pin3 := RISES; drive := 8;
  CREATE Waiter;
  CREATE Cause
END Interrupts.
"""
GPIO = {"esp32c3": (0x60004000, 16), "esp32c6": (0x60091000, 30)}


@pytest.mark.parametrize("name", GPIO)
def test_sources_of_a_matrix_are_messages(name: str) -> None:
    """A pin's, through the interrupt of the core that all of them share; the tick has another."""
    base, source = GPIO[name]
    places = {"PIN3": 0x80, "STATUS": 0x44, "FORGET": 0x4C, "DRIVE": 0x24, "HIGH": 8, "LOW": 0xC}
    text = INTERRUPTS.replace("%SOURCE%", str(source))
    for place, offset in places.items():
        text = text.replace(f"%{place}%", f"0{base + offset:X}H")
    board, machine = load_board(name), machine_of_source(Source("Interrupts.lf", text))
    firmware = build_firmware(board, machine)
    quiet = positions_of(machine, firmware.block_offset)
    outcome = emulate(board, firmware.image.elf, "builtin", seconds=5, quiet=quiet)
    assert (outcome.end, outcome.console) == ("quiet", b"1+2+3+ enough late")


@pytest.mark.parametrize("name", GPIO)
def test_the_watchdog_that_guards_the_boot_is_turned_off(build_c_for: BuildC, name: str) -> None:
    """In the simulator it bites after half a second, as the chip's does some time; and so does one that is wanted."""
    board = load_board(name)
    source = 'void lf_main(void) { write_text("b"); while (lf_port_milliseconds() < 900) { } write_text("e"); %s }'
    once = emulate(board, build_c_for(board, source % "lf_port_halt();").elf, "builtin", seconds=2)
    assert (once.end, once.console) == ("halted", b"be")
    guarded = replace(board, watchdog=200)
    bitten = "void lf_port_watchdog_feed(void);\n" + source.replace('write_text("b");', "lf_port_watchdog_feed();" * 2)
    again = emulate(guarded, build_c_for(guarded, bitten % "for (;;) { }").elf, "builtin", seconds=2)
    assert (again.end, again.console) == ("time", b"")


RESETS = """
__attribute__((section(".noinit"))) uint32_t lf_memory[1];
void lf_main(void)
{
    if (lf_port_in32(LF_KEPT) == 0x12345678) {
        write_text("again");
        lf_port_halt();
    }
    lf_port_out32(LF_KEPT, 0x12345678);
    write_text("once ");
    lf_port_reset();
}
"""


@pytest.mark.parametrize("name", ["stm32vldiscovery", "hifive1", "ch32v003evt", "esp32c3", "esp32c6", "longan_nano"])
def test_a_reset_begins_anew(build_c_for: BuildC, name: str) -> None:
    """A word at the end of the RAM keeps its value; nothing else does."""
    board = load_board(name)
    kept = board.ram.start + board.ram.size - 512
    image = build_c_for(board, RESETS.replace("LF_KEPT", f"{kept:#x}u"))
    outcome = emulate(board, image.elf, "builtin", seconds=2)
    assert (outcome.end, outcome.console) == ("halted", b"once again")


@boards
def test_a_store_to_where_nothing_is_is_a_fault_of_the_processor(build_c_for: BuildC, name: str) -> None:
    """Whose routine stops the program."""
    board = load_board(name)
    source = 'void lf_main(void) { write_text("a"); lf_port_out32(0x70000000, 1); write_text("b"); for (;;) { } }\n'
    outcome = emulate(board, build_c_for(board, source).elf, "builtin", seconds=1)
    assert (outcome.end, outcome.console) == ("halted", b"a")


def test_boards_that_no_other_emulator_has() -> None:
    """Of these chips none can be had: what is said of them rests on the built-in simulator, whose cores are
    compared with unicorn's."""
    alone = {load_board(name).cpu.chip for name in board_names() if emulators_of(load_board(name)) == ["builtin"]}
    assert alone == {
        *("ch32v003", "esp32c3", "esp32c6", "gd32vf103", "nrf52833", "nrf52840", "rp2350", "samd21g18"),
        *("stm32f103", "stm32f401", "stm32f411", "stm32g071", "stm32l476"),
    }
    assert all(emulators_of(load_board(name)) for name in board_names())


def test_what_it_does_not_have_is_said() -> None:
    board = load_board("microbit")
    other = replace(board, cpu=replace(board.cpu, chip="unknown"))
    with pytest.raises(EmulatorError, match="cannot be simulated"):
        emulate(other, b"", "builtin")
