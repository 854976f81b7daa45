"""The RISC-V port on the ESP32-C3 and the ESP32-C6: what its parts write into registers (Technical Reference
Manuals, chapters Reset and Clock, Interrupt Matrix, System Timer, Watchdog Timers, UART), and what its start leaves
of a boot loader."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.boards.descriptions.board import Board, load_board, load_board_file
from lfc.link.link import link_image
from lfc.toolchain.elf import read_load_segments, read_symbols
from lfc.toolchain.failure import ImageError
from tests.boards.conftest import BuildC
from tests.boards.ports.c_programs import HALT
from tests.boards.ports.register_log import Chip, PortOnThisMachine

NAMES = ("esp32c3", "esp32c6")
both = pytest.mark.parametrize("name", NAMES)
KEY, KEY_OF_C3 = 0x50D83AA1, 0x8F1D312A


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, PortOnThisMachine]:
    return {name: PortOnThisMachine(load_board(name), Path(tmp_path_factory.mktemp(name))) for name in NAMES}


def board_with(folder: Path, name: str, key: str) -> Board:
    (folder / "own.toml").write_text(f'inherits = "{name}"\n{key}\n')
    return load_board_file(folder / "own.toml")


def test_the_crystal_is_the_clock_of_the_c3(ports: dict[str, PortOnThisMachine]) -> None:
    """As after a reset, the crystal by two; the watchdogs are off before anything else."""
    chip = Chip({0x600C0058: 1 << 12 | 1, 0x600C0018: 0x20000004, 0x600080AC: 0x04B00000})
    assert ports["esp32c3"].call(chip, "lf_port_clock_start") == [
        *((0x6001F064, KEY), (0x6001F048, 0), (0x6001F064, 0)),  # TIMG0 WDTWPROTECT, WDTCONFIG0
        *((0x600080A8, KEY), (0x60008090, 0), (0x600080A8, 0)),  # RTC_CNTL WDTWPROTECT, WDTCONFIG0
        *((0x600080B0, KEY_OF_C3), (0x600080AC, 0x84B00000), (0x600080B0, 0)),  # SWD_AUTO_FEED_EN
        (0x600C0058, 1 << 12),  # SYSCLK_CONF: SOC_CLK_SEL 0, PRE_DIV_CNT 0
        (0x600C0010, 1 << 2 | 1 << 24 | 1 << 29),  # PERIP_CLK_EN0: UART, its memory, SYSTIMER
        (0x600C0018, 0),  # PERIP_RST_EN0
    ]


def test_the_crystal_is_the_clock_of_the_c6(ports: dict[str, PortOnThisMachine]) -> None:
    chip = Chip({0x60096110: 0x28010200, 0x60096118: 0x103, 0x600B1C1C: 0x12C00000})
    assert ports["esp32c6"].call(chip, "lf_port_clock_start") == [
        *((0x60008064, KEY), (0x60008048, 0), (0x60008064, 0)),
        *((0x600B1C18, KEY), (0x600B1C00, 0), (0x600B1C18, 0)),  # LP_WDT WPROTECT, CONFIG0
        *((0x600B1C20, KEY), (0x600B1C1C, 0x12C40000), (0x600B1C20, 0)),
        (0x60096110, 0x28000200),  # SYSCLK_CONF: SOC_CLK_SEL 0
        (0x60096118, 0x100),  # CPU_FREQ_CONF: CPU_LS_DIV_NUM 0
        (0x60096000, 1),  # UART0_CONF
        (0x60096054, 1),  # SYSTIMER_CONF
    ]


@pytest.mark.parametrize(("mhz", "divider"), [(40, 0), (20, 1), (10, 3)])
def test_the_core_may_be_slower(tmp_path: Path, mhz: int, divider: int) -> None:
    for name, register in (("esp32c3", 0x600C0058), ("esp32c6", 0x60096118)):
        (tmp_path / name).mkdir()
        slow = PortOnThisMachine(board_with(tmp_path, name, f"cpu.clock = {mhz}_000_000"), tmp_path / name)
        assert dict(slow.call(Chip(), "lf_port_clock_start"))[register] == divider


def test_a_clock_that_it_cannot_have(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match="the clock must be that of the crystal, or a half or a quarter of it"):
        link_image(board_with(tmp_path, "esp32c3", "cpu.clock = 160_000_000"), [HALT])


TICKS = {"esp32c3": (0x60023000, 0x600C2000, 37, 0x600C2104), "esp32c6": (0x6000A000, 0x60010000, 57, 0x20001000)}


@both
def test_the_tick(ports: dict[str, PortOnThisMachine], name: str) -> None:
    """16,000 counts of 16 MHz, by the core's interrupt 2."""
    timer, matrix, source, core = TICKS[name]
    chip = Chip({timer: 0x46000000, core: 2})
    assert ports[name].call(chip, "lf_port_tick_start") == [
        (timer, 0x46000000),
        (timer + 0x34, 16_000),  # TARGET0_CONF
        (timer + 0x50, 1),  # COMP0_LOAD
        (timer + 0x34, 1 << 30 | 16_000),  # PERIOD_MODE
        (timer + 0x6C, 1),  # INT_CLR
        (timer + 0x64, 1),  # INT_ENA
        (timer, 0x47000000),  # TARGET0_WORK_EN, TIMER_UNIT0_WORK_EN
        (core + 0x10 + 4 * 2, 1),  # priority,
        (core + 0x90, 1),  # threshold
        (matrix + 4 * source, 2),
        (core, 6),  # enabled
    ]
    assert ports[name].call(Chip(), "__vector_systick") == [(timer + 0x6C, 1)]


