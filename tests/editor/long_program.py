"""A program of so many lines: the sliding window again and again, each with names of its own."""

from __future__ import annotations

import re

from tests.conftest import ROOT

WINDOW = ROOT / "examples" / "window.lf"


def long_program(lines: int) -> str:
    text = WINDOW.read_text(encoding="utf-8")
    begin = text.index("TYPE")
    body = text.index("\nBEGIN\n  NEW")
    head, declarations, statements = text[:begin], text[begin:body], text[body + 7 : text.index("END SlidingWindow")]
    names = set(re.findall(r"PROCESS (\w+)", declarations)) | {"Number", "Data", "Ack", "toLink", "fromLink"}
    names |= {"ackToLink", "ackFromLink"}
    pattern = re.compile(rf"(?<!\.)\b({'|'.join(names)})\b")
    parts, bodies, number = [head], list[str](), 0
    while sum(part.count("\n") for part in [*parts, *bodies]) < lines - 3:
        number += 1
        parts.append(numbered(declarations, pattern, number))
        bodies.append(numbered(statements, pattern, number).rstrip())
    return "".join(parts) + "\nBEGIN" + ";".join(bodies) + "\nEND SlidingWindow.\n"


def numbered(text: str, pattern: re.Pattern[str], number: int) -> str:
    return pattern.sub(lambda found: f"{found[1]}{number}", text)
