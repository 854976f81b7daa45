"""Sends a signed image to the boot loader of a board.

docs/reference/updates.md has the protocol. The board keeps the image that it has until the new one has reported.
"""

from __future__ import annotations

from binascii import crc_hqx

from lfc.boards.flash.exchange import CABLE, Port, Progress, discard_input, no_progress, read, write
from lfc.boards.serial.failure import FlashError, Stage, show_bytes
from lfc.update.image import Update
from lfc.update.layout import CHUNK, MAGIC, NAMES, Layout

HERE = b"\xa7"
ASKED_AT_MOST = 500
QUIET = 0.02  # seconds between two questions
LONGEST = 15.0  # seconds: the signature of a slow chip, a slot erased
SENT_AT_MOST = 4  # of one chunk
WHO = 20  # bytes of the answer
WHY = {
    ord("B"): ("check", "the image is for another board, or too large"),
    ord("V"): ("check", "the board keeps an image that is newer, or as new: a rollback"),
    ord("S"): ("signature", "the board does not believe the signature"),
    ord("W"): ("verify", "what lies in the flash is not what was sent"),
    ord("?"): ("write", "the board has begun anew"),
}
REMEDY = {
    "B": "build for the board that it has",
    "V": "check the image again, so that it is newer",
    "S": "sign with the key that its boot loader was built with",
}


def send_update(port: Port, layout: Layout, update: Update, progress: Progress = no_progress) -> int:
    """How many bytes were written. The board was reset just now, or is reset by hand. Raises FlashError."""
    kept = synchronise(port, layout)
    if update.version <= kept:
        raise refusal(ord("V"), f"version {update.version}", f"{kept}")
    chunks = [update.body[at : at + CHUNK] for at in range(0, len(update.body), CHUNK)]
    progress("erase", 0, 1)
    command(port, "erase", b"E", bytes(CHUNK), 0)
    for number, chunk in enumerate(chunks):
        progress("write", number * CHUNK, len(update.body))
        command(port, "write", b"D", chunk, number)
    progress("verify", 0, 1)
    command(port, "verify", b"H", update.head, 0)
    progress("verify", 1, 1)
    return len(update.body) + CHUNK


def synchronise(port: Port, layout: Layout) -> int:
    """Asks until the boot loader answers, for as long as somebody needs to press reset. The version that it keeps."""
    heard = b""
    for _ in range(ASKED_AT_MOST):
        write(port, "sync", b"U")
        heard = (heard + read(port, "sync", 256, QUIET))[-512:]
        at = heard.find(HERE + MAGIC)
        if at >= 0:
            answer = heard[at + 1 : at + 1 + WHO]
            answer += read(port, "sync", WHO - len(answer), 1.0)
            discard_input(port)
            return kept_of(answer, layout)
    raise FlashError(
        "sync",
        "no boot loader for updates responds",
        expected=show_bytes(HERE + MAGIC),
        received=show_bytes(heard[-8:]),
        remedy="press reset while this asks; was the board flashed with `lfc flash --loader` once? " + CABLE,
    )


def kept_of(answer: bytes, layout: Layout) -> int:
    told = answer[: len(layout.name)]
    if len(answer) < WHO:
        raise FlashError("sync", "the boot loader's response is truncated", remedy=CABLE)
    for what, part in (("board", slice(4, 8)), ("scheme", slice(8, 12)), ("room for programs", slice(12, 16))):
        if told[part] != layout.name[part]:
            expected = NAMES[layout.scheme] if what == "scheme" else show_bytes(layout.name[part])
            raise FlashError(
                "sync",
                f"the boot loader has another {what}",
                expected=expected,
                received=show_bytes(told[part]),
                remedy="choose the right board",
            )
    return int.from_bytes(answer[16:], "little")


def command(port: Port, stage: Stage, name: bytes, chunk: bytes, number: int) -> None:
    """Sends it until it arrives whole."""
    frame = chunk + number.to_bytes(2, "little")
    frame += crc_hqx(frame, 0xFFFF).to_bytes(2, "big")
    answer = b""
    for _ in range(SENT_AT_MOST):
        write(port, stage, name + frame)
        answer = read(port, stage, 1, LONGEST)
        if answer == b"K":
            return
        if answer != b"C":
            break
        discard_input(port)
    raise refusal(answer[0] if answer else 0, "K", show_bytes(answer), stage)


def refusal(answer: int, expected: str, received: str, stage: Stage = "write") -> FlashError:
    where, why = WHY.get(answer, (stage, "the boot loader stopped responding"))
    remedy = REMEDY.get(chr(answer), f"send it again: the board keeps the image that it has; {CABLE}")
    return FlashError(where, why, expected=expected, received=received, remedy=remedy)  # type: ignore[arg-type]
