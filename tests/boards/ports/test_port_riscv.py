"""The RISC-V port: what small programs over it do on QEMU's HiFive1, and what its parts write into registers."""

from __future__ import annotations

import ctypes
import re
import struct
import time
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board, load_board, load_board_file
from lfc.boards.emulators.emulate import emulate
from lfc.image.stack import compute_stack
from lfc.link.link import link_image
from lfc.toolchain.elf import read_sizes, read_symbols
from lfc.toolchain.failure import ImageError
from tests.boards.conftest import BuildC
from tests.boards.ports.c_programs import FOREVER, HALT, LIFE, MEMORY, REGISTERS, bytes_after_memory_functions
from tests.boards.ports.register_log import Chip, PortOnThisMachine

BOARD = load_board("hifive1")


def test_memory_time_sleep_and_console(build_c_for: BuildC) -> None:
    image = build_c_for(BOARD, LIFE, ["lf_memory"])
    told = bytes([0, 10, 13, 65, 0xFE])
    begin = time.monotonic()
    outcome = emulate(BOARD, image.elf, "qemu", console_input=told + b"\xff", symbols=["lf_memory"])
    assert time.monotonic() - begin >= 0.2  # a tick that is too fast would show here
    assert (outcome.end, outcome.console) == ("halted", b"ready\n" + told)
    initial, cleared, start, slept, end = struct.unpack("<5I", outcome.memory["lf_memory"])
    assert (initial, cleared) == (0x01020304, 0)
    assert start <= 20 and 200 <= end <= 220
    assert 1 <= slept <= end + 10  # once for each tick


# Line 13 is GPIO 5, whose level the program itself makes: an output that is an input too, and interrupts when it rises.
GPIO = """
void lf_enable_interrupts(uint32_t bits);
#define GPIO 0x10012000
static void rise(void)
{
    lf_port_out32(GPIO + 0x04, 1 << 5);
    lf_port_out32(GPIO + 0x08, 1 << 5);
    lf_port_out32(GPIO + 0x18, 1 << 5);
    lf_port_out32(0x0C000000 + 4 * 13, 1);
    lf_port_out32(0x0C002000, 1 << 13);
    lf_enable_interrupts(1 << 11);
    lf_port_out32(GPIO + 0x0C, 1 << 5);
}
"""


def test_an_interrupt_that_nobody_handles_stops_the_program(build_c_for: BuildC) -> None:
    image = build_c_for(BOARD, GPIO + ('void lf_main(void) { rise(); write_text("on and on"); for (;;) { } }'))
    outcome = emulate(BOARD, image.elf, "qemu", seconds=10)
    assert (outcome.end, outcome.console) == ("halted", b"")


def test_an_interrupt_is_handled_by_the_routine_of_its_line(build_c_for: BuildC) -> None:
    """And completed behind it: it comes as often as its cause does."""
    source = """
static volatile uint8_t came;
void __vector_13(void);
void __vector_13(void) { came++; lf_port_out32(GPIO + 0x1C, 1 << 5); lf_port_out32(GPIO + 0x0C, 0); }
void lf_main(void)
{
    for (uint8_t i = 1; i <= 3; i++) {
        rise();
        while (came != i) { }
        write_text("+");
    }
    lf_port_halt();
}
"""
    outcome = emulate(BOARD, build_c_for(BOARD, GPIO + source).elf, "qemu", seconds=10)
    assert (outcome.end, outcome.console) == ("halted", b"+++")


def test_a_fault_of_the_processor_stops_the_program(build_c_for: BuildC) -> None:
    image = build_c_for(BOARD, FOREVER.replace("write", "lf_port_in8(0x60000000); write"))
    outcome = emulate(BOARD, image.elf, "qemu", seconds=10)
    assert (outcome.end, outcome.console) == ("halted", b"")


def test_registers_at_every_address(build_c_for: BuildC) -> None:
    """The processor has no unaligned access."""
    image = build_c_for(BOARD, REGISTERS, ["lf_memory", "seen"])
    outcome = emulate(BOARD, image.elf, "qemu", symbols=["lf_memory", "seen"])
    assert outcome.end == "halted"
    words = [int.from_bytes(bytes(range(i, i + 4)), "little") for i in range(4)]
    halves = [int.from_bytes(bytes([i, i, i + 1]), "little") for i in range(4)]
    assert struct.unpack("<8I", outcome.memory["seen"]) == (*words, *halves)
    assert outcome.memory["lf_memory"][8:] == bytes.fromhex("00 11 22 33 44 55 66 77")


