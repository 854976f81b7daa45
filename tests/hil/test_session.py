"""The handshake, and what a session makes of frames: what is lost, damaged or of another image is never success."""

from __future__ import annotations

from pathlib import Path

import pytest

from lfc.hil.conform import Conduct, bytes_for_board, conform
from lfc.hil.frames import Frame, Type
from lfc.hil.host_side import HostSide
from lfc.hil.session import BoardSession, Faulted, Idle, SessionError, Step, Wants
from lfc.trace.items import Item
from tests.differential.stepwise import machine_of
from tests.hil.scripted import HELLO, PROGRAM, ScriptedLine, frame, hello

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
RUN = b"\x01\x02"
DIGEST = b"\x40\x34\x12"


def greeted(*pieces: bytes) -> BoardSession:
    session = BoardSession(ScriptedLine(hello(), *pieces))
    session.greet(PROGRAM, 24, "rr")
    return session


def test_a_step_in_pieces_with_text_between() -> None:
    session = greeted(
        frame(Type.ITEMS, 1, RUN + b"\x12"),
        frame(Type.ITEMS, 2, b"\x01") + frame(Type.TEXT, 3, b"a\0"),
        frame(Type.ITEMS, 4, DIGEST),
        frame(Type.ITEMS, 5, b"\x42") + frame(Type.WANTS, 6),
    )
    items = (Item("run", (2,)), Item("choice", (1,)), Item("write", (97,)), Item("write", (0,)))
    assert session.next_event() == Step(items, 0x1234)
    assert session.next_event() == Idle()
    assert session.next_event() == Wants()


def test_a_fault_has_the_items_before_it() -> None:
    session = greeted(frame(Type.ITEMS, 1, RUN), frame(Type.FAULT, 2, b"\x01\x05\x00\xff\xff\xff\xff\x03\0\0\0"))
    assert session.next_event() == Faulted((Item("run", (2,)),), 1, 5, -1, 3)


@pytest.mark.parametrize("damage", range(11))
def test_each_damaged_byte_is_a_loss(damage: int) -> None:
    line = bytearray(frame(Type.ITEMS, 1, RUN + DIGEST))
    line[damage] ^= 0x20
    session = greeted(bytes(line), frame(Type.ITEMS, 2, RUN + DIGEST))
    with pytest.raises(SessionError) as error:
        session.next_event()
    assert error.value.kind == "lost"


def test_a_missing_frame_is_a_loss() -> None:
    session = greeted(frame(Type.ITEMS, 1, RUN + DIGEST), frame(Type.ITEMS, 3, RUN + DIGEST))
    session.next_event()
    with pytest.raises(SessionError, match="1 frame from the board did not arrive"):
        session.next_event()


def test_what_the_board_did_not_get_is_a_loss() -> None:
    with pytest.raises(SessionError, match="to the board was lost"):
        greeted(frame(Type.TROUBLE, 1, b"\x02\0\0")).next_event()


def test_input_waits_for_the_first_step() -> None:
    """The mode, the leave to go and input at once are more than a receive buffer of 32 bytes holds."""
    line = ScriptedLine(hello())
    session = BoardSession(line)
    session.greet(PROGRAM, 24, "rr")
    host = HostSide(machine_of(EXAMPLES / "prodcons.lf"), "rr")
    result = conform(session, host, [], Conduct(more_input=bytes_for_board(b"x" * 40)))
    assert result.verdict == "lost"  # the script ends here
    sent = [f.type for f in line.frames if isinstance(f, Frame)]
    assert Type.GO in sent and Type.INPUT not in sent


def test_a_board_that_starts_anew() -> None:
    session = greeted(hello(1), frame(Type.ITEMS, 2, RUN + DIGEST), hello(3))
    assert isinstance(session.next_event(), Step)
    with pytest.raises(SessionError) as error:
        session.next_event()
    assert error.value.kind == "restarted"


@pytest.mark.parametrize(
    ("payload", "what"),
    [
        (b"\x02" + HELLO[1:], "version 2"),
        (HELLO[:1] + b"\0" + HELLO[2:], "another program"),
        (HELLO[:17] + b"\x19" + HELLO[18:], "25 bytes"),
        (HELLO[:19] + b"\x01", "other scheduler"),
    ],
)
def test_another_image(payload: bytes, what: str) -> None:
    session = BoardSession(ScriptedLine(b"noise\0\x07", b"\0", hello(9, payload)))
    with pytest.raises(SessionError, match=what) as error:
        session.greet(PROGRAM, 24, "rr")
    assert error.value.kind == "wrong image"


def test_the_block_in_pieces() -> None:
    session = greeted(frame(Type.BYTES, 1, b"\0\0" + b"x" * 20), frame(Type.BYTES, 2, b"\x14\0" + b"y" * 4))
    assert session.read_block(24) == b"x" * 20 + b"y" * 4


class SilentLine(ScriptedLine):
    """Says hello, and nothing more."""

    def read(self, seconds: float) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""


def test_a_board_that_says_nothing_agrees_with_nobody() -> None:
    """However short the time that it is given."""
    machine = machine_of(EXAMPLES / "prodcons.lf")
    session = BoardSession(SilentLine(hello()))
    session.greet(PROGRAM, 24, "rr")
    result = conform(session, HostSide(machine, "rr"), [], Conduct(None, 0.3))
    assert (result.verdict, result.steps) == ("silent", 0)
