"""The board that a test talks to: flash, send, expect, trace. The same for one at a port and for an emulated one, which
is behind a pseudo-terminal.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

import serial

from lfc.boards.descriptions.board import Board as Description
from lfc.boards.emulators.line import PortLine
from lfc.boards.emulators.outcome import EmulatorError
from lfc.boards.emulators.terminal import EmulatedTerminal, terminal_of
from lfc.boards.flash.drive import choose_drive, copy_to_drive, form_of
from lfc.boards.flash.esp_tool import flash_by_esptool
from lfc.boards.flash.exchange import no_progress
from lfc.boards.flash.probe import flash_by_probe
from lfc.boards.flash.programmer import (
    command_for,
    flash_over_serial,
    opened_board,
    refuse_what_does_not_fit,
    way_of,
)
from lfc.boards.flash.wch_tool import flash_by_rvprog
from lfc.boards.serial.failure import FlashError, Stage
from lfc.boards.serial.open_port import open_port, pulse_dtr
from lfc.boards.serial.ports import choose_port, ports_of_this_machine
from lfc.hil.conform import Conduct, Conformance, bytes_for_board, conform
from lfc.hil.host_side import HostSide, difference_lines
from lfc.hil.session import BoardSession, SessionError
from lfc.image.firmware import Firmware
from lfc.image.tables import read_tables
from lfc.link.fault_options import FaultOptions
from lfc.testing.hearing import ENCODING, BoardLost, Hearing
from lfc.testing.image import built
from lfc.testing.places import BadPlaces, BoardPlace
from lfc.toolchain.formats import in_format

TIMEOUT = 5.0


class BoardDiffers(AssertionError):
    """A traced board does not behave as the program does."""


class Board:
    """`name`: of the place; `kind`: of the board; `image`: SHA-256 of what was flashed last."""

    def __init__(self, place: BoardPlace, folder: Path, told: Callable[[str, str], None] | None = None) -> None:
        """`folder`: programs are named from here. Raises FlashError, BadPlaces where no such board is there."""
        self.description: Description = place.description()
        self.name, self.kind = place.name, self.description.name
        self.image = ""
        self._place, self._folder, self._told = place, folder, told or (lambda name, value: None)
        self._port = _port_of(place, self.description)
        self._power = ExitStack()
        self._emulated: EmulatedTerminal | None = None
        self._line: PortLine | None = None
        self._hearing: Hearing | None = None

    # --- what a test does ---

    def flash(
        self,
        program: str | Path,
        *,
        scheduler: str = "rr",
        path: Sequence[str | Path] = (),
        c_files: Sequence[str] = (),
        on_fault: str = "stop",
    ) -> None:
        """Builds the program, writes it into the board's flash, and starts it; what it says from then on is heard."""
        faults = FaultOptions(resets=on_fault == "reset")
        _, firmware = built(self._folder / program, self.description, scheduler, False, path, c_files, faults)
        self._line = self._start(firmware)
        self._hearing = Hearing(self._line, read_tables(firmware.image.elf))

    def send(self, what: str | bytes) -> None:
        """No faster than the line, and never more at once than half of what the board keeps."""
        data = what.encode(ENCODING) if isinstance(what, str) else what
        line, size = self._running_line(), max(1, self.description.console.receive_buffer // 2)
        for at in range(0, len(data), size):
            line.write(data[at : at + size])
            time.sleep(size * 10 / self.description.console.baud)

    def expect(self, what: str | re.Pattern[str], timeout: float = TIMEOUT) -> re.Match[str]:
        """Waits until the board says it, behind what was expected before. Raises NotHeard, BoardFaulted, BoardLost."""
        return self._heard().expect(what, timeout)

    def expect_fault(self, what: str = "", timeout: float = TIMEOUT) -> str:
        """Waits for a fault that is told with these words, and returns all of them."""
        return self._heard().expect_fault(what, timeout)

    @property
    def output(self) -> str:
        """All that the program has said since it was flashed, as far as somebody listened."""
        return self._heard().heard

    def trace(
        self,
        program: str | Path,
        *,
        input: str | bytes = b"",
        steps: int | None = None,
        seconds: float | None = None,
        scheduler: str = "rr",
        ahead: int = 1,
        path: Sequence[str | Path] = (),
    ) -> Conformance:
        """Flashes a traced image, and does each of its steps on this machine as well. Returns how the run ended, with
        its trace. Raises BoardDiffers, and BoardLost where there is no verdict."""
        machine, firmware = built(self._folder / program, self.description, scheduler, True, path)
        data = input.encode(ENCODING) if isinstance(input, str) else input
        self._hearing = None
        place, session = self._place, BoardSession(self._start(firmware))
        try:
            session.greet(firmware.program.hex(), machine.layout.size, scheduler, may_reset=not place.emulated)
        except SessionError as error:
            raise BoardLost(str(error)) from None
        conduct = Conduct(steps, seconds, ahead, bytes_for_board(data))
        result = conform(session, HostSide(machine, scheduler), firmware.generated.sites, conduct, keep=True)
        if result.difference is not None:
            raise BoardDiffers("\n".join(difference_lines(result.difference, str(program))))
        if result.verdict != "agrees":
            raise BoardLost(f"{result.verdict}: {result.reason}")
        return result

    def close(self) -> None:
        self._power.close()
        self._line = self._hearing = None

    # --- how ---

    def _start(self, firmware: Firmware) -> PortLine:
        """The line to the board, freshly started with this image in its flash."""
        self.close()
        self.image = firmware.digest
        self._told("image", self.image)
        board, content = self.description, dict(firmware.image.flash)
        refuse_what_does_not_fit(board, content)
        place = self._place
        if place.emulated and not place.boot_loader:
            self._emulated = self._power.enter_context(terminal_of(board, firmware.image.elf, place.emulator))
            port = self._console(self._emulated.port)
            self._emulated.start()
            return PortLine(port)
        if place.emulated:
            loader = Path(place.boot_loader)
            self._emulated = self._power.enter_context(terminal_of(board, None, place.emulator, loader))
            return PortLine(self._through_boot_loader(self._emulated.port, content))
        if place.probe:
            return PortLine(self._through_probe(content, place.probe))
        way = way_of(board, bool(place.port))
        if way == "serial":
            return PortLine(self._through_boot_loader(self._port, content))
        if way == "drive":
            image = in_format(form_of(board), content, board.flash.start, board.family)
            copy_to_drive(choose_drive(board, place.drive or None), image, no_progress)
            return PortLine(self._console(choose_port(board, place.port or None, ports_of_this_machine())))
        if way == "esptool":
            name = choose_port(board, place.port or None, ports_of_this_machine())
            flash_by_esptool(board, content, name, no_progress)
            return PortLine(self._console(name))
        if way == "rvprog":
            name = choose_port(board, place.port or None, ports_of_this_machine())
            flash_by_rvprog(board, content, no_progress)
            return PortLine(self._console(name))
        by_hand = command_for(board, "IMAGE.elf")
        raise FlashError("open", f"the board {board.name} is flashed by another program", remedy=by_hand)

    def _console(self, name: str) -> serial.Serial:
        port = self._power.enter_context(open_port(name, self.description.console.baud))
        if self.description.flashing.reset == "dtr":
            pulse_dtr(port)
        return port

    def _through_probe(self, content: dict[int, bytes], probe: str) -> serial.Serial:
        """The console is open before the program starts, and what an older program said is dropped while it is halted:
        all that this one says is heard."""
        port = self._console(self._port)

        def progress(stage: Stage, done: int, total: int) -> None:
            if stage == "start":
                port.reset_input_buffer()

        flash_by_probe(self.description, content, probe, progress)
        return port

    def _through_boot_loader(self, name: str, content: dict[int, bytes]) -> serial.Serial:
        port = self._power.enter_context(opened_board(self.description, name))
        flash_over_serial(self.description, port, content, no_progress)
        port.parity = "N"
        port.baudrate = self.description.console.baud
        return port

    def _running_line(self) -> PortLine:
        if self._line is None:
            raise RuntimeError("nothing was flashed yet: board.flash(PROGRAM) first")
        return self._line

    def _heard(self) -> Hearing:
        self._running_line()
        assert self._hearing is not None
        return self._hearing


def _port_of(place: BoardPlace, board: Description) -> str:
    """Where the board is, so that one that is not there is known before the test begins."""
    if place.emulated:
        emulators = [e for e, has in (("simavr", board.emulator.simavr), ("qemu", board.emulator.qemu)) if has]
        if not emulators or (place.emulator and place.emulator not in emulators):
            raise BadPlaces(f"the board {board.name} has no emulator{f' {place.emulator}' if place.emulator else ''}")
        if place.boot_loader and not Path(place.boot_loader).is_file():
            raise BadPlaces(f"{place.name}: there is no boot loader {place.boot_loader}")
        return ""
    if not place.probe and way_of(board, bool(place.port)) == "drive":
        choose_drive(board, place.drive or None)
        return place.port
    name = choose_port(board, place.port or None, ports_of_this_machine())
    if not Path(name).exists() and name.startswith("/"):
        raise FlashError("open", f"there is no port {name}", remedy="is the board plugged in?")
    return name


__all__ = ["Board", "BoardDiffers", "BoardLost", "EmulatorError"]
