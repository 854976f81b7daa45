"""Boards that show themselves as a drive: a UF2 boot loader, or an interface chip that takes HEX by drag and drop.

The drive tells by a file what it is: `INFO_UF2.TXT`, or `DETAILS.TXT` (DAPLink). Nobody can read back what was
written: the board's own loader checks it, and tells by going away (UF2), or by coming back without `FAIL.TXT`.
"""

from __future__ import annotations

import ctypes
import errno
import getpass
import os
import re
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lfc.boards.descriptions.board import Board
from lfc.boards.flash.exchange import Progress, no_progress
from lfc.boards.serial.failure import FlashError

UF2_FILE, DAPLINK_FILE, FAIL_FILE = "INFO_UF2.TXT", "DETAILS.TXT", "FAIL.TXT"
FORMS = {UF2_FILE: "uf2", DAPLINK_FILE: "hex"}
IDS = {
    "uf2": re.compile(r"^Board-ID:\s*(.+?)\s*$", re.MULTILINE),
    "hex": re.compile(r"^Unique ID:\s*(\S+)", re.MULTILINE),
}
CHUNK = 4096
PATIENCE = 20.0  # seconds until the board must have taken the file
POLL = 0.05
WAIT_AND_WRITE = 7  # SYNC_FILE_RANGE_WAIT_BEFORE, WRITE, WAIT_AFTER


@dataclass(frozen=True, slots=True)
class Drive:
    path: Path
    form: str  # of the file that it takes: uf2, hex
    identity: str  # what it says it is

    def __str__(self) -> str:
        return f"{self.path} ({self.identity or 'unidentified'}, takes {self.form.upper()})"


def mounted_drives(mounts: Path = Path("/proc/mounts"), folders: Sequence[Path] | None = None) -> list[Drive]:
    """Those of this machine that take a program."""
    found = [read_drive(path) for path in sorted({*_mount_points(mounts), *_usual_places(folders)})]
    return [drive for drive in found if drive is not None]


def _mount_points(mounts: Path) -> list[Path]:
    try:
        lines = mounts.read_text(errors="replace").splitlines()
    except OSError:
        return []
    fields = [line.split() for line in lines]
    # A space in a name is written as a number.
    return [Path(f[1].replace("\\040", " ")) for f in fields if len(f) > 2 and f[2] in ("vfat", "msdos", "exfat")]


def _usual_places(folders: Sequence[Path] | None) -> list[Path]:
    if folders is None:
        folders = [Path("/Volumes"), *(Path(p) / getpass.getuser() for p in ("/media", "/run/media"))]
        if os.name == "nt":
            return [Path(f"{letter}:/") for letter in "DEFGHIJKLMNOPQRSTUVWXYZ"]
    places = []
    for folder in folders:
        try:
            places += list(folder.iterdir())
        except OSError:
            continue
    return places


def read_drive(path: Path) -> Drive | None:
    """None: it takes no program."""
    for name, form in FORMS.items():
        try:
            text = (path / name).read_text(errors="replace")
        except OSError:
            continue
        said = IDS[form].search(text)
        return Drive(path, form, said[1] if said else "")
    return None


def choose_drive(board: Board, wanted: str | None, drives: Callable[[], Sequence[Drive]] = mounted_drives) -> Drive:
    """The one that is meant. Raises FlashError."""
    form = form_of(board)
    if wanted is not None:
        drive = read_drive(Path(wanted))
        if drive is None:
            there = "has neither INFO_UF2.TXT nor DETAILS.TXT" if Path(wanted).is_dir() else "is no folder"
            raise FlashError("open", f"{wanted} is not the drive of a board: it {there}", remedy=how_to_mount(board))
        if not is_of(board, drive):
            ids = " or ".join(board.flashing.ids) or form.upper()
            raise FlashError(
                "signature", "this is the drive of another board", expected=ids, received=str(drive), remedy=OTHER
            )
        return drive
    there_are = drives()
    found = [d for d in there_are if is_of(board, d)]
    if len(found) == 1:
        return found[0]
    if found:
        text = "".join(f"\n  {d}" for d in found)
        raise FlashError(
            "open", f"{len(found)} drives are of the board {board.name}:{text}", remedy="name one: --drive"
        )
    others = "; there are:" + "".join(f"\n  {d}" for d in there_are) if there_are else ""
    raise FlashError("open", f"no drive is of the board {board.name}{others}", remedy=how_to_mount(board))


