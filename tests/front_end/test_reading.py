"""Files that cannot be read: each a diagnostic, never an error in `lfc`."""

from __future__ import annotations

import os
from pathlib import Path

from lfc.diagnostics.model import Diagnostics
from lfc.diagnostics.reading import LARGEST_SOURCE, read_source


def codes(path: str | Path) -> tuple[list[str], str]:
    diagnostics = Diagnostics()
    source = read_source(path, diagnostics)
    assert (source is None) == diagnostics.has_errors
    said = " ".join([d.message + " " + " ".join(n.message for n in d.notes) for d in diagnostics.items])
    return [d.code for d in diagnostics.items], said


def test_missing_with_a_similar_name(tmp_path: Path) -> None:
    (tmp_path / "Blink.lf").write_text("MODULE Blink; END Blink.")
    found, said = codes(tmp_path / "Blnk.lf")
    assert found == ["LF0901"] and f"did you mean `{tmp_path / 'Blink.lf'}`?" in said
    assert f"did you mean `{tmp_path / 'Blink.lf'}`?" in codes(tmp_path / "Blink")[1]
    assert "there is no folder" in codes(tmp_path / "nowhere" / "Blink.lf")[1]


def test_a_folder(tmp_path: Path) -> None:
    assert codes(tmp_path)[0] == ["LF0902"]
    (tmp_path / "Blink.lf").write_text("MODULE Blink; END Blink.")
    assert "`Blink.lf`" in codes(tmp_path)[1]


def test_unreadable(tmp_path: Path) -> None:
    loop = tmp_path / "Round.lf"
    loop.symlink_to(loop)
    assert codes(loop)[0] == ["LF0903"]
    assert codes("a\0b.lf")[0] == ["LF0903"]
    assert codes("x" * 5000)[0] == ["LF0903"]
    assert codes(tmp_path / "Round.lf" / "in.lf")[0] == ["LF0903"]


def test_no_permission(tmp_path: Path) -> None:
    secret = tmp_path / "Secret.lf"
    secret.write_text("MODULE Secret; END Secret.")
    secret.chmod(0)
    user = os.geteuid()
    if user == 0:  # root may read every file
        os.seteuid(65534)
    try:
        assert codes(secret)[0] == ["LF0903"]
    finally:
        os.seteuid(user)


def test_binary_and_empty(tmp_path: Path) -> None:
    file = tmp_path / "A.lf"
    file.write_bytes(b"\x7fELF\0\0")
    assert codes(file)[0] == ["LF0904"]
    for content in (b"", b" \n\t\n", b"\xef\xbb\xbf"):
        file.write_bytes(content)
        assert codes(file)[0] == ["LF0905"]


def test_too_large(tmp_path: Path) -> None:
    file = tmp_path / "A.lf"
    with file.open("wb") as f:
        f.truncate(LARGEST_SOURCE + 1)
    assert codes(file)[0] == ["LF0907"]
    assert codes("/dev/zero")[0] == ["LF0907"]


def test_not_utf8_points_at_the_first_bad_byte(tmp_path: Path) -> None:
    file = tmp_path / "A.lf"
    file.write_bytes("(* \u00e4 *)\n(* ".encode() + b"\xfc *)")
    diagnostics = Diagnostics()
    source = read_source(file, diagnostics)
    assert source is not None and [d.code for d in diagnostics.items] == ["LF0906"]
    assert (diagnostics.items[0].span.line, diagnostics.items[0].span.column) == (2, 4)
    file.write_bytes(b"\xef\xbb\xbf\xff")
    read_source(file, diagnostics)
    assert diagnostics.items[1].span.start == 0


def test_a_byte_order_mark_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "A.lf"
    file.write_bytes(b"\xef\xbb\xbfMODULE A; END A.")
    source = read_source(file, Diagnostics())
    assert source is not None and source.text.startswith("MODULE")
