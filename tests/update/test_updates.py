"""Updates in the field: the boot loaders' C on this machine, and the boot loaders on simulated chips."""

from __future__ import annotations

import hashlib
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from lfc.boards.descriptions.board import BoardError, load_board_file
from lfc.boards.serial.failure import FlashError
from lfc.update.image import Update
from lfc.update.layout import CHUNK, ED25519
from lfc.update.send import send_update
from lfc.update.siphash import siphash
from tests.cli.lfc import lfc
from tests.update.boards import EXAMPLES, KEY, SECRET, OnTerminal, made, update, what_runs
from tests.update.chips import Cut, Powered, PowerLost
from tests.update.every_state import FAULTS, explore
from tests.update.host import FLASH, Host, frame, session
from tests.update.host import made as made_here

BOARDS = ("uno_update", "bluepill_update")
ONE, TWO = b"version 1\n", b"version 2\n"


# --- signatures ---


def test_siphash_is_that_of_others() -> None:
    """The reference's first value of 128 bits; and OpenSSL's, where it is there."""
    assert siphash(SECRET, b"").hex() == "a3817f04ba25a8e66df67214c7550293"
    if shutil.which("openssl") is None:
        return
    chance = random.Random(1)
    for size in (1, 7, 8, 255, 256, 1000):
        key, text = chance.randbytes(16), chance.randbytes(size)
        command = ["openssl", "mac", "-macopt", f"hexkey:{key.hex()}", "-macopt", "size:16", "-in", "-", "SipHash"]
        said = subprocess.run(command, input=text, capture_output=True, check=True).stdout
        assert siphash(key, text).hex() == said.decode().strip().lower()


def test_the_loader_knows_siphash() -> None:
    host, chance = Host(), random.Random(2)
    for length in (1, 7, 8, 15, 256):
        body = chance.randbytes(length)
        head = made_here(host.layout, 3, body).head
        flash = bytes(64) + body.ljust(FLASH - 64, b"\xff")
        assert host.is_signed(flash, head, 64, length)
        for bit in (0, 63, 128 + 5, 255):  # of what is told and of the tag
            assert not host.is_signed(flash, flipped(head, bit), 64, length)
        assert not host.is_signed(flipped(flash, 8 * 64), head, 64, length)


def test_the_loader_knows_ed25519() -> None:
    """A foreign signer; and a signature that is right but for a multiple of the order is refused, as RFC 8032 says."""
    host, chance = Host(ED25519, KEY.public_key().public_bytes_raw()), random.Random(3)
    order = 2**252 + 27742317777372353535851937790883648493
    for length in (1, 111, 112, 127, 128, 256):
        body, told = chance.randbytes(length), chance.randbytes(16)
        signature = KEY.sign(told + hashlib.sha512(body).digest())
        head, flash = (told + signature).ljust(CHUNK, b"\xff"), body.ljust(FLASH, b"\xff")
        assert host.is_signed(flash, head, 0, length)
        for bit in (0, 128, 128 + 255, 128 + 256, 128 + 500):
            assert not host.is_signed(flash, flipped(head, bit), 0, length)
        assert not host.is_signed(flipped(flash, 3), head, 0, length)
        more = int.from_bytes(signature[32:], "little") + order
        again = told + signature[:32] + more.to_bytes(32, "little")
        assert not host.is_signed(flash, again.ljust(CHUNK, b"\xff"), 0, length)


def flipped(content: bytes, bit: int) -> bytes:
    changed = bytearray(content)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


# --- the loader's C in every state ---


def test_every_state_starts_what_it_must() -> None:
    """A share; in full: python -m tests.update.every_state 3"""
    states, transitions, _ = explore(2, 100)
    assert states >= 100 and transitions > 1000


def test_a_fault_is_seen() -> None:
    for name in ("the image that is kept gives way", "a half copied image is run"):
        with pytest.raises(AssertionError):
            explore(2, 100, FAULTS[name])


def test_what_the_line_may_say() -> None:
    host = Host()
    new = made_here(host.layout, 2, bytes([2]) * 256)
    fresh = b"\xff" * FLASH
    _, flash, _ = host.boot(fresh, session(made_here(host.layout, 1, bytes([1]) * 256)), reports=True)

    def answers(line: bytes) -> bytes:
        host.boot(flash, b"U" + line)
        return host.said()[1 + len(host.layout.name) + 4 :]

    assert host.boot(fresh)[0] == 3  # there is nothing to run
    assert answers(session(new)[1:]) == b"KKKK"
    assert answers(b"U")[:1] == b"\xa7"
    assert answers(frame(b"D", bytes(CHUNK), 0) + frame(b"H", new.head, 0)) == b"??"  # nothing was erased
    assert answers(frame(b"E", bytes(CHUNK), 0)[:-1] + b"\0") == b"C"
    assert answers(frame(b"E", bytes(CHUNK), 0) + frame(b"D", bytes(CHUNK), 2)) == b"K?"
    for update_, answer in (
        (made_here(host.layout, 1, new.body), b"V"),
        (made_here(host.layout, 2, new.body, secret=bytes(16)), b"S"),
        (Update(new.head, bytes(256)), b"S"),
        (Update(b"LFU1" + b"rest" + new.head[8:], new.body), b"B"),
    ):
        assert answers(session(update_)[1:]) == b"KKK" + answer


