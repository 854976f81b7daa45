"""ESP32s: images with Espressif's head, which esptool itself judges, and flashing by esptool over a pseudo-terminal."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lfc.base.missing_tool import MissingOnThisMachine
from lfc.boards.descriptions.board import ESP_CHIPS, load_board
from lfc.boards.flash import esp_tool
from lfc.boards.flash.esp_tool import arguments_of, failure_of, flash_by_esptool
from lfc.boards.flash.exchange import no_progress
from lfc.boards.serial.failure import FlashError
from lfc.image.read_files import flash_in
from lfc.toolchain.esp_image import NotAnEspImage, esp_image, joined, read_esp_image
from lfc.toolchain.failure import ImageError
from tests.boards.flash.esp_rom import REFUSES, SILENT, WRONG_DIGEST, EspChip

C3 = load_board("esp32c3")
START = C3.flash.start
FLASH = {START: bytes(range(200)), START + 200: b"\xc0\xdb" * 33 + b"!"}
IMAGE = esp_image(FLASH, START, 5)


def judged(folder: Path, image: bytes, chip: str) -> str:
    """What esptool says of it."""
    (folder / "image.bin").write_bytes(image)
    command = [sys.executable, "-P", "-m", "esptool", "--chip", chip, "image-info", "image.bin"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("name", ESP_CHIPS)
def test_esptool_finds_the_image_good(tmp_path: Path, name: str) -> None:
    board = load_board(name)
    start = board.flash.start
    said = judged(tmp_path, esp_image({start: bytes(range(255))}, start, ESP_CHIPS[name]), name)
    assert said.count("(valid)") == 2  # checksum, digest
    assert f"Entry point: {start:#x}" in said and "Segments: 1" in said
    assert f"Chip ID: {ESP_CHIPS[name]} (ESP32-C{name[-1]})" in said
    (row,) = [line for line in said.splitlines() if f"{start:#x}" in line and "Entry" not in line]
    assert row.split()[1:4] == ["0x00100", f"{start:#x}", "0x00000018"]  # whole words, where to, from where


def test_esptool_finds_a_damaged_one_bad(tmp_path: Path) -> None:
    damaged = bytearray(IMAGE)
    damaged[40] ^= 1
    assert "invalid" in judged(tmp_path, bytes(damaged), "esp32c3")


def test_esptool_makes_the_same_of_the_same_pieces(tmp_path: Path) -> None:
    """Its `merge` of pieces that touch, its checksum and its digest, byte for byte."""
    head = bytearray(b"\x7fELF\1\1\1".ljust(16, b"\0"))  # an ELF file with one segment, as its `elf2image` reads
    content = joined(FLASH)[START]
    names = b"\0.text\0.shstrtab\0"
    head += (2).to_bytes(2, "little") + (243).to_bytes(2, "little")
    sections_at = 52 + 32 + len(content) + len(names)
    sections_at += -sections_at % 4
    for value in (1, START, 52, sections_at, 0):
        head += value.to_bytes(4, "little")
    for value in (52, 32, 1, 40, 3, 2):
        head += value.to_bytes(2, "little")
    segment = (1, 84, START, START, len(content), len(content), 5, 4)
    text = (1, 1, 6, START, 84, len(content), 0, 0, 4, 0)
    strings = (7, 3, 0, 0, 84 + len(content), len(names), 0, 0, 1, 0)
    body = bytes(head) + b"".join(v.to_bytes(4, "little") for v in segment) + content + names
    body = body.ljust(sections_at, b"\0") + b"".join(v.to_bytes(4, "little") for v in (*[0] * 10, *text, *strings))
    (tmp_path / "image.elf").write_bytes(body)
    options = ["--flash-size", "4MB", "--flash-freq", "40m", "--flash-mode", "dio", "-o", "made.bin"]
    command = [sys.executable, "-P", "-m", "esptool", "--chip", "esp32c3", "elf2image", *options, "image.elf"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    assert (tmp_path / "made.bin").read_bytes() == IMAGE


def test_what_is_written_is_read_again() -> None:
    assert read_esp_image(IMAGE) == joined(FLASH)
    for at in range(len(IMAGE)):  # the bytes that say how the flash is read and the revisions are covered by the digest
        with pytest.raises(NotAnEspImage):
            read_esp_image(IMAGE[:at] + bytes([IMAGE[at] ^ 0x10]) + IMAGE[at + 1 :])
    for size in range(0, len(IMAGE), 7):
        with pytest.raises(NotAnEspImage):
            read_esp_image(IMAGE[:size])
    with pytest.raises(ImageError, match=r"lamp.esp is not an image of an ESP32: it does not begin with the byte E9"):
        flash_in("esp", b"\x7fELF" * 9, START, Path("lamp.esp"))


def test_flashed() -> None:
    """By the flasher that esptool puts into the RAM; the rest of the sector is erased, the next one is as it was."""
    seen: list[str] = []
    with EspChip() as chip:
        written = flash_by_esptool(C3, FLASH, chip.port, lambda stage, done, total: seen.append(stage))
        assert written == len(IMAGE) and bytes(chip.flash[: len(IMAGE)]) == IMAGE
        assert chip.flash[len(IMAGE) : 4096] == b"\xff" * (4096 - len(IMAGE)) and chip.flash[4096] == 0
        assert chip.log == ["flasher", "begin 0x0"]
    assert seen[0] == "sync" and seen[-1] == "verify" and "write" in seen


@pytest.mark.parametrize(
    ("chip", "damage", "stage", "told"),
    [
        (5, WRONG_DIGEST, "verify", "MD5 of file does not match"),
        (5, REFUSES, "write", "Failed to enter compressed flash mode"),
        (13, "", "signature", "This chip is"),
    ],
)
def test_what_goes_wrong_is_told(chip: int, damage: str, stage: str, told: str) -> None:
    with EspChip(chip, damage) as wrong, pytest.raises(FlashError, match=told) as failed:
        flash_by_esptool(C3, FLASH, wrong.port, no_progress)
    assert failed.value.stage == stage and failed.value.remedy


def test_a_chip_that_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """All waiting has an end; esptool's own is some ten seconds, here it is cut short."""
    monkeypatch.setattr(esp_tool, "LONGEST", 0.2)
    with EspChip(damage=SILENT) as silent, pytest.raises(FlashError) as failed:
        flash_by_esptool(C3, FLASH, silent.port, no_progress)
    assert failed.value.stage in ("sync", "write")


