"""What a board says while it runs, with loss and damage."""

from __future__ import annotations

import pytest

from lfc.hil.frames import Type
from lfc.hil.session import BoardStep, Faulted, Idle, SessionError
from lfc.observe import listen
from lfc.observe.listen import Began, Found, Listener, Lost
from lfc.trace.items import Item, encode
from tests.hil.scripted import PROGRAM, ScriptedLine, frame, hello

STEP = encode([Item("run", (0,)), Item("digest", (7,))])
STEPPED = BoardStep((Item("run", (0,)),), 7)
SIZE = 24


def listener(*pieces: bytes) -> tuple[Listener, ScriptedLine]:
    line = ScriptedLine(*pieces)
    return Listener(line, PROGRAM, SIZE, False), line


def asked(line: ScriptedLine) -> list[tuple[int, bytes]]:
    return [(f.type, f.payload) for f in line.frames]  # type: ignore[attr-defined]


def test_from_its_hello() -> None:
    heard, line = listener(hello(), frame(Type.ITEMS, 1, STEP), frame(Type.ITEMS, 2, encode([Item("idle", ())])))
    assert [heard.next(1) for _ in range(3)] == [Began(), STEPPED, Idle()]
    assert asked(line) == [(Type.MODE, b"\0")]


def test_a_hello_that_is_said_again_is_no_new_beginning() -> None:
    heard, _ = listener(hello(), hello(1), frame(Type.ITEMS, 2, STEP), hello(0), frame(Type.ITEMS, 1, STEP))
    assert [heard.next(1) for _ in range(4)] == [Began(), STEPPED, Began(), STEPPED]


def test_a_board_that_runs_already(monkeypatch: pytest.MonkeyPatch) -> None:
    """What it says before it has sent its block is not known, nor counted."""
    monkeypatch.setattr(listen, "HELLO_COMES", 0.0)
    first, rest = bytes(range(20)), bytes(range(20, SIZE))
    heard, line = listener(
        frame(Type.ITEMS, 9, STEP),
        frame(Type.BYTES, 10, bytes(2) + first) + frame(Type.BYTES, 11, b"\x14\0" + rest),
        frame(Type.ITEMS, 12, STEP),
    )
    assert [heard.next(1), heard.next(1)] == [Found(first + rest), STEPPED]
    assert asked(line) == [(Type.MODE, b"\0"), (Type.SEND, b"\0\0\x18\0")]


@pytest.mark.parametrize(
    ("lost", "why"), [(b"", "1 frame lost"), (b"\x05abc\0", "a damaged frame of 4 bytes")], ids=["lost", "damaged"]
)
def test_after_a_gap_the_block_is_asked_for(lost: bytes, why: str) -> None:
    block = frame(Type.BYTES, 3, bytes(2) + bytes(SIZE))
    pieces = [hello(), lost] if lost else [hello()]
    heard, line = listener(*pieces, frame(Type.ITEMS, 2, STEP), block, frame(Type.ITEMS, 4, STEP))
    assert [heard.next(1) for _ in range(4)] == [Began(), Lost(why), Found(bytes(SIZE)), STEPPED]
    assert asked(line) == [(Type.MODE, b"\0"), (Type.MODE, b"\0"), (Type.SEND, b"\0\0\x18\0")]


def test_a_fault_with_what_was_done_before_it() -> None:
    fault = bytes([6, 3, 0]) + (5).to_bytes(4, "little") + (-1).to_bytes(4, "little", signed=True)
    told = frame(Type.ITEMS, 1, encode([Item("run", (0,))])) + frame(Type.TEXT, 2, b"a") + frame(Type.FAULT, 3, fault)
    heard, _ = listener(hello(), told)
    items = (Item("run", (0,)), Item("write", (97,)))
    assert [heard.next(1), heard.next(1)] == [Began(), Faulted(items, 6, 3, 5, -1)]


def test_another_program() -> None:
    heard, _ = listener(hello(payload=bytes([1]) + bytes(16) + (24).to_bytes(2, "little") + b"\0"))
    with pytest.raises(SessionError, match="another program"):
        heard.next(1)


@pytest.mark.parametrize("payload", [b"\xff\xff", bytes([1, 0]) * 600_000])
def test_items_that_are_none(payload: bytes) -> None:
    parts = [payload[i : i + 200] for i in range(0, len(payload), 200)]
    heard, _ = listener(hello(), b"".join(frame(Type.ITEMS, i + 1 & 0xFF, p) for i, p in enumerate(parts)))
    assert heard.next(1) == Began()
    with pytest.raises(SessionError):
        heard.next(5)
