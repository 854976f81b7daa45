"""Formatting on disk: LF0908 and LF0909, links, permissions, and that nothing is lost."""

from __future__ import annotations

import os
from pathlib import Path

from lfc.base.source import Source
from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.reading import read_source
from lfc.front_end.format_files import difference, format_source, replace_file


def test_a_swap_keeps_links_and_modes(tmp_path: Path) -> None:
    file = tmp_path / "A.lf"
    file.write_text("old")
    file.chmod(0o640)
    link = tmp_path / "Link.lf"
    link.symlink_to(file)
    diagnostics = Diagnostics()
    assert replace_file(Source(str(link), "old"), "new \u00e4\n", diagnostics)
    assert link.is_symlink() and file.read_bytes() == "new \u00e4\n".encode()
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(p.name for p in tmp_path.iterdir()) == ["A.lf", "Link.lf"]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    """LF0908"""
    fifo = tmp_path / "F.lf"
    os.mkfifo(fifo)
    for path in (fifo, tmp_path / "gone.lf"):
        diagnostics = Diagnostics()
        assert not replace_file(Source(str(path), "old"), "new", diagnostics)
        assert [d.code for d in diagnostics.items] == ["LF0908"]


def test_what_would_lose_bytes(tmp_path: Path) -> None:
    """LF0909"""
    file = tmp_path / "A.lf"
    file.write_bytes(b"MODULE A; (* \xff *) END A.")
    diagnostics = Diagnostics()
    source = read_source(file, diagnostics)
    assert source is not None and format_source(source, diagnostics) is None
    assert [d.code for d in diagnostics.items] == ["LF0906", "LF0909"]


def test_a_difference_names_a_missing_last_line_break() -> None:
    assert difference(Source("A.lf", "a\nb"), "a\nb\n").splitlines()[-3:] == [
        "-b",
        "\\ No newline at end of file",
        "+b",
    ]
    assert difference(Source("A.lf", "a\n"), "a\n") == ""
