"""Boards that show themselves as a drive; a folder stands in for it, and a thread for the board behind it."""

from __future__ import annotations

import ctypes
import errno
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import load_board
from lfc.boards.flash.boot_call import call_boot_loader
from lfc.boards.flash.drive import Drive, choose_drive, copy_to_drive, how_to_mount, mounted_drives, read_drive
from lfc.boards.serial.failure import FlashError
from lfc.boards.serial.ports import PortInfo
from lfc.image.read_files import read_image_file
from tests.cli.lfc import lfc
from tests.conftest import ROOT

PICO, MICROBIT = load_board("pico"), load_board("microbit")
PICO_SAYS = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"
MICROBIT_SAYS = "# DAPLink Firmware\nUnique ID: 9900000031864e45000a\nHIC ID: 97969900\n"


def pico_drive(folder: Path, says: str = PICO_SAYS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "INFO_UF2.TXT").write_text(says)
    return folder


def microbit_drive(folder: Path, says: str = MICROBIT_SAYS) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "DETAILS.TXT").write_text(says)
    return folder


@contextmanager
def behind(drive: Path, name: str, act: Callable[[bytes], None]) -> Iterator[list[bytes]]:
    """Takes the file when it has come whole, and does what the board does then."""
    taken: list[bytes] = []
    ended = threading.Event()

    def board() -> None:
        size = -1
        while not ended.is_set():
            file = drive / name
            now = file.stat().st_size if file.exists() else -1
            if now > 0 and now == size:
                taken.append(file.read_bytes())
                act(taken[0])
                return
            size = now
            time.sleep(0.05)

    thread = threading.Thread(target=board)
    thread.start()
    try:
        yield taken
    finally:
        ended.set()
        thread.join()


def gone(drive: Path) -> Callable[[bytes], None]:
    def act(_: bytes) -> None:
        for file in drive.iterdir():
            file.unlink()

    return act


def back(drive: Path, failure: str = "") -> Callable[[bytes], None]:
    def act(_: bytes) -> None:
        (drive / "DETAILS.TXT").unlink()
        (drive / "PROGRAM.HEX").unlink()
        time.sleep(0.2)
        if failure:
            (drive / "FAIL.TXT").write_text(failure)
        microbit_drive(drive)

    return act


def test_a_pico_by_the_command(tmp_path: Path) -> None:
    drive = pico_drive(tmp_path / "RPI-RP2")
    with behind(drive, "PROGRAM.UF2", gone(drive)) as taken:
        done = lfc("flash", ROOT / "examples" / "blink.lf", "-b", "pico", "--drive", drive)
    assert done.exit == 0, done.err
    lfc("build", ROOT / "examples" / "blink.lf", "-b", "pico", cwd=tmp_path)
    assert taken == [(tmp_path / "blink.uf2").read_bytes()]
    made = [read_image_file(tmp_path / f"blink.{s}", PICO.flash.start).flash for s in ("uf2", "bin")]
    joined = b"".join(piece for _, piece in sorted(made[0].items()))
    (start,) = made[1]
    assert start == min(made[0]) and joined.startswith(made[1][start])


def test_a_microbit_by_the_command(tmp_path: Path) -> None:
    drive = microbit_drive(tmp_path / "MICROBIT")
    with behind(drive, "PROGRAM.HEX", back(drive)) as taken:
        done = lfc("flash", ROOT / "examples" / "sieve.lf", "-b", "microbit", "--drive", drive)
    assert done.exit == 0 and "accepted by the board's boot loader" in done.err, done.err
    lfc("build", ROOT / "examples" / "sieve.lf", "-b", "microbit", cwd=tmp_path)
    assert taken == [(tmp_path / "sieve.hex").read_bytes()]


def test_a_microbit_that_refuses(tmp_path: Path) -> None:
    drive = microbit_drive(tmp_path)
    with behind(drive, "PROGRAM.HEX", back(drive, "error: File sent out of order\n")):
        with pytest.raises(FlashError) as caught:
            copy_to_drive(Drive(drive, "hex", ""), b":00000001FF\n")
    assert (caught.value.stage, caught.value.received) == ("write", "error: File sent out of order")


def test_a_drive_on_which_nothing_happens_is_no_success(tmp_path: Path) -> None:
    drive = pico_drive(tmp_path / "P")
    with pytest.raises(FlashError) as caught:
        copy_to_drive(Drive(drive, "uf2", ""), b"x", patience=0.3)
    assert caught.value.stage == "verify" and "still there" in caught.value.received
    for act, said in (((lambda _: None), "it did not change"), (gone(tmp_path / "M"), "it is gone")):
        drive = microbit_drive(tmp_path / "M")
        with behind(drive, "PROGRAM.HEX", act), pytest.raises(FlashError) as caught:
            copy_to_drive(Drive(drive, "hex", ""), b"x", patience=0.5)
        assert (caught.value.stage, caught.value.received) == ("verify", said)