# --- chips ---


@pytest.mark.parametrize("name", BOARDS)
def test_an_update_and_the_way_back(name: str) -> None:
    there = made(name)
    flash = there.flash()
    send_update(Powered(there.board, flash), there.layout, update(name, 1))
    assert what_runs(name, flash) == ONE
    if name == "uno_update":  # on a larger chip it takes longer
        send_update(Powered(there.board, flash), there.layout, update(name, 2, reports=False))
        assert [what_runs(name, flash) for _ in range(5)] == [TWO, TWO, TWO, ONE, ONE]  # it never reported
    send_update(Powered(there.board, flash), there.layout, update(name, 2))
    assert what_runs(name, flash) == TWO
    assert flash.wrong == []
    with pytest.raises(FlashError, match="check: the board keeps an image that is newer, or as new: a rollback"):
        send_update(Powered(there.board, flash), there.layout, update(name, 1))
    assert what_runs(name, flash) == TWO


def test_power_is_lost() -> None:
    """At two writes; at each of them, on both boards: python -m tests.campaign.hostile.updates"""
    name = "uno_update"
    there = made(name)
    begin = there.flash()
    send_update(Powered(there.board, begin), there.layout, update(name, 1))
    assert what_runs(name, begin) == ONE
    for at, leaves in ((0, "a mess"), (76, "half")):
        flash = there.flash(bytes(begin.content), Cut(at, leaves))
        with pytest.raises(PowerLost):
            send_update(Powered(there.board, flash), there.layout, update(name, 2))
        flash = there.flash(bytes(flash.content))
        assert what_runs(name, flash) == ONE and flash.wrong == []


def test_a_forged_image() -> None:
    there = made("uno_update")
    right = update("uno_update", 1)
    flash = there.flash()
    with pytest.raises(FlashError, match="signature: the board does not believe the signature"):
        send_update(Powered(there.board, flash), there.layout, Update(right.head, flipped(right.body, 77)))
    with pytest.raises(FlashError, match="sync: the boot loader has another board"):
        send_update(Powered(there.board, flash), made("bluepill_update").layout, right)


def test_flash_sign(tmp_path: Path) -> None:
    """The whole way: built, through the gate, signed, sent over a line, reported."""
    for file in ("field.lf", "field.c", "uno_update.toml"):
        shutil.copy(EXAMPLES / file, tmp_path)
    (tmp_path / "secret").write_text(SECRET.hex())
    of = ("field.lf", "--with", "field.c", "--board-file", "uno_update.toml")
    flash = made("uno_update").flash()
    with OnTerminal("uno_update", flash) as chip:
        done = lfc("flash", *of, "--sign", "secret", "-p", chip.port, cwd=tmp_path)
        assert done.exit == 0, done.err
    assert "1280 bytes written, signed, version " in done.err
    assert what_runs("uno_update", flash) == ONE
    (tmp_path / "lf.toml").write_text('main = "field.lf"\nboard = "uno"\n')
    done = lfc("flash", *of, "--sign", "secret", "-p", "/nowhere", cwd=tmp_path)
    assert done.exit == 9 and "uno_update: check: this image has no valid check: it was not checked" in done.err
    done = lfc("flash", *of, "-p", "/nowhere", cwd=tmp_path)
    assert done.exit == 2 and "The board uno_update takes signed updates: name the key, --sign KEY." in done.err
    done = lfc("flash", "field.lf", "-b", "uno", "--sign", "secret", cwd=tmp_path)
    assert done.exit == 2 and "--sign is for boards that take updates" in done.err


def test_loader(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text(SECRET.hex())
    board = str(EXAMPLES / "uno_update.toml")
    done = lfc("loader", "--board-file", board, "--key", "secret", cwd=tmp_path)
    assert done.out == ("uno_update_loader.hex: 4032 of 4096 bytes; SipHash-2-4-128; programs of up to 9344 bytes\n"), (
        done.err
    )
    (tmp_path / "secret").write_text("00")
    done = lfc("loader", "--board-file", board, "--key", "secret", cwd=tmp_path)
    assert done.exit == 2 and "secret must be 16 bytes in hexadecimal (openssl rand -hex 16), not 1." in done.err
    done = lfc("loader", "-b", "uno", "--key", "secret", cwd=tmp_path)
    assert done.exit == 2 and "The board uno takes no updates" in done.err


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("19_328", "19_200", "has no room for the program and two slots"),
        ("0x7000", "0x6000", "overlaps memory.flash"),
        ("size = 4096", "sizes = 4096", "flash.loader.size"),
        ('inherits = "uno"', 'inherits = "mega2560"', "there is no boot loader for updates of atmega2560"),
    ],
)
def test_a_description_that_makes_no_sense(old: str, new: str, told: str, tmp_path: Path) -> None:
    text = (EXAMPLES / "uno_update.toml").read_text()
    (tmp_path / "mine.toml").write_text(text.replace(old, new).replace("19_328", "19_456"))
    with pytest.raises(BoardError) as error:
        load_board_file(tmp_path / "mine.toml")
    assert told in str(error.value)
