"""Flashing a Mega 2560: our side, and avrdude, against Debian's stk500boot_v2 in simavr behind a pseudo-terminal."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import serial

from lfc.boards.descriptions.board import Board, load_board
from lfc.boards.emulators.simavr import SimavrOnTerminal, flash_content
from lfc.boards.flash import stk500v2
from lfc.boards.flash.pages import Target
from lfc.boards.flash.stk500v2 import BootLoader, decode_message, encode_message, flash, monitor_may_start
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.open_port import open_port, pulse_dtr
from lfc.doctor.probe import require_tool
from lfc.link.link import Image
from lfc.toolchain.formats import hex_text
from tests.boards.conftest import BuildC
from tests.boards.flash.boot_loaders import ANSWERING, MEGA_BOOT, stk500boot


@pytest.fixture(scope="module")
def mega() -> Board:
    return load_board("mega2560")


@pytest.fixture
def target(mega: Board) -> Target:
    return Target(mega.flashing.signature, mega.flash.page, mega.flash.usable)


@pytest.fixture
def image(build_c_for: BuildC, mega: Board) -> Image:
    return build_c_for(mega, ANSWERING)


def opened(chip: SimavrOnTerminal, board: Board) -> serial.Serial:
    port = open_port(chip.port, board.flashing.baud)
    pulse_dtr(port)
    return port


def heard(port: serial.Serial, size: int) -> bytes:
    port.timeout = 5
    return bytes(port.read(size))


def test_flash_and_talk(mega: Board, image: Image, target: Target) -> None:
    stages: list[tuple[str, int, int]] = []
    with SimavrOnTerminal(mega, stk500boot(), boot=MEGA_BOOT) as chip, opened(chip, mega) as port:
        written = flash(port, target, image.flash, lambda *step: stages.append(step))
        assert heard(port, 3) == b"up\n"
        port.write(b"HAL")
        assert heard(port, 3) == b"IBM"
    content = flash_content(image.elf)
    assert written == -(-len(content) // target.page) * target.page
    assert chip.flash[:written] == content.ljust(written, b"\xff")
    assert chip.flash[written:] == stk500boot()[written:]
    assert stages[0] == ("write", 0, written) and stages[-1] == ("verify", written, written)


def test_a_gap_is_filled_and_what_was_there_is_erased(mega: Board, target: Target) -> None:
    """The boot loader erases one page for each that is written, from the first one on, whatever the address."""
    old = bytes(4 * 256) + stk500boot()[4 * 256 :]
    with SimavrOnTerminal(mega, old, boot=MEGA_BOOT) as chip, opened(chip, mega) as port:
        assert flash(port, target, {0: b"\x0c\x94", 0x210: b"abc"}) == 3 * 256
    expected = bytearray(b"\xff" * 3 * 256 + bytes(256))
    expected[0:2], expected[0x210:0x213] = b"\x0c\x94", b"abc"
    assert chip.flash[: 4 * 256] == expected


def test_addresses_above_64_kilowords(mega: Board, target: Target) -> None:
    """Without the gap: that would take half a minute at this speed."""
    with SimavrOnTerminal(mega, stk500boot(), boot=MEGA_BOOT) as chip, opened(chip, mega) as port:
        boot_loader = BootLoader(port, large=True)
        boot_loader.synchronise()
        for address in (0x2_1000, 0x1000):
            boot_loader.write_page(address, bytes(range(256)))
    assert chip.flash[0x2_1000:0x2_1100] == bytes(range(256)) == chip.flash[0x1000:0x1100]
    assert chip.flash[0x2_1100:MEGA_BOOT] == stk500boot()[0x2_1100:MEGA_BOOT]


def test_another_chip_and_no_boot_loader(mega: Board, image: Image, target: Target) -> None:
    with SimavrOnTerminal(mega, stk500boot(), boot=MEGA_BOOT) as chip, opened(chip, mega) as port:
        with pytest.raises(FlashError) as caught:
            flash(port, replace(target, signature=bytes([0x1E, 0x95, 0x0F])), image.flash)
    assert (caught.value.stage, caught.value.received) == ("signature", "1E 98 01")
    assert chip.flash == stk500boot()
    with SimavrOnTerminal(mega, flash_content(image.elf)) as chip, opened(chip, mega) as port:
        with pytest.raises(FlashError) as caught:
            flash(port, target, image.flash)
    assert (
        caught.value.stage == "sync" and "1C 02 01 02 0F" in caught.value.received
    )  # our question, each byte plus one


def test_avrdude_writes_the_same(mega: Board, image: Image, target: Target, tmp_path: Path) -> None:
    require_tool("avrdude")
    (tmp_path / "image.hex").write_text(hex_text(image.flash))
    with SimavrOnTerminal(mega, stk500boot(), boot=MEGA_BOOT) as other:
        command = f"avrdude -q -p m2560 -c wiring -D -b {mega.flashing.baud} -P {other.port}".split()
        done = subprocess.run([*command, f"-Uflash:w:{tmp_path}/image.hex:i"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    with SimavrOnTerminal(mega, stk500boot(), boot=MEGA_BOOT) as ours, opened(ours, mega) as port:
        flash(port, target, image.flash)
    assert ours.flash == other.flash != stk500boot()


def test_messages() -> None:
    assert encode_message(1, b"\x01").hex() == "1b0100010e0114"
    assert decode_message(1, bytes.fromhex("1b0100010e0114")) == b"\x01"
    assert decode_message(2, bytes.fromhex("1b0100010e0114")) is None
    assert decode_message(1, bytes.fromhex("1b0100010e0115")) is None


class CountingBootLoader:
    """Answers everything, and counts as `stk500boot_v2` does; `started` when its monitor would."""

    def __init__(self, deaf: int) -> None:
        self.deaf = deaf  # messages before it listens
        self.counted = self.marks = 0
        self.started = False
        self.answer = b""
        self.timeout: float | None = None

    def write(self, data: bytes, /) -> int | None:
        if self.deaf:
            self.deaf -= 1
            return len(data)
        for byte in data:
            self.counted = self.counted + 1 & 0xFFFF
            self.marks = self.marks + 1 if byte == ord("!") and self.counted < 10 else 0
            self.started |= self.marks == 3
        command = data[5]
        size = int.from_bytes(data[6:8], "big")
        if command == 0x14:
            body = bytes([command, 0]) + b"!" * size + b"\0"
        else:
            body = bytes([command, 0]) + {1: b"\x08AVRISP_2", 0x1B: b"\x1e\0"}.get(command, b"")
        self.answer = encode_message(data[1], body)
        return len(data)

    def read(self, size: int = 1, /) -> bytes:
        taken, self.answer = self.answer[:size], self.answer[size:]
        return taken


@pytest.mark.parametrize("deaf", [0, 1, 3])
def test_no_program_starts_the_monitor_of_the_boot_loader(deaf: int) -> None:
    """A large program of nothing but `!`, wherever the count of bytes begins again."""
    target = Target(b"\x1e", 256, 0x3E000)
    for size in (256 * 250, 256 * 251):
        port = CountingBootLoader(deaf)
        assert flash(port, target, {0: b"!" * size}) == size
        assert not port.started
    assert monitor_may_start(b"!!!", 7, 0) is False and monitor_may_start(b"!!!", 65530, 0) is False
    assert monitor_may_start(b"!!!", 65533, 0) and monitor_may_start(b"!!!", 65530, 7)


def test_without_care_the_monitor_would_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the test before rests on."""
    monkeypatch.setattr(stk500v2, "monitor_may_start", lambda *_: False)
    port = CountingBootLoader(0)
    flash(port, Target(b"\x1e", 256, 0x3E000), {0: b"!" * 256 * 250})
    assert port.started
