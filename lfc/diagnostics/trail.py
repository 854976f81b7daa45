"""What the front end has asked the file system, so that it is known whether it would be answered the same again."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import field

from lfc.base.lazy_dataclass import dataclass


@dataclass(slots=True)
class Trail:
    contents: dict[str, str] = field(default_factory=dict)  # by path: the digest of what was read
    absent: list[str] = field(default_factory=list)  # where nothing was found
    certain: bool = True  # nothing else was read that may be another one next time

    def as_data(self) -> list[object]:
        return [self.contents, self.absent]


_following: list[Trail] = []


@contextmanager
def followed() -> Iterator[Trail]:
    trail = Trail()
    _following.append(trail)
    try:
        yield trail
    finally:
        _following.remove(trail)


def note_read(path: str, content: bytes | None) -> None:
    """None: of something that cannot be read again, or not at all."""
    for trail in _following:
        if content is None:
            trail.certain = False
        else:
            trail.contents[path] = digest_of(content)


def note_absent(path: str) -> None:
    for trail in _following:
        trail.absent.append(path)


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def is_unchanged(data: list[object]) -> bool:
    """Whether everything is as it was on this trail."""
    contents, absent = data
    assert isinstance(contents, dict) and isinstance(absent, list)
    try:
        for path, digest in contents.items():
            with open(path, "rb") as file:
                if digest_of(file.read()) != digest:
                    return False
    except OSError:
        return False
    return not any(os.path.lexists(path) for path in absent)
