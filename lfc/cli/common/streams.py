"""Standard input and output of programs that run: bytes."""

from __future__ import annotations

import sys


def standard_input() -> int | None:
    """None if it is closed, or no file."""
    try:
        return None if sys.stdin is None else sys.stdin.fileno()
    except (OSError, ValueError):
        return None


def write_output(text: bytes) -> None:
    if text and sys.stdout is not None:
        sys.stdout.buffer.write(text)
        sys.stdout.buffer.flush()
