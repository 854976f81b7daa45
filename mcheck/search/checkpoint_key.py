"""The user's key, with which checkpoints are authenticated: made when one is first saved, and read by nobody else.

Without it whoever can write a file could say that a search had found nothing.
"""

from __future__ import annotations

import os
import secrets
import stat
from pathlib import Path

SIZE = 32  # bytes, as many as the code has
NAME = "checkpoint.key"


class NoKey(Exception):
    """The key is of no use, or cannot be made; the message says why, and what to do."""


def key_file() -> Path:
    """Raises NoKey."""
    stated = os.environ.get("XDG_STATE_HOME", "")
    if os.path.isabs(stated):  # another one is to be ignored: it would be a folder of whatever project this is
        return Path(stated) / "lfc" / NAME
    try:
        return Path.home() / ".local" / "state" / "lfc" / NAME
    except RuntimeError:
        raise NoKey("no home folder for the checkpoint key; set XDG_STATE_HOME to a folder") from None


def read_key() -> bytes | None:
    """None: there is none yet. Raises NoKey."""
    file = key_file()
    try:
        handle = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NoKey(
            f"{file}, the checkpoint key, cannot be read: {error.strerror}; remove it, or set XDG_STATE_HOME to a "
            "folder of yours"
        ) from None
    try:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise NoKey(f"{file}, the checkpoint key, is not a file; remove it")
        _refuse_others(file, found, 0o077)
        _refuse_others(file.parent, os.stat(file.parent), 0o022)
        key = os.read(handle, SIZE + 1)
    finally:
        os.close(handle)
    if len(key) != SIZE:
        raise NoKey(f"{file} is not a checkpoint key: it must have {SIZE} bytes; remove it, and a new one is created")
    return key


def read_or_make_key() -> bytes:
    """Raises NoKey."""
    key = read_key()
    if key is not None:
        return key
    file = key_file()
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _make(file)
    except OSError as error:
        why = f"{error.filename or file}: {error.strerror}"
        raise NoKey(
            f"the checkpoint key cannot be created ({why}); set XDG_STATE_HOME to a folder that you own"
        ) from None
    key = read_key()  # of whoever came first
    if key is None:
        raise NoKey(f"{file}, the checkpoint key, disappeared after it was created")
    return key


def _make(file: Path) -> None:
    """Whole or not at all, and never in the place of another one."""
    beside = file.with_name(f".{NAME}-{secrets.token_hex(8)}")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        try:
            os.write(handle, secrets.token_bytes(SIZE))
            os.fsync(handle)
        finally:
            os.close(handle)
        try:
            os.link(beside, file)
        except FileExistsError:
            pass
    finally:
        os.unlink(beside)


def _refuse_others(path: Path, found: os.stat_result, others: int) -> None:
    """What somebody else may have read or made is no secret."""
    if found.st_uid != os.geteuid():
        raise NoKey(
            f"{path}, for the checkpoint key, belongs to another user; set XDG_STATE_HOME to a folder that you own"
        )
    if found.st_mode & others:
        mode = f"{stat.S_IMODE(found.st_mode):04o}"
        raise NoKey(
            f"{path}, for the checkpoint key, is accessible to others (mode {mode}); remove it, and a new one is "
            "created, which will not authenticate older checkpoints"
        )
