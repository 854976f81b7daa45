"""What comes from a board, decoded for a reader: text, lost input, faults, and the frames of a traced board."""

from __future__ import annotations

from dataclasses import dataclass

from lfc.boards.serial.console import ConsoleStream
from lfc.hil.faults import fault_text
from lfc.hil.frames import Damaged, Frame, FrameReader, Type
from lfc.image.tables import Tables
from lfc.run.running import Fault
from lfc.trace.items import BY_TAG, BadItems, decode


@dataclass(frozen=True, slots=True)
class Heard:
    kind: str  # text: of the program; note, step, fault: of the board or the line
    content: bytes


class PlainListener:
    """The console of an untraced board."""

    def __init__(self, tables: Tables | None) -> None:
        self._tables = tables
        self._stream = ConsoleStream()
        self._lost = 0

    def feed(self, received: bytes) -> list[Heard]:
        """Line by line, so that all stays in its order."""
        return [heard for line in received.splitlines(keepends=True) for heard in self._feed_line(line)]

    def _feed_line(self, received: bytes) -> list[Heard]:
        heard = [Heard("text", text)] if (text := self._stream.feed(received)) else []
        if self._stream.lost != self._lost:
            more, self._lost = self._stream.lost - self._lost, self._stream.lost
            heard.append(note(f"the board has lost {more} bytes of its input"))
        if self._stream.fault is not None:
            wire, self._stream.fault = self._stream.fault, None
            heard.append(told_fault(self._tables, Fault(wire.kind, wire.site, wire.first, wire.second)))
        return heard

    def rest(self) -> list[Heard]:
        """The line is silent or has ended: what may have become a fault is text."""
        rest = self._stream.rest()
        return [Heard("text", rest)] if rest else []


class FrameListener:
    """A traced board that runs by itself, or says hello."""

    def __init__(self, tables: Tables | None) -> None:
        self._tables = tables
        self._reader = FrameReader()
        self._expected: int | None = None
        self._last_was_hello = False
        self._pending = b""

    def feed(self, received: bytes) -> list[Heard]:
        return [h for found in self._reader.feed(received) for h in self._of(found)]

    def rest(self) -> list[Heard]:
        return []

    def _of(self, found: Frame | Damaged) -> list[Heard]:
        if isinstance(found, Damaged):
            self._pending, self._expected, self._last_was_hello = b"", None, False
            return [note(f"a damaged frame of {len(found.content)} bytes")]
        heard = []
        missing = 0 if self._expected is None else found.sequence - self._expected & 0xFF
        if missing and found.type != Type.HELLO:
            self._pending = b""
            heard.append(note(f"{missing} frame{'s' if missing > 1 else ''} lost"))
        # It says hello until it is answered; behind anything else, it has started anew, whatever its number.
        again = found.type == Type.HELLO and self._last_was_hello and missing == 0
        self._last_was_hello = found.type == Type.HELLO
        self._expected = found.sequence + 1 & 0xFF
        return heard + ([] if again else self._of_frame(found))

    def _of_frame(self, frame: Frame) -> list[Heard]:
        payload = frame.payload
        if frame.type == Type.HELLO:
            self._pending = b""
            return [self._hello(payload)]
        if frame.type == Type.TEXT:
            return [Heard("text", payload)]
        if frame.type == Type.FAULT and len(payload) == 11:
            first, second = (int.from_bytes(payload[i : i + 4], "little", signed=True) for i in (3, 7))
            fault = Fault(payload[0], int.from_bytes(payload[1:3], "little"), first, second)
            return [told_fault(self._tables, fault)]
        if frame.type == Type.ITEMS:
            self._pending += payload
            return self._step()
        return []

    def _hello(self, payload: bytes) -> Heard:
        program = payload[1:17].hex()
        if self._tables is not None and not self._tables.program.startswith(program):
            return note("a traced board says hello, but it runs another program than the ELF file's")
        return note(f"a traced board says hello (program {program[:16]}); `lfc hil` runs it")

    def _step(self) -> list[Heard]:
        """What is whole of a step, as the names of its items; its digest ends it."""
        try:
            items = list(decode(self._pending))
        except BadItems:
            if len(self._pending) < 1024 and all(tag in BY_TAG for tag in self._pending[:1]):
                return []  # the rest of the last item comes with the next frame
            self._pending = b""
            return [note("invalid items")]
        if not items or items[-1].name not in ("digest", "idle"):
            return []
        self._pending = b""
        parts = [" ".join([i.name, *(str(o) for o in i.operands)]) for i in items if i.name != "digest"]
        return [Heard("step", "; ".join(parts).encode())] if parts else []


def told_fault(tables: Tables | None, fault: Fault) -> Heard:
    numbers = f"kind {fault.kind} at site {fault.site} ({fault.first}, {fault.second})"
    named = f"{numbers}; name its ELF file to see the message"
    return Heard("fault", f"fault: {named if tables is None else fault_text(tables, fault)}".encode())


def note(text: str) -> Heard:
    return Heard("note", text.encode())
