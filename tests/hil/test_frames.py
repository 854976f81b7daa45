"""Frames go to bytes and back, and are found again behind any damage."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lfc.hil.frames import Damaged, Frame, FrameReader, checksum, encode_frame, stuffed, unstuffed

FRAMES = st.builds(Frame, st.integers(0, 255), st.integers(0, 255), st.binary(max_size=58))


def test_the_checksum_is_the_standard_one() -> None:
    assert checksum(b"123456789") == 0x29B1


@given(st.binary(max_size=200))
def test_stuffing(data: bytes) -> None:
    assert 0 not in stuffed(data)
    assert unstuffed(stuffed(data)) == data


@given(st.lists(FRAMES, max_size=6), st.data())
def test_any_pieces(frames: list[Frame], data: st.DataObject) -> None:
    line = b"".join(encode_frame(f) for f in frames)
    reader, found, at = FrameReader(), [], 0
    while at < len(line):
        size = data.draw(st.integers(1, 9))
        found += list(reader.feed(line[at : at + size]))
        at += size
    assert found == frames


@given(FRAMES, st.integers(0), st.integers(0, 7))
def test_no_flipped_bit_goes_unseen(frame: Frame, where: int, bit: int) -> None:
    line = bytearray(encode_frame(frame))
    line[where % len(line)] ^= 1 << bit
    assert frame not in list(FrameReader().feed(bytes(line) + b"\0"))


@given(st.binary(max_size=80), FRAMES)
def test_behind_noise(noise: bytes, frame: Frame) -> None:
    found = list(FrameReader().feed(noise + b"\0" + encode_frame(frame)))
    assert found[-1] == frame
    assert [f for f in found if isinstance(f, Damaged)] == found[:-1]
