"""The files of the folders that are open in the editor."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence

MOST_FILES = 5000
LEFT_OUT = frozenset({"node_modules", "__pycache__", "build", "dist"})


def files_of(folders: Sequence[str]) -> list[str]:
    """Those with programs; hidden folders are not looked into."""
    found: dict[str, None] = {}
    for folder in folders:
        for path in walk(folder):
            found[path] = None
            if len(found) >= MOST_FILES:
                return list(found)
    return list(found)


def walk(folder: str) -> Iterator[str]:
    for at, inner, files in os.walk(folder):
        inner[:] = sorted(f for f in inner if not f.startswith(".") and f not in LEFT_OUT)
        for file in sorted(files):
            if file.endswith(".lf"):
                yield os.path.join(at, file)


def mentions(text: str, name: str) -> bool:
    return re.search(rf"\b{re.escape(name)}\b", text) is not None
