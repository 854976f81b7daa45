"""Every code with its severity and title. Each has a page in `pages/`, shown by `lfc explain`. Imports nothing.

Ranges: 01xx lexical, 02xx syntax, 03xx names and modules, 04xx types, 05xx constants, 06xx processes and
communication, 07xx static checks (warnings), 08xx properties and environments, 09xx files and projects.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    severity: str  # error, warning, note
    title: str


CATALOGUE: dict[str, Entry] = {
    # 09xx files and projects
    "LF0901": Entry("error", "no such file"),
    "LF0902": Entry("error", "a folder where a file is expected"),
    "LF0903": Entry("error", "unreadable file"),
    "LF0904": Entry("error", "binary file"),
    "LF0905": Entry("error", "empty file"),
    "LF0906": Entry("warning", "text that is not UTF-8"),
    "LF0907": Entry("error", "file too large"),
    "LF0908": Entry("error", "file cannot be written"),
    "LF0909": Entry("error", "layout would lose bytes"),
}
