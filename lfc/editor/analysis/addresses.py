"""URIs of an editor and paths of files."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit


def path_of(uri: str) -> str:
    """Of a buffer that is in no file: its address in angle brackets, as the front end names such texts."""
    parts = urlsplit(uri)
    if parts.scheme != "file":
        return f"<{uri}>"
    path = unquote(parts.path)
    if os.name == "nt" and path.startswith("/") and path[2:3] == ":":
        path = path[1:]
    return str(Path(path))


def uri_of(path: str) -> str:
    if path.startswith("<"):
        return path[1:-1]
    return "file://" + quote(Path(path).absolute().as_posix(), safe="/")
