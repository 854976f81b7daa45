"""A traced board at the other end of a line: the handshake, what it tells, what it is told.

A frame that is lost or damaged ends the session with an error: what was not seen is never taken for success.
"""

from __future__ import annotations

import math
import time
from collections import deque
from dataclasses import dataclass

from lfc.boards.emulators.line import Line
from lfc.hil.frames import Damaged, Frame, FrameReader, Type, encode_frame
from lfc.trace.items import BY_TAG, BadItems, Item, decode

FORMAT = 1
EARLIEST_FIRST = 1  # a flag of the hello
MOST_INPUT = 32  # console bytes that a board keeps
MOST_ITEMS = 24  # bytes of items in one frame to the board: a whole frame has room in a receive buffer of 32 bytes
FREE, FOLLOW, RESET, PACED = range(4)
OVERHEAD = 7  # of a frame: what stuffs it and ends it, type, sequence, CRC; and one more
CANNOT_FOLLOW, FRAME_LOST = 1, 2
PATIENCE = 10.0  # seconds until a board that should say something counts as silent
BEFORE_RESET = 3.0  # seconds that a board is given for its boot loader before it is told to start anew
BETWEEN_RESETS = 2.0
WHOLE = 60.0  # seconds for a block, a handshake or a step, however much the board says meanwhile
PER_BYTE = 0.01  # and so many more for each byte of a block: 1,000 a second is slow for any line
MOST_PENDING = 1 << 20  # bytes of items that no step has more of
BUFFER = 32  # bytes of the line that a board is sure to keep while it runs an action


