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


CATALOGUE: dict[str, Entry] = {}