def test_bytes_of_memory(build_c_for: BuildC) -> None:
    names = {"__aeabi_memcpy": "memcpy", "__aeabi_memmove": "memmove"}
    source = MEMORY.replace("__aeabi_memset(lf_memory + 8 + to, n, 0x7A5)", "memset(lf_memory + 8 + to, 0x7A5, n)")
    source = source.replace("__aeabi_memclr(lf_memory + 8 + to, n)", "memset(lf_memory + 8 + to, 0, n)")
    source = re.sub(r"^void __aeabi_.*\n", "", source, flags=re.M)
    source = "void *memmove(void *, const void *, uint32_t);\n" + re.sub(r"__aeabi_\w+", lambda m: names[m[0]], source)
    image = build_c_for(BOARD, source, ["lf_memory"])
    assert {"memcpy", "memmove", "memset", "memcmp"} <= read_symbols(image.elf).keys()
    assert emulate(BOARD, image.elf, "qemu").console == bytes_after_memory_functions()


def test_only_what_is_used_is_linked() -> None:
    image = link_image(BOARD, [HALT])
    symbols = read_symbols(image.elf)
    assert not {"lf_port_woken", "memcpy", "lf_enable_interrupts", "lf_trap", "lf_vectors"} & symbols.keys()
    assert symbols["lf_start"].address == BOARD.flash.start
    assert read_sizes(image.elf).ram == 0


FRAMES = """
__attribute__((noinline)) void fill(volatile uint8_t *at, unsigned n) { for (; n; n--) at[n - 1] = (uint8_t)n; }
__attribute__((noinline)) void inner(void) { volatile uint8_t a[2900]; fill(a, 2900); }
__attribute__((noinline)) void outer(void) { volatile uint8_t a[700]; fill(a, 700); inner(); }
void lf_main(void) { outer(); lf_port_halt(); }
"""


def test_large_frames_are_counted(build_c_for: BuildC) -> None:
    """A frame of more than 2,047 bytes takes a constant in a register."""
    image = build_c_for(BOARD, FRAMES, ["outer", "inner", "fill"])
    stack = compute_stack(image.elf, False, {})
    taken = emulate(BOARD, image.elf, "qemu", seconds=10).stack
    assert taken is not None and taken <= stack.main <= taken + 16  # what keeps it a multiple of 16
    assert stack.main >= 3600 and stack.chain[-2:] == ["outer", "inner"] and not stack.unknown


def test_jumps_by_tables_are_followed(build_c_for: BuildC) -> None:
    """Only one of the cases calls what needs the stack."""
    cases = "".join(f"case {n}: lf_port_out8({0x80000800 + n}, n); break;" for n in range(9))
    source = (
        "__attribute__((noinline)) void deep(void) { volatile uint8_t a[400]; for (int i = 0; i < 400; i++) a[i] = 1; }"
        "__attribute__((noinline)) void choose(uint8_t n) { switch (n) {"
        f"{cases} case 9: deep(); break; case 10: lf_port_milliseconds(); break; }} }}"
        "void lf_main(void) { choose(lf_port_in8(0x80000800)); lf_port_halt(); }"
    )
    stack = compute_stack(build_c_for(BOARD, source, ["choose", "deep"]).elf, False, {})
    assert 400 <= stack.main < 470 and not stack.indirect


# --- what is written into registers: FE310-G000 manual, chapters 4 (clocks), 7 (PLIC), 8 (CLINT), 13 (UART) ---------


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> PortOnThisMachine:
    return PortOnThisMachine(BOARD, Path(tmp_path_factory.mktemp("hifive1")))


def crystal_and_pll(registers: dict[int, int]) -> None:
    if registers.get(0x10008004, 0) & 1 << 30:  # hfxosccfg: enable, ready
        registers[0x10008004] |= 1 << 31
    if not registers.get(0x10008008, 0) & 1 << 18:  # pllcfg: bypass, lock
        registers[0x10008008] = registers.get(0x10008008, 0) | 1 << 31


