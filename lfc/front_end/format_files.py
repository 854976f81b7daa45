"""Puts a file into the canonical layout, in memory and on disk."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from difflib import unified_diff
from pathlib import Path

from lfc.base.source import Source, Span
from lfc.diagnostics.model import Diagnostics
from lfc.syntax.format import format_module
from lfc.syntax.parser import parse_module


def format_source(source: Source, diagnostics: Diagnostics) -> str | None:
    """The canonical layout, or None after an error: what does not parse, or has lost bytes, is left alone."""
    if any(d.code == "LF0906" and d.span.source is source for d in diagnostics.items):
        where = Span(source, 0, 0)
        diagnostics.report("LF0909", where, "not formatted: bytes that are not UTF-8 would be lost")
        return None
    found = Diagnostics()
    module = parse_module(source, found)
    if found.has_errors:
        diagnostics.items += found.items
        return None
    return format_module(module)


def difference(source: Source, formatted: str) -> str:
    """A unified diff from the file to its layout; empty if there is none."""
    old, new = (text.splitlines(keepends=True) for text in (source.text, formatted))
    pieces = []
    for line in unified_diff(old, new, source.path, f"{source.path} (formatted)"):
        pieces.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    return "".join(pieces)


def replace_file(source: Source, formatted: str, diagnostics: Diagnostics) -> bool:
    """Writes the new text beside the old one and swaps them, so that no crash leaves half a file."""
    target = Path(os.path.realpath(source.path))  # a link stays a link
    try:
        mode = target.stat().st_mode
        if not stat.S_ISREG(mode):
            raise OSError(errno.EINVAL, "it is not a regular file")
        if not os.access(target, os.W_OK):  # a swap would get around the file's own permission
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        handle, beside = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(formatted)
            os.chmod(beside, stat.S_IMODE(mode))
            os.replace(beside, target)
        except BaseException:
            os.unlink(beside)
            raise
    except OSError as error:
        reason = error.strerror or type(error).__name__
        diagnostics.report("LF0908", Span(source, 0, 0), f"cannot write `{source.path}`: {reason}")
        return False
    return True
