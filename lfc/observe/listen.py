"""What a traced board says while it runs freely: from its hello, or from whatever it is in the middle of.

A frame that is lost costs what follows of the run until the board has sent its block; nothing is guessed.
"""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass

from lfc.boards.emulators.line import Line
from lfc.hil.frames import Damaged, Frame, FrameReader, Type, encode_frame
from lfc.hil.session import FORMAT, FREE, PER_BYTE, BoardStep, Faulted, Idle, SessionError, item_ends
from lfc.trace.items import BY_TAG, BadItems, Item, decode

HELLO_COMES = 2.0  # seconds until a board that says no hello is one that runs already
ASKED_AGAIN = 2.0  # seconds until the block is asked for again, and longer for a long one
LONGEST_STEP = 1 << 20  # bytes of items
MOST_BLOCK = 0xFFFF  # that one request names


@dataclass(frozen=True, slots=True)
class Began:
    """The program begins: its hello."""


@dataclass(frozen=True, slots=True)
class Lost:
    """Some of what it did is not known."""

    why: str


@dataclass(frozen=True, slots=True)
class Found:
    """Between two steps its block is this."""

    block: bytes


Event = Began | Lost | Found | BoardStep | Faulted | Idle


class Listener:
    def __init__(self, line: Line, program: str, size: int, earliest_first: bool) -> None:
        self.line, self.program, self.size, self.earliest_first = line, program, size, earliest_first
        self.reader = FrameReader()
        self.events: deque[Event] = deque()
        self.pending = bytearray()  # items of a step that is not complete
        self.whole = 0  # bytes of it that are whole items
        self.synchronous = False
        self.expected: int | None = None  # the sequence of the board's next frame
        self.sent = 0
        self.block = bytearray()  # as much as has come of it
        self.ask_at = time.monotonic() + HELLO_COMES
        self.last_was_hello = False

    def next(self, seconds: float) -> Event | None:
        """None: nothing has come for so long. Raises SessionError, LineEnded."""
        end = time.monotonic() + seconds
        while not self.events:
            now = time.monotonic()
            if now >= end:
                return None
            if not self.synchronous and now >= self.ask_at:
                self.ask_for_block()
            until = end if self.synchronous else min(end, self.ask_at)
            for found in self.reader.feed(self.line.read(max(0.0, until - now))):
                self.take(found)
        return self.events.popleft()

    def ask_for_block(self) -> None:
        """Of a board that runs: it answers between two steps."""
        if self.size > MOST_BLOCK:
            raise SessionError("lost", f"a block of {self.size} bytes cannot be read while the board runs: reset it")
        self.block.clear()
        self.send(Type.MODE, bytes([FREE]))
        self.send(Type.SEND, bytes(2) + self.size.to_bytes(2, "little"))
        self.ask_at = time.monotonic() + ASKED_AGAIN + PER_BYTE * self.size

    def send(self, kind: Type, payload: bytes) -> None:
        self.line.write(encode_frame(Frame(kind, self.sent & 0xFF, payload)))
        self.sent += 1

    def take(self, found: Frame | Damaged) -> None:
        if isinstance(found, Damaged):
            self.expected = None
            self.lose(f"a damaged frame of {len(found.content)} bytes")
            return
        missing = 0 if self.expected is None else found.sequence - self.expected & 0xFF
        self.expected = found.sequence + 1 & 0xFF
        if found.type == Type.HELLO and len(found.payload) == 20:
            again = self.last_was_hello and not missing
            self.last_was_hello = True
            if not again:
                self.hello(found.payload)
            return
        self.last_was_hello = False
        if missing:
            self.lose(f"{missing} frame{'s' if missing > 1 else ''} lost")
        if self.synchronous:
            self.take_told(found)
        elif found.type == Type.BYTES:
            self.take_bytes(found.payload)

    def lose(self, why: str) -> None:
        self.forget()
        self.block.clear()
        if self.synchronous:
            self.synchronous = False
            self.ask_at = time.monotonic()
            self.events.append(Lost(why))

    def hello(self, payload: bytes) -> None:
        if payload[0] != FORMAT:
            raise SessionError("wrong image", f"the board speaks version {payload[0]}, not {FORMAT}")
        program, size = payload[1:17].hex(), int.from_bytes(payload[17:19], "little") or 1 << 16
        if program != self.program[:32]:
            raise SessionError(
                "wrong image", f"the board runs another program: {program[:16]}..., not {self.program[:16]}..."
            )
        if size != self.size or bool(payload[19] & 1) != self.earliest_first:
            raise SessionError("wrong image", "the board's image has another block or the other scheduler")
        self.forget()
        self.synchronous, self.sent = True, 0
        self.events.append(Began())
        self.send(Type.MODE, bytes([FREE]))

    def take_bytes(self, payload: bytes) -> None:
        if int.from_bytes(payload[:2], "little") != len(self.block):
            self.block.clear()
            return
        self.block += payload[2:]
        if len(self.block) >= self.size:
            self.synchronous = True
            self.forget()
            self.events.append(Found(bytes(self.block[: self.size])))

    def take_told(self, frame: Frame) -> None:
        payload = frame.payload
        if frame.type == Type.TEXT:
            self.pending += b"".join(b"\x31" + payload[i : i + 1] for i in range(len(payload)))
        elif frame.type == Type.ITEMS:
            self.pending += payload
            self.complete()
        elif frame.type == Type.FAULT and len(payload) == 11:
            items, _ = self.taken_items()
            first, second = (int.from_bytes(payload[i : i + 4], "little", signed=True) for i in (3, 7))
            self.events.append(Faulted(items, payload[0], int.from_bytes(payload[1:3], "little"), first, second))
        elif frame.type not in (Type.TROUBLE, Type.BYTES):  # which answer what was asked before it began anew
            raise SessionError("lost", f"the board sends a frame of type {frame.type:02X}H, which is unexpected")
        if len(self.pending) > LONGEST_STEP:
            raise SessionError("lost", "the board's report of a step does not end")

    def complete(self) -> None:
        end = [self.whole + e for e in item_ends(self.pending[self.whole :])]
        if not end:
            return
        last, self.whole = (end[-2] if len(end) > 1 else self.whole), end[-1]
        if self.whole != len(self.pending):
            return
        name = BY_TAG[self.pending[last]].name
        if name == "idle":
            self.forget()
            self.events.append(Idle())
        elif name == "digest":
            self.events.append(BoardStep(*self.taken_items()))

    def forget(self) -> None:
        self.pending.clear()
        self.whole = 0

    def taken_items(self) -> tuple[tuple[Item, ...], int]:
        try:
            items = tuple(decode(bytes(self.pending)))
        except BadItems as error:
            raise SessionError("lost", f"the board's report of a step is invalid: {error}") from None
        self.forget()
        if items and items[-1].name == "digest":
            return items[:-1], items[-1].operands[0] or 0
        return items, 0
