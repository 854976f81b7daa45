"""Writes the report of an error in `lfc` itself, and asks to pass it on."""

from __future__ import annotations

import os
import platform
import sys
import tempfile
import time
import traceback

from lfc.base.version import __version__
from lfc.diagnostics.visible import visible


def report_crash(error: BaseException, arguments: list[str]) -> None:
    """No traceback on the terminal: it goes to a file, with what is needed to reproduce it."""
    summary = visible(f"{type(error).__name__}: {str(error)[:200]}")
    print(f"lfc: internal error: {summary}", file=sys.stderr)
    try:
        path = _write(error, arguments)
    except OSError as reason:
        print(f"lfc: this is a bug in lfc; no crash report could be written ({reason.strerror})", file=sys.stderr)
        return
    message = (
        f"lfc: this is a bug in lfc, not in your program; please report it with the program and this file:\n  {path}"
    )
    print(message, file=sys.stderr)


def _write(error: BaseException, arguments: list[str]) -> str:
    handle, path = tempfile.mkstemp(prefix=time.strftime("lfc-crash-%Y%m%d-%H%M%S-"), suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
        file.write(f"lfc {__version__}, Python {platform.python_version()}, {platform.platform()}\n")
        file.write(f"lfc {' '.join(arguments)}\n\n")
        file.writelines(traceback.format_exception(error))
    return path
