"""Where the modules lie that every program may import."""

from __future__ import annotations

from pathlib import Path

LIBRARY = Path(__file__).resolve().parent.parent / "library"
# Basics; drivers of devices; models of devices, for checking.
LIBRARY_FOLDERS = (LIBRARY, LIBRARY / "devices", LIBRARY / "models")
