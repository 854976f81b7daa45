"""Boards whose serial lines are connected, in the built-in simulator: each hears what the others say. They go on in
steps of the same time, so that the same images make the same run."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from lfc.boards.descriptions.board import Board
from lfc.boards.emulators.builtin import Simulation, Source
from lfc.boards.emulators.quiet import MEMORY

STEP = 5000  # in a second: a fifth of a millisecond, less than a byte takes at 38,400 bits a second
FLAG, ESCAPE, FLIP = 0x7E, 0x7D, 0x20
POLYNOMIAL = 0x1021
SHORTEST, LONGEST = 3, 4096  # bytes of a frame


@dataclass(slots=True)
class Member:
    """A board of the network. `crashed` and `halted` are ends of its own."""

    simulation: Simulation
    console: Unframed
    end: str = ""


class Network:
    def __init__(self, boards: Mapping[str, tuple[Board, bytes]], write: Callable[[str, bytes], None]) -> None:
        """`boards`: with their images (ELF), by name. `write`: what a board says beside frames."""
        self.write = write
        self.members: dict[str, Member] = {}
        self.passed = 0  # frames
        self.now = 0  # steps
        for name, (board, elf) in boards.items():
            simulation = Simulation(board, elf, partial(self._said, name), Source())
            self.members[name] = Member(simulation, Unframed())

    def _said(self, name: str, data: bytes) -> None:
        self.passed += self.members[name].console.feed(data)
        for other, member in self.members.items():
            if other != name:
                member.simulation.source.given += self.on_the_way(data)

    def on_the_way(self, data: bytes) -> bytes:
        """What arrives at one of the others."""
        return data

    def run(
        self,
        seconds: float | None,
        real_time: bool,
        stops: Callable[[], bool] = lambda: False,
        on_pass: Callable[[str], None] | None = None,
    ) -> str:
        """For so long in the time of the boards. How it ended: time, stopped, crashed, halted (of one of them).
        `on_pass`: a pass of this board's kernel begins."""
        begin, last = time.monotonic(), None if seconds is None else self.now + int(seconds * STEP)
        first = self.now
        while last is None or self.now < last:
            self.now += 1
            for name, member in self.members.items():
                until = self.now * member.simulation.board.cpu.clock // STEP
                if on_pass is None:
                    member.end = member.simulation.run(until, None, False)
                else:
                    member.end = member.simulation.run_by_passes(until, partial(on_pass, name))
            for name, member in self.members.items():
                self.write(name, member.console.take())
                if member.end != "time":
                    return member.end
            if stops():
                return "stopped"
            ahead = (self.now - first) / STEP - (time.monotonic() - begin)
            if real_time and ahead > 0:
                time.sleep(ahead)
        return "time"

    def memory(self, name: str) -> bytes:
        return self.members[name].simulation.memory(MEMORY)


@dataclass(slots=True)
class Unframed:
    """Separates frames from text on a console's line. `feed` says how many frames there were."""

    frame: bytearray | None = None  # what has come since the last flag; None: outside of frames
    text: bytearray = field(default_factory=bytearray)

    def feed(self, data: bytes) -> int:
        frames = 0
        for byte in data:
            if byte == FLAG:
                frames += self._flag()
            elif self.frame is None:
                self.text.append(byte)
            else:
                self.frame.append(byte)
                if len(self.frame) > LONGEST:
                    self._was_text()
        return frames

    def take(self) -> bytes:
        """The text that has come since."""
        text = bytes(self.text)
        self.text.clear()
        return text

    def _flag(self) -> int:
        if self.frame is None or not self.frame:
            self.frame = bytearray()
            return 0
        if is_frame(bytes(self.frame)):
            self.frame = None
            return 1
        self._was_text()
        self.frame = bytearray()  # this flag may be the first of the next
        return 0

    def _was_text(self) -> None:
        self.text += b"~" + (self.frame or b"")
        self.frame = None


def is_frame(stuffed: bytes) -> bool:
    content, escaped = bytearray(), False
    for byte in stuffed:
        if byte == ESCAPE:
            escaped = True
        else:
            content.append(byte ^ FLIP if escaped else byte)
            escaped = False
    return len(content) >= SHORTEST and not escaped and crc16(bytes(content)) == 0


def crc16(data: bytes) -> int:
    """CCITT, as `CRC.CCITT` of the library."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ POLYNOMIAL if crc & 0x8000 else crc << 1) & 0xFFFF
    return crc
