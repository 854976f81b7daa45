"""The error of flashing: at which stage it failed, what was expected, what came."""

from __future__ import annotations

from typing import Literal

Stage = Literal["check", "open", "reset", "sync", "signature", "erase", "write", "verify", "start"]


class FlashError(Exception):
    """`expected` and `received` say what the protocol wanted and what was there; `remedy` what the user can do."""

    def __init__(self, stage: Stage, message: str, *, expected: str = "", received: str = "", remedy: str = "") -> None:
        self.stage = stage
        self.message = message
        self.expected = expected
        self.received = received
        self.remedy = remedy
        text = f"{stage}: {message}"
        if expected or received:
            text += f" (expected {expected or 'nothing'}, received {received or 'nothing'})"
        between = "\n" if "\n" in message else "; "
        super().__init__(text + (f"{between}{remedy}" if remedy else ""))


def show_bytes(data: bytes) -> str:
    return data.hex(" ").upper() if data else "nothing"
