r"""Sets of characters as people write them: "0-9a-f \n", with ranges and the escapes \n \r \t \0 \\ \-."""

from __future__ import annotations

ESCAPES = {"n": "\n", "r": "\r", "t": "\t", "0": "\0", "\\": "\\", "-": "-"}


class NoAlphabet(Exception):
    """Says what is wrong with the text."""


def characters_of(text: str) -> tuple[int, ...]:
    """In ascending order. Raises NoAlphabet."""
    found: set[int] = set()
    spelled = list(_spelled(text))
    at = 0
    while at < len(spelled):
        low, _ = spelled[at]
        high = low
        if at + 2 < len(spelled) and spelled[at + 1] == (ord("-"), False):
            high = spelled[at + 2][0]
            at += 2
        if high < low:
            raise NoAlphabet(f"the range `{chr(low)}-{chr(high)}` is empty")
        found |= set(range(low, high + 1))
        at += 1
    if not found:
        raise NoAlphabet("no character is left")
    return tuple(sorted(found))


def _spelled(text: str) -> list[tuple[int, bool]]:
    """Each character, and whether it was escaped."""
    found = []
    at = 0
    while at < len(text):
        c, escaped = text[at], text[at] == "\\"
        if escaped:
            at += 1
            if at == len(text) or text[at] not in ESCAPES:
                known = ", ".join(f"\\{e}" for e in ESCAPES)
                raise NoAlphabet(f"`\\{text[at : at + 1]}` is no character; known are {known}")
            c = ESCAPES[text[at]]
        if ord(c) > 255:
            raise NoAlphabet(f"`{c}` is no character of one byte")
        found.append((ord(c), escaped))
        at += 1
    return found
