"""Flashing an uno: our side against the real Optiboot, which runs in simavr behind a pseudo-terminal."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
import serial

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.simavr import SimavrOnTerminal, flash_content
from lfc.boards.flash.exchange import Port
from lfc.boards.flash.pages import Target, divide_into_pages
from lfc.boards.flash.stk500v1 import PROGRAM_PAGE, flash
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.open_port import open_port
from lfc.doctor.probe import require_tool
from lfc.link.link import Image
from lfc.toolchain.formats import hex_text
from tests.boards.conftest import BuildC
from tests.boards.flash.boot_loaders import ANSWERING, UNO_BOOT
from tests.boards.flash.terminal import heard, opened


@pytest.fixture
def image(build_c: BuildC) -> Image:
    return build_c(ANSWERING)


def test_flash_and_talk(uno: Board, boot_loader: bytes, image: Image, target: Target) -> None:
    stages: list[tuple[str, int, int]] = []
    with SimavrOnTerminal(uno, boot_loader, boot=UNO_BOOT) as chip, opened(chip, uno) as port:
        written = flash(port, target, image.flash, lambda *step: stages.append(step))
        assert heard(port, 3) == b"up\n"
        port.write(b"HAL")
        assert heard(port, 3) == b"IBM"
    content = flash_content(image.elf)
    assert written == -(-len(content) // target.page) * target.page
    assert chip.flash[:written] == content.ljust(written, b"\xff")
    assert chip.flash[written:] == boot_loader.ljust(uno.flash.size, b"\xff")[written:]
    assert stages[0] == ("write", 0, written)
    assert stages[-1] == ("verify", written, written)


def test_flashing_again_replaces_the_program(
    chip: SimavrOnTerminal, uno: Board, build_c: BuildC, target: Target
) -> None:
    first, second = build_c(ANSWERING), build_c(ANSWERING.replace("up", "UP"))
    for image, greeting in ((first, b"up\n"), (second, b"UP\n")):
        with opened(chip, uno) as port:
            flash(port, target, image.flash)
            assert heard(port, 3) == greeting


def test_avrdude_writes_the_same(uno: Board, boot_loader: bytes, image: Image, target: Target, tmp_path: Path) -> None:
    require_tool("avrdude")
    (tmp_path / "image.hex").write_text(hex_text(image.flash))
    with SimavrOnTerminal(uno, boot_loader, boot=UNO_BOOT) as other:
        command = f"avrdude -q -p m328p -c arduino -D -b {uno.flashing.baud} -P {other.port}".split()
        done = subprocess.run([*command, f"-Uflash:w:{tmp_path}/image.hex:i"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    with SimavrOnTerminal(uno, boot_loader, boot=UNO_BOOT) as ours, opened(ours, uno) as port:
        flash(port, target, image.flash)
    assert ours.flash == other.flash != boot_loader.ljust(uno.flash.size, b"\xff")


class CorruptingPort:
    """A line that turns over one bit of the data of one page."""

    def __init__(self, port: serial.Serial, page: int) -> None:
        self.port = port
        self.pages_to_go = page
        self.timeout: float | None = None

    def write(self, data: bytes, /) -> int | None:
        if data[0] == PROGRAM_PAGE:
            if self.pages_to_go == 0:
                data = data[:14] + bytes([data[14] ^ 0x04]) + data[15:]
            self.pages_to_go -= 1
        written: int | None = self.port.write(data)
        return written

    def read(self, size: int = 1, /) -> bytes:
        self.port.timeout = self.timeout
        return bytes(self.port.read(size))


def test_a_wrong_bit_is_found_when_verifying(chip: SimavrOnTerminal, uno: Board, image: Image, target: Target) -> None:
    with opened(chip, uno) as port, pytest.raises(FlashError) as caught:
        flash(CorruptingPort(port, 1), target, image.flash)
    assert caught.value.stage == "verify"
    address = target.page + 14 - 4  # four bytes of the command come before the data
    assert f"{address:#06x}" in caught.value.message
    assert int(caught.value.expected, 16) ^ int(caught.value.received, 16) == 0x04


def test_another_chip(chip: SimavrOnTerminal, uno: Board, image: Image, target: Target) -> None:
    mega = Target(bytes([0x1E, 0x98, 0x01]), target.page, target.usable)
    with opened(chip, uno) as port, pytest.raises(FlashError) as caught:
        flash(port, mega, image.flash)
    assert (caught.value.stage, caught.value.expected, caught.value.received) == ("signature", "1E 98 01", "1E 95 0F")


def test_no_boot_loader(uno: Board, image: Image, target: Target) -> None:
    with SimavrOnTerminal(uno, flash_content(image.elf)) as chip, opened(chip, uno) as port:
        with pytest.raises(FlashError) as caught:
            flash(port, target, image.flash)
    assert caught.value.stage == "sync"
    assert caught.value.received == "31 21"  # the program's answer to the question, not a boot loader's
    assert "board and port" in caught.value.remedy


def test_the_chip_goes_away(uno: Board, boot_loader: bytes, image: Image, target: Target) -> None:
    with SimavrOnTerminal(uno, boot_loader, boot=UNO_BOOT) as chip:
        port = opened(chip, uno)
        leaving: Port = LeavingPort(port, chip)
        with pytest.raises(FlashError) as caught:
            flash(leaving, target, image.flash)
    assert caught.value.stage == "write"
    port.close()


class LeavingPort(CorruptingPort):
    """The cable is pulled before the second page."""

    def __init__(self, port: serial.Serial, chip: SimavrOnTerminal) -> None:
        super().__init__(port, -1)
        self.chip = chip
        self.pages = 0

    def write(self, data: bytes, /) -> int | None:
        if data[0] == PROGRAM_PAGE:
            self.pages += 1
            if self.pages == 2:
                self.chip.stop()
        return super().write(data)


def test_ports_that_cannot_be_opened(tmp_path: Path, chip: SimavrOnTerminal) -> None:
    with pytest.raises(FlashError, match="there is no port .*is the board plugged in"):
        open_port("/dev/ttyNONE", 115200)
    (tmp_path / "file").write_text("")
    with pytest.raises(FlashError, match="open: "):
        open_port(str(tmp_path / "file"), 115200)
    with open_port(chip.port, 115200), pytest.raises(FlashError, match="is busy"):
        open_port(chip.port, 115200)


def test_pages() -> None:
    target = Target(b"", 4, 16)
    assert divide_into_pages({2: b"abc", 8: b"x"}, target) == {
        0: b"\xff\xffab",
        4: b"c\xff\xff\xff",
        8: b"x\xff\xff\xff",
    }
    with pytest.raises(FlashError, match="reaches 0x11, but the boot loader starts at 0x10"):
        divide_into_pages({14: b"abc"}, target)