@both
def test_the_console(ports: dict[str, PortOnThisMachine], name: str) -> None:
    _, matrix, _, core = TICKS[name]
    chip = Chip()
    written = dict(ports[name].call(chip, "lf_port_console_start"))
    of_c3 = name == "esp32c3"
    pads, receives, sends, line = (0x60009004, 20, 21, 21) if of_c3 else (0x60090004, 17, 16, 43)
    assert (written[pads + 4 * receives], written[pads + 4 * sends]) == (0xB00, 0x800)  # function 0; input, pulled up
    assert written[0x60000014] == 347 | 4 << 20  # CLKDIV: 40 MHz by 347.25 is 115,191 bits a second
    assert written[0x60000020] == (0x1000001C if of_c3 else 0x10001C)
    assert written[0x60000024] == (1 << 21 | 1 if of_c3 else 1)
    assert written[0x60000078 if of_c3 else 0x60096004] & 0xFFF000 == 0x700000  # the crystal, undivided
    assert written[0x60000080] == 1 << 31 if of_c3 else written[0x60000098] == 1
    assert written[0x6000000C] == 0x101
    assert dict(ports[name].call(chip, "lf_port_receive_start"))[matrix + 4 * line] == 1
    assert chip.registers[core] == 2


def test_a_slow_console(tmp_path: Path) -> None:
    slow = PortOnThisMachine(board_with(tmp_path, "esp32c3", "console.baud = 300"), tmp_path)
    written = dict(slow.call(Chip(), "lf_port_console_start"))
    assert written[0x60000078] == 0x3700000 | 32 << 12  # 40 MHz by 33,
    assert written[0x60000014] == 4040 | 6 << 20  # by 4040.40


@both
def test_the_watchdog(tmp_path: Path, name: str) -> None:
    """Of timer group 0; it counts half milliseconds of the crystal."""
    guarded = PortOnThisMachine(board_with(tmp_path, name, "watchdog.milliseconds = 2000"), tmp_path)
    group = 0x6001F000 if name == "esp32c3" else 0x60008000
    key, locked = (group + 0x64, KEY), (group + 0x64, 0)
    feed = [key, (group + 0x60, 1), locked]
    assert guarded.call(Chip(), "lf_port_watchdog_start") == [
        *(key, (group + 0x4C, 20_000 << 16 | 1), locked),  # WDTCONFIG1: by 20,000; from a new count on
        *(key, (group + 0x50, 4000), locked),
        # WDT_EN, stage 0 resets the system, WDT_USE_XTAL, WDT_CONF_UPDATE_EN, long resets
        *(key, (group + 0x48, 1 << 31 | 3 << 29 | 1 << 21 | 1 << 22 | 7 << 18 | 7 << 15), locked),
        *feed,
    ]
    assert guarded.call(Chip(), "lf_port_watchdog_feed") == feed
    assert guarded.call(Chip(), "lf_port_watchdog_stop") == [key, (group + 0x48, 1 << 22), locked]


CONSTANTS = """
static const uint8_t table[5] = {3, 1, 4, 1, 5};
void lf_main(void)
{
    for (volatile unsigned i = 0; i < 5; i++) lf_port_console_write((uint8_t)('0' + table[i]));
    lf_port_halt();
}
"""


@both
def test_constants_lie_where_bytes_can_be_read(build_c_for: BuildC, name: str) -> None:
    """By the bus of instructions only whole words can be loaded: there is code, and the table of routines."""
    board = load_board(name)
    elf = build_c_for(board, CONSTANTS).elf
    code, constants = read_load_segments(elf)
    assert bytes([3, 1, 4, 1, 5]) in constants.content and bytes([3, 1, 4, 1, 5]) not in code.content
    assert constants.address == board.ram.start and constants.load_address % 4 == 0
    assert code.address == board.flash.start == read_symbols(elf)["lf_start"].address


@both
def test_the_entries_of_traps_are_a_table(build_c_for: BuildC, name: str) -> None:
    """The core knows no other way; its address is a multiple of 256, and each entry is one jump."""
    board = load_board(name)
    elf = build_c_for(board, "void lf_main(void) { (void)lf_port_milliseconds(); lf_port_halt(); }").elf
    symbols = read_symbols(elf)
    table, trap = symbols["lf_trap_table"].address, symbols["lf_trap"].address
    assert table % 256 == symbols["unexpected_interrupt"].address % 256 == 0
    content = read_load_segments(elf)[0].content[table - board.flash.start :][: 32 * 4]
    for n in range(32):
        word = int.from_bytes(content[4 * n : 4 * n + 4], "little")
        assert word & 0xFFF == 0x06F  # jal zero
        bits = (word >> 31, word >> 12 & 0xFF, word >> 20 & 1, word >> 21 & 0x3FF)
        offset = bits[3] << 1 | bits[2] << 11 | bits[1] << 12 | bits[0] << 20
        assert table + 4 * n + offset - (bits[0] << 21) == trap
