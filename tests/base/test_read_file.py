"""Files of others: no device without an end, no pipe without a writer, no text that is too deep."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from lfc.base.read_file import SETTING, json_of, read_file, toml_of


def test_what_is_no_file_is_refused_at_once(tmp_path: Path) -> None:
    pipe, link, folder = tmp_path / "pipe", tmp_path / "link", tmp_path / "folder"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    folder.mkdir()
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(tmp_path / "socket"))
        for path, why in ((pipe, "it is a pipe, not a file"), (link, "it is a device, not a file")):
            with pytest.raises(OSError, match=why):
                read_file(path, SETTING)
        with pytest.raises(OSError):
            read_file(tmp_path / "socket", SETTING)
    with pytest.raises(IsADirectoryError):
        read_file(folder, SETTING)


def test_a_file_has_a_most(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(bytes(SETTING))
    assert len(read_file(path, SETTING)) == SETTING
    path.write_bytes(bytes(SETTING + 1))
    with pytest.raises(OSError, match="it is larger than 1 MB"):
        read_file(path, SETTING)
    with pytest.raises(OSError, match="it is larger than 1 MB"):
        read_file("/dev/zero", SETTING)


def test_a_link_counts_as_what_it_leads_to(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"x")
    (tmp_path / "link").symlink_to("there")
    assert read_file(tmp_path / "link", SETTING) == b"x"


def test_a_pipe_of_the_shell_is_read() -> None:
    read, write = os.pipe()
    os.write(write, b"MODULE")
    os.close(write)
    assert read_file(f"/dev/fd/{read}", SETTING) == b"MODULE"
    os.close(read)


@pytest.mark.parametrize("text", [b"[" * 100_000, b"{", b'"\\ud800"', b"\xff", b"9" * 5000])
def test_json_is_refused_in_one_way(text: bytes) -> None:
    with pytest.raises(ValueError):
        json_of(text)


def test_a_whole_pair_of_surrogates_is_a_character() -> None:
    assert json_of(b'"\\ud83d\\ude00"') == "\U0001f600"


@pytest.mark.parametrize("text", [b"x = " + b"[" * 100_000, b"x", b"\xff"])
def test_toml_is_refused_in_one_way(text: bytes) -> None:
    with pytest.raises(ValueError):
        toml_of(text)
