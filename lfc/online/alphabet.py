"""How messages of a specification's ports stand on the line.

A message is a line of text: its name and its values, with blanks between them, `level 3`. One with the name `byte` and
one CHAR is that byte itself.
"""

from __future__ import annotations

import re

LABEL = re.compile(r"(?P<port>[^!?]+)(?P<sign>[!?])(?P<message>\w+)(\((?P<values>.*)\))?$", re.DOTALL)
BYTE = "byte"
LONGEST = 4096  # bytes of a line


class NoMessage(Exception):
    """What is on the line is no message of the specification."""


def is_input(label: str) -> bool:
    """Whether the specification receives it from outside."""
    match = LABEL.match(label)
    return match is not None and match["sign"] == "?"


def is_output(label: str) -> bool:
    match = LABEL.match(label)
    return match is not None and match["sign"] == "!"


def as_bytes(label: str) -> bytes:
    """What stands for it on the line."""
    match = LABEL.match(label)
    assert match is not None
    values = match["values"] or ""
    if match["message"] == BYTE:
        return bytes([code_of(values)])
    return " ".join([match["message"], *(v for v in values.split(", ") if v)]).encode() + b"\n"


def code_of(char: str) -> int:
    return ord(char[1]) if char.startswith("'") else int(char.rstrip("X"), 16)


class Reading:
    """Cuts what comes into the texts of messages. `bytes_only`: each byte is one."""

    def __init__(self, bytes_only: bool) -> None:
        self.bytes_only = bytes_only
        self.rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Each as `as_bytes` writes it."""
        if self.bytes_only:
            return [bytes([b]) for b in data]
        *whole, self.rest = (self.rest + data).split(b"\n")
        if len(self.rest) > LONGEST:
            raise NoMessage(f"a line of more than {LONGEST} bytes")
        return [line.rstrip(b"\r") + b"\n" for line in whole]
