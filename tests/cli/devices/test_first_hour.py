"""A user's first hour on an ESP32-C3: a project, checked, built, flashed by esptool, watched. Behind the pseudo-
terminal is a loader as in the chip's ROM; what it was given it copies to RAM as its head says, and the built-in
simulator runs it."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lfc.boards.descriptions.board import load_board
from lfc.boards.emulators.builtin import Simulation, Source
from lfc.toolchain.elf import read_load_segments
from lfc.toolchain.esp_image import joined, read_esp_image
from tests.boards.flash.esp_rom import EspChip
from tests.cli.lfc import lfc

BOARD = load_board("esp32c3")


@contextmanager
def running(chip: EspChip, elf: bytes) -> Iterator[None]:
    """What is in its flash, from reset, until nobody watches any more. The names of the symbols are the file's."""
    pieces = read_esp_image(bytes(chip.flash))
    assert pieces == joined({s.load_address: s.content for s in read_load_segments(elf)})
    simulation, over = Simulation(BOARD, elf, chip.say, Source()), threading.Event()

    def run() -> None:
        while not over.is_set():
            simulation.run(simulation.cycles + BOARD.cpu.clock // 20, None, True)
            over.wait(0.01)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_a_first_hour(tmp_path: Path) -> None:
    assert lfc("new", "lamp", "-b", "esp32c3", cwd=tmp_path).exit == 0
    lamp = tmp_path / "lamp"
    program = (lamp / "blink.lf").read_text()
    speaks = program.replace("IMPORT Clock, GPIO, Pattern;", "IMPORT Clock, GPIO, Out, Pattern;")
    speaks = speaks.replace("GPIO.Light(on);", 'GPIO.Light(on); Out.String("lamp"); Out.Ln;')
    (lamp / "blink.lf").write_text(speaks)
    with EspChip() as chip:
        early = lfc("flash", "-p", chip.port, cwd=lamp)
        assert early.exit != 0 and chip.log == []  # nothing was checked yet
        checked = lfc("check", cwd=lamp)
        assert checked.exit == 0 and "record: " in checked.out
        built = lfc("build", cwd=lamp)
        assert built.exit == 0 and re.match(r"blink.elf, blink.map, blink.esp: flash \d+ of 131072 bytes", built.err)
        flashed = lfc("flash", "-p", chip.port, cwd=lamp)
        assert flashed.exit == 0, flashed.err
        assert "compared by its digest" in flashed.err and chip.log == ["flasher", "begin 0x0"]
        image = (lamp / "blink.esp").read_bytes()
        assert bytes(chip.flash[: len(image)]) == image
        with running(chip, (lamp / "blink.elf").read_bytes()):
            watched = lfc("monitor", "-p", chip.port, "--seconds", "4", cwd=lamp)
        assert watched.exit == 0 and "lamp\n" in watched.out


def test_the_image_file_is_flashed_as_it_is(tmp_path: Path) -> None:
    assert lfc("build", "examples/prodcons.lf", "-b", "esp32c3", "-o", tmp_path / "made.elf").exit == 0
    with EspChip() as chip:
        done = lfc("flash", "made.esp", "-b", "esp32c3", "-p", chip.port, cwd=tmp_path)
        image = (tmp_path / "made.esp").read_bytes()
        assert done.exit == 0 and bytes(chip.flash[: len(image)]) == image


def test_what_esptool_says_is_told(tmp_path: Path) -> None:
    with EspChip(chip=13) as chip:  # a C6
        done = lfc("flash", "examples/prodcons.lf", "-b", "esp32c3", "-p", chip.port)
        assert done.exit == 9 and chip.log == []
        assert re.search(r"lfc: esp32c3: signature: esptool: .*This chip is", done.err)
