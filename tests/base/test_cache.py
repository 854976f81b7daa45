"""The cache heals: an entry that is not whole is made again, whatever happened to it, by any number of processes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from lfc.base import cache
from tests.conftest import ROOT

CONTENT = bytes(range(256)) * 40

# Each process asks for the same entries again and again, and damages some of those that it finds.
WORKER = """
import os, random, sys
from lfc.base import cache
chance = random.Random(int(sys.argv[1]))
for turn in range(200):
    number = chance.randrange(4)
    name, content = f"entry{number}", bytes([number]) * (1000 + number)
    assert cache.cached(name, lambda: content, alone=chance.random() < 0.2) == content
    path = os.path.join(cache.cache_folder(), name)
    what = chance.randrange(8)
    try:
        if what == 0:
            os.truncate(path, chance.randrange(1100))
        elif what == 1:
            with open(path, "r+b") as file:
                file.seek(chance.randrange(1040))
                file.write(b"?")
        elif what == 2:
            os.unlink(path)
    except FileNotFoundError:
        pass
print("done")
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return tmp_path / "lfc" / cache.FORMAT


def made() -> tuple[bytes, int]:
    """The entry, and how often it had to be made."""
    count = 0

    def make() -> bytes:
        nonlocal count
        count += 1
        return CONTENT

    return cache.cached("entry", make), count


def test_it_is_made_once(folder: Path) -> None:
    assert [made() for _ in range(3)] == [(CONTENT, 1), (CONTENT, 0), (CONTENT, 0)]
    assert os.listdir(folder) == ["entry"]
    assert (folder / "entry").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("size", [0, 1, cache.HEAD - 1, cache.HEAD, cache.HEAD + 1, cache.HEAD + len(CONTENT) - 1])
def test_what_was_cut_off_is_made_again(folder: Path, size: int) -> None:
    made()
    os.truncate(folder / "entry", size)
    assert [made(), made()] == [(CONTENT, 1), (CONTENT, 0)]


@pytest.mark.parametrize("at", [0, 7, 8, cache.HEAD - 1, cache.HEAD, cache.HEAD + 5000, cache.HEAD + len(CONTENT) - 1])
def test_one_changed_bit_is_found(folder: Path, at: int) -> None:
    made()
    whole = bytearray((folder / "entry").read_bytes())
    whole[at] ^= 4
    (folder / "entry").write_bytes(whole)
    assert made() == (CONTENT, 1)


def test_more_than_was_written_is_no_entry(folder: Path) -> None:
    made()
    with (folder / "entry").open("ab") as file:
        file.write(b"\0")
    assert made() == (CONTENT, 1)


def test_an_entry_under_another_name_is_none(folder: Path) -> None:
    cache.write_entry("other", b"something else")
    (folder / "other").rename(folder / "entry")
    assert made() == (CONTENT, 1)


def test_a_folder_in_its_place_is_no_entry(folder: Path) -> None:
    (folder / "entry").mkdir(parents=True)
    assert made() == (CONTENT, 1)
    assert os.listdir(folder) == ["entry"]  # nothing is left beside


def test_a_cache_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert [made(), made()] == [(CONTENT, 1), (CONTENT, 1)]
    assert cache.cached("entry", lambda: b"x", alone=True) == b"x"


def test_many_processes_and_damage_at_once(folder: Path) -> None:
    workers = [
        subprocess.Popen([sys.executable, "-c", WORKER, str(n)], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for n in range(4)
    ]
    assert [(w.communicate()[0], w.returncode) for w in workers] == [("done\n", 0)] * 4
    assert not [name for name in os.listdir(folder) if name.startswith(".entry")]


def test_who_waits_takes_what_the_first_one_made(folder: Path) -> None:
    """While one process makes an entry, another that wants it waits: it is made once."""
    script = (
        "import sys\nfrom lfc.base import cache\n"
        "def make():\n    print('making', flush=True)\n    sys.stdin.readline()\n    return b'made'\n"
        "print(cache.cached('long', make, alone=True).decode(), flush=True)\n"
    )
    start = [sys.executable, "-c", script]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": ROOT}
    with subprocess.Popen(start, **pipes) as first:  # type: ignore[call-overload]
        assert first.stdout.readline() == "making\n"
        with subprocess.Popen(start, **pipes) as second:  # type: ignore[call-overload]
            first.stdin.write("\n")
            first.stdin.flush()
            assert first.stdout.readline() == "made\n"
            assert second.communicate()[0] == "made\n"