class SessionError(Exception):
    """The session cannot go on; the message says why. `kind`: wrong image, lost, silent, restarted."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Hello:
    program: str  # digest, in hexadecimal
    block_size: int
    earliest_first: bool


@dataclass(frozen=True, slots=True)
class BoardStep:
    """What the board did in one step, outputs and digest included."""

    items: tuple[Item, ...]
    digest: int


@dataclass(frozen=True, slots=True)
class Idle:
    """Nothing is ready, and nothing has come from outside."""


@dataclass(frozen=True, slots=True)
class Faulted:
    """`items`: of the step in which it happened."""

    items: tuple[Item, ...]
    kind: int
    site: int
    first: int
    second: int


@dataclass(frozen=True, slots=True)
class Wants:
    """The board follows, and asks for the next items of the step."""


@dataclass(frozen=True, slots=True)
class CannotFollow:
    """The board asked for an item of the first tag, and the host had one of the second (0: none)."""

    wanted: int
    found: int


@dataclass(frozen=True, slots=True)
class _Sent:
    """A frame to the board, heard when it has done more `steps` or taken more `input`. `end`: bytes sent with it."""

    end: int
    steps: float = math.inf
    input: float = math.inf


Event = BoardStep | Idle | Faulted | Wants | CannotFollow


class BoardSession:
    def __init__(self, line: Line) -> None:
        self._line = line
        self._reader = FrameReader()
        self._frames: deque[Frame | Damaged] = deque()
        self._sent = 0
        self._expected = 0  # the sequence of the board's next frame
        self._greeted = False  # something else than a hello has come
        self._pending = bytearray()  # items of a step that is not complete
        self._held: deque[Event] = deque()  # what came while the block was read, in its order
        self._bytes_sent = self._bytes_heard = 0  # the second: those that the board has surely taken off its line
        self._not_heard: deque[_Sent] = deque()
        self._allowed = self._steps = 0  # PACED: steps in all, that it may do and that it did
        self._given = self._taken = 0  # bytes of input, likewise
        self._part_since = 0.0  # since when a step has been told in part; 0: nothing of it is there
        self.frames = 0
        self.bytes = 0

    # --- the handshake ---

    def greet(self, program: str, block_size: int, scheduler: str, may_reset: bool = False) -> Hello:
        """Waits for the board's hello, which must be of this program. `program`: the image's digest in hexadecimal.

        A board that says none may be in the middle of an earlier session, without a line that resets it: with
        `may_reset` it is told to start anew.
        """
        frame = self._hello(may_reset)
        self._expected = frame.sequence + 1 & 0xFF
        if frame.payload[0] != FORMAT:
            raise SessionError("wrong image", f"the board speaks version {frame.payload[0]}, not {FORMAT}")
        hello = Hello(
            frame.payload[1:17].hex(),
            int.from_bytes(frame.payload[17:19], "little") or 1 << 16,
            bool(frame.payload[19] & EARLIEST_FIRST),
        )
        if hello.program != program[:32]:
            raise SessionError(
                "wrong image", f"the board runs another program: {hello.program[:16]}..., not {program[:16]}..."
            )
        if hello.block_size != block_size:
            raise SessionError("wrong image", f"the board's block has {hello.block_size} bytes, not {block_size}")
        if hello.earliest_first != (scheduler == "edf"):
            raise SessionError("wrong image", "the board's image has the other scheduler")
        return hello

    def _hello(self, may_reset: bool) -> Frame:
        end = time.monotonic() + PATIENCE
        reset_at = time.monotonic() + BEFORE_RESET if may_reset else end
        while True:
            found = self._frame_until(min(end, reset_at))
            if isinstance(found, Frame) and found.type == Type.HELLO and len(found.payload) == 20:
                return found
            if time.monotonic() >= end:
                said = "the board sends no hello: is the image traced, and is the speed right?"
                raise SessionError("silent", said)
            if found is None and time.monotonic() >= reset_at:
                self._line.write(b"\0")  # the end of what an earlier session may have begun
                self.set_mode(RESET)
                self._sent = 0  # it counts anew
                reset_at = time.monotonic() + BETWEEN_RESETS

    # --- to the board ---

    def set_mode(self, mode: int) -> None:
        self._send(Type.MODE, bytes([mode]))

    def go(self, steps: int) -> None:
        """PACED: the board may do so many steps more; there must be `may_go`."""
        self._send(Type.GO, bytes([steps]))
        self._not_heard.append(_Sent(self._bytes_sent, steps=self._allowed))
        self._allowed += steps

    def give_input(self, data: bytes) -> None:
        """No more than MOST_INPUT bytes may be under way that the board has not read, and there must be `room`."""
        for at in range(0, len(data), MOST_ITEMS):
            part = data[at : at + MOST_ITEMS]
            self._send(Type.INPUT, part)
            self._not_heard.append(_Sent(self._bytes_sent, input=self._given))
            self._given += len(part)

    def give_items(self, items: bytes) -> None:
        """The next items of the step, whole ones; nothing: there are no more."""
        self._send(Type.FOLLOW, items)

    @property
    def room(self) -> int:
        """Bytes of input that the board is sure to keep now, even in a long action, with a leave to go on besides."""
        return max(0, min(MOST_ITEMS, BUFFER - self._unheard - 2 * OVERHEAD))

    @property
    def may_go(self) -> bool:
        """Whether the board is sure to keep a leave to go on. If it has done all that it may, it is."""
        return self._unheard + OVERHEAD <= BUFFER

    @property
    def _unheard(self) -> int:
        return self._bytes_sent - self._bytes_heard

    def read_block(self, size: int, patience: float = PATIENCE) -> bytes:
        """The state block as it is on the board, which must stand still meanwhile: it may only say that it is idle, or
        ask what to do. `patience`: seconds without a word."""
        found = bytearray()
        while len(found) < size:
            part = min(size - len(found), 0xFFFF)  # a block of 65,536 bytes is one more than a length can say
            self._send(Type.SEND, len(found).to_bytes(2, "little") + part.to_bytes(2, "little"))
            self._read_part(found, len(found) + part, patience)
            self._bytes_heard = self._bytes_sent
            self._not_heard.clear()
        return bytes(found)

    def _read_part(self, found: bytearray, size: int, patience: float) -> None:
        whole = time.monotonic() + WHOLE + PER_BYTE * size
        while len(found) < size:
            if time.monotonic() > whole:
                raise SessionError("silent", "the board says much, but does not send its block")
            end = time.monotonic() + patience
            frame = self._checked(self._next_frame(end, "the board does not send its block"))
            if frame.type == Type.BYTES:
                if int.from_bytes(frame.payload[:2], "little") != len(found):
                    raise SessionError("lost", "the board sends its block in another order")
                found += frame.payload[2:]
                continue
            event = self._event_of(frame)
            if isinstance(event, Wants | Idle):
                self._held.append(event)
            elif event is not None:
                raise SessionError("lost", "the board continued before it sent its block")

    def _send(self, kind: Type, payload: bytes) -> None:
        encoded = encode_frame(Frame(kind, self._sent & 0xFF, payload))
        self._line.write(encoded)
        self._bytes_sent += len(encoded)
        self._sent += 1

    # --- from the board ---

    def next_event(self, seconds: float = PATIENCE) -> Event | None:
        """None: nothing has come for so long. Raises SessionError, LineEnded."""
        if self._held:
            return self._held.popleft()
        end = time.monotonic() + seconds
        self._part_since = self._part_since or time.monotonic()
        while True:
            if time.monotonic() > self._part_since + WHOLE:
                raise SessionError("silent", f"the board says much, but finishes no step in {WHOLE:.0f} seconds")
            found = self._frame_until(end)
            if found is None:
                if not self._pending:
                    self._part_since = 0.0
                return None
            event = self._event_of(self._checked(found))
            if event is not None:
                self._part_since = 0.0
                return event
            if time.monotonic() > end:
                return None

    def _event_of(self, frame: Frame) -> Event | None:
        """What is complete with this frame."""
        payload = frame.payload
        if len(self._pending) > MOST_PENDING:
            raise SessionError("lost", "the board's report of a step does not end")
        if frame.type == Type.TEXT:
            tag = b"\x31"
            self._pending += b"".join(tag + payload[i : i + 1] for i in range(len(payload)))
        elif frame.type == Type.ITEMS:
            self._pending += payload
            return self._complete_items()
        elif frame.type == Type.FAULT and len(payload) == 11:
            items, _ = self._take_items()
            first, second = (int.from_bytes(payload[i : i + 4], "little", signed=True) for i in (3, 7))
            return Faulted(items, payload[0], int.from_bytes(payload[1:3], "little"), first, second)
        elif frame.type == Type.WANTS:
            return Wants()
        elif frame.type == Type.TROUBLE and len(payload) == 3:
            if payload[0] == CANNOT_FOLLOW:
                return CannotFollow(payload[1], payload[2])
            raise SessionError("lost", "a frame to the board was lost or damaged")
        elif frame.type == Type.HELLO:
            if self._greeted:
                raise SessionError("restarted", "the board has restarted")
            return None
        else:
            raise SessionError("lost", f"the board sends a frame of type {frame.type:02X}H, which is unexpected")
        return None

    def _complete_items(self) -> Event | None:
        end = item_ends(self._pending)
        if not end or end[-1] != len(self._pending):
            return None
        tag = self._pending[end[-2] if len(end) > 1 else 0]
        if BY_TAG[tag].name == "idle":
            self._pending.clear()
            return Idle()
        if BY_TAG[tag].name != "digest":
            return None
        items, digest = self._take_items()
        self._note_step(items)
        return BoardStep(items, digest)

    def _note_step(self, items: tuple[Item, ...]) -> None:
        """A step that needed a leave, or took input, shows that the frame with it has been heard, and those before."""
        self._steps += 1
        self._taken += sum(item.name in ("console", "read") for item in items)
        while self._not_heard and any(s.steps < self._steps or s.input < self._taken for s in self._not_heard):
            self._bytes_heard = self._not_heard.popleft().end

    def _take_items(self) -> tuple[tuple[Item, ...], int]:
        """What is pending, without the digest, and that."""
        try:
            items = tuple(decode(bytes(self._pending)))
        except BadItems as error:
            raise SessionError("lost", f"the board's report of a step is invalid: {error}") from None
        self._pending.clear()
        if items and items[-1].name == "digest":
            return items[:-1], items[-1].operands[0] or 0
        return items, 0

    def _checked(self, found: Frame | Damaged) -> Frame:
        """The frame, if it is the next one."""
        if isinstance(found, Damaged):
            raise SessionError("lost", f"a frame from the board is damaged ({len(found.content)} bytes)")
        missing = found.sequence - self._expected & 0xFF
        if missing:
            if found.type == Type.HELLO:
                raise SessionError("restarted", "the board has restarted")
            raise SessionError("lost", f"{missing} frame{'s' if missing > 1 else ''} from the board did not arrive")
        self._expected = found.sequence + 1 & 0xFF
        self._greeted = self._greeted or found.type != Type.HELLO
        self.frames += 1
        return found

    def _next_frame(self, end: float, otherwise: str) -> Frame | Damaged:
        found = self._frame_until(end)
        if found is None:
            raise SessionError("silent", otherwise)
        return found

    def _frame_until(self, end: float) -> Frame | Damaged | None:
        while not self._frames:
            left = end - time.monotonic()
            if left <= 0:
                return None
            received = self._line.read(left)
            self.bytes += len(received)
            self._frames.extend(self._reader.feed(received))
        return self._frames.popleft()


def item_ends(data: bytes | bytearray) -> list[int]:
    """Where each whole item ends. Raises SessionError where something is no item."""
    ends, at = [], 0
    while at < len(data):
        kind = BY_TAG.get(data[at])
        if kind is None:
            raise SessionError("lost", f"the board's report of a step is invalid: tag {data[at]:02X}H")
        at += 1 + sum(kind.widths)
        if at <= len(data):
            ends.append(at)
    return ends
