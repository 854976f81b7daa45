"""What is read from the cache names classes of programs and machines, and nothing that could be called."""

from __future__ import annotations

import os
import pickle
import subprocess

import pytest

from lfc.base.kept import MODULES, NotKept, Reader, as_bytes
from lfc.base.source import Source, Span


class Harmful:
    def __init__(self, call: object, *given: object) -> None:
        self.call, self.given = call, given

    def __reduce__(self) -> tuple[object, ...]:
        return self.call, self.given


@pytest.mark.parametrize(
    "harmful",
    [
        Harmful(os.system, "true"),
        Harmful(eval, "1"),
        Harmful(subprocess.Popen, ["true"]),
        Harmful(getattr, Source, "read"),
    ],
)
def test_nothing_else_is_called(harmful: Harmful) -> None:
    with pytest.raises(NotKept):
        Reader(pickle.dumps(harmful)).following()


@pytest.mark.parametrize(
    "name", ["Source.read", "Path", "dataclass", "bisect_right", "__builtins__", "field", "nothing"]
)
def test_only_classes_of_these_modules(name: str) -> None:
    text = b"\x80\x04\x8c\x0flfc.base.source\x8c" + bytes([len(name)]) + name.encode() + b"\x93."
    with pytest.raises(NotKept):
        Reader(text).following()


def test_what_is_shared_stays_shared_between_objects() -> None:
    source = Source("a.lf", "MODULE a; END a.")
    content = as_bytes([[Span(source, 0, 6)], Span(source, 7, 8)])
    assert content is not None
    reader = Reader(content)
    first, second = reader.following(), reader.following()
    assert first[0].source is second.source and second.source.text == source.text


def test_what_cannot_be_kept_is_not() -> None:
    assert as_bytes([lambda: None]) is None
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert as_bytes([deep]) is None


def test_the_list_is_closed() -> None:
    assert all(m.startswith("lfc.") for m in MODULES) and len(MODULES) == 8
