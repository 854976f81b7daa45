"""Flashing an STM32 by its ROM: our side, and Debian's stm32flash, against a ROM written from ST's AN3155."""

from __future__ import annotations

import random
import subprocess
import time
from pathlib import Path

import pytest
import serial

from lfc.boards.flash.stm32_rom import RomTarget, flash
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.open_port import open_port
from lfc.doctor.probe import require_tool
from tests.boards.flash.boot_loaders import DamagingPort
from tests.boards.flash.stm32_rom import START, RomChip
from tests.cli.lfc import lfc
from tests.conftest import ROOT
from tests.support.seeds import seed_of_this_run

MEDIUM = RomTarget(0x410, START, 65_536, 1024)
CONTENT = {START: bytes(range(256)) * 5 + b"end", START + 0x1003: b"data"}


def expected(chip: RomChip) -> None:
    """Sectors 0, 1 and 4 hold the program, and else nothing; what lies elsewhere is as it was."""
    for address, piece in CONTENT.items():
        assert chip.flash[address - START : address - START + len(piece)] == piece
    assert set(chip.flash[1283:2048]) == {0xFF} and set(chip.flash[0x1007:0x1400]) == {0xFF}
    assert not any(chip.flash[2048:0x1000]) and not any(chip.flash[0x1400:])


@pytest.mark.parametrize("extended", [False, True])
def test_flash(extended: bool) -> None:
    stages: list[tuple[str, int, int]] = []
    with RomChip(0x410, 65_536, 1024, extended) as chip, open_port(chip.port, 115200, serial.PARITY_EVEN) as port:
        assert flash(port, MEDIUM, CONTENT, lambda *s: stages.append(s)) == 7 * 256
        time.sleep(0.05)
        assert chip.started == START and chip.log == ["erase 0 1 4", *["write"] * 7, "go"]
        expected(chip)
    assert [s for s, done, _ in stages if done == 0] == ["erase", "write", "verify"]


def test_sectors_that_are_not_alike() -> None:
    target = RomTarget(0x413, START, 1 << 20, 16_384)
    with RomChip(0x413, 1 << 20, 16_384, True) as chip:
        chip.sectors = [16_384] * 4 + [65_536] + [131_072] * 7
        with open_port(chip.port, 115200, serial.PARITY_EVEN) as port:
            flash(port, target, {START: b"\1", START + 0xFFFF: b"\2", START + 0x1_FFFF: b"\3", START + 0x2_0000: b"\4"})
        assert chip.log[0] == "erase 0 3 4 5"
        assert [chip.flash[a] for a in (0, 0xFFFF, 0x1_FFFF, 0x2_0000, 0x4_0000)] == [1, 2, 3, 4, 0]


def test_once_more_without_a_reset_between() -> None:
    """The ROM takes the byte for the speed as a command then."""
    with RomChip(0x410, 65_536, 1024) as chip:
        for _ in range(2):
            with open_port(chip.port, 115200, serial.PARITY_EVEN) as port:
                port.write(b"\x7f")
                time.sleep(0.05)
                flash(port, MEDIUM, CONTENT)
        expected(chip)


def test_another_chip_and_none() -> None:
    with RomChip(0x420, 65_536, 1024) as chip, open_port(chip.port, 115200, serial.PARITY_EVEN) as port:
        with pytest.raises(FlashError) as caught:
            flash(port, MEDIUM, CONTENT)
        assert (caught.value.stage, caught.value.expected, caught.value.received) == ("signature", "0410", "0420")
        assert chip.log == []
        chip._ended.set()
        with pytest.raises(FlashError) as caught:
            flash(port, MEDIUM, CONTENT)
        assert caught.value.stage == "sync" and "BOOT0" in caught.value.remedy


def test_a_page_that_cannot_be_erased_is_found_when_verifying() -> None:
    with RomChip(0x410, 65_536, 1024) as chip, open_port(chip.port, 115200, serial.PARITY_EVEN) as port:
        chip.sectors[4] = 0
        with pytest.raises(FlashError) as caught:
            flash(port, MEDIUM, CONTENT)
    assert caught.value.stage == "verify" and "0x8001000" in caught.value.message


def test_damage_at_some_places() -> None:
    """An error, or the program is in the flash; and it ends."""
    chance = random.Random(seed_of_this_run())
    for kind in ("drop", "repeat", "flip", "flip", "flip", "silent"):
        to_board = chance.random() < 0.6
        at = chance.randrange(1900)
        began = time.monotonic()
        with RomChip(0x410, 65_536, 1024) as chip, open_port(chip.port, 115200, serial.PARITY_EVEN) as port:
            try:
                flash(DamagingPort(port, None, kind, at, to_board, chance.randrange(8)), MEDIUM, CONTENT)
                expected(chip)
            except FlashError as error:
                assert error.stage in ("sync", "signature", "erase", "write", "verify", "start") and error.remedy
        assert time.monotonic() - began < 45, (kind, at, to_board)


def test_stm32flash_agrees(tmp_path: Path) -> None:
    """The ROM is as another program expects it, and what both write is the same."""
    require_tool("stm32flash")
    content = random.Random(1).randbytes(5000)
    (tmp_path / "image.bin").write_bytes(content)
    with RomChip(0x410, 65_536, 1024) as other:
        command = ["stm32flash", "-m", "8n1", "-b", "115200", "-w", "image.bin", "-v", "-g", "0x0", other.port]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr
        time.sleep(0.05)
    with RomChip(0x410, 65_536, 1024) as ours, open_port(ours.port, 115200, serial.PARITY_EVEN) as port:
        flash(port, MEDIUM, {START: content})
        time.sleep(0.05)
    assert ours.flash[:5000] == other.flash[:5000] == content
    assert ours.started == other.started == START


def test_the_command(tmp_path: Path) -> None:
    """The Blue Pill's probe is OpenOCD's; a port that is named means the ROM."""
    program = ROOT / "examples" / "sieve.lf"
    with RomChip(0x410, 65_536, 1024) as chip:
        done = lfc("flash", program, "-b", "bluepill", "-p", chip.port)
        time.sleep(0.05)
    assert done.exit == 0 and "read back and compared" in done.err, done.err
    lfc("build", program, "-b", "bluepill", cwd=tmp_path)
    image = (tmp_path / "sieve.bin").read_bytes()
    assert chip.flash[: len(image)] == image and chip.started == START
    with RomChip(0x420, 65_536, 1024) as chip:
        done = lfc("flash", program, "-b", "bluepill", "-p", chip.port)
    assert done.exit == 9 and "signature: this is another chip" in done.err
