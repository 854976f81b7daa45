"""The key of checkpoints: made once, whole, for its user alone; and what is wrong with one that is not so."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from lfc.mcheck.search.checkpoint_key import NoKey, key_file, read_key, read_or_make_key


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


def test_it_is_made_once_and_for_its_user_alone(state: Path) -> None:
    old = os.umask(0)
    try:
        assert read_key() is None and not list(state.iterdir())
        key = read_or_make_key()
    finally:
        os.umask(old)
    assert len(key) == 32 and read_or_make_key() == read_key() == key
    assert [p.name for p in (state / "lfc").iterdir()] == ["checkpoint.key"]
    assert stat.S_IMODE(key_file().stat().st_mode) == 0o600
    assert stat.S_IMODE(key_file().parent.stat().st_mode) == 0o700


def test_all_who_make_it_at_once_have_the_same() -> None:
    with ThreadPoolExecutor(16) as pool:
        made = set(pool.map(lambda _: read_or_make_key(), range(64)))
    assert made == {read_key()} and [p.name for p in key_file().parent.iterdir()] == ["checkpoint.key"]


@pytest.mark.parametrize("mode", [0o604, 0o640, 0o602, 0o620])
def test_one_that_others_can_read_or_write_is_refused(mode: int) -> None:
    read_or_make_key()
    key_file().chmod(mode)
    with pytest.raises(NoKey, match=f"is accessible to others \\(mode {mode:04o}\\); remove it"):
        read_or_make_key()


def test_nor_may_others_put_one_there() -> None:
    read_or_make_key()
    key_file().parent.chmod(0o777)
    with pytest.raises(NoKey, match="is accessible to others"):
        read_key()


def test_what_is_no_key() -> None:
    read_or_make_key()
    for content in (b"", b"x" * 31, b"x" * 33):
        key_file().write_bytes(content)
        with pytest.raises(NoKey, match="it must have 32 bytes; remove it"):
            read_key()
    key_file().unlink()
    key_file().symlink_to("elsewhere")
    with pytest.raises(NoKey, match="cannot be read"):
        read_or_make_key()
    key_file().unlink()
    os.mkfifo(key_file(), 0o600)
    with pytest.raises(NoKey, match="is not a file; remove it"):
        read_or_make_key()


def test_nowhere_to_make_it(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (state / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "file"))
    with pytest.raises(NoKey, match="or set XDG_STATE_HOME to a folder of yours"):
        read_or_make_key()


def test_no_folder_of_the_project_is_taken_for_the_users(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(state / "home"))
    for stated in ("", "here", "./here"):
        monkeypatch.setenv("XDG_STATE_HOME", stated)
        assert key_file() == state / "home" / ".local" / "state" / "lfc" / "checkpoint.key"
