"""Reads LF files, and reports why one cannot be read."""

from __future__ import annotations

import sys
from pathlib import Path

from lfc.base.read_file import begin_of_file
from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics, Note
from lfc.diagnostics.trail import note_read

LARGEST_SOURCE = 16 * 1024 * 1024  # bytes; more is no program, and may be a device without an end
STDIN = "-"


def read_source(path: str | Path, diagnostics: Diagnostics) -> Source | None:
    """The text of a file (`-`: standard input), or None after an error was reported."""
    if str(path) == STDIN:
        name = "<stdin>"
        content = sys.stdin.buffer.read(LARGEST_SOURCE + 1)
        note_read(name, None)
    else:
        name = str(path)
        try:
            content = begin_of_file(name, LARGEST_SOURCE + 1)
        except OSError as error:
            _report_unreadable(name, error, diagnostics)
            return None
        except ValueError:  # a NUL in the name
            diagnostics.report("LF0903", _nowhere(name), "the name of the file has a NUL character in it")
            return None
        note_read(name, content)
    return decode_source(name, content, diagnostics)


def decode_source(name: str, content: bytes, diagnostics: Diagnostics) -> Source | None:
    """LF text from bytes: UTF-8, with or without a byte order mark."""
    if len(content) > LARGEST_SOURCE:
        limit = LARGEST_SOURCE // (1024 * 1024)
        diagnostics.report("LF0907", _nowhere(name), f"the file is larger than {limit} MB: this is no LF program")
        return None
    if b"\0" in content:
        at = content.index(b"\0")
        message = f"this is a binary file: byte {at} is NUL"
        diagnostics.report("LF0904", _nowhere(name), message, Note("an LF program is text in UTF-8"))
        return None
    text = content.decode("utf-8-sig", errors="replace")
    source = Source(name, text)
    if not text.strip():
        note = Note("a program starts with `MODULE Name;`")
        diagnostics.report("LF0905", Span(source, 0, 0), "the file is empty", note)
        return None
    _warn_of_invalid_utf8(source, content, diagnostics)
    return source


def _report_unreadable(name: str, error: OSError, diagnostics: Diagnostics) -> None:
    where = _nowhere(name)
    if isinstance(error, FileNotFoundError):
        diagnostics.report("LF0901", where, f"there is no file `{name}`", *_similar_files(name))
    elif isinstance(error, IsADirectoryError):
        diagnostics.report("LF0902", where, f"`{name}` is a folder, not a file", *_programs_inside(name))
    else:
        reason = error.strerror or type(error).__name__
        diagnostics.report("LF0903", where, f"cannot read `{name}`: {reason}")


def _similar_files(name: str) -> list[Note]:
    from difflib import get_close_matches

    path = Path(name)
    try:
        there = [p.name for p in path.parent.iterdir() if p.suffix == ".lf"]
    except OSError:
        return [Note(f"there is no folder `{path.parent}` either")]
    close = get_close_matches(path.name, there, n=1) or get_close_matches(path.name + ".lf", there, n=1)
    return [Note(f"did you mean `{path.parent / n}`?") for n in close]


def _programs_inside(name: str) -> list[Note]:
    try:
        there = sorted(p.name for p in Path(name).iterdir() if p.suffix == ".lf")
    except OSError:
        return []
    if not there:
        return []
    shown = ", ".join(f"`{n}`" for n in there[:3]) + (", ..." if len(there) > 3 else "")
    return [Note(f"it holds {shown}: name the file that is meant")]


def _warn_of_invalid_utf8(source: Source, content: bytes, diagnostics: Diagnostics) -> None:
    try:
        content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        bad = error.object[error.start]  # the decoder's own view of the bytes, without a byte order mark
        at = len(error.object[: error.start].decode("utf-8"))
        diagnostics.report(
            "LF0906",
            Span(source, at, min(at + 1, len(source.text))),
            f"the file is not UTF-8: byte {bad:02X}H stands for no character",
            Note("it is read as U+FFFD; save the file in UTF-8"),
        )


def _nowhere(name: str) -> Span:
    return Span(Source(name, ""), 0, 0)
