"""Makes source text safe and aligned on a terminal: tabs, wide and control characters."""

from __future__ import annotations

import unicodedata

TAB = 4


def visible(text: str) -> str:
    """One line of text that a terminal takes literally: no escape sequence, no reversed writing, no line break."""
    return "".join(cells(text)) if not text.isascii() or not text.isprintable() else text


def visible_lines(text: str) -> str:
    """The same of several lines."""
    return "\n".join(visible(line) for line in text.split("\n"))


def cells(text: str) -> list[str]:
    """What is shown for each character of `text`. Tabs go to the next multiple of `TAB` columns."""
    shown: list[str] = []
    column = 0
    for character in text:
        piece = " " * (TAB - column % TAB) if character == "\t" else _piece(character)
        shown.append(piece)
        column += width(piece)
    return shown


def width(text: str) -> int:
    """Columns that printable text takes up."""
    if text.isascii():
        return len(text)
    return sum(_columns(character) for character in text)


def _piece(character: str) -> str:
    code = ord(character)
    if code < 0x20:
        return chr(0x2400 + code)  # the pictures of the control characters
    if code == 0x7F:
        return "\u2421"
    # Cf writes backwards or hides what follows; Zl and Zp break lines; Cs and Cc cannot be shown.
    if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
        return f"<U+{code:04X}>"
    return character


def _columns(character: str) -> int:
    if unicodedata.category(character) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1
