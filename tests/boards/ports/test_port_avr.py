"""The AVR port: what small programs over it do, the same in simavr and in QEMU."""

from __future__ import annotations

import ctypes
import shutil
from pathlib import Path

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.emulate import emulate
from lfc.link.port import runtime_folder
from lfc.toolchain.c_library import C_LIBRARY_ALONE
from lfc.toolchain.run_tools import run_tool
from tests.boards.conftest import BuildC
from tests.boards.ports.c_programs import ECHO, TIME, both


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
    # The transmitter is ready, so its interrupt comes as soon as it is enabled. It has no routine in a program
    # that writes only as a fault does.
    image = build_c("void lf_main(void) { lf_port_out8(0xC1, 0x28); for (;;) lf_port_console_put(65); }")
    outcome = emulate(uno, image.elf, emulator, seconds=2)
    assert (outcome.end, outcome.console) == ("halted", b"")


@both
def test_a_program_that_does_not_end_is_stopped(uno: Board, build_c: BuildC, emulator: str) -> None:
    image = build_c('void lf_main(void) { write_text("here"); for (;;) { lf_port_idle(); } }')
    outcome = emulate(uno, image.elf, emulator, seconds=1)
    assert (outcome.end, outcome.console) == ("time", b"here")


# The USART: UCSR0A and UDR0, as the receiver's routine finds them.
PLAYED_CHIP = """
#include <stdint.h>
#define LF_UCSR0A 0
#define LF_UDR0 1
#define LF_UCSR0B 2
#define LF_VECTOR_USART0_RX 18
#define LF_INTERRUPT(vector) void came(void); void came(void)
extern uint8_t registers[3];
static inline volatile uint8_t *lf_register(uint16_t at) { return &registers[at]; }
"""
GLUE = "#include <stdint.h>\nuint8_t registers[3];\nvolatile uint8_t lf_port_woken;\n"


def test_bytes_that_come_damaged_are_told(tmp_path: Path) -> None:
    """Without a stop bit, as of a break; not handed out. No emulator has these: the routine runs on this machine."""
    root = tmp_path / "runtime"
    shutil.copytree(runtime_folder(), root)
    (root / "ports" / "avr" / "chip.h").write_text(PLAYED_CHIP)
    (root / "glue.c").write_text(GLUE)
    arguments = ["-std=c11", "-shared", "-fPIC", "-DLF_CONSOLE_BUFFER=32", "glue.c", "ports/avr/receive.c"]
    run_tool(
        "cc",
        [*arguments, "-fsanitize-trap=undefined", *C_LIBRARY_ALONE, "-o", "receive.so"],
        root,
        "the receiver cannot be compiled",
    )
    library = ctypes.CDLL(str(root / "receive.so"))
    library.lf_port_console_read.restype = ctypes.c_int16
    registers = (ctypes.c_uint8 * 3).in_dll(library, "registers")
    for coming, given, lost in (
        ([(65, 0x80), (66, 0x80)], b"AB", 0),
        ([(65, 0x80), (66, 0x88)], b"AB", 1),
        ([(65, 0x80), (0, 0x90), (67, 0x80)], b"AC", 1),
        ([(65, 0x98), (0, 0x90)], b"", 3),
    ):
        for byte, status in coming:
            registers[1], registers[0] = byte, status
            library.came()
        found = bytes(iter(library.lf_port_console_read, -1))
        assert (found, library.lf_port_console_overrun()) == (given, lost)
