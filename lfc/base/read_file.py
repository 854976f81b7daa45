"""Reads whole files that somebody else may have made: no device without an end, no pipe without a writer, no text that
is nested deeper than it can be read."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

MB = 1 << 20
# The most that a file of each kind may have.
SETTING, RECORD, IMAGE, TRACE = MB, 4 * MB, 64 * MB, 1024 * MB
BY_NAME = "/dev/"  # what somebody names there is meant: `/dev/stdin`, or `<(...)` of a shell


def read_file(path: str | Path, most: int) -> bytes:
    """All of a regular file. Raises OSError, whose `strerror` says why it is none."""
    content = begin_of_file(path, most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, f"it is larger than {most // MB} MB", str(path))
    return content


def begin_of_file(path: str | Path, most: int) -> bytes:
    """At most so many bytes. Links are followed: what counts is what they lead to. Raises OSError."""
    name = os.fspath(path)
    handle = os.open(name, os.O_RDONLY | os.O_CLOEXEC | (0 if name.startswith(BY_NAME) else os.O_NONBLOCK))
    with open(handle, "rb") as file:
        mode = os.fstat(handle).st_mode
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), name)
        if not stat.S_ISREG(mode) and not name.startswith(BY_NAME):
            raise OSError(errno.EINVAL, f"it is {what(mode)}, not a file", name)
        return file.read(most)


def what(mode: int) -> str:
    kinds = ((stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISDIR, "a folder"))
    return next((name for is_one, name in kinds if is_one(mode)), "a device")


def json_of(content: bytes) -> Any:
    """Raises ValueError, whatever is wrong with it. A lone half of a surrogate pair is no character."""
    import json

    try:
        data = json.loads(content.decode("utf-8"))
        if b"\\ud" in content or b"\\uD" in content:
            json.dumps(data, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    return data


def toml_of(content: bytes) -> dict[str, Any]:
    """Raises ValueError, whatever is wrong with it."""
    import tomllib

    try:
        return tomllib.loads(content.decode("utf-8"))
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
