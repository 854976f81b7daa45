"""A line at whose other end a list of frames stands, for what no emulator does: loss and damage."""

from __future__ import annotations

from lfc.boards.emulators.line import LineEnded
from lfc.hil.frames import Frame, FrameReader, Type, encode_frame

PROGRAM = "ab" * 16
HELLO = bytes([1]) + bytes.fromhex(PROGRAM) + (24).to_bytes(2, "little") + b"\0"


class ScriptedLine:
    """Gives what it has, a piece at each read; keeps what is written."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)
        self.written = b""

    def read(self, seconds: float) -> bytes:
        if not self.pieces:
            raise LineEnded("the script has ended")
        return self.pieces.pop(0)

    def write(self, data: bytes) -> None:
        self.written += data

    @property
    def frames(self) -> list[object]:
        return list(FrameReader().feed(self.written))


def frame(kind: Type, sequence: int, payload: bytes = b"") -> bytes:
    return encode_frame(Frame(kind, sequence, payload))


def hello(sequence: int = 0, payload: bytes = HELLO) -> bytes:
    return frame(Type.HELLO, sequence, payload)
