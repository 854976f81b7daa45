"""The watchdog, which a board's description turns on: fed while the program goes on, it resets one that does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.boards.descriptions.board import BoardError, load_board, load_board_file
from lfc.boards.emulators.emulate import emulate
from lfc.boards.emulators.outcome import Outcome
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import build_firmware
from tests.boards.ports.register_log import Chip, PortOnThisMachine
from tests.differential.stepwise import machine_of_source

BUSY = "MODULE T; IMPORT Out; VAR i : UINT8; BEGIN Out.Char('>'); LOOP INC(i) END END T."
ASLEEP = "MODULE T; IMPORT Clock, Out; BEGIN Out.Char('>'); LOOP Clock.Sleep(1000) END END T."
WAITS = "MODULE T; IMPORT In, Out; VAR c : CHAR; BEGIN Out.Char('>'); In.Char(c) END T."
FAULTY = "MODULE T; IMPORT Out; BEGIN Out.Char('>'); ASSERT(FALSE) END T."


def run(text: str, watchdog: int, board: str = "uno") -> Outcome:
    described = replace(load_board(board), watchdog=watchdog)
    made = build_firmware(described, machine_of_source(Source("T.lf", text)))
    if board == "uno":
        return run_in_simavr(described, made.image.elf, seconds=1)
    return emulate(described, made.image.elf, "qemu", seconds=1.5)


def test_an_action_without_end_is_reset_after_that_time() -> None:
    """125 ms: eight times in a second. Without the watchdog it stays."""
    assert 6 <= run(BUSY, 125).console.count(b">") <= 8
    assert run(BUSY, 0).console == b">"


@pytest.mark.parametrize("text", [ASLEEP, WAITS])
def test_a_program_that_sleeps_or_waits_is_fed(text: str) -> None:
    assert run(text, 32).console == b">"


def test_a_fault_stops_for_good() -> None:
    done = run(FAULTY, 32)
    assert done.end == "halted" and done.console.startswith(b">\n!fault 00000006") and done.console.count(b">") == 1


def test_on_a_cortex_m() -> None:
    """QEMU has the watchdog of the LM3S6965. Its clock is this machine's: a time that a busy machine keeps, too."""
    assert run(BUSY, 125, "lm3s6965evb").console.count(b">") >= 3
    assert run(ASLEEP, 700, "lm3s6965evb").console == b">"


# Of 2 seconds: the start, then feeding.
STM32 = [(0x40003000, 0xCCCC), (0x40003000, 0x5555), (0x40003004, 6)]  # IWDG: KR, KR, PR: by 256
FEED = (0x40003000, 0xAAAA)
WATCHDOGS = {
    "stm32vldiscovery": ([*STM32, (0x40003008, 312), FEED], FEED),  # RLR: 40 kHz
    "bluepill": ([*STM32, (0x40003008, 312), FEED], FEED),
    "netduinoplus2": ([*STM32, (0x40003008, 250), FEED], FEED),  # 32 kHz
    # CRV, CONFIG: also asleep, TASKS_START; RR[0]
    "microbit": ([(0x40010504, 65536), (0x4001050C, 1), (0x40010000, 1)], (0x40010600, 0x6E524635)),
    # RCGC0: WDT; LOAD: half of it, CTL: RESEN, INTEN; ICR
    "lm3s6965evb": ([(0x400FE100, 8), (0x40000000, 50_000_000), (0x40000008, 3)], (0x4000000C, 1)),
    # TICK: 12 MHz; PSM WDSEL; LOAD, twice in a microsecond; CTRL: ENABLE
    "pico": (
        [(0x4005802C, 0x20C), (0x40010008, 0x1FFFC), (0x40058004, 4_000_000), (0x40058000, 1 << 30)],
        (0x40058004, 4_000_000),
    ),
    # TICKS: 12 cycles of the crystal, on; PSM WDSEL; LOAD, once in a microsecond; CTRL: ENABLE
    "pico2": (
        [
            *[(0x40108034, 12), (0x40108030, 1), (0x40018008, 0x1FFFFF3)],
            *[(0x400D8004, 2_000_000), (0x400D8000, 1 << 30)],
        ],
        (0x400D8004, 2_000_000),
    ),
    "nucleo_g071rb": ([*STM32, (0x40003008, 250), FEED], FEED),
}


@pytest.mark.parametrize("name", WATCHDOGS)
def test_registers(tmp_path: Path, name: str) -> None:
    """Compared with the makers' headers: IWDG of stm32f103xb.h and stm32f405xx.h, NRF_WDT of nrf51.h, WATCHDOG0 and
    SYSCTL_RCGC0 of lm3s6965.h, watchdog.h and psm.h of the RP2040's hardware_regs."""
    port = PortOnThisMachine(replace(load_board(name), watchdog=2000), tmp_path)
    start, feed = WATCHDOGS[name]
    assert port.call(Chip(), "lf_port_watchdog_start") == start
    assert port.call(Chip(), "lf_port_watchdog_feed") == [feed]


def test_it_costs_nothing_where_it_is_off() -> None:
    board = load_board("uno")
    machine = machine_of_source(Source("T.lf", ASLEEP))
    assert b"lf_watchdog" not in build_firmware(board, machine).image.elf
    assert b"lf_watchdog" in build_firmware(replace(board, watchdog=16), machine).image.elf


def test_keys_of_a_board(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('inherits = "uno"\nwatchdog.milliseconds = 2000\nfaults.safe = [[0x25, 0], [0x24, 0xFF]]\n')
    board = load_board_file(own)
    assert (board.watchdog, board.safe) == (2000, ((0x25, 0), (0x24, 0xFF)))
    assert load_board("uno").watchdog == 0 and load_board("uno").safe == ()
    for text, key in (
        ("watchdog.milliseconds = 9000", "watchdog.milliseconds"),
        ("watchdog.milliseconds = 1", "watchdog.milliseconds"),
        ("watchdog.seconds = 1", "watchdog.milliseconds"),
        ("faults.safe = [[0x25]]", "faults.safe"),
        ("faults.safe = [[0x25, 256]]", "faults.safe"),
        ("faults.safe = 1", "faults.safe"),
    ):
        own.write_text(f'inherits = "uno"\n{text}\n')
        with pytest.raises(BoardError) as caught:
            load_board_file(own)
        assert caught.value.key == key, text


def test_outputs_of_a_board_are_made_safe_at_a_fault() -> None:
    """PORTB := 11H, DDRB := F0H."""
    board = replace(load_board("uno"), safe=((0x25, 0x11), (0x24, 0xF0)))
    made = build_firmware(board, machine_of_source(Source("T.lf", FAULTY)))
    assert run_in_simavr(board, made.image.elf, seconds=0.1, registers=(0x24, 2)).registers == b"\xf0\x11"
