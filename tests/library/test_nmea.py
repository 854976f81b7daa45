"""Sentences of satellite receivers: whole ones are taken, damaged ones are not, whatever lies between."""

from __future__ import annotations

import random
from functools import reduce
from operator import xor
from pathlib import Path

from tests.library.images import STOP, said

BODIES = [
    "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W",
    "GPGGA,,,,,,0,00",
    "X",
    "A" * 80,
    "B" * 81,
]


def sentence(body: str) -> str:
    return f"${body}*{reduce(xor, body.encode()):02X}"


def program(stream: str) -> str:
    calls = "\n".join(f"Feed({ord(c):X}X);".replace("Feed(", "Feed(0") for c in stream)
    return (
        "MODULE T; IMPORT NMEA, Out; VAR s : NMEA.Sentence; field : ARRAY 12 OF CHAR; complete, there : BOOLEAN;\n"
        "PROCESS Feed(ch : CHAR); BEGIN NMEA.Take(s, ch, complete);\n"
        "IF complete THEN Out.String(s.text); Out.Ln; NMEA.Field(s, 3, field, there);\n"
        "Out.Bool(there); Out.Char(' '); Out.String(field); Out.Ln END END Feed;\n"
        f"BEGIN\n{calls}\n{STOP} END T."
    )


def third(body: str) -> str:
    fields = body.split(",")
    return f"TRUE {fields[3]}" if len(fields) > 3 else "FALSE "


def test_whole_sentences_and_their_fields(tmp_path: Path) -> None:
    stream = "\r\n".join(sentence(body) for body in BODIES)
    expected = [line for body in BODIES if len(body) <= 80 for line in (body, third(body))]
    assert said("host", program(stream), tmp_path) == expected
    short = [body for body in BODIES if len(body) < 20]
    expected = [line for body in short for line in (body, third(body))]
    assert said("uno", program("".join(sentence(body) for body in short)), tmp_path) == expected


def test_damaged_sentences(tmp_path: Path) -> None:
    """One byte is another one, is missing, or comes twice; each is followed by one that is right."""
    chance = random.Random(1)
    good, stream, expected = "GPGSA,A,3,04", "", []
    for _ in range(40):
        text = sentence(good)
        at = chance.randrange(len(text))
        other = chance.choice([c for c in "09AFX,." if c != text[at]])
        damaged = chance.choice(
            [text[:at] + other + text[at + 1 :], text[:at] + text[at + 1 :], text[:at] + text[at:] * 2]
        )
        stream += damaged + "\n" + text + "\r\n"
        expected += [*whole(damaged + "\n"), good, third(good)]
    assert said("host", program(stream), tmp_path) == expected


def whole(stream: str) -> list[str]:
    """What is right in a stream, found by its ends: a second opinion, not byte by byte."""
    found = []
    for part in stream.split("$")[1:]:
        body, star, rest = part.partition("*")
        if star and body.isprintable() and len(body) <= 80 and rest[:2] == sentence(body)[-2:]:
            found += [body, third(body)]
    return found
