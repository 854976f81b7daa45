"""What a board says is separated into output and faults, however it comes in pieces."""

from __future__ import annotations

import pytest

from lfc.boards.console import ConsoleStream, WireFault

LINE = b"\n!fault 00000001 0000002A 00000005 FFFFFFFF\n"
FAULT = WireFault(1, 42, 5, -1)


@pytest.mark.parametrize("size", [1, 2, 7, 100])
def test_a_fault_in_pieces(size: int) -> None:
    said = b"one\n\n!fau two\n!fault" + LINE
    stream = ConsoleStream()
    shown = b"".join(stream.feed(said[i : i + size]) for i in range(0, len(said), size))
    assert (shown, stream.fault, stream.rest()) == (b"one\n\n!fau two\n!fault", FAULT, b"")


def test_what_can_be_no_fault_is_shown_at_once() -> None:
    stream = ConsoleStream()
    assert stream.feed(b"a\nb") == b"a\nb"
    assert stream.feed(b"c\n") == b"c"
    assert stream.feed(b"!") == b""
    assert stream.feed(b"x") == b"\n!x"
    assert stream.feed(b"\n!fault 0000000G") == b"\n!fault 0000000G"
    assert stream.feed(b"\n!fault 0000") == b""
    assert stream.rest() == b"\n!fault 0000" and stream.fault is None
