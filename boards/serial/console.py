"""What a board says on its console: the program's own output, what input was lost, and at the end perhaps a fault.

A fault comes as the line `!fault kind site first second`, lost input as `!lost bytes` (see
runtime/policies/board.c), their numbers in hexadecimal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FAULT_LINE = re.compile(rb"\n!fault" + rb" ([0-9A-F]{8})" * 4 + rb"\n")
LOST_LINE = re.compile(rb"\n!lost ([0-9A-F]{2})\n")
MODELS = ((FAULT_LINE, b"\n!fault" + b" 00000000" * 4 + b"\n"), (LOST_LINE, b"\n!lost 00\n"))


@dataclass(frozen=True, slots=True)
class WireFault:
    kind: int
    site: int
    first: int  # signed
    second: int


class ConsoleStream:
    """Separates the two. What may become the line of a fault is kept back until that is known."""

    def __init__(self) -> None:
        self.fault: WireFault | None = None
        self.lost = 0  # bytes of input; each line tells at most 255
        self._kept = b""

    def feed(self, received: bytes) -> bytes:
        """The program's output in it, and in what was kept before."""
        data = self._kept + received
        shown = b""
        while True:
            begin = self._possible_begin(data)
            shown, data = shown + data[:begin], data[begin:]
            lost = LOST_LINE.match(data)
            if lost is not None:
                self.lost += int(lost[1], 16)
                data = data[lost.end() :]
                continue
            line = FAULT_LINE.match(data)
            if line is None:
                self._kept = data
                return shown
            kind, site, first, second = (int(g, 16) for g in line.groups())
            self.fault = WireFault(kind, site, _signed(first), _signed(second))
            data = data[line.end() :]

    def rest(self) -> bytes:
        """At the end: what was kept is the program's own, after all."""
        rest, self._kept = self._kept, b""
        return rest

    @staticmethod
    def _possible_begin(data: bytes) -> int:
        at = data.find(b"\n")
        while at >= 0:
            for pattern, model in MODELS:
                piece = data[at : at + len(model)]
                if pattern.match(piece + model[len(piece) :]):
                    return at
            at = data.find(b"\n", at + 1)
        return len(data)


def _signed(value: int) -> int:
    return value - (1 << 32) if value >> 31 else value