@pytest.mark.parametrize(
    ("said", "stage"),
    [
        ("A fatal error occurred: Could not open /dev/ttyUSB0, the port is busy or doesn't exist.", "open"),
        ("A fatal error occurred: Failed to connect to ESP32-C3: No serial data received.", "sync"),
        ("A fatal error occurred: This chip is ESP32-C6, not ESP32-C3. Wrong --chip argument?", "signature"),
        ("", "write"),
    ],
)
def test_the_stage_is_read_from_what_esptool_says(said: str, stage: str) -> None:
    assert failure_of(f"Connecting....\n{said}\n").stage == stage


def test_nothing_of_the_working_directory_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a module that is called as esptool is, nor its settings, which say what is done at a reset."""
    (tmp_path / "esptool.py").write_text("raise SystemExit('taken from here')")
    (tmp_path / "esptool.cfg").write_text("[esptool]\nconnect_attempts = wrong\ncustom_reset_sequence = wrong\n")
    monkeypatch.chdir(tmp_path)
    with EspChip() as chip:
        assert flash_by_esptool(C3, FLASH, chip.port, no_progress) == len(IMAGE)
    assert arguments_of(C3, "/dev/ttyUSB0", "image.bin")[1] == "-P"


def test_without_esptool(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingOnThisMachine, match=r"pip install 'lf-toolchain\[esp\]'"):
        flash_by_esptool(C3, FLASH, "/dev/null", no_progress)