def test_the_crystal_is_the_clock(port: PortOnThisMachine) -> None:
    written = port.call(Chip({0x10008008: 0x0006_0000}, crystal_and_pll), "lf_port_clock_start")
    assert written == [(0x10008004, 1 << 30), (0x1000800C, 1 << 8), (0x10008008, 1 << 16 | 1 << 17 | 1 << 18)]


@pytest.mark.parametrize(("clock", "f", "q"), [(48, 23, 3), (64, 31, 3), (128, 31, 2), (256, 31, 1), (320, 39, 1)])
def test_the_pll_is_the_clock(tmp_path: Path, clock: int, f: int, q: int) -> None:
    """The crystal by 2, times 2 (F + 1), by 2 to the power of Q."""
    fast = board_with(tmp_path, f"cpu.clock = {clock}_000_000")
    written = PortOnThisMachine(fast, tmp_path).call(Chip(reaction=crystal_and_pll), "lf_port_clock_start")
    assert 16 // 2 * 2 * (f + 1) >> q == clock
    assert written[-1] == (0x10008008, 1 << 17 | 1 << 16 | 1 | f << 4 | q << 10)


def test_a_clock_that_the_pll_cannot_give(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="the clock must be that of the crystal, or 48 to 320 MHz"):
        link_image(board_with(tmp_path, "cpu.clock = 100_000_001"), [HALT])


def board_with(folder: Path, key: str) -> Board:
    (folder / "own.toml").write_text(f'inherits = "hifive1"\n{key}\n')
    return load_board_file(folder / "own.toml")


def test_the_console(port: PortOnThisMachine) -> None:
    chip = Chip()
    written = dict(port.call(chip, "lf_port_console_start")) | dict(port.call(chip, "lf_port_receive_start"))
    assert written[0x10012038] == 3 << 16  # iof_en: pins 16 and 17
    assert written[0x10013018] == 138  # div: 16 MHz by 139 is 115,108 bits a second
    assert (written[0x10013008], written[0x1001300C], written[0x10013010]) == (1, 1, 2)
    assert (written[0x0C000000 + 4 * 3], written[0x0C002000]) == (1, 1 << 3)  # of the PLIC: priority, enabled


QEMU = (0x00070216, 42)  # version 7.2, and later ones


def tick(port: PortOnThisMachine, architecture: int, times: int) -> int:
    """By how much the timer's compare register has moved on, after so many milliseconds."""
    ctypes.c_uint32.in_dll(port.library, "lf_claimed_to_be").value = architecture
    chip = Chip({0x0200BFF8: 0xFFFFFF00, 0x0200BFFC: 7})
    port.call(chip, "lf_port_tick_start")
    begin = chip.registers[0x02004000] | chip.registers[0x02004004] << 32
    assert begin - (7 << 32 | 0xFFFFFF00) == (10_000 if architecture in QEMU else 32)
    for _ in range(times):
        written = port.call(chip, "__vector_systick")
        # Between two writes it must never seem to have come.
        assert [a for a, _ in written] == [0x02004000, 0x02004004, 0x02004000] and written[0][1] == 0xFFFFFFFF
    return (chip.registers[0x02004000] | chip.registers[0x02004004] << 32) - begin


def test_a_thousand_milliseconds_are_a_second(port: PortOnThisMachine) -> None:
    assert tick(port, 1, 1000) == 32_768
    assert tick(port, 0x80000001, 5000) == 5 * 32_768
    assert [tick(port, architecture, 100) for architecture in QEMU] == [1_000_000, 1_000_000]


def test_the_watchdog(tmp_path: Path) -> None:
    """FE310-G000 manual, chapter 14: a key before each write; it counts 32,768 Hz by 8."""
    guarded = PortOnThisMachine(board_with(tmp_path, "watchdog.milliseconds = 2000"), tmp_path)
    key = (0x1000001C, 0x51F15E)
    start = guarded.call(Chip(), "lf_port_watchdog_start")
    assert start == [key, (0x10000018, 0xD09F00D), key, (0x10000020, 8192), key, (0x10000000, 3 | 1 << 8 | 1 << 12)]
    assert guarded.call(Chip(), "lf_port_watchdog_feed") == [key, (0x10000018, 0xD09F00D)]
    assert guarded.call(Chip(), "lf_port_watchdog_stop") == [key, (0x10000000, 0)]
