"""What a monitor makes of what comes, whole, in pieces, damaged."""

from __future__ import annotations

from io import BytesIO

from lfc.cli.devices.monitor import Screen
from lfc.hil.frames import Frame, Type, encode_frame
from lfc.hil.monitor import FrameListener, Heard, PlainListener
from lfc.image.tables import SiteText, Tables
from lfc.trace.items import BY_TAG

TABLES = Tables("ab" * 32, "uno", "rr", True, (SiteText(1, "A.lf", 6, 3, "index of a", False),))
FAULT_LINE = b"\n!fault 00000001 00000000 00000003 00000003\n"


def test_text_faults_and_lost_input_are_told_apart() -> None:
    listener = PlainListener(TABLES)
    heard = listener.feed(b"hello\n!lost 05\nworld" + FAULT_LINE)
    assert heard[:3] == [
        Heard("text", b"hello"),
        Heard("note", b"the board has lost 5 bytes of its input"),
        Heard("text", b"world"),
    ]
    assert heard[3].kind == "fault" and heard[3].content.startswith(b"fault: A.lf:6:3: ")
    anew = listener.feed(b"so\n" + FAULT_LINE + b"so\n" + FAULT_LINE)  # a board that starts anew after a fault
    assert "".join(h.kind[0] for h in anew if h.content != b"\n") == "tftf"


def test_without_tables_the_numbers_are_told() -> None:
    (heard,) = PlainListener(None).feed(FAULT_LINE)
    assert heard.content == b"fault: kind 1 at site 0 (3, 3); name its ELF file to see the message"


def test_what_only_looks_like_a_fault_is_text_in_the_end() -> None:
    listener = PlainListener(None)
    assert listener.feed(b"x\n!fau") == [Heard("text", b"x")]
    assert listener.rest() == [Heard("text", b"\n!fau")]
    assert listener.rest() == []


def hello(sequence: int, program: str = TABLES.program) -> bytes:
    return encode_frame(Frame(Type.HELLO, sequence, bytes([1]) + bytes.fromhex(program)[:16] + bytes(3)))


def told(listener: FrameListener, data: bytes) -> list[tuple[str, str]]:
    return [(h.kind, h.content.decode()) for h in listener.feed(data)]


def test_a_board_that_starts_anew_when_its_numbers_do() -> None:
    """The frame before had the number FFH, and ended in the middle of a step."""
    listener = FrameListener(TABLES)
    assert len(told(listener, hello(254))) == 1
    assert told(listener, encode_frame(Frame(Type.ITEMS, 255, b"\x01\x02"))) == []
    assert told(listener, hello(0))[0][1].startswith("a traced board says hello")
    assert told(listener, encode_frame(Frame(Type.ITEMS, 1, b"\x01\x03\x40\0\0"))) == [("step", "run 3")]


def test_frames() -> None:
    listener = FrameListener(TABLES)
    assert told(listener, hello(7))[0][1].startswith("a traced board says hello (program abab")
    assert told(listener, hello(8)) == []  # it says so until it is answered
    assert told(listener, encode_frame(Frame(Type.TEXT, 9, b"hi\n"))) == [("text", "hi\n")]
    fault = bytes([1, 0, 0]) + (3).to_bytes(4, "little") * 2
    assert told(listener, encode_frame(Frame(Type.FAULT, 10, fault)))[0][1].startswith("fault: A.lf:6:3: ")
    late = encode_frame(Frame(Type.TEXT, 13, b"x"))
    assert told(listener, late[:3]) == [] and told(listener, late[3:]) == [("note", "2 frames lost"), ("text", "x")]
    assert told(listener, b"\x05abc\0") == [("note", "a damaged frame of 4 bytes")]
    assert told(FrameListener(TABLES), hello(0, "cd" * 32))[0][1].endswith("another program than the ELF file's")


def test_a_step_in_two_frames() -> None:
    """One item before the digest, with the digest in a frame of its own."""
    by_name = {kind.name: (tag, kind) for tag, kind in BY_TAG.items()}
    tag, kind = next((t, k) for t, k in BY_TAG.items() if k.name not in ("digest", "idle") and sum(k.widths) == 1)
    digest, _ = by_name["digest"]
    listener = FrameListener(None)
    assert told(listener, encode_frame(Frame(Type.ITEMS, 0, bytes([tag, 4])))) == []
    assert told(listener, encode_frame(Frame(Type.ITEMS, 1, bytes([digest, 1, 2])))) == [("step", f"{kind.name} 4")]


def test_lines_on_the_screen(capfdbinary: object) -> None:
    log = BytesIO()
    screen = Screen(True, log, False)
    for kind, content in (("text", b"a"), ("text", b"b\nc"), ("note", b"n"), ("text", b"d")):
        screen.show(kind, content)
    screen.end_line()
    lines = log.getvalue().decode().splitlines()
    assert [line[14:] for line in lines] == ["ab", "c", "-- n", "d"]
    assert all(line[2] == line[5] == ":" and line[8] == "." for line in lines)