OTHER = "choose the right board or drive"


def form_of(board: Board) -> str:
    return "uf2" if "uf2" in board.outputs else "hex"


def is_of(board: Board, drive: Drive) -> bool:
    if drive.form != form_of(board):
        return False
    return not board.flashing.ids or any(drive.identity.startswith(i) for i in board.flashing.ids)


def how_to_mount(board: Board) -> str:
    press = ""
    if form_of(board) == "uf2":
        has_button = board.cpu.chip.startswith("rp2")
        press = "hold BOOTSEL while you plug the board in; " if has_button else "press RESET twice; "
    return f"{press}the drive {board.flashing.volume} must be mounted: its folder is named with --drive"


def copy_to_drive(drive: Drive, content: bytes, progress: Progress = no_progress, patience: float = PATIENCE) -> int:
    """Writes the file and waits until the board has taken it; the number of bytes."""
    target = drive.path / f"PROGRAM.{drive.form.upper()}"
    done = 0
    arrived = False
    try:
        with target.open("wb", buffering=0) as file:
            while done < len(content):
                progress("write", done, len(content))
                done += file.write(content[done : done + CHUNK])
            arrived = content_arrives(file.fileno())
    except OSError as error:
        if done < len(content):
            raise FlashError(
                "write",
                f"{target}: {error.strerror}",
                expected=f"{len(content)} bytes written",
                received=f"{done}",
                remedy="is the drive still mounted and writable? The board's flash is incomplete now",
            ) from None
    progress("write", done, len(content))
    if drive.form == "uf2":
        _wait_until_gone(drive, patience)
        if not arrived:
            raise FlashError(
                "verify",
                "it is unknown whether the board received the whole file",
                expected="the drive disappears after the last block",
                received="it disappeared during the copy",
                remedy="flash again; if the program runs, nothing is wrong",
            )
    else:
        _wait_until_back(drive, target, patience)
    progress("verify", done, done)
    return done


def content_arrives(file: int) -> bool:
    """Whether the drive has confirmed every block of the content. What comes behind, the folder and its tables, a
    UF2 boot loader no longer takes: with the last block it starts the program."""
    try:
        write_content = ctypes.CDLL(None, use_errno=True).sync_file_range
    except (AttributeError, OSError):  # not on Linux: all, or nothing is known
        write_content = None
    if write_content is not None:
        write_content.argtypes = [ctypes.c_int, ctypes.c_int64, ctypes.c_int64, ctypes.c_uint]
        if write_content(file, 0, 0, WAIT_AND_WRITE) == 0:
            with suppress(OSError):
                os.fsync(file)
            return True
        if ctypes.get_errno() not in (errno.EINVAL, errno.ENOSYS, errno.ESPIPE):
            return False
    try:
        os.fsync(file)
    except OSError:
        return False
    return True


def _wait_until_gone(drive: Drive, patience: float) -> None:
    """A UF2 boot loader that has got all blocks starts the program, and its drive goes away."""
    end = time.monotonic() + patience
    while (drive.path / UF2_FILE).exists():
        if time.monotonic() > end:
            raise FlashError(
                "verify",
                "the board has not accepted the file",
                expected="the drive disappears",
                received=f"{drive.path} is still there",
                remedy="is it the right board? Pull the cable, plug it in again, and flash again",
            )
        time.sleep(POLL)


def _wait_until_back(drive: Drive, target: Path, patience: float) -> None:
    """DAPLink shows the drive anew when it is done: our file is no longer there, FAIL.TXT is if it went wrong."""
    end = time.monotonic() + patience
    while not ((drive.path / DAPLINK_FILE).exists() and not target.exists()):
        if time.monotonic() > end:
            gone = not drive.path.exists() or not (drive.path / DAPLINK_FILE).exists()
            raise FlashError(
                "verify",
                "it is unknown whether the board accepted the file",
                expected="the drive reappears",
                received="it is gone" if gone else "it did not change",
                remedy="mount it again: a file FAIL.TXT on it gives the reason; if there is none, nothing is wrong",
            )
        time.sleep(POLL)
    try:
        said = (drive.path / FAIL_FILE).read_text(errors="replace").strip()
    except OSError:
        return
    raise FlashError("write", "the board refuses the file", received=said or FAIL_FILE, remedy="flash again")
