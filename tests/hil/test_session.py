"""The handshake, and what a session makes of frames: what is lost, damaged or of another image is never success."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from lfc.base.source import Source
from lfc.hil import follow as follow_module
from lfc.hil import session as session_module
from lfc.hil.conform import Conduct, bytes_for_board, conform
from lfc.hil.frames import Frame, Type
from lfc.hil.host_side import HostSide
from lfc.hil.session import PACED, RESET, BoardSession, BoardStep, Faulted, Idle, SessionError, Wants
from lfc.run.running import Fault
from lfc.trace.items import Item
from tests.differential.stepwise import machine_of, machine_of_source
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
    assert session.next_event() == BoardStep(items, 0x1234)
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


def test_what_the_board_has_heard_is_known_by_what_it_did() -> None:
    """A step that needed a leave shows that this was heard; a byte that was read, the frame that it came in."""
    read = b"\x24a"
    session = greeted(
        frame(Type.ITEMS, 1, RUN + DIGEST),
        frame(Type.ITEMS, 2, RUN + DIGEST),
        frame(Type.ITEMS, 3, RUN + DIGEST),
        frame(Type.ITEMS, 4, RUN + read + DIGEST),
    )
    session.go(2)
    session.go(1)
    assert (session.room, session.may_go) == (32 - 14 - 14, True)
    session.next_event()
    assert session.room == 32 - 7 - 14
    session.next_event()
    assert session.room == 32 - 7 - 14  # nothing new: both were of the first leave
    session.next_event()
    assert session.room == 32 - 14
    session.give_input(b"abcdefgh")
    session.go(1)
    session.go(1)
    assert (session.room, session.may_go) == (0, False)
    session.next_event()
    assert (session.room, session.may_go) == (32 - 7 - 14, True)  # it did what the first of both lets it do


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
    host = HostSide(machine_of(EXAMPLES / "prodcons.lf"), "rr")
    line = ScriptedLine(hello(), frame(Type.BYTES, 1, b"\0\0" + host.block))
    session = BoardSession(line)
    session.greet(PROGRAM, 24, "rr")
    result = conform(session, host, [], Conduct(more_input=bytes_for_board(b"x" * 40)))
    assert result.verdict == "lost"  # the script ends here
    sent = [f.type for f in line.frames if isinstance(f, Frame)]
    assert Type.GO in sent and Type.INPUT not in sent


def test_a_board_that_starts_anew() -> None:
    session = greeted(hello(1), frame(Type.ITEMS, 2, RUN + DIGEST), hello(3))
    assert isinstance(session.next_event(), BoardStep)
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


def test_a_board_that_follows_asks_on_before_it_sends_its_block() -> None:
    session = greeted(frame(Type.WANTS, 1), frame(Type.BYTES, 2, b"\0\0" + b"x" * 24))
    assert session.read_block(24) == b"x" * 24
    assert session.next_event() == Wants()


def test_a_block_of_a_board_that_goes_on_is_none() -> None:
    session = greeted(frame(Type.ITEMS, 1, RUN + DIGEST), frame(Type.BYTES, 2, b"\0\0" + b"x" * 24))
    with pytest.raises(SessionError, match="continued before"):
        session.read_block(24)


def test_the_longest_block_takes_two_requests() -> None:
    """A length of 16 bits is one too short for it; and 0 in the hello means it."""
    block = bytes(i % 251 for i in range(1 << 16))
    bounds = [*range(0, 65535, 128), 65535, 65536]
    pieces = [
        frame(Type.BYTES, i + 1 & 0xFF, a.to_bytes(2, "little") + block[a:b])
        for i, (a, b) in enumerate(pairwise(bounds))
    ]
    line = ScriptedLine(hello(0, HELLO[:17] + b"\0\0" + HELLO[19:]), *pieces)
    session = BoardSession(line)
    session.greet(PROGRAM, 1 << 16, "rr")
    assert session.read_block(1 << 16) == block
    asked = [f.payload for f in line.frames if isinstance(f, Frame)]
    assert asked == [b"\0\0\xff\xff", b"\xff\xff\x01\0"]


def test_a_known_difference_stays_one_without_the_block() -> None:
    """The digest differs, and the board goes on before it is asked."""
    host = HostSide(machine_of(EXAMPLES / "prodcons.lf"), "rr")
    wrong = b"\x01\x00" + DIGEST
    session = greeted(
        frame(Type.BYTES, 1, b"\0\0" + host.block), frame(Type.ITEMS, 2, wrong), frame(Type.ITEMS, 3, wrong)
    )
    result = conform(session, host, [], Conduct())
    assert (result.verdict, result.steps) == ("differs", 1) and result.difference is not None
    assert "1234H on the board" in result.difference.message and "continued before" in result.difference.details[0]


@pytest.mark.parametrize("then", [frame(Type.ITEMS, 3, b"\x42"), frame(Type.FAULT, 3, bytes(11))])
def test_a_board_that_is_ahead_and_does_no_more_steps(then: bytes) -> None:
    """It was given leave for three, and is idle or stands still after a fault: its block can be had all the same."""
    host = HostSide(machine_of(EXAMPLES / "prodcons.lf"), "rr")
    follower = HostSide(host.machine, "rr")
    run = (Item("run", (0,)),)
    follower.take_step(run, 0, lambda: (follower.block, []))
    block = bytearray(follower.block)
    block[3] ^= 2
    session = greeted(
        frame(Type.BYTES, 1, b"\0\0" + host.block),
        frame(Type.ITEMS, 2, b"\x01\x00" + DIGEST),
        then,
        frame(Type.BYTES, 4, b"\0\0" + block),
    )
    result = conform(session, host, [], Conduct(at_once=3))
    assert (result.verdict, result.steps) == ("differs", 1) and result.difference is not None
    assert result.difference.message == "q is channel 1 on the host, channel 3 on the board"


def test_the_block_before_the_first_step() -> None:
    host = HostSide(machine_of(EXAMPLES / "prodcons.lf"), "rr")
    other = bytes([host.block[0]]) + b"\1" + host.block[2:]
    result = conform(greeted(frame(Type.BYTES, 1, b"\0\0" + other)), host, [], Conduct())
    assert (result.verdict, result.steps) == ("differs", 0) and result.difference is not None
    assert result.difference.message == "the position of ProdCons.Producer is 0 on the host, 1 (line 2) on the board"


def test_another_kind_of_fault_at_the_same_place() -> None:
    """With the same values: the number of the kind comes over the line, and is compared."""
    text = "MODULE M; VAR i : INTEGER; a : ARRAY 3 OF INTEGER; BEGIN i := 5; a[i] := 1 END M."
    host = HostSide(machine_of_source(Source("M.lf", text)), "rr")
    for kind, differs in ((3, True), (1, False)):
        host = HostSide(host.machine, "rr")
        found = host.take_fault((Item("run", (0,)),), host.generated.sites[0], Fault(kind, 0, 5, 3))
        assert (found is not None) == differs


def test_a_board_without_a_reset_line_is_told_to_start_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "BEFORE_RESET", 0.1)
    line = AnswersReset(frame(Type.ITEMS, 9, RUN))
    session = BoardSession(line)
    session.greet(PROGRAM, 24, "rr", may_reset=True)
    session.set_mode(PACED)
    assert [(f.type, f.sequence, f.payload) for f in line.frames if isinstance(f, Frame)] == [
        (Type.MODE, 0, bytes([RESET])),
        (Type.MODE, 0, bytes([PACED])),
    ]


class SilentLine(ScriptedLine):
    """Says hello, and nothing more."""

    def read(self, seconds: float) -> bytes:
        return self.pieces.pop(0) if self.pieces else b""


class AnswersReset(SilentLine):
    def write(self, data: bytes) -> None:
        super().write(data)
        if len(data) > 1 and len(self.frames) == 1:
            self.pieces.append(hello())


def test_a_board_that_says_nothing_agrees_with_nobody() -> None:
    """However short the time that it is given."""
    machine = machine_of(EXAMPLES / "prodcons.lf")
    session = BoardSession(SilentLine(hello()))
    session.greet(PROGRAM, 24, "rr")
    result = conform(session, HostSide(machine, "rr"), [], Conduct(None, 0.3))
    assert (result.verdict, result.steps) == ("silent", 0)


class Talking:
    """A board that says the same for ever, in frames that are right."""

    def __init__(self, kind: Type, payload: bytes) -> None:
        self.kind, self.payload, self.sequence = kind, payload, 0

    def read(self, seconds: float) -> bytes:
        self.sequence += 1
        return hello() if self.sequence == 1 else frame(self.kind, self.sequence - 1 & 0xFF, self.payload)

    def write(self, data: bytes) -> None:
        pass


@pytest.mark.parametrize(
    ("kind", "payload", "told"),
    [
        (Type.TEXT, b"", "says much, but finishes no step"),
        (Type.TEXT, b"abcdefgh" * 16, "does not end|finishes no step"),
        (Type.ITEMS, RUN, "does not end|finishes no step"),
        (Type.ITEMS, b"", "says much, but finishes no step"),
    ],
)
def test_a_board_that_only_talks_is_given_up(
    kind: Type, payload: bytes, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much it says: each frame alone was in time."""
    monkeypatch.setattr(session_module, "WHOLE", 0.2)
    monkeypatch.setattr(session_module, "MOST_PENDING", 4096)
    session = BoardSession(Talking(kind, payload))
    session.greet(PROGRAM, 24, "rr")
    with pytest.raises(SessionError, match=told):
        while session.next_event(0.05) is None:
            pass


@pytest.mark.parametrize(("kind", "payload"), [(Type.BYTES, b"\0\0"), (Type.WANTS, b"")])
def test_a_block_that_never_comes_is_given_up(kind: Type, payload: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_module, "WHOLE", 0.2)
    session = BoardSession(Talking(kind, payload))
    session.greet(PROGRAM, 24, "rr")
    with pytest.raises(SessionError, match="says much, but does not send its block"):
        session.read_block(24)


def test_a_board_that_asks_for_ever_is_given_up() -> None:
    """It was given all of the step, and that there is no more."""
    machine = machine_of(EXAMPLES / "pingpong.lf")
    host = HostSide(machine, "rr")
    run = follow_module._Replay(BoardSession(Talking(Type.WANTS, b"")), host, [], [], None, None)
    run.session.greet(PROGRAM, 24, "rr")
    with pytest.raises(SessionError, match="asks for more and more of a step"):
        run._one_step([Item("run", (0,))])
