"""The page of a code, and the codes nearest to what someone typed."""

from __future__ import annotations

import re
from difflib import get_close_matches
from importlib.resources import files

from lfc.diagnostics.catalogue import CATALOGUE


def normal_code(typed: str) -> str:
    """`lf201`, `201`, `LF0201` -> LF0201; anything else comes back in capitals."""
    match = re.fullmatch(r"(?:LF)?(\d{1,4})", typed.strip(), re.IGNORECASE)
    return f"LF{int(match[1]):04}" if match else typed.strip().upper()


def page(code: str) -> str | None:
    """The page in Markdown, or None if the catalogue has no such code."""
    if code not in CATALOGUE:
        return None
    return (files("lfc.diagnostics") / "pages" / f"{code}.md").read_text(encoding="utf-8")


def similar_codes(typed: str) -> list[str]:
    """Codes that look alike, or whose title has the words."""
    words = [w for w in re.findall(r"\w+", typed.lower()) if len(w) > 2]
    by_title = [c for c, e in CATALOGUE.items() if words and all(w in e.title.lower() for w in words)]
    return by_title[:5] or get_close_matches(normal_code(typed), CATALOGUE, n=3, cutoff=0.6)
