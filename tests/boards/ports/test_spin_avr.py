"""Clock.Spin on an AVR: to the cycle, counted by `lfc size`, and looked at by the image check."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.boards import compiled
from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.simavr import run_in_simavr
from lfc.image.firmware import Firmware, build_firmware
from lfc.image.latency import compute_latency
from lfc.mcheck.engine.abi import ImageErrorKind as Kind
from lfc.mcheck.image.report import Places, message_of
from lfc.toolchain.elf import read_symbols
from lfc.toolchain.failure import ImageError
from tests.mcheck.image.changed import with_word
from tests.mcheck.image.images import built

SPINS = """MODULE Spins;
IMPORT Clock;
PROCESS P;
BEGIN
  LOOP {spin}; RESCHEDULE END
END P;
BEGIN CREATE P END Spins.
"""
NEAR = 1  # cycles: these are small enough to call by RCALL


def made(board: Board, microseconds: int) -> tuple[Firmware, int]:
    """The cycles of a pass."""
    spin = f"PORTOUT(25H, 1); Clock.Spin({microseconds}); PORTOUT(25H, 0)"
    firmware = build_firmware(board, compiled(SPINS.format(spin=spin)))
    taken = run_in_simavr(board, firmware.image.elf, seconds=0.05, passes_at="lf_step").longest_pass
    assert taken
    return firmware, taken


@pytest.mark.parametrize(("name", "clock"), [("uno", 16), ("mega2560", 16), ("promini", 8), ("uno", 24)])
def test_it_takes_its_time_to_the_cycle(name: str, clock: int) -> None:
    board = load_board(name)
    board = replace(board, cpu=replace(board.cpu, clock=clock * 1_000_000), console=replace(board.console, baud=38400))
    nothing = build_firmware(board, compiled(SPINS.format(spin="PORTOUT(25H, 1); PORTOUT(25H, 0)")))
    without = run_in_simavr(board, nothing.image.elf, seconds=0.05, passes_at="lf_step").longest_pass
    assert without
    for microseconds in (3, 4, 480):
        assert made(board, microseconds)[1] - without == clock * microseconds - NEAR


def test_it_is_counted(uno: Board) -> None:
    for microseconds in (3, 480):
        machine = compiled(SPINS.format(spin=f"PORTOUT(25H, 1); Clock.Spin({microseconds}); PORTOUT(25H, 0)"))
        firmware, taken = made(uno, microseconds)
        latency = compute_latency(uno, firmware.image.elf, machine, firmware.generated.policies, "rr")
        assert latency.longest_pass is not None and taken <= latency.longest_pass <= taken + 4


def test_a_time_that_is_computed(uno: Board) -> None:
    text = SPINS.format(spin="Clock.Spin(UINT32(PORTIN(23H)) + 100)")
    firmware = build_firmware(uno, compiled(text))
    taken = run_in_simavr(uno, firmware.image.elf, seconds=0.05, passes_at="lf_step").longest_pass
    assert taken and 1600 <= taken < 1700


def test_another_time_differs_from_the_program(tmp_path: Path) -> None:
    file = tmp_path / "Spins.lf"
    file.write_text(SPINS.format(spin="Clock.Spin(60)"))
    with built(file, "uno") as b:
        assert not b.check().mismatches
        run = read_symbols(b.firmware.image.elf)["lf_step"]
        places = range(run.address, len(b.flash), 2)
        (at,) = (p for p in places if int.from_bytes(b.flash[p : p + 2], "little") == 0xE36C)  # LDI r22, 60
        found = b.check(with_word(b.flash, at, 0xE36D)).mismatches
        assert {m.kind for m in found} == {Kind.BAD_DEVICE}
        told = message_of(Places(b.image(b.flash)), found[0])
        assert told.endswith("a wait of 61 microseconds instead of a wait of 60 microseconds")


@pytest.mark.parametrize("name", ["microbit", "hifive1"])
def test_a_port_without_it_says_so(name: str) -> None:
    with pytest.raises(ImageError) as caught:
        build_firmware(load_board(name), compiled(SPINS.format(spin="Clock.Spin(1)")))
    assert caught.value.message == f"the board {name} has no Clock.Spin"
