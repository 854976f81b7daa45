"""Flash, RAM and cycles of ping-pong and blink, to the byte, and the bars that they must stay under."""

from __future__ import annotations

from bench.boards import (
    BLINK,
    FORMS,
    FREERTOS_CYCLES,
    FREERTOS_FLASH,
    FREERTOS_RAM,
    PINGPONG,
    bytes_of_a_process,
    compiled,
    cycles_of_a_round_trip,
    footprint,
    report,
)
from lfc.boards.descriptions.board import Board, load_board
from lfc.image.firmware import build_firmware
from tests.conftest import ROOT, Golden


def test_ping_pong(uno: Board) -> None:
    machine = compiled(PINGPONG)
    firmware = build_firmware(uno, machine)
    size = footprint(firmware)
    assert size.flash < 900 < FREERTOS_FLASH
    assert size.ram < 64 < FREERTOS_RAM
    assert cycles_of_a_round_trip(uno, machine, firmware) < 250 < FREERTOS_CYCLES


def test_ping_pong_behind_other_statements(uno: Board) -> None:
    machine = compiled(FORMS["NEW behind others"])
    firmware = build_firmware(uno, machine)
    assert footprint(firmware).flash < 900
    assert cycles_of_a_round_trip(uno, machine, firmware) < 250


def test_ping_pong_on_cortex_m() -> None:
    board, machine = load_board("microbit"), compiled(PINGPONG)
    firmware = build_firmware(board, machine)
    assert footprint(firmware).flash < 1200
    assert cycles_of_a_round_trip(board, machine, firmware) < 300


def test_ping_pong_on_a_small_risc_v() -> None:
    board, machine = load_board("ch32v003evt"), compiled(PINGPONG)
    firmware = build_firmware(board, machine)
    size = footprint(firmware)
    assert size.flash < 1000 and size.ram < 64
    assert cycles_of_a_round_trip(board, machine, firmware) < 300


def test_blink(uno: Board) -> None:
    assert footprint(build_firmware(uno, compiled(BLINK.read_text(encoding="utf-8")))).flash < 1200


def test_a_process_costs_little(uno: Board) -> None:
    assert 1 <= bytes_of_a_process(uno) <= 4


def test_all_figures(golden: Golden) -> None:
    """What `python -m bench.boards` prints."""
    golden(ROOT / "tests" / "golden" / "sizes.txt", report())
