"""The words of `lfc explore`, which `lfc debug` reads as well; each may be written as its first letter."""

from __future__ import annotations

WORDS = ("list", "state", "undo", "run", "break", "delete", "jump", "way", "trace", "quit", "help")
LETTERS = {word[0]: word for word in WORDS} | {"?": "help"}


def command_of(line: str) -> tuple[str, str]:
    """The command and what comes behind it. A number is one to `take`; a line without anything is `next`."""
    word, _, rest = line.strip().partition(" ")
    if word.isdecimal():
        return "take", word
    return LETTERS.get(word, word) or "next", rest.strip()
