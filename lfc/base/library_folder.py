"""Where the modules lie that every program may import."""

from __future__ import annotations

from pathlib import Path

LIBRARY = Path(__file__).resolve().parent.parent / "library"