@pytest.mark.parametrize("there_is_sync_file_range", [True, False])
def test_a_cable_that_is_pulled_while_the_file_is_on_its_way(
    there_is_sync_file_range: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All has been written into this machine's memory; the drive is gone before it was confirmed, and for ever."""
    path = pico_drive(tmp_path)

    def pulled(*_: object) -> int:
        (path / "INFO_UF2.TXT").unlink(missing_ok=True)
        ctypes.set_errno(errno.EIO)
        raise OSError(errno.EIO, "Input/output error")

    class Library:
        def __init__(self, *_: object, **__: object) -> None:
            if there_is_sync_file_range:
                self.sync_file_range = lambda *_: -1 if self.fails() else 0

        def fails(self) -> bool:
            with pytest.raises(OSError):
                pulled()
            return True

    monkeypatch.setattr(ctypes, "CDLL", Library)
    monkeypatch.setattr(os, "fsync", pulled)
    with pytest.raises(FlashError) as caught:
        copy_to_drive(Drive(path, "uf2", ""), b"x" * 10_000, patience=1)
    assert caught.value.stage == "verify" and "it is unknown whether" in str(caught.value)


def test_a_board_that_starts_with_the_last_block(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes behind the content fails on a drive that is gone by then: that is no failure."""
    path = pico_drive(tmp_path)

    def gone_by_now(_: int) -> None:
        (path / "INFO_UF2.TXT").unlink()
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(os, "fsync", gone_by_now)
    assert copy_to_drive(Drive(path, "uf2", ""), b"x" * 10_000, patience=1) == 10_000


def test_a_drive_that_is_full(tmp_path: Path) -> None:
    drive = pico_drive(tmp_path)
    (drive / "PROGRAM.UF2").symlink_to("/dev/full")
    with pytest.raises(FlashError) as caught:
        copy_to_drive(Drive(drive, "uf2", ""), b"x" * 10_000)
    assert (caught.value.stage, caught.value.expected, caught.value.received) == ("write", "10000 bytes written", "0")


def test_which_drive(tmp_path: Path) -> None:
    places = [tmp_path / "media", tmp_path / "nowhere"]
    (tmp_path / "media" / "STICK").mkdir(parents=True)
    pico = pico_drive(places[0] / "RPI-RP2")
    newer = pico_drive(places[0] / "RP2350", PICO_SAYS.replace("RPI-RP2", "RP2350"))
    microbit = microbit_drive(tmp_path / "with space")
    (tmp_path / "mounts").write_text(
        f"/dev/sda1 {tmp_path}/with\\040space vfat rw 0 0\n/dev/sdb1 {pico} vfat rw 0 0\n/dev/sdc1 / ext4 rw 0 0\n"
    )
    drives = mounted_drives(tmp_path / "mounts", places)
    assert sorted(d.path for d in drives) == sorted([pico, newer, microbit])
    assert choose_drive(PICO, None, lambda: drives).path == pico
    assert choose_drive(MICROBIT, None, lambda: drives).path == microbit
    assert choose_drive(PICO, str(pico), lambda: []).path == pico


def test_no_drive_several_or_another_board(tmp_path: Path) -> None:
    pico = pico_drive(tmp_path / "P")
    drives = [d for d in [read_drive(pico)] if d]
    for board, wanted, there, stage, said in (
        (PICO, None, [], "open", "no drive is of the board pico"),
        (PICO, None, drives * 2, "open", "2 drives are of"),
        (MICROBIT, None, drives, "open", str(pico)),
        (MICROBIT, str(pico), drives, "signature", "another board"),
        (PICO, str(tmp_path), drives, "open", "has neither INFO_UF2.TXT"),
        (PICO, str(tmp_path / "none"), drives, "open", "is no folder"),
    ):
        with pytest.raises(FlashError) as caught:
            choose_drive(board, wanted, partial(list, there))
        assert caught.value.stage == stage and said in caught.value.message and caught.value.remedy
    second = microbit_drive(tmp_path / "V2", MICROBIT_SAYS.replace("9900", "9904"))
    with pytest.raises(FlashError, match="9900 or 9901"):  # a micro:bit of version 2 has another chip
        choose_drive(MICROBIT, str(second))


def test_the_commands_options(tmp_path: Path) -> None:
    done = lfc("flash", ROOT / "examples" / "sieve.lf", "-b", "pico", "--drive", tmp_path)
    assert done.exit == 9 and "lfc: pico: open: " in done.err and "BOOTSEL" in done.err
    assert "press RESET twice" in how_to_mount(load_board("xiao"))

    done = lfc("flash", ROOT / "examples" / "sieve.lf", "-b", "uno", "--drive", tmp_path)
    assert done.exit == 2 and "has no drive" in done.err


class Line:
    """A port that remembers what was done to it."""

    def __init__(self) -> None:
        self.done: list[object] = []

    def __setattr__(self, name: str, value: object) -> None:
        if name == "dtr":
            self.done.append(value)
        object.__setattr__(self, name, value)

    def close(self) -> None:
        self.done.append("closed")


def test_a_board_that_runs_is_asked_for_its_boot_loader() -> None:
    xiao, line, looks = load_board("xiao"), Line(), [0]
    running = PortInfo("/dev/ttyACM0", usb=xiao.console.usb_id)
    its_own = Drive(Path("/media/Arduino"), "uf2", "SAMD21G18A-XIAO-v0")

    def drives() -> list[Drive]:
        looks[0] += 1
        return [its_own] if looks[0] > 2 else []

    def opened(name: str, baud: int) -> Line:
        line.done += [name, baud]
        return line

    ask = partial(call_boot_loader, opened=opened, patience=0.01)
    assert ask(xiao, [running], drives) and looks[0] == 3
    assert line.done == ["/dev/ttyACM0", 1200, True, False, "closed"]
    nobody = [
        (xiao, [running], lambda: [its_own]),  # it is there already
        (xiao, [running, PortInfo("/dev/ttyACM1", usb=xiao.console.usb_id)], list),  # which one?
        (xiao, [PortInfo("/dev/ttyACM0", usb=(0x2886, 0x002F))], list),  # in its boot loader
        (PICO, [PortInfo("/dev/ttyACM0", usb=(0x2E8A, 0x000A))], list),  # its console is a UART
    ]
    assert [ask(*each) for each in nobody] == [False] * 4 and len(line.done) == 5
